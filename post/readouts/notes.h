/* A list of sentences: why a readout could not be formed, how a number is meant. */
#ifndef PORTAFLOW_POST_READOUTS_NOTES_H
#define PORTAFLOW_POST_READOUTS_NOTES_H
#include "common/base/must_check.h"
#include "common/case/case.h"

typedef struct {
    int n;
    char **text; /* owned */
} notes;

/* A sentence more; one that is there already is not repeated. Errors: ERR_RESOURCE. */
MUST_CHECK int notes_add(notes *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What the case gives without +- and is in no interval: flows, the liver's resistance. Errors: ERR_RESOURCE. */
MUST_CHECK int notes_exact(const case_file *c, notes *n);
void notes_free(notes *n);
#endif
