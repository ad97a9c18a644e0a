/* SPDX-License-Identifier: Apache-2.0 */
/* Start of a DICOM file, read without a DICOM library: recognition and the choice of files for a checksum. Every build
 * has this part; the images themselves are read by common/dicom. */
#ifndef PORTAFLOW_DICOM_HEAD_H
#define PORTAFLOW_DICOM_HEAD_H
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Value of `series` that selects the labels of a folder: its segmentation (SEG) if it has one, otherwise its images. */
#define DICOM_HEAD_LABELS "labels"

enum { DICOM_HEAD_UID = 65 };
typedef struct {
    char sop_class[DICOM_HEAD_UID]; /* SOP class; "": unknown */
    char series[DICOM_HEAD_UID];    /* SeriesInstanceUID; "": unknown */
    bool image;                     /* true: the file has rows of pixels, or its header is longer than the bytes that
                                     * were read */
} dicom_head;

/* True when the file is DICOM: "DICM" at byte 128, or no preamble and a known UID in its first elements. */
bool dicom_head_recognize(const char *path);

/* As dicom_head_recognize, and reads *head. Elements inside sequences do not count. In a deflated file all values of
 * *head are unknown. */
bool dicom_head_read(const char *path, dicom_head *head);

/* Kind of an object by its SOP class (DICOM PS3.4 B.5): a segmentation (SEG), or a structure set (RTSTRUCT). */
bool dicom_head_is_segmentation(const char *sop_class);
bool dicom_head_is_structure_set(const char *sop_class);
#ifdef __cplusplus
}
#endif
#endif
