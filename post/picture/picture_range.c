/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of picture.h. */
#include "post/picture/picture.h"
#include <math.h>
#include <stdio.h>

const char *picture_title(const picture_input *in, const char *title, char text[PICTURE_TITLE]) {
    const char *unusable = solution_unusable(in->r->solution);
    if (!unusable)
        return title;
    snprintf(text, PICTURE_TITLE, "%s: do not use. %s", unusable, title);
    return text;
}

void picture_range(double low, double high, double *nice_low, double *nice_high, int *intervals) {
    if (!(high > low) || !isfinite(high - low)) {
        *nice_low = low;
        *nice_high = low + 1;
        *intervals = 1;
        return;
    }
    double raw = (high - low) / 6, decade = pow(10, floor(log10(raw))), step = 10 * decade;
    static const double steps[] = {1, 2, 2.5, 5};
    for (int k = 3; k >= 0; k--)
        if (steps[k] * decade >= raw * (1 - 1e-9))
            step = steps[k] * decade;
    *nice_low = floor(low / step + 1e-9) * step;
    *nice_high = ceil(high / step - 1e-9) * step;
    *intervals = (int)((*nice_high - *nice_low) / step + 0.5);
}
