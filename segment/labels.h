/* A mask of whole voxels to a smooth level set whose lumen holds the same volume. */
#ifndef PORTAFLOW_SEGMENT_LABELS_H
#define PORTAFLOW_SEGMENT_LABELS_H
#include "common/volume.h"

typedef struct {
    double sigma_voxels; /* smoothing, in voxels of each axis of the mask */
    int parts[3];        /* pieces each voxel was cut into */
    int rounds;          /* corrections done */
    double mask_ml;      /* volume of the mask's voxels */
    int pieces;          /* connected pieces of the mask */
} labels_report;

/* mask: 1 inside, 0 outside (out: changed). level: out, negative inside, on a refined grid round the vessel.
 *
 * The mask m is blurred with a Gaussian G of one voxel per axis, u = G m - 1/2. Blurring alone thins convex vessels,
 * so the lumen of u is fed back (Van Cittert iteration): u <- u + G (m - occupancy(u)),   occupancy = part of each cell
 * on the inner side of u's zero level until the lumen holds the volume of the mask everywhere at the scale of G: the
 * staircase goes, the volume stays. Errors: ERR_INPUT (empty), ERR_RESOURCE. Test: tests/unit/test_segment_labels.c */
int labels_to_level(volume *mask, volume *level, labels_report *report);

/* Make a mask of an image of labels: 1 where the value is one of value[n] (n 0: any but 0).
 * Errors: ERR_INPUT (values that are not whole numbers, none of the values there: those that are, are listed). */
int labels_select(const char *path, volume *labels, int n, const int *value);
#endif
