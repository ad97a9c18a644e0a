/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/seeds/seed_walls.h"
#include "common/base/order.h"
#include <math.h>
#include <stdlib.h>

/* Direction k of a Fibonacci lattice on the sphere. */
static void direction_of(int k, double d[3]) {
    double z = 1 - (2.0 * k + 1) / SEED_RAYS, r = sqrt(1 - z * z), a = k * M_PI * (3 - sqrt(5));
    d[0] = r * cos(a);
    d[1] = r * sin(a);
    d[2] = z;
}

/* Intensities along a ray. Returns the number of samples within the image. */
static int sample_ray(const seed_rays *c, const double seed[3], const double d[3], double *value) {
    for (int s = 0; s < SEED_SAMPLES; s++) {
        double p[3] = {seed[0] + s * c->h * d[0], seed[1] + s * c->h * d[1], seed[2] + s * c->h * d[2]};
        if (!volume_contains(c->image, p))
            return s;
        value[s] = volume_sample(c->image, p);
    }
    return SEED_SAMPLES;
}

/* Wall along a ray: the steepest place near the first three successive samples that differ from the seed in the same
 * direction. Returns +1 if the intensity falls there, -1 if it rises, 0 if there is no wall. */
static int find_wall(const seed_rays *c, const double *value, int n, seed_wall *hit) {
    int first = -1, best = -1;
    for (int s = 1; s + 3 < n && first < 0; s++) {
        double a = c->inside - value[s], b = c->inside - value[s + 1], d = c->inside - value[s + 2];
        const double least = a > 0 ? c->least_fall : c->least_rise;
        if (fabs(a) > least && a * b > 0 && a * d > 0 && fabs(b) > least && fabs(d) > least)
            first = s;
    }
    if (first < 0)
        return 0;
    int sign = c->inside > value[first] ? 1 : -1;
    double steepest = 0, far = value[first];
    for (int s = first > 4 ? first - 4 : 1; s < first + 6 && s + 1 < n; s++) {
        double slope = sign * (value[s - 1] - value[s + 1]) / (2 * c->h);
        if (slope > steepest) {
            steepest = slope;
            best = s;
        }
    }
    if (best < 0)
        return 0;
    for (int s = best; s < best + 6 && s < n; s++)
        far = sign > 0 ? fmin(far, value[s]) : fmax(far, value[s]);
    *hit = (seed_wall){best * c->h, far, steepest};
    return sign;
}

double seed_mean_at(const volume *v, const double p[3], double h) {
    double sum = 0;
    for (int n = 0; n < 27; n++) {
        const int x = n % 3 - 1, y = n / 3 % 3 - 1, z = n / 9 - 1;
        double q[3] = {p[0] + x * h, p[1] + y * h, p[2] + z * h};
        sum += volume_sample(v, q);
    }
    return sum / 27;
}

double seed_mean_within(const volume *v, const double seed[3], double radius_mm, double h) {
    double sum = 0;
    int n = 0;
    const int reach = (int)fmin(8, ceil(radius_mm / h));
    const double step = radius_mm / reach;
    for (int k = -reach; k <= reach; k++)
        for (int j = -reach; j <= reach; j++)
            for (int i = -reach; i <= reach; i++) {
                const double p[3] = {seed[0] + i * step, seed[1] + j * step, seed[2] + k * step};
                if (i * i + j * j + k * k > reach * reach || !volume_contains(v, p))
                    continue;
                sum += volume_sample(v, p);
                n++;
            }
    return n > 0 ? sum / n : volume_sample(v, seed);
}

double seed_spread_at(const volume *v, const double seed[3], double h, double *work, double quantiles[2]) {
    int n = 0;
    for (int k = 0; k < SEED_RAYS; k++)
        for (int s = 4; s < 40; s += 4) {
            double d[3];
            direction_of(k, d);
            double p[3] = {seed[0] + s * h * d[0], seed[1] + s * h * d[1], seed[2] + s * h * d[2]};
            if (volume_contains(v, p))
                work[n++] = volume_sample(v, p);
        }
    if (n <= 10) {
        quantiles[0] = quantiles[1] = volume_sample(v, seed);
        return 0;
    }
    quantiles[0] = order_quantile(work, n, 0.1);
    quantiles[1] = order_quantile(work, n, 0.9);
    return quantiles[1] - quantiles[0];
}

void seed_walls_find(const seed_rays *c, const double seed[3], seed_walls *w) {
    double value[SEED_SAMPLES];
    w->n_fall = w->n_rise = 0;
    for (int k = 0; k < SEED_RAYS; k++) {
        double d[3];
        seed_wall hit;
        direction_of(k, d);
        int sign = find_wall(c, value, sample_ray(c, seed, d, value), &hit);
        if (sign > 0)
            w->fall[w->n_fall++] = hit;
        else if (sign < 0)
            w->rise[w->n_rise++] = hit;
    }
}
