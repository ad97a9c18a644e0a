/* SPDX-License-Identifier: Apache-2.0 */
/* Interface of the two engines for the level set: lattice Boltzmann in a narrow band (lbm.h) and ITK filters. All
 * lengths are in voxels of a cubic grid (gradients and curvature per voxel); the geometry of the volumes is ignored. */
#ifndef PORTAFLOW_SEGMENT_FRONT_ENGINE_H
#define PORTAFLOW_SEGMENT_FRONT_ENGINE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double propagation, curvature, advection;
    int iterations;
} front_weights;

/* Functions of an engine. Errors of all of them: ERR_RESOURCE, ERR_INTERNAL. */
typedef struct {
    const char *name;
    /* Mean curvature motion of the image (Alvarez, Lions, Morel 1992) where |level| < reach. It smooths along level
     * lines like a Gaussian of `variance` (voxels^2). The image is changed in place. */
    int (*denoise_band)(volume *image, const volume *level, double reach, double variance);
    /* Modified curvature diffusion of the whole image (Whitaker, Xue 2001): smooths along edges, not across them. In
     * flat regions `steps` steps of 1/16 act like a Gaussian of sqrt(steps / 8) voxels. A larger conductance smooths
     * stronger edges, too. The image is changed in place. NULL: the engine has no such function. */
    int (*denoise_all)(volume *image, int steps, double conductance);
    /* Gradient magnitude, per voxel, of the image smoothed by a Gaussian. `out` is created. */
    int (*gradient)(const volume *image, double sigma_voxels, volume *out);
    /* Geodesic active contour (Caselles, Kimmel, Sapiro 1997):
     * phi_t + propagation g |grad phi| - curvature g kappa |grad phi| + advection grad(-g) . grad phi = 0
     * level: phi in voxels, negative inside; changed in place; a signed distance only near its zero level
     * feature: g, which is 0 at edges and 1 elsewhere. potential: the g whose gradient is in the advection term.
     * *done: number of iterations computed. */
    int (*evolve)(volume *level, const volume *feature, const volume *potential, const front_weights *weights,
                  int *done);
} front_engine;

/* lattice Boltzmann engine: a step moves the front by up to 0.4 voxels, and `level` is a distance within 6 voxels of
 * the front */
extern const front_engine lbm_engine;
extern const front_engine itk_engine;

void itk_engine_threads(int n);
#ifdef __cplusplus
}
#endif
#endif
