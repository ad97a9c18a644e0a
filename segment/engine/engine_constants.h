/* Constants of the narrow band. Form of each comment: "unit: meaning, source; sensitivity"; without a source the value
 * was chosen. Sensitivity: mean shift, in voxels, of the wall of a tube of 4 voxels radius when the constant is raised
 * by a fifth; maximum over three images (SNR 15 with and without openings, SNR 4 with openings). 0: below 1e-4 voxel,
 * or the constant is not used there. */
#ifndef PORTAFLOW_SEGMENT_ENGINE_CONSTANTS_H
#define PORTAFLOW_SEGMENT_ENGINE_CONSTANTS_H
/* clang-format off */

/* used in lbm_engine.c */
static const double CURVATURE_STEP = 0.125;   /* cells^2: time step, stable below 1/6, theory; 0.0018 */
static const double MAX_MOVE = 0.4;           /* cells: largest move of the front in a step, theory; 0.0021 */
/* cells: the core of the band reaches this distance from the front; 4e-4 */
static const float BAND_START = 1.5F;
enum { BAND_LAYERS = 8 };                     /* cells: number of layers added around the core of the band */
/* iterations until the band is rebuilt: few enough that the front stays inside it */
enum { BAND_STEPS = 10 };
enum { DISTANCE_STEPS = 5 };                  /* steps of redistancing after BAND_STEPS iterations */
/* iterations of a typical front; decides whether a GPU is worth its start-up, measured */
enum { TYPICAL_STEPS = 60 };

/* clang-format on */
#endif
