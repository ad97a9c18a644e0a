/* SPDX-License-Identifier: Apache-2.0 */
/* Decode and rescale the pixels of DICOM planes. C++ (GDCM), used by the DICOM readers. */
#ifndef PORTAFLOW_DICOM_UNPACK_H
#define PORTAFLOW_DICOM_UNPACK_H
#include "common/base/must_check.h"
#include "common/dicom/dicom_files.h"
#include "common/dicom/dicom_stack.h"
#include <gdcmTransferSyntax.h>
#include <string>

/* Fill value[plane.size()][rows][columns] with stored value * slope + intercept, in the order of `plane`. All planes
 * have the same size. Each file is read once. `note` (ISOLATE_NOTE bytes): name of the current file. Errors: ERR_INPUT,
 * naming the file. */
MUST_CHECK int dicom_unpack(const dicom_files &d, const std::vector<dicom_plane> &plane, char *note, float *value);

/* Check that the file has all bytes of its pixels, `needed` if they are not compressed, and no others. Errors:
 * ERR_INPUT. */
MUST_CHECK int dicom_unpack_check_whole(const std::string &path, const char *name, const gdcm::TransferSyntax &syntax,
                                        double needed);
#endif
