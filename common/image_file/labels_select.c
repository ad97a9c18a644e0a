/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image_file/labels_select.h"
#include "common/base/status.h"
#include "common/image_file/label_names.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { MAX_LISTED = 12, MAX_DIFFERENT = 200, FEW = 3 };
static const double whole_floats = 16777216; /* 2^24, the largest number up to which every whole number is a float */
static const double some_same = 0.5, nearly_all_same = 0.9;

static bool label_is_chosen(long x, int n, const int *value) {
    for (int k = 0; k < n; k++)
        if (value[k] == x)
            return true;
    return n == 0 && x != 0;
}

static const char *find_name(const label_name *name, int n, long value) {
    for (int k = 0; k < n; k++)
        if (name[k].value == value)
            return name[k].name;
    return "";
}

int labels_format_list(const char *path, const volume *v, char *text, size_t size) {
    label_name name[MAX_DIFFERENT];
    const int n_name = path ? label_names_read(path, MAX_DIFFERENT, name) : 0;
    long seen[MAX_LISTED];
    int n = 0;
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < volume_size(v) && n < MAX_LISTED; i++) {
        long x = lround((double)v->value[i]);
        bool known = x == 0;
        for (int k = 0; k < n; k++)
            known = known || seen[k] == x;
        if (known)
            continue;
        seen[n++] = x;
        const char *called = find_name(name, n_name, x);
        used += (size_t)snprintf(text + used, size - used, "%s%ld%s%s%s", n > 1 ? ", " : "", x, called[0] ? " (" : "",
                                 called, called[0] ? ")" : "");
        used = used < size ? used : size - 1;
    }
    if (n == 0)
        snprintf(text, size, "nothing but 0");
    else if (n == MAX_LISTED)
        snprintf(text + used, size - used, " ...");
    return n;
}

/* The label of a voxel. Most voxels are 0, for which rounding takes long. */
static long label_of(float x) {
    return x == 0 ? 0 : lround((double)x);
}

int labels_select(const char *path, volume *labels, int n, const int *value) {
    size_t count = 0, voxels = volume_size(labels);
    char there[LABELS_TEXT];
    for (size_t i = 0; i < voxels; i++) {
        const double x = (double)labels->value[i];
        if (x == 0)
            continue;
        if (fabs(x) > whole_floats || fabs(x - round(x)) > LABELS_TOLERANCE)
            return fail(ERR_INPUT,
                        "'%s' holds %g, which is not a label: a mask has whole numbers only; give the image under "
                        "image: and a mask under labels:",
                        path, x);
    }
    for (int k = 0; k < n; k++) {
        size_t of_value = 0;
        for (size_t i = 0; i < voxels; i++)
            of_value += label_of(labels->value[i]) == value[k];
        if (of_value == 0) {
            labels_format_list(path, labels, there, sizeof there);
            return fail(ERR_INPUT, "'%s' holds no voxel of label %d; it holds %s", path, value[k], there);
        }
    }
    for (size_t i = 0; i < voxels; i++) {
        bool in = label_is_chosen(label_of(labels->value[i]), n, value);
        labels->value[i] = in ? 1 : 0;
        count += in;
    }
    if (count == 0)
        return fail(ERR_INPUT, "'%s' is empty: all its voxels are 0; check that it is the right mask", path);
    if (count == voxels)
        return fail(
            ERR_INPUT,
            "'%s' marks every voxel, so it is probably an image and not a mask; a mask is 0 outside, and an image "
            "belongs under image.path",
            path);
    return OK;
}

bool labels_recognize(const volume *v) {
    long value[MAX_DIFFERENT];
    int n = 0, last = 0;
    double same = 0, all = 0;
    const size_t size = volume_size(v);
    for (size_t i = 0; i < size; i++) {
        const double x = (double)v->value[i];
        if (x == 0)
            continue;
        if (!(x > -0.5) || x > 1e6 || fabs(x - rint(x)) > LABELS_TOLERANCE)
            return false;
        if (lround(x) == 0)
            continue;
        all++;
        same += i + 1 < size && fabsf(v->value[i] - v->value[i + 1]) < 0.5F;
        if (n > 0 && value[last] == lround(x))
            continue;
        for (last = 0; last < n && value[last] != lround(x); last++)
            ;
        if (last == MAX_DIFFERENT)
            return false;
        if (last == n)
            value[n++] = lround(x);
    }
    return n > 0 && all < (double)size && (n == 1 || same > (n <= FEW ? some_same : nearly_all_same) * all);
}
