/* Constants that place the wall between the voxels. Form of each comment: "unit: meaning, source; sensitivity"; without
 * a source the value was chosen. Sensitivity: mean shift, in voxels, of the wall of a tube of 4 voxels radius when the
 * constant is raised by a fifth; maximum over three images (SNR 15 with and without openings, SNR 4 with openings). 0:
 * below 1e-4 voxel, or the constant is not used there. */
#ifndef PORTAFLOW_SEGMENT_WALL_CONSTANTS_H
#define PORTAFLOW_SEGMENT_WALL_CONSTANTS_H
/* clang-format off */

/* used in gradient_edge.c */
/* cells: distance from the level set within which it moves onto the edge; 0.0042 */
static const double EDGE_BAND = 3;
static const double EDGE_MOVE = 1.5;          /* cells: largest move in a round; 7e-4 */
static const double MEAN_CURVATURE_STEP = 0.125; /* cells^2: time step, stable below 1/6, theory; 0 */
/* 1/cells: largest curvature for the wider Gaussian alone, phantoms; 0.0023 */
static const double WIDE_KAPPA = 0.15;
/* 1/cells: curvature above which only the narrower Gaussian is used, phantoms; 0.0017 */
static const double NARROW_KAPPA = 0.22;
/* parts of the typical gradient: the level does not move below this, phantoms; 0.0019 */
static const double WEAK_EDGE = 0.2;
/* parts of the typical gradient: the level moves fully above this, phantoms; 0.0027 */
static const double STRONG_EDGE = 0.5;

/* used in half_height_edge.c */
static const double SAMPLING_VARIANCE = 0.25; /* cells^2: variance added by interpolation and smoothing, theory; 5e-4 */
/* cells: standard deviation of the Gaussian that averages the visibility of the wall; 3e-4 */
static const double SEEN_SIGMA = 1.5;

/* used in noise_shrinkage.c */
/* resolved widths: distance from both walls within which the level changes; 0.0035 */
static const float SHRUNK_WIDTHS = 3;
/* resolved widths: distance from both walls within which the level changes fully; 8e-4 */
static const float FULLY_WIDTHS = 1.5F;
/* cells: distance from the wall within which the wall's deviation is measured; 8e-4 */
static const float WALL_CELLS = 1;
/* quantile of the windows' variances that is used as noise, phantoms; 0.041 */
static const double USUAL_QUANTILE = 0.75;
/* parts of the largest wall area of a block: blocks with less wall are ignored; 7e-4 */
static const double WALL_PART = 0.2;

/* used in scanner_model.c */
enum { FIT_ROUNDS = 3 };                      /* rounds of the fit */
enum { MIN_VOXELS = 200 };                    /* voxels: smallest number for a fit */
/* voxels: margin of the working grid that is not compared, since it may repeat the image border (working_grid.h) */
enum { MODEL_ROOM = 4 };
/* cells^2: largest variance of one pass of a three-point kernel, theory; 0 */
static const double PASS_VARIANCE = 0.3;
static const float FAR_CELLS = 4;             /* cells: distance from the wall where the level is clipped; 0 */
static const double LINEAR_VARIANCE = 1.0 / 6; /* cells^2: variance of linear interpolation, theory; 0.0016 */
static const double CELL_VARIANCE = 1.0 / 12; /* cells^2: variance of a mean over a cell, theory; 8e-4 */
/* voxels: distance from the wall within which image and model are compared, phantoms; 7e-4 */
static const double COMPARED_VOXELS = 2;
/* voxel width over the smallest width: above this, the point spread of this axis is fitted separately; 0 */
static const double THICK_AXIS = 1.2;
/* standard deviations: residual above which a voxel is excluded, usual; 1e-4 */
static const double OUTLIER = 2.5;
static const double MAX_SPREAD = 1.5;         /* voxels: upper limit of the standard deviation of a point spread; 0 */
/* voxels: this many neighbours have correlated residuals and count as one in the standard error, phantoms; 0 */
static const double ALIKE_VOXELS = 4;

/* clang-format on */
#endif
