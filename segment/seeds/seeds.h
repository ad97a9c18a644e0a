/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the vessel at the seeds: intensities in and around it, noise, edge strength, radius. Rays run from each
 * seed in all directions to the wall, the steepest place where the intensity first differs clearly from the seed's. */
#ifndef PORTAFLOW_SEEDS_H
#define PORTAFLOW_SEEDS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    bool bright;            /* true: the vessel is brighter than its surroundings */
    double inside;          /* median intensity at the seeds */
    double inside_range[2]; /* intensities of the darkest and the brightest seed */
    double outside;         /* median intensity just beyond the wall */
    /* intensity of the next tissue: upper quartile of the intensities just beyond the wall; for a dark vessel lower
     * quartile */
    double next;
    /* intensity half-way between seed and surroundings, at the seed whose intensity is closest to the surroundings */
    double middle;
    double noise; /* standard deviation of the noise at the seeds */
    /* correlation of the noise: a Gaussian with this standard deviation, in voxels of the thinnest axis, gives white
     * noise the same correlation */
    double kernel;
    double radius_mm; /* radius of the widest vessel that has a seed */
    double narrow_mm; /* radius of the narrowest vessel that has a seed */
    double edge[3];   /* 10th, 25th and 50th percentile of the gradient magnitude at the wall, per mm */
} seeds_statistics;

/* Variance of the image's point spread without the width of a voxel, in voxels^2 of the thinnest axis. It is 0.22,
 * about (half a voxel)^2, if the contrast to the next tissue is 6 times the noise or more. At 3 times the noise or less
 * it is at least kernel^2, because a soft kernel or interpolation also correlates the noise. Linear between both. */
double seeds_point_variance(const seeds_statistics *s);

/* Refuses seed k (from 0) outside the image. Errors: ERR_INPUT. */
MUST_CHECK int seeds_check_inside(const volume *image, int k, const double seed[3]);

/* Measures intensities, noise and radii at the seeds. image: as read. seed [n][3]: LPS, mm. vessel: -1 unknown, 0 dark,
 * 1 bright. middle [n][3]: out, the seeds; seeds near the wall are moved to the centre of their vessel and studied
 * there (seed_centre.h). NULL: none is moved. Errors: ERR_INPUT (a seed outside the image, no wall around a seed, seeds
 * in dark and bright vessels), ERR_RESOURCE. Test: tests/unit/segment/test_segment_seeds.c */
MUST_CHECK int seeds_measure(const volume *image, int n, const double (*seed)[3], int vessel, double (*middle)[3],
                             seeds_statistics *out);
#endif
