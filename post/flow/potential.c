/* See potential.h. */
#include "post/flow/potential.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 20000, PARALLEL_FROM = 400000 /* below it the threads wait longer than they work */ };
static const double TOLERANCE = 1e-5; /* of the residual */

/* One row per cell; rows of cells that take no part have diagonal 1 and nothing else. */
typedef struct {
    int64_t n;
    int32_t *neighbour;    /* [n][6] cell to -x +x -y +y -z +z, -1: none */
    float *flux;           /* [n][6] conductance of the face */
    float *diagonal;       /* [n] */
    uint8_t *reached;      /* [n] bit 0: from `from`, bit 1: from `to` */
    double *x, *r, *p, *q; /* [n] conjugate gradients */
} problem;

static void problem_free(problem *a) {
    free(a->neighbour);
    free(a->flux);
    free(a->diagonal);
    free(a->reached);
    free(a->x);
    free(a->r);
    free(a->p);
    free(a->q);
}

static int problem_create(problem *a, int64_t n_cell) {
    size_t n = (size_t)n_cell + 1;
    memset(a, 0, sizeof *a);
    a->n = n_cell;
    a->neighbour = malloc(6 * n * sizeof *a->neighbour);
    a->flux = calloc(6 * n, sizeof *a->flux);
    a->diagonal = calloc(n, sizeof *a->diagonal);
    a->reached = calloc(n, 1);
    a->x = calloc(n, sizeof *a->x);
    a->r = calloc(n, sizeof *a->r);
    a->p = calloc(n, sizeof *a->p);
    a->q = calloc(n, sizeof *a->q);
    if (!a->neighbour || !a->flux || !a->diagonal || !a->reached || !a->x || !a->r || !a->p || !a->q)
        return fail_memory("the course of the vessel", 90.0 * (double)n);
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
            if (other >= 0)
                a->flux[6 * c + k] = (float)((fluid(l, c) + fluid(l, other)) / 2);
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

/* the faces at the two openings, and the diagonal; r becomes the right-hand side */
static void set_ends(const sampler *s, int from, int to, problem *a) {
    const lattice *l = s->lattice;
    for (int64_t c = 0; c < a->n; c++) {
        double sum = 0;
        for (int k = 0; k < 6; k++)
            sum += a->reached[c] == 3 ? (double)a->flux[6 * c + k] : 0;
        a->diagonal[c] = (float)sum;
        a->r[c] = 0;
    }
    for (int64_t j = 0; j < l->n_link; j++) {
        int32_t c = l->link_cell[j];
        int opening = l->link_opening[j] - 1;
        if (l->link_dir[j] > 6 || (opening != from && opening != to) || a->reached[c] != 3)
            continue;
        double flux = fluid(l, c) / fmax((double)l->link_q[j], 0.05);
        a->diagonal[c] += (float)flux;
        if (opening == to)
            a->r[c] += flux;
    }
    for (int64_t c = 0; c < a->n; c++)
        if (!(a->diagonal[c] > 0))
            a->diagonal[c] = 1;
}

/* out = A x; returns x . A x */
static double multiply(const problem *a, const double *x, double *out) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (a->n > PARALLEL_FROM)
    for (int64_t c = 0; c < a->n; c++) {
        double value = (double)a->diagonal[c] * x[c];
        for (int k = 0; k < 6 && a->reached[c] == 3; k++) {
            int32_t other = a->neighbour[6 * c + k];
            if (other >= 0)
                value -= (double)a->flux[6 * c + k] * x[other];
        }
        out[c] = value;
        sum += x[c] * value;
    }
    return sum;
}

/* x += alpha p, r -= alpha q; returns r . D^-1 r */
static double advance(problem *a, double alpha) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (a->n > PARALLEL_FROM)
    for (int64_t c = 0; c < a->n; c++) {
        a->x[c] += alpha * a->p[c];
        a->r[c] -= alpha * a->q[c];
        sum += a->r[c] * a->r[c] / (double)a->diagonal[c];
    }
    return sum;
}

/* conjugate gradients, diagonal preconditioner (Hestenes and Stiefel 1952); x holds the first guess */
static int iterate(problem *a) {
    double right = 0, now, before;
    for (int64_t c = 0; c < a->n; c++)
        right += a->r[c] * a->r[c] / (double)a->diagonal[c];
    multiply(a, a->x, a->q);
    memset(a->p, 0, (size_t)a->n * sizeof *a->p);
    for (int64_t c = 0; c < a->n; c++)
        a->r[c] -= a->q[c];
    before = 0;
    now = advance(a, 0);
    for (int step = 0; step < STEPS_MAX; step++) {
        if (now <= TOLERANCE * TOLERANCE * right)
            return OK;
        double beta = before > 0 ? now / before : 0;
        for (int64_t c = 0; c < a->n; c++)
            a->p[c] = a->r[c] / (double)a->diagonal[c] + beta * a->p[c];
        double curvature = multiply(a, a->p, a->q);
        before = now;
        now = advance(a, now / curvature);
    }
    return fail(ERR_NUMERIC, "the course of the vessel was not found in %d steps", STEPS_MAX);
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
    set_ends(s, from, to, &a);
    TRY(iterate(&a));
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
