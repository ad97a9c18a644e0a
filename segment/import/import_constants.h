/* The numbers for masks and surfaces that are given: unit: what it is, where it is from (chosen, unless said). */
#ifndef PORTAFLOW_SEGMENT_IMPORT_CONSTANTS_H
#define PORTAFLOW_SEGMENT_IMPORT_CONSTANTS_H
/* clang-format off */

/* given_surface */
static const double MOST_VOXELS = 20e6;       /* voxels: of phi, memory */
static const double VOLUME_AGREES = 0.1;      /* volume: by triangles and by inside that differ: refused */
static const double WRONG_WALL = 1e-3;        /* wall: that is none where a surface crosses itself: refused */
enum { PHI_MARGIN = 6 };                      /* voxels: of phi round the vessel */

/* label_mask */
static const double MASK_SIGMA = 1.3;         /* voxels: of the Gaussian that takes the staircase away, phantoms */
static const double FEEDBACK_SIGMA = 2;       /* voxels: scale at which missing volume is fed back, phantoms */
static const double THICK_RATIO = 1.8;        /* thickness over width of voxels: shapes are interpolated, phantoms */
static const double FINE_VOXELS = 60e6;       /* voxels: of a refined grid, memory */
static const double VOLUME_CLOSE = 1e-3;      /* volume: that may be missing at the end */
static const double FAR_MM = 1e4;             /* mm: more than any distance within a slice, definition */
static const double BEYOND_RADII = 2;         /* radii: beyond the rim of a section in which a vessel ends, phantoms */
static const double RIM_PART = 0.3;           /* radii: of a mirrored distance at that rim, phantoms */
enum { FEEDBACK_ROUNDS = 10 };                /* rounds: of feeding volume back, at most */
enum { MASK_MARGIN = 4 };                     /* voxels: round the mask */

/* clang-format on */
#endif
