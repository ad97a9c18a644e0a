/* SPDX-License-Identifier: Apache-2.0 */
/* Inspection of images for `init` and `check`. A build without ITK only checks that the file exists. */
#ifndef PORTAFLOW_INSPECT_IMAGE_H
#define PORTAFLOW_INSPECT_IMAGE_H
#include "common/base/must_check.h"
#include "common/dicom/dicom_series.h"
#include "common/image/volume.h"
#include "common/liver/liver_grid.h"
#include <stdbool.h>

/* Reads the geometry of an image, and with `pixels` also its voxels, so that damaged voxels are found. The caller frees
 * the voxels with volume_free. *seen false: this build cannot read images, and v is zeroed. Errors: as image_read. */
MUST_CHECK int inspect_image(const char *path, const char *series, bool pixels, volume *v, bool *seen);

/* Reads an image and reports whether it holds labels (labels_recognize) and the volume of its nonzero voxels, mL. NAN:
 * unknown, as for a DICOM folder, whose voxels are not read. Errors: as image_read. */
MUST_CHECK int inspect_image_kind(const char *path, volume *v, bool *seen, bool *labels, double *filled_ml);

/* Reads an image of labels and checks that it holds value[n]. Errors: as image_read and labels_select. */
MUST_CHECK int inspect_image_labels(const char *path, int n, const int *value, volume *v, bool *seen);

/* Reads the label of a liver as cells and checks it; the caller calls liver_grid_free. g->n 0: this build cannot read
 * images. Errors: as inspect_image_labels and liver_grid_check. */
MUST_CHECK int inspect_image_liver(const char *path, int n, const int *value, liver_grid *g);

/* Lists the series of a DICOM folder; none in a build without ITK. Errors: as dicom_list_series. */
MUST_CHECK int inspect_series(const char *path, dicom_series_list *list);

/* Computes the bounding box of the voxel centres, extended by `margin` voxels, RAS or LPS, mm. */
void inspect_image_box(const volume *v, double margin, bool ras, double low[3], double high[3]);
/* Rank of a mask; the lowest is best. First masks of a portal vein, vessel or artery alone: by the name of the file, or
 * of all its labels with voxels. Then masks with such a label or a vein beside other labels, then the others. */
int inspect_image_mask_rank(const char *path);
#endif
