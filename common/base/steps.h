/* How long each step took: for --verbose and the JSON file of a stage. */
#ifndef PORTAFLOW_STEPS_H
#define PORTAFLOW_STEPS_H

enum { STEPS_MAX = 24 };

typedef struct {
    int n;
    const char *name[STEPS_MAX]; /* string constants */
    double seconds[STEPS_MAX];   /* wall clock; a step that comes again adds up */
    double since;                /* clock_s() when the last one ended */
    double cpu_since;            /* clock_cpu_s() then */
} steps;

void steps_start(steps *s);                  /* forget all, start the clock */
void steps_add(steps *s, const steps *more); /* its steps after ours; the time since then is the next one's */
/* The time since the last end or start is this step's; told when verbose. s NULL: nothing. */
void steps_end(steps *s, const char *name);
#endif
