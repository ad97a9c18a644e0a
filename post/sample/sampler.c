/* SPDX-License-Identifier: Apache-2.0 */
#include "post/sample/sampler.h"
#include "post/sample/block.h"
#include "post/sample/fit.h"
#include "common/base/vec.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SAMPLER_MAX == (int)FIT_MAX && (int)SAMPLER_MAX > 123, "all samples and a ball of cells fit");
/* NARROW, WIDE: radius of the ball of cells in a fit, in cells */
static const double NARROW = 2.3, WIDE = BLOCK_RADIUS;

/* The samples of one fit, and the fit. */
typedef struct {
    fit_samples at;
    int32_t cell[SAMPLER_MAX];
    fit f;
    double value[SAMPLER_MAX]; /* weight of each sample in the value at the point */
} fitted;

static void find_webs(sampler *s) {
    const lattice *l = s->lattice;
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < l->n_cell; c++)
        for (int64_t k = s->link_start[c]; k < s->link_start[c + 1] && !s->web[c]; k++) {
            const int8_t *e = lattice_e[l->link_dir[k]];
            const int32_t *at = l->cell + 3 * c;
            const int64_t to = l->link_opening[k] == 0 && l->link_dir[k] < LATTICE_D3Q19
                                   ? lattice_rows_find(&s->rows, at[0] + e[0], at[1] + e[1], at[2] + e[2])
                                   : -1;
            s->web[c] = to >= 0 && s->active[to];
        }
}

int sampler_create(sampler *s, const lattice *l, const fields *f) {
    memset(s, 0, sizeof *s);
    int rc = OK;
    int64_t n_active = 0, k = 0;
    s->lattice = l;
    TRY(lattice_rows_create(&s->rows, l));
    s->active = calloc((size_t)l->n_cell + 1, 1);
    s->web = calloc((size_t)l->n_cell + 1, 1);
    s->link_start = calloc((size_t)l->n_cell + 1, sizeof *s->link_start);
    if (!s->active || !s->web || !s->link_start)
        GIVE_UP(fail_memory("the index of the cells", 10.0 * (double)l->n_cell));
    for (int64_t c = 0; c <= l->n_cell; c++) {
        while (k < l->n_link && l->link_cell[k] < c)
            k++;
        s->link_start[c] = k;
        if (c < l->n_cell && l->distance_mm[c] < 0 && (!f || isfinite(f->pressure_pa[c])))
            n_active += s->active[c] = 1;
    }
    find_webs(s);
    if (n_active == 0)
        rc = fail(ERR_INPUT, "the lattice and the fields have no cell with flow in common; run mesh and solve again");
cleanup:
    if (rc != OK)
        sampler_free(s);
    return rc;
}

void sampler_free(sampler *s) {
    lattice_rows_free(&s->rows);
    free(s->active);
    free(s->web);
    free(s->link_start);
    memset(s, 0, sizeof *s);
}

int64_t sampler_cell(const sampler *s, const double point_mm[3]) {
    int base[3];
    return block_base(s->lattice, point_mm, base) ? lattice_rows_find(&s->rows, base[0], base[1], base[2]) : -1;
}

bool sampler_is_porous(const sampler *s, const double point_mm[3]) {
    const int64_t c = sampler_cell(s, point_mm);
    return c >= 0 && s->lattice->region[c] > 0;
}

bool sampler_corners(const sampler *s, const double point_mm[3], int64_t cell[8], double weight[8]) {
    const lattice *l = s->lattice;
    double t[3];
    int base[3];
    for (int a = 0; a < 3; a++) {
        const double x = (point_mm[a] - l->origin_mm[a]) / l->spacing_mm;
        if (!(x > -1 && x < l->dims[a]))
            return false;
        base[a] = (int)floor(x);
        t[a] = x - base[a];
    }
    for (int k = 0; k < 8; k++) {
        const int d[3] = {k & 1, k >> 1 & 1, k >> 2};
        cell[k] = lattice_rows_find(&s->rows, base[0] + d[0], base[1] + d[1], base[2] + d[2]);
        weight[k] = 1;
        for (int a = 0; a < 3; a++)
            weight[k] *= d[a] ? t[a] : 1 - t[a];
    }
    return true;
}

static void add_sample(block *p, int64_t cell, const double offset[3]) {
    const double squared = vec_dot(offset, offset);
    if (squared >= WIDE * WIDE || p->n == SAMPLER_MAX)
        return;
    memcpy(p->offset[p->n], offset, 3 * sizeof *offset);
    p->squared[p->n] = squared;
    p->cell[p->n++] = (int32_t)cell;
}

/* Add the points where the axis links of cell c meet a wall at rest. */
static void add_wall_points(const sampler *s, int64_t c, const double offset[3], block *p) {
    const lattice *l = s->lattice;
    for (int64_t k = s->link_start[c]; k < s->link_start[c + 1]; k++) {
        if (l->link_opening[k] != 0 || l->link_dir[k] > 6)
            continue;
        const int8_t *e = lattice_e[l->link_dir[k]];
        double q = l->link_q[k];
        double at[3] = {offset[0] + q * e[0], offset[1] + q * e[1], offset[2] + q * e[2]};
        add_sample(p, -1, at);
    }
}

/* Copy the cells and append the points of the wall as cell -1. */
static void add_wall(const sampler *s, const block *cells, block *all) {
    all->n = 0;
    for (int k = 0; k < cells->n; k++) {
        add_sample(all, cells->cell[k], cells->offset[k]);
        add_wall_points(s, cells->cell[k], cells->offset[k], all);
    }
}

/* Selects the samples within `radius` and sets their weights. The weight is a smooth function of the distance, 1 at the
 * point and 0 at the radius. At a wall point only half of the ball is fluid. The function decreases slowly enough that
 * this half determines a quadratic. */
static void samples_within(const block *all, double radius, fitted *to) {
    fit_samples *p = &to->at;
    const double inverse = 1 / (radius * radius);
    p->n = 0;
    for (int j = 0; j < all->n; j++) {
        const double t = 1 - all->squared[j] * inverse;
        p->x[p->n] = all->offset[j][0];
        p->y[p->n] = all->offset[j][1];
        p->z[p->n] = all->offset[j][2];
        p->weight[p->n] = t * t + 1e-6;
        to->cell[p->n] = all->cell[j];
        p->n += t > 0;
    }
}

typedef struct {
    int terms;
    double radius;
} attempt;
enum { ATTEMPTS = 4 };

/* Makes the first fit of the list that the samples determine. An entry with terms 0 ends the list. */
static int fit_first(const block *all, const attempt list[ATTEMPTS], fitted *out) {
    for (int t = 0; t < ATTEMPTS && list[t].terms > 0; t++) {
        if (t == 0 || list[t].radius != list[t - 1].radius)
            samples_within(all, list[t].radius, out);
        if (fit_make(list[t].terms, &out->at, &out->f, out->value))
            return 1;
    }
    return 0;
}

static int fit_at_point(const sampler *s, enum sampler_kind kind, const double point_mm[3], const double *anchor_mm,
                        fitted *out) {
    static const attempt list[ATTEMPTS] = {
        {FIT_QUADRATIC, NARROW}, {FIT_QUADRATIC, WIDE}, {FIT_LINEAR, NARROW}, {FIT_CONSTANT, WIDE}};
    block b, with_wall;
    out->at.n = out->f.terms = 0;
    if (!block_find(s, kind == SAMPLER_DISTANCE ? BLOCK_STORED : BLOCK_ACTIVE, INFINITY, point_mm, anchor_mm, &b))
        return 0;
    if (kind == SAMPLER_NO_SLIP)
        add_wall(s, &b, &with_wall);
    return fit_first(kind == SAMPLER_NO_SLIP ? &with_wall : &b, list, out);
}

static int fit_core(const sampler *s, double depth_cells, const double point_mm[3], fitted *out) {
    static const attempt list[ATTEMPTS] = {{FIT_LINEAR, WIDE}};
    block b;
    out->at.n = out->f.terms = 0;
    if (!block_find(s, BLOCK_ACTIVE, -depth_cells * s->lattice->spacing_mm, point_mm, NULL, &b))
        return 0;
    return fit_first(&b, list, out);
}

static int copy_weights(int found, const fitted *from, sampler_stencil *out) {
    out->n = 0;
    out->terms = found ? from->f.terms : 0;
    for (int j = 0; found && j < from->at.n; j++) {
        if (from->cell[j] < 0)
            continue;
        out->cell[out->n] = from->cell[j];
        out->weight[out->n++] = from->value[j];
    }
    return found;
}

static void copy_gradient(const fitted *from, double spacing_mm, sampler_stencil *out) {
    double weight[SAMPLER_MAX];
    for (int a = 0; a < 3; a++) {
        fit_weights(&from->f, &from->at, a + 1, weight);
        for (int j = 0, n = 0; j < from->at.n; j++)
            if (from->cell[j] >= 0)
                out->gradient[n++][a] = weight[j] / spacing_mm;
    }
}

static int copy_form(int found, const fitted *from, const float *field, double spacing_mm, sampler_form *out) {
    double sample[SAMPLER_MAX], derivative[FIT_QUADRATIC];
    if (!found)
        return 0;
    for (int j = 0; j < from->at.n; j++)
        sample[j] = from->cell[j] < 0 ? 0 : (double)field[from->cell[j]];
    fit_polynomial(&from->f, &from->at, sample, derivative);
    out->value = derivative[0];
    for (int a = 0; a < 3; a++)
        out->gradient[a] = derivative[1 + a] / spacing_mm;
    for (int a = 0; a < 6; a++)
        out->hessian[a] = derivative[4 + a] / (spacing_mm * spacing_mm);
    return 1;
}

int sampler_find(const sampler *s, enum sampler_kind kind, const double point_mm[3], const double *anchor_mm,
                 sampler_stencil *out) {
    fitted p;
    if (!copy_weights(fit_at_point(s, kind, point_mm, anchor_mm, &p), &p, out))
        return 0;
    copy_gradient(&p, s->lattice->spacing_mm, out);
    return 1;
}

int sampler_find_value(const sampler *s, enum sampler_kind kind, const double point_mm[3], const double *anchor_mm,
                       sampler_stencil *out) {
    fitted p;
    return copy_weights(fit_at_point(s, kind, point_mm, anchor_mm, &p), &p, out);
}

int sampler_find_form(const sampler *s, enum sampler_kind kind, const double point_mm[3], const double *anchor_mm,
                      const float *field, sampler_form *out) {
    fitted p;
    return copy_form(fit_at_point(s, kind, point_mm, anchor_mm, &p), &p, field, s->lattice->spacing_mm, out);
}

int sampler_find_core(const sampler *s, double depth_cells, const double point_mm[3], sampler_stencil *out) {
    fitted p;
    if (!copy_weights(fit_core(s, depth_cells, point_mm, &p), &p, out))
        return 0;
    copy_gradient(&p, s->lattice->spacing_mm, out);
    return 1;
}

int sampler_core_form(const sampler *s, double depth_cells, const double point_mm[3], const float *field,
                      sampler_form *out) {
    fitted p;
    return copy_form(fit_core(s, depth_cells, point_mm, &p), &p, field, s->lattice->spacing_mm, out);
}

double sampler_apply(const sampler_stencil *st, const float *value, int components, int component) {
    double sum = 0;
    for (int k = 0; k < st->n; k++)
        sum += st->weight[k] * (double)value[(int64_t)st->cell[k] * components + component];
    return sum;
}

int sampler_beyond_opening(const lattice *l, const double point_mm[3], int *opening) {
    for (int k = 0; k < l->n_opening; k++) {
        const lattice_opening *o = &l->opening[k];
        double along = 0, squared = 0;
        for (int a = 0; a < 3; a++) {
            double d = point_mm[a] - o->centre_mm[a];
            along += d * o->normal[a];
            squared += d * d;
        }
        double reach = 1.5 * o->radius_mm + 2 * l->spacing_mm, depth = 1.5 * l->spacing_mm;
        if (o->role == LATTICE_MOVING_WALL || along <= 1e-3 * l->spacing_mm || along > depth ||
            squared - along * along > reach * reach)
            continue;
        if (opening)
            *opening = k;
        return 1;
    }
    return 0;
}

/* True if the cube of the point's cell holds fluid. Cubes without fluid are not stored, so a point in such a cube is
 * outside, whatever the fit gives. At an opening, cubes whose centres are behind the plane are not stored either,
 * although a part of them may be in front of the plane. */
static int in_fluid_cube(const sampler *s, const double point_mm[3]) {
    const lattice *l = s->lattice;
    int base[3];
    int opening;
    double centre[3], further_in[3];
    if (!block_base(l, point_mm, base))
        return 0;
    if (lattice_rows_find(&s->rows, base[0], base[1], base[2]) >= 0)
        return 1;
    for (int a = 0; a < 3; a++)
        centre[a] = l->origin_mm[a] + l->spacing_mm * base[a];
    if (!sampler_beyond_opening(l, centre, &opening))
        return 0;
    vec_add(point_mm, -l->spacing_mm, l->opening[opening].normal, further_in);
    return sampler_cell(s, further_in) >= 0;
}

/* True if the point is beyond a periodic face, where the fluid of the opposite side continues. */
static int beyond_period(const lattice *l, const double p[3]) {
    for (int a = 0; a < 3; a++) {
        const double index = (p[a] - l->origin_mm[a]) / l->spacing_mm;
        if (l->periodic[a] && !(index >= -0.5 - 1e-9 && index <= l->dims[a] - 0.5 + 1e-9))
            return 1;
    }
    return 0;
}

double sampler_distance_mm(const sampler *s, const double point_mm[3], double gradient[3]) {
    sampler_form at = {0};
    sampler_stencil st;
    if (beyond_period(s->lattice, point_mm) || sampler_beyond_opening(s->lattice, point_mm, NULL))
        return INFINITY;
    if (gradient ? !sampler_find_form(s, SAMPLER_DISTANCE, point_mm, NULL, s->lattice->distance_mm, &at)
                 : !sampler_find_value(s, SAMPLER_DISTANCE, point_mm, NULL, &st))
        return INFINITY;
    if (gradient)
        memcpy(gradient, at.gradient, sizeof at.gradient);
    const double d = gradient ? at.value : sampler_apply(&st, s->lattice->distance_mm, 1, 0);
    return d < 0 && !in_fluid_cube(s, point_mm) ? 0 : d;
}

int sampler_flow(const sampler *s, const fields *f, const double point_mm[3], double velocity_m_s[3],
                 double *pressure_pa) {
    sampler_stencil st;
    memset(velocity_m_s, 0, 3 * sizeof *velocity_m_s);
    *pressure_pa = NAN;
    if (!(sampler_distance_mm(s, point_mm, NULL) < 0) || !sampler_find_value(s, SAMPLER_FLOW, point_mm, NULL, &st))
        return 0;
    *pressure_pa = sampler_apply(&st, f->pressure_pa, 1, 0);
    if (sampler_find_value(s, SAMPLER_NO_SLIP, point_mm, NULL, &st))
        for (int a = 0; a < 3; a++)
            velocity_m_s[a] = sampler_apply(&st, f->velocity_m_s, 3, a);
    return 1;
}
