/* SPDX-License-Identifier: Apache-2.0 */
/* Wall-clock time of each step of a program, for --verbose and the JSON file of a stage. */
#ifndef PORTAFLOW_STEPS_H
#define PORTAFLOW_STEPS_H

enum { STEPS_MAX = 24 };

typedef struct {
    int n;
    const char *name[STEPS_MAX]; /* names of the steps, string constants */
    double seconds[STEPS_MAX];   /* wall-clock time of each step; a repeated step adds to its time */
    double since;                /* clock_s() at the end of the last step, s */
    double cpu_since;            /* clock_cpu_s() at the end of the last step, s */
} steps;

void steps_start(steps *s);                  /* reset and start the clock */
void steps_add(steps *s, const steps *more); /* append the steps of `more` and continue with its clock */
/* End a step: record the time since the last end or start, and print it with --verbose. s may be NULL. */
void steps_end(steps *s, const char *name);
#endif
