/* SPDX-License-Identifier: Apache-2.0 */
/* Segmentations (SEG): binary frames of named segments, as a label image (DICOM PS3.3 A.51, C.8.20). */
#ifndef PORTAFLOW_DICOM_SEGMENTATION_H
#define PORTAFLOW_DICOM_SEGMENTATION_H
#include "common/base/must_check.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { DICOM_SEGMENTS_MAX = 200, DICOM_SEGMENT_LABEL = 65 };
typedef struct {
    int number;                      /* SegmentNumber, which is the value of the segment's voxels in the label image */
    char label[DICOM_SEGMENT_LABEL]; /* SegmentLabel */
} dicom_segment;

typedef struct {
    int n;
    dicom_segment segment[DICOM_SEGMENTS_MAX];
} dicom_segment_list;

/* Read the segments of the file, or of the only segmentation of the folder `path`. The list is empty when there is none
 * or it cannot be read (image_read reports the reason). */
void dicom_read_segments(const char *path, dicom_segment_list *list);
#ifdef __cplusplus
}

#include "common/dicom/dicom_stack.h"
#include <string>
#include <vector>

/* Convert a segmentation to labels. frame[]: planes of the files (dicom_header_read); their names appear in messages.
 * Slices without a frame are 0. If segments overlap and the file declares this (SegmentsOverlap YES), a vessel (by
 * name) has priority over other segments, and a later segment over an earlier one; `warning` then names the segment
 * that loses the largest part of its voxels, else it is "". `pixels` false: geometry only. Errors: ERR_INPUT (not
 * binary, compressed, uneven slices, undeclared overlap, damaged), ERR_RESOURCE.
 * Test: tests/unit/common/test_dicom_segmentation.c */
MUST_CHECK int dicom_segmentation_read(const std::string &path, const std::vector<dicom_plane> &frame, bool pixels,
                                       char warning[DICOM_STACK_WARNING], volume *out);
/* Read the segments of one file. Errors: ERR_INPUT. */
MUST_CHECK int dicom_segmentation_list(const std::string &path, const char *name, dicom_segment_list *list);
#endif
#endif
