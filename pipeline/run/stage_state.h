/* SPDX-License-Identifier: Apache-2.0 */
/* State of each stage (done, running, stale or missing) and the reason. */
#ifndef PORTAFLOW_STAGE_STATE_H
#define PORTAFLOW_STAGE_STATE_H
#include "common/base/must_check.h"
#include "pipeline/run/patient.h"
#include "pipeline/run/stages.h"

enum state_kind {
    STATE_DONE, /* all outputs exist and were made from the present inputs, case and program */
    /* outputs exist, but since then an input, the stage's part of the case or the program has changed */
    STATE_STALE,
    STATE_MISSING,    /* the stage has never finished */
    STATE_NOT_NEEDED, /* the case needs no such stage (stages_is_wanted) */
    STATE_WAITING,    /* only in `status`: an earlier stage is running */
};

typedef struct {
    int kind;
    char reason[512];     /* reason of the state, one clause; "" for STATE_DONE */
    bool files_changed;   /* true: an input, an output or the stage's part of the case has changed */
    bool input_changed;   /* true: an input file has other contents than before */
    bool uncompared;      /* true: the case of the recorded run is unknown, so a change of the case is not seen */
    bool has_checkpoint;  /* true: there is a checkpoint of an unfinished run, possibly of another case */
    char checkpoint[160]; /* text such as "; it continues from its checkpoint at step 1200"; "": none */
} stage_state;

void stage_state_find(const patient *p, int stage_index, stage_state *s);
/* Does the same as stage_state_find, and marks a done stage as stale if an earlier stage is not done. Call it in the
 * order of the stages. *before, in and out: name of the nearest earlier stage that is not done; NULL at first. */
void stage_state_find_next(const patient *p, int stage_index, const char **before, stage_state *s);
const char *stage_state_word(int kind);

/* `pipeline status DIR`: one line per stage on stdout, with the progress of a running stage. Errors: ERR_INPUT (no
 * folder, problems of the case). */
MUST_CHECK int stage_state_show(const char *dir, const options_list *set);
#endif
