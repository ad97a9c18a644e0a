/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline demo DIR`: a synthetic patient, from its image to the report. */
#ifndef PORTAFLOW_DEMO_H
#define PORTAFLOW_DEMO_H
#include "common/base/must_check.h"
#include "pipeline/run/run_patient.h"

/* Draws the image of the demo into `dir`, copies its case.yaml and waveforms there, and runs the stages. Existing files
 * are kept. Errors: ERR_INPUT if dir has a case.yaml but no image of the demo; ERR_RESOURCE if the program phantom or
 * the data of the demo are not installed; as run_patient. */
MUST_CHECK int demo_run(const char *dir, const run_options *o);
#endif
