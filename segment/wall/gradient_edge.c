/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/wall/gradient_edge.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/blur.h"
#include "segment/voxel/near_tiles.h"
#include "segment/voxel/voxel.h"
#include "segment/wall/wall_constants.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Gradient g and second derivatives h = xx yy zz xy xz yz by central differences, per voxel. */
static void central_derivatives(const volume *v, int i, int j, int k, double g[3], double h[6]) {
    static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    const int at[3] = {i, j, k};
    const size_t step[3] = {1, (size_t)v->dims[0], (size_t)v->dims[0] * (size_t)v->dims[1]};
    const float *p = v->value + volume_index(v, i, j, k);
    size_t up[3], down[3];
    for (int a = 0; a < 3; a++) {
        up[a] = at[a] + 1 < v->dims[a] ? step[a] : 0;
        down[a] = at[a] > 0 ? step[a] : 0;
        g[a] = ((double)p[up[a]] - (double)*(p - down[a])) / 2;
        h[a] = (double)p[up[a]] + (double)*(p - down[a]) - 2 * (double)p[0];
    }
    for (int n = 0; n < 3; n++) {
        int a = pair[n][0], b = pair[n][1];
        h[3 + n] = ((double)p[up[a] + up[b]] + (double)*(p - down[a] - down[b]) - (double)*(p + up[a] - down[b]) -
                    (double)*(p - down[a] + up[b])) /
                   4;
    }
}

/* Second derivative along the gradient; 0 where the gradient is 0. */
static double along_gradient(const double g[3], const double h[6]) {
    double gg = vec_dot(g, g);
    if (gg <= 0)
        return 0;
    return (g[0] * g[0] * h[0] + g[1] * g[1] * h[1] + g[2] * g[2] * h[2] +
            2 * (g[0] * g[1] * h[3] + g[0] * g[2] * h[4] + g[1] * g[2] * h[5])) /
           gg;
}

int gradient_edge_denoise(volume *image, const volume *level, double reach, double variance) {
    int steps = (int)ceil(variance / (2 * MEAN_CURVATURE_STEP)), rc = OK;
    double dt = steps > 0 ? variance / 2 / steps : 0;
    size_t n = 0, total = volume_size(level);
    for (size_t i = 0; i < total; i++)
        n += fabs((double)level->value[i]) < reach;
    size_t *voxel = malloc((n + 1) * sizeof *voxel);
    float *change = malloc((n + 1) * sizeof *change);
    if (voxel == NULL || change == NULL) {
        rc = fail_memory("denoising near the wall", (double)n * (sizeof *voxel + sizeof *change));
        steps = 0;
    }
    n = 0;
    for (size_t i = 0; i < total && rc == OK; i++)
        if (fabs((double)level->value[i]) < reach)
            voxel[n++] = i;
    for (int step = 0; step < steps; step++) {
#pragma omp parallel for schedule(static)
        for (size_t k = 0; k < n; k++) {
            double g[3], h[6];
            int at[3];
            voxel_split(image, voxel[k], at);
            central_derivatives(image, at[0], at[1], at[2], g, h);
            change[k] = (float)(dt * (h[0] + h[1] + h[2] - along_gradient(g, h)));
        }
        for (size_t k = 0; k < n; k++)
            image->value[voxel[k]] += change[k];
    }
    free(voxel);
    free(change);
    return rc;
}

/* Weight of the wider Gaussian at curvature kappa (per voxel): the width must stay small against the radius of
 * curvature. */
static double wide_weight(double kappa) {
    return fmin(1, fmax(0, (NARROW_KAPPA - fabs(kappa)) / (NARROW_KAPPA - WIDE_KAPPA)));
}

/* Finds the signed distance to the edge, in voxels, and the gradient magnitude. variance: variance of the blur along
 * each axis. */
static double distance_to_edge(const volume *v, int i, int j, int k, const double variance[3], double *gradient) {
    double g[3], h[6], square = 0, all = 0, across = 0;
    central_derivatives(v, i, j, k, g, h);
    for (int a = 0; a < 3; a++) {
        square += g[a] * g[a];
        across += g[a] * g[a] * variance[a];
        all += variance[a] * h[a];
    }
    *gradient = sqrt(square);
    if (square <= 0)
        return 0;
    across /= square;
    const double least = fmin(variance[0], fmin(variance[1], variance[2]));
    return 0.5 * least * (all / across + along_gradient(g, h)) / *gradient;
}

/* Move the level in one round. smooth: the image smoothed by the two Gaussians; variance: variance of the total blur in
 * each of the two images. */
static int move_once(const volume smooth[2], const double variance[2][3], double typical, volume *level) {
    volume kappa = {0};
    int rc = OK;
    TRY(blur_curvature(level, &kappa));
#pragma omp parallel for schedule(static)
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                size_t here = volume_index(level, i, j, k);
                double old = (double)level->value[here], gradient[2], s[2];
                if (fabs(old) > EDGE_BAND)
                    continue;
                for (int n = 0; n < 2; n++)
                    s[n] = distance_to_edge(&smooth[n], i, j, k, variance[n], &gradient[n]);
                double wide = wide_weight((double)kappa.value[here]);
                double to = wide * s[1] + (1 - wide) * s[0];
                double trust = fmin(1, fmax(0, (gradient[0] / typical - WEAK_EDGE) / (STRONG_EDGE - WEAK_EDGE)));
                to = fmin(old + EDGE_MOVE, fmax(old - EDGE_MOVE, to));
                level->value[here] = (float)(trust * to + (1 - trust) * old);
            }
cleanup:
    volume_free(&kappa);
    return rc;
}

int gradient_edge_move(const volume *image, const double sigma[2], const double variance[3], double typical, int rounds,
                       volume *level) {
    volume smooth[2] = {0};
    near_tiles near = {.on = NULL}; /* one band serves all rounds, because a round changes no voxel outside the band */
    int rc = OK;
    double total[2][3];
    TRY(near_tiles_find(level, nextafter(EDGE_BAND, INFINITY), 1, &near));
    for (int n = 0; n < 2; n++) {
        TRY(volume_create_like(&smooth[n], image));
        TRY(near_tiles_smooth(image, (const double[3]){sigma[n], sigma[n], sigma[n]}, &near, &smooth[n]));
        /* central differences blur, too: a variance of 1/3 from first derivatives, 1/6 from second derivatives, on
         * average 1/4 */
        for (int a = 0; a < 3; a++)
            total[n][a] = variance[a] + sigma[n] * sigma[n] + 0.25;
    }
    for (int round = 0; round < rounds; round++)
        TRY(move_once(smooth, (const double(*)[3])total, typical, level));
cleanup:
    near_tiles_free(&near);
    volume_free(&smooth[0]);
    volume_free(&smooth[1]);
    return rc;
}
