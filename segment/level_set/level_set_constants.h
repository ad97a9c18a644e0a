/* The numbers of the level set method: unit: what it is, where it is from (chosen, unless said). Last: how far, in
 * voxels, the wall of a tube of 4 voxels in radius moves on the mean when the number is a fifth larger, the most of
 * three images (SNR 15 with and without openings, SNR 4 with them); 0: not by 1e-4 voxel, or they do not come to it. */
#ifndef PORTAFLOW_SEGMENT_LEVEL_SET_CONSTANTS_H
#define PORTAFLOW_SEGMENT_LEVEL_SET_CONSTANTS_H
/* clang-format off */

/* level_set */
static const double DEFAULT_VOLUME_ML = 600;  /* mL: of a front: more is a leak, unless the user says more; 0 */
static const double CONDUCTANCE = 9; /* of ITK's diffusion, so high that level lines move by curvature alone; 0 */
static const double FREE_BAND = 8; /* cells: round the region: where the image of a free front is denoised; 0 */
static const double HIDDEN_RATIO = 0.95; /* contrast over noise at a wall: below it the image is refused, phantoms; 0 */
enum { GROW_ITERATIONS = 80 };                /* iterations: of a free front, unless the user says so */
enum { GRID_ROUNDS = 4 };                     /* rounds: on larger and larger working grids */

/* extent */
static const double CLEAR_RATIO = 6; /* contrast to next tissue over noise: above, an image is clear, phantoms; 2e-4 */
static const double HOPELESS_UNSEEN = 8; /* radii: of a path along which no wall is seen: it is refused, phantoms; 0 */
static const double FREE_TIMES = 4; /* volumes: of the tube: a front that fills more has left the vessel, phantoms; 0 */
static const double FLOODED_PART = 0.5;       /* image: filled by a region: it is flooded; 0 */
static const double ALONG_CROP_MM = 80;       /* mm: round seeds without openings: where their tube is looked for; 0 */
static const double MOST_LENGTH_MM = 3000;    /* mm: of a tube as wide as the widest seed: more is a leak; 0 */
static const double LEAST_MOST_ML = 60;       /* mL: that a front may fill: a portal tree, a head; 0 */
static const double MOST_WIDENING = 1.4;      /* radius over the widest of the seeds' tube: a leak, as in tube.c; 0 */

/* bounded_contour */
static const double WINDOW_RADII = 1; /* radii: along the wall: it is compared with the tube there, phantoms; 0.0055 */
static const double USUAL_KERNEL = 0.5;       /* voxels: standard deviation of noise that a voxel resolves; 0 */
static const double TOO_NARROW = 2;           /* sigmas: radius below which no tube's blur is undone, phantoms; 2e-4 */
static const double WIDE_ENOUGH = 3.5;        /* sigmas: the same: radius from which all of it is, phantoms; 0.0029 */
static const double TUBE_BLUR_PART = 0.6;     /* of the shift that theory gives a tube, phantoms; 0.0073 */

/* edge_placement */
static const double EDGE_SIGMA[2] = {1, 2};   /* cells: of the two Gaussians under the edge's derivatives, phantoms */
static const double NOISE_BLUR_PART = 0.4; /* of the denoising's variance that blurs across walls, phantoms; 0.0019 */
static const double PROFILE_SIGMA = 0.8; /* sigmas: of the blur: smooths before profiles are read, phantoms; 0.0086 */
static const double THICK_SLICES = 3; /* thickness over width of voxels: a profile is of partial volume, phantoms; 0 */
static const double LEVEL_SIGMA = 1;          /* cells: of the Gaussian that smooths the level set, phantoms; 0.0097 */
static const double DENOISED_CELLS = 7;       /* cells: from the wall in which the image is denoised once more; 7e-4 */
static const double DISTANCE_CELLS = 12;      /* cells: from the wall: as far as the level is a distance; 0 */
static const double PROFILE_CELLS = 3.1; /* cells: from the wall where profiles are taken, above EDGE_BAND; 0 */
static const double BIAS_CELLS = 30e6;        /* cells: of a grid: of more the bias is not measured, speed; 0 */
static const float BIAS_BAND = 3;             /* cells: from the wall where the bias is measured; 0.0088 */
static const double BIAS_SIGMA = 3;           /* voxels: along the wall over which it is evened, phantoms; 4e-4 */
static const double MOST_BIAS = 0.5;          /* voxels: that a wall is moved by, at most, phantoms; 0 */
static const double SMALL_BIAS = 0.1;         /* voxels: left, below which rounds end; 0 */
static const double UNSURE_PART = 0.25;       /* of what the wall is moved: its standard deviation, phantoms; 0 */
static const double GUESS_SD = 0.3;           /* voxels2: standard deviation of a guessed variance; 0 */
static const double GUESS_ACROSS = 0.1;       /* voxels2: guessed variance across slices; 6e-5 */
static const double WIDE_SPREAD = 0.8; /* voxels2: variance above which the scanner is not alone in it, phantoms; 0 */
static const double WIDEST_SPREAD = 1.44;     /* voxels2: the same: it is not used, phantoms; 0 */
static const double NOISY_RATIO = 3;          /* the same: below it an image is noisy, in between partly, phantoms; 0 */
enum { BIAS_ROUNDS = 4 };                     /* rounds: of measuring it, at most */
enum { EDGE_ROUNDS = 2 };                     /* rounds: onto the steepest place, phantoms */
enum { PROFILE_MARGIN = 10 };                 /* cells: along it, in which it is read, half_height.h */

/* bounding_tube */
static const double CROP_MM = 20;             /* mm: round seeds and openings; 3e-4 */
static const double WIDE_CROP_MM = 60;        /* mm: the same where a widening leaves that part; 0 */
static const double LAYERS_RATIO = 1.8;       /* contrast over noise at a wall: layers are looked for, phantoms; 0 */
enum { LAYER_ROUNDS = 4 };                    /* rounds: of evening blood in layers */

/* region_growing */
static const double REGION_ENTER = 0.6; /* contrasts: above the tissue nearby: a voxel is entered, phantoms; 0.0011 */
static const double REGION_BEYOND = 2; /* contrasts: above the tissue nearby: a voxel is too bright, phantoms; 0 */
static const double LEAST_CONTRAST = 0.3; /* contrasts: at the seeds: that nearby is taken for no less, phantoms; 0 */
static const double MEAN_RADII = 1.5;         /* radii: standard deviation of the means of intensity, phantoms; 4e-4 */
static const double MEAN_VOXELS = 4;          /* voxels: the same, at least, phantoms; 0 */
static const double REGION_GROWTH = 1.005;    /* growth of a round below which it is the last; 0.0013 */
static const double SEED_WEIGHT = 1e-5;       /* with which the seeds' intensities count everywhere; 0 */
static const double REGION_SIGMA = 0.7;       /* voxels: of the Gaussian before growing, phantoms; 6e-4 */
static const double WHOLE_PART = 0.5;         /* image: a first box larger than that is all of it, speed; 0 */
enum { REGION_ROUNDS = 25 };                  /* rounds: of growing, at most */

/* flood */
static const double FLOOD_VOXELS = 4e5;       /* voxels: enough to show where a leak is, speed; 0 */
static const double SURE_PART = 0.6;          /* lumen: behind a neck: surely more than leak.h's half, phantoms; 0 */
static const double SURE_NARROW = 0.4;        /* radii: at the narrowest seed: the neck of such a start, phantoms; 0 */
enum { GRID_PAD = 3 };                        /* voxels: beyond the image, where the vessel reaches its border */

/* working_grid */
static const double HALVED_CELLS = 16e6;      /* cells: that a halved grid may have, memory; 0 */
static const double MOST_CELLS = 200e6;       /* cells: of a working grid: more is refused, memory; 0 */
static const double SMALL_CELLS = 12e6;       /* cells: that are halved from the start, memory; 0 */
static const double NARROW_VOXELS = 7;        /* voxels: radius of a vessel below which cells are halved, phantoms; 0 */
static const double DARKENED_CONTRASTS = 0.7; /* contrasts: above blood: made as dark as the tissue, phantoms; 0 */
static const double BRIGHTER_NOISES = 4;      /* noises: above blood: brighter than noise makes it, phantoms; 0 */
static const double DARKENING = 3;            /* how steeply what is brighter becomes dark; 0 */
static const double USUAL_SLICES = 3.4; /* thickness over width of voxels: above, NARROW_VOXELS is less, phantoms; 0 */
enum { GRID_MARGIN = 6 };                     /* voxels: of the working grid round the extent */
enum { GRID_ROOM = 20 };                      /* voxels: more where the front came to the grid's end */

/* tube_warnings */
static const double FAR_BRIGHTER = 0.5;       /* contrasts: above blood at the seeds: no blood, phantoms; 0 */
static const float AIR_HU = -300;             /* HU: no magnitude of MRI is as low: it is CT, definition; 0 */
enum { LEAST_BRIGHT = 20 };                   /* voxels: far brighter than blood in a free lumen: warned of */
static const double BESIDE_VOXELS = 2;        /* voxels: beyond a wall: what is bright lies against it, phantoms; 0 */
static const double WITHIN_PART = 0.5; /* radii: of the way to the wall from which that is looked for, phantoms; 0 */
static const double NEARBY_RADII = 12;        /* radii: along the vessel: blood nearby; 0 */
static const double BRIGHT_RAYS = 1 / 8.0;    /* rays: of a node on which something bright lies: it does, phantoms; 0 */
static const double FEW_VOXELS = 5;           /* voxels: radius of a vessel of which half a voxel is much; 0 */

/* free_contour */
static const float START_PART = 0.25F; /* voxel: of one that was reached in which the front may start, phantoms; 0 */
static const double GRADIENT_SIGMA = 1;       /* cells: of the Gaussian under gradients; 0.0017 */
static const double SETTLED_PART = 0.002;     /* volume: change in a portion when a front rests; 0 */
static const double SURELY_WIDER = 1.1;       /* radius of a start over what leak.h allows: a leak, phantoms; 0 */
static const double POTENTIAL_SIGMA = 0.8;    /* cells: as ITK's filter takes the gradient of the speed, ITK; 0.0022 */
enum { PORTION = 20 };                        /* iterations: between two looks at the front */

/* clang-format on */
#endif
