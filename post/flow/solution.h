/* What solve says about its run: the "result" of solve.json. */
#ifndef PORTAFLOW_POST_FLOW_SOLUTION_H
#define PORTAFLOW_POST_FLOW_SOLUTION_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include <cjson/cJSON.h>
#include <stdbool.h>

enum { SOLUTION_WORD = 32, SOLUTION_DEVICE = 128, SOLUTION_FILE = 256 };

typedef struct {
    char file[SOLUTION_FILE]; /* name in the folder of solve.json */
    double time_s;
} solution_instant;

typedef struct {
    bool converged, pulsatile, vlbm;
    bool too_coarse; /* no number of such a lattice is a result (common/lattice/resolution.h) */
    char device[SOLUTION_DEVICE], mode[SOLUTION_WORD], wall[SOLUTION_WORD], collision[SOLUTION_WORD],
        precision[SOLUTION_WORD];
    double steps, dx_mm, dt_s, tau, reynolds, womersley, mach, mlups, seconds, flow_balance; /* NaN: not there */
    double unsteady_s; /* time that an unsteady flow was averaged over; NaN: steady or pulsatile */
    double cycle_period_s, cycles, change, cycle_change, cycles_left, tolerance;
    double *flow_ml_s, *pressure_pa; /* [n_opening] of the lattice's openings, NaN: not there */
    char mean_file[SOLUTION_FILE];   /* the fields to read: of the steady state, or the mean over the last cycle */
    int n_instant;                   /* pulsatile: stored instants of the last cycle; steady: 0 */
    solution_instant *instant;
} solution;

/* From the record of solve (solve.json); openings in the order of the lattice. Errors: ERR_INPUT (no result, spacing
 * not that of the lattice, a file name that is not a plain name, fewer than 3 instants), ERR_RESOURCE. */
MUST_CHECK int solution_take(const cJSON *record, const lattice *l, solution *s);
void solution_free(solution *s); /* safe on a zeroed struct */

/* Of a "result": the standard error of the means of an unsteady flow, as a part of the largest pressure difference
 * between two openings; 0: steady. A flow that was cut at its share of the work (share_used) may drift and has too few
 * samples: at least 1 %, which others end at. */
double solution_error_of_means(const cJSON *result);

/* Why no number of the run may be used: "NOT CONVERGED", "TOO COARSE"; NULL: they may. */
const char *solution_unusable(const solution *s);
#endif
