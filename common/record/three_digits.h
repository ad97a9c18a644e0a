/* SPDX-License-Identifier: Apache-2.0 */
/* Digits of a value that is shown without an interval. */
#ifndef PORTAFLOW_THREE_DIGITS_H
#define PORTAFLOW_THREE_DIGITS_H
#include <math.h>

/* Uncertainty with which units_format() shows three digits of a value, and all before the point. 0 for the value 0. */
static inline double three_digits_uncertainty(double value) {
    return value == 0 ? 0 : 3 * pow(10, fmin(floor(log10(fabs(value) * 1000 / 999.5)) - 2, 0));
}

/* The larger of the error bound and of the uncertainty that leaves three digits: without an interval, more digits would
 * claim an accuracy that is not known. An unknown bound (NAN, 0) stays. */
static inline double three_digits_limit(double value, double bound) {
    return bound > 0 ? fmax(bound, three_digits_uncertainty(value)) : bound;
}
#endif
