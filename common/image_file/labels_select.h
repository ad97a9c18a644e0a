/* From an image of labels to the mask of some of them. */
#ifndef PORTAFLOW_LABELS_SELECT_H
#define PORTAFLOW_LABELS_SELECT_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#include <stddef.h>

/* Make a mask of an image of labels: 1 where the value is one of value[n] (n 0: any but 0).
 * Errors: ERR_INPUT (values that are not whole numbers, none of the values there: those that are, are listed). */
MUST_CHECK int labels_select(const char *path, volume *labels, int n, const int *value);
/* "1, 2, 64 (aorta) ...": the first twelve values that are there but 0, with their names where the file at `path` has
 * some; how many these are. text [LABELS_TEXT] */
enum { LABELS_TEXT = 800 };
int labels_list(const char *path, const volume *v, char *text, size_t size);
/* True of an image that is one of labels: whole numbers from 0 on, at most 200 different ones, in pieces (half of the
 * voxels that are not 0 have the value of the next one in their row; nine of ten where there are more than three), or
 * 0 and one other value, however thin the vessel is. */
bool labels_recognize(const volume *v);
#endif
