/* What the image says about the vessel at the seeds: intensities in and around it, noise, edge strength, radius.
 *
 * From each seed, rays in all directions are followed to the place where the intensity leaves that of the seed; the
 * steepest place nearby is the wall. */
#ifndef PORTAFLOW_SEEDS_H
#define PORTAFLOW_SEEDS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    bool bright;            /* vessel against its surroundings */
    double inside;          /* median intensity at the seeds */
    double inside_range[2]; /* darkest and brightest seed */
    double outside;         /* median intensity just beyond the wall */
    double next;            /* of those just beyond the wall, the quarter nearest to the vessel begins here */
    double middle; /* half way between a seed and its surroundings, the nearest to the surroundings of all seeds */
    double noise;  /* standard deviation of the noise at the seeds */
    double kernel; /* standard deviation of a Gaussian that makes white noise as alike, voxels of the thinnest axis */
    double radius_mm; /* of the widest vessel that holds a seed */
    double narrow_mm; /* of the narrowest */
    double edge[3];   /* gradient magnitude at the wall, per mm: 10th, 25th and 50th percentile */
} seeds_statistics;

/* Variance of the image's point spread, beside the width of its voxels, voxels^2 of the thinnest axis: that of about
 * half a voxel; where noise tells (contrast to the next tissue below six times it, fully below three), as wide as what
 * makes it alike in neighbouring voxels: a soft kernel, an interpolated image. */
double seeds_point_variance(const seeds_statistics *s);

/* Refuses seed k (counted from 0) outside the image. Errors: ERR_INPUT. */
MUST_CHECK int seeds_within(const volume *image, int k, const double seed[3]);

/* image: as read. seed [n][3] LPS mm. vessel: -1 unknown, 0 dark, 1 bright. middle [n][3]: out, the seeds, those near
 * the wall moved to the middle of their vessel and studied from there (tube_middle.h); NULL: none is moved.
 * Errors: ERR_INPUT (a seed outside the image, no wall round a seed, seeds in dark and bright vessels), ERR_RESOURCE.
 * Test: tests/unit/segment/test_segment_seeds.c */
MUST_CHECK int seeds_study(const volume *image, int n, const double (*seed)[3], int vessel, double (*middle)[3],
                           seeds_statistics *out);
#endif
