/* SPDX-License-Identifier: Apache-2.0 */
/* checkpoint.h5: populations of all cells and the progress of the run. Written on any device, resumed on any.
 *   /checkpoint  attributes: version, key (text, solve_job_key), precision, kept (text: mark of the stored files,
 *                stored_files.h), fields_averaged (number of fields in the mean), and the fields of run_progress named
 *                in checkpoint.c
 *     slots [backend_slots][n_cell], kept [n_partial]                 in the stored precision
 *     cycle_velocity [n_cell][3] float                                pulsatile
 *     passed, passed_before [n_opening]                           with openings
 *     models, models_cycle [OPENING_STATE]                        with modelled openings
 *     log_change, sample [n_sample][2 n_opening]                      statistics (statistics/fluctuation.h)
 *     mean_, good_0_, good_1_ with density, velocity, stress          mean fields, good states (run/run_settings.h)
 * Arrays without data are left out. */
#ifndef PORTAFLOW_CHECKPOINT_H
#define PORTAFLOW_CHECKPOINT_H
#include "common/base/must_check.h"
#include "solve/run/run.h"
#include "solve/output/stored_files.h"

/* Allocates host buffers for backend_table.read and write: slots [n_slot][n_cell] and kept [n_partial]
 * (core/backend.h). The caller frees both, also after an error. Errors: ERR_RESOURCE. */
MUST_CHECK int checkpoint_buffers(const domain *d, int n_slot, int precision, void **slots, void **kept);

/* Writes a checkpoint, with statistics and good states of the result. Writes "<path>.part" first, then renames it.
 * `mark`: mark of the files that belong to the checkpoint (stored_files.h). Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int checkpoint_write(const char *path, const char *key, const char *mark, const run_settings *r,
                                int precision, const run_progress *p, const run_result *result);

/* Checks that the files in `folder` match the checkpoint (stored_files_resume, which sets `sum`), then loads the
 * populations into the backend. The result (zeroed) gets statistics and good states; free with run_result_free.
 * p->cycle_velocity is allocated if present: free((void *)p->cycle_velocity). Errors: ERR_INPUT (another case, lattice
 * or precision; checkpoint or files damaged), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int checkpoint_read(const char *path, const char *key, const char *folder, char sum[STORED_FILES_SUM],
                               const run_settings *r, int precision, run_progress *p, run_result *result);
#endif
