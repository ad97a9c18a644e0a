/* See potential.h. */
#include "post/flow/potential.h"
#include "common/base/status.h"
#include "common/lattice/laplace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 500 };
static const double TOLERANCE = 1e-5; /* of the residual */

typedef struct {
    int64_t n;
    int32_t *neighbour; /* [n][6] cell to -x +x -y +y -z +z, -1: none */
    uint8_t *reached;   /* [n] bit 0: from `from`, bit 1: from `to`; only cells with both take part */
    laplace a;
    double *x, *b; /* [n] */
} problem;

static void problem_free(problem *p) {
    free(p->neighbour);
    free(p->reached);
    laplace_free(&p->a);
    free(p->x);
    free(p->b);
}

static int problem_create(problem *p, int64_t n_cell) {
    size_t n = (size_t)n_cell + 1;
    memset(p, 0, sizeof *p);
    p->n = n_cell;
    p->neighbour = malloc(6 * n * sizeof *p->neighbour);
    p->reached = calloc(n, 1);
    p->x = calloc(n, sizeof *p->x);
    p->b = calloc(n, sizeof *p->b);
    if (!p->neighbour || !p->reached || !p->x || !p->b)
        return fail_memory("the course of the vessel", 41.0 * (double)n);
    return OK;
}

static double fluid(const lattice *l, int64_t c) {
    return 1 - l->solid[c] / (double)LATTICE_SUBCELL_COUNT;
}

static void connect_cells(const sampler *s, problem *a) {
    const lattice *l = s->lattice;
    static const int8_t axis_direction[6] = {2, 1, 4, 3, 6, 5};
    for (int64_t c = 0; c < a->n; c++)
        for (int k = 0; k < 6; k++) {
            const int8_t *e = lattice_e[axis_direction[k]];
            const int32_t *at = l->cell + 3 * c;
            int64_t other = s->active[c] ? lattice_rows_find(&s->rows, at[0] + e[0], at[1] + e[1], at[2] + e[2]) : -1;
            if (other >= 0 && !s->active[other])
                other = -1;
            a->neighbour[6 * c + k] = (int32_t)other;
        }
}

/* breadth first from the cells at opening k; fills steps [n] (-1: not reached) */
static int reach(const sampler *s, problem *a, int k, uint8_t bit, int32_t *steps) {
    const lattice *l = s->lattice;
    int32_t *queue = malloc(((size_t)a->n + 1) * sizeof *queue);
    int64_t head = 0, tail = 0;
    if (!queue)
        return fail_memory("the course of the vessel", 4.0 * (double)a->n);
    memset(steps, -1, (size_t)a->n * sizeof *steps);
    for (int64_t j = 0; j < l->n_link; j++) {
        int32_t c = l->link_cell[j];
        if (l->link_opening[j] == k + 1 && l->link_dir[j] <= 6 && s->active[c] && steps[c] < 0) {
            steps[c] = 0;
            queue[tail++] = c;
        }
    }
    while (head < tail) {
        int32_t c = queue[head++];
        a->reached[c] |= bit;
        for (int j = 0; j < 6; j++) {
            int32_t other = a->neighbour[6 * (int64_t)c + j];
            if (other >= 0 && steps[other] < 0) {
                steps[other] = steps[c] + 1;
                queue[tail++] = other;
            }
        }
    }
    free(queue);
    return OK;
}

/* Faces between cells that take part, and those at the two openings. */
static int make_network(const sampler *s, int from, int to, problem *p) {
    const lattice *l = s->lattice;
    int64_t n_entry = 0;
    const int rc = laplace_create(&p->a, p->n, 6 * p->n);
    for (int64_t c = 0; rc == OK && c < p->n; c++) {
        for (int k = 0; k < 6 && p->reached[c] == 3; k++) {
            const int32_t other = p->neighbour[6 * c + k];
            if (other < 0)
                continue;
            p->a.other[n_entry] = other;
            p->a.g[n_entry++] = (float)((fluid(l, c) + fluid(l, other)) / 2);
        }
        p->a.first[c + 1] = n_entry;
    }
    for (int64_t j = 0; rc == OK && j < l->n_link; j++) {
        const int32_t c = l->link_cell[j];
        const int opening = l->link_opening[j] - 1;
        if (l->link_dir[j] > 6 || (opening != from && opening != to) || p->reached[c] != 3)
            continue;
        const double flux = fluid(l, c) / fmax((double)l->link_q[j], 0.05);
        p->a.ground[c] += (float)flux;
        if (opening == to)
            p->b[c] += flux;
    }
    if (rc == OK)
        laplace_diagonal(&p->a);
    return rc;
}

static void find_gradient(const problem *a, double spacing_mm, int64_t c, float gradient[3]) {
    for (int axis = 0; axis < 3; axis++) {
        int32_t low = a->neighbour[6 * c + 2 * axis], high = a->neighbour[6 * c + 2 * axis + 1];
        double width = (low >= 0) + (high >= 0);
        double difference = (high >= 0 ? a->x[high] : a->x[c]) - (low >= 0 ? a->x[low] : a->x[c]);
        gradient[axis] = width > 0 ? (float)(difference / (width * spacing_mm)) : 0;
    }
}

int potential_solve(const sampler *s, int from, int to, float *phi, float *gradient_mm, int *connected) {
    const lattice *l = s->lattice;
    problem a;
    laplace_report report;
    size_t n = (size_t)l->n_cell + 1;
    int32_t *near = malloc(n * sizeof *near), *far = malloc(n * sizeof *far);
    int rc = near && far ? OK : fail_memory("the course of the vessel", 8.0 * (double)n);
    memset(&a, 0, sizeof a);
    *connected = 0;
    if (rc != OK)
        goto cleanup;
    TRY(problem_create(&a, l->n_cell));
    connect_cells(s, &a);
    TRY(reach(s, &a, from, 1, near));
    TRY(reach(s, &a, to, 2, far));
    for (int64_t c = 0; c < a.n; c++) {
        phi[c] = gradient_mm[3 * c] = gradient_mm[3 * c + 1] = gradient_mm[3 * c + 2] = NAN;
        if (a.reached[c] != 3)
            continue;
        *connected = 1;
        a.x[c] = (near[c] + 0.5) / (near[c] + far[c] + 1.0);
    }
    if (!*connected)
        goto cleanup;
    TRY(make_network(s, from, to, &a));
    TRY(laplace_solve(&a.a, l->cell, a.b, a.x, TOLERANCE, STEPS_MAX, &report));
    if (report.residual > TOLERANCE)
        GIVE_UP(fail(ERR_NUMERIC, "the course of the vessel was not found in %d steps", report.steps));
    for (int64_t c = 0; c < a.n; c++)
        if (a.reached[c] == 3) {
            phi[c] = (float)fmin(fmax(a.x[c], 0), 1);
            find_gradient(&a, l->spacing_mm, c, gradient_mm + 3 * c);
        }
cleanup:
    problem_free(&a);
    free(near);
    free(far);
    return rc;
}
