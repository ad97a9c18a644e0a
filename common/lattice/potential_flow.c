/* SPDX-License-Identifier: Apache-2.0 */
#include "common/lattice/potential_flow.h"
#include "common/base/status.h"
#include "common/lattice/laplace.h"
#include "common/lattice/potential_section.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 200 };
/* Lower limit of the distance from a cell centre to an opening, in spacings; it limits the condition number */
static const double closest = 0.1;

/* Work arrays. phi: potential, m2/s. The conductance g of a face is its open fraction. The flow through a face is then
 * spacing * g * difference of phi, in m3/s. */
typedef struct {
    const lattice *l;
    const potential_flow_input *in;
    double dx_m;
    int32_t *side; /* [n][6] neighbours at +x -x +y -y +z -z; -1: none, or cut by an opening */
    float *open;   /* [n][3] open part of the faces at +x +y +z; `open` and `side` are freed before the iteration */
    double *share; /* [n_link] open part of the face that an opening link crosses; otherwise 0 */
    laplace a;
    uint8_t *dir;     /* [a.first[n]] side (0 to 5) of each entry of the matrix */
    uint8_t *at_end;  /* [n] 1: a link of the cell along an axis passes through an opening */
    double *b, *phi;  /* [n] b: right-hand side; phi: potential */
    float *speed;     /* [n] velocity of each cell, m/s */
    double flow[256]; /* [n_opening] flow into the fluid, prescribed or solved */
} flow_problem;

static void work_free(flow_problem *w) {
    free(w->side);
    free(w->open);
    free(w->share);
    laplace_free(&w->a);
    free(w->dir);
    free(w->at_end);
    free(w->b);
    free(w->phi);
    free(w->speed);
}

static int work_create(flow_problem *w, const lattice *l, const potential_flow_input *in) {
    const size_t n = (size_t)l->n_cell + 1;
    *w = (flow_problem){.l = l, .in = in, .dx_m = 1e-3 * l->spacing_mm};
    w->side = malloc(6 * n * sizeof *w->side);
    w->open = calloc(3 * n, sizeof *w->open);
    w->share = calloc((size_t)l->n_link + 1, sizeof *w->share);
    w->at_end = calloc(n, 1);
    w->b = calloc(n, sizeof *w->b);
    w->phi = calloc(n, sizeof *w->phi);
    if (!w->side || !w->open || !w->share || !w->at_end || !w->b || !w->phi)
        return fail_memory("the potential flow", 53.0 * (double)n);
    if (in->velocity_m_s)
        memset(in->velocity_m_s, 0, 3 * (size_t)l->n_cell * sizeof *in->velocity_m_s);
    return OK;
}

/* Side (0 to 5) that a direction points to along one axis; -1: the direction has no component along the axis. */
static int side_along(int dir, int axis) {
    return lattice_e[dir][axis] == 0 ? -1 : 2 * axis + (lattice_e[dir][axis] < 0);
}

/* Sets web [n_cell] to 1 for cells in a wall thinner than a cell. The centre of such a cell is in the wall, and fluid
 * centres lie on two of its sides. The two sides are opposite, or adjacent if the wall cuts a diagonal link between the
 * two fluid centres. */
static void find_webs(const flow_problem *w, uint8_t *web) {
    const lattice *l = w->l;
    const float *d = l->distance_mm;
    for (int64_t k = 0; k < l->n_link; k++)
        for (int a = 0; l->link_opening[k] == 0 && l->link_dir[k] > 6 && l->link_dir[k] < LATTICE_D3Q19 && a < 3; a++)
            for (int b = 0; b < 3; b++) {
                const int s = side_along(l->link_dir[k], a), then = side_along(l->link_dir[k], b);
                const int32_t by = a != b && s >= 0 && then >= 0 ? w->side[6 * (int64_t)l->link_cell[k] + s] : -1;
                const int32_t to = by >= 0 && !(d[by] < 0) ? w->side[6 * (int64_t)by + then] : -1;
                if (to >= 0 && d[to] < 0)
                    web[by] = 1;
            }
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < l->n_cell; i++)
        for (int a = 0; a < 3 && !(d[i] < 0); a++) {
            const int32_t up = w->side[6 * i + 2 * a], down = w->side[6 * i + 2 * a + 1];
            if (up >= 0 && down >= 0 && d[up] < 0 && d[down] < 0)
                web[i] = 1;
        }
}

/* Closes all faces of cells in a wall thinner than a cell, since the fluid parts of such a cell are not connected. */
static int close_webs(flow_problem *w) {
    uint8_t *web = calloc((size_t)w->l->n_cell + 1, 1);
    if (!web)
        return fail_memory("the potential flow", (double)w->l->n_cell);
    find_webs(w, web);
    for (int64_t i = 0; i < w->l->n_cell; i++)
        for (int s = 0; web[i] && s < 6; s++) {
            if (w->side[6 * i + s] >= 0)
                w->side[6 * (int64_t)w->side[6 * i + s] + (s ^ 1)] = -1;
            w->side[6 * i + s] = -1;
        }
    free(web);
    return OK;
}

/* Sets the neighbours. Direction 1..6 of a link and side 0..5 have the same order: +x -x +y -y +z -z. */
static int connect_cells(flow_problem *w) {
    const lattice *l = w->l;
    lattice_rows rows;
    int rc = lattice_rows_create(&rows, l);
    memset(w->side, -1, 6 * (size_t)l->n_cell * sizeof *w->side);
    const int64_t n = rc == OK ? l->n_cell : 0;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 6; k += 2) { /* steps to +x, +y, +z; the opposite side is set for the neighbour */
            const int8_t *e = lattice_e[k + 1];
            const int32_t *at = l->cell + 3 * i;
            const int64_t j = lattice_rows_find(&rows, at[0] + e[0], at[1] + e[1], at[2] + e[2]);
            if (j < 0 || j == i)
                continue;
            w->side[6 * i + k] = (int32_t)j;
            w->side[6 * j + k + 1] = (int32_t)i;
        }
    lattice_rows_free(&rows);
    rc = rc == OK ? close_webs(w) : rc;
    for (int64_t k = 0; rc == OK && k < l->n_link; k++) {
        const int64_t i = l->link_cell[k];
        const int s = l->link_dir[k] - 1;
        const int32_t j = s < 6 ? w->side[6 * i + s] : -1;
        if (s > 5 || (l->link_opening[k] == 0 && !(j >= 0 && l->distance_mm[j] < 0)))
            /* at a wall, a face to a cell with its centre in the wall stays open; a face between two fluid centres with
             * a thin wall is closed */
            continue;
        w->at_end[i] |= l->link_opening[k] != 0;
        if (j >= 0)
            w->side[6 * (int64_t)j + (s ^ 1)] = w->side[6 * i + s] = -1;
    }
    return rc;
}

/* Central difference of the wall distance along an axis, one-sided where a neighbour is missing; mm per spacing. */
static double distance_slope(const flow_problem *w, int64_t i, int axis) {
    const float *d = w->l->distance_mm;
    const int32_t up = w->side[6 * i + 2 * axis], down = w->side[6 * i + 2 * axis + 1];
    if (up >= 0 && down >= 0)
        return 0.5 * ((double)d[up] - (double)d[down]);
    return up >= 0 ? (double)d[up] - (double)d[i] : (down >= 0 ? (double)d[i] - (double)d[down] : 0);
}

/* Area fraction of the unit square -1/2 <= s, t <= 1/2 in which d + a s + b t < 0. */
static double share_below(double d, double a, double b) {
    a = fabs(a);
    b = fabs(b);
    const double most = fmax(a, b), least = fmin(a, b), m = 0.5 * (a + b) - d;
    if (m <= 0)
        return 0;
    if (m >= a + b)
        return 1;
    if (least < 1e-6 * most)
        return fmin(1, fmax(0, (m - 0.5 * least) / most));
    const double past_a = fmax(0, m - a), past_b = fmax(0, m - b);
    return (m * m - past_a * past_a - past_b * past_b) / (2 * a * b);
}

/* Open fraction of the face of cell i on side s; j: the neighbour, < 0: none. */
static double open_share(const flow_problem *w, int64_t i, int s, int64_t j) {
    const float *d = w->l->distance_mm;
    const double h = w->l->spacing_mm, sign = s & 1 ? -0.5 : 0.5;
    const int axis = s / 2, b = (axis + 1) % 3, c = (axis + 2) % 3;
    if ((double)d[i] < -2 * h)
        return 1;
    if (j < 0)
        return share_below((double)d[i] + sign * distance_slope(w, i, axis), distance_slope(w, i, b),
                           distance_slope(w, i, c));
    return share_below(0.5 * ((double)d[i] + (double)d[j]), 0.5 * (distance_slope(w, i, b) + distance_slope(w, j, b)),
                       0.5 * (distance_slope(w, i, c) + distance_slope(w, j, c)));
}

static void open_faces(flow_problem *w) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < w->l->n_cell; i++)
        for (int axis = 0; axis < 3; axis++) {
            const int32_t j = w->side[6 * i + 2 * axis];
            const double share = j >= 0 ? open_share(w, i, 2 * axis, j) : 0;
            w->open[3 * i + axis] = (float)(share > 1e-4 ? share : 0);
        }
}

static float open_side(const flow_problem *w, int64_t i, int s) {
    const int32_t j = w->side[6 * i + s];
    return j < 0 ? 0 : (s & 1 ? w->open[3 * (int64_t)j + s / 2] : w->open[3 * i + s / 2]);
}

static bool is_free(const flow_problem *w, int opening) {
    return opening >= 0 && isnan(w->in->flow_m3_s[opening]);
}

/* Sets reached [n] to 1 for cells that are connected to an opening with a given pressure. */
static int find_reached(const flow_problem *w, uint8_t *reached) {
    const lattice *l = w->l;
    int64_t head = 0, tail = 0;
    int32_t *queue = malloc((size_t)(l->n_cell + 1) * sizeof *queue);
    if (!queue)
        return fail_memory("the potential flow", 4.0 * (double)l->n_cell);
    for (int64_t k = 0; k < l->n_link; k++) {
        const int32_t i = l->link_cell[k];
        if (l->link_dir[k] > 6 || !is_free(w, l->link_opening[k] - 1) || reached[i] ||
            !(open_share(w, i, l->link_dir[k] - 1, -1) > 0))
            continue;
        reached[i] = 1;
        queue[tail++] = i;
    }
    while (head < tail) {
        const int64_t i = queue[head++];
        for (int s = 0; s < 6; s++)
            if (open_side(w, i, s) > 0 && !reached[w->side[6 * i + s]]) {
                reached[w->side[6 * i + s]] = 1;
                queue[tail++] = w->side[6 * i + s];
            }
    }
    free(queue);
    return OK;
}

static int build_network(flow_problem *w, const uint8_t *reached) {
    int64_t n = w->l->n_cell, n_entry = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_entry)
    for (int64_t i = 0; i < 3 * n; i++)
        /* both cells at an open face are reached, so each of them gets a matrix entry */
        n_entry += 2 * (reached[i / 3] && w->open[i] > 0);
    const int rc = laplace_create(&w->a, n, n_entry);
    w->dir = rc == OK ? malloc((size_t)n_entry + 1) : NULL;
    if (!w->dir)
        return rc != OK ? rc : fail_memory("the potential flow", (double)n_entry);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        for (int s = 0; reached[i] && s < 6; s++)
            w->a.first[i + 1] += open_side(w, i, s) > 0;
    for (int64_t i = 0; i < n; i++)
        w->a.first[i + 1] += w->a.first[i];
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        for (int64_t s = 0, at = w->a.first[i]; reached[i] && s < 6; s++) {
            const float open = open_side(w, i, (int)s);
            if (!(open > 0))
                continue;
            w->a.other[at] = w->side[6 * i + s];
            w->a.g[at] = open;
            w->dir[at++] = (uint8_t)s;
        }
    return OK;
}

/* Computes the open fractions at the opening links of reached cells. */
static void find_shares(flow_problem *w, const uint8_t *reached) {
    const lattice *l = w->l;
    for (int64_t k = 0; k < l->n_link; k++)
        if (l->link_dir[k] <= 6 && l->link_opening[k] > 0 && reached[l->link_cell[k]])
            w->share[k] = open_share(w, l->link_cell[k], l->link_dir[k] - 1, -1);
}

/* Contribution of a link to the area of its opening: open fraction times the cosine between the face's and the
 * opening's normal. */
static double projected_share(const flow_problem *w, int64_t k, double share) {
    const double *n = w->l->opening[w->l->link_opening[k] - 1].normal;
    const int s = w->l->link_dir[k] - 1;
    return share * fmax(0, (s & 1 ? -1 : 1) * n[s / 2]);
}

/* Sets grounds at openings with a given pressure and sources at openings with a given flow. false: no flow is given, or
 * an opening with a given flow has no open face. */
static bool set_ends(flow_problem *w) {
    const lattice *l = w->l;
    double sum[256] = {0}, given = 0;
    for (int64_t k = 0; k < l->n_link; k++) {
        const double share = w->share[k];
        if (share > 0 && is_free(w, l->link_opening[k] - 1))
            w->a.ground[l->link_cell[k]] += (float)(share / fmax((double)l->link_q[k], closest));
        else if (share > 0)
            sum[l->link_opening[k] - 1] += projected_share(w, k, share);
    }
    for (int k = 0; k < l->n_opening; k++) {
        if (is_free(w, k))
            continue;
        if (w->in->flow_m3_s[k] != 0 && !(sum[k] > 0))
            return false;
        given += fabs(w->in->flow_m3_s[k]);
        w->flow[k] = w->in->flow_m3_s[k];
    }
    for (int64_t k = 0; k < l->n_link; k++) {
        const int opening = l->link_opening[k] - 1;
        const double share = w->share[k];
        if (share > 0 && !is_free(w, opening))
            w->b[l->link_cell[k]] += w->flow[opening] / w->dx_m * projected_share(w, k, share) / sum[opening];
    }
    laplace_diagonal(&w->a);
    return given > 0;
}

/* Computes the flow through the openings with a given pressure. */
static void find_outflow(flow_problem *w) {
    const lattice *l = w->l;
    for (int64_t k = 0; k < l->n_link; k++) {
        const int opening = l->link_opening[k] - 1;
        const double share = w->share[k];
        if (share > 0 && is_free(w, opening))
            w->flow[opening] -= w->dx_m * w->phi[l->link_cell[k]] * share / fmax((double)l->link_q[k], closest);
    }
}

/* Cell velocity: on each axis the mean over both faces, weighted by their open fractions. */
static int find_velocity(flow_problem *w) {
    const laplace *a = &w->a;
    float *velocity = w->in->velocity_m_s;
    w->speed = calloc((size_t)a->n + 1, sizeof *w->speed);
    if (!w->speed)
        return fail_memory("the potential flow", 4.0 * (double)a->n);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < a->n; i++) {
        double sum[3] = {0}, open[3] = {0}, square = 0;
        for (int64_t e = a->first[i]; e < a->first[i + 1]; e++) {
            const double g = (double)a->g[e], out = w->dir[e] & 1 ? -1 : 1;
            sum[w->dir[e] / 2] += out * g * (w->phi[i] - w->phi[a->other[e]]) / w->dx_m;
            open[w->dir[e] / 2] += g;
        }
        for (int k = 0; k < 3; k++) {
            const double u = open[k] > 0 ? sum[k] / open[k] : 0;
            if (velocity)
                velocity[3 * i + k] = (float)u;
            square += u * u;
        }
        w->speed[i] = (float)sqrt(square);
    }
    return OK;
}

static void set_numbers(const flow_problem *w, potential_flow_section *s) {
    const double nu = w->in->nu_m2_s, factor = w->in->peak_factor > 0 ? w->in->peak_factor : 2;
    s->cells_per_diameter = s->diameter_mm / w->l->spacing_mm;
    s->reynolds = s->velocity_m_s * 1e-3 * s->diameter_mm / nu;
    s->peak_cell_reynolds = factor * s->velocity_m_s * w->dx_m / nu;
}

/* Compares the openings with the inner sections. An opening replaces an inner section even if that section is up to 3 %
 * faster or smaller, because the report can name the opening. */
static void compare_openings(const flow_problem *w, potential_flow_result *out) {
    for (int k = 0; k < w->l->n_opening; k++) {
        const lattice_opening *o = &w->l->opening[k];
        if (o->role == LATTICE_MOVING_WALL || w->flow[k] == 0)
            continue;
        potential_flow_section s = {.opening = k, .flow_m3_s = fabs(w->flow[k]), .area_mm2 = o->area_mm2};
        s.velocity_m_s = s.flow_m3_s / (1e-6 * s.area_mm2);
        s.diameter_mm = potential_section_opening_mm(o);
        memcpy(s.place_mm, o->centre_mm, sizeof s.place_mm);
        if (s.velocity_m_s > (out->fastest.opening < 0 ? 0.97 : 1) * out->fastest.velocity_m_s)
            out->fastest = s;
        if (s.diameter_mm < (out->narrowest.opening < 0 ? 1.015 : 1) * out->narrowest.diameter_mm)
            out->narrowest = s;
    }
}

static int find_sections(flow_problem *w, potential_flow_result *out) {
    double least = INFINITY;
    for (int k = 0; k < w->l->n_opening; k++)
        if (w->flow[k] != 0)
            least = fmin(least, fabs(w->flow[k]));
    const potential_sections s = {
        .l = w->l, .a = &w->a, .phi = w->phi, .speed = w->speed, .at_end = w->at_end, .least_flow_m3_s = 0.5 * least};
    const int rc = potential_sections_find(&s, &out->fastest, &out->narrowest);
    if (rc != OK)
        return rc;
    compare_openings(w, out);
    set_numbers(w, &out->fastest);
    set_numbers(w, &out->narrowest);
    for (int64_t i = 0; i < w->l->n_cell; i++)
        if (w->l->solid[i] == 0 && !w->at_end[i] && (double)w->speed[i] > out->velocity_m_s) {
            out->velocity_m_s = (double)w->speed[i];
            out->cell = i;
        }
    lattice_centre_mm(w->l, out->cell, out->place_mm);
    out->known = isfinite(out->narrowest.diameter_mm) && out->fastest.velocity_m_s > 0;
    return OK;
}

int potential_flow(const lattice *l, const potential_flow_input *in, potential_flow_result *out) {
    int rc;
    flow_problem w;
    uint8_t *reached = calloc((size_t)l->n_cell + 1, 1);
    *out = (potential_flow_result){0};
    TRY(work_create(&w, l, in));
    if (!reached)
        GIVE_UP(fail_memory("the potential flow", (double)l->n_cell));
    TRY(connect_cells(&w));
    open_faces(&w);
    TRY(find_reached(&w, reached));
    TRY(build_network(&w, reached));
    find_shares(&w, reached);
    free(w.side); /* the network holds the same data as both arrays */
    free(w.open);
    w.side = NULL;
    w.open = NULL;
    if (!set_ends(&w))
        goto cleanup;
    TRY(laplace_solve(&w.a, l->cell, w.b, w.phi, in->tolerance > 0 ? in->tolerance : 1e-4, STEPS_MAX, &out->report));
    find_outflow(&w);
    TRY(find_velocity(&w));
    TRY(find_sections(&w, out));
cleanup:
    free(reached);
    work_free(&w);
    return rc;
}
