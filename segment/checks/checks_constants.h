/* Constants of the checks of a lumen. Each line: unit: meaning, source (chosen, unless stated). They refuse, warn, or
 * estimate the uncertainty of the wall; none of them moves it. */
#ifndef PORTAFLOW_SEGMENT_CHECKS_CONSTANTS_H
#define PORTAFLOW_SEGMENT_CHECKS_CONSTANTS_H
/* clang-format off */

/* leak */
static const double MIN_SUPPORT = 0.6;        /* part of the wall that follows an edge: a leak below this, phantoms */
static const double MAX_BORDER = 0.35;        /* part of the wall on the image border: a leak above this, phantoms */
/* part of the lumen with an intensity far from the seeds': a leak above this, phantoms */
static const double MAX_ALIEN = 0.35;
static const double MAX_BEHIND = 0.5;         /* part of the lumen behind a neck: a leak above this, phantoms */
/* part of the lumen behind a neck: above this the neck is reported as the place of the leak */
static const double PLACE_BEHIND = 0.2;
/* part of the wall that follows an edge: a warning below this, phantoms */
static const double DOUBTFUL_SUPPORT = 0.9;
/* radii: radius of a patch of wall on the border: a leak above this, phantoms */
static const double MAX_PATCH = 3.5;
/* contrasts: smallest step across a wall that follows an edge, phantoms */
static const double SUPPORT_CONTRAST = 0.25;
static const double BLOOD_RADII = 0.7;        /* radii: distance from the seeds within which there is only blood */
/* contrasts: smallest difference between voxels that is evaluated, phantoms */
static const double MIN_ROUGH = 0.05;
/* contrasts above blood outside the wall: above this, plaque, a stent or bone is an edge, phantoms */
static const double BONE_CONTRASTS = 1;
/* radii at the seeds: radius of the reported region of a leak */
static const double PLACE_RADII = 3;

/* motion_blur */
enum { BLUR_PLACES = 12000 };                 /* profiles: upper limit over the wall, speed */
enum { BLUR_DIRECTIONS = 60 };                /* directions on half a sphere */
enum { BLUR_SAMPLES = 21 };                   /* samples of a profile */
enum { MIN_PROFILES = 60 };                   /* profiles: smallest number for a direction */
enum { FIRST_OUT = 12 };                      /* first sample outside the wall */
enum { LAST_OUT = 18 };                       /* last sample outside the wall */
static const double BLUR_STEP = 0.5;          /* voxels: distance between two samples */
static const double BLUR_DEPTH = 4;           /* voxels: depth inside the wall where a profile starts */
/* cosine between a direction and the wall's normal: the wall faces the direction above this */
static const double FACING = 0.85;
static const double MIN_RADIUS = 1.5;         /* voxels: smallest radius of a vessel with a measurable interior */
static const double WIDE_EDGE = 2.2;          /* voxels: edge width on both sides: blurred above this, phantoms */
static const double WIDER_EDGE = 1.6;         /* ratio of an edge width to the smallest: blurred above this, phantoms */
static const double MAX_ASPECT = 3;           /* slice distance over voxel width: not checked above this, phantoms */
static const double EDGE_TOP = 0.8;           /* contrasts: level where an edge starts, usual */
static const double EDGE_FOOT = 0.2;          /* contrasts: level where an edge ends, usual */

/* neck */
/* radii of the lumen on both sides of a neck: upper limit of the neck's radius, phantoms */
static const double NECK_NARROW = 0.4;
/* part of the largest volume behind a neck: necks above this are candidates, and the narrowest is reported */
static const double NECK_ALIKE = 0.9;

/* parallel_vessel */
static const double CORE_PART = 0.6;          /* radii: depth where the core of a vessel starts, phantoms */
/* radii: distance within which a core runs along another core, phantoms */
static const double NEAR_CORE = 2;
static const double MIN_CORE = 0.1;           /* part of all cores: lower limit of a parallel vessel, phantoms */
/* part of a core within NEAR_CORE: lower limit of a parallel vessel, phantoms */
static const double MIN_ALONG = 0.5;

/* roughness */
/* thickest voxel widths: distance from the wall up to which the wall's blur reaches; evaluated beyond, phantoms */
static const double INSIDE_VOXELS = 1.5;
static const double ROUGHER = 3;              /* ratio to the differences at the seeds: bone above this, phantoms */
enum { BLOCK = 4 };                           /* voxels: edge of a block */
enum { MIN_DIFFERENCES = 12 };                /* differences: smallest number in an evaluated block */

/* wall_uncertainty */
enum { WALL_PLACES = 4000 };                  /* profiles: upper limit over the wall, speed */
enum { MAX_AVERAGED = 100 };                  /* profiles averaged against noise: upper limit */
static const double CLEAR_PROFILE = 6;        /* contrast over noise that an averaged profile must reach */
/* noise moves whole regions of the wall if noise over contrast times this exceeds 1, phantoms */
static const double MOVING_NOISE = 1.5;
/* part of the edge width by which neighbouring tissue shifts the wall, phantoms */
static const double BLUR_PART = 0.1;
/* part of noise over slope that remains after smoothing along the wall, phantoms */
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
