/* Status codes, which are also the exit codes of every program, and the one recorded error sentence.
 *
 * A function that can fail returns int: OK or one of the codes below. The place that knows what went wrong calls
 * fail() once with one lower-case sentence that names the subject in quotes, the value, the limit and the remedy;
 * every caller above passes the code on (TRY) and frees what it holds behind a `cleanup:` label. Only main() prints. */
#ifndef PORTAFLOW_STATUS_H
#define PORTAFLOW_STATUS_H
#include "common/base/must_check.h"

#ifdef __cplusplus
extern "C" {
#endif

enum status { OK = 0, ERR_INTERNAL, ERR_USAGE, ERR_INPUT, ERR_OUTPUT, ERR_NUMERIC, ERR_RESOURCE };

/* Record the first reason (later ones are ignored until status_clear) and return `code`. Thread-safe. */
int fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Out of memory: records "not enough memory for <what> (<bytes> needed)", without the bytes when they are 0 (not
 * known). Returns ERR_RESOURCE. */
int fail_memory(const char *what, double bytes);

#if defined __clang_analyzer__ && !defined __cplusplus /* so that it knows what they return */
#define fail(code, ...)          ((void)(fail)(code, __VA_ARGS__), (code))
#define fail_memory(what, bytes) ((void)(fail_memory)(what, bytes), ERR_RESOURCE)
#endif

/* The recorded sentence, "" when there is none. Valid until status_clear. */
const char *status_message(void);
/* The code that came with it, OK when there is none: of two threads that failed, which one was first. */
int status_code(void);
void status_clear(void);

/* What main() does last: prints "<program>: <sentence>" to stderr when rc is not OK (problems of a case file, a line
 * each, follow "<program>: <n> problems:"), checks that stdout could be written (a full disk is ERR_OUTPUT), returns
 * the exit code. */
MUST_CHECK int status_finish(const char *program, int rc);

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        rc = (call);                                                                                                   \
        if (rc != OK)                                                                                                  \
            goto cleanup;                                                                                              \
    } while (0)

/* The same for a call that always fails: GIVE_UP(fail(ERR_INPUT, "...")). */
#define GIVE_UP(call)                                                                                                  \
    do {                                                                                                               \
        rc = (call);                                                                                                   \
        goto cleanup;                                                                                                  \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
