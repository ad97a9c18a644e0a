/* SPDX-License-Identifier: Apache-2.0 */
/* Volume of the liver in a label image.
 *
 * Half-width of its 95 % interval: half the volume of the voxels at its surface, which is a shift of the surface by
 * half a voxel, and at least 5 % of the volume (LIVER_VOLUME_ERROR), for the error of the segmentation. No source gives
 * either for a single liver: both are assumptions. A voxel at the surface has a face to a voxel outside; the border of
 * the image is no surface. Test: tests/unit/common/test_liver_volume.c */
#ifndef PORTAFLOW_LIVER_VOLUME_H
#define PORTAFLOW_LIVER_VOLUME_H
#include "common/liver/liver_grid.h"
#include "common/liver/lobule_law.h"

#define LIVER_VOLUME_ERROR 0.05

typedef struct {
    lobule_quantity ml;
    int cut_axis;   /* 0 to 2: axis of the image at whose ends the liver is cut by the border; -1: none */
    double cut_mm2; /* area of the cut */
} liver_volume;

/* The volume of the largest connected part. The liver is cut where its cross-section in the first or last slice
 * exceeds twice the cross-section at the end of a sphere, 2 h sqrt(pi A) (h: thickness of the slice, A: largest
 * cross-section along the axis). The factor 2 is for livers up to half as thick as wide. A label image may end with the
 * liver, as many DICOM SEG do. */
liver_volume liver_volume_measure(const liver_grid *g);

/* Writes why the volume may be wrong: cut by the border of the image, or outside 0.3 to 4 L, an assumed range of adult
 * livers. Returns the number of texts, 0 to LIVER_VOLUME_DOUBTS. */
enum { LIVER_VOLUME_DOUBTS = 2, LIVER_VOLUME_TEXT = 320 };
int liver_volume_find_doubts(const liver_volume *v, char text[LIVER_VOLUME_DOUBTS][LIVER_VOLUME_TEXT]);
#endif
