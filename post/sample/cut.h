/* SPDX-License-Identifier: Apache-2.0 */
/* A surface through the lumen as triangles: a plane, or a gently curved sheet over a plane.
 *
 * A square grid over the frame is cut at the wall (marching squares on the signed distance); the triangles cover the
 * part of the grid in the lumen. Lengths mm, LPS. */
#ifndef PORTAFLOW_POST_SAMPLE_CUT_H
#define PORTAFLOW_POST_SAMPLE_CUT_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "post/sample/sampler.h"
#include <stdbool.h>

typedef struct {
    double centre_mm[3];
    double axis[3][3]; /* two orthonormal vectors in the plane, then the normal */
    /* size of the square grid of heights above the plane, which are linear between nodes; n[0] 0: the cut is the
     * plane */
    int n[2];
    /* low_mm: position of the first node in the plane, from the centre; step_mm: distance between two nodes */
    double low_mm[2], step_mm;
    float *height_mm; /* [n[1]][n[0]] heights, owned */
} cut_frame;

/* Set the frame of the plane through a point; `normal` is unit length. */
void cut_frame_plane(const double point_mm[3], const double normal[3], cut_frame *f);
void cut_frame_free(cut_frame *f);
double cut_height_mm(const cut_frame *f, double x_mm, double y_mm);

/* Triangulate the cut. `step_mm`: width of the squares; half a spacing is suitable. It is enlarged if the grid would
 * extend more than 1500 squares from the middle. connected true: the result is the patch nearest to the centre, which
 * must begin within reach_mm. connected false: the result is the whole cut. *opening: index of an opening that the
 * patch meets, -1: none. An empty cut is OK with n_triangle 0. Errors: ERR_RESOURCE. */
MUST_CHECK int cut_make(const sampler *s, const cut_frame *f, double step_mm, bool connected, double reach_mm,
                        surface *out, int *opening);
#endif
