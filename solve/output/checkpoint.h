/* checkpoint.h5: the slots of all cells and where the run stands; written on one device, resumed on any.
 *
 *   /checkpoint  attributes version, key (text: solve_job_key), precision, kept (text: the mark of the files beside it,
 *                stored_files.h) and what is kept of run_progress, by the names in checkpoint.c
 *   slots [19][n_cell] (with heat [26][n_cell]), kept [n_partial] in the stored precision; cycle_velocity
 *   [n_cell][3] float (pulsatile)
 *   log_change, sample [n_sample][2 n_opening]: the statistics (run/fluctuation.h); mean_, good_0_, good_1_ with
 *   density, velocity, stress: mean fields and good states (run/run.h). Each where there is one. */
#ifndef PORTAFLOW_CHECKPOINT_H
#define PORTAFLOW_CHECKPOINT_H
#include "common/base/must_check.h"
#include "solve/run/run.h"
#include "solve/output/stored_files.h"

/* Host memory for what backend_table.read and write take; the caller frees both, also after an error: ERR_RESOURCE. */
MUST_CHECK int checkpoint_buffers(const domain *d, int n_slot, int precision, void **slots, void **kept);

/* Through "<path>.part"; of the result: statistics and good states. `mark`: of the files beside it (stored_files.h).
 * Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int checkpoint_write(const char *path, const char *key, const char *mark, const run_settings *r,
                                int precision, const run_progress *p, const run_result *result);

/* Puts the slots into the backend once the files in `folder` are those that belong to it (stored_files_resume, which
 * sets `sum`). The result, zeroed, gets statistics and good states (run_result_free).
 * p->cycle_velocity is allocated when present: free((void *)p->cycle_velocity).
 * Errors: ERR_INPUT (another case, lattice or precision; damaged, or the files are), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int checkpoint_read(const char *path, const char *key, const char *folder, char sum[STORED_FILES_SUM],
                               const run_settings *r, int precision, run_progress *p, run_result *result);
#endif
