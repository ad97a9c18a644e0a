/* The distance of an analytic shape as voxelize wants it, periodic where the box is.
 *
 * A cylinder that leaves a periodic box obliquely comes back on the other side: its images one period away in each
 * periodic axis are joined. (It closes on itself when its direction is that of a sum of periods.) The other shapes are
 * taken as they are: their form must fit the period. */
#ifndef PORTAFLOW_SHAPE_FIELD_H
#define PORTAFLOW_SHAPE_FIELD_H
#include "mesh/lumen/shape_grid.h"
#include <stdbool.h>

typedef struct {
    shape shape;
    bool periodic[3];
    double period_mm[3]; /* size of the box */
    shape_grid grid;     /* zeroed: not used */
} shape_field;

/* For voxelize_input.distance, with a shape_field as data. */
double shape_field_distance(const void *data, const double lps_mm[3]);
#endif
