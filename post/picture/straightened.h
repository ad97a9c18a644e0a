/* SPDX-License-Identifier: Apache-2.0 */
/* The image straightened along the centerline from one opening to another (curved planar reformation, Kanitsar et al.
 * 2002), with the contour of the lumen. */
#ifndef PORTAFLOW_POST_PICTURE_STRAIGHTENED_H
#define PORTAFLOW_POST_PICTURE_STRAIGHTENED_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "post/flow/branches.h"
#include "post/picture/picture.h"

enum { STRAIGHTENED_MAX = 8 };

/* Draw one picture per path into `folder`: two planes through the centerline at right angles to each other. The planes
 * turn with a rotation-minimising frame (double reflection, Wang et al. 2008), so that they twist no more than the
 * vessel bends. The grey window is the 1st to the 99th percentile of each plane.
 *   image, phi      the image and the signed distance of segment, mm, negative inside
 *   n, path         paths, each from one opening of the lattice to another; the first STRAIGHTENED_MAX are drawn
 *   file [STRAIGHTENED_MAX], *n_file  out; a path without a centerline between its openings has no picture
 * Old pictures of the same names are removed. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int straightened_draw(const volume *image, const volume *phi, const lattice *l, const vessel_branches *b,
                                 int n, const int (*path)[2], const char *folder, picture_file *file, int *n_file);

/* Frames along a polyline: axis [n][2][3], two unit vectors orthogonal to the curve and to each other. */
void straightened_frames(int n, const double (*at_mm)[3], double (*axis)[2][3]);
#endif
