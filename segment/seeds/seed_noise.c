/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/seeds/seed_noise.h"
#include "common/base/order.h"
#include <math.h>
#include <stdlib.h>

enum { NOISE_REACH = 4, NOISE_LAG = 3 };
/* A grid of PLACES places along each axis around a seed, MIDDLE to either side. APART: distance between two places,
 * voxels. MOST_KERNEL: upper limit of the width of the noise kernel, voxels */
enum { MIDDLE = 2, PLACES = 2 * MIDDLE + 1, APART = 12, MOST_KERNEL = 2 };
/* Quantile of the ratios of the noise at lag 1 to the noise at lag NOISE_LAG, over all tested positions, that gives the
 * width of the noise kernel */
static const double even_places = 0.75;
/* Below this radius in voxels, the boxes of noise_at() hold more wall than vessel, which can double the noise */
static const double narrow_voxels = 3;
/* Upper limit of the noise from long lags, as a fraction of the spread of intensities around a seed */
static const double most_noise = 0.16;

/* Noise from the difference of each voxel to the mean of the four voxels `lag` away in the two thinnest axes, within
 * `reach` voxels of index. With correlated noise (soft kernel, interpolated slices) a small lag underestimates it. */
static double noise_at(const volume *v, const double index[3], int lag, int reach, double *work) {
    int thick = 0, n = 0, c[3];
    for (int a = 0; a < 3; a++) {
        thick = v->spacing_mm[a] > v->spacing_mm[thick] ? a : thick;
        c[a] = (int)lround(index[a]);
    }
    for (int k = -reach; k <= reach; k++)
        for (int j = -reach; j <= reach; j++)
            for (int i = -reach; i <= reach; i++) {
                int at[3] = {c[0] + i, c[1] + j, c[2] + k};
                double around = 0;
                bool in = true;
                for (int a = 0; a < 3; a++) {
                    const int room = a == thick || v->dims[a] < 3 ? 0 : lag;
                    in = in && at[a] >= room && at[a] < v->dims[a] - room;
                }
                if (!in)
                    continue;
                for (int a = 0; a < 3; a++) {
                    int low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
                    if (a == thick || v->dims[a] < 3)
                        continue;
                    low[a] -= lag, high[a] += lag;
                    around += (double)v->value[volume_index(v, low[0], low[1], low[2])] +
                              (double)v->value[volume_index(v, high[0], high[1], high[2])];
                }
                double x = (double)v->value[volume_index(v, at[0], at[1], at[2])];
                work[n++] = fabs(x - around / 4) / sqrt(1.25);
            }
    return n > 0 ? 1.4826 * order_quantile(work, n, 0.5) : 0;
}

/* Noise within a vessel of this radius: the largest noise_at() for lags of one voxel up to a third of the radius. */
static double noise_within(const volume *v, const double index[3], double radius_voxels, double *work) {
    const int reach = (int)fmin(NOISE_REACH, fmax(2, 0.6 * radius_voxels));
    double noise = noise_at(v, index, 1, NOISE_REACH, work);
    for (int lag = 2; lag <= NOISE_LAG && 3 * lag <= radius_voxels; lag++)
        noise = fmax(noise, noise_at(v, index, lag, reach, work));
    return noise;
}

/* Variance of the difference in noise_at() over the variance expected for white noise, if a Gaussian kernel of s voxels
 * correlates the noise. Neighbours at distance d correlate by exp(-d^2 / (4 s^2)). */
static double difference_variance(double s, int lag) {
    const double near = s > 0.05 ? exp(-lag * lag / (4 * s * s)) : 0;
    return (1.25 - 2 * near + 0.5 * near * near + 0.25 * pow(near, 4)) / 1.25;
}

static double kernel_from_ratio(double ratio) {
    double low = 0, high = MOST_KERNEL;
    for (int n = 0; n < 30; n++) {
        const double s = 0.5 * (low + high);
        *(sqrt(difference_variance(s, 1) / difference_variance(s, NOISE_LAG)) > ratio ? &low : &high) = s;
    }
    return low;
}

/* Width of the noise kernel in voxels, measured all around the seed, because a narrow vessel is too small for it. It
 * follows from the ratio of the noise at short and at long lags. Edges and textures lower this ratio, so an upper
 * quantile is used. around: out, median of the noise at long lags; INFINITY: not measured. NULL: not wanted. */
static double kernel_round(const volume *v, const double index[3], double *around) {
    double ratio[PLACES * PLACES * PLACES], noise[PLACES * PLACES * PLACES];
    int n = 0;
#pragma omp parallel for schedule(dynamic)
    for (int m = 0; m < PLACES * PLACES * PLACES; m++) {
        const int i = m % PLACES - MIDDLE, j = m / PLACES % PLACES - MIDDLE, k = m / PLACES / PLACES - MIDDLE;
        const double at[3] = {index[0] + APART * i, index[1] + APART * j, index[2] + 0.5 * APART * k};
        double work[SEED_NOISE_WORK];
        const double far = noise_at(v, at, NOISE_LAG, NOISE_REACH, work);
        ratio[m] = far > 0 ? noise_at(v, at, 1, NOISE_REACH, work) / far : NAN;
        noise[m] = far;
    }
    for (int m = 0; m < PLACES * PLACES * PLACES; m++)
        if (!isnan(ratio[m])) {
            noise[n] = noise[m];
            ratio[n++] = ratio[m];
        }
    if (around != NULL)
        *around = n > PLACES ? order_quantile(noise, n, 0.5) : INFINITY;
    return n > PLACES ? kernel_from_ratio(order_quantile(ratio, n, even_places)) : 0;
}

double seed_noise_first(const volume *v, const double index[3], double spread, double *work) {
    double noise = noise_at(v, index, 1, NOISE_REACH, work);
    for (int lag = 2; lag <= NOISE_LAG; lag++) /* limited, because walls raise this estimate in narrow vessels */
        noise = fmax(noise, fmin(most_noise * spread, noise_at(v, index, lag, NOISE_REACH, work)));
    return noise;
}

double seed_noise_smooth(const volume *v, const double index[3], double noise, double sigma) {
    /* alone: constant of this formula, in voxels^2, fitted to white noise */
    const double alone = 0.095, kernel = kernel_round(v, index, NULL), near = alone + kernel * kernel;
    return noise * pow(near / (near + sigma * sigma), 0.75);
}

double seed_noise(const volume *v, const double index[3], double radius_voxels, double *work, double *kernel) {
    const int reach = (int)fmin(NOISE_REACH, fmax(2, 0.6 * radius_voxels));
    double around;
    *kernel = kernel_round(v, index, &around);
    const double within = fmax(noise_within(v, index, radius_voxels, work),
                               noise_at(v, index, 1, reach, work) / sqrt(difference_variance(*kernel, 1)));
    /* Walls raise the estimate within a narrow vessel up to twice. Air around the vessel has less noise than tissue. */
    return radius_voxels < narrow_voxels ? fmax(fmin(within, around), 0.5 * within) : within;
}

double seed_noise_at_wall(double kernel) {
    return sqrt(1 + 2.5 * kernel * kernel);
}
