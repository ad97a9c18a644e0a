/* Constants of the checks of a lumen. Each line: unit: meaning, source (chosen, unless stated). They refuse, warn, or
 * estimate the uncertainty of the wall; none of them moves it. */
#ifndef PORTAFLOW_SEGMENT_CHECKS_CONSTANTS_H
#define PORTAFLOW_SEGMENT_CHECKS_CONSTANTS_H
/* clang-format off */

/* leak */
static const double MIN_SUPPORT = 0.6;        /* wall: part that follows an edge, below: a leak, phantoms */
static const double MAX_BORDER = 0.35;        /* wall: part on the image border, above: a leak, phantoms */
/* lumen: part with an intensity far from the seeds', above: a leak, phantoms */
static const double MAX_ALIEN = 0.35;
static const double MAX_BEHIND = 0.5;         /* lumen: part behind a neck, above: a leak, phantoms */
/* lumen: part behind a neck, above: the neck is reported as the place of the leak */
static const double PLACE_BEHIND = 0.2;
static const double DOUBTFUL_SUPPORT = 0.9;   /* wall: part that follows an edge, below: a warning, phantoms */
static const double MAX_PATCH = 3.5;          /* radii: of a patch of wall on the border, above: a leak, phantoms */
/* contrasts: smallest step across a wall that follows an edge, phantoms */
static const double SUPPORT_CONTRAST = 0.25;
static const double BLOOD_RADII = 0.7;        /* radii: distance from the seeds within which there is only blood */
/* contrasts: smallest difference between voxels that is evaluated, phantoms */
static const double MIN_ROUGH = 0.05;
static const double BONE_CONTRASTS = 1;       /* contrasts: above blood: plaque, stent or bone, phantoms */
/* radii at the seeds: size of the reported region of a leak */
static const double PLACE_RADII = 3;

/* motion_blur */
enum { BLUR_PLACES = 12000 };                 /* profiles: upper limit over the wall, speed */
enum { BLUR_DIRECTIONS = 60 };                /* directions on half a sphere */
enum { BLUR_SAMPLES = 21 };                   /* samples of a profile */
enum { MIN_PROFILES = 60 };                   /* profiles: smallest number for a direction */
enum { FIRST_OUT = 12 };                      /* first sample outside the wall */
enum { LAST_OUT = 18 };                       /* last sample outside the wall */
static const double BLUR_STEP = 0.5;          /* voxels: between two samples */
static const double BLUR_DEPTH = 4;           /* voxels: depth inside the wall where a profile starts */
static const double FACING = 0.85;            /* cosine: to the wall's normal, above: the wall faces the direction */
static const double MIN_RADIUS = 1.5;         /* voxels: smallest radius of a vessel with a measurable interior */
static const double WIDE_EDGE = 2.2;          /* voxels: edge width on both sides, above: blurred, phantoms */
static const double WIDER_EDGE = 1.6;         /* ratio to the smallest edge width, above: blurred, phantoms */
static const double MAX_ASPECT = 3;           /* slice distance over voxel width, above: not checked, phantoms */
static const double EDGE_TOP = 0.8;           /* contrasts: level where an edge starts, usual */
static const double EDGE_FOOT = 0.2;          /* contrasts: level where an edge ends, usual */

/* neck */
static const double NECK_NARROW = 0.4;        /* radii: on both sides of a neck, upper limit of its radius, phantoms */
/* part of the largest volume behind a neck: necks above this are candidates, and the narrowest is reported */
static const double NECK_ALIKE = 0.9;

/* parallel_vessel */
static const double CORE_PART = 0.6;          /* radii: depth where the core of a vessel starts, phantoms */
/* radii: distance within which a core runs along another core, phantoms */
static const double NEAR_CORE = 2;
static const double MIN_CORE = 0.1;           /* all cores: smallest part in a parallel vessel, phantoms */
static const double MIN_ALONG = 0.5;          /* core: smallest part within that distance, phantoms */

/* roughness */
/* thickest voxels: smallest distance from the wall, whose blur ends there, phantoms */
static const double INSIDE_VOXELS = 1.5;
static const double ROUGHER = 3;              /* ratio to the differences at the seeds, above: bone, phantoms */
enum { BLOCK = 4 };                           /* voxels: edge of a block */
enum { MIN_DIFFERENCES = 12 };                /* differences: smallest number in an evaluated block */

/* wall_uncertainty */
enum { WALL_PLACES = 4000 };                  /* profiles: upper limit over the wall, speed */
enum { MAX_AVERAGED = 100 };                  /* profiles: upper limit averaged against noise */
static const double CLEAR_PROFILE = 6;        /* contrast over noise of an averaged profile */
/* noise over contrast, times this, above 1: the noise moves whole regions of the wall, phantoms */
static const double MOVING_NOISE = 1.5;
/* of the edge width: shift of the wall by neighbouring tissue, phantoms */
static const double BLUR_PART = 0.1;
/* of noise over slope: remaining part after smoothing along the wall, phantoms */
static const double NOISE_PART = 0.2;
static const double MIN_UNCERTAINTY = 0.05;   /* voxels: lower limit of the interval's half-width */
static const double NO_EDGE_VOXELS = 0.5;     /* voxels: uncertainty of wall without an edge */
static const double MASK_VOXELS = 0.35;       /* voxels: difference between two observers (Chiu et al. 2011), paper */
/* voxels^2: variance added by sampling: 1/6 linear interpolation, 1/12 slope, theory */
static const double SAMPLED_VARIANCE = 0.25;
static const double SLOPE_VOXELS = 0.5;       /* voxels: distance from the wall of the points for the slope */
static const double SIDE_VOXELS = 2.5;        /* voxels: distance from the wall of the points for the contrast */

/* clang-format on */
#endif
