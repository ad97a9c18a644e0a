/* SPDX-License-Identifier: Apache-2.0 */
/* Outcome of a computed case, for tables in which a failed case is a row. */
#ifndef PORTAFLOW_RUN_OUTCOME_H
#define PORTAFLOW_RUN_OUTCOME_H
#include "pipeline/reproduce/study_case.h"

typedef struct {
    int exit;            /* exit code of the failed stage; 0: no stage failed */
    int stage;           /* failed stage (enum in stages.h) */
    char sentence[512];  /* message of the failed stage, without the path of the log; "": none */
    bool solved;         /* true: solve.json of this lattice has a result */
    bool fields;         /* true: the fields of this solution exist */
    bool converged;      /* true: the flow is steady within the tolerance */
    bool unsteady;       /* true: the flow was reported as unsteady, and its time average is the solution */
    double cells, dx_mm; /* number of cells and spacing of the lattice; NaN: unknown, like all values below */
    double steps, change, seconds, reynolds;
    /* for an unsteady flow: range of the largest pressure difference between two openings, in percent of its mean */
    double swing_percent;
} run_outcome;

/* Sets all members of *o to unknown. */
void run_outcome_clear(run_outcome *o);

/* Reads lattice and solution in out/; a solution of another lattice does not count. o->exit and o->sentence
 * are unchanged. */
void run_outcome_read(const study_case *t, run_outcome *o);

/* Runs the stages up to `to`. A failed stage is recorded in *o. Errors that stop the study, on its page: interrupt,
 * missing program, ERR_OUTPUT. */
void run_outcome_compute(study_case *t, int to, run_outcome *o);

/* Writes the outcome: "settled", "unsteady", "not converged", "diverged (exit 5)", "failed (exit 3)", "not
 * computed". */
const char *run_outcome_word(const run_outcome *o, char word[32]);

/* True if no stage failed and the flow is steady or reported as unsteady. */
bool run_outcome_is_good(const run_outcome *o);
#endif
