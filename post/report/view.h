/* view.html: the wall and the flow to turn and zoom, in one file without a request. The page is post/view/view.html;
 * vtk.js and uPlot are in the program when npm was there at build time. */
#ifndef PORTAFLOW_POST_REPORT_VIEW_H
#define PORTAFLOW_POST_REPORT_VIEW_H
#include "common/base/must_check.h"
#include "post/flow/streamlines.h"
#include "post/report/report.h"

/* One quantity on the wall. */
typedef struct {
    const char *name, *title, *unit;
    double low, high; /* of the colours; above: higher values are there */
    bool above;
    int n;                      /* 1, or instants */
    const double *const *value; /* [n][n_point] */
    const double *time_s;       /* [n] of instants */
} view_array;

/* Whether this build can make the page. */
bool view_available(void);

/* Through "<path>.part". Errors: ERR_OUTPUT, ERR_RESOURCE, ERR_INPUT (a picture cannot be read). */
MUST_CHECK int view_write(const char *path, const report_input *in, int n_array, const view_array *array,
                          const streamlines *lines);
#endif
