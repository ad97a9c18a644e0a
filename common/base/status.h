/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes, which are also the exit codes of every program, and one recorded error message.
 *
 * A function that can fail returns int: OK or a code below. The function that finds the failure calls fail() once. The
 * message is one lower-case sentence with the subject in quotes, the value, the limit and the remedy. Every caller
 * passes the code on (TRY) and frees its resources after a `cleanup:` label. Only main() prints. */
#ifndef PORTAFLOW_STATUS_H
#define PORTAFLOW_STATUS_H
#include "common/base/must_check.h"

#ifdef __cplusplus
extern "C" {
#endif

enum status { OK = 0, ERR_INTERNAL, ERR_USAGE, ERR_INPUT, ERR_OUTPUT, ERR_NUMERIC, ERR_RESOURCE };

/* Record the first reason (later ones are ignored until status_clear) and return `code`. Thread-safe. */
int fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Record "not enough memory for <what> (<bytes> needed)"; bytes = 0: unknown, not printed. Returns ERR_RESOURCE. */
int fail_memory(const char *what, double bytes);

#if defined __clang_analyzer__ && !defined __cplusplus /* shows the returned value to the static analyzer */
#define fail(code, ...)          ((void)(fail)(code, __VA_ARGS__), (code))
#define fail_memory(what, bytes) ((void)(fail_memory)(what, bytes), ERR_RESOURCE)
#endif

/* The recorded message, "" when there is none. Valid until status_clear. */
const char *status_message(void);
/* The code of the recorded message; OK when there is none. When two threads fail, this code identifies the first. */
int status_code(void);
void status_clear(void);

/* The last call of main(). Prints "<program>: <message>" to stderr when rc is not OK. Several problems of a case file
 * are printed as "<program>: <n> problems:", then one per line. Checks that stdout was written (full disk: ERR_OUTPUT).
 * Returns the exit code. */
MUST_CHECK int status_finish(const char *program, int rc);

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        rc = (call);                                                                                                   \
        if (rc != OK)                                                                                                  \
            goto cleanup;                                                                                              \
    } while (0)

/* As TRY, for a call that always fails, such as GIVE_UP(fail(ERR_INPUT, "...")). */
#define GIVE_UP(call)                                                                                                  \
    do {                                                                                                               \
        rc = (call);                                                                                                   \
        goto cleanup;                                                                                                  \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
