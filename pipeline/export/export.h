/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline export DIR`: results as DICOM objects, or as an archive without the patient. */
#ifndef PORTAFLOW_EXPORT_H
#define PORTAFLOW_EXPORT_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdbool.h>

/* Writes into `out`: SC0001.dcm (readouts), SC0002.dcm .. (pictures of the report), SEG0001.dcm (lumen on the grid of
 * the image, if the case has an image), and DOC0001.dcm (readouts and pictures as a PDF, or the file `pdf` if it is not
 * NULL). Old objects of these names are replaced.
 *   set        settings of the run; none: the recorded ones
 *   anonymous  nothing is taken from the header of the image
 * Errors: ERR_INPUT (a stage is not up to date; `pdf` is no PDF), ERR_OUTPUT, ERR_RESOURCE (build without ITK or
 * VTK). */
MUST_CHECK int export_dicom(const char *dir, const options_list *set, const char *out, const char *pdf, bool anonymous);

/* Writes the archive `file` (.tar.gz). It holds case.yaml without name, paths and comments, lumen, lattice, fields,
 * monitors, records, and the results of a new run of post for the name "anonymous". The export fails if a file contains
 * the path of the image, or an element of the image header that identifies the patient. Errors: the errors of
 * export_dicom. */
MUST_CHECK int export_archive(const char *dir, const options_list *set, const char *file, int threads);
#endif
