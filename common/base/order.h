/* Comparison functions for qsort, ascending. */
#ifndef PORTAFLOW_ORDER_H
#define PORTAFLOW_ORDER_H

static inline int order_float(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}
static inline int order_double(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
#endif
