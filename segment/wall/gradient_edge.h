/* Moves a level set that lies near an edge of the image onto that edge, between the voxels. */
#ifndef PORTAFLOW_SEGMENT_GRADIENT_EDGE_H
#define PORTAFLOW_SEGMENT_GRADIENT_EDGE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Mean curvature motion: every level line moves by its curvature, I_t = laplace I - I_ww, for the time variance / 2 (in
 * voxels^2). Smooths along walls, not across; a wall of curvature kappa moves inwards by kappa variance / 2 as with a
 * Gaussian of that variance. Only voxels with |level| < reach change (Alvarez, Lions, Morel 1992).
 * In place. Errors: ERR_RESOURCE. */
MUST_CHECK int gradient_edge_denoise(volume *image, const volume *level, double reach, double variance);

/* Across an edge blurred by a Gaussian of variance v the second derivative is s / v times the first, s the distance
 * outwards from the edge: so s = v P / (2 |grad L|) is the signed distance to the edge at every voxel nearby, with
 *   P = laplace L + L_ww   (L_ww: second derivative along the gradient).
 * On curved walls the zeros of L_ww and of the Laplacian lie by the same amount on opposite sides of the true edge, so
 * those of P lie on it (Bouma et al. 2005). With a blur of variance v_x, v_y, v_z along the axes (thick slices) it is
 *   P = (v_x L_xx + v_y L_yy + v_z L_zz) / v_w + L_ww,   v_w that across the edge
 * by the same expansion: blur along the edge moves it by its own variance, not by v_w. v in s is the least of them, so
 * that where the image is blurred more s is less than the distance, its zero in place.
 *
 * image: brighter inside. level: in place, voxels, negative inside; moves by at most 1.5 voxels, and not where the
 * gradient is below a fifth of `typical` (per voxel; fully from a half on). sigma: two Gaussians for the derivatives,
 * voxels: the second, wider one where the wall is so little curved that it stays small against the radius (noise moves
 * the wall less), the first one elsewhere; variance: blur of the image itself along each axis,
 * voxels^2.
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_level_set.c */
MUST_CHECK int gradient_edge_move(const volume *image, const double sigma[2], const double variance[3], double typical,
                                  int rounds, volume *level);
#ifdef __cplusplus
}
#endif
#endif
