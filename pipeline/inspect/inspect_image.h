/* A look at an image for `init` and `check`. A build without ITK only sees that the file is there. */
#ifndef PORTAFLOW_INSPECT_IMAGE_H
#define PORTAFLOW_INSPECT_IMAGE_H
#include "common/base/must_check.h"
#include "common/dicom/dicom_series.h"
#include "common/image/volume.h"
#include <stdbool.h>

/* Read all of it (`pixels`: whether damage in the voxels is looked for too; their values then stay, for
 * volume_free). *seen is false when this build cannot read images; v then stays zeroed. Errors: as image_read. */
MUST_CHECK int inspect_image(const char *path, const char *series, bool pixels, volume *v, bool *seen);

/* Read all of it and say whether it is an image of labels (labels_recognize) and how large what is not 0 is, mL; NAN:
 * not known, as of a DICOM folder, which is not looked into. Errors: as image_read. */
MUST_CHECK int inspect_image_kind(const char *path, volume *v, bool *seen, bool *labels, double *filled_ml);

/* The same for an image of labels, of which value[n] are taken. Errors: as image_read and labels_select. */
MUST_CHECK int inspect_image_labels(const char *path, int n, const int *value, volume *v, bool *seen);

/* The series of a DICOM folder; none in a build without ITK. Errors: as dicom_list_series. */
MUST_CHECK int inspect_series(const char *path, dicom_series_list *list);

/* The box of the voxels' centres, `margin` voxels wider, RAS or LPS, mm. */
void inspect_image_box(const volume *v, double margin, bool ras, double low[3], double high[3]);
#endif
