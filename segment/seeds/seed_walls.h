/* SPDX-License-Identifier: Apache-2.0 */
/* Walls of the vessel around a seed, along rays in all directions. A wall is the steepest place where the intensity
 * first differs clearly from the seed's. */
#ifndef PORTAFLOW_SEED_WALLS_H
#define PORTAFLOW_SEED_WALLS_H
#include "common/image/volume.h"

enum { SEED_RAYS = 200, SEED_SAMPLES = 120 };

/* Wall found along a ray. */
typedef struct {
    /* radius_mm: distance of the wall from the seed; outside: intensity beyond the wall; slope: change of the intensity
     * along the ray, per mm, > 0 */
    double radius_mm, outside, slope;
} seed_wall;

typedef struct {
    const volume *image;           /* the smoothed image */
    double h;                      /* distance between two samples, mm */
    double sigma;                  /* standard deviation of the Gaussian that smoothed the image, voxels */
    double noise, inside;          /* noise and intensity at this seed */
    double least_fall, least_rise; /* Smallest fall and smallest rise of intensity that are a wall */
} seed_rays;

typedef struct {
    int n_fall, n_rise;
    seed_wall fall[SEED_RAYS], rise[SEED_RAYS]; /* walls where the intensity falls, walls where it rises */
} seed_walls;

void seed_walls_find(const seed_rays *c, const double seed[3], seed_walls *w);

/* Mean of v over 27 points around p, h mm apart. */
double seed_mean_at(const volume *v, const double p[3], double h);

/* Mean of v within a ball around the seed, sampled about every h. In a ball of half the vessel's radius, correlated
 * noise averages out. */
double seed_mean_within(const volume *v, const double seed[3], double radius_mm, double h);

/* Returns the difference of the 90th and 10th percentile (quantiles: out) of the intensities at 4 h to 36 h from the
 * seed. At a wall the intensity changes by a large part of this difference. work [9 SEED_RAYS + 200]: scratch
 * memory. */
double seed_spread_at(const volume *v, const double seed[3], double h, double *work, double quantiles[2]);
#endif
