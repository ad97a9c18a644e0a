/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/label_list.h"
#include "common/base/status.h"
#include "common/image/label_kind.h"
#include "common/image_file/labels_select.h"
#include "segment/ends/centerline_ends.h"
#include "segment/ends/ends_constants.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Labels of vessels and of the liver in TotalSegmentator version 2, task total. */
static const label_name total[] = {{5, "liver"},
                                   {51, "heart"},
                                   {52, "aorta"},
                                   {53, "pulmonary_vein"},
                                   {54, "brachiocephalic_trunk"},
                                   {55, "subclavian_artery_right"},
                                   {56, "subclavian_artery_left"},
                                   {57, "common_carotid_artery_right"},
                                   {58, "common_carotid_artery_left"},
                                   {59, "brachiocephalic_vein_left"},
                                   {60, "brachiocephalic_vein_right"},
                                   {61, "atrial_appendage_left"},
                                   {62, "superior_vena_cava"},
                                   {63, "inferior_vena_cava"},
                                   {64, "portal_vein_and_splenic_vein"},
                                   {65, "iliac_artery_left"},
                                   {66, "iliac_artery_right"},
                                   {67, "iliac_vena_left"},
                                   {68, "iliac_vena_right"}};
/* Labels of vessels in TotalSegmentator version 1, task total, where 64 is a rib. */
static const label_name total_1[] = {{5, "liver"},
                                     {7, "aorta"},
                                     {8, "inferior_vena_cava"},
                                     {9, "portal_vein_and_splenic_vein"},
                                     {49, "pulmonary_artery"},
                                     {51, "iliac_artery_left"},
                                     {52, "iliac_artery_right"},
                                     {53, "iliac_vena_left"},
                                     {54, "iliac_vena_right"}};
/* Labels of vessels in TotalSegmentator version 2, task total_mr. */
static const label_name total_mr[] = {{5, "liver"},
                                      {22, "heart"},
                                      {23, "aorta"},
                                      {24, "inferior_vena_cava"},
                                      {25, "portal_vein_and_splenic_vein"},
                                      {26, "iliac_artery_left"},
                                      {27, "iliac_artery_right"},
                                      {28, "iliac_vena_left"},
                                      {29, "iliac_vena_right"}};
enum { V1_MOST = 104, V2_MOST = 117, MR_MOST = 50, LABELS_MIN = 20, MR_LABELS_MIN = 15, V2_AORTA = 52, MR_AORTA = 23 };
/* Labels 8 and 9 are inferior vena cava and portal vein in TotalSegmentator version 1, but adrenal glands in version 2
 * and in task total_mr. */
enum { EIGHT = 8, NINE = 9 };

/* Count the voxels of each label into list->label[..].volume_ml; false: no label image, or too many labels. */
static bool count_labels(const volume *v, label_list *list) {
    memset(list, 0, sizeof *list);
    int last = -1;
    for (size_t i = 0; i < volume_size(v); i++) {
        const double x = (double)v->value[i];
        if (x == 0) /* most voxels */
            continue;
        if (!(x > -0.5) || x > 1e6 || fabs(x - rint(x)) > LABELS_TOLERANCE)
            return false;
        const int value = (int)lround(x);
        if (value == 0)
            continue;
        if (last < 0 || list->label[last].value != value) {
            for (last = 0; last < list->n && list->label[last].value != value; last++)
                ;
            if (last == list->n && list->n == LABEL_LIST_MAX)
                return false;
            if (last == list->n)
                list->label[list->n++] = (listed_label){.value = value};
        }
        list->label[last].volume_ml++;
    }
    return true;
}

/* Volume of a label, mL; 0: not in the list. */
static double volume_of(const label_list *list, int value) {
    for (int k = 0; k < list->n; k++)
        if (list->label[k].value == value)
            return list->label[k].volume_ml;
    return 0;
}

static void name_by(label_list *list, const label_name *map, size_t n) {
    for (int k = 0; k < list->n; k++)
        for (size_t m = 0; m < n; m++)
            if (map[m].value == list->label[k].value)
                snprintf(list->label[k].name, LABEL_NAME_MAX, "%s", map[m].name);
}

/* Name the labels by the class map that fits their numbers and volumes (mL), if any. */
static void name_by_class_map(label_list *list) {
    const int most = list->n > 0 ? list->label[list->n - 1].value : 0;
    const double eight = volume_of(list, EIGHT), nine = volume_of(list, NINE);
    const bool both = eight > 0 && nine > 0, glands = both && fmax(eight, nine) < GLAND_ML;
    if (list->n >= LABELS_MIN && most <= V2_MOST && volume_of(list, V2_AORTA) > 0 && (most > V1_MOST || glands))
        name_by(list, total, sizeof total / sizeof *total);
    else if (list->n >= LABELS_MIN && most > MR_MOST && most <= V1_MOST && both && eight >= GLAND_ML)
        name_by(list, total_1, sizeof total_1 / sizeof *total_1);
    else if (list->n >= MR_LABELS_MIN && most <= MR_MOST && volume_of(list, MR_AORTA) > 0 && glands)
        name_by(list, total_mr, sizeof total_mr / sizeof *total_mr);
}

int label_list_read(const char *path, const volume *v, label_list *list) {
    label_name name[LABEL_LIST_MAX];
    const double ml = v->spacing_mm[0] * v->spacing_mm[1] * v->spacing_mm[2] / 1000;
    if (!count_labels(v, list) || list->n == 0)
        return fail(ERR_INPUT, "'%s' contains no label, or more than %d; give an image whose voxels are label numbers",
                    path, LABEL_LIST_MAX);
    for (int k = 1; k < list->n; k++) /* insertion sort by label value */
        for (int m = k; m > 0 && list->label[m].value < list->label[m - 1].value; m--) {
            const listed_label swap = list->label[m];
            list->label[m] = list->label[m - 1];
            list->label[m - 1] = swap;
        }
    const int n = label_names_read(path, LABEL_LIST_MAX, name);
    for (int k = 0; k < list->n; k++) {
        list->label[k].volume_ml *= ml;
        for (int m = 0; m < n; m++)
            if (name[m].value == list->label[k].value)
                snprintf(list->label[k].name, LABEL_NAME_MAX, "%s", name[m].name);
    }
    if (n == 0)
        name_by_class_map(list);
    return OK;
}

/* Sets `taken` of the labels of one kind of vessel, and returns their number. Pulmonary vessels are chosen only if no
 * other vessel of this kind has a label: they touch the aorta and do not belong to the systemic circulation. */
static int choose_kind(label_list *list, enum label_kind kind) {
    int n = 0;
    for (int of_lung = 0; of_lung < 2 && n == 0; of_lung++)
        for (int k = 0; k < list->n; k++) {
            const char *name = list->label[k].name;
            n += list->label[k].taken =
                label_kind_from_name(name) == kind && (strcasestr(name, "pulmon") != NULL) == (of_lung > 0);
        }
    return n;
}

/* Slenderness: length^3 / volume. The radius along the tree is unsuitable: it is small between the tunnels that vessels
 * leave in the mask of an organ. */
static double slenderness(const centerline_tree *t, const volume *mask, double volume_ml) {
    centerline_end *end = malloc(((size_t)t->n + 2) * sizeof *end);
    if (end == NULL)
        return 0;
    const double length = centerline_ends_length_mm(t, centerline_ends_find(t, mask, end), end);
    free(end);
    return length * length * length / volume_ml;
}

/* Finds the label with the largest slenderness. *best: its index; -1: no label has a tree. */
static int find_most_slender(const label_list *list, const volume *v, int *best) {
    double most = 0;
    int rc = OK;
    *best = -1;
    for (int k = 0; k < list->n && rc == OK; k++) {
        volume one = {0};
        centerline_tree t = {0};
        rc = volume_create_like(&one, v);
        for (size_t i = 0; rc == OK && i < volume_size(v); i++)
            one.value[i] = (int)lrintf(v->value[i]) == list->label[k].value;
        if (rc == OK)
            rc = centerline_tree_find(&one, &t);
        const double value = rc == OK ? slenderness(&t, &one, list->label[k].volume_ml) : 0;
        if (value > most) {
            most = value;
            *best = k;
        }
        centerline_tree_free(&t);
        volume_free(&one);
    }
    return rc;
}

int label_list_choose_vessel(label_list *list, const volume *v) {
    int best = -1, rc = OK;
    for (enum label_kind kind = LABEL_PORTAL; kind < LABEL_OTHER; kind++)
        if (choose_kind(list, kind) > 0)
            return OK;
    if (list->n > 1 && list->n <= TREES_MAX)
        rc = find_most_slender(list, v, &best);
    for (int k = 0; k < list->n; k++)
        list->label[k].taken = k == best || (best < 0 && list->n <= TREES_MAX);
    return rc;
}

bool label_list_to_mask(const label_list *list, volume *v) {
    bool any = false;
    for (size_t i = 0; i < volume_size(v); i++) {
        bool in = false;
        for (int k = 0; k < list->n && v->value[i] > 0; k++)
            in = in || (list->label[k].taken && list->label[k].value == (int)lrintf(v->value[i]));
        v->value[i] = in;
        any = any || in;
    }
    return any;
}
