/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline init DIR`: scan the patient's folder and write a case.yaml with FILL-IN marks. */
#ifndef PORTAFLOW_INIT_H
#define PORTAFLOW_INIT_H
#include "common/base/must_check.h"

/* Scans the folder, prints the files found on stdout, and writes case.yaml and setup.html. An existing case.yaml is not
 * changed; setup.html then shows its points.
 * image   path of an image or DICOM folder; NULL: the first one found in DIR
 * series  UID, or words of the description, of a DICOM folder with several series; NULL: chosen (series.h)
 * Errors: ERR_INPUT when `image` or `series` does not exist; ERR_OUTPUT, also when a case.yaml exists from which no
 * setup.html can be built. */
MUST_CHECK int init_patient(const char *dir, const char *image, const char *series);
#endif
