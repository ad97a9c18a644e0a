/* SPDX-License-Identifier: Apache-2.0 */
/* The message is in a static buffer, because it must also report a lack of memory. */
#include "common/base/status.h"
#include "common/context/context.h"
#include "common/base/printable.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char message[CONTEXT_MESSAGE_MAX];
static int message_code; /* status code of `message` */

/* Error record of the call of libportaflow that this thread runs (context.h); otherwise of the process. */
static char *record(int **code) {
    context_record *c = context_current();
    *code = c ? &c->code : &message_code;
    return c ? c->message : message;
}

int(fail)(int code, const char *format, ...) {
    va_list args;
    int *recorded_code;
    char *text = record(&recorded_code);
    va_start(args, format);
    pthread_mutex_lock(&lock);
    if (text[0] == '\0') {
        vsnprintf(text, CONTEXT_MESSAGE_MAX, format, args);
        printable_replace_controls(text);
        *recorded_code = code;
    }
    pthread_mutex_unlock(&lock);
    va_end(args);
    return code;
}

int(fail_memory)(const char *what, double bytes) {
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    int k = 0;
    if (!(bytes > 0))
        return fail(ERR_RESOURCE, "not enough memory for %s", what);
    while (bytes >= 1024 && k < 4) {
        bytes /= 1024;
        k++;
    }
    return fail(ERR_RESOURCE, "not enough memory for %s (%.*f %s needed); free memory and repeat", what, k == 0 ? 0 : 1,
                bytes, unit[k]);
}

const char *status_message(void) {
    int *code;
    return record(&code);
}

int status_code(void) {
    int *code;
    return record(&code)[0] ? *code : OK;
}

void status_clear(void) {
    int *code;
    pthread_mutex_lock(&lock);
    record(&code)[0] = '\0';
    pthread_mutex_unlock(&lock);
}
