/* The level set's two equations, each by two engines: lattice Boltzmann in a narrow band (lbm.h) and the filters of
 * ITK. The grids are cubes and everything is in voxels (gradients and curvature per voxel), whatever the geometry of
 * the volumes says. */
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

/* Errors of all functions: ERR_RESOURCE, ERR_INTERNAL. */
typedef struct {
    const char *name;
    /* Level lines of the image move by their mean curvature until noise is smoothed along them as by a Gaussian of that
     * variance (voxels^2), where |level| < reach (Alvarez, Lions, Morel 1992). In place. */
    int (*denoise_band)(volume *image, const volume *level, double reach, double variance);
    /* Modified curvature diffusion of the whole image (Whitaker, Xue 2001): smooths along edges, not across. `steps` of
     * 1/16: like a Gaussian of sqrt(steps / 8) voxels in flat regions. conductance: larger lets more through. In place.
     * NULL: the engine has none. */
    int (*denoise_all)(volume *image, int steps, double conductance);
    /* Magnitude of the gradient of the Gaussian-smoothed image, per voxel. out: created. */
    int (*gradient)(const volume *image, double sigma_voxels, volume *out);
    /* Geodesic active contour (Caselles, Kimmel, Sapiro 1997):
     *   phi_t + propagation g |grad phi| - curvature g kappa |grad phi| + advection grad(-g) . grad phi = 0
     * level: voxels, negative inside, distance-like near its zero; in place, valid near its zero level afterwards.
     * feature: g, 0 at edges, 1 away from them. potential: g as the advection's gradient sees it. *done: iterations. */
    int (*evolve)(volume *level, const volume *feature, const volume *potential, const front_weights *weights,
                  int *done);
} front_engine;

extern const front_engine lbm_engine; /* a step moves the front by 0.4 voxels at most; level: a distance to 6 */
extern const front_engine itk_engine;

void itk_engine_threads(int n);
#ifdef __cplusplus
}
#endif
#endif
