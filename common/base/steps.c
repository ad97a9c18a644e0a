/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/steps.h"
#include "common/base/clock.h"
#include "common/base/message.h"
#include <string.h>

void steps_start(steps *s) {
    memset(s, 0, sizeof *s);
    s->since = clock_s();
    s->cpu_since = clock_cpu_s();
}

static void add_seconds(steps *s, const char *name, double seconds) {
    int k = 0;
    while (k < s->n && strcmp(s->name[k], name) != 0)
        k++;
    if (k == STEPS_MAX)
        return;
    s->name[k] = name;
    s->seconds[k] += seconds;
    s->n = k == s->n ? k + 1 : s->n;
}

void steps_add(steps *s, const steps *more) {
    for (int k = 0; k < more->n; k++)
        add_seconds(s, more->name[k], more->seconds[k]);
    s->since = more->since;
    s->cpu_since = more->cpu_since;
}

void steps_end(steps *s, const char *name) {
    if (!s)
        return;
    const double now = clock_s(), took = now - s->since, cpu = clock_cpu_s();
    message_debug("%-24s %6.2f s, %6.2f s CPU time", name, took, cpu - s->cpu_since);
    s->since = now;
    s->cpu_since = cpu;
    add_seconds(s, name, took);
}
