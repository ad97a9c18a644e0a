/* Shim around ITK's filters for the level-set method. The grids are cubes; everything is in voxels (gradients per
 * voxel, distances and times in voxels, curvature per voxel), whatever the geometry of the volumes says.
 * Errors of all functions: ERR_RESOURCE, ERR_INTERNAL. */
#ifndef PORTAFLOW_SEGMENT_ITK_ENGINE_H
#define PORTAFLOW_SEGMENT_ITK_ENGINE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#ifdef __cplusplus
extern "C" {
#endif

void itk_engine_threads(int n);

/* Modified curvature diffusion (Whitaker, Xue 2001): smooths along edges, not across. `steps` of 1/16: like a
 * Gaussian of sqrt(steps / 8) voxels in flat regions. conductance: larger lets more through. In place. */
MUST_CHECK int itk_engine_denoise(volume *v, int steps, double conductance);

/* Magnitude of the gradient of the Gaussian-smoothed image, per voxel. */
MUST_CHECK int itk_engine_gradient(const volume *v, double sigma_voxels, volume *out);

typedef struct {
    double propagation, curvature, advection;
    int iterations;
} front_weights;

/* Geodesic active contour (Caselles, Kimmel, Sapiro 1997):
 *   phi_t + propagation g |grad phi| - curvature g kappa |grad phi| + advection grad(-g) . grad phi = 0
 * level: distance-like in voxels, negative inside, in place (valid near its zero level afterwards). feature: g, 0 at
 * edges, 1 away from them. *done: iterations used. */
MUST_CHECK int itk_engine_evolve(volume *level, const volume *feature, const front_weights *weights,
                                   int *done);
#ifdef __cplusplus
}
#endif
#endif
