/* Constants for supplied masks and surfaces. Each line: unit: meaning, source (chosen, unless stated). */
#ifndef PORTAFLOW_SEGMENT_IMPORT_CONSTANTS_H
#define PORTAFLOW_SEGMENT_IMPORT_CONSTANTS_H
/* clang-format off */

/* given_surface */
static const double MAX_VOXELS = 20e6;        /* voxels of phi: upper limit, memory */
/* volume: difference of triangles and signed distance, above: refused */
static const double MAX_VOLUME_DIFFERENCE = 0.1;
/* wall: part that is not wall where a surface crosses itself, above: refused */
static const double MAX_WRONG_WALL = 1e-3;
enum { PHI_MARGIN = 6 };                      /* voxels: margin of phi round the vessel */

/* label_mask */
static const double MASK_SIGMA = 1.3;         /* voxels: Gaussian that removes the staircase, phantoms */
static const double CORRECTION_SIGMA = 2;     /* voxels: scale of the volume correction, phantoms */
/* voxel thickness over width, from here: shape-based interpolation, phantoms */
static const double THICK_RATIO = 1.8;
static const double FINE_VOXELS = 60e6;       /* voxels of a refined grid: upper limit, memory */
static const double VOLUME_TOLERANCE = 1e-3;  /* volume: tolerance of the correction */
static const double FAR_MM = 1e4;             /* mm: larger than any distance within a slice, definition */
/* radii: reach beyond the rim of the last section of a vessel, phantoms */
static const double BEYOND_RADII = 2;
static const double RIM_PART = 0.3;           /* radii: smallest mirrored distance at that rim, phantoms */
static const double LEAST_VESSEL = 0.02;      /* volume of the surface: a smaller touching part is no vessel */
enum { CORRECTION_ROUNDS = 10 };              /* rounds of the volume correction: upper limit */
enum { MASK_MARGIN = 4 };                     /* voxels: margin round the mask */

/* clang-format on */
#endif
