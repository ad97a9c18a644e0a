/* SPDX-License-Identifier: Apache-2.0 */
/* A signal that comes twice within a second asks once; one that comes later ends the program. One that was blocked when
 * the program was started asks, too. */
#include "common/cli/stop.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { WENT_ON = 42 };

/* How a child ends that is asked to stop, and once more after `wait_us`. */
static int asked_twice(useconds_t wait_us) {
    int end = 0;
    const pid_t child = fork();
    if (child == 0) {
        stop_catch_signals();
        stop_defer_signals(true);
        raise(SIGTERM);
        usleep(wait_us);
        raise(SIGTERM);
        _exit(stop_requested_signal() == SIGTERM ? WENT_ON : 1);
    }
    assert_int_equal(waitpid(child, &end, 0), child);
    return end;
}

static void test_twice(void **state) {
    (void)state;
    const int at_once = asked_twice(0), later = asked_twice(1200000);
    assert_true(WIFEXITED(at_once) && WEXITSTATUS(at_once) == WENT_ON);
    assert_true(WIFSIGNALED(later) && WTERMSIG(later) == SIGTERM);
}

static void test_blocked(void **state) {
    (void)state;
    int end = 0;
    const pid_t child = fork();
    if (child == 0) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        stop_catch_signals();
        stop_defer_signals(true);
        raise(SIGUSR1);
        _exit(stop_requested_signal() == SIGUSR1 ? WENT_ON : 1);
    }
    assert_int_equal(waitpid(child, &end, 0), child);
    assert_true(WIFEXITED(end) && WEXITSTATUS(end) == WENT_ON);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_twice), cmocka_unit_test(test_blocked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
