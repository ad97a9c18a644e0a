/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/post/post_lattice.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const post_pipe POST_PIPE = {.point_mm = {1, 2, 3},
                             .axis = {0, 0.6, 0.8},
                             .radius_mm = 4,
                             .length_mm = 14,
                             .mean_m_s = 0.1,
                             .viscosity_pa_s = 0.0035};

static void *need(void *p) {
    if (!p)
        abort();
    return p;
}

static double along(const post_opening *o, const double p[3]) {
    double d[3] = {p[0] - o->centre_mm[0], p[1] - o->centre_mm[1], p[2] - o->centre_mm[2]};
    return vec_dot(d, o->normal);
}

static int is_beyond(int n, const post_opening *o, const double p[3]) {
    for (int k = 0; k < n; k++)
        if (along(&o[k], p) > 0)
            return 1;
    return 0;
}

static int solid_count(const shape *s, const double p[3], double h) {
    double d = shape_distance_mm(s, p);
    if (fabs(d) > 0.87 * h)
        return d > 0 ? 512 : 0;
    int n = 0;
    for (int k = 0; k < 512; k++) {
        int x = k % 8, y = k / 8 % 8, z = k / 64;
        double q[3] = {p[0] + h * ((x + 0.5) / 8 - 0.5), p[1] + h * ((y + 0.5) / 8 - 0.5),
                       p[2] + h * ((z + 0.5) / 8 - 0.5)};
        n += shape_distance_mm(s, q) > 0;
    }
    return n;
}

/* where the segment from p (inside) to `to` (outside) meets the wall, 0..1 */
static double wall_along(const shape *s, const double p[3], const double to[3]) {
    double low = 0, high = 1;
    for (int k = 0; k < 40; k++) {
        double t = (low + high) / 2, at[3];
        for (int a = 0; a < 3; a++)
            at[a] = p[a] + t * (to[a] - p[a]);
        if (shape_distance_mm(s, at) < 0)
            low = t;
        else
            high = t;
    }
    return (low + high) / 2;
}

/* links of one cell; k: where to write, returns how many (only counted when l->link_cell is NULL) */
static int64_t make_links(const shape *s, lattice *l, int64_t c, const post_opening *o, int64_t k, int write) {
    double p[3], h = l->spacing_mm;
    int64_t n = 0;
    lattice_centre_mm(l, c, p);
    for (int a = 1; a < 19; a++) {
        const int8_t *e = lattice_e[a];
        double to[3] = {p[0] + h * e[0], p[1] + h * e[1], p[2] + h * e[2]};
        int opening = 0;
        double q = 2, d = (double)l->distance_mm[c], beyond = shape_distance_mm(s, to);
        for (int j = 0; j < l->n_opening; j++)
            if (along(&o[j], to) > 0) {
                opening = j + 1;
                q = -along(&o[j], p) / (along(&o[j], to) - along(&o[j], p));
            }
        if (d < 0 && beyond >= 0 && d / (d - beyond) < q) {
            q = wall_along(s, p, to);
            opening = 0;
        }
        if (q > 1 || (opening == 0 && !(d < 0)))
            continue;
        if (write) {
            l->link_cell[k + n] = (int32_t)c;
            l->link_dir[k + n] = (uint8_t)a;
            l->link_q[k + n] = (float)fmax(q, 1e-4);
            l->link_opening[k + n] = (uint8_t)opening;
        }
        n++;
    }
    return n;
}

static int64_t make_cells(const shape *s, lattice *l, const double low[3], int n_opening, const post_opening *o,
                          int write) {
    int64_t n = 0;
    double h = l->spacing_mm;
    for (int z = 0; z < l->dims[2]; z++)
        for (int y = 0; y < l->dims[1]; y++)
            for (int x = 0; x < l->dims[0]; x++) {
                double p[3] = {low[0] + h * (x + 0.5), low[1] + h * (y + 0.5), low[2] + h * (z + 0.5)};
                int solid = is_beyond(n_opening, o, p) ? 512 : solid_count(s, p, h);
                if (solid == 512)
                    continue;
                if (write) {
                    int32_t at[3] = {x, y, z};
                    memcpy(l->cell + 3 * n, at, sizeof at);
                    l->solid[n] = (uint16_t)solid;
                    l->distance_mm[n] = (float)shape_distance_mm(s, p);
                }
                n++;
            }
    return n;
}

static void make_openings(lattice *l, int n_opening, const post_opening *o) {
    for (int k = 0; k < n_opening; k++) {
        lattice_opening *to = &l->opening[k];
        snprintf(to->name, sizeof to->name, "%s", o[k].name);
        to->role = o[k].role;
        memcpy(to->centre_mm, o[k].centre_mm, sizeof to->centre_mm);
        memcpy(to->normal, o[k].normal, sizeof to->normal);
        to->radius_mm = o[k].radius_mm;
        to->area_mm2 = M_PI * o[k].radius_mm * o[k].radius_mm;
        to->perimeter_mm = 2 * M_PI * o[k].radius_mm;
        for (int64_t j = 0; j < l->n_link; j++)
            to->n_link += l->link_opening[j] == k + 1;
        to->profile_developed = need(calloc((size_t)to->n_link + 1, sizeof(float)));
        to->profile_parabolic = need(calloc((size_t)to->n_link + 1, sizeof(float)));
    }
}

void post_lattice_make(const shape *s, double spacing_mm, const double low_mm[3], const double high_mm[3],
                       int n_opening, const post_opening *opening, lattice *l) {
    lattice frame = {.spacing_mm = spacing_mm, .n_opening = n_opening};
    for (int a = 0; a < 3; a++) {
        frame.origin_mm[a] = low_mm[a] + spacing_mm / 2;
        frame.dims[a] = (int)ceil((high_mm[a] - low_mm[a]) / spacing_mm);
    }
    int64_t n_cell = make_cells(s, &frame, low_mm, n_opening, opening, 0), n_link = 0;
    if (lattice_create(l, n_cell, 19 * n_cell, n_opening) != 0 || l->n_opening != n_opening)
        abort();
    l->spacing_mm = spacing_mm;
    memcpy(l->origin_mm, frame.origin_mm, sizeof l->origin_mm);
    memcpy(l->dims, frame.dims, sizeof l->dims);
    make_cells(s, l, low_mm, n_opening, opening, 1);
    for (int64_t c = 0; c < n_cell; c++)
        n_link += make_links(s, l, c, opening, n_link, 1);
    l->n_link = n_link;
    make_openings(l, n_opening, opening);
}

void post_fields_make(const lattice *l, post_flow flow, const void *data, fields *f) {
    if (fields_create(f, l->n_cell) != 0)
        abort();
    for (int64_t c = 0; c < l->n_cell; c++) {
        double p[3], u[3] = {0}, pressure = NAN, stress[6] = {0};
        lattice_centre_mm(l, c, p);
        if (l->distance_mm[c] < 0)
            flow(p, data, u, &pressure, stress);
        for (int a = 0; a < 3; a++)
            f->velocity_m_s[3 * c + a] = (float)u[a];
        for (int a = 0; a < 6; a++)
            f->stress_pa[6 * c + a] = (float)stress[a];
        f->pressure_pa[c] = (float)pressure;
    }
}

double post_pipe_gradient_pa_m(const post_pipe *p) {
    return 8 * p->viscosity_pa_s * p->mean_m_s / (p->radius_mm * p->radius_mm * 1e-6);
}

void post_pipe_flow(const double point_mm[3], const void *data, double velocity[3], double *pressure,
                    double stress[6]) {
    const post_pipe *p = data;
    double d[3] = {point_mm[0] - p->point_mm[0], point_mm[1] - p->point_mm[1], point_mm[2] - p->point_mm[2]};
    double z = vec_dot(d, p->axis), r[3], g[3];
    for (int a = 0; a < 3; a++)
        r[a] = d[a] - z * p->axis[a];
    double speed = 2 * p->mean_m_s * (1 - vec_dot(r, r) / (p->radius_mm * p->radius_mm));
    for (int a = 0; a < 3; a++) { /* gradient of the speed, 1/s */
        velocity[a] = speed * p->axis[a];
        g[a] = -4 * p->mean_m_s * r[a] / (p->radius_mm * p->radius_mm) * 1e3;
    }
    *pressure = post_pipe_gradient_pa_m(p) * (p->length_mm - z) * 1e-3;
    static const int ij[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; k++)
        stress[k] = p->viscosity_pa_s * (g[ij[k][0]] * p->axis[ij[k][1]] + g[ij[k][1]] * p->axis[ij[k][0]]);
}

void post_pipe_lattice(const post_pipe *p, double cells_per_diameter, lattice *l) {
    const double *c = p->point_mm, *n = p->axis, length = p->length_mm, h = 2 * p->radius_mm / cells_per_diameter;
    const double end[3] = {c[0] + length * n[0], c[1] + length * n[1], c[2] + length * n[2]};
    shape s = {
        .kind = SHAPE_CYLINDER, .a = {c[0], c[1], c[2]}, .b = {end[0], end[1], end[2]}, .radius = {p->radius_mm, 0}};
    post_opening o[2] = {{"in", LATTICE_INLET, {c[0], c[1], c[2]}, {-n[0], -n[1], -n[2]}, p->radius_mm},
                         {"out", LATTICE_OUTLET, {end[0], end[1], end[2]}, {n[0], n[1], n[2]}, p->radius_mm}};
    double low[3], high[3], reach = p->radius_mm + 3 * h;
    for (int a = 0; a < 3; a++) {
        low[a] = fmin(c[a], end[a]) - reach + 0.237 * h; /* off the grid */
        high[a] = fmax(c[a], end[a]) + reach;
    }
    post_lattice_make(&s, h, low, high, 2, o, l);
}

void post_pipe_surface(const post_pipe *p, int n, int caps, surface *out) {
    double helper[3] = {fabs(p->axis[0]) < 0.7, fabs(p->axis[0]) >= 0.7, 0}, u[3], v[3];
    int rings = (int)ceil(n * p->length_mm / (2 * M_PI * p->radius_mm)) + 1;
    double t = vec_dot(helper, p->axis);
    for (int a = 0; a < 3; a++)
        u[a] = helper[a] - t * p->axis[a];
    t = sqrt(vec_dot(u, u));
    for (int a = 0; a < 3; a++)
        u[a] /= t;
    for (int a = 0; a < 3; a++)
        v[a] = p->axis[(a + 1) % 3] * u[(a + 2) % 3] - p->axis[(a + 2) % 3] * u[(a + 1) % 3];
    if (surface_create(out, (int64_t)rings * n + 2 * caps, (int64_t)(rings - 1) * n * 2 + 2 * caps * n) != 0)
        abort();
    double *q = out->point_mm;
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < n; j++)
            for (int a = 0; a < 3; a++)
                *q++ = p->point_mm[a] + p->axis[a] * p->length_mm * i / (rings - 1) +
                       p->radius_mm * (u[a] * cos(2 * M_PI * j / n) + v[a] * sin(2 * M_PI * j / n));
    for (int k = 0; k < 2 * caps; k++)
        for (int a = 0; a < 3; a++)
            *q++ = p->point_mm[a] + p->axis[a] * p->length_mm * k;
    int32_t *w = out->triangle, last = (rings - 1) * n, middle = rings * n;
    for (int i = 0; i + 1 < rings; i++)
        for (int j = 0; j < n; j++) {
            int32_t a = i * n + j, b = i * n + (j + 1) % n;
            int32_t both[6] = {a, b, b + n, a, b + n, a + n};
            memcpy(w, both, sizeof both);
            w += 6;
        }
    for (int j = 0; caps && j < n; j++) {
        int32_t both[6] = {middle, (j + 1) % n, j, middle + 1, last + j, last + (j + 1) % n};
        memcpy(w, both, sizeof both);
        w += 6;
    }
}
