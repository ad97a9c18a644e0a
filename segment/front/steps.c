/* See steps.h. */
#include "segment/front/steps.h"
#include "common/base/clock.h"
#include "common/base/message.h"
#include <string.h>

void steps_start(steps *s) {
    memset(s, 0, sizeof *s);
    s->since = clock_s();
}

static void add(steps *s, const char *name, double seconds) {
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
        add(s, more->name[k], more->seconds[k]);
    s->since = more->since;
}

void steps_end(steps *s, const char *name) {
    const double now = clock_s(), took = now - s->since;
    message_debug("%-24s %6.2f s", name, took);
    s->since = now;
    add(s, name, took);
}
