/* SPDX-License-Identifier: Apache-2.0 */
/* CPU backend: loops over the band cells with the functions of lbm_cell.h. */
#include "common/base/status.h"
#include "segment/engine/lbm_cell.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    lbm_field f;
    int32_t *band;
    float *u[2], *flux[2];
} memory;

static void memory_free(memory *m) {
    free(m->band);
    free(m->u[1]); /* u[0] is the caller's array */
    free(m->flux[0]);
    free(m->flux[1]);
}

// The caller frees: NOLINTBEGIN(clang-analyzer-unix.Malloc)
static int memory_create(const lbm_problem *problem, memory *m) {
    const size_t voxels = (size_t)problem->dims[0] * (size_t)problem->dims[1] * (size_t)problem->dims[2],
                 n = (size_t)problem->n;
    memset(m, 0, sizeof *m);
    m->band = malloc(voxels * sizeof *m->band);
    m->u[0] = problem->u;
    m->u[1] = malloc(voxels * sizeof *m->u[1]);
    for (int s = 0; s < 2; s++)
        m->flux[s] = malloc((3 * n + 1) * sizeof *m->flux[s]);
    if (m->band == NULL || m->u[1] == NULL || m->flux[0] == NULL || m->flux[1] == NULL) {
        memory_free(m);
        return fail_memory("the lattice of the level set", (double)voxels * 8 + (double)n * 24);
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < voxels; i++) {
        m->band[i] = -1;
        m->u[1][i] = problem->u[i];
    }
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < problem->n; k++)
        m->band[problem->cell[k]] = (int32_t)k;
    m->f = (lbm_field){.n = problem->n,
                       .cell = problem->cell,
                       .band = m->band,
                       .speed = problem->speed,
                       .potential = problem->potential};
    memcpy(m->f.dims, problem->dims, sizeof m->f.dims);
    return OK;
}
// NOLINTEND(clang-analyzer-unix.Malloc)

/* Select the buffers that are read; the others are written. */
static void select_buffers(memory *m, int u_from, int flux_from) {
    m->f.u = m->u[u_from];
    m->f.u_next = m->u[!u_from];
    m->f.flux = m->flux[flux_from];
    m->f.flux_next = m->flux[!flux_from];
}

static int run_cpu(const lbm_problem *problem) {
    const lbm_equation e = problem->equation;
    memory m;
    int rc = memory_create(problem, &m), now = 0;
    const lbm_field *f = &m.f;
    const int64_t n = problem->n;
    if (rc != OK)
        return rc;
    select_buffers(&m, now, 1);
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++)
        lbm_start_cell(f, &e, k);
    for (int step = 0; step < problem->steps; step++, now = !now) {
        select_buffers(&m, now, step & 1);
#pragma omp parallel for schedule(static)
        for (int64_t k = 0; k < n; k++)
            lbm_step_cell(f, &e, k);
    }
    select_buffers(&m, now, 1);
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < (problem->redistance_steps > 0 ? n : 0); k++)
        lbm_wall_distance_cell(f, k);
    for (int step = 0; step < problem->redistance_steps; step++, now = !now) {
        select_buffers(&m, now, 0);
#pragma omp parallel for schedule(static)
        for (int64_t k = 0; k < n; k++)
            lbm_redistance_cell(f, k);
    }
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < (now ? n : 0); k++)
        problem->u[problem->cell[k]] = m.u[1][problem->cell[k]];
    memory_free(&m);
    return OK;
}

const lbm_backend lbm_cpu = {"cpu", run_cpu};
