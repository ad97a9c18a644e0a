/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of the level set method. A voxel is one of the working grid, where the level set moves (working_grid.h); an
 * image voxel is one of the image. "Set on phantoms", "From theory" and "Usual value" name the source of a value; a
 * value without one is a choice. "+20 % moves the wall by x" gives the mean shift of the wall, in image voxels, of a
 * tube of 4 image voxels radius when the constant grows by a fifth, as the maximum over three images (SNR 15 with and
 * without openings, SNR 4 with openings). A constant without this figure moves the wall by less than 1e-4, or these
 * images do not use it. */
#ifndef PORTAFLOW_SEGMENT_LEVEL_SET_CONSTANTS_H
#define PORTAFLOW_SEGMENT_LEVEL_SET_CONSTANTS_H
/* clang-format off */

/* Constants of level_set.c */
/* Default upper limit of the volume of a front, in mL; a larger front is a leak */
static const double DEFAULT_VOLUME_ML = 600;
/* Conductance of ITK's diffusion; so large that level surfaces move by curvature alone */
static const double CONDUCTANCE = 9;
/* Width of the band around the region where the image of an unbounded front is denoised, in voxels */
static const double FREE_BAND = 8;
/* Lower limit of the contrast-to-noise ratio at a wall; below it the image is refused. Set on phantoms. */
static const double HIDDEN_RATIO = 0.95;
/* Default upper limit of the number of iterations of an unbounded front */
enum { GROW_ITERATIONS = 80 };
/* Upper limit of the number of rounds; each round has a larger working grid */
enum { GRID_ROUNDS = 4 };

/* Constants of extent.c */
/* Lower limit of the contrast-to-noise ratio between the vessel and the next tissue in a clear image. Set on phantoms.
 * +20 % moves the wall by 0.0002. */
static const double CLEAR_RATIO = 6;
/* Upper limit of the length of a path without a visible wall, in radii; above it the path is refused. Set on
 * phantoms. */
static const double HOPELESS_UNSEEN = 8;
/* Upper limit of the volume of a front, in volumes of the tube; a larger front has left the vessel. Set on phantoms. */
static const double FREE_TIMES = 4;
/* Upper limit of the size of a region, as a fraction of the image; a larger region has flooded the image */
static const double FLOODED_PART = 0.5;
/* Without openings: margin around the seeds within which their tube is searched, in mm */
static const double ALONG_CROP_MM = 80;
/* Length in mm of the tube whose volume is the default limit; its radius is the radius at the widest seed */
static const double MOST_LENGTH_MM = 3000;
/* Lower limit of the default volume limit, in mL; enough for a portal tree or the vessels of a head */
static const double LEAST_MOST_ML = 60;
/* The lumen is a leak if its largest radius exceeds this multiple of the largest radius of the seeds' tube, the same
 * limit as in tube.c. */
static const double MOST_WIDENING = 1.4;

/* Constants of bounded_contour.c */
/* Length along the wall over which contour and tube are compared, in radii. Set on phantoms. +20 % moves the wall by
 * 0.0055. */
static const double WINDOW_RADII = 1;
/* The resolution is an image voxel if the standard deviation of the noise kernel is below this, in image voxels */
static const double USUAL_KERNEL = 0.5;
/* Radius of a tube below which its blur is not undone, in standard deviations of the blur. Set on phantoms. +20 % moves
 * the wall by 0.0002. */
static const double TOO_NARROW = 2;
/* Radius of a tube from which its blur is fully undone, in standard deviations of the blur. Set on phantoms. +20 %
 * moves the wall by 0.0029. */
static const double WIDE_ENOUGH = 3.5;
/* Fraction of the theoretical shift of a tube's wall by blur that is undone. Set on phantoms. +20 % moves the wall by
 * 0.0073. */
static const double TUBE_BLUR_PART = 0.6;

/* Constants of edge_placement.c */
/* Standard deviations of the two Gaussians that smooth the image before the derivatives that give the edge, in voxels.
 * Set on phantoms. */
static const double EDGE_SIGMA[2] = {1, 2};
/* Fraction of the denoising variance that acts across walls. Set on phantoms. +20 % moves the wall by 0.0019. */
static const double NOISE_BLUR_PART = 0.4;
/* Standard deviation of the Gaussian applied before profiles are read, in standard deviations of the scanner's blur.
 * Set on phantoms. +20 % moves the wall by 0.0086. */
static const double PROFILE_SIGMA = 0.8;
/* Upper limit of the thickness of an image voxel over its width; above it a profile shows only partial volume. Set on
 * phantoms. */
static const double THICK_SLICES = 3;
/* Standard deviation of the Gaussian that smooths the level set, in voxels. Set on phantoms. +20 % moves the wall by
 * 0.0097. */
static const double LEVEL_SIGMA = 1;
/* Distance from the wall up to which the image is denoised again, in voxels. +20 % moves the wall by 0.0007. */
static const double DENOISED_VOXELS = 7;
/* Distance from the wall up to which the level set is smoothed, in voxels */
static const double DISTANCE_VOXELS = 12;
/* Distance from the wall up to which profiles are read, in voxels; larger than EDGE_BAND */
static const double PROFILE_VOXELS = 3.1;
/* Upper limit of the number of voxels of a grid on which the bias of the wall is measured. Chosen for speed. */
static const double BIAS_VOXELS = 30e6;
/* Distance from the wall up to which the bias is measured, in voxels. +20 % moves the wall by 0.0088. */
static const float BIAS_BAND = 3;
/* Standard deviation of the Gaussian that smooths the bias along the wall, in image voxels. Set on phantoms. +20 %
 * moves the wall by 0.0004. */
static const double BIAS_SIGMA = 3;
/* Standard deviation of the Gaussian that smooths the bias along the wall where the vessel is narrow, in image voxels.
 * The bias there grows steeply with the narrowing: a mean over 3 image voxels along the vessel would keep the throat of
 * a stenosis too wide. */
static const double NARROW_SIGMA = 0.5;
/* Rounds measure the bias of the wall and correct it. Rounds at narrow vessels end when the mean remaining bias there
 * is below this, in image voxels. */
static const double SMALL_NARROW_BIAS = 0.01;
/* Upper limit of the distance by which the bias correction moves a wall, in image voxels. Set on phantoms. */
static const double MOST_BIAS = 0.5;
/* The rounds at the whole wall end when the mean remaining bias is below this, in image voxels */
static const double SMALL_BIAS = 0.1;
/* Standard deviation of the correction of the wall, as a fraction of the correction. Set on phantoms. */
static const double UNSURE_PART = 0.25;
/* Standard deviation of the prior of the point spread's variance, in image voxels^2 */
static const double GUESS_SD = 0.3;
/* Prior of the point spread's variance across slices, in image voxels^2. +20 % moves the wall by 0.00006. */
static const double GUESS_ACROSS = 0.1;
/* Variance of the point spread above which edges are widened by more than the scanner, in image voxels^2; the bias is
 * then corrected less. Set on phantoms. */
static const double WIDE_SPREAD = 0.8;
/* Variance of the point spread from which the bias is not corrected, in image voxels^2. Set on phantoms. */
static const double WIDEST_SPREAD = 1.44;
/* An image is fully noisy if its contrast-to-noise ratio is below this, and partly noisy between this and CLEAR_RATIO.
 * Set on phantoms. */
static const double NOISY_RATIO = 3;
enum { BIAS_ROUNDS = 4 };                     /* Upper limit of the number of rounds that measure the bias */
/* Number of rounds that move the wall to the steepest gradient. Set on phantoms. */
enum { EDGE_ROUNDS = 2 };
/* Margin around the places where profiles are read, along the wall, in voxels */
enum { PROFILE_MARGIN = 10 };

/* Constants of bounding_tube.c */
/* Margin around seeds and openings, in mm. +20 % moves the wall by 0.0003. */
static const double CROP_MM = 20;
/* Margin if a widening of the vessel reaches the end of the crop, in mm */
static const double WIDE_CROP_MM = 60;
/* Contrast-to-noise ratio at a wall above which layers of blood are searched. Set on phantoms. */
static const double LAYERS_RATIO = 1.8;
/* Upper limit of the number of rounds that make layers of blood uniform */
enum { LAYER_ROUNDS = 4 };

/* Constants of region_growing.c */
/* An image voxel joins the region if its intensity is above the local tissue by this fraction of the contrast. Set on
 * phantoms. +20 % moves the wall by 0.0011. */
static const double REGION_ENTER = 0.6;
/* An image voxel brighter than the local vessel by more than this multiple of the local contrast does not join the
 * region. Set on phantoms. */
static const double REGION_BEYOND = 2;
/* Lower limit of the local contrast, as a fraction of the contrast at the seeds. Set on phantoms. */
static const double LEAST_CONTRAST = 0.3;
/* Standard deviation of the Gaussian that averages intensity, in radii. Set on phantoms. +20 % moves the wall by
 * 0.0004. */
static const double MEAN_RADII = 1.5;
/* Lower limit of the standard deviation of the Gaussian that averages intensity, in image voxels. Set on phantoms. */
static const double MEAN_VOXELS = 4;
/* The rounds end when a round enlarges the region by less than this factor. +20 % moves the wall by 0.0013. */
static const double REGION_GROWTH = 1.005;
static const double SEED_WEIGHT = 1e-5;       /* Weight of the seeds' intensities in every mean */
/* Standard deviation of the Gaussian that smooths the image before the region grows, in image voxels. Set on phantoms.
 * +20 % moves the wall by 0.0006. */
static const double REGION_SIGMA = 0.7;
/* Upper limit of the first search box, as a fraction of the image; a larger box becomes the whole image. Chosen for
 * speed. */
static const double WHOLE_PART = 0.5;
enum { REGION_ROUNDS = 25 };                  /* Upper limit of the number of rounds that grow the region */

/* Constants of flood.c */
/* Number of voxels of the coarse grid that shows the place of a leak. Chosen for speed. */
static const double FLOOD_VOXELS = 4e5;
/* Margin of the grid beyond the image where the vessel reaches the image border, in image voxels */
enum { GRID_PAD = 3 };

/* Constants of working_grid.c */
/* Upper limit of the number of voxels of a grid with halved voxels. Limited by memory. */
static const double HALVED_VOXELS = 16e6;
/* Upper limit of the number of voxels of a working grid; a larger grid is refused. Limited by memory. */
static const double MOST_VOXELS = 200e6;
/* Number of voxels of a grid with halved voxels up to which voxels are halved from the start. Limited by memory. */
static const double SMALL_VOXELS = 12e6;
/* Radius of a vessel below which voxels are halved, in image voxels. Set on phantoms. */
static const double NARROW_VOXELS = 7;
/* Upper limit of the thickness of an image voxel over its width; above it NARROW_VOXELS is reduced. Set on phantoms. */
static const double USUAL_SLICES = 3.4;
/* Margin of the working grid around the extent of the front, in image voxels */
enum { GRID_MARGIN = 6 };
/* Margin that is added where the front reached the end of the grid, in image voxels */
enum { GRID_ROOM = 20 };

/* Constants of tube_warnings.c */
/* Material that is brighter than the seeds by more than this is not blood, as a fraction of the contrast. Set on
 * phantoms. */
static const double FAR_BRIGHTER = 0.5;
/* Lower limit of that difference, in standard deviations of the noise */
static const double BRIGHTER_NOISES = 4;
/* An image with a voxel below this value, in HU, is a CT; magnitudes of MRI are not negative */
static const float AIR_HU = -300;
/* Number of image voxels far brighter than blood from which a lumen without a tube gets a warning */
enum { LEAST_BRIGHT = 20 };
/* Distance beyond the wall within which bright material touches the wall, in image voxels. Set on phantoms. */
static const double BESIDE_VOXELS = 2;
/* Distance from the middle of the vessel where the search for bright material starts, in radii. Set on phantoms. */
static const double WITHIN_PART = 0.5;
/* Distance of the nodes that give the intensity of blood near a place, in radii */
static const double NEARBY_RADII = 12;
/* A node is bright if at least this fraction of its rays meets bright material. Set on phantoms. */
static const double BRIGHT_RAYS = 1 / 8.0;
/* An error of half an image voxel is serious in vessels with a radius below this, in image voxels */
static const double FEW_VOXELS = 5;

/* Constants of free_contour.c */
/* The front may start in a voxel if more than this part of the voxel is inside the grown region. Set on phantoms. */
static const float START_PART = 0.25F;
/* Standard deviation of the Gaussian that smooths the image before its gradient is computed, in voxels. +20 % moves the
 * wall by 0.0017. */
static const double GRADIENT_SIGMA = 1;
/* The front ends when its volume changes by less than this part in PORTION iterations */
static const double SETTLED_PART = 0.002;
/* Standard deviation of the Gaussian applied to the speed before its gradient, in voxels, as in ITK. +20 % moves the
 * wall by 0.0022. */
static const double POTENTIAL_SIGMA = 0.8;
enum { PORTION = 20 };                        /* Number of iterations between two checks of the front */

/* clang-format on */
#endif
