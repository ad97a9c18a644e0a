/* SPDX-License-Identifier: Apache-2.0 */
/* The receiver of errors, messages and progress while a program calls libportaflow (library/portaflow.h).
 *
 * The programs have no context: status.c and message.c then use one record per process and print to stderr. A library
 * call enters the context of its caller for its thread. Errors, messages and progress of this thread then go to the
 * context, nothing is printed, and no state is shared with other threads. Worker threads of OpenMP have no context:
 * code in a parallel region that may call fail() enters the context of the caller first. */
#ifndef PORTAFLOW_CONTEXT_H
#define PORTAFLOW_CONTEXT_H
#include <stdbool.h>

enum { CONTEXT_MESSAGE_MAX = 65536 };
enum context_level { CONTEXT_DEBUG, CONTEXT_INFO, CONTEXT_WARNING, CONTEXT_SERIOUS };

typedef struct {
    char message[CONTEXT_MESSAGE_MAX]; /* recorded error message (status.h); "": none */
    int code;                          /* status code of `message` */
    bool hushed;                       /* true after message_suppress(true) */
    double total, started_s;           /* amount of the current work; NAN: unknown. Its start, s (clock_s) */
    void *data;                        /* first argument of the callbacks */
    void (*on_message)(void *data, int level, const char *text); /* NULL: messages are dropped */
    /* share: completed part of the work, 0 to 1. left_s: remaining time, s. Both NAN: unknown. NULL: not reported */
    void (*on_progress)(void *data, double share, double left_s, const char *note);
} context_record;

/* Makes `next` the context of this thread; NULL: none. Returns the previous context, which the caller restores. */
context_record *context_enter(context_record *next);
/* The context of this thread; NULL: none. */
context_record *context_current(void);
#endif
