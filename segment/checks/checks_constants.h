/* The numbers of the checks of a lumen: unit: what it is, where it is from (chosen, unless said). They refuse or warn,
 * or say how sure the wall is; none moves it. */
#ifndef PORTAFLOW_SEGMENT_CHECKS_CONSTANTS_H
#define PORTAFLOW_SEGMENT_CHECKS_CONSTANTS_H
/* clang-format off */

/* leak */
static const double LEAST_SUPPORT = 0.6;      /* wall: that follows an edge: less is a leak, phantoms */
static const double MOST_BORDER = 0.35;       /* wall: on the image's border: more is a leak, phantoms */
static const double MOST_ALIEN = 0.35; /* lumen: with an intensity far from the seeds': more is a leak, phantoms */
static const double MOST_BEHIND = 0.5;        /* lumen: behind a neck: more is a leak, phantoms */
static const double PLACE_BEHIND = 0.2;       /* lumen: behind a neck: the leak's place is the neck */
static const double DOUBTFUL_SUPPORT = 0.9;   /* wall: that follows an edge: less is warned of, phantoms */
static const double WIDEST_PATCH = 3.5;       /* radii: of a patch of wall on the border: a leak, phantoms */
static const double SUPPORT_CONTRAST = 0.25;  /* contrasts: across a wall that follows an edge, phantoms */
static const double BLOOD_RADII = 0.7;        /* radii: round the seeds: surely blood */
static const double LEAST_ROUGH = 0.05;       /* contrasts: from voxel to voxel: less tells nothing, phantoms */
static const double BONE_CONTRASTS = 1;       /* contrasts: above blood: plaque, a stent, bone, phantoms */
static const double PLACE_RADII = 3;          /* radii: at the seeds to which a leak's place is narrowed down */

/* motion_blur */
enum { BLUR_PLACES = 12000 };                 /* places: on the wall, speed */
enum { BLUR_DIRECTIONS = 60 };                /* on half a sphere */
enum { BLUR_SAMPLES = 21 };                   /* samples: of a profile, BLUR_DEPTH */
enum { LEAST_PLACES = 60 };                   /* places: that face a direction, at least */
enum { FIRST_OUT = 12 };                      /* samples: where the outside begins, BLUR_STEP */
enum { LAST_OUT = 18 };                       /* samples: where it ends, BLUR_STEP */
static const double BLUR_STEP = 0.5;          /* voxels: between two samples */
static const double BLUR_DEPTH = 4;           /* voxels: inside the wall where samples begin */
static const double FACING = 0.85;            /* cosine: to the wall's normal of a direction that it faces */
static const double LEAST_DEPTH = 1.5;        /* voxels: of a vessel with an inside */
static const double WIDE_EDGE = 2.2;          /* voxels: of an edge to both sides: smeared, phantoms */
static const double WIDER_EDGE = 1.6;         /* over the narrowest edge: smeared, phantoms */
static const double MOST_SLICES = 3;          /* thickness over width of voxels: not looked for above, phantoms */
static const double EDGE_TOP = 0.8;           /* contrasts: where an edge begins, usual */
static const double EDGE_FOOT = 0.2;          /* contrasts: where it ends, usual */

/* neck */
static const double NECK_NARROW = 0.4;        /* radii: on both sides of a neck, phantoms */
static const double NECK_ALIKE = 0.9;         /* of what the best neck cuts off: the narrowest of these is the place */

/* parallel_vessel */
static const double CORE_PART = 0.6;          /* radii: deeper than that lies a vessel's core, phantoms */
static const double NEAR_CORE = 2;            /* radii: within which a core lies along another, phantoms */
static const double LEAST_CORE = 0.1;         /* cores: of all that such a vessel holds, at least, phantoms */
static const double LEAST_ALONG = 0.5;        /* core: of it that lies so near, phantoms */

/* roughness */
static const double INSIDE_VOXELS = 1.5; /* voxels: from the wall, of the thickest: less is blurred by it, phantoms */
static const double ROUGHER = 3;              /* differences over those at the seeds: bone, phantoms */
enum { BLOCK = 4 };                           /* voxels: edge of a block */
enum { LEAST_DIFFERENCES = 12 };              /* in a block that tells */

/* wall_uncertainty */
enum { WALL_PLACES = 4000 };                  /* places: on the wall, speed */
enum { MOST_TOGETHER = 100 };                 /* profiles: averaged in noise */
static const double CLEAR_PROFILE = 6;        /* contrast over noise of an averaged profile */
static const double LOST_WALL = 1.5;          /* noise over contrast: from there whole places move, phantoms */
static const double BLUR_PART = 0.1;          /* of the edge's width: how far neighbours move a wall, phantoms */
static const double NOISE_PART = 0.2;         /* of noise over slope that smoothing along the wall leaves, phantoms */
static const double LEAST_UNCERTAINTY = 0.05; /* voxels: half-width of the interval, at least */
static const double NO_EDGE_VOXELS = 0.5;     /* voxels: of wall without an edge */
static const double MASK_VOXELS = 0.35;       /* voxels: two people's walls apart (Chiu et al. 2011), paper */
static const double SAMPLED_VARIANCE = 0.25;  /* voxels2: that sampling adds: 1/6 linear, 1/12 slope, theory */
static const double SLOPE_VOXELS = 0.5;       /* voxels: from the wall, between which the slope is taken */
static const double SIDE_VOXELS = 2.5;        /* voxels: from the wall, where its sides are */

/* clang-format on */
#endif
