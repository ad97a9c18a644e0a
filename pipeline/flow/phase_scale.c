/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/flow/phase_scale.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCALES = 9, PARTS = 20 };
/* Largest distance between an end of the scale and the lowest or highest value of the image, if this value is inside
 * the scale; in half-widths of the scale */
static const double END = 0.015;
static const double BEYOND = 0.003; /* Largest distance between an end of the scale and a value beyond it, which
                                     * rounding explains; in half-widths of the scale */

/* Sets *s to scale number k. Returns false if the scale needs a venc that is unknown. */
static bool known_scale(int k, double venc_m_s, phase_scale *s) {
    static const struct {
        double low, high;
        const char *unit;
    } fixed[] = {{-M_PI, M_PI, "rad"},      {-1000 * M_PI, 1000 * M_PI, "mrad"}, {-180, 180, "degrees"},
                 {-4096, 4096, "integers"}, {-2048, 2048, "integers"},           {0, 4096, "integers"}};
    static const struct {
        double per_m_s;
        const char *unit;
    } velocity[] = {{1, "m/s"}, {100, "cm/s"}, {1000, "mm/s"}};
    const int n = sizeof fixed / sizeof *fixed;
    const bool is_fixed = k < n;
    const double v = is_fixed ? 0 : venc_m_s * velocity[k - n].per_m_s;
    s->low = is_fixed ? fixed[k].low : -v;
    s->high = is_fixed ? fixed[k].high : v;
    snprintf(s->unit, sizeof s->unit, "%s", is_fixed ? fixed[k].unit : velocity[k - n].unit);
    return is_fixed || v > 0;
}

bool phase_scale_of_limits(double low, double high, double venc_m_s, phase_scale *s) {
    double best = INFINITY;
    phase_scale one;
    for (int k = 0; k < SCALES; k++) {
        if (!known_scale(k, venc_m_s, &one))
            continue;
        const double half = 0.5 * (one.high - one.low), below = (low - one.low) / half,
                     above = (one.high - high) / half;
        const bool fits = below <= END && above <= END && below >= -BEYOND && above >= -BEYOND;
        if (fits && fabs(below) + fabs(above) < best) {
            best = fabs(below) + fabs(above);
            *s = one;
        }
    }
    return isfinite(best);
}

bool phase_scale_of_values(const float *value, size_t n, double venc_m_s, phase_scale *s) {
    double low = INFINITY, high = -INFINITY;
    size_t in_part[PARTS] = {0};
    bool filled = true;
    for (size_t k = 0; k < n; k++) {
        low = fmin(low, (double)value[k]);
        high = fmax(high, (double)value[k]);
    }
    if (!phase_scale_of_limits(low, high, venc_m_s, s))
        return false;
    for (size_t k = 0; k < n; k++) {
        const double part = floor(PARTS * ((double)value[k] - s->low) / (s->high - s->low));
        if (!isnan(part))
            in_part[(int)fmin(fmax(part, 0), PARTS - 1)]++;
    }
    for (int p = 0; p < PARTS; p++)
        filled &= (double)in_part[p] >= PHASE_SCALE_FILLED * (double)n;
    return filled;
}

void phase_scale_list(double venc_m_s, size_t size, char *text) {
    size_t used = 0;
    phase_scale s;
    text[0] = '\0';
    for (int k = 0; k < SCALES && used < size; k++)
        if (known_scale(k, venc_m_s, &s))
            used += (size_t)snprintf(text + used, size - used, "%s%.4g to %.4g (%s)", used ? ", " : "", s.low, s.high,
                                     s.unit);
}
