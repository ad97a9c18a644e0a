/* SPDX-License-Identifier: Apache-2.0 */
/* assert_near(a, b, tolerance): cmocka 1.1.5 has none for double. */
#ifndef PORTAFLOW_TESTS_NEAR_H
#define PORTAFLOW_TESTS_NEAR_H
#include <math.h>
#include <stdio.h>
#define assert_near(a, b, tolerance)                                                                                   \
    do {                                                                                                               \
        const double near_a = (a), near_b = (b);                                                                       \
        if (!(fabs(near_a - near_b) <= (tolerance)))                                                                   \
            printf("%s = %.17g, wanted %.17g within %.3g\n", #a, near_a, near_b, (double)(tolerance));                 \
        assert_true(fabs(near_a - near_b) <= (tolerance));                                                             \
    } while (0)
#endif
