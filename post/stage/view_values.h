/* What view.html shows of the wall: few enough triangles for a page, the values taken to their points. */
#ifndef PORTAFLOW_POST_STAGE_VIEW_VALUES_H
#define PORTAFLOW_POST_STAGE_VIEW_VALUES_H
#include "common/base/must_check.h"
#include "post/report/view_page.h"

enum { VIEW_ARRAYS = 4 };

typedef struct {
    surface shape;
    view_array array[VIEW_ARRAYS];
    double **value; /* one for each array and instant */
    int n_value;
} reduced_wall;

/* A wall of more than `most` triangles is replaced by one that lies in `small`, its values linear in the triangle of
 * the whole wall nearest to each point; off_mm is measured at up to 20,000 points of the whole wall. Otherwise nothing
 * is done. Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int view_values_reduce(view_wall *shown, int64_t most, reduced_wall *small);
void view_values_free(reduced_wall *small); /* safe on a zeroed struct */
#endif
