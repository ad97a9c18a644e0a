/* Standard deviation of the noise round a seed, and how alike it is in neighbouring voxels. */
#ifndef PORTAFLOW_SEED_NOISE_H
#define PORTAFLOW_SEED_NOISE_H
#include "common/image/volume.h"

enum { SEED_NOISE_WORK = 729 }; /* numbers of work below */

/* image: as read. index: the seed, voxels. work [SEED_NOISE_WORK].
 *
 * First guess, before the vessel's radius is known. spread: of the intensities round the seed, which bounds what walls
 * add. */
double seed_noise_first(const volume *image, const double index[3], double spread, double *work);

/* What a Gaussian of sigma voxels leaves of that noise, by how alike it is round the seed. */
double seed_noise_smooth(const volume *image, const double index[3], double noise, double sigma);

/* Within a vessel of that radius (voxels of the thinnest axis). kernel: out, standard deviation of a Gaussian that
 * makes white noise as alike, voxels. */
double seed_noise(const volume *image, const double index[3], double radius_voxels, double *work, double *kernel);

/* So many times as much as white noise does noise of that kernel count at a wall, whose places it moves together: found
 * on cylinders and phantoms with kernels up to 0.9 voxels (tests/unit/segment/test_segment_noise.c). */
double seed_noise_at_wall(double kernel);
#endif
