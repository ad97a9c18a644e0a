/* Numbers of points and polygons that a surface file states. */
#ifndef PORTAFLOW_SURFACE_COUNTS_H
#define PORTAFLOW_SURFACE_COUNTS_H
#include <stdbool.h>
#include <stdint.h>

/* -1: the file does not state the number (points of an STL, .vtp). */
typedef struct {
    int64_t points, polygons;
    bool binary_stl;
} surface_counts;
#endif
