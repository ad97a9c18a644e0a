/* Constants of the checks of a lumen. Form of each comment: "unit: meaning, source"; without a source the value was
 * chosen. The checks refuse a lumen, warn, or estimate the uncertainty of the wall; no check moves the wall. */
#ifndef PORTAFLOW_SEGMENT_CHECKS_CONSTANTS_H
#define PORTAFLOW_SEGMENT_CHECKS_CONSTANTS_H
/* clang-format off */

/* used in leak.c */
/* part of the wall that follows an edge: below this the lumen is a leak, phantoms */
static const double MIN_SUPPORT = 0.6;
/* part of the wall on the image border: above this the lumen is a leak, phantoms */
static const double MAX_BORDER = 0.35;
/* part of the lumen with an intensity far from the seeds' intensities: above this the lumen is a leak, phantoms */
static const double MAX_ALIEN = 0.35;
/* part of the lumen behind a neck: above this the lumen is a leak, phantoms */
static const double MAX_BEHIND = 0.5;
/* part of the lumen behind a neck: above this the neck is reported as the place of the leak */
static const double PLACE_BEHIND = 0.2;
/* part of the wall that follows an edge: below this segment warns, phantoms */
static const double DOUBTFUL_SUPPORT = 0.9;
/* radii: radius of a patch of wall on the image border; above this the lumen is a leak, phantoms */
static const double MAX_PATCH = 3.5;
/* contrasts: smallest step of intensity across a wall that counts as an edge, phantoms */
static const double SUPPORT_CONTRAST = 0.25;
static const double BLOOD_RADII = 0.7;        /* radii: distance from the seeds within which there is only blood */
/* contrasts: smaller differences between neighbouring voxels never count as rough, phantoms */
static const double MIN_ROUGH = 0.05;
/* contrasts: tissue outside the wall that is brighter than blood by this is plaque, a stent or bone and counts as an
 * edge, phantoms */
static const double BONE_CONTRASTS = 1;
/* radii at the seeds: radius of the reported region of a leak */
static const double PLACE_RADII = 3;

/* used in motion_blur.c */
enum { BLUR_PLACES = 12000 };                 /* profiles: upper limit of their number over the wall, speed */
enum { BLUR_DIRECTIONS = 60 };                /* directions of motion that are tested, on half a sphere */
enum { BLUR_SAMPLES = 21 };                   /* number of samples of a profile */
enum { MIN_PROFILES = 60 };                   /* profiles: smallest number that gives the edge width of a direction */
enum { FIRST_OUT = 12 };                      /* index of the first sample that gives the intensity outside */
enum { LAST_OUT = 18 };                       /* index of the last sample that gives the intensity outside */
static const double BLUR_STEP = 0.5;          /* voxels: distance between two samples */
static const double BLUR_DEPTH = 4;           /* voxels: depth inside the wall where a profile starts */
/* cosine between a direction and the wall's normal: above this the wall faces the direction */
static const double FACING = 0.85;
static const double MIN_RADIUS = 1.5;         /* voxels: smallest radius of a vessel with a measurable interior */
/* voxels: width of the edges on both sides of a vessel: above this the image is blurred, phantoms */
static const double WIDE_EDGE = 2.2;
/* ratio of this width to the smallest edge width: above this the image is blurred, phantoms */
static const double WIDER_EDGE = 1.6;
/* slice distance over voxel width: above this motion blur is not checked, phantoms */
static const double MAX_ASPECT = 3;
static const double EDGE_TOP = 0.8;           /* contrasts: level where an edge starts, usual */
static const double EDGE_FOOT = 0.2;          /* contrasts: level where an edge ends, usual */

/* used in neck.c */
/* radii of the lumen on both sides of a neck: upper limit of the neck's radius, phantoms */
static const double NECK_NARROW = 0.4;
/* part of the largest volume behind a neck: necks with more than this behind them are candidates, and the narrowest
 * candidate is reported */
static const double NECK_ALIKE = 0.9;

/* used in parallel_vessel.c */
static const double CORE_PART = 0.6;          /* radii: depth where the core of a vessel starts, phantoms */
/* radii: distance within which a core runs along another core, phantoms */
static const double NEAR_CORE = 2;
/* part of the volume of all cores: smallest core of a parallel vessel, phantoms */
static const double MIN_CORE = 0.1;
/* part of a core within NEAR_CORE of seeded cores: lower limit for a parallel vessel, phantoms */
static const double MIN_ALONG = 0.5;

/* used in roughness.c */
/* thickest voxel widths: distance from the wall up to which the wall's blur reaches; evaluated beyond, phantoms */
static const double INSIDE_VOXELS = 1.5;
/* roughness of a block over the roughness at the seeds: above this the block is bone, phantoms */
static const double ROUGHER = 3;
enum { BLOCK = 4 };                           /* voxels: edge of a block whose roughness is measured */
enum { MIN_DIFFERENCES = 12 };                /* differences: smallest number in an evaluated block */

/* used in wall_uncertainty.c */
enum { WALL_PLACES = 4000 };                  /* profiles: upper limit of their number over the wall, speed */
enum { MAX_AVERAGED = 100 };                  /* profiles: upper limit of the number that is averaged to reduce noise */
static const double CLEAR_PROFILE = 6;        /* contrast over noise that an averaged profile must reach */
/* noise over contrast times this: above 1, noise moves whole regions of the wall, phantoms */
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
