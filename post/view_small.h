/* A wall of many triangles made small enough for a page: fewer triangles, the values taken to their points. */
#ifndef PORTAFLOW_POST_VIEW_SMALL_H
#define PORTAFLOW_POST_VIEW_SMALL_H
#include "common/base/must_check.h"
#include "post/report/view.h"

enum { VIEW_ARRAYS = 4 };

typedef struct {
    surface shape;
    view_array array[VIEW_ARRAYS];
    double **value; /* one for each array and instant */
    int n_value;
} view_small;

/* A wall of more than `most` triangles is replaced by one that lies in `small`, its values linear in the triangle of
 * the whole wall nearest to each point; off_mm is measured at up to 20,000 points of the whole wall. Otherwise nothing
 * is done. Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int view_small_make(view_wall *shown, int64_t most, view_small *small);
void view_small_free(view_small *small); /* safe on a zeroed struct */
#endif
