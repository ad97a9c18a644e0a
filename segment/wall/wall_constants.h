/* SPDX-License-Identifier: Apache-2.0 */
/* Constants that place the wall between the voxels. A voxel is one of the working grid, where the level set moves
 * (segment/level_set/working_grid.h); an image voxel is one of the image. "Set on phantoms", "From theory" and "Usual
 * value" name the source of a value; a value without one is a choice. "+20 % moves the wall by x" gives the mean shift
 * of the wall, in image voxels, of a tube of 4 image voxels radius when the constant grows by a fifth, as the maximum
 * over three images (SNR 15 with and without openings, SNR 4 with openings). A constant without this figure moves the
 * wall by less than 1e-4, or these images do not use it. */
#ifndef PORTAFLOW_SEGMENT_WALL_CONSTANTS_H
#define PORTAFLOW_SEGMENT_WALL_CONSTANTS_H
/* clang-format off */

/* Constants of gradient_edge.c */
/* Distance from the level set within which it moves onto the edge, in voxels. +20 % moves the wall by 0.0042. */
static const double EDGE_BAND = 3;
/* Upper limit of the move of the wall in a round, in voxels. +20 % moves the wall by 0.0007. */
static const double EDGE_MOVE = 1.5;
/* Time step of the curvature flow, in voxels^2; stable below 1/6. From theory. */
static const double MEAN_CURVATURE_STEP = 0.125;
/* Curvature up to which only the wider Gaussian is used, in 1/voxels. Set on phantoms. +20 % moves the wall by
 * 0.0023. */
static const double WIDE_KAPPA = 0.15;
/* Curvature above which only the narrower Gaussian is used, in 1/voxels. Set on phantoms. +20 % moves the wall by
 * 0.0017. */
static const double NARROW_KAPPA = 0.22;
/* The level set does not move where the gradient is below this fraction of the typical gradient. Set on phantoms. +20 %
 * moves the wall by 0.0019. */
static const double WEAK_EDGE = 0.2;
/* The level set moves by the whole distance where the gradient exceeds this fraction of the typical gradient. Set on
 * phantoms. +20 % moves the wall by 0.0027. */
static const double STRONG_EDGE = 0.5;

/* Constants of half_height_edge.c */
/* Variance that interpolation and smoothing add to the blur of an edge, in voxels^2. From theory. +20 % moves the wall
 * by 0.0005. */
static const double SAMPLING_VARIANCE = 0.25;
/* Standard deviation of the Gaussian that averages the visibility of the wall, in voxels. +20 % moves the wall by
 * 0.0003. */
static const double SEEN_SIGMA = 1.5;

/* Constants of noise_shrinkage.c */
/* Distance from the walls of level set and tube within which the level set changes, in units of the resolution of the
 * image. +20 % moves the wall by 0.0035. */
static const float SHRUNK_WIDTHS = 3;
/* Distance from the walls of level set and tube within which the level set changes with full weight, in units of the
 * resolution of the image. +20 % moves the wall by 0.0008. */
static const float FULLY_WIDTHS = 1.5F;
/* Distance from the wall within which its deviation is measured, in voxels. +20 % moves the wall by 0.0008. */
static const float WALL_VOXELS = 1;
/* Quantile of the variances of all windows that is taken as the variance of the noise. Set on phantoms. +20 % moves the
 * wall by 0.041. */
static const double USUAL_QUANTILE = 0.75;
/* A block is ignored if its wall area is below this fraction of the largest wall area of a block. +20 % moves the wall
 * by 0.0007. */
static const double WALL_PART = 0.2;

/* Constants of scanner_model.c */
enum { FIT_ROUNDS = 3 };                      /* Number of rounds of the fit */
enum { MIN_VOXELS = 200 };                    /* Smallest number of image voxels for a fit */
/* Margin of the working grid where image and model are not compared, in image voxels. Where the grid extends beyond the
 * image, the margin repeats the border voxels (grid_crop). */
enum { MODEL_ROOM = 4 };
/* Upper limit of the variance of one pass of a three-point kernel, in voxels^2. From theory. */
static const double PASS_VARIANCE = 0.3;
static const float FAR_VOXELS = 4;            /* Distance from the wall at which the level set is clipped, in voxels */
/* Variance of linear interpolation, in voxels^2. From theory. +20 % moves the wall by 0.0016. */
static const double LINEAR_VARIANCE = 1.0 / 6;
/* Variance of a mean over a voxel, in voxels^2. From theory. +20 % moves the wall by 0.0008. */
static const double VOXEL_VARIANCE = 1.0 / 12;
/* Distance from the wall within which image and model are compared, in image voxels. Set on phantoms. +20 % moves the
 * wall by 0.0007. */
static const double COMPARED_VOXELS = 2;
/* The point spread along an axis is fitted separately if image voxels are wider along it than this multiple of the
 * smallest width */
static const double THICK_AXIS = 1.2;
/* An image voxel is excluded if its residual exceeds this many standard deviations. Usual value. +20 % moves the wall
 * by 0.0001. */
static const double OUTLIER = 2.5;
/* Upper limit of the standard deviation of a point spread, in image voxels */
static const double MAX_SPREAD = 1.5;
/* Number of neighbouring image voxels with correlated residuals; they count as one in the standard error. Set on
 * phantoms. */
static const double ALIKE_VOXELS = 4;

/* Constants of narrow_places.c */
/* Radius up to which a vessel is narrow, and radius from which it is not, in image voxels. Below the first the blur
 * darkens the middle of the vessel (ACCURACY.md). */
static const double NARROW_RADIUS = 1.5, WIDE_RADIUS = 2.5;
static const double DEPTH_STEP = 0.5;         /* Distance between two samples on the way inwards, in voxels */

/* clang-format on */
#endif
