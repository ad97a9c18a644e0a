/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses a spacing for the requested cells, then voxelizes the signed distance of a phantom or shape. */
#include "solve/schemes/geometry.h"
#include "common/base/status.h"
#include "data/phantom/phantom.h"
#include "mesh/cells/voxelize.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A lumen with its box and openings, before the spacing is chosen. */
typedef struct {
    phantom p;
    shape simple;
    const shape *lumen;
    double low[3], high[3];
    int n_opening;
    mesh_opening opening[GEOMETRY_CONDITIONS];
} outline;

static double phantom_distance(const void *data, const double p[3]) {
    return shape_distance_mm(data, p);
}

const char *geometry_names(void) {
    static char list[256];
    if (!list[0]) {
        snprintf(list, sizeof list, "pipe, cube");
        for (int k = 0; phantom_name(k); k++)
            snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", phantom_name(k));
    }
    return list;
}

bool geometry_known(const char *name) {
    return strcmp(name, "pipe") == 0 || strcmp(name, "cube") == 0 || phantom_find(name) >= 0;
}

static void add_opening(outline *o, const char *name, int role, const double point[3], const double normal[3]) {
    mesh_opening *m = &o->opening[o->n_opening++];
    snprintf(m->name, sizeof m->name, "%s", name);
    m->role = role;
    m->radius_mm = NAN;
    memcpy(m->point_mm, point, sizeof m->point_mm);
    memcpy(m->normal, normal, sizeof m->normal);
}

/* A pipe of 16 mm diameter, 62 mm between the openings, as in shang2023 (76.6 % of its box is fluid). */
static void outline_pipe(outline *o) {
    o->simple = (shape){.kind = SHAPE_CYLINDER, .b = {0, 0, 1}, .radius = {8}};
    o->lumen = &o->simple;
    memcpy(o->low, (double[3]){-8.05, -8.05, -33}, sizeof o->low);
    memcpy(o->high, (double[3]){8.05, 8.05, 33}, sizeof o->high);
    add_opening(o, "in", LATTICE_INLET, (double[3]){0, 0, -31}, (double[3]){0, 0, -1});
    add_opening(o, "out", LATTICE_OUTLET, (double[3]){0, 0, 31}, (double[3]){0, 0, 1});
}

static void outline_cube(outline *o) {
    o->simple = (shape){.kind = SHAPE_BOX, .b = {10, 10, 10}};
    o->lumen = &o->simple;
    memcpy(o->high, (double[3]){10, 10, 10}, sizeof o->high);
}

static int outline_phantom(outline *o, int kind) {
    const int rc = phantom_make(kind, 1.0, &o->p);
    if (rc != OK)
        return rc;
    o->lumen = &o->p.shape;
    memcpy(o->low, o->p.low_mm, sizeof o->low);
    memcpy(o->high, o->p.high_mm, sizeof o->high);
    for (int k = 0; k < o->p.n_opening; k++)
        add_opening(o, o->p.opening[k].name, o->p.opening[k].inlet ? LATTICE_INLET : LATTICE_OUTLET,
                    o->p.opening[k].point_mm, o->p.opening[k].normal);
    return OK;
}

static int outline_make(const char *name, outline *o) {
    memset(o, 0, sizeof *o);
    if (!geometry_known(name))
        return fail(ERR_USAGE, "geometry '%s' is not known; there are %s", name, geometry_names());
    if (strcmp(name, "pipe") == 0)
        return outline_pipe(o), OK;
    if (strcmp(name, "cube") == 0)
        return outline_cube(o), OK;
    return outline_phantom(o, phantom_find(name));
}

/* Sets spacing and box of *in: `longest` cells along the longest side or, if longest is 0, about `cells` fluid cells.
 * For `cells` it estimates the number of cells at a first spacing and scales the spacing, twice. */
static int choose_spacing(const outline *o, double cells, int longest, voxelize_input *in) {
    double size = 0;
    for (int a = 0; a < 3; a++)
        size = fmax(size, o->high[a] - o->low[a]);
    in->spacing_mm = size / (longest > 0 ? longest : 100);
    for (int pass = 0; pass < 2 && longest <= 0; pass++) {
        const int rc = voxelize_box(in, o->low, o->high);
        if (rc != OK)
            return rc;
        in->spacing_mm *= cbrt(voxelize_estimate_cells(in) / cells);
    }
    return voxelize_box(in, o->low, o->high);
}

int geometry_make(const char *name, double cells, int longest, bool corners, geometry *g) {
    static outline o; /* static, because a phantom is large for the stack; not reentrant */
    voxelize_input in = {.distance = phantom_distance, .corners = corners};
    int rc;
    memset(g, 0, sizeof *g);
    snprintf(g->name, sizeof g->name, "%s", name);
    TRY(outline_make(name, &o));
    in.data = o.lumen;
    in.n_opening = o.n_opening;
    in.opening = o.opening;
    TRY(choose_spacing(&o, cells, longest, &in));
    TRY(voxelize(&in, &g->l, NULL));
    for (int k = 0; k < g->l.n_opening; k++)
        g->condition[k].kind = g->l.opening[k].role == LATTICE_INLET ? DOMAIN_FLOW : DOMAIN_PRESSURE;
cleanup:
    return rc;
}

void geometry_free(geometry *g) {
    lattice_free(&g->l);
}
