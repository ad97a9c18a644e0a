/* SPDX-License-Identifier: Apache-2.0 */
/* Standard deviation of the noise around a seed, and its correlation between neighbouring voxels. */
#ifndef PORTAFLOW_SEED_NOISE_H
#define PORTAFLOW_SEED_NOISE_H
#include "common/image/volume.h"

enum { SEED_NOISE_WORK = 729 }; /* Size of the array `work` that the functions below need */

/* First estimate of the noise, while the vessel's radius is unknown. image: as read. index: the seed, voxels. spread:
 * range of the intensities around the seed, which limits the contribution of walls. work [SEED_NOISE_WORK]: scratch
 * memory. */
double seed_noise_first(const volume *image, const double index[3], double spread, double *work);

/* Noise that remains after a Gaussian of sigma voxels, given its correlation around the seed. */
double seed_noise_smooth(const volume *image, const double index[3], double noise, double sigma);

/* Noise within a vessel of this radius (voxels of the thinnest axis). Below three voxels it is limited to the median of
 * the noise around the vessel, because the walls raise the estimate within; but it is at least half of this estimate,
 * because air around the vessel has less noise. kernel: out, standard deviation of a Gaussian that gives white noise
 * the same correlation, voxels. */
double seed_noise(const volume *image, const double index[3], double radius_voxels, double *work, double *kernel);

/* Factor by which noise of this kernel counts more at a wall than white noise, since it moves neighbouring places of
 * the wall together. Empirical, for kernels up to 0.9 voxel (tests/unit/segment/test_segment_noise.c). */
double seed_noise_at_wall(double kernel);
#endif
