/* SPDX-License-Identifier: Apache-2.0 */
/* The distance of an analytic shape for voxelize, periodic where the box is periodic.
 *
 * A cylinder that leaves a periodic box obliquely returns on the other side: the shape is joined with its images one
 * period away on each periodic axis. (The cylinder closes on itself if its direction is a sum of periods.) Other shapes
 * have no images: their form must fit the period. */
#ifndef PORTAFLOW_SHAPE_FIELD_H
#define PORTAFLOW_SHAPE_FIELD_H
#include "mesh/lumen/shape_grid.h"
#include <stdbool.h>

typedef struct {
    shape shape;
    bool periodic[3];
    double period_mm[3]; /* size of the box along each axis */
    shape_grid grid;     /* grid of the parts; all zero: the shape has none */
} shape_field;

/* For voxelize_input.distance, with a shape_field as data. */
double shape_field_distance(const void *data, const double lps_mm[3]);
#endif
