/* Constants for the ends of a vessel. Each line: unit: meaning, source (chosen, unless stated). They affect ends and
 * proposed vessels; none of them moves a wall. */
#ifndef PORTAFLOW_SEGMENT_ENDS_CONSTANTS_H
#define PORTAFLOW_SEGMENT_ENDS_CONSTANTS_H
#include <math.h>
/* clang-format off */

/* flat_ends */
static const double EVEN_PART = 1e-3;         /* square roots of the first triangle's area: tolerance of its plane */
static const double EVEN_BOX = 2e-5;          /* diagonals of the surface's box: tolerance of the plane */
static const double SHARP_COSINE = 0.87;      /* cosine: of the angle at a sharp rim, 30 degrees */
static const double SHARP_PART = 0.9;         /* rim: smallest sharp part, surfaces */
/* 4 pi area / perimeter^2: lower limit (circle 1, ellipse 4:1 0.53), surfaces */
static const double LEAST_ROUND = 0.35;
static const double LEAST_CAP = 0.01;         /* area of the largest cap: a smaller uncertain cap is ignored */
static const double LEAST_BEND = M_PI / 3;    /* radians: mean bend at the rim of a certain end; a cap has 90 degrees */
static const double LEAST_DEPTH = 0.75;       /* widths: length of the vessel behind a certain end; a cube has 0.7 */
static const double BEHIND_NEAR = 0.02;       /* reaches: behind an end, first cross-section */
static const double BEHIND_FAR = 0.2;         /* reaches: behind an end, second cross-section */
static const double SAME_WIDTH = 1.25;        /* ratio: limit of the widths of the two cross-sections */
enum { BLOCKY_PATCHES = 50 };                 /* patches: more in three directions are faces of voxels */
static const double PARALLEL = 0.01;          /* cosine: tolerance of the three directions */

/* centerline_ends */
/* radii: smallest and largest distance from the tip of the part of the path that gives the point near the tip,
 * phantoms */
static const double NEAR_RADII[2] = {0.7, 1.7};
static const double DEEP_RADII = 2.5;         /* radii: distance from the tip of the path point deep inside, phantoms */
static const double DEEP_SLICES = 3;          /* slices: lower limit of DEEP_RADII, phantoms */
/* radii: distance from the end to the start of the fitted line, phantoms */
static const double LINE_FROM = 0.2;
static const double LINE_RADII = 2.6;         /* radii: length of the fitted line, phantoms */
static const double LINE_SLICES = 5;          /* slices: lower limit of LINE_RADII, phantoms */
/* length^2: lower limit of the voxels' variance along the line, a tenth of a complete vessel's variance, theory */
static const double SLICE_SPREAD = 0.003;
/* lengths of the branch: slices thicker than this make its direction unreliable (error about 25 degrees), phantoms */
static const double VAGUE_PART = 0.4;
static const double INSET_RADII = 0.5;        /* radii: inset of the plane from the end, phantoms */
static const double INSET_SLICES = 1.5;       /* slices: lower limit of INSET_RADII, phantoms */
static const double STEEPEST = 2;             /* slope: largest slope of an oblique image face that is followed */
/* radii: largest distance from the axis of the voxels that define the end */
static const double CORE_RADII = 0.7;
static const double SEARCH_RADII = 5;         /* radii: search range round the end */
/* radii: largest distance between two corners of one flat end, phantoms */
static const double CORNER_RADII = 2;
/* radii of the cross-section farther inside: a larger cross-section is complete, phantoms */
static const double WHOLE_SECTION = 0.93;
static const double SECTION_RADII = 1.7;      /* radii: extent of a cross-section from the axis */
static const double SLAB_SLICES = 2;          /* slices: thickness of the slab of a cross-section measurement */
static const double LENGTH_STEP_MM = 3;       /* mm: smallest step of the length measurement */
/* radii: radius of the ball round a tip in which a continuing vessel is searched, phantoms */
static const double BALL_RADII = 3.2;
static const double BALL_SLICES = 2.5;        /* slices: lower limit of BALL_RADII, phantoms */
static const double SHELL_PART = 0.8;         /* ball radii: inner radius of the ball's shell */
/* grid points in the shell: lower limit of a side where the vessel continues (a tube has about 100), phantoms */
static const int SIDE_PLACES = 40;
/* radii: largest extent of a true end's cross-section from its middle, phantoms */
static const double RIDGE_RADII = 2.6;
/* radii: distance inside a corner where the depth is checked, phantoms */
static const double INSIDE_RADII = 4;
static const double CORNER_DEPTH = 1.3;       /* radii: largest depth at INSIDE_RADII for a corner, phantoms */

/* centerline_tree */
/* radii: distance from a path up to which voxels count as covered, TEASAR */
static const double COVERED_RADII = 1.5;
static const double COVERED_VOXELS = 1.5;     /* voxels: added to COVERED_RADII, TEASAR */
static const double LEAST_BRANCH = 2;         /* radii: smallest length of a branch, phantoms */
enum { BRANCHES_MAX = 64 };                   /* branches: upper limit; ENDS_WITHOUT_OPENING_MAX is larger by 2 */

/* cross_section_normal */
static const double MOST_APART_MM = 15;       /* mm: largest distance of the vessel from the given point */
static const double RAY_RADII = 4;            /* radii: length of the rays */

/* disconnection */
static const double GAP_MM = 1e4;             /* mm: larger than any gap, definition */

/* ends_command */
enum { ENDS_MAX = 80 };                       /* ends of a vessel: upper limit, above ENDS_WITHOUT_OPENING_MAX */
static const double SURFACE_VOXELS = 3e6;     /* voxels of the grid in a surface's box, speed */
static const double CAP_INSET = 0.5;          /* radii: inset of an opening from its cap */
static const double LINE_STEP_MM = 3;         /* mm: distance between two points of a branch */
/* radii: a tree's end and a cap closer than this are the same end, surfaces */
static const double ONE_END_RADII = 2.5;
static const double LEAST_END_RADIUS = 0.5;   /* radius of the vessel: smallest radius of a cap there, surfaces */
static const double SOLID_AREA = 1.3;         /* ratio: limit of the areas of a named solid and of its flat end */
static const double HOLLOW_PART = 0.15;       /* volume of a piece: a larger cavity makes it a hollow wall */
static const double HOLLOW_LENGTH = 0.7;      /* length of a piece: the same, length of the cavity */
static const double ONE_PLACE = 0.5;          /* reach of a hole: a flat end within this distance is the same */
static const double LEAST_PIECE = 0.05;       /* volume of the largest piece: a smaller piece is not listed */

/* ends_without_opening */
static const double SAMPLED_PLACES = 3e5;     /* samples of phi: upper limit, speed */
/* radii: an end within this distance of an opening belongs to it, phantoms */
static const double OPENING_RADII = 5;
/* radii: an end of a flat vessel within this distance of an opening belongs to it, phantoms */
static const double FLAT_RADII = 25;
static const double SAC_NECK = 0.6;           /* radii of a sac: upper limit of its neck's radius, phantoms */
/* radii of a sac: upper limit of the path from its tip to its neck, phantoms */
static const double SAC_RADII = 3;

/* label_list */
/* labels: upper limit for comparing unnamed labels by their trees, speed */
enum { TREES_MAX = 8 };
static const double GLAND_ML = 15;            /* mL: upper limit of an adrenal gland, anatomy */

/* vessel_candidates */
static const double CUBE_MM = 1.2;            /* mm: edge of the resampled cubes, speed */
static const double MOST_CUBES = 6e6;         /* cubes: upper limit per image, speed */
static const double STRONG_QUANTILE = 0.99;   /* quantile of tubeness in the body that is called strong, images */
static const double TOP_QUANTILE = 0.9999;    /* quantile of tubeness in the body that is called strongest, images */
/* part of the strongest tubeness: strong tubeness above this means a small field of view, images */
static const double TOP_PART = 0.5;
static const double FIRST_LIMIT = 1;          /* multiple of the strong tubeness: lowest limit of a piece, images */
/* ratio of successive limits: touching vessels separate at one of the limits, images */
static const double NEXT_LIMIT = 1.25;
static const double END_MM = 12;              /* mm: smallest length of a candidate per end, images */
static const double LEAST_MM = 40;            /* mm: smallest length of a candidate, images */
/* mm: distance from the middle of the body that halves the score, images */
static const double NEAR_MM = 90;
static const double AIR_OR_FAT_HU = -50;      /* HU: darkest voxels below this value: the image is a CT, definition */
/* HU: brighter values are clipped to this, enough for any vessel, images */
static const double BRIGHT_HU = 300;
static const double SOLID_HU = 700;           /* HU: a candidate above this is bone without marrow, images */
/* contrasts: a candidate whose shell is brighter by this is bone, images */
static const double BONE_SHELL = 0.35;
/* part of one-sided rays: a candidate above this is a line along the edge of an organ, images */
static const double EDGE_ONE_SIDED = 0.3;
static const double BONE_SCORE = 0.1;         /* score of bone relative to a vessel */
static const double SPUR_MM = 20;             /* mm: a shorter branch is noise, images */
/* score: tolerance that prefers the higher limit, which has fewer spurs, images */
static const double SCORE_TOLERANCE = 1.05;
enum { SCALES = 3 };                          /* number of radii at which tubeness is computed */
enum { PIECES = 16 };                         /* pieces scored per limit: upper limit, speed */
enum { LIMITS = 8 };                          /* number of limits of tubeness, images */
/* cubes: width of the rim around cortical bone that is excluded from the statistics, images */
enum { BONE_CUBES = 4 };
enum { MOST_ENDS = 16 };                      /* ends: upper limit of a vessel, images */
enum { LEAST_CUBES = 100 };                   /* cubes: smallest piece, speed */
static const double FAR_EDGE_MM = 12;         /* mm: smallest distance of the far edge for a one-sided ray, images */
/* distances of the near edge: smallest distance of the far edge for a one-sided ray, images */
static const double FAR_EDGE = 3;

/* clang-format on */
#endif
