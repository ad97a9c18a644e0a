/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry, scaling, series UID and description of the planes of one DICOM file. C++ (GDCM), used by the DICOM
 * readers. */
#ifndef PORTAFLOW_DICOM_HEADER_H
#define PORTAFLOW_DICOM_HEADER_H
#include "common/base/must_check.h"
#include "common/dicom/dicom_stack.h"
#include <string>
#include <vector>

enum dicom_object { DICOM_OBJECT_IMAGE, DICOM_OBJECT_SEGMENTATION, DICOM_OBJECT_STRUCTURE_SET };

/* Read one plane from a single-frame file, or one plane per frame from an enhanced multi-frame file. There are no
 * planes when the file holds no image (reports, presentation states). The planes of a
 * segmentation are its frames. `name` becomes plane.file. Errors: ERR_INPUT. */
MUST_CHECK int dicom_header_read(const std::string &path, const char *name, int file_index, enum dicom_object *object,
                                 std::string *uid, std::vector<dicom_plane> *plane);
#endif
