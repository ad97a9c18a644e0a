/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line is in progress.c. */
#include "common/base/message.h"
#include "common/context/context.h"
#include "common/base/printable.h"
#include "common/base/progress.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WARNING_MAX = 200, LINE_MAX_LENGTH = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char program_name[64] = "portaflow";
static bool is_verbose, is_hushed;
static char *warning[WARNING_MAX + 1];
static const char *subject[WARNING_MAX + 1]; /* subject[k]: subject of warning[k] */
static int n_warning, n_serious;             /* number of all warnings; number of serious warnings, which come first */

void message_init(const char *program, bool verbose) {
    snprintf(program_name, sizeof program_name, "%s", program);
    is_verbose = verbose;
}

bool message_on_terminal(void) {
    return isatty(STDERR_FILENO) == 1;
}

static bool use_colour(void) {
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return message_on_terminal() && (!no_color || no_color[0] == '\0') && !(term && strcmp(term, "dumb") == 0);
}

/* If this thread runs a call of libportaflow, sends the text to the context of the call (context.h) and returns
 * true. */
static bool send_to_context(int level, const char *format, va_list args) {
    char text[LINE_MAX_LENGTH];
    context_record *c = context_current();
    if (c && c->on_message && !c->hushed) {
        vsnprintf(text, sizeof text, format, args);
        printable_replace_controls(text);
        c->on_message(c->data, level, text);
    }
    return c != NULL;
}

void message_line(const char *text) {
    pthread_mutex_lock(&lock);
    progress_erase_line();
    fprintf(stderr, "%s: %s\n", program_name, text);
    pthread_mutex_unlock(&lock);
}

void message_suppress(bool hushed) {
    context_record *c = context_current();
    *(c ? &c->hushed : &is_hushed) = hushed;
}

static void print_formatted(const char *format, va_list args) {
    char text[LINE_MAX_LENGTH];
    vsnprintf(text, sizeof text, format, args);
    printable_replace_controls(text);
    message_line(text);
}

void message_info(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!send_to_context(CONTEXT_INFO, format, args) && (!is_hushed || is_verbose))
        print_formatted(format, args);
    va_end(args);
}

void message_debug(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!send_to_context(CONTEXT_DEBUG, format, args) && is_verbose)
        print_formatted(format, args);
    va_end(args);
}

/* Record a warning once, even if it is repeated. Serious warnings stand first; both groups keep the order of
 * arrival. */
static void keep_warning(const char *text, const char *about) {
    for (int k = 0; k < n_warning; k++)
        if (strcmp(warning[k], text) == 0)
            return;
    char *copy = n_warning < WARNING_MAX ? strdup(text) : NULL;
    if (!copy)
        return;
    const int at = about ? n_serious++ : n_warning;
    memmove(warning + at + 1, warning + at, (size_t)(n_warning - at) * sizeof *warning);
    memmove(subject + at + 1, subject + at, (size_t)(n_warning - at) * sizeof *subject);
    warning[at] = copy;
    subject[at] = about ? about : "";
    n_warning++;
}

/* about: subject of a serious warning, "" for no subject; NULL: not serious. */
static void record_warning(const char *about, const char *format, va_list args) {
    char text[LINE_MAX_LENGTH];
    if (send_to_context(about ? CONTEXT_SERIOUS : CONTEXT_WARNING, format, args))
        return;
    vsnprintf(text, sizeof text, format, args);
    printable_replace_controls(text);
    if (is_hushed) { /* a suppressed warning is not recorded and is printed with --verbose only */
        if (is_verbose)
            message_line(text);
        return;
    }
    pthread_mutex_lock(&lock);
    keep_warning(text, about);
    progress_erase_line();
    const bool colour = use_colour();
    fprintf(stderr, "%s: %swarning:%s %s\n", program_name, colour ? "\033[33m" : "", colour ? "\033[0m" : "", text);
    pthread_mutex_unlock(&lock);
}

void message_warn(const char *format, ...) {
    va_list args;
    va_start(args, format);
    record_warning(NULL, format, args);
    va_end(args);
}

void message_warn_serious(const char *format, ...) {
    va_list args;
    va_start(args, format);
    record_warning("", format, args);
    va_end(args);
}

void message_warn_about(const char *about, const char *format, ...) {
    va_list args;
    va_start(args, format);
    record_warning(about, format, args);
    va_end(args);
}

int message_warning_count(void) {
    return n_warning;
}

int message_serious_count(void) {
    return n_serious;
}

const char *message_warning(int k) {
    return k >= 0 && k < n_warning ? warning[k] : "";
}

const char *message_warning_subject(int k) {
    return k >= 0 && k < n_warning ? subject[k] : "";
}

void message_clear(void) {
    pthread_mutex_lock(&lock);
    for (int k = 0; k < n_warning; k++)
        free(warning[k]);
    n_warning = n_serious = 0;
    pthread_mutex_unlock(&lock);
}
