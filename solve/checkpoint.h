/* checkpoint.h5: the slots of all cells and where the run stands; written on one device, resumed on any.
 *
 *   /checkpoint  attributes version, program, key (text: checksum of the lattice file and of the case's solve part),
 *                precision, step, cycle, last_cycle, cycle_change, stored, time_before_s
 *                monitors (text: how many bytes of monitors.csv belong to it, and their checksum)
 *   slots [19][n_cell], kept [n_partial] in the stored precision; cycle_velocity [n_cell][3] float (pulsatile) */
#ifndef PORTAFLOW_CHECKPOINT_H
#define PORTAFLOW_CHECKPOINT_H
#include "solve/core/run.h"

enum { CHECKPOINT_MONITORS = 64 };

/* Through "<path>.part". `monitors`: as output_monitors_mark gives it. Errors: ERR_OUTPUT, ERR_RESOURCE. */
int checkpoint_write(const char *path, const char *key, const char *monitors, const run_settings *r, int precision,
                     const run_progress *p);

/* Puts the slots into the backend, and monitors.csv back to where it was (output_monitors_keep). p->cycle_velocity is allocated when present: free((void *)p->cycle_velocity).
 * Errors: ERR_INPUT (another case, lattice or precision; damaged). */
int checkpoint_read(const char *path, const char *key, const char *monitors_path, const run_settings *r, int precision,
                    run_progress *p);
#endif
