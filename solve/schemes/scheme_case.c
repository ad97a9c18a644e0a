/* SPDX-License-Identifier: Apache-2.0 */
/* Analytic boxes (cavity, sphere, eye) and phantoms with closed openings. */
#include "solve/schemes/scheme_case.h"
#include "common/base/status.h"
#include "data/phantom/phantom.h"
#include "solve/schemes/geometry.h"
#include "mesh/cells/voxelize.h"
#include "solve/schemes/scheme.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum exact { CAVITY, SPHERE, EYE, NOT_EXACT };

static int exact_find(const char *name) {
    static const char *const names[] = {"cavity", "sphere", "eye"};
    for (int k = 0; k < NOT_EXACT; k++)
        if (strcmp(name, names[k]) == 0)
            return k;
    return NOT_EXACT;
}

static int box_check(const int dims[3]) {
    const double n = (double)dims[0] * dims[1] * dims[2];
    return n < 2147483647.0 ? OK
                            : fail(ERR_INPUT, "the box of %d x %d x %d has 2^31 cells or more; use fewer cells",
                                   dims[0], dims[1], dims[2]);
}

/* True if the centre of a cell is in the fluid; coordinates from the middle of the box, cells. */
static bool exact_inside(int kind, const int dims[3], double x, double y, double z) {
    if (kind == CAVITY)
        return true;
    if (kind == SPHERE)
        return x * x + y * y + z * z > dims[0] * dims[0] / 64.0;
    /* radius: of a sphere whose cap of height h covers a circle of radius a, (a^2 + h^2) / 2h */
    const double a = 0.5 * dims[0], h = dims[2], radius = (a * a + h * h) / (2 * h), up = z + 0.5 * h + radius - h;
    return x * x + y * y + up * up < radius * radius;
}

static int exact_make(int kind, double cells, int longest, lattice *l) {
    static const double fraction[] = {1, 0.9918, 0.4437 * 120 / 384}; /* number of fluid cells of cavity, sphere and
                                                                       * eye, as a fraction of n^3 */
    const int n = longest > 0 ? longest : (int)fmax(8, lround(cbrt(cells / fraction[kind])));
    const int dims[3] = {n, n, kind == EYE ? (int)fmax(3, lround(n * 120.0 / 384)) : n};
    int rc = box_check(dims);
    int64_t count = 0;
    for (int pass = 0; pass < 2 && rc == OK; pass++) {
        if (pass == 1)
            rc = lattice_create(l, count, 0, 0);
        count = 0;
        for (int z = 0; z < dims[2] && rc == OK; z++)
            for (int y = 0; y < dims[1]; y++)
                for (int x = 0; x < dims[0]; x++) {
                    if (!exact_inside(kind, dims, x + 0.5 - 0.5 * dims[0], y + 0.5 - 0.5 * dims[1],
                                      z + 0.5 - 0.5 * dims[2]))
                        continue;
                    if (pass == 1)
                        memcpy(l->cell + 3 * count, (const int32_t[3]){x, y, z}, 3 * sizeof *l->cell);
                    count++;
                }
    }
    memcpy(l->dims, dims, sizeof dims);
    return rc;
}

/* --- phantoms ----------------------------------------------------------------------------------------------------- */

static double phantom_distance(const void *data, const double p[3]) {
    return shape_distance_mm(data, p);
}

/* Chooses the box of the phantom: `dims` cells if given, otherwise from `longest` (cells along the longest side) or
 * `cells` (number of fluid cells). */
static int phantom_box(const phantom *p, double cells, int longest, const int *dims, voxelize_input *in) {
    int rc = OK, long_axis = 0;
    for (int a = 1; a < 3; a++)
        if (p->high_mm[a] - p->low_mm[a] > p->high_mm[long_axis] - p->low_mm[long_axis])
            long_axis = a;
    const double length = p->high_mm[long_axis] - p->low_mm[long_axis];
    in->spacing_mm = length / (dims ? dims[long_axis] : longest > 0 ? longest : 100);
    for (int pass = 0; pass < 2 && !dims && longest <= 0; pass++) {
        TRY(voxelize_box(in, p->low_mm, p->high_mm));
        in->spacing_mm *= cbrt(voxelize_estimate_cells(in) / cells);
    }
    if (!dims)
        TRY(voxelize_box(in, p->low_mm, p->high_mm));
    for (int a = 0; a < 3 && dims; a++) {
        in->dims[a] = dims[a];
        in->origin_mm[a] = 0.5 * (p->low_mm[a] + p->high_mm[a]) - 0.5 * (dims[a] - 1) * in->spacing_mm;
    }
    rc = box_check(in->dims);
cleanup:
    return rc;
}

static int phantom_lattice(const char *name, double cells, int longest, const int *dims, lattice *l) {
    phantom *p = malloc(sizeof *p);
    voxelize_input in = {.distance = phantom_distance};
    int rc = OK;
    if (!p)
        return fail_memory("the phantom", sizeof *p);
    TRY(phantom_make(phantom_find(name), 1.0, p));
    in.data = &p->shape;
    TRY(phantom_box(p, cells, longest, dims, &in));
    TRY(voxelize(&in, l, NULL));
cleanup:
    free(p);
    return rc;
}

/* Copies the cells of a lattice without its links and openings. */
static int close_lattice(const lattice *from, lattice *to) {
    const int rc = lattice_create(to, from->n_cell, 0, 0);
    if (rc != OK)
        return rc;
    memcpy(to->dims, from->dims, sizeof to->dims);
    memcpy(to->cell, from->cell, 3 * (size_t)from->n_cell * sizeof *to->cell);
    memcpy(to->solid, from->solid, (size_t)from->n_cell * sizeof *to->solid);
    return box_check(to->dims);
}

static int index_make(int wall, scheme_case *c) {
    lattice *l = &c->l;
    c->n_box = (int64_t)l->dims[0] * l->dims[1] * l->dims[2];
    c->index = malloc((size_t)c->n_box * sizeof *c->index);
    c->solid = malloc((size_t)(l->n_cell + 1) * sizeof *c->solid);
    if (!c->index || !c->solid)
        return fail_memory("the box of cells", 4.0 * (double)c->n_box);
    for (int64_t k = 0; k < c->n_box; k++)
        c->index[k] = -1;
    for (int64_t k = 0; k < l->n_cell; k++) {
        const int32_t *p = l->cell + 3 * k;
        c->index[((int64_t)p[2] * l->dims[1] + p[1]) * l->dims[0] + p[0]] = (int32_t)k;
        if (wall == SCHEME_BOUNCE)
            l->solid[k] = 0;
        l->distance_mm[k] = -1;
        c->solid[k] = (float)l->solid[k] / LATTICE_SUBCELL_COUNT;
    }
    l->spacing_mm = 1;
    return OK;
}

int scheme_case_make(const char *name, double cells, int longest, const int *dims, int wall, scheme_case *c) {
    const int kind = exact_find(name);
    geometry g = {0};
    int rc = OK;
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s", name);
    if (kind != NOT_EXACT)
        TRY(exact_make(kind, cells, longest, &c->l));
    else {
        if (!geometry_known(name))
            GIVE_UP(fail(ERR_USAGE, "geometry '%s' is not known; there are cavity, sphere, eye, %s", name,
                         geometry_names()));
        if (phantom_find(name) >= 0)
            TRY(phantom_lattice(name, cells, longest, dims, &g.l));
        else
            TRY(geometry_make(name, cells, longest, false, &g));
        TRY(close_lattice(&g.l, &c->l));
    }
    TRY(index_make(wall, c));
cleanup:
    geometry_free(&g);
    if (rc != OK)
        scheme_case_free(c);
    return rc;
}

void scheme_case_free(scheme_case *c) {
    lattice_free(&c->l);
    free(c->index);
    free(c->solid);
    memset(c, 0, sizeof *c);
}
