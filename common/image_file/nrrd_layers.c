/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image_file/nrrd_layers.h"
#include "common/base/status.h"
#include "common/image/label_kind.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Value of "\nSegment<n>_<key>:=" in the header, up to the end of the line; NULL: missing. */
static const char *find_value(const char *header, int n, const char *key, size_t *length) {
    char line[48];
    snprintf(line, sizeof line, "\nSegment%d_%s:=", n, key);
    const char *at = strstr(header, line);
    if (at == NULL)
        return NULL;
    at += strlen(line);
    *length = strcspn(at, "\r\n");
    return at;
}

int nrrd_layers_read_segments(const char *header, nrrd_segment out[NRRD_SEGMENTS_MAX]) {
    const char *end = strstr(header, "\n\n");
    int n = 0, index[NRRD_SEGMENTS_MAX];
    bool shared = false;
    for (const char *p = header;
         n < NRRD_SEGMENTS_MAX && (p = strstr(p, "\nSegment")) != NULL && (end == NULL || p < end); p += 8) {
        int segment, value, used = 0;
        size_t length;
        if (sscanf(p, "\nSegment%d_LabelValue:=%d%n", &segment, &value, &used) != 2 || used == 0)
            continue;
        const char *name = find_value(header, segment, "Name", &length);
        if (name == NULL)
            continue;
        out[n] = (nrrd_segment){.value = value, .label = {.value = value}};
        label_name_copy(name, name + length, out[n].label.name);
        const char *layer = find_value(header, segment, "Layer", &length);
        out[n].layer = layer != NULL ? atoi(layer) : 0;
        for (int k = 0; k < n; k++)
            shared = shared || out[k].value == value;
        index[n++] = segment;
    }
    for (int k = 0; k < n && shared; k++)
        out[k].label.value = index[k] + 1;
    return n;
}

/* Decides which of two overlapping segments, a or b, contains a voxel of both; -1: undecided. vessels: true if any
 * segment of the file has the name of a vessel. */
static int segment_owner(const nrrd_segment *s, bool vessels, int a, int b) {
    const bool first = label_kind_from_name(s[a].label.name) != LABEL_OTHER,
               second = label_kind_from_name(s[b].label.name) != LABEL_OTHER;
    if (first != second)
        return first ? a : b;
    return first || !vessels ? -1 : b;
}

static int find_segment(int n, const nrrd_segment *s, int layer, double value) {
    for (int k = 0; k < n; k++)
        if (s[k].layer == layer && fabs(s[k].value - value) < 0.5)
            return k;
    return -1;
}

int nrrd_layers_join(const char *path, int n_layer, const float *value, volume *out) {
    size_t size;
    char *head = label_names_read_head(path, &size);
    nrrd_segment s[NRRD_SEGMENTS_MAX];
    volume labels = {0};
    bool vessels = false;
    int rc = OK;
    if (head == NULL)
        return fail(ERR_INPUT, "cannot read '%s'; copy or export the file again", path);
    const int n = nrrd_layers_read_segments(head, s);
    if (n == 0)
        GIVE_UP(
            fail(ERR_INPUT,
                 "'%s' has %d layers and no segments of 3D Slicer (Segment0_LabelValue, Segment0_Name ..); give one "
                 "3D volume",
                 path, n_layer));
    for (int k = 0; k < n; k++)
        vessels = vessels || label_kind_from_name(s[k].label.name) != LABEL_OTHER;
    TRY(volume_create_like(&labels, out));
    for (size_t i = 0; i < volume_size(&labels); i++) {
        int has = -1;
        for (int layer = 0; layer < n_layer; layer++) {
            const double x = (double)value[i * (size_t)n_layer + (size_t)layer];
            const int here = x == 0 ? -1 : find_segment(n, s, layer, x), before = has;
            if (x != 0 && here < 0)
                GIVE_UP(fail(ERR_INPUT,
                             "'%s': its layer %d holds the value %g, which no segment of its header has; export the "
                             "vessel's segment as a labelmap",
                             path, layer, x));
            has = here < 0 ? before : before < 0 ? here : segment_owner(s, vessels, before, here);
            if (here >= 0 && before >= 0 && has < 0)
                GIVE_UP(fail(ERR_INPUT,
                             "'%s': its segments '%s' and '%s' overlap, and their names do not show which one is the "
                             "vessel; export the vessel's segment as a labelmap",
                             path, s[before].label.name, s[here].label.name));
        }
        labels.value[i] = has < 0 ? 0 : (float)s[has].label.value;
    }
    *out = labels;
    labels.value = NULL;
cleanup:
    volume_free(&labels);
    free(head);
    return rc;
}
