/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image_file/label_names.h"
#include "common/base/file.h"
#include "common/dicom/dicom_segmentation.h"
#include "common/image_file/nifti_file.h"
#include "common/image_file/nrrd_layers.h"
#include "common/record/dicom_head.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { HEAD_MAX = 1 << 20 };

char *label_names_read_head(const char *path, size_t *size) {
    gzFile f = file_is_regular(path) ? gzopen(path, "rb") : NULL;
    char *text = f != NULL ? malloc(HEAD_MAX + 1) : NULL;
    const int n = text != NULL ? gzread(f, text, HEAD_MAX) : -1;
    if (f != NULL)
        gzclose(f);
    if (n < 0) {
        free(text);
        return NULL;
    }
    *size = (size_t)n;
    text[n] = 0;
    return text;
}

void label_name_copy(const char *from, const char *end, char out[LABEL_NAME_MAX]) {
    int n = 0;
    for (; from < end && n < LABEL_NAME_MAX - 1; from++)
        if (isprint((unsigned char)*from))
            out[n++] = *from;
    out[n] = 0;
}

/* Copy the text of an XML element: without surrounding white space, CDATA markers removed, the five predefined entities
 * decoded. */
static void copy_xml(const char *from, const char *end, char out[LABEL_NAME_MAX]) {
    static const char open[] = "<![CDATA[", close[] = "]]>";
    static const struct {
        const char *name;
        char is;
    } entity[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    const size_t o = sizeof open - 1, c = sizeof close - 1;
    for (; from < end && isspace((unsigned char)*from); from++)
        ;
    for (; end > from && isspace((unsigned char)end[-1]); end--)
        ;
    if ((size_t)(end - from) >= o + c && strncmp(from, open, o) == 0 && strncmp(end - c, close, c) == 0) {
        label_name_copy(from + o, end - c, out);
        return;
    }
    label_name_copy(from, end, out);
    for (char *at = strchr(out, '&'); at != NULL; at = strchr(at + 1, '&'))
        for (size_t k = 0; k < sizeof entity / sizeof *entity; k++)
            if (strncmp(at, entity[k].name, strlen(entity[k].name)) == 0) {
                *at = entity[k].is;
                memmove(at + 1, at + strlen(entity[k].name), strlen(at + strlen(entity[k].name)) + 1);
                break;
            }
}

static label_name *find_or_add_entry(label_name *list, int *n, int most, int value) {
    for (int k = 0; k < *n; k++)
        if (list[k].value == value)
            return &list[k];
    if (*n == most)
        return NULL;
    list[*n] = (label_name){.value = value};
    return &list[(*n)++];
}

/* Read the names of 3D Slicer's segments from an NRRD header; returns their number. */
static int read_nrrd_names(const char *text, int most, label_name *out) {
    nrrd_segment segment[NRRD_SEGMENTS_MAX];
    const int found = nrrd_layers_read_segments(text, segment);
    int n = 0;
    for (int k = 0; k < found; k++) {
        label_name *to = find_or_add_entry(out, &n, most, segment[k].label.value);
        if (to != NULL)
            *to = segment[k].label;
    }
    return n;
}

/* Read names from elements <Label Key="64" Red=".."><![CDATA[portal_vein_and_splenic_vein]]></Label> between NIfTI
 * header and voxels; returns their number. */
static int read_nifti_names(char *text, size_t size, int most, label_name *out) {
    int n = 0;
    for (size_t i = 0; i < size; i++) /* strstr ends at a zero, so zeros are replaced */
        if (text[i] == 0)
            text[i] = ' ';
    const char *table = strstr(text, "<LabelTable"), *end = table != NULL ? strstr(table, "</LabelTable>") : NULL;
    for (const char *p = table; end != NULL && (p = strstr(p, "<Label ")) != NULL && p < end; p++) {
        const char *key = strstr(p, "Key=\""), *from = strchr(p, '>');
        const char *to = from != NULL ? strstr(from, "</Label>") : NULL;
        label_name *entry = key != NULL && to != NULL && key < from && to < end
                                ? find_or_add_entry(out, &n, most, (int)strtol(key + 5, NULL, 10))
                                : NULL;
        if (entry != NULL)
            copy_xml(from + 1, to, entry->name);
    }
    return n;
}

/* Read the names of the segments of a DICOM segmentation; returns their number. */
static int read_dicom_names(const char *path, int most, label_name *out) {
    dicom_segment_list list;
    int n = 0;
    dicom_read_segments(path, &list);
    for (; n < list.n && n < most; n++) {
        const char *label = list.segment[n].label;
        out[n].value = list.segment[n].number;
        label_name_copy(label, label + strlen(label), out[n].name);
    }
    return n;
}

int label_names_read(const char *path, int most, label_name *out) {
    size_t size = 0, from, to;
    if (file_is_folder(path) || dicom_head_recognize(path))
        return read_dicom_names(path, most, out);
    char *text = label_names_read_head(path, &size);
    int n = 0;
    if (text == NULL)
        return 0;
    if (strncmp(text, "NRRD", 4) == 0)
        n = read_nrrd_names(text, most, out);
    else if (nifti_file_extensions(path, &from, &to) && to < size)
        n = read_nifti_names(text + from, to - from, most, out);
    free(text);
    return n;
}
