/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of points and polygons that a surface file states. */
#ifndef PORTAFLOW_SURFACE_COUNTS_H
#define PORTAFLOW_SURFACE_COUNTS_H
#include <stdbool.h>
#include <stdint.h>

/* A count is -1 if the file does not state it (points of an STL, .vtp). */
typedef struct {
    int64_t points, polygons;
    bool binary_stl;
} surface_counts;
#endif
