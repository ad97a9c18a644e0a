/* The labels of a mask: which there are, what they are called, how large they are, which of them are the vessel. */
#ifndef PORTAFLOW_SEGMENT_LABEL_LIST_H
#define PORTAFLOW_SEGMENT_LABEL_LIST_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/image_file/label_names.h"
#include <stdbool.h>

enum { LABEL_LIST_MAX = 200 };

typedef struct {
    int value;
    char name[LABEL_NAME_MAX]; /* "": not known */
    double volume_ml;
    bool taken;
} listed_label;

typedef struct {
    int n; /* ascending by value, 0 left out */
    listed_label label[LABEL_LIST_MAX];
} label_list;

/* Names from the file; those of a mask without names are TotalSegmentator's where number and volume of the labels fit
 * one of its class maps (task total of version 1 or 2, total_mr), of which vessels are named: label 64 is the portal
 * vein in one and a rib in another. Errors: ERR_INPUT (empty). */
MUST_CHECK int label_list_make(const char *path, const volume *v, label_list *list);

/* Sets `taken`: names that say portal, else vessel, else artery, else vein (arteries and veins lie side by side; those
 * of the lung where there are no others of the kind);
 * without such a name, of at most eight labels the one whose tree is longest for its radius; of more none.
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_label_list.c */
MUST_CHECK int label_list_choose(label_list *list, const volume *v);

/* v becomes 1 where a taken label is, else 0; false: nowhere. */
bool label_list_mask(const label_list *list, volume *v);
#endif
