/* SPDX-License-Identifier: Apache-2.0 */
/* Writes setup.html: the page shows the image with a mask on the same grid, or the mask alone. */
#ifndef PORTAFLOW_SETUP_WRITE_H
#define PORTAFLOW_SETUP_WRITE_H
#include "common/base/must_check.h"
#include "pipeline/inspect/case_choice.h"
#include "pipeline/run/patient.h"
#include <stdbool.h>

/* Writes setup.html at `path` with the chosen image in `dir` (without an image, the mask), the mask, and the ends found
 * in it as proposed points (without a mask also seeds). For an unreadable image, and in a build without ITK, *written
 * is false; `check` reports the cause. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int setup_write(const char *path, const char *dir, const case_choice *choice, bool *written);

/* Writes the same page for an existing case: seeds, openings with their boundary conditions, sections, the lumen of a
 * mask or a result, and the cuts of mesh with arrows and diameters.
 *   text  of case.yaml, for editing: the page changes seeds, openings and sections only; NULL: view only
 * *written is false in a build without ITK (setup_reads_images), for a case without image and mask, and for an
 * unreadable image; then status_message() is not empty and the caller clears the status. Errors: as setup_write. */
MUST_CHECK int setup_write_case(const char *path, const patient *p, const char *text, bool *written);

/* False in a build without ITK, which reads no images. */
bool setup_reads_images(void);
#endif
