/* The walls of the vessel round a seed, along rays in all directions: where the intensity leaves that of the seed for
 * good, the steepest place nearby. */
#ifndef PORTAFLOW_SEED_WALLS_H
#define PORTAFLOW_SEED_WALLS_H
#include "common/image/volume.h"

enum { SEED_RAYS = 200, SEED_SAMPLES = 120 };

/* One ray that met the wall. */
typedef struct {
    double radius_mm, outside, slope; /* slope: |dI/dt| per mm */
} seed_wall;

typedef struct {
    const volume *image;           /* smoothed */
    double h;                      /* sample distance, mm */
    double sigma;                  /* it was smoothed by, voxels */
    double noise, inside;          /* of this seed */
    double least_fall, least_rise; /* change of intensity that counts */
} seed_rays;

typedef struct {
    int n_fall, n_rise;
    seed_wall fall[SEED_RAYS], rise[SEED_RAYS]; /* where the intensity falls, rises at the wall */
} seed_walls;

void seed_walls_of(const seed_rays *c, const double seed[3], seed_walls *w);

/* Mean of 27 points h apart. */
double seed_mean_at(const volume *v, const double p[3], double h);

/* Mean within a ball of that radius, at least a voxel (h): half of the vessel, so that noise of neighbouring voxels
 * that is alike does not tell. */
double seed_mean_within(const volume *v, const double seed[3], double radius_mm, double h);

/* Spread of intensities round the seed, 4 to 36 h away, between their 10th and 90th percentile: a wall is a change of a
 * good part of it. work [9 SEED_RAYS + 200]. */
double seed_spread_at(const volume *v, const double seed[3], double h, double *work, double quantiles[2]);
#endif
