/* Which stage is done, running, stale or missing, and why. */
#ifndef PORTAFLOW_STAGE_STATE_H
#define PORTAFLOW_STAGE_STATE_H
#include "common/base/must_check.h"
#include "pipeline/run/patient.h"
#include "pipeline/run/stages.h"

enum state_kind {
    STATE_DONE,     /* all it makes is there and of these inputs, this case and this program */
    STATE_STALE,    /* there, but something it was made from has changed */
    STATE_MISSING,  /* never finished */
    STATE_NOT_NEEDED, /* the case has no use for it */
    STATE_WAITING,  /* in `status`: for a stage above that runs at this moment */
};

typedef struct {
    int kind;
    char reason[512];     /* one clause; "" when done */
    bool files_changed;   /* a file that it reads, or made, or its case is not what it was */
    bool input_changed;   /* one that it reads is there, with another content */
    bool has_checkpoint;  /* of an unfinished run, which may be of this case */
    char checkpoint[160]; /* "; it continues from its checkpoint at step 1200", "" when there is none */
} stage_state;

void stage_state_find(const patient *p, int stage_index, stage_state *s);
/* The same in the order of the stages: one that is done is stale when one above it is not. *before: the nearest such
 * stage above, NULL at first; kept up. */
void stage_state_find_next(const patient *p, int stage_index, const char **before, stage_state *s);
const char *stage_state_word(int kind);

/* `pipeline status DIR`: a line per stage on stdout; of one that runs how far it is. Errors: ERR_INPUT (no folder,
 * problems of the case). */
MUST_CHECK int stage_state_show(const char *dir, const options_list *set);
#endif
