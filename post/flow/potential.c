/* See potential.h. */
#include "post/flow/potential.h"
#include "common/base/status.h"
#include "common/lattice/laplace.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 500 };
static const double TOLERANCE = 1e-5; /* of the residual */

static void connect_cells(potential_cells *p) {
    const lattice *l = p->s->lattice;
    static const int8_t axis_direction[6] = {2, 1, 4, 3, 6, 5};
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < l->n_cell; c++)
        for (int k = 0; k < 6; k++) {
            const int8_t *e = lattice_e[axis_direction[k]];
            const int32_t *at = l->cell + 3 * c;
            int64_t other =
                p->s->active[c] ? lattice_rows_find(&p->s->rows, at[0] + e[0], at[1] + e[1], at[2] + e[2]) : -1;
            if (other >= 0 && !p->s->active[other])
                other = -1;
            p->neighbour[6 * c + k] = (int32_t)other;
        }
}

/* breadth first from the cells at opening k; false: no memory */
static bool reach(potential_cells *p, int k) {
    const lattice *l = p->s->lattice;
    int32_t *queue = malloc(((size_t)l->n_cell + 1) * sizeof *queue), *steps = p->steps[k];
    int64_t head = 0, tail = 0;
    if (!queue)
        return false;
    memset(steps, -1, (size_t)l->n_cell * sizeof *steps);
    for (int64_t j = 0; j < l->n_link; j++) {
        int32_t c = l->link_cell[j];
        if (l->link_opening[j] == k + 1 && l->link_dir[j] <= 6 && p->s->active[c] && steps[c] < 0) {
            steps[c] = 0;
            queue[tail++] = c;
        }
    }
    while (head < tail) {
        int32_t c = queue[head++];
        for (int j = 0; j < 6; j++) {
            int32_t other = p->neighbour[6 * (int64_t)c + j];
            if (other >= 0 && steps[other] < 0) {
                steps[other] = steps[c] + 1;
                queue[tail++] = other;
            }
        }
    }
    free(queue);
    return true;
}

int potential_cells_create(const sampler *s, int n_pair, const int (*pair)[2], potential_cells *p) {
    const size_t n = (size_t)s->lattice->n_cell + 1;
    const int n_opening = s->lattice->n_opening;
    int lost = 0;
    *p = (potential_cells){.s = s,
                           .neighbour = malloc(6 * n * sizeof *p->neighbour),
                           .steps = calloc((size_t)n_opening + 1, sizeof *p->steps)};
    bool good = p->neighbour && p->steps;
    for (int k = 0; k < 2 * n_pair && good; k++) {
        int32_t **steps = &p->steps[pair[k / 2][k % 2]];
        if (!*steps)
            good = (*steps = malloc(n * sizeof **steps)) != NULL;
    }
    if (good) {
        connect_cells(p);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : lost)
        for (int k = 0; k < n_opening; k++)
            lost += p->steps[k] && !reach(p, k);
    }
    if (good && lost == 0)
        return OK;
    potential_cells_free(p);
    return fail_memory("the course of the vessel", 36.0 * (double)n);
}

void potential_cells_free(potential_cells *p) {
    for (int k = 0; p->steps && k < p->s->lattice->n_opening; k++)
        free(p->steps[k]);
    free(p->steps);
    free(p->neighbour);
    *p = (potential_cells){0};
}

typedef struct {
    const potential_cells *cells;
    const int32_t *near, *far; /* [n] steps from the two openings; only cells with both take part */
    int64_t n;
    laplace a;
    double *x, *b; /* [n] */
} problem;

static void problem_free(problem *p) {
    laplace_free(&p->a);
    free(p->x);
    free(p->b);
}

static bool takes_part(const problem *p, int64_t c) {
    return p->near[c] >= 0 && p->far[c] >= 0;
}

/* Faces between cells that take part, and those at the two openings. */
static int make_network(int from, int to, problem *p) {
    const lattice *l = p->cells->s->lattice;
    const int32_t *neighbour = p->cells->neighbour;
    const int rc = laplace_create(&p->a, p->n, 6 * p->n);
    if (rc != OK)
        return rc;
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < p->n; c++)
        for (int k = 0; k < 6 && takes_part(p, c); k++)
            p->a.first[c + 1] += neighbour[6 * c + k] >= 0;
    for (int64_t c = 0; c < p->n; c++)
        p->a.first[c + 1] += p->a.first[c];
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < p->n; c++)
        for (int64_t k = 0, at = p->a.first[c]; k < 6 && takes_part(p, c); k++) {
            const int32_t other = neighbour[6 * c + k];
            if (other < 0)
                continue;
            p->a.other[at] = other;
            p->a.g[at++] = (float)((lattice_fluid_part(l, c) + lattice_fluid_part(l, other)) / 2);
        }
    for (int64_t j = 0; j < l->n_link; j++) {
        const int32_t c = l->link_cell[j];
        const int opening = l->link_opening[j] - 1;
        if (l->link_dir[j] > 6 || (opening != from && opening != to) || !takes_part(p, c))
            continue;
        const double flux = lattice_fluid_part(l, c) / fmax((double)l->link_q[j], 0.05);
        p->a.ground[c] += (float)flux;
        if (opening == to)
            p->b[c] += flux;
    }
    laplace_diagonal(&p->a);
    return OK;
}

static void find_gradient(const problem *a, double spacing_mm, int64_t c, float gradient[3]) {
    const int32_t *neighbour = a->cells->neighbour + 6 * c;
    for (int axis = 0; axis < 3; axis++) {
        int32_t low = neighbour[2 * axis], high = neighbour[2 * axis + 1];
        double width = (low >= 0) + (high >= 0);
        double difference = (high >= 0 ? a->x[high] : a->x[c]) - (low >= 0 ? a->x[low] : a->x[c]);
        gradient[axis] = width > 0 ? (float)(difference / (width * spacing_mm)) : 0;
    }
}

int potential_solve(const potential_cells *p, int from, int to, float *phi, float *gradient_mm, int *connected) {
    const lattice *l = p->s->lattice;
    problem a = {.cells = p, .near = p->steps[from], .far = p->steps[to], .n = l->n_cell};
    laplace_report report;
    const size_t n = (size_t)l->n_cell + 1;
    int rc = OK, found = 0;
    a.x = calloc(n, sizeof *a.x);
    a.b = calloc(n, sizeof *a.b);
    if (!a.x || !a.b)
        GIVE_UP(fail_memory("the course of the vessel", 16.0 * (double)n));
#pragma omp parallel for schedule(static) reduction(| : found)
    for (int64_t c = 0; c < a.n; c++) {
        phi[c] = gradient_mm[3 * c] = gradient_mm[3 * c + 1] = gradient_mm[3 * c + 2] = NAN;
        if (!takes_part(&a, c))
            continue;
        found |= 1;
        a.x[c] = (a.near[c] + 0.5) / (a.near[c] + a.far[c] + 1.0);
    }
    *connected = found;
    if (!found)
        goto cleanup;
    TRY(make_network(from, to, &a));
    TRY(laplace_solve(&a.a, l->cell, a.b, a.x, TOLERANCE, STEPS_MAX, &report));
    if (report.residual > TOLERANCE)
        GIVE_UP(fail(ERR_NUMERIC, "the course of the vessel was not found in %d steps", report.steps));
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < a.n; c++)
        if (takes_part(&a, c)) {
            phi[c] = (float)fmin(fmax(a.x[c], 0), 1);
            find_gradient(&a, l->spacing_mm, c, gradient_mm + 3 * c);
        }
cleanup:
    problem_free(&a);
    return rc;
}
