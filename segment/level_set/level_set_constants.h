/* Constants of the level set method. Format of each comment: "unit: meaning, source; sensitivity". Source "phantoms":
 * set by tests on phantoms; none: chosen. The sensitivity is the mean wall shift in voxels when the constant grows by a
 * fifth, in a tube of radius 4 voxels. It is the maximum over three images: SNR 15 with and without openings, SNR 4
 * with openings. 0: below 1e-4 voxel, or not used in these images. */
#ifndef PORTAFLOW_SEGMENT_LEVEL_SET_CONSTANTS_H
#define PORTAFLOW_SEGMENT_LEVEL_SET_CONSTANTS_H
/* clang-format off */

/* used in level_set.c */
/* mL: upper limit of a front's volume, default; a larger front is a leak; 0 */
static const double DEFAULT_VOLUME_ML = 600;
/* conductance of ITK's diffusion: so high that level lines move by curvature alone; 0 */
static const double CONDUCTANCE = 9;
/* cells: width of the band around the region in which an unbounded front's image is denoised; 0 */
static const double FREE_BAND = 8;
/* contrast over noise at a wall: lower limit; below, the image is refused, phantoms; 0 */
static const double HIDDEN_RATIO = 0.95;
enum { GROW_ITERATIONS = 80 };                /* iterations: upper limit for an unbounded front, default */
enum { GRID_ROUNDS = 4 };                     /* rounds with ever larger working grids: upper limit */

/* used in extent.c */
/* contrast to next tissue over noise: lower limit of a clear image, phantoms; 2e-4 */
static const double CLEAR_RATIO = 6;
/* radii: a path without a visible wall over this length is refused, phantoms; 0 */
static const double HOPELESS_UNSEEN = 8;
static const double FREE_TIMES = 4; /* tube volumes: upper limit; a larger front has left the vessel, phantoms; 0 */
static const double FLOODED_PART = 0.5;       /* fraction of the image: upper limit; a larger region is flooded; 0 */
/* mm: margin around seeds without openings, where their tube is searched; 0 */
static const double ALONG_CROP_MM = 80;
/* mm: length of a tube as wide as the widest seed; its volume is the default volume limit; 0 */
static const double MOST_LENGTH_MM = 3000;
/* mL: lower limit of the default volume limit, enough for a portal tree or the vessels of a head; 0 */
static const double LEAST_MOST_ML = 60;
/* largest radius of the lumen over the largest radius of the seeds' tube: a leak above this, as in tube.c; 0 */
static const double MOST_WIDENING = 1.4;

/* used in bounded_contour.c */
/* radii: window along the wall for the comparison with the tube, phantoms; 0.0055 */
static const double WINDOW_RADII = 1;
/* voxels: noise kernel (standard deviation) up to which the image resolves a voxel; 0 */
static const double USUAL_KERNEL = 0.5;
/* standard deviations of the blur: a tube's blur is not undone below this radius, phantoms; 2e-4 */
static const double TOO_NARROW = 2;
/* standard deviations of the blur: a tube's blur is fully undone from this radius on, phantoms; 0.0029 */
static const double WIDE_ENOUGH = 3.5;
/* fraction of the theoretical shift of a tube's wall by blur that is undone, phantoms; 0.0073 */
static const double TUBE_BLUR_PART = 0.6;

/* used in edge_placement.c */
/* cells: standard deviations of the two Gaussians of the edge's derivatives, phantoms */
static const double EDGE_SIGMA[2] = {1, 2};
/* fraction of the denoising variance that acts across walls, phantoms; 0.0019 */
static const double NOISE_BLUR_PART = 0.4;
/* standard deviations of the scanner's blur: Gaussian applied before profiles are read, phantoms; 0.0086 */
static const double PROFILE_SIGMA = 0.8;
/* thickness over width of voxels: above this a profile shows partial volume only, phantoms; 0 */
static const double THICK_SLICES = 3;
/* cells: standard deviation of the Gaussian that smooths the level set, phantoms; 0.0097 */
static const double LEVEL_SIGMA = 1;
/* cells: distance from the wall up to which the image is denoised again; 7e-4 */
static const double DENOISED_CELLS = 7;
/* cells: distance from the wall up to which the level set is smoothed; 0 */
static const double DISTANCE_CELLS = 12;
/* cells: distance from the wall up to which profiles are read; above EDGE_BAND; 0 */
static const double PROFILE_CELLS = 3.1;
static const double BIAS_CELLS = 30e6;        /* cells: on larger grids the bias is not measured, speed; 0 */
/* cells: distance from the wall up to which the bias is measured; 0.0088 */
static const float BIAS_BAND = 3;
/* voxels: standard deviation of the Gaussian that smooths the bias along the wall, phantoms; 4e-4 */
static const double BIAS_SIGMA = 3;
static const double MOST_BIAS = 0.5;          /* voxels: maximum correction of a wall, phantoms; 0 */
static const double SMALL_BIAS = 0.1;         /* voxels: remaining bias below which the rounds end; 0 */
/* fraction: standard deviation of the correction over its size, phantoms; 0 */
static const double UNSURE_PART = 0.25;
/* voxels2: standard deviation of the prior of the point spread's variance; 0 */
static const double GUESS_SD = 0.3;
static const double GUESS_ACROSS = 0.1;       /* voxels2: prior of the point spread's variance across slices; 6e-5 */
/* voxels2: variance of the point spread above which not only the scanner widens edges: less correction, phantoms; 0 */
static const double WIDE_SPREAD = 0.8;
/* voxels2: variance of the point spread from which the bias is not corrected, phantoms; 0 */
static const double WIDEST_SPREAD = 1.44;
/* contrast over noise: below this an image is fully noisy, from this to CLEAR_RATIO partly, phantoms; 0 */
static const double NOISY_RATIO = 3;
enum { BIAS_ROUNDS = 4 };                     /* rounds of measuring the bias: upper limit of their number */
/* number of rounds that move the wall to the steepest gradient, phantoms */
enum { EDGE_ROUNDS = 2 };
/* cells: margin along the wall around the places where profiles are read */
enum { PROFILE_MARGIN = 10 };

/* used in bounding_tube.c */
static const double CROP_MM = 20;             /* mm: margin around seeds and openings; 3e-4 */
static const double WIDE_CROP_MM = 60;        /* mm: margin if a widening reaches the end of the crop; 0 */
/* contrast over noise at a wall: above this value, layers of blood are searched, phantoms; 0 */
static const double LAYERS_RATIO = 1.8;
enum { LAYER_ROUNDS = 4 };                    /* rounds of making layers of blood uniform: upper limit */

/* used in region_growing.c */
/* contrasts above the local tissue: lower limit of a voxel that is entered, phantoms; 0.0011 */
static const double REGION_ENTER = 0.6;
/* contrasts above the local vessel: upper limit of a voxel that is entered, phantoms; 0 */
static const double REGION_BEYOND = 2;
static const double LEAST_CONTRAST = 0.3; /* contrasts at the seeds: lower limit of the local contrast, phantoms; 0 */
/* radii: standard deviation of the Gaussian means of intensity, phantoms; 4e-4 */
static const double MEAN_RADII = 1.5;
/* voxels: lower limit of the standard deviation MEAN_RADII, phantoms; 0 */
static const double MEAN_VOXELS = 4;
/* factor by which a round enlarges the region: a round below this is the last; 0.0013 */
static const double REGION_GROWTH = 1.005;
static const double SEED_WEIGHT = 1e-5;       /* weight of the seeds' intensities in every mean; 0 */
/* voxels: standard deviation of the Gaussian before growing, phantoms; 6e-4 */
static const double REGION_SIGMA = 0.7;
/* fraction of the image: a larger first box becomes the whole image, speed; 0 */
static const double WHOLE_PART = 0.5;
enum { REGION_ROUNDS = 25 };                  /* rounds of growing the region: upper limit of their number */

/* used in flood.c */
/* voxels: size of the coarse grid that shows the place of a leak, speed; 0 */
static const double FLOOD_VOXELS = 4e5;
/* fraction of the lumen behind a neck: a leak above this; clearly above MAX_BEHIND of leak.c, phantoms; 0 */
static const double SURE_PART = 0.6;
/* radii at the narrowest seed: upper limit of the radius of the neck of SURE_PART, phantoms; 0 */
static const double SURE_NARROW = 0.4;
/* voxels: margin of the grid beyond the image where the vessel reaches its border */
enum { GRID_PAD = 3 };

/* used in working_grid.c */
static const double HALVED_CELLS = 16e6;      /* cells: upper limit of a halved grid, memory; 0 */
static const double MOST_CELLS = 200e6;       /* cells: larger working grids are refused, memory; 0 */
static const double SMALL_CELLS = 12e6;       /* cells: smaller grids are halved from the start, memory; 0 */
static const double NARROW_VOXELS = 7;        /* voxels: vessel radius below which cells are halved, phantoms; 0 */
/* contrasts above blood: upper limit; brighter voxels are made as dark as the tissue, phantoms; 0 */
static const double DARKENED_CONTRASTS = 0.7;
/* standard deviations of noise above blood: the limit by DARKENED_CONTRASTS is at least this, phantoms; 0 */
static const double BRIGHTER_NOISES = 4;
/* a voxel that exceeds the limit by x is set to the limit minus DARKENING * x, but not below the tissue; 0 */
static const double DARKENING = 3;
/* thickness over width of voxels: above this NARROW_VOXELS is reduced, phantoms; 0 */
static const double USUAL_SLICES = 3.4;
enum { GRID_MARGIN = 6 };                     /* voxels: margin of the working grid around the extent */
enum { GRID_ROOM = 20 };                      /* voxels: extra margin where the front reached the grid's end */

/* used in tube_warnings.c */
static const double FAR_BRIGHTER = 0.5;       /* contrasts: brighter than the seeds by this: not blood, phantoms; 0 */
/* HU: a darker voxel means CT, since magnitudes of MRI are not negative, definition; 0 */
static const float AIR_HU = -300;
/* voxels far brighter than blood, in a lumen without a tube: lower limit for a warning */
enum { LEAST_BRIGHT = 20 };
/* voxels: distance beyond the wall up to which bright material touches it, phantoms; 0 */
static const double BESIDE_VOXELS = 2;
/* radii: distance from the middle where the search for bright material starts, phantoms; 0 */
static const double WITHIN_PART = 0.5;
/* radii: distance of the nodes that give the nearby intensity of blood; 0 */
static const double NEARBY_RADII = 12;
/* fraction of a node's rays that meet bright material: lower limit of a bright node, phantoms; 0 */
static const double BRIGHT_RAYS = 1 / 8.0;
/* voxels: vessel radius below which an error of half a voxel is serious; 0 */
static const double FEW_VOXELS = 5;

/* used in free_contour.c */
/* fraction of a cell inside the grown region: the front may start above this, phantoms; 0 */
static const float START_PART = 0.25F;
static const double GRADIENT_SIGMA = 1;       /* cells: standard deviation of the Gaussian of gradients; 0.0017 */
/* fraction of the volume: a smaller change in PORTION iterations ends the front; 0 */
static const double SETTLED_PART = 0.002;
/* factor on the maximum radius of leak.h: a wider start is a leak, phantoms; 0 */
static const double SURELY_WIDER = 1.1;
/* cells: standard deviation of the Gaussian applied to the speed before its gradient, as in ITK; 0.0022 */
static const double POTENTIAL_SIGMA = 0.8;
enum { PORTION = 20 };                        /* number of iterations between two checks of the front */

/* clang-format on */
#endif
