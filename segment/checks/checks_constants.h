/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of the checks of a lumen. The checks refuse a lumen, warn, or estimate the uncertainty of the wall; no
 * check moves the wall. "Set on phantoms", "From theory", "Measured" and "Usual value" name the source of a value; a
 * value without one is a choice. */
#ifndef PORTAFLOW_SEGMENT_CHECKS_CONSTANTS_H
#define PORTAFLOW_SEGMENT_CHECKS_CONSTANTS_H
/* clang-format off */

/* Constants of leak.c */
/* Lower limit of the part of the wall that follows an edge; below it the lumen is a leak. Set on phantoms. */
static const double MIN_SUPPORT = 0.6;
/* Upper limit of the part of the wall on the image border; above it the lumen is a leak. Set on phantoms. */
static const double MAX_BORDER = 0.35;
/* Upper limit of the part of the lumen with an intensity far from the intensities at the seeds; above it the lumen is a
 * leak. Set on phantoms. */
static const double MAX_ALIEN = 0.35;
/* Upper limit of the part of the lumen behind a neck; above it the lumen is a leak. Set on phantoms. */
static const double MAX_BEHIND = 0.5;
/* Upper limit of the part of the lumen behind a neck; above it the neck is reported as the place of the leak */
static const double PLACE_BEHIND = 0.2;
/* Lower limit of the part of the wall that follows an edge; below it segment warns. Set on phantoms. */
static const double DOUBTFUL_SUPPORT = 0.9;
/* Upper limit of the radius of a patch of wall on the image border, in radii of the vessel; above it the lumen is a
 * leak. Set on phantoms. */
static const double MAX_PATCH = 3.5;
/* Smallest step of intensity across a wall that counts as an edge, as a fraction of the contrast. Set on phantoms. */
static const double SUPPORT_CONTRAST = 0.25;
static const double BLOOD_RADII = 0.7;        /* Distance from a seed within which all voxels are blood, in radii */
/* Differences between neighbouring voxels below this fraction of the contrast do not count as rough. Set on
 * phantoms. */
static const double MIN_ROUGH = 0.05;
/* Tissue outside the wall counts as plaque, stent or bone if it is brighter than blood by this multiple of the
 * contrast. The wall next to it counts as an edge. Set on phantoms. */
static const double BONE_CONTRASTS = 1;
/* Radius of the reported region of a leak, in radii at the seeds */
static const double PLACE_RADII = 3;

/* Constants of motion_blur.c */
/* Upper limit of the number of profiles over the wall. Chosen for speed. */
enum { BLUR_PLACES = 12000 };
enum { BLUR_DIRECTIONS = 60 };                /* Number of tested directions of motion, over half a sphere */
enum { BLUR_SAMPLES = 21 };                   /* Number of samples of a profile */
enum { MIN_PROFILES = 60 };                   /* Smallest number of profiles that gives the edge width of a direction */
enum { FIRST_OUT = 12 };                      /* Index of the first sample that is averaged for the intensity outside */
enum { LAST_OUT = 18 };                       /* Index of the last sample that is averaged for the intensity outside */
static const double BLUR_STEP = 0.5;          /* Distance between two samples of a profile, in voxels */
static const double BLUR_DEPTH = 4;           /* Distance inside the wall where a profile starts, in voxels */
/* The wall faces a direction if the cosine between the direction and the wall's normal exceeds this */
static const double FACING = 0.85;
static const double MIN_RADIUS = 1.5;         /* Smallest radius of a vessel with a measurable interior, in voxels */
/* Upper limit of the edge width of a vessel, in voxels; above it the image is blurred. Set on phantoms. */
static const double WIDE_EDGE = 2.2;
/* Upper limit of the largest edge width over the smallest one; above it the image is blurred. Set on phantoms. */
static const double WIDER_EDGE = 1.6;
/* Upper limit of slice distance over voxel width; above it motion blur is not checked. Set on phantoms. */
static const double MAX_ASPECT = 3;
static const double EDGE_TOP = 0.8;           /* Level where an edge starts, as a fraction of the contrast. Usual
                                               * value. */
static const double EDGE_FOOT = 0.2;          /* Level where an edge ends, as a fraction of the contrast. Usual
                                               * value. */

/* Constants of neck.c */
/* Upper limit of the radius of a neck, as a fraction of the smaller radius of the lumen on its two sides. Set on
 * phantoms. */
static const double NECK_NARROW = 0.4;
/* A neck is a candidate if the volume behind it exceeds this fraction of the largest volume behind any neck. The
 * narrowest candidate is reported. */
static const double NECK_ALIKE = 0.9;

/* Constants of parallel_vessel.c */
/* Distance from the wall at which the core of a vessel starts, in radii. Set on phantoms. */
static const double CORE_PART = 0.6;
/* Upper limit of the distance between two cores that run along each other, in radii. Set on phantoms. */
static const double NEAR_CORE = 2;
/* Smallest core of a parallel vessel, as a fraction of the volume of all cores. Set on phantoms. */
static const double MIN_CORE = 0.1;
/* An unseeded core is a parallel vessel if at least this fraction of the core lies within NEAR_CORE of the seeded
 * cores. Set on phantoms. */
static const double MIN_ALONG = 0.5;

/* Constants of roughness.c */
/* Roughness is measured only at this depth or more inside the wall, where the blur of the wall has ended. Unit: largest
 * voxel edge. Set on phantoms. */
static const double INSIDE_VOXELS = 1.5;
/* A block counts as bone if its roughness is above this multiple of the roughness at the seeds and above `least` of
 * roughness_find. Set on phantoms. */
static const double ROUGHER = 3;
enum { BLOCK = 4 };                           /* Edge of a block whose roughness is measured, in voxels */
/* A block is evaluated if it has at least this many differences between neighbouring voxels */
enum { MIN_DIFFERENCES = 12 };

/* Constants of wall_uncertainty.c */
/* Upper limit of the number of profiles over the wall. Chosen for speed. */
enum { WALL_PLACES = 4000 };
/* Upper limit of the number of profiles that are averaged to reduce noise */
enum { MAX_AVERAGED = 100 };
static const double CLEAR_PROFILE = 6;        /* Smallest contrast-to-noise ratio of an averaged profile */
/* Factor on the noise-to-contrast ratio: if the product exceeds 1, noise moves whole regions of the wall. Set on
 * phantoms. */
static const double MOVING_NOISE = 1.5;
/* Shift of the wall by neighbouring tissue, as a fraction of the edge width. Set on phantoms. */
static const double BLUR_PART = 0.1;
/* Shift of the wall by noise that remains after smoothing along the wall, as a fraction of noise over slope. Set on
 * phantoms. */
static const double NOISE_PART = 0.2;
static const double MIN_UNCERTAINTY = 0.05;   /* Lower limit of the half-width of the wall's 95 % interval, in voxels */
static const double NO_EDGE_VOXELS = 0.5;     /* Uncertainty of the wall where it has no edge, in voxels */
/* An observer's threshold differs from the half height by up to this fraction of the contrast */
static const double OBSERVED_PART = 0.1;
/* 95 % of a wall drawn along voxels and smoothed lies within this distance of the true wall, in voxels. Largest value
 * of cylinders with radii of 3 and 6 voxels, upright and tilted (test_segment_wall_uncertainty.c). */
static const double RESOLUTION_VOXELS = 0.35;
/* 95 % of cross-sections drawn along voxels err by less than this in their mean radius, in voxels. Largest value of
 * circles with radii of 2 to 8 voxels at random places. */
static const double SECTION_VOXELS = 0.13;
/* Shift of the wall, in voxels, if the threshold of a mask is 40 or 60 % of the contrast instead of 50 %: 0.253
 * standard deviations of a blur of 1.2 voxels. From theory. */
static const double MASK_THRESHOLD_VOXELS = 0.3;
/* Variance that sampling adds to the blur, in voxels^2: 1/6 by linear interpolation, 1/12 by the slope. From theory. */
static const double SAMPLED_VARIANCE = 0.25;
/* Distance from the wall of the two points that give the slope, in voxels */
static const double SLOPE_VOXELS = 0.5;
/* Distance from the wall of the two points that give the contrast, in voxels */
static const double SIDE_VOXELS = 2.5;

/* clang-format on */
#endif
