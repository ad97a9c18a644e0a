/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of common/base/status.h: start and end of a program. A separate source, so that libportaflow, which
 * is no program, has no constructor. */
#include "common/base/status.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

/* Open closed standard streams as /dev/null. Otherwise the next opened file would get the stream's number and the
 * messages of the program. The streams are opened in the wrong direction, because using them must remain an error. A
 * constructor, because it must run before main() in every program. */
__attribute__((constructor)) static void open_streams(void) {
    int number;
    do
        number = open("/dev/null", fcntl(STDIN_FILENO, F_GETFD) < 0 ? O_WRONLY : O_RDONLY);
    while (number >= 0 && number <= STDERR_FILENO);
    if (number >= 0)
        close(number);
}

/* Flush and close stdout; false when printed text could not be written. A stdout that was closed from the start and
 * never used is no error. */
static bool close_stdout(void) {
    bool pending = __fpending(stdout) != 0;
    bool failed = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) != 0 && (pending || errno != EBADF))
        failed = true;
    return !failed;
}

int status_finish(const char *program, int rc) {
    if (rc < OK || rc > ERR_RESOURCE) {
        fail(ERR_INTERNAL, "unknown status code %d (error in the program)", rc);
        rc = ERR_INTERNAL;
    }
    const char *message = status_message();
    int n_problem = 1; /* one problem per line; a line that begins with ' ' or '(' continues the problem above */
    for (const char *p = message; *p; p++)
        n_problem += *p == '\n' && p[1] != ' ' && p[1] != '(';
    if (rc != OK && n_problem > 1)
        fprintf(stderr, "%s: %d problems:\n%s\n", program, n_problem, message);
    else if (rc != OK)
        fprintf(stderr, "%s: %s\n", program,
                message[0] ? message : "failed without a recorded reason (error in the program)");
    if (!close_stdout()) {
        const char *reason = errno ? strerror(errno) : "write error";
        fprintf(stderr, "%s: cannot write to the standard output: %s\n", program, reason);
        if (rc == OK)
            rc = ERR_OUTPUT;
    }
    return rc;
}
