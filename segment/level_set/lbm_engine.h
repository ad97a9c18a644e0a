/* The level-set method's two equations by lattice Boltzmann (lbm/lbm.h), in a narrow band: in place of ITK's filters
 * (itk_levelset.h), on the same grids of cubes, in voxels. */
#ifndef PORTAFLOW_SEGMENT_LBM_ENGINE_H
#define PORTAFLOW_SEGMENT_LBM_ENGINE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/level_set/itk_engine.h"

/* Level lines of the image move by their mean curvature until noise is smoothed along them as by a Gaussian of that
 * variance (voxels^2), where |level| < reach. Errors: ERR_RESOURCE. Alvarez, Lions, Morel 1992. */
MUST_CHECK int lbm_engine_denoise(volume *image, const volume *level, double reach, double variance);

/* Magnitude of the gradient per voxel in an image smoothed by sigma. Errors: ERR_RESOURCE. */
MUST_CHECK int lbm_engine_gradient(const volume *v, double sigma_voxels, volume *out);

/* weights->iterations steps of the geodesic active contour (Caselles, Kimmel, Sapiro 1997), each moving the front by at
 * most 0.4 voxels. level: voxels, negative inside, a distance near the front; in and out. feature: 0 at edges, 1 away
 * from them. potential: feature as the advection's gradient sees it. The level is a distance to 6 voxels from the front
 * when done. Errors: ERR_RESOURCE. */
MUST_CHECK int lbm_engine_evolve(volume *level, const volume *feature, const volume *potential,
                                   const front_weights *weights);
#endif
