/* How many points and polygons a file of triangles announces. */
#ifndef PORTAFLOW_SURFACE_COUNTS_H
#define PORTAFLOW_SURFACE_COUNTS_H
#include <stdbool.h>
#include <stdint.h>

/* What the file says that it holds; -1: it does not say (points of an STL, .vtp). */
typedef struct {
    int64_t points, polygons;
    bool binary_stl;
} surface_counts;
#endif
