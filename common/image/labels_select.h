/* From an image of labels to the mask of some of them. */
#ifndef PORTAFLOW_LABELS_SELECT_H
#define PORTAFLOW_LABELS_SELECT_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Make a mask of an image of labels: 1 where the value is one of value[n] (n 0: any but 0).
 * Errors: ERR_INPUT (values that are not whole numbers, none of the values there: those that are, are listed). */
MUST_CHECK int labels_select(const char *path, volume *labels, int n, const int *value);
#endif
