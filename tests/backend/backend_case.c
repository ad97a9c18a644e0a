/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/backend/backend_case.h"
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include "solve/core/half.h"
#include "tests/unit/solve/solve_flow.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void case_must(int rc) {
    if (rc == OK)
        return;
    fprintf(stderr, "%s\n", status_message());
    abort();
}

static double distance(const void *data, const double p[3]) {
    return shape_distance_mm(data, p);
}

static unsigned next(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* A wall 0.1 thick through the axis of the tube, 10 long. */
static double flap_distance(const void *data, const double p[3]) {
    const double along = (0.6 * p[0] + 0.2 * p[1] + 3 * p[2]) / sqrt(9.4), away = 3 * (p[0] - 0.3) - 0.6 * p[2];
    return fmax(distance(data, p), fmin(0.05 - fabs(away) / sqrt(9.36), 5 - fabs(along)));
}

/* length: of the part between its openings, 1: about 20 mm. */
static lattice tube(double spacing_mm, double length, bool flap) {
    const shape s = {.kind = SHAPE_CYLINDER, .a = {0.3, 0.2, 0}, .b = {0.9, 0.4, 3}, .radius = {5}};
    const mesh_opening o[2] = {{.name = "in",
                                .role = LATTICE_INLET,
                                .point_mm = {0.3 - 2 * length, 0.2 - 0.67 * length, -10 * length},
                                .normal = {-0.6, -0.2, -3}},
                               {.name = "out",
                                .role = LATTICE_OUTLET,
                                .point_mm = {0.3 + 2 * length, 0.2 + 0.67 * length, 10 * length},
                                .normal = {0.6, 0.2, 3}}};
    voxelize_input in = {.distance = flap ? flap_distance : distance,
                         .data = &s,
                         .spacing_mm = spacing_mm,
                         .n_opening = 2,
                         .opening = o,
                         .corners = true};
    lattice l;
    case_must(voxelize_box(&in, (double[3]){-9, -8, -14}, (double[3]){9, 8, 14}));
    case_must(voxelize(&in, &l, NULL));
    return l;
}

/* Along z, so that its openings stand along the grid. */
static lattice straight_tube(void) {
    const shape s = {.kind = SHAPE_CYLINDER, .a = {0.3, 0.2, 0}, .b = {0.3, 0.2, 1}, .radius = {5}};
    const mesh_opening o[2] = {{.name = "in", .role = LATTICE_INLET, .point_mm = {0.3, 0.2, -8}, .normal = {0, 0, -1}},
                               {.name = "out", .role = LATTICE_OUTLET, .point_mm = {0.3, 0.2, 8}, .normal = {0, 0, 1}}};
    voxelize_input in = {.distance = distance, .data = &s, .spacing_mm = 0.6, .n_opening = 2, .opening = o};
    lattice l;
    case_must(voxelize_box(&in, (double[3]){-6, -6, -9}, (double[3]){6, 6, 9}));
    case_must(voxelize(&in, &l, NULL));
    return l;
}

static lattice pipe(void) {
    const shape s = {.kind = SHAPE_CYLINDER, .a = {9.7, 10.2, 0}, .b = {9.7, 10.2, 1}, .radius = {8.3}};
    voxelize_input in = {.distance = distance,
                         .data = &s,
                         .spacing_mm = 1,
                         .dims = {20, 21, 12},
                         .periodic = {false, false, true},
                         .corners = true};
    lattice l;
    case_must(voxelize(&in, &l, NULL));
    return l;
}

static lattice cavity(void) {
    const shape s = {.kind = SHAPE_BOX, .a = {0.2, 0.1, 0.3}, .b = {19.8, 17.7, 18.6}};
    const mesh_opening o[1] = {
        {.name = "lid", .role = LATTICE_MOVING_WALL, .point_mm = {10, 9, 18.6}, .normal = {0, 0, 1}}};
    voxelize_input in = {
        .distance = distance, .data = &s, .spacing_mm = 1, .n_opening = 1, .opening = o, .corners = true};
    lattice l;
    case_must(voxelize_box(&in, (double[3]){-1, -1, -1}, (double[3]){21, 19, 20}));
    case_must(voxelize(&in, &l, NULL));
    return l;
}

/* A closed box with holes; every missing neighbour is a wall at a random distance. */
static lattice box(int directions) {
    lattice solids = flow_random_solids((int[3]){41, 17, 13}, false, 5), l;
    lattice_rows rows;
    unsigned seed = 99;
    case_must(lattice_rows_create(&rows, &solids));
    case_must(lattice_create(&l, solids.n_cell, solids.n_cell * (directions - 1), 0));
    l.spacing_mm = 1;
    l.directions = directions;
    l.n_link = 0;
    memcpy(l.dims, solids.dims, sizeof l.dims);
    memcpy(l.cell, solids.cell, (size_t)l.n_cell * 3 * sizeof *l.cell);
    for (int64_t c = 0; c < l.n_cell; c++) {
        const int32_t *p = l.cell + 3 * c;
        l.distance_mm[c] = -1;
        for (int a = 1; a < directions; a++) {
            const int8_t *e = lattice_e[a];
            if (lattice_rows_find(&rows, p[0] + e[0], p[1] + e[1], p[2] + e[2]) >= 0)
                continue;
            l.link_cell[l.n_link] = (int32_t)c;
            l.link_dir[l.n_link] = (uint8_t)a;
            l.link_q[l.n_link++] = (float)(next(&seed) % 999 + 1) / 1000.0f;
        }
    }
    lattice_rows_free(&rows);
    lattice_free(&solids);
    return l;
}

/* Which of three walls each link belongs to, the openings' too (not looked at). */
static void walls_at_random(lattice *l) {
    unsigned seed = 11;
    l->link_wall = calloc((size_t)l->n_link + 1, 1);
    for (int64_t k = 0; k < l->n_link; k++)
        l->link_wall[k] = (uint8_t)(next(&seed) % 3);
}

static bool is_warm(int kind) {
    return (kind >= CASE_WARM_SLAB && kind < CASE_CORNER_TUBE) || kind == CASE_WARM_LARGE;
}

static bool has_corners(int kind) {
    return (kind >= CASE_CORNER_TUBE && kind < CASE_ALL) || kind == CASE_CORNER_LARGE;
}

/* The case on D3Q19 that has the same lattice and openings as a case on D3Q27. */
static int without_corners(int kind) {
    static const int like[] = {[CASE_CORNER_TUBE] = CASE_TUBE,
                               [CASE_CORNER_TUBE_THIN] = CASE_TUBE_THIN,
                               [CASE_CORNER_TUBE_SHORT] = CASE_TUBE_SHORT,
                               [CASE_CORNER_TUBE_OUT] = CASE_TUBE_OUT,
                               [CASE_CORNER_TUBE_FLAP] = CASE_TUBE_FLAP,
                               [CASE_CORNER_PIPE] = CASE_PIPE,
                               [CASE_CORNER_CAVITY] = CASE_CAVITY,
                               [CASE_CORNER_BOX] = CASE_BOX,
                               [CASE_CORNER_SLAB] = CASE_WARM_SLAB,
                               [CASE_CORNER_LARGE] = CASE_LARGE};
    return has_corners(kind) ? like[kind] : kind;
}

static lattice case_lattice(int kind, int directions) {
    static const flow_walls slab = {{1, 2}, {60, 30, 3}, 0.3, 23.5, 0.13}, ring = {{0, 0}, {22, 22, 5}, 4.1, 9.7, 0.23};
    switch (kind) {
    case CASE_TUBE_SHORT:
    case CASE_WARM_TUBE_SHORT:
        return tube(0.6, 0.05, false);
    case CASE_LARGE:
        return tube(0.12, 1, false);
    case CASE_WARM_LARGE:
        return tube(0.2, 1, false);
    case CASE_ZOU_HE:
    case CASE_ZOU_HE_OUT:
        return straight_tube();
    case CASE_PIPE:
        return pipe();
    case CASE_CAVITY:
    case CASE_WARM_CAVITY:
        return cavity();
    case CASE_BOX:
    case CASE_WARM_BOX:
        return box(directions);
    case CASE_SOLIDS:
        return flow_random_solids((int[3]){37, 19, 11}, true, 3);
    case CASE_WARM_SLAB:
        return directions == LATTICE_D3Q27 ? flow_walls_corners(&slab) : flow_walls_lattice(&slab);
    case CASE_WARM_ANNULUS:
        return flow_walls_lattice(&ring);
    default:
        return tube(0.6, 1, kind == CASE_TUBE_FLAP);
    }
}

/* Walls of 0.5, -1 and without flux, in the unit of the random deviations; the first opening brings 1, the others are
 * free. */
static heat_settings *case_heat(const backend_case *c) {
    heat_settings *h = calloc(1, sizeof *h);
    h->omega_minus = 1 / (0.5 + 4 * 0.05);
    h->omega_plus = 1 / (0.5 + 0.25 / (4 * 0.05));
    memcpy(h->buoyancy, (double[3]){0.004, -0.006, 0.01}, sizeof h->buoyancy);
    h->n_wall = 3;
    h->n_side = 3 + c->d.n_opening;
    h->side[0] = (heat_side){HEAT_GIVEN, 0.5 * c->size};
    h->side[1] = (heat_side){HEAT_GIVEN, -c->size};
    h->side[2] = (heat_side){HEAT_NO_FLUX, 0};
    for (int k = 0; k < c->d.n_opening; k++)
        h->side[3 + k] = k ? (heat_side){HEAT_FREE, 0} : (heat_side){HEAT_GIVEN, c->size};
    return h;
}

static const char *const names[] = {[CASE_TUBE] = "tube",
                                    [CASE_TUBE_VLBM] = "tube, vlbm",
                                    [CASE_PIPE] = "pipe with a force",
                                    [CASE_CAVITY] = "cavity",
                                    [CASE_BOX] = "box",
                                    [CASE_SOLIDS] = "solids",
                                    [CASE_TUBE_THIN] = "tube, tau 0.55",
                                    [CASE_TUBE_THICK] = "tube, tau 1",
                                    [CASE_TUBE_SHORT] = "tube of two cells",
                                    [CASE_TUBE_OUT] = "tube, flow out",
                                    [CASE_ZOU_HE] = "tube, zou-he",
                                    [CASE_ZOU_HE_OUT] = "tube, zou-he out",
                                    [CASE_TUBE_FLAP] = "tube, thin wall",
                                    [CASE_WARM_SLAB] = "warm slab",
                                    [CASE_WARM_ANNULUS] = "warm annulus",
                                    [CASE_WARM_CAVITY] = "warm cavity",
                                    [CASE_WARM_TUBE] = "warm tube",
                                    [CASE_WARM_TUBE_OUT] = "warm tube, flow out",
                                    [CASE_WARM_TUBE_SHORT] = "warm tube of two",
                                    [CASE_WARM_BOX] = "warm box",
                                    [CASE_CORNER_TUBE] = "tube, D3Q27",
                                    [CASE_CORNER_TUBE_THIN] = "D3Q27, tau 0.55",
                                    [CASE_CORNER_TUBE_SHORT] = "D3Q27, two cells",
                                    [CASE_CORNER_TUBE_OUT] = "D3Q27, flow out",
                                    [CASE_CORNER_TUBE_FLAP] = "D3Q27, thin wall",
                                    [CASE_CORNER_PIPE] = "D3Q27, pipe",
                                    [CASE_CORNER_CAVITY] = "D3Q27, cavity",
                                    [CASE_CORNER_BOX] = "D3Q27, box",
                                    [CASE_CORNER_SLAB] = "D3Q27, slab",
                                    [CASE_LARGE] = "large tube",
                                    [CASE_WARM_LARGE] = "large warm tube",
                                    [CASE_CORNER_LARGE] = "D3Q27, large tube"};

/* Two pulse profiles, for a tube with a flow in and one with a flow out. */
static const opening_pulse *case_pulse(int kind) {
    static double ratio[18] = {0.1, -0.3, 0.2,  0.4, -0.2, 0.3,  -0.1, 0.2, 0.3,
                               0.2, 0.1,  -0.4, 0.3, 0.2,  -0.2, 0.1,  0,   0.1},
                  curvature[18] = {0, 0.1, 0, 0.1, 0.2, 0.1, 0, 0.1, 0, 0, -0.1, 0, 0, 0.1, 0.3, 0, 0, 0.1};
    static const opening_pulse pulse = {
        .n_profile = 2, .n = 3, .axis = {{1, 0, 0}, {0, 1, 0}}, .step_mm = 5, .ratio = ratio, .curvature = curvature};
    return kind == CASE_TUBE_THIN || kind == CASE_TUBE_OUT ? &pulse : NULL;
}

backend_case case_make(int kind, int precision, bool regularized) {
    backend_case c = {.name = names[kind], .size = 1e-3, .value = 0.02};
    domain_condition condition[2] = {{.kind = DOMAIN_FLOW}, {.kind = DOMAIN_PRESSURE}};
    const bool corners = has_corners(kind), warm = is_warm(kind), driven_slab = kind == CASE_CORNER_SLAB;
    kind = without_corners(kind);
    const bool on_site = kind == CASE_ZOU_HE || kind == CASE_ZOU_HE_OUT;
    const bool out = kind == CASE_TUBE_OUT || kind == CASE_ZOU_HE_OUT || kind == CASE_WARM_TUBE_OUT;
    lattice l = case_lattice(kind, corners ? LATTICE_D3Q27 : LATTICE_D3Q19);
    if (kind == CASE_WARM_CAVITY || kind == CASE_WARM_BOX)
        walls_at_random(&l);
    const int wall = kind == CASE_TUBE_VLBM || kind == CASE_SOLIDS ? DOMAIN_WALL_VLBM
                     : corners                                     ? DOMAIN_WALL_QUADRATIC
                                                                   : DOMAIN_WALL_INTERPOLATED;
    condition[0].on_site = condition[1].on_site = on_site;
    condition[out].pulse = case_pulse(kind);
    if (out) {
        condition[0].kind = DOMAIN_PRESSURE;
        condition[1].kind = DOMAIN_FLOW;
        c.value = -c.value;
    }
    if (kind == CASE_CAVITY || kind == CASE_WARM_CAVITY)
        condition[0] = (domain_condition){.kind = DOMAIN_MOVING_WALL, .velocity = {0.05, 0.01, 0}};
    case_must(domain_create(&l, wall, condition, &c.d));
    lattice_free(&l);
    const double tau = kind == CASE_TUBE_THIN ? 0.55 : kind == CASE_TUBE_THICK ? 1.0 : 0.6;
    const bool forced = kind == CASE_PIPE || kind == CASE_TUBE_THICK || kind == CASE_ZOU_HE_OUT || driven_slab;
    c.settings = flow_settings(tau, false, precision, forced ? 1e-5 : 0);
    c.settings.regularized = regularized && !corners;
    c.settings.cumulant = corners;
    c.settings.advection_rate = corners ? 0.3 : 0;
    if (corners)
        c.settings.omega_minus = 1;
    if (warm) {
        c.settings.heat = case_heat(&c);
        c.settings.forced = true;
    }
    return c;
}

void case_free(backend_case *c) {
    domain_free(&c->d);
    free((void *)c->settings.heat);
}

void case_make_porous(domain *d) {
    d->region = calloc((size_t)d->n_cell + DOMAIN_RUN_MAX, 1);
    if (!d->region)
        abort();
    for (int64_t k = 0; k < d->n_cell; k++)
        d->region[k] = (uint8_t)((d->position[3 * k + 2] / 2 + d->position[3 * k]) % 3);
    for (int64_t k = 0; k < d->n_link; k++)
        if (d->link[k].opening)
            d->region[d->link[k].cell] = 0;
}

prescribed_value *case_prescribed(const backend_case *c, int n) {
    const int openings = c->d.n_opening, each = domain_given(&c->d);
    prescribed_value *given = calloc((size_t)n * (size_t)each + 1, sizeof *given);
    for (int k = 0; k < n; k++)
        for (int o = 0; o < openings; o++) {
            const double wave = 1 + 0.3 * sin(0.01 * k + o);
            prescribed_value *to = &given[k * each + o];
            for (int j = 0; j < c->d.n_pulse && c->d.opening[o].kind == DOMAIN_FLOW; j++)
                given[k * each + openings + o * c->d.n_pulse + j].flow =
                    c->value * c->d.opening[o].link_flux * 0.3 * sin(0.02 * k + j);
            if (c->d.opening[o].kind == DOMAIN_FLOW)
                to->flow = c->value * c->d.opening[o].link_flux * wave;
            else if (c->d.opening[o].kind == DOMAIN_PRESSURE)
                to->pressure = 1e-3 * wave;
            else
                to->wall_speed = 1;
        }
    return given;
}

void case_fill(const backend_case *c, const backend_table *table, backend *b) {
    const size_t n = (size_t)backend_slots(&c->settings) * (size_t)c->d.n_cell,
                 bytes = (size_t)backend_value_bytes(c->settings.precision);
    char *slots = malloc(n * bytes), *kept = calloc((size_t)c->d.n_partial + 1, bytes);
    unsigned seed = 7;
    for (size_t k = 0; k < n; k++) {
        const float value = (float)(c->size * ((double)next(&seed) / 8388608.0 - 1.0));
        const double wide = value;
        const uint16_t narrow = half_from_float(value * HALF_UNIT);
        memcpy(slots + k * bytes,
               bytes == 8   ? (const void *)&wide
               : bytes == 4 ? (const void *)&value
                            : &narrow,
               bytes);
    }
    /* kept = theta f_a*', which the neighbour on that side has received */
    for (int64_t k = 0; k < c->d.n_partial; k++) {
        const domain_partial *p = &c->d.partial[k];
        int32_t from;
        domain_neighbours(&c->d, p->dir, p->cell, 1, &from);
        const size_t at = (size_t)lattice_opposite(p->dir) * (size_t)c->d.n_cell + (size_t)from;
        if (bytes == 8)
            ((double *)kept)[k] = p->theta * ((const double *)slots)[at];
        else if (bytes == 4)
            ((float *)kept)[k] = (float)p->theta * ((const float *)slots)[at];
        else
            ((uint16_t *)kept)[k] = half_from_float((float)p->theta * half_to_float(((const uint16_t *)slots)[at]));
    }
    case_must(table->write(b, slots, kept));
    free(slots);
    free(kept);
}

backend_monitor case_monitor(case_fields *f) {
    return (backend_monitor){.flow = f->flow, .density = f->opening_density, .heat_flux = f->heat_flux};
}

case_fields case_read(const backend_case *c, const backend_table *table, backend *b) {
    const size_t n = (size_t)c->d.n_cell;
    case_fields f = {.density = malloc(n * 4), .velocity = malloc(n * 12), .stress = malloc(n * 24)};
    f.monitor = case_monitor(&f);
    case_must(table->monitor(b, &f.monitor));
    case_must(table->moments(b, f.density, f.velocity, f.stress));
    if (c->settings.heat) {
        f.theta = malloc(n * 4);
        f.gradient = malloc(n * 12);
        case_must(table->temperature(b, f.theta, f.gradient));
    }
    return f;
}

void case_fields_free(case_fields *f) {
    free(f->density);
    free(f->velocity);
    free(f->stress);
    free(f->theta);
    free(f->gradient);
}

double case_difference(const float *a, const float *b, int64_t n) {
    double difference = 0, square = 0;
    for (int64_t k = 0; k < n; k++) {
        difference += ((double)a[k] - b[k]) * ((double)a[k] - b[k]);
        square += (double)b[k] * b[k];
    }
    if (!isfinite(difference) || !isfinite(square))
        return 1e30;
    return difference == 0 ? 0 : sqrt(difference / square);
}

double case_norm(const float *a, int64_t n) {
    double square = 1e-60;
    for (int64_t k = 0; k < n; k++)
        square += (double)a[k] * a[k];
    return sqrt(square);
}
