/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/flow/flow_uncertainty.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Half-widths of the 95 % interval of the offset, as fractions of venc (sources: flow_uncertainty.h) */
static const double OFFSET_UNCORRECTED = 0.018, OFFSET_CORRECTED = 0.008;
/* Half-width of a 95 % interval, in standard deviations */
static const double DEVIATIONS = 1.96;
/* Standard deviation of a normal distribution, as a multiple of the median of absolute values */
static const double DEVIATION_OF_MEDIAN = 1.4826;

static bool in_region(const phase_contrast *p, int x, int y) {
    return x >= 0 && y >= 0 && x < p->nx && y < p->ny && p->roi[y * p->nx + x] != 0;
}

/* Number of the four neighbours of a pixel that are in the region. */
static int neighbours_in_region(const phase_contrast *p, int x, int y) {
    return in_region(p, x - 1, y) + in_region(p, x + 1, y) + in_region(p, x, y - 1) + in_region(p, x, y + 1);
}

static double mean_velocity(const phase_contrast *p, int x, int y) {
    double sum = 0;
    for (int t = 0; t < p->nt; t++)
        sum += p->velocity[((size_t)t * (size_t)p->ny + (size_t)y) * (size_t)p->nx + (size_t)x];
    return sum / p->nt;
}

/* Sums of the mean velocities: of the pixels of the region at its border, and of the pixels outside that touch it. */
static void sum_borders(const phase_contrast *p, double *within, double *around) {
    *within = *around = 0;
    for (int y = 0; y < p->ny; y++)
        for (int x = 0; x < p->nx; x++) {
            const int near = neighbours_in_region(p, x, y);
            if (in_region(p, x, y) && near < 4)
                *within += mean_velocity(p, x, y);
            else if (!in_region(p, x, y) && near > 0)
                *around += mean_velocity(p, x, y);
        }
}

/* Standard deviation of the noise of a velocity in the region, m/s. A second difference in time has six times the
 * variance of one value. *n: number of pixels in the region. */
static int measure_noise(const phase_contrast *p, double *noise_m_s, int *n) {
    const size_t all = (size_t)p->nx * (size_t)p->ny;
    double *difference = malloc((all * (size_t)p->nt + 1) * sizeof *difference);
    int count = 0;
    *n = 0;
    if (!difference)
        return fail_memory("the noise of the velocities", 8.0 * (double)all * p->nt);
    for (size_t k = 0; k < all; k++) {
        if (!p->roi[k])
            continue;
        ++*n;
        for (int t = 0; t < p->nt; t++) {
            const size_t before = (size_t)((t + p->nt - 1) % p->nt), after = (size_t)((t + 1) % p->nt);
            difference[count++] = fabs(p->velocity[before * all + k] - 2 * p->velocity[(size_t)t * all + k] +
                                       p->velocity[after * all + k]);
        }
    }
    *noise_m_s = count ? DEVIATION_OF_MEDIAN * order_quantile(difference, count, 0.5) / sqrt(6) : 0;
    free(difference);
    return OK;
}

int flow_uncertainty_measure(const phase_contrast *p, const phase_background *b, flow_uncertainty *u) {
    double within, around, noise_m_s = 0;
    int n = 0;
    const int rc = measure_noise(p, &noise_m_s, &n);
    if (rc != OK)
        return rc;
    sum_borders(p, &within, &around);
    const double offset_m_s = p->venc_m_s * (b->n > 0 ? OFFSET_CORRECTED : OFFSET_UNCORRECTED),
                 scatter_m_s =
                     b->n > 0 ? sqrt(fmax(b->spread_m_s * b->spread_m_s - noise_m_s * noise_m_s / p->nt, 0)) : 0;
    u->region = 0.5 * p->pixel_mm2 * (fabs(within) + fabs(around));
    u->background = p->pixel_mm2 * n * fmax(offset_m_s, DEVIATIONS * scatter_m_s);
    u->noise = DEVIATIONS * p->pixel_mm2 * noise_m_s * sqrt((double)n / p->nt);
    u->whole = sqrt(u->region * u->region + u->background * u->background + u->noise * u->noise);
    return OK;
}
