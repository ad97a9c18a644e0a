/* Distance of an analytic shape for voxelize, periodic if the box is. A cylinder that leaves a periodic box obliquely
 * re-enters on the other side: its images one period away are joined (it closes if its direction is a sum of periods).
 * Other shapes must fit the period themselves. */
#ifndef PORTAFLOW_SHAPE_FIELD_H
#define PORTAFLOW_SHAPE_FIELD_H
#include "mesh/lumen/shape_grid.h"
#include <stdbool.h>

typedef struct {
    shape shape;
    bool periodic[3];
    double period_mm[3]; /* size of the box */
    shape_grid grid;     /* zeroed: unused */
} shape_field;

/* Callback for voxelize_input.distance, with a shape_field as data. */
double shape_field_distance(const void *data, const double lps_mm[3]);
#endif
