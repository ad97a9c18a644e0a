/* The numbers for the ends of a vessel: unit: what it is, where it is from (chosen, unless said). They find ends, and
 * candidates to be looked at; none moves a wall. */
#ifndef PORTAFLOW_SEGMENT_ENDS_CONSTANTS_H
#define PORTAFLOW_SEGMENT_ENDS_CONSTANTS_H
/* clang-format off */

/* caps */
static const double EVEN_PART = 1e-3;         /* edges: of the first triangle: off its plane */
static const double EVEN_BOX = 2e-5;          /* boxes: of the surface: off the plane */
static const double SHARP_COSINE = 0.87;      /* cosine: of the angle at a sharp rim: 30 degrees */
static const double SHARP_PART = 0.9;         /* rim: that is sharp, surfaces */
static const double LEAST_ROUND = 0.35;       /* 4 pi area / perimeter^2 (a circle 1, an ellipse 4:1 0.53), surfaces */
static const double LEAST_CAP = 0.01;         /* area: of the largest cap's */

/* centerline_ends */
static const double NEAR_RADII[2] = {0.7, 1.7}; /* radii: from the tip, of the path near it, phantoms */
static const double DEEP_RADII = 2.5;         /* radii: from the tip, of the path deep inside, phantoms */
static const double DEEP_SLICES = 3;          /* slices: the same, at least, phantoms */
static const double LINE_FROM = 0.2;          /* radii: from the end where the fitted line begins, phantoms */
static const double LINE_RADII = 2.6;         /* radii: of the fitted line, phantoms */
static const double LINE_SLICES = 5;          /* slices: the same, at least, phantoms */
static const double SLICE_SPREAD = 0.003;     /* length2: of a line: a tenth of that of a whole vessel, theory */
static const double VAGUE_PART = 0.4; /* branch: in one slice: its direction is known to some 25 degrees, phantoms */
static const double INSET_RADII = 0.5;        /* radii: of the plane inside the end, phantoms */
static const double INSET_SLICES = 1.5;       /* slices: the same, at least, phantoms */
static const double STEEPEST = 2;             /* slope of an oblique face that is followed */
static const double CORE_RADII = 0.7;         /* radii: round the axis that tell where the vessel ends */
static const double LOOK_RADII = 5;           /* radii: round the end */
static const double CORNER_RADII = 2;         /* radii: between two corners of one flat end, phantoms */
static const double WHOLE_SECTION = 0.93;     /* radius: of that further inside: the section is whole, phantoms */
static const double SECTION_RADII = 1.7;      /* radii: round the axis of a cross-section */
static const double SLAB_SLICES = 2;          /* slices: of the slab it is counted in */
static const double LENGTH_STEP_MM = 3;       /* mm: of a branch that is measured, at least */
static const double BALL_RADII = 3.2;         /* radii: round a tip in which the vessel goes on, phantoms */
static const double BALL_SLICES = 2.5;        /* slices: the same, at least, phantoms */
static const double SHELL_PART = 0.8;         /* radius: of that ball where its shell begins */
static const int SIDE_PLACES = 40;            /* places: of the shell in a side (a tube has some 100), phantoms */
static const double RIDGE_RADII = 2.6;        /* radii: from its middle that no end's section reaches, phantoms */
static const double INSIDE_RADII = 4; /* radii: further inside, where a corner's vessel is no deeper, phantoms */
static const double AS_DEEP = 1.3;            /* radius: there, at most, phantoms */

/* centerline_tree */
static const double COVERED_RADII = 1.5;      /* radii: round a path that it covers, TEASAR */
static const double COVERED_VOXELS = 1.5;     /* voxels: and beyond, TEASAR */
static const double LEAST_BRANCH = 2;         /* radii: of a branch, phantoms */
enum { BRANCHES_MAX = 64 };                   /* branches: of a tree, ENDS_WITHOUT_OPENING_MAX */

/* cross_section_normal */
static const double MOST_APART_MM = 15;       /* mm: from the place to the vessel */
static const double RAY_RADII = 4;            /* radii: of the rays */

/* disconnection */
static const double GAP_MM = 1e4;             /* mm: more than any gap, definition */

/* ends_command */
enum { ENDS_MAX = 80 };                       /* ends: of a vessel, ENDS_WITHOUT_OPENING_MAX */
static const double SURFACE_VOXELS = 3e6;     /* voxels: of a surface's box, speed */
static const double CAP_INSET = 0.5;          /* radii: of an opening inside a cap */
static const double LINE_STEP_MM = 3;         /* mm: between two points of a branch */
static const double ONE_END_RADII = 2.5;      /* radii: between the tree's end and a cap: they are one, surfaces */
static const double LEAST_END_RADIUS = 0.5;   /* radius: of a cap over the vessel's there, surfaces */
static const double ONE_PLACE = 0.5;          /* reach: of a hole within which a flat end is the same */
static const double LEAST_PIECE = 0.05;       /* volume: of the largest piece's: less is no vessel of its own */

/* ends_without_opening */
static const double SAMPLED_PLACES = 3e5;     /* places: of phi that are looked at, speed */
static const double OPENING_RADII = 5;        /* radii: from an opening: an end is its, phantoms */
static const double FLAT_RADII = 25;          /* radii: the same of a flat end, phantoms */
static const double SAC_NECK = 0.6;           /* radius: of a sac's over its own, phantoms */
static const double SAC_RADII = 3;            /* radii: from its tip to its neck, phantoms */

/* label_list */
enum { TREES_MAX = 8 };                       /* labels: without names whose trees are compared, speed */
static const double GLAND_ML = 15;            /* mL: of an adrenal gland, at most, anatomy */

/* vessel_candidates */
static const double CUBE_MM = 1.2;            /* mm: edge of the cubes, speed */
static const double MOST_CUBES = 6e6;         /* cubes: of an image, speed */
static const double STRONG_QUANTILE = 0.99;   /* of the tubeness in the body, images */
static const double TOP_QUANTILE = 0.9999;    /* of it: the strongest, images */
static const double TOP_PART = 0.5;           /* of that above which the body is small, images */
static const double FIRST_LIMIT = 1;          /* of strong tubeness, images */
static const double NEXT_LIMIT = 1.25;        /* times the one before: vessels that touch part at one of them, images */
static const double END_MM = 12;              /* mm: of length for each end: less is no vessel, images */
static const double LEAST_MM = 40;            /* mm: of length, images */
static const double NEAR_MM = 90;             /* mm: from the middle of the body: farther counts less, images */
static const double AIR_OR_FAT_HU = -50;      /* HU: so dark is air or fat, in CT alone, definition */
static const double BRIGHT_HU = 300;          /* HU: enough contrast for any vessel, images */
static const double SOLID_HU = 700;           /* HU: bone without marrow, images */
static const double BONE_SHELL = 0.35;        /* contrasts: brighter shell of bone, images */
static const double EDGE_ONE_SIDED = 0.3;     /* rays: with one near edge: a line along an organ, images */
static const double BONE_WORTH = 0.1;         /* of bone against a vessel */
static const double SPUR_MM = 20;             /* mm: of a branch that noise makes, images */
static const double AS_GOOD = 1.05;           /* length: of two the one of the higher limit has fewer spurs, images */
enum { SCALES = 3 };                          /* of tubeness */
enum { PIECES = 16 };                         /* pieces: above a limit that are looked at, speed */
enum { LIMITS = 8 };                          /* of tubeness, images */
enum { BONE_CUBES = 4 };                      /* cubes: round cortex that tell nothing, images */
enum { MOST_ENDS = 16 };                      /* ends: of a vessel, images */
enum { LEAST_CUBES = 100 };                   /* cubes: of a piece, speed */
static const double FAR_EDGE_MM = 12;         /* mm: to the far edge of a line along an organ, images */
static const double FAR_EDGE = 3;             /* the same over the near edge, images */

/* clang-format on */
#endif
