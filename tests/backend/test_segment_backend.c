/* SPDX-License-Identifier: Apache-2.0 */
/* The level set's lattice Boltzmann relaxation on the GPU against the CPU: same input, same bits but for the order of
 * operations (fused multiplications). A plain program; without a GPU it says so and ends with 77, which ctest counts as
 * skipped.
 *
 *     build/tests/test_segment_backend [--short]     the comparison, and the time of both; --short: without 128^3 */
#include "common/base/clock.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/engine/lbm.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

typedef struct {
    const char *name;
    int dims[3];
    bool speed;
    float reach; /* the band: |u| below that */
    lbm_equation equation;
    int steps, back;
    double most; /* difference of u allowed, voxels */
} trial;

static const trial trials[] = {
    {"heat", {33, 41, 27}, false, 1e9F, {.dt = 0.3F, .diffusion = 1}, 40, 0, 1e-4},
    {"level lines", {33, 41, 27}, false, 6, {.dt = 0.12F, .diffusion = 1, .level_lines = true}, 40, 0, 1e-4},
    {"redistancing", {40, 40, 40}, false, 8, {0}, 0, 25, 1e-4},
    {"geodesic contour", {61, 47, 53}, true, 8, {0.3F, 0.3F, true, 0.5F, 2}, 40, 20, 1e-4},
    {"geodesic contour, large", {128, 128, 128}, true, 8, {0.3F, 0.3F, true, 0.5F, 2}, 100, 20, 1e-4},
};

/* A rippled ball whose |grad u| is 0.8, and a speed that falls where it is wider. */
static void fill(const trial *t, float *u, float *speed) {
    const double m[3] = {0.5 * t->dims[0], 0.5 * t->dims[1], 0.5 * t->dims[2]};
    for (int k = 0; k < t->dims[2]; k++)
        for (int j = 0; j < t->dims[1]; j++)
            for (int i = 0; i < t->dims[0]; i++) {
                const size_t at = ((size_t)k * (size_t)t->dims[1] + (size_t)j) * (size_t)t->dims[0] + (size_t)i;
                const double x = i - m[0], y = j - m[1], z = k - m[2], r = sqrt(x * x + y * y + z * z);
                const double d = r - 0.3 * t->dims[2] + 0.7 * sin(0.4 * x) * cos(0.3 * y);
                u[at] = (float)(0.8 * d);
                speed[at] = (float)(1 / (1 + exp(d - 2)));
            }
}

static int compare(const trial *t) {
    const size_t voxels = (size_t)t->dims[0] * (size_t)t->dims[1] * (size_t)t->dims[2];
    float *u[2] = {malloc(voxels * 4), malloc(voxels * 4)}, *speed = malloc(voxels * 4);
    int32_t *cell = malloc(voxels * sizeof *cell);
    const lbm_backend *const device[2] = {&lbm_cpu, &lbm_cuda};
    double worst = 0, took[2];
    int64_t n = 0;
    int rc = 1;
    if (u[0] == NULL || u[1] == NULL || speed == NULL || cell == NULL)
        goto cleanup;
    for (int d = 0; d < 2; d++)
        fill(t, u[d], speed);
    for (size_t i = 0; i < voxels; i++)
        if (fabsf(u[0][i]) < t->reach)
            cell[n++] = (int32_t)i;
    for (int d = 0; d < 2; d++) {
        const lbm_problem job = {.dims = {t->dims[0], t->dims[1], t->dims[2]},
                                 .u = u[d],
                                 .speed = t->speed ? speed : NULL,
                                 .potential = t->speed ? speed : NULL,
                                 .n = n,
                                 .cell = cell,
                                 .equation = t->equation,
                                 .steps = t->steps,
                                 .redistance_steps = t->back};
        const double before = clock_s();
        if (device[d]->run(&job) != OK) {
            fprintf(stderr, "%s on %s: %s\n", t->name, device[d]->name, status_message());
            goto cleanup;
        }
        took[d] = clock_s() - before;
    }
    for (size_t i = 0; i < voxels; i++) {
        const double off = fabs((double)u[0][i] - (double)u[1][i]);
        worst = off > worst || isnan(off) ? off : worst;
    }
    rc = !(worst <= t->most);
    printf("%-24s %8lld cells  off by %.2e (at most %.0e)  CPU %.3f s, GPU %.3f s  %s\n", t->name, (long long)n, worst,
           t->most, took[0], took[1], rc ? "FAILED" : "ok");
cleanup:
    free(u[0]);
    free(u[1]);
    free(speed);
    free(cell);
    return rc;
}

int main(int argc, char **argv) {
    const size_t n = sizeof trials / sizeof *trials - (argc > 1 && strcmp(argv[1], "--short") == 0);
    int failed = 0;
    message_init("test_segment_backend", 0);
    if (lbm_cuda_count() == 0) {
        puts("no GPU: skipped");
        return SKIPPED;
    }
    for (size_t k = 0; k < n; k++)
        failed += compare(&trials[k]);
    printf("%d failed\n", failed);
    return failed > 0;
}
