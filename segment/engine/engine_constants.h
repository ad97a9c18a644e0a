/* The numbers of the narrow band: unit: what it is, where it is from. Last: how far the mean wall of two
 * noisy phantoms (a tube of 8 voxels, with and without openings) moves when the number is a fifth larger, in voxels; 0:
 * these do not come to it or need no more of it. */
#ifndef PORTAFLOW_SEGMENT_ENGINE_CONSTANTS_H
#define PORTAFLOW_SEGMENT_ENGINE_CONSTANTS_H
/* clang-format off */

/* lbm_engine */
static const double CURVATURE_STEP = 0.125;   /* cells2: time step, stable below 1/6, theory */
static const double MOST_MOVE = 0.4;          /* cells: of the front in a step, theory */
static const float BAND_START = 1.5F;         /* cells: from the front where its band starts, chosen */
enum { BAND_LAYERS = 8 };                     /* cells: of the band beyond that, chosen */
enum { BAND_STEPS = 10 }; /* iterations: between two bands: the front stays within its own, MOST_MOVE */
enum { DISTANCE_STEPS = 5 };                  /* steps: towards a distance after them, chosen */
enum { USUAL_STEPS = 60 }; /* iterations: until a front rests: whether a GPU is worth its start, measured */

/* clang-format on */
#endif
