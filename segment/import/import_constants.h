/* Constants for supplied masks and surfaces. Each line: unit: meaning, source (chosen, unless stated). */
#ifndef PORTAFLOW_SEGMENT_IMPORT_CONSTANTS_H
#define PORTAFLOW_SEGMENT_IMPORT_CONSTANTS_H
/* clang-format off */

/* given_surface */
static const double MAX_VOXELS = 20e6;        /* voxels of phi: upper limit, memory */
/* part of the volume by which triangles and signed distance may differ; above: refused */
static const double MAX_VOLUME_DIFFERENCE = 0.1;
/* part of the surface that may not be wall where the surface crosses itself; above: refused */
static const double MAX_WRONG_WALL = 1e-3;
enum { PHI_MARGIN = 6 };                      /* voxels: margin of phi round the vessel */

/* label_mask */
/* voxels: standard deviation of the Gaussian that removes the staircase, phantoms */
static const double MASK_SIGMA = 1.3;
/* voxels: standard deviation of the Gaussian of the volume correction, phantoms */
static const double CORRECTION_SIGMA = 2;
/* voxel thickness over width: shape-based interpolation from here on, phantoms */
static const double THICK_RATIO = 1.8;
static const double FINE_VOXELS = 60e6;       /* voxels of a refined grid: upper limit, memory */
static const double VOLUME_TOLERANCE = 1e-3;  /* part of the volume: the correction ends below this difference */
static const double FAR_MM = 1e4;             /* mm: larger than any distance within a slice, definition */
/* radii of a vessel's last section, from its middle: reach of mirrored distances, phantoms */
static const double BEYOND_RADII = 2;
static const double RIM_PART = 0.3;           /* radii: smallest mirrored distance at that rim, phantoms */
static const double LEAST_VESSEL = 0.02;      /* volume of the surface: a smaller touching part is no vessel */
enum { CORRECTION_ROUNDS = 10 };              /* rounds of the volume correction: upper limit */
enum { MASK_MARGIN = 4 };                     /* voxels: margin round the mask */

/* clang-format on */
#endif
