/* view.html: the wall and the flow to turn and zoom, in one file without a request. The page is post/view/view.html;
 * vtk.js and uPlot are in the program when npm was there at build time. */
#ifndef PORTAFLOW_POST_REPORT_VIEW_PAGE_H
#define PORTAFLOW_POST_REPORT_VIEW_PAGE_H
#include "common/base/must_check.h"
#include "post/flow/streamlines.h"
#include "post/report/report_parts.h"

/* One quantity on the wall. */
typedef struct {
    const char *name, *title, *unit;
    double low, high; /* of the colours; above: higher values are there */
    bool above;
    int n;                      /* 1, or instants */
    const double *const *value; /* [n][n_point] */
    const double *time_s;       /* [n] of instants */
    int intervals;              /* of the colour bar */
    double off, off_part;       /* a value x may be off by off + off_part |x|; 0: nothing says so */
} view_array;

/* The wall as it is shown: all of it, or a simplified one with values at its points. */
typedef struct {
    const surface *shape;
    int n_array;
    const view_array *array;  /* values at the points of `shape` */
    int64_t n_triangle_whole; /* before it was simplified; 0: it was not */
    double off_mm;            /* how far places of the whole wall lie from what is shown, at most */
} view_wall;

/* Whether this build can make the page. */
bool view_page_available(void);

/* Coordinates and values are written in 16 bits of their range (a value to 1/65,000 of it, a point of a vessel of 200
 * mm to 2 um): the page of 200,000 triangles stays below 15 MB. Through "<path>.part". Errors: ERR_OUTPUT,
 * ERR_RESOURCE, ERR_INPUT (a picture cannot be read). */
MUST_CHECK int view_page_write(const char *path, const report_input *in, const view_wall *shown,
                               const streamlines *lines);
#endif
