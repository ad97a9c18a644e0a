/* SPDX-License-Identifier: Apache-2.0 */
/* view.html: an interactive 3-D view of wall and flow, in one file without network requests. The page is
 * post/view/view.html; vtk.js and uPlot are built in if npm was available at build time. */
#ifndef PORTAFLOW_POST_REPORT_VIEW_PAGE_H
#define PORTAFLOW_POST_REPORT_VIEW_PAGE_H
#include "common/base/must_check.h"
#include "post/flow/streamlines.h"
#include "post/report/report_parts.h"

/* One quantity on the wall. */
typedef struct {
    const char *name, *title, *unit;
    double low, high; /* low, high: values at the ends of the colour bar; above: true if some values are higher */
    bool above;
    int n;                      /* number of value arrays: 1, or one for each instant */
    const double *const *value; /* [n][n_point] values */
    const double *time_s;       /* [n] times of the instants */
    int intervals;              /* number of intervals of the colour bar */
    double off, off_part;       /* bound of the error of a value x: off + off_part |x|; both 0: unknown */
} view_array;

/* The displayed wall: the whole wall, or a reduced one with values at its points. */
typedef struct {
    const surface *shape;
    int n_array;
    const view_array *array;  /* values at the points of `shape`, one array for each quantity */
    int64_t n_triangle_whole; /* number of triangles of the whole wall; 0: `shape` is the whole wall */
    double off_mm;            /* largest distance between the whole wall and the displayed wall */
} view_wall;

/* True if this build can write the page. */
bool view_page_available(void);

/* Write the page. Coordinates and values are stored as 16-bit integers over their range, to 1/65,000 of the range: 2 um
 * in a vessel of 200 mm. A page of 200,000 triangles stays below 15 MB. Writes through "<path>.part". Errors:
 * ERR_OUTPUT, ERR_RESOURCE, ERR_INPUT (a picture cannot be read). */
MUST_CHECK int view_page_write(const char *path, const report_input *in, const view_wall *shown,
                               const streamlines *lines);
#endif
