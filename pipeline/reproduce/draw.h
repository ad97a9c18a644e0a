/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic patients for a study, drawn by the program `phantom`. */
#ifndef PORTAFLOW_DRAW_H
#define PORTAFLOW_DRAW_H
#include "common/base/must_check.h"

/* Draws the patient in `folder`; the same options give the same bytes.
 *   option  options of phantom except --out, NULL-terminated, up to 16
 * Without phantom in this build, an existing patient in `folder` is used. Errors: ERR_RESOURCE (neither phantom nor an
 * existing patient), errors of phantom. */
MUST_CHECK int draw_patient(const char *folder, const char *const *option);

/* Draws random vessels with this seed as an exact shape, into <work>/patient-NN. folder: out, the folder of the
 * patient, FILE_PATH_MAX long. Errors: errors of draw_patient. */
MUST_CHECK int draw_random(const char *work, int seed, char *folder);

/* Draws random vessels with seeds 1 to n. seed [n] out: the seeds, sorted by decreasing work at equal cells per
 * diameter, so that the largest case does not finish last. Errors: errors of draw_patient. */
MUST_CHECK int draw_by_size(const char *work, int n, int *seed);
#endif
