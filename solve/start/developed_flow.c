/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/start/developed_flow.h"
#include "common/base/status.h"
#include "common/lattice/laplace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 200 };
static const double CLOSEST = 0.1; /* Lower limit of the distance from a cell centre to a wall or opening, in
                                    * spacings */
static const double TOLERANCE = 1e-4;

/* Sides 0..5: +x -x +y -y +z -z, as link directions 1..6. */
typedef struct {
    const lattice *l;
    const developed_input *in;
    /* [n][6] neighbours of each cell. -1 - k: link k cuts the step to the neighbour; NONE: no neighbour */
    int32_t *side;
    uint8_t *wet;      /* [n] 0: the centre is in the wall; 1: it is in the fluid; 2: in the fluid and connected with a
                        * pressure opening */
    double *w, *p;     /* [n] w: developed velocity in squared spacings (developed_flow.h); p: pressure in
                        * mu / dx^3 */
    double *b;         /* [n] right-hand side */
    double inlet[256]; /* one value for each opening: sum over its links of (w of the cell) times (projected area) */
} work;

static const int32_t NONE = INT32_MIN;

static void work_free(work *k) {
    free(k->side);
    free(k->wet);
    free(k->w);
    free(k->p);
    free(k->b);
}

static int work_create(work *k, const lattice *l, const developed_input *in) {
    const size_t n = (size_t)l->n_cell + 1;
    *k = (work){.l = l, .in = in};
    k->side = malloc(6 * n * sizeof *k->side);
    k->wet = calloc(n, 1);
    k->w = calloc(n, sizeof *k->w);
    k->p = calloc(n, sizeof *k->p);
    k->b = calloc(n, sizeof *k->b);
    if (!k->side || !k->wet || !k->w || !k->p || !k->b)
        return fail_memory("the first guess of the flow", 49.0 * (double)n);
    return OK;
}

static int connect_cells(work *k) {
    const lattice *l = k->l;
    lattice_rows rows;
    const int rc = lattice_rows_create(&rows, l);
    if (rc != OK)
        return rc;
    for (int64_t i = 0; i < l->n_cell; i++)
        k->wet[i] = l->distance_mm[i] < 0;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < l->n_cell; i++)
        for (int s = 0; s < 6; s++) {
            const int8_t *e = lattice_e[s + 1];
            const int32_t *at = l->cell + 3 * i;
            const int64_t j = lattice_rows_find(&rows, at[0] + e[0], at[1] + e[1], at[2] + e[2]);
            k->side[6 * i + s] = j >= 0 && k->wet[i] && k->wet[j] ? (int32_t)j : NONE;
        }
    lattice_rows_free(&rows);
    for (int64_t m = 0; m < l->n_link; m++)
        if (l->link_dir[m] <= 6 && k->wet[l->link_cell[m]])
            k->side[6 * (int64_t)l->link_cell[m] + l->link_dir[m] - 1] = (int32_t)(-1 - m);
    return OK;
}

static int64_t is_cut(const work *k, int64_t i, int s) {
    const int32_t to = k->side[6 * i + s];
    return to < 0 && to != NONE ? -1 - (int64_t)to : -1;
}

static double wall_distance(const work *k, int64_t link) {
    return fmax((double)k->l->link_q[link], CLOSEST);
}

/* Index of the opening that a cut link crosses; -1: wall. */
static int opening_of_link(const work *k, int64_t link) {
    return k->l->link_opening[link] - 1;
}

static bool is_free(const work *k, int o) {
    return o >= 0 && isnan(k->in->flow_m3_s[o]);
}

/* Builds the network of the cells whose `wet` is `least` or more. The conductance of a face is the mean of w of both
 * cells, or 1 if w is NULL. */
static int build_network(const work *k, int least, const double *w, laplace *a) {
    int64_t n_entry = 0;
    for (int64_t i = 0; i < k->l->n_cell; i++)
        for (int s = 0; s < 6 && k->wet[i] >= least; s++)
            n_entry += k->side[6 * i + s] >= 0;
    const int rc = laplace_create(a, k->l->n_cell, n_entry);
    if (rc != OK)
        return rc;
    n_entry = 0;
    for (int64_t i = 0; i < k->l->n_cell; i++) {
        for (int s = 0; s < 6 && k->wet[i] >= least; s++) {
            const int32_t j = k->side[6 * i + s];
            if (j < 0)
                continue;
            a->other[n_entry] = j;
            a->g[n_entry++] = w ? (float)(0.5 * (w[i] + w[j])) : 1;
        }
        a->first[i + 1] = n_entry;
    }
    return OK;
}

/* Solves for the developed velocity w. Cells without a connection to a wall are excluded. */
static int find_shape(work *k) {
    laplace a = {0};
    laplace_report report;
    int rc;
    TRY(build_network(k, 1, NULL, &a));
    for (int64_t i = 0; i < k->l->n_cell; i++) {
        k->b[i] = k->wet[i];
        if (k->wet[i] && k->l->region[i] > 0 && k->l->region[i] <= k->in->n_porous)
            a.ground[i] +=
                (float)(1e-6 * k->l->spacing_mm * k->l->spacing_mm / k->in->permeability_m2[k->l->region[i] - 1]);
        for (int s = 0; s < 6 && k->wet[i]; s++)
            if (is_cut(k, i, s) >= 0 && opening_of_link(k, is_cut(k, i, s)) < 0)
                a.ground[i] += (float)(1 / wall_distance(k, is_cut(k, i, s)));
    }
    laplace_diagonal(&a);
    TRY(laplace_solve(&a, k->l->cell, k->b, k->w, TOLERANCE, STEPS_MAX, &report));
    for (int64_t i = 0; i < k->l->n_cell; i++)
        k->w[i] = fmax(k->w[i], (k->l->region[i] ? 1e-9 : 1e-3) * k->wet[i]);
cleanup:
    laplace_free(&a);
    return rc;
}

/* Sets wet to 2 in cells that are connected with a pressure opening through the fluid. */
static int find_reached(work *k) {
    const lattice *l = k->l;
    int64_t head = 0, tail = 0;
    int32_t *queue = malloc((size_t)(l->n_cell + 1) * sizeof *queue);
    if (!queue)
        return fail_memory("the first guess of the flow", 4.0 * (double)l->n_cell);
    for (int64_t m = 0; m < l->n_link; m++) {
        const int32_t i = l->link_cell[m];
        if (l->link_dir[m] <= 6 && is_free(k, opening_of_link(k, m)) && k->wet[i] == 1) {
            k->wet[i] = 2;
            queue[tail++] = i;
        }
    }
    while (head < tail) {
        const int64_t i = queue[head++];
        for (int s = 0; s < 6; s++) {
            const int32_t j = k->side[6 * i + s];
            if (j >= 0 && k->wet[j] == 1) {
                k->wet[j] = 2;
                queue[tail++] = j;
            }
        }
    }
    free(queue);
    return OK;
}

/* Weight of a link in the flow profile of its opening: w times the area that the link represents. The weights of an
 * opening do not sum to 1. */
static double link_share_of_flow(const work *k, int64_t m) {
    const lattice *l = k->l;
    const int s = l->link_dir[m] - 1;
    const double *normal = l->opening[opening_of_link(k, m)].normal;
    return s < 6 ? k->w[l->link_cell[m]] * fmax(0, (s & 1 ? -1 : 1) * normal[s / 2]) : 0;
}

/* Sets the boundary values of the network. Pressures are in units of mu / dx^3, so that flow = conductance * pressure
 * difference. Returns false if there is no pressure opening, or if a prescribed flow is not connected with a pressure
 * opening. */
static bool set_ends(work *k, laplace *a) {
    const lattice *l = k->l;
    const double unit = k->in->viscosity_pa_s / pow(1e-3 * l->spacing_mm, 3);
    bool found = false;
    memset(k->b, 0, (size_t)l->n_cell * sizeof *k->b);
    for (int64_t m = 0; m < l->n_link; m++) {
        const int o = opening_of_link(k, m);
        const int32_t i = l->link_cell[m];
        if (o < 0 || l->link_dir[m] > 6 || k->wet[i] != 2)
            continue;
        if (is_free(k, o)) {
            const double g = k->w[i] / wall_distance(k, m);
            a->ground[i] += (float)g;
            k->b[i] += g * k->in->pressure_pa[o] / unit;
            found = true;
        } else
            k->inlet[o] += link_share_of_flow(k, m);
    }
    for (int64_t m = 0; m < l->n_link; m++) {
        const int o = opening_of_link(k, m);
        const int32_t i = l->link_cell[m];
        if (o >= 0 && !is_free(k, o) && k->wet[i] == 2 && k->inlet[o] > 0)
            k->b[i] += k->in->flow_m3_s[o] * link_share_of_flow(k, m) / k->inlet[o];
    }
    for (int o = 0; o < l->n_opening; o++)
        if (l->opening[o].role == LATTICE_MOVING_WALL ||
            (!is_free(k, o) && k->in->flow_m3_s[o] != 0 && !(k->inlet[o] > 0)))
            return false;
    laplace_diagonal(a);
    return found;
}

static int find_pressure(work *k, bool *known) {
    laplace a = {0};
    laplace_report report;
    int rc;
    TRY(build_network(k, 2, k->w, &a));
    *known = set_ends(k, &a);
    if (*known)
        TRY(laplace_solve(&a, k->l->cell, k->b, k->p, TOLERANCE, STEPS_MAX, &report));
cleanup:
    laplace_free(&a);
    return rc;
}

/* Pressure gradient along an axis, from the neighbours with a known pressure. */
static double pressure_gradient(const work *k, int64_t i, int axis, double unit) {
    double sum = 0;
    int n = 0;
    for (int s = 2 * axis; s < 2 * axis + 2; s++) {
        const double sign = s & 1 ? -1 : 1;
        const int32_t j = k->side[6 * i + s];
        const int64_t m = is_cut(k, i, s);
        if (j >= 0) {
            sum += sign * (k->p[j] - k->p[i]);
            n++;
        } else if (m >= 0 && is_free(k, opening_of_link(k, m))) {
            sum += sign * (k->in->pressure_pa[opening_of_link(k, m)] / unit - k->p[i]) / wall_distance(k, m);
            n++;
        }
    }
    return n ? sum / n : 0;
}

static void find_velocity(const work *k, fields *f) {
    const double dx_m = 1e-3 * k->l->spacing_mm, unit = k->in->viscosity_pa_s / pow(dx_m, 3);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < k->l->n_cell; i++) {
        f->pressure_pa[i] = k->wet[i] == 2 ? (float)(k->p[i] * unit) : NAN;
        for (int a = 0; a < 3 && k->wet[i] == 2; a++)
            f->velocity_m_s[3 * i + a] = (float)(-k->w[i] * pressure_gradient(k, i, a, unit) / (dx_m * dx_m));
    }
}

/* Velocity gradient: change of one velocity component along one axis, per spacing. Second order; the velocity is 0 at
 * the wall. */
static double velocity_gradient(const work *k, const fields *f, int64_t i, int axis, int component) {
    const double u = f->velocity_m_s[3 * i + component];
    double h[2] = {1, 1}, v[2] = {u, u};
    for (int s = 0; s < 2; s++) {
        const int32_t j = k->side[6 * i + 2 * axis + s];
        const int64_t m = is_cut(k, i, 2 * axis + s);
        if (j >= 0)
            v[s] = f->velocity_m_s[3 * (int64_t)j + component];
        else if (m >= 0 && opening_of_link(k, m) < 0) {
            h[s] = wall_distance(k, m);
            v[s] = 0;
        }
    }
    return ((v[0] - u) * h[1] * h[1] - (v[1] - u) * h[0] * h[0]) / (h[0] * h[1] * (h[0] + h[1]));
}

static void find_stress(const work *k, fields *f) {
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const double part = k->in->viscosity_pa_s / (1e-3 * k->l->spacing_mm);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < k->l->n_cell; i++)
        for (int n = 0; n < 6 && k->wet[i] == 2; n++) {
            const int a = pair[n][0], b = pair[n][1];
            f->stress_pa[6 * i + n] =
                (float)(part * (velocity_gradient(k, f, i, a, b) + velocity_gradient(k, f, i, b, a)));
        }
}

int developed_flow(const lattice *l, const developed_input *in, fields *f, bool *known) {
    work k;
    int rc;
    *known = false;
    *f = (fields){0};
    TRY(work_create(&k, l, in));
    TRY(connect_cells(&k));
    TRY(find_shape(&k));
    TRY(find_reached(&k));
    TRY(find_pressure(&k, known));
    if (!*known)
        goto cleanup;
    TRY(fields_create(f, l->n_cell));
    find_velocity(&k, f);
    find_stress(&k, f);
cleanup:
    work_free(&k);
    return rc;
}
