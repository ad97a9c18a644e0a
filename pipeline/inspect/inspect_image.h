/* A look at an image for `init` and `check`. Two versions, chosen by CMake: image_look.c reads it (needs
 * common_image), image_look_none.c only sees that the file is there. */
#ifndef PORTAFLOW_INSPECT_IMAGE_H
#define PORTAFLOW_INSPECT_IMAGE_H
#include "common/base/must_check.h"
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
#endif
