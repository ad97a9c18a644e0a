/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the labels of a mask: Segment<N>_Name of 3D Slicer in an NRRD header, or the label table (GIFTI style XML)
 * that TotalSegmentator writes as a NIfTI header extension, or the SegmentLabel of a DICOM segmentation. */
#ifndef PORTAFLOW_LABEL_NAMES_H
#define PORTAFLOW_LABEL_NAMES_H
#include "common/base/must_check.h"
#include <stddef.h>

enum { LABEL_NAME_MAX = 48 };
typedef struct {
    int value;
    char name[LABEL_NAME_MAX]; /* name of the label, with printable characters only */
} label_name;

/* Read up to `most` names; returns their number. 0 when the file has no names or cannot be read (image_read reports the
 * reason). Test: tests/unit/common/test_label_names.c */
int label_names_read(const char *path, int most, label_name *out);

/* The first MiB of a file, decompressed and NUL-terminated; the caller frees it. NULL: not readable. */
char *label_names_read_head(const char *path, size_t *size);
/* Copy the printable characters of `from .. end - 1`. */
void label_name_copy(const char *from, const char *end, char out[LABEL_NAME_MAX]);
#endif
