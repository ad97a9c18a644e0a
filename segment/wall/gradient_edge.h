/* SPDX-License-Identifier: Apache-2.0 */
/* Move a level set near an edge of the image onto that edge, with subvoxel accuracy. */
#ifndef PORTAFLOW_SEGMENT_GRADIENT_EDGE_H
#define PORTAFLOW_SEGMENT_GRADIENT_EDGE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Smooth the image along walls, not across, by mean curvature motion I_t = laplace I - I_ww for the time variance / 2
 * (voxels^2), where |level| < reach (Alvarez, Lions, Morel 1992). A wall of curvature kappa moves inwards by kappa
 * variance / 2, as with a Gaussian of this variance. In place. Errors: ERR_RESOURCE. */
MUST_CHECK int gradient_edge_denoise(volume *image, const volume *level, double reach, double variance);

/* Move the level to the edge by eq. 1, the signed distance of each voxel near an edge that is blurred by a Gaussian of
 * variance v:
 *   s = v P / (2 |grad L|),   P = laplace L + L_ww   (L_ww: second derivative along the gradient)             (1)
 * On curved walls the zeros of L_ww and of the Laplacian deviate from the edge by equal amounts in opposite directions,
 * so the zeros of P are on the edge (Bouma et al. 2005). For a blur that differs along the axes (thick slices):
 *   P = (v_x L_xx + v_y L_yy + v_z L_zz) / v_w + L_ww,   v_w: variance across the edge
 * and v in eq. 1 is the smallest variance: s is then too small in blurred directions, but its zero is right. image:
 * brighter inside. level: in place, voxels, negative inside; moves by up to 1.5 voxels per round, fully where the
 * gradient is above 0.5 `typical` (per voxel), not at all below 0.2. Voxels further than 3 from the zero level do not
 * move. sigma: Gaussians of the derivatives, voxels; the second, wider one for walls of low curvature, since it
 * suppresses more noise. variance: of the image's blur along each axis, voxels^2. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_level_set.c */
MUST_CHECK int gradient_edge_move(const volume *image, const double sigma[2], const double variance[3], double typical,
                                  int rounds, volume *level);
#ifdef __cplusplus
}
#endif
#endif
