/* SPDX-License-Identifier: Apache-2.0 */
/* The level set's relaxation gives the same bits on any number of threads. Needs neither ITK nor VTK; ThreadSanitizer
 * looks at it in `make sanitize`. */
#include "common/base/status.h"
#include "segment/engine/lbm.h"
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { NX = 23, NY = 19, NZ = 17, SIZE = NX * NY * NZ };
static const float REACH = 4;

/* A ball with ripples whose |grad u| is 0.8, and a speed that falls outwards. */
static void fill(float *u, float *speed) {
    for (int i = 0; i < SIZE; i++) {
        const double x = i % NX - 11.3, y = i / NX % NY - 9.1, z = i / (NX * NY) - 8.2;
        const double d = sqrt(x * x + y * y + z * z) - 5.4 + 0.7 * sin(0.4 * x) * cos(0.3 * y);
        u[i] = (float)(0.8 * d);
        speed[i] = (float)(1 / (1 + exp(d - 2)));
    }
}

static void run(int threads, const lbm_equation *e, int steps, int back, float *u) {
    static float speed[SIZE];
    static int32_t cell[SIZE];
    lbm_problem job = {
        .dims = {NX, NY, NZ}, .u = u, .cell = cell, .equation = *e, .steps = steps, .redistance_steps = back};
    fill(u, speed);
    for (int32_t i = 0; i < SIZE; i++)
        if (fabsf(u[i]) < REACH)
            cell[job.n++] = i;
    if (e->level_lines)
        job.speed = job.potential = speed;
    omp_set_num_threads(threads);
    assert_int_equal(lbm_cpu.run(&job), OK);
}

static void same_bits(void **state) {
    (void)state;
    static float start[SIZE], alone[SIZE], many[SIZE], unused[SIZE];
    static const lbm_equation heat = {.dt = 0.3F, .diffusion = 1}, contour = {0.3F, 0.3F, true, 0.5F, 2}, none = {0};
    const struct {
        const lbm_equation *equation;
        int steps, back;
    } trial[] = {{&heat, 12, 0}, {&contour, 12, 8}, {&none, 0, 10}};
    fill(start, unused);
    for (int t = 0; t < 3; t++) {
        run(1, trial[t].equation, trial[t].steps, trial[t].back, alone);
        assert_memory_not_equal(alone, start, sizeof start);
        for (int threads = 2; threads <= 5; threads++) {
            run(threads, trial[t].equation, trial[t].steps, trial[t].back, many);
            assert_memory_equal(alone, many, sizeof alone);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
