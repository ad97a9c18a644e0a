/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/common/lattice_sample.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 4 };

/* Box: x 0..nx-1, y 0..5, z 0..5; fluid centres at y, z in 1..4, solid ones at y = 0, z in 1..4. */
static bool stored(int nx, int x, int y, int z) {
    return x >= 0 && x < nx && y >= 0 && y <= WIDTH && z >= 1 && z <= WIDTH;
}

/* Walks over cells and links; counts, and fills when `l` has room. */
static void walk(lattice *l, int nx, bool fill, int64_t *n_cell, int64_t *n_link) {
    *n_cell = *n_link = 0;
    for (int z = 0; z <= WIDTH + 1; z++)
        for (int y = 0; y <= WIDTH + 1; y++)
            for (int x = 0; x < nx; x++) {
                if (!stored(nx, x, y, z))
                    continue;
                bool fluid = y >= 1;
                if (fill) {
                    const int32_t xyz[3] = {x, y, z};
                    memcpy(l->cell + 3 * *n_cell, xyz, sizeof xyz);
                    l->solid[*n_cell] = fluid ? 0 : 500;
                    l->distance_mm[*n_cell] = fluid ? -0.2f : 0.2f;
                }
                for (int a = 1; a < 19; a++) {
                    int to[3] = {x + lattice_e[a][0], y + lattice_e[a][1], z + lattice_e[a][2]};
                    int opening = to[0] < 0 ? 1 : to[0] >= nx ? 2 : 0;
                    bool inside = to[1] >= 1 && to[1] <= WIDTH && to[2] >= 1 && to[2] <= WIDTH;
                    if (opening ? !inside && !fluid : !fluid || inside)
                        continue;
                    if (fill) {
                        l->link_cell[*n_link] = (int32_t)*n_cell;
                        l->link_dir[*n_link] = (uint8_t)a;
                        l->link_q[*n_link] = 0.5f;
                        l->link_opening[*n_link] = (uint8_t)(opening && inside ? opening : 0);
                    }
                    ++*n_link;
                }
                ++*n_cell;
            }
}

static int set_opening(lattice *l, int k, const char *name, double x, double nx) {
    lattice_opening *o = &l->opening[k];
    strcpy(o->name, name);
    o->role = k;
    o->normal[0] = nx;
    o->centre_mm[0] = x;
    o->area_mm2 = 2.56;
    o->perimeter_mm = 6.4;
    o->radius_mm = 0.9;
    for (int64_t i = 0; i < l->n_link; i++)
        o->n_link += l->link_opening[i] == k + 1;
    o->profile_developed = calloc((size_t)o->n_link + 1, sizeof(float));
    o->profile_parabolic = calloc((size_t)o->n_link + 1, sizeof(float));
    if (!o->profile_developed || !o->profile_parabolic)
        return fail_memory("a profile", 1);
    for (int64_t i = 0; i < o->n_link; i++) {
        o->profile_developed[i] = 1 + 0.01f * (float)i;
        o->profile_parabolic[i] = 2 - 0.01f * (float)i;
    }
    return OK;
}

int lattice_sample(lattice *l, int nx) {
    int64_t n_cell, n_link;
    walk(NULL, nx, false, &n_cell, &n_link);
    int rc = lattice_create(l, n_cell, n_link, 2);
    if (rc != OK)
        return rc;
    walk(l, nx, true, &n_cell, &n_link);
    l->spacing_mm = 0.4;
    l->origin_mm[0] = -10.5;
    l->origin_mm[1] = 20;
    l->origin_mm[2] = 300.25;
    l->dims[0] = nx;
    l->dims[1] = l->dims[2] = WIDTH + 2;
    TRY(set_opening(l, 0, "SMV", -10.7, -1));
    TRY(set_opening(l, 1, "RPV.1", -10.7 + 0.4 * nx, 1));
cleanup:
    if (rc != OK)
        lattice_free(l);
    return rc;
}
