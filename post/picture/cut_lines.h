/* Streamlines in a cut, evenly spaced, for the eye: of the part of the velocity that lies in it (Jobard and Lefer
 * 1997). In a plane of symmetry they are those of the flow. */
#ifndef PORTAFLOW_POST_PICTURE_CUT_LINES_H
#define PORTAFLOW_POST_PICTURE_CUT_LINES_H
#include "common/base/must_check.h"
#include "post/sample/cut.h"

#define CUT_LINES_STILL 1e-3 /* of the largest speed in the cut: slower fluid has no lines */

typedef struct {
    int n, n_point;   /* polylines: the lines, and an open head half way along each that points with the flow */
    int32_t *first;   /* [n + 1] first point of each; owned */
    double *point_mm; /* [n_point][3] LPS; owned */
} cut_lines;

/* `apart_mm`: a line begins this far from all others and ends at half of it from them, from itself where it closes, at
 * the wall, or in fluid that is still. Lines shorter than it are left out. Errors: ERR_RESOURCE. */
MUST_CHECK int cut_lines_make(const sampler *s, const fields *f, const cut_frame *frame, const surface *cut,
                              double apart_mm, cut_lines *out);
void cut_lines_free(cut_lines *l); /* safe on a zeroed struct */
#endif
