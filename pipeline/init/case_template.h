/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a new case.yaml. */
#ifndef PORTAFLOW_CASE_TEMPLATE_H
#define PORTAFLOW_CASE_TEMPLATE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "pipeline/inspect/case_choice.h"

/* Writes the text of a new case.yaml.
 *   v      geometry of the image; dims[0] 0: unknown
 *   *text  out, freed by the caller
 * Errors: ERR_RESOURCE. */
MUST_CHECK int case_template_write(const case_choice *choice, const volume *v, const patient_files *found, char **text);
#endif
