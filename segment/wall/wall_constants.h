/* The numbers that place a wall between the voxels: unit: what it is, where it is from (chosen, unless said). Last: how
 * far, in voxels, the wall of a tube of 4 voxels in radius moves on the mean when the number is a fifth larger, the
 * most of three images (SNR 15 with and without openings, SNR 4 with them); 0: not by 1e-4 voxel, or they do not come
 * to it. */
#ifndef PORTAFLOW_SEGMENT_WALL_CONSTANTS_H
#define PORTAFLOW_SEGMENT_WALL_CONSTANTS_H
/* clang-format off */

/* gradient_edge */
static const double EDGE_BAND = 3;            /* cells: from the level set in which it moves onto the edge; 0.0042 */
static const double EDGE_MOVE = 1.5;          /* cells: of it in a round, at most; 7e-4 */
static const double MEAN_CURVATURE_STEP = 0.125; /* cells2: time step, stable below 1/6, theory; 0 */
static const double WIDE_KAPPA = 0.15; /* 1/cells: curvature up to which the wider Gaussian serves, phantoms; 0.0023 */
static const double NARROW_KAPPA = 0.22;      /* 1/cells: curvature from which the narrower one is, phantoms; 0.0017 */
static const double WEAK_EDGE = 0.2; /* gradient over the typical one below which nothing moves, phantoms; 0.0019 */
static const double STRONG_EDGE = 0.5;        /* the same: from which all does, phantoms; 0.0027 */

/* half_height_edge */
static const double SAMPLING_VARIANCE = 0.25; /* cells2: of reading between cells and of the smoothing, theory; 5e-4 */
static const double SEEN_SIGMA = 1.5;         /* cells: over which it is evened how far the wall is seen; 3e-4 */

/* noise_shrinkage */
static const float SHRUNK_WIDTHS = 3;         /* resolved: from both walls: where the level changes; 0.0035 */
static const float FULLY_WIDTHS = 1.5F;       /* resolved: the same: where it changes fully; 8e-4 */
static const float WALL_CELLS = 1;            /* cells: from the wall, where its departure is measured; 8e-4 */
static const double USUAL_QUANTILE = 0.75;    /* of the windows' variances: that of noise, phantoms; 0.041 */
static const double WALL_PART = 0.2;          /* of the most wall in a block: one with less tells little; 7e-4 */

/* scanner_model */
enum { FIT_ROUNDS = 3 };                      /* rounds: of the fit */
enum { FEWEST_VOXELS = 200 };                 /* voxels: that a fit needs */
enum { MODEL_ROOM = 4 }; /* voxels: beyond the image, where the working grid repeats its border, working_grid.h */
static const double PASS_VARIANCE = 0.3;      /* cells2: of one pass of a kernel of three, theory; 0 */
static const float FAR_CELLS = 4;             /* cells: from the wall where all is alike; 0 */
static const double LINEAR_VARIANCE = 1.0 / 6; /* cells2: of reading linear between two places, theory; 0.0016 */
static const double CELL_VARIANCE = 1.0 / 12; /* cells2: of a mean over a width, theory; 8e-4 */
static const double COMPARED_VOXELS = 2; /* voxels: from the wall where image and model are compared, phantoms; 7e-4 */
static const double THICK_AXIS = 1.2;         /* voxel's width over the thinnest: its spread is fitted by itself; 0 */
static const double OUTLIER = 2.5;            /* sigmas: beyond which a voxel is left out, usual; 1e-4 */
static const double MOST_SPREAD = 1.5;        /* voxels: standard deviation of a point spread; 0 */
static const double ALIKE_VOXELS = 4;         /* voxels: neighbours that have one error, phantoms; 0 */

/* clang-format on */
#endif
