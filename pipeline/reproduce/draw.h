/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic patients for a study, drawn by the program `phantom`. Errors are recorded on the page of the study. */
#ifndef PORTAFLOW_DRAW_H
#define PORTAFLOW_DRAW_H
#include "pipeline/reproduce/study.h"

/* Draws the patient in `folder`; the same options give the same bytes.
 *   option  options of phantom except --out, NULL-terminated, up to 16
 * Without phantom in this build, an existing patient in `folder` is used; ERR_RESOURCE if there is none. */
void draw_patient(const study_context *x, const char *folder, const char *const *option);

/* Draws random vessels with this seed as an exact shape, into x->work/patient-NN. Returns this folder. */
const char *draw_random(const study_context *x, int seed);

/* Reads n values of a drawn patient by their names in truth/truth.csv; NaN: no such value. */
void draw_read_truth(const study_context *x, const char *folder, int n, const char *const *name, double *value);
#endif
