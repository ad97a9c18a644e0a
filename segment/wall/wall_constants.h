/* The numbers that place a wall between the voxels: unit: what it is, where it is from. Last: how far the mean wall of two
 * noisy phantoms (a tube of 8 voxels, with and without openings) moves when the number is a fifth larger, in voxels; 0:
 * these do not come to it or need no more of it. */
#ifndef PORTAFLOW_SEGMENT_WALL_CONSTANTS_H
#define PORTAFLOW_SEGMENT_WALL_CONSTANTS_H
/* clang-format off */

/* gradient_edge */
static const double EDGE_BAND = 3;            /* cells: from the level set in which it moves onto the edge, chosen */
static const double EDGE_MOVE = 1.5;          /* cells: of it in a round, at most, chosen */
static const double MEAN_CURVATURE_STEP = 0.125; /* cells2: time step, stable below 1/6, theory */
static const double WIDE_KAPPA = 0.15;        /* 1/cells: curvature up to which the wider Gaussian is taken, phantoms */
static const double NARROW_KAPPA = 0.22;      /* 1/cells: curvature from which the narrower one is, phantoms */
static const double WEAK_EDGE = 0.2;          /* gradient over the typical one below which nothing moves, phantoms */
static const double STRONG_EDGE = 0.5;        /* the same: from which all does, phantoms */

/* half_height_edge */
static const double SAMPLING_VARIANCE = 0.25; /* cells2: of reading between voxels and of the smoothed level, theory */
static const double SEEN_SIGMA = 1.5;         /* cells: over which it is evened how far the wall is seen, chosen */

/* noise_shrinkage */
static const float SHRUNK_WIDTHS = 3;         /* resolved: from both walls: where the level changes, chosen */
static const float FULLY_WIDTHS = 1.5F;       /* resolved: the same: where it changes fully, chosen */
static const float WALL_CELLS = 1;            /* cells: from the wall, where its departure is measured, chosen */
static const double USUAL_QUANTILE = 0.75;    /* of the windows' variances: that of noise, phantoms */
static const double WALL_PART = 0.2;          /* of the most wall in a block: one with less tells little, chosen */

/* scanner_model */
enum { FIT_ROUNDS = 3 };                      /* rounds: of the fit, chosen */
enum { FEWEST_VOXELS = 200 };                 /* voxels: that a fit needs, chosen */
enum { MODEL_ROOM = 4 }; /* voxels: beyond the image, where the working grid repeats its border, working_grid.h */
static const double PASS_VARIANCE = 0.3;      /* cells2: of one pass of a kernel of three, theory */
static const float FAR_CELLS = 4;             /* cells: from the wall where all is alike, chosen */
static const double LINEAR_VARIANCE = 1.0 / 6; /* cells2: of reading linear between two places, theory */
static const double CELL_VARIANCE = 1.0 / 12; /* cells2: of a mean over a width, theory */
static const double COMPARED_VOXELS = 2;      /* voxels: from the wall where image and model are compared, phantoms */
static const double THICK_AXIS = 1.2; /* voxel's width over the thinnest: its spread is fitted by itself, chosen */
static const double OUTLIER = 2.5;            /* sigmas: beyond which a voxel is left out, usual */
static const double MOST_SPREAD = 1.5;        /* voxels: standard deviation of a point spread, chosen */
static const double ALIKE_VOXELS = 4;         /* voxels: neighbours that have one error, phantoms */

/* clang-format on */
#endif
