/* SPDX-License-Identifier: Apache-2.0 */
/* The wall in view.html: reduced to a number of triangles that suits a page, with values at its points. */
#ifndef PORTAFLOW_POST_STAGE_VIEW_VALUES_H
#define PORTAFLOW_POST_STAGE_VIEW_VALUES_H
#include "common/base/must_check.h"
#include "post/report/view_page.h"

enum { VIEW_ARRAYS = 4 };

typedef struct {
    surface shape;
    view_array array[VIEW_ARRAYS];
    double **value; /* an array for each quantity and instant */
    int n_value;
} reduced_wall;

/* Reduces a wall with more than `most` triangles: *small gets the reduced wall, with values interpolated in the nearest
 * triangle of the whole wall, and *shown refers to it. off_mm is measured at up to 20,000 points of the whole wall. A
 * wall with fewer triangles stays unchanged. Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int view_values_reduce(view_wall *shown, int64_t most, reduced_wall *small);
void view_values_free(reduced_wall *small); /* safe on a zeroed struct */
#endif
