/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/solve/solve_flow.h"
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int rc) {
    if (rc != OK) {
        fprintf(stderr, "%s\n", status_message());
        abort();
    }
}

static double distance(const void *data, const double p[3]) {
    return shape_distance_mm(data, p);
}

lattice flow_lattice(const shape *s, const int dims[3], const bool periodic[3], double spacing_mm) {
    lattice l;
    voxelize_input in = {.distance = distance, .data = s, .spacing_mm = spacing_mm};
    memcpy(in.dims, dims, sizeof in.dims);
    memcpy(in.periodic, periodic, sizeof in.periodic);
    must(voxelize(&in, &l, NULL));
    return l;
}

double flow_walls_normal(const flow_walls *c, double n[2]) {
    const double length = hypot(c->along[0], c->along[1]);
    n[0] = c->along[0] / length;
    n[1] = c->along[1] / length;
    return length;
}

double flow_walls_place(const flow_walls *c, const double p[3]) {
    double n[2], best = INFINITY;
    if (!c->along[0] && !c->along[1])
        return hypot(p[0] - 0.5 * c->size[0] - c->shift, p[1] - 0.5 * c->size[1] + 0.4 * c->shift);
    flow_walls_normal(c, n);
    const double middle = 0.5 * (c->low + c->high);
    for (int image = 0; image < 81; image++) {
        const double x = p[0] + (image % 9 - 4) * c->size[0], y = p[1] + (image / 9 - 4) * c->size[1];
        const double at = n[0] * x + n[1] * y - c->shift;
        if (fabs(at - middle) < fabs(best - middle))
            best = at;
    }
    return best;
}

static double wall_distance(const void *data, const double p[3]) {
    const flow_walls *c = data;
    const double at = flow_walls_place(c, p);
    return fmax(c->low - at, at - c->high);
}

static lattice walls_lattice(const flow_walls *c, bool corners) {
    lattice l;
    voxelize_input in = {
        .distance = wall_distance, .data = c, .spacing_mm = 1, .periodic = {true, true, true}, .corners = corners};
    memcpy(in.dims, c->size, sizeof in.dims);
    must(voxelize(&in, &l, NULL));
    l.link_wall = calloc((size_t)l.n_link + 1, 1);
    for (int64_t k = 0; k < l.n_link; k++) {
        double p[3];
        lattice_centre_mm(&l, l.link_cell[k], p);
        for (int a = 0; a < 3; a++)
            p[a] += l.link_q[k] * lattice_e[l.link_dir[k]][a];
        l.link_wall[k] = flow_walls_place(c, p) > 0.5 * (c->low + c->high);
    }
    return l;
}

lattice flow_walls_lattice(const flow_walls *c) {
    return walls_lattice(c, false);
}

lattice flow_walls_corners(const flow_walls *c) {
    return walls_lattice(c, true);
}

static unsigned next(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

lattice flow_random_solids(const int dims[3], bool periodic, unsigned seed) {
    const int n = dims[0] * dims[1] * dims[2];
    int *solid = malloc((size_t)n * sizeof *solid), cells = 0;
    for (int k = 0; k < n; k++) {
        const unsigned kind = next(&seed) % 6;
        solid[k] = kind == 0 ? 512 : kind < 3 ? (int)(next(&seed) % 512) : 0;
        cells += solid[k] < 512;
    }
    lattice l;
    must(lattice_create(&l, cells, 0, 0));
    l.spacing_mm = 1;
    for (int a = 0; a < 3; a++) {
        l.dims[a] = dims[a];
        l.periodic[a] = periodic;
    }
    cells = 0;
    for (int k = 0; k < n; k++) {
        if (solid[k] == 512)
            continue;
        l.cell[3 * cells] = k % dims[0];
        l.cell[3 * cells + 1] = k / dims[0] % dims[1];
        l.cell[3 * cells + 2] = k / dims[0] / dims[1];
        l.distance_mm[cells] = -1;
        l.solid[cells++] = (uint16_t)solid[k];
    }
    free(solid);
    return l;
}

backend_settings flow_settings(double tau, bool bgk, int precision, double force_z) {
    return (backend_settings){.omega_plus = 1 / tau,
                              .omega_minus = bgk ? 1 / tau : 1 / (0.5 + 3.0 / 16.0 / (tau - 0.5)),
                              .force = {0, 0, force_z},
                              .forced = force_z != 0,
                              .precision = precision,
                              .threads = 1};
}

void flow_randomise(const backend_table *table, backend *b, const domain *d, int precision, double size,
                    unsigned seed) {
    const size_t n = 19 * (size_t)d->n_cell;
    double *wide = malloc(n * sizeof *wide);
    float *narrow = malloc(n * sizeof *narrow);
    void *kept = calloc((size_t)d->n_partial + 1, sizeof(double));
    for (size_t k = 0; k < n; k++) {
        wide[k] = (float)(size * ((double)next(&seed) / 8388608.0 - 1.0));
        narrow[k] = (float)wide[k];
    }
    must(table->write(b, precision == BACKEND_DOUBLE ? (void *)wide : (void *)narrow, kept));
    free(wide);
    free(narrow);
    free(kept);
}
