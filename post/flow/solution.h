/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the object "result" of solve.json. */
#ifndef PORTAFLOW_POST_FLOW_SOLUTION_H
#define PORTAFLOW_POST_FLOW_SOLUTION_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include <cjson/cJSON.h>
#include <stdbool.h>

enum { SOLUTION_WORD = 32, SOLUTION_DEVICE = 128, SOLUTION_FILE = 256 };

typedef struct {
    char file[SOLUTION_FILE]; /* name of the file, in the folder of solve.json */
    double time_s;
} solution_instant;

typedef struct {
    bool converged, pulsatile, vlbm;
    bool too_coarse; /* true: the lattice is so coarse that the results are meaningless (common/lattice/resolution.h) */
    char device[SOLUTION_DEVICE], mode[SOLUTION_WORD], wall[SOLUTION_WORD], collision[SOLUTION_WORD],
        precision[SOLUTION_WORD];
    /* values of solve.json; NaN: missing */
    double steps, dx_mm, dt_s, tau, reynolds, womersley, mach, mlups, seconds, flow_balance;
    /* largest relative standard deviation of a pressure or flow of a steady flow whose residual stayed above the
     * tolerance; 0 or NaN: the residual reached it */
    double variation;
    double unsteady_s; /* time over which an unsteady flow was averaged; NaN: the flow is steady or pulsatile */
    double cycle_period_s, cycles, change, cycle_change, cycles_left, tolerance;
    double *flow_ml_s, *pressure_pa; /* [n_opening] in the order of the lattice; NaN: missing */
    /* file with the fields of the steady flow, or with their mean over the last cycle */
    char mean_file[SOLUTION_FILE];
    int n_instant; /* number of instants of the last cycle that were stored; 0: the flow is steady */
    solution_instant *instant;
} solution;

/* Reads the record of solve (solve.json). Openings get the order of the lattice. Errors: ERR_INPUT (no result, a
 * spacing that differs from the lattice, a file name with a folder, fewer than 3 instants), ERR_RESOURCE. */
MUST_CHECK int solution_take(const cJSON *record, const lattice *l, solution *s);
void solution_free(solution *s); /* safe on a zeroed struct */

/* Relative standard error of the mean of the largest pressure difference between two openings in an unsteady flow; 0
 * for a steady flow. If the averaging ended at the limit of work (share_used), it is at least 1 %, which is the target
 * of all other averages, because such a flow may drift and its average has few samples. */
double solution_error_of_means(const cJSON *result);

/* Reason why the results of the run must not be used: "NOT CONVERGED" or "TOO COARSE"; NULL: usable. */
const char *solution_unusable(const solution *s);
/* Verdict on the run for a field of a CSV file: "yes", or the reason why it must not be used. */
const char *solution_usable_word(const solution *s);
#endif
