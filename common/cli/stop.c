/* SPDX-License-Identifier: Apache-2.0 */
#include "common/cli/stop.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t asked, deferred, at_end;
static struct timespec asked_at;

/* signals within this time count as one: timeout(1) and batch systems signal a process and then its group */
enum { SAME_MS = 1000 };

static void die_by_signal(int number) {
    sigset_t set;
    file_discard_all();
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}

static void on_signal(int number) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (deferred && !asked) {
        asked = number;
        asked_at = now;
    } else if (!deferred ||
               (now.tv_sec - asked_at.tv_sec) * 1000 + (now.tv_nsec - asked_at.tv_nsec) / 1000000 >= SAME_MS)
        die_by_signal(number);
}

static _Noreturn void exit_with_message(int code, const char *why) {
    const char *const part[] = {program_invocation_short_name, ": ", why, "\n"};
    ssize_t n = 0;
    for (size_t k = 0; k < sizeof part / sizeof *part && n >= 0; k++)
        n = write(STDERR_FILENO, part[k], strlen(part[k]));
    file_discard_all();
    _exit(code);
}

static const char no_memory[] =
    "not enough memory: a library could not continue without it; free some memory and run the same command again";

static void on_crash(int number) {
    if (errno == ENOMEM)
        exit_with_message(ERR_RESOURCE, no_memory);
    die_by_signal(number);
}

static void on_exit_early(void) {
    if (at_end)
        return;
    if (errno == ENOMEM)
        exit_with_message(ERR_RESOURCE, no_memory);
    exit_with_message(ERR_INTERNAL, "a library ended the program (error in the program); report it with the command");
}

static void install_handler(int number, const struct sigaction *action) {
    struct sigaction old;
    /* a handler that a sanitizer has installed before stays */
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        sigaction(number, action, NULL);
}

void stop_catch_signals(void) {
    /* stack of the crash handler, because HDF5 without memory may recurse until the normal stack is full */
    static char room[65536];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    static const int number[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1}, crash[] = {SIGSEGV, SIGBUS, SIGABRT};
    /* SIGXFSZ is ignored, so above a file-size limit write() fails and the program can report it */
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART},
                           after = {.sa_handler = on_crash, .sa_flags = SA_RESETHAND | SA_ONSTACK};
    sigset_t ours;
    sigemptyset(&ours);
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        install_handler(number[k], &action);
        sigaddset(&ours, number[k]);
    }
    sigprocmask(SIG_UNBLOCK, &ours, NULL);
    install_handler(SIGXFSZ, &ignore);
    if (sigaltstack(&stack, NULL) != 0)
        return;
    for (size_t k = 0; k < sizeof crash / sizeof *crash; k++)
        install_handler(crash[k], &after);
    if (atexit(on_exit_early) != 0)
        at_end = true; /* without the exit handler, only the exit code would show that a library ended the program
                        * early */
}

void stop_defer_signals(bool on) {
    deferred = on;
}

int stop_requested_signal(void) {
    return asked;
}

void stop_mark_end(void) {
    at_end = true;
}

void stop_end_by_signal(void) {
    stop_mark_end();
    if (asked)
        die_by_signal(asked);
}

void stop_exit(int rc) {
    stop_end_by_signal();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    exit(rc); /* sanitizers report leaks in exit() */
#else
    fflush(NULL);
    _exit(rc);
#endif
}
