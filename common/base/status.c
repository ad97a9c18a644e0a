/* SPDX-License-Identifier: Apache-2.0 */
/* The message is in a static buffer, because it must also report a lack of memory. */
#include "common/base/status.h"
#include "common/base/printable.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_MAX = 65536 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char message[MESSAGE_MAX];
static int message_code; /* status code of `message` */

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

int(fail)(int code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    pthread_mutex_lock(&lock);
    if (message[0] == '\0') {
        vsnprintf(message, sizeof message, format, args);
        printable_replace_controls(message);
        message_code = code;
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
    return fail(ERR_RESOURCE, "not enough memory for %s (%.*f %s needed)", what, k == 0 ? 0 : 1, bytes, unit[k]);
}

const char *status_message(void) {
    return message;
}

int status_code(void) {
    return message[0] ? message_code : OK;
}

void status_clear(void) {
    pthread_mutex_lock(&lock);
    message[0] = '\0';
    pthread_mutex_unlock(&lock);
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
        fail(ERR_INTERNAL, "unknown status code %d", rc);
        rc = ERR_INTERNAL;
    }
    int n_problem = 1; /* one problem per line; a line that begins with ' ' or '(' continues the problem above */
    for (const char *p = message; *p; p++)
        n_problem += *p == '\n' && p[1] != ' ' && p[1] != '(';
    if (rc != OK && n_problem > 1)
        fprintf(stderr, "%s: %d problems:\n%s\n", program, n_problem, message);
    else if (rc != OK)
        fprintf(stderr, "%s: %s\n", program, message[0] ? message : "failed without a recorded reason");
    if (!close_stdout()) {
        const char *reason = errno ? strerror(errno) : "write error";
        fprintf(stderr, "%s: cannot write to the standard output: %s\n", program, reason);
        if (rc == OK)
            rc = ERR_OUTPUT;
    }
    return rc;
}
