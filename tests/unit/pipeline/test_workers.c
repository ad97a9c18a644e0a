/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of work shared out over processes: each is done once, a failure ends no other, a worker that dies is found. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pipeline/reproduce/workers.h"

enum { PIECES = 23 };

static int mark(void *data, int k) {
    char path[64];
    snprintf(path, sizeof path, "%s/done-%d", (const char *)data, k);
    FILE *to = fopen(path, "ax"); /* fails where it is there: done twice */
    if (!to)
        return ERR_OUTPUT;
    fprintf(to, "%d %s\n", (int)getpid(), getenv("CUDA_VISIBLE_DEVICES"));
    fclose(to);
    return k % 5 == 0 ? ERR_INPUT : OK;
}

static int die(void *data, int k) {
    (void)data;
    if (k == 3)
        raise(SIGKILL);
    return OK;
}

static void each_once(void **state) {
    (void)state;
    char folder[] = "workersXXXXXX", path[64];
    int seen[3] = {0};
    setenv("CUDA_VISIBLE_DEVICES", "3,7", 1);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(workers_run(3, PIECES, mark, folder, folder), OK);
    for (int k = 0; k < PIECES; k++) {
        char line[32];
        snprintf(path, sizeof path, "%s/done-%d", folder, k);
        FILE *from = fopen(path, "r");
        assert_non_null(from);
        assert_non_null(fgets(line, sizeof line, from));
        assert_int_not_equal(atoi(line), (int)getpid());
        seen[strstr(line, " 3\n") ? 0 : strstr(line, " 7\n") ? 1 : 2]++;
        fclose(from);
        remove(path);
    }
    for (int k = 1; k <= 3; k++) {
        snprintf(path, sizeof path, "%s/worker-%d.log", folder, k);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(seen[0] + seen[1], PIECES);
    assert_int_equal(seen[2], 0);
}

static void killed(void **state) {
    (void)state;
    char folder[] = "workersXXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(workers_run(2, PIECES, die, NULL, folder), ERR_RESOURCE);
    assert_int_equal(workers_run(1, PIECES, mark, NULL, "/proc/none"), ERR_OUTPUT);
    for (int k = 1; k <= 2; k++) {
        snprintf(path, sizeof path, "%s/worker-%d.log", folder, k);
        remove(path);
    }
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_once), cmocka_unit_test(killed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
