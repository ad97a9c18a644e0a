/* SPDX-License-Identifier: Apache-2.0 */
/* The labels of a mask: values, names, volumes, and which of them are the vessel. */
#ifndef PORTAFLOW_SEGMENT_LABEL_LIST_H
#define PORTAFLOW_SEGMENT_LABEL_LIST_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/image_file/label_names.h"
#include <stdbool.h>

enum { LABEL_LIST_MAX = 200 };

typedef struct {
    int value;
    char name[LABEL_NAME_MAX]; /* name of the label; "": unknown */
    double volume_ml;
    bool taken;
} listed_label;

typedef struct {
    int n; /* number of labels; label[] is sorted by value and has no label 0 */
    listed_label label[LABEL_LIST_MAX];
} label_list;

/* List the labels of a mask. Names are read from the file. Without names, TotalSegmentator's names of vessels are used
 * if numbers and volumes fit exactly one of its class maps (task total of version 1 or 2, total_mr): label 64 is the
 * portal vein in one map and a rib in another. Errors: ERR_INPUT (no label, too many, no whole numbers). */
MUST_CHECK int label_list_read(const char *path, const volume *v, label_list *list);

/* Set `taken` for one kind of vessel, since arteries and veins touch: portal veins, else vessels, else arteries, else
 * veins; pulmonary vessels only if there are no others of the kind. Of up to eight labels without such a name, the
 * label with the longest tree for its volume is chosen; if there are more than eight, none is chosen. Errors:
 * ERR_RESOURCE. Test: tests/unit/segment/test_label_list.c */
MUST_CHECK int label_list_choose_vessel(label_list *list, const volume *v);

/* Set v to 1 in the labels with `taken` true, to 0 elsewhere. Returns false if no voxel has such a label. */
bool label_list_to_mask(const label_list *list, volume *v);
#endif
