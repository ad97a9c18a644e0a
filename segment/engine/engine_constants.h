/* The numbers of the narrow band: unit: what it is, where it is from (chosen, unless said). Last: how far, in voxels,
 * the wall of a tube of 4 voxels in radius moves on the mean when the number is a fifth larger, the most of three
 * images (SNR 15 with and without openings, SNR 4 with them); 0: not by 1e-4 voxel, or they do not come to it. */
#ifndef PORTAFLOW_SEGMENT_ENGINE_CONSTANTS_H
#define PORTAFLOW_SEGMENT_ENGINE_CONSTANTS_H
/* clang-format off */

/* lbm_engine */
static const double CURVATURE_STEP = 0.125;   /* cells2: time step, stable below 1/6, theory; 0.0018 */
static const double MOST_MOVE = 0.4;          /* cells: of the front in a step, theory; 0.0021 */
static const float BAND_START = 1.5F;         /* cells: from the front where its band starts; 4e-4 */
enum { BAND_LAYERS = 8 };                     /* cells: of the band beyond that */
enum { BAND_STEPS = 10 }; /* iterations: between two bands: the front stays within its own, MOST_MOVE */
enum { DISTANCE_STEPS = 5 };                  /* steps: towards a distance after them */
enum { USUAL_STEPS = 60 }; /* iterations: until a front rests: whether a GPU is worth its start, measured */

/* clang-format on */
#endif
