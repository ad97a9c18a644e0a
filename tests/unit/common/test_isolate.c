/* SPDX-License-Identifier: Apache-2.0 */
/* Reading in a process of its own, behind loops over threads: the child has none of the parent's threads. */
#include "common/base/status.h"
#include "common/image/isolate.h"
#include "common/image/volume.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>
#include <cmocka.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static const int dims[3] = {80, 80, 80};
static const double ones[3] = {1, 1, 1}, origin[3] = {0, 0, 0}, straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* A volume large enough that it is cleared by all threads. */
static int read_ramp(void *argument, char note[ISOLATE_NOTE], volume *out) {
    (void)argument;
    note[0] = '\0';
    const int rc = volume_create(out, dims, ones, origin, straight);
    for (size_t k = 0; rc == OK && k < volume_size(out); k += 1000)
        out->value[k] = (float)k;
    return rc;
}

static void test_behind_threads(void **state) {
    (void)state;
    volume v;
    int n = 0;
#ifdef _OPENMP
    omp_set_num_threads(4);
#endif
#pragma omp parallel reduction(+ : n)
    n++;
    assert_true(n >= 1);
    alarm(1800); /* a child that waits for threads it does not have waits for ever */
    assert_int_equal(isolate_read("ramp", read_ramp, NULL, &v), OK);
    alarm(0);
    for (size_t k = 0; k < volume_size(&v); k++)
        assert_true(v.value[k] == (k % 1000 == 0 ? (float)k : 0.0f));
    volume_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_behind_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
