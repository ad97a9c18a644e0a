/* SPDX-License-Identifier: Apache-2.0 */
/* The median by selection is that of sorting. */
#include "common/base/order.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 300 };

static void test_median_is_that_of_sorting(void **state) {
    (void)state;
    srand(1);
    for (int n = 1; n <= MOST; n++)
        for (int values = 1; values <= 1000; values *= 10) {
            double x[MOST], sorted[MOST];
            for (int k = 0; k < n; k++)
                x[k] = rand() % values;
            memcpy(sorted, x, sizeof sorted);
            qsort(sorted, (size_t)n, sizeof *sorted, order_double);
            assert_true(order_median(x, n) == sorted[n / 2]);
            qsort(x, (size_t)n, sizeof *x, order_double); /* the same values in another order */
            assert_memory_equal(x, sorted, (size_t)n * sizeof *x);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_median_is_that_of_sorting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
