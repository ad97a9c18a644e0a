/* The header of one DICOM file as planes: only sizes, positions, orientation, spacing, scaling, the series UID and
 * description. C++ (GDCM), used by itk_dicom.cpp alone. */
#ifndef PORTAFLOW_DICOM_HEADER_H
#define PORTAFLOW_DICOM_HEADER_H
#include "common/base/must_check.h"
#include "common/dicom/dicom_stack.h"
#include <string>
#include <vector>

/* One plane for a single-frame file, one per frame for an enhanced multi-frame file; none when the file holds no image
 * (reports, presentation states). `name` is kept as plane.file. Errors: ERR_INPUT. */
MUST_CHECK int dicom_header_read(const std::string &path, const char *name, int file_index, std::string *uid,
                                 std::vector<dicom_plane> *plane);
#endif
