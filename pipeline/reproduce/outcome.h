/* How a computed case ended, for tables in which a case that fails is a row and not the end. */
#ifndef PORTAFLOW_OUTCOME_H
#define PORTAFLOW_OUTCOME_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/trial.h"

typedef struct {
    int exit;            /* code of the stage that failed, 0: none did */
    int stage;           /* that stage (enum in stages.h) */
    char sentence[512];  /* what it said, without the path of its log; "" when none failed */
    bool solved;         /* there is a solution on this lattice: solve.json with a result */
    bool fields;         /* and its fields */
    bool converged;      /* steady, to the tolerance */
    bool unsteady;       /* said to be truly unsteady: its mean is the solution */
    double cells, dx_mm; /* of the lattice; NaN where unknown, as all below */
    double steps, change, seconds, reynolds;
    double swing_percent; /* of an unsteady flow: highest less lowest of the largest pressure difference between two
                           * openings, over its mean */
} outcome;

/* Nothing known. */
void outcome_clear(outcome *o);

/* Lattice and solution as they lie in out/; a solution of another lattice is none. The end itself (exit, sentence) is
 * left as it is. */
void outcome_read(const trial *t, outcome *o);

/* trial_run up to `to` (not further than base->to); a stage that fails is noted in `o` and is OK here, so that the next
 * case can come. Where base->to lies before solve, a solution that was computed elsewhere and lies in out/solve is
 * taken as it is, when it is one on this lattice, and post run on it when its fields are there; how it failed, if it
 * did, from the end of out/log/solve.log. set.txt holds what such a solve must be given, a KEY=VALUE a line
 * (data/reproduce/verify-cohort/solve_elsewhere.sh).
 * Errors: what keeps every case from being computed: we were interrupted, a program is missing, the text of the case
 * (ERR_INTERNAL), its folder (ERR_OUTPUT). */
MUST_CHECK int outcome_run(trial *t, const run_options *base, int to, outcome *o);

/* "settled", "unsteady", "not converged", "diverged (exit 5)", "failed (exit 3)", "not computed". */
const char *outcome_word(const outcome *o, char word[32]);

/* True when the run ended as it should: steady, or unsteady and said so. */
bool outcome_good(const outcome *o);
#endif
