/* SPDX-License-Identifier: Apache-2.0 */
/* Select labels of a label image as a mask. */
#ifndef PORTAFLOW_LABELS_SELECT_H
#define PORTAFLOW_LABELS_SELECT_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#include <stddef.h>

/* A value that is closer than this to a whole number counts as a label; resampling to floats has changed it. */
#define LABELS_TOLERANCE 0.01

/* Convert a label image to a mask: 1 where the value is one of value[n] (n = 0: any value but 0). Values
 * within 0.01 of a whole number are rounded. Errors: ERR_INPUT
 * (values that are not whole numbers; a value without voxels: the message lists the existing labels). */
MUST_CHECK int labels_select(const char *path, volume *labels, int n, const int *value);
/* Write the first twelve labels of the image to `text` [LABELS_TEXT] as "1, 2, 64 (aorta) ...", with names from the
 * file at `path` (NULL: without names); returns the number of labels written. */
enum { LABELS_TEXT = 800 };
int labels_format_list(const char *path, const volume *v, char *text, size_t size);
/* True when an image probably holds labels: numbers >= 0 within 0.01 of a whole number, up to 200 different values, in
 * connected regions. Values are in connected regions if half of the non-zero voxels equal the next voxel of their row
 * (with more than three labels: nine of ten). An image with a single non-zero value always qualifies, because thin
 * vessels have few equal neighbours. */
bool labels_recognize(const volume *v);
#endif
