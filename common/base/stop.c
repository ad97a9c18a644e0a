/* See stop.h. */
#include "common/base/stop.h"
#include "common/base/file.h"
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked, deferred;

static void die(int number) {
    sigset_t set;
    file_discard_all();
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}

static void on_signal(int number) {
    if (deferred && !asked)
        asked = number;
    else
        die(number);
}

void stop_catch(void) {
    static const int number[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        struct sigaction old;
        if (sigaction(number[k], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(number[k], &action, NULL);
    }
}

void stop_defer(bool on) {
    deferred = on;
}

int stop_asked(void) {
    return asked;
}

void stop_die(void) {
    if (asked)
        die(asked);
}
