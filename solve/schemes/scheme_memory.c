/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/schemes/scheme_memory.h"
#include "common/base/status.h"
#include "solve/schemes/scheme_field.h"
#include "solve/core/backend.h"
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32 }; /* smallest transfer from the memory of a GPU, bytes */

/* Chooses the largest Morton bricks, edge 2^k, that enlarge the box by 10 % or less; a cube with an edge of 2^k cells
 * is one brick. */
static void morton_shape(scheme_grid *g) {
    for (int k = 0; k <= 10; k++) {
        const int64_t edge = INT64_C(1) << k, x = (g->nx + edge - 1) / edge, y = (g->ny + edge - 1) / edge,
                      z = (g->nz + edge - 1) / edge;
        if (k > 0 && 10 * (x * y * z << 3 * k) > 11 * g->n_box)
            break;
        g->brick = k;
        g->brick_x = (int32_t)x;
        g->brick_y = (int32_t)y;
        g->n_slot = x * y * z << 3 * k;
    }
}

static void choose_shape(const scheme_case *c, int stride, scheme_state *s) {
    const scheme *t = &scheme_table[s->id];
    scheme_grid *g = &s->grid;
    memset(g, 0, sizeof *g);
    g->nx = c->l.dims[0];
    g->ny = c->l.dims[1];
    g->nz = c->l.dims[2];
    g->n_box = c->n_box;
    g->n_cell = c->l.n_cell;
    g->n_slot = t->addressing == SCHEME_DENSE ? g->n_box : g->n_cell;
    if (t->layout == SCHEME_MORTON)
        morton_shape(g);
    while (t->layout == SCHEME_CSOA && 1 << g->shift < stride)
        g->shift++;
    g->n_slot = (g->n_slot + (INT64_C(1) << g->shift) - 1) >> g->shift << g->shift;
}

static double value_bytes(const scheme_state *s) {
    return backend_value_bytes(s->precision);
}

static double addressing_bytes(const scheme_state *s) {
    const double box = (double)s->grid.n_box, cells = (double)s->grid.n_cell, slots = (double)s->grid.n_slot;
    switch (scheme_table[s->id].addressing) {
    case SCHEME_DENSE:
        return slots * (s->wall == SCHEME_PARTIAL ? 4 : 1);
    case SCHEME_SEMI:
        return 4 * box;
    case SCHEME_SPARSE:
        return 4 * box + 12 * cells + (s->wall == SCHEME_PARTIAL ? 4 * cells : 0);
    case SCHEME_LIST:
        return 72 * cells;
    default:
        return 8 * box + 8 * cells;
    }
}

double scheme_memory_needed(const scheme_case *c, const scheme_state *s, int stride) {
    scheme_state copy = *s;
    choose_shape(c, stride, &copy);
    return addressing_bytes(&copy) +
           scheme_slots(s->heat) * (double)copy.grid.n_slot * value_bytes(s) * scheme_lattices(s->id);
}

/* --- bytes per update */

/* Computes the bytes of all memory sectors that hold a fluid cell or a neighbour of a fluid cell, in an array over the
 * box with `width` bytes per cell. */
static int touched_bytes(const scheme_case *c, int width, double *bytes) {
    const int64_t each = SECTOR / width, n = c->n_box / each + 1;
    int64_t touched = 0;
    uint8_t *mark = calloc((size_t)n, 1);
    if (!mark)
        return fail_memory("the count of bytes", (double)n);
    for (int64_t k = 0; k < c->l.n_cell; k++) {
        const int32_t *p = c->l.cell + 3 * k;
        for (int z = p[2] - 1; z <= p[2] + 1; z++)
            for (int y = p[1] - 1; y <= p[1] + 1; y++) {
                if (z < 0 || y < 0 || z >= c->l.dims[2] || y >= c->l.dims[1])
                    continue;
                const int64_t row = ((int64_t)z * c->l.dims[1] + y) * c->l.dims[0];
                const int low = p[0] > 0 ? p[0] - 1 : 0, high = p[0] + 1 < c->l.dims[0] ? p[0] + 1 : p[0];
                mark[(row + low) / each] = 1;
                mark[(row + high) / each] = 1;
            }
    }
    for (int64_t k = 0; k < n; k++)
        touched += mark[k];
    free(mark);
    *bytes = SECTOR * (double)touched;
    return OK;
}

static int count_bytes(const scheme_case *c, const scheme_state *s, scheme_memory *m) {
    const scheme *t = &scheme_table[s->id];
    const double box = (double)s->grid.n_box, cells = (double)s->grid.n_cell;
    const int twice = t->propagation == SCHEME_TWO ? 2 : 1;
    double touched = 0;
    int rc = OK;
    m->per_update = 2 * scheme_slots(s->heat) * value_bytes(s) * twice;
    if (t->addressing == SCHEME_SPARSE || t->addressing == SCHEME_CYCLIC)
        rc = touched_bytes(c, t->addressing == SCHEME_SPARSE ? 4 : 8, &touched);
    if (t->addressing == SCHEME_DENSE)
        m->per_update += twice * (s->wall == SCHEME_PARTIAL ? 4 : 1) * box / cells;
    else if (t->addressing == SCHEME_SEMI)
        m->per_update += 4 * box / cells;
    else if (t->addressing == SCHEME_SPARSE)
        m->per_update += 12 + touched / cells + (s->wall == SCHEME_PARTIAL ? 4 : 0);
    else if (t->addressing == SCHEME_LIST)
        m->per_update += t->propagation == SCHEME_AA ? 36 : 72;
    else
        m->per_update += 8 + touched / cells;
    return rc;
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */

/* Copies `host` to a new device array, whose address goes to *to, and frees `host`. host NULL: its allocation
 * failed. */
static int put_array(scheme_memory *m, void *host, double bytes, void *to) {
    int rc = host ? m->device->allocate(&m->array[m->n_array], (size_t)bytes) : fail_memory("a scheme's arrays", bytes);
    if (rc == OK)
        rc = m->device->upload(m->array[m->n_array], host, (size_t)bytes);
    free(host);
    if (rc == OK) {
        memcpy(to, &m->array[m->n_array], sizeof m->array[0]);
        m->addressing += bytes;
        m->n_array++;
    }
    return rc;
}

static int put_cells(const scheme_case *c, scheme_state *s, scheme_memory *m) {
    const int64_t n = s->grid.n_slot;
    uint8_t *fluid = calloc((size_t)n, 1);
    float *solid = malloc((size_t)n * sizeof *solid);
    int rc = fluid && solid ? OK : fail_memory("a scheme's cells", 5.0 * (double)n);
    for (int64_t k = 0; rc == OK && k < n; k++)
        solid[k] = 1;
    for (int64_t k = 0; rc == OK && k < c->l.n_cell; k++) {
        const int64_t place = scheme_field_float.place(c, s, k);
        fluid[place] = 1;
        solid[place] = c->solid[k];
    }
    if (rc == OK && s->wall == SCHEME_PARTIAL) {
        rc = put_array(m, solid, 4.0 * (double)n, &s->grid.solid);
        solid = NULL;
    } else if (rc == OK) {
        rc = put_array(m, fluid, (double)n, &s->grid.fluid);
        fluid = NULL;
    }
    free(fluid);
    free(solid);
    return rc;
}

static int put_index(const scheme_case *c, scheme_state *s, scheme_memory *m) {
    int32_t *index = malloc((size_t)c->n_box * sizeof *index);
    if (index)
        memcpy(index, c->index, (size_t)c->n_box * sizeof *index);
    return put_array(m, index, 4.0 * (double)c->n_box, &s->grid.index);
}

static int put_positions(const scheme_case *c, scheme_state *s, scheme_memory *m) {
    const int32_t **to[3] = {&s->grid.x, &s->grid.y, &s->grid.z};
    int rc = OK;
    for (int axis = 0; axis < 3 && rc == OK; axis++) {
        int32_t *x = malloc((size_t)c->l.n_cell * sizeof *x);
        for (int64_t k = 0; x && k < c->l.n_cell; k++)
            x[k] = c->l.cell[3 * k + axis];
        rc = put_array(m, x, 4.0 * (double)c->l.n_cell, to[axis]);
    }
    return rc;
}

static int put_neighbours(const scheme_case *c, scheme_state *s, scheme_memory *m) {
    const int64_t n = c->l.n_cell;
    int32_t *neighbour = malloc(18 * (size_t)n * sizeof *neighbour);
    if (neighbour) {
#pragma omp parallel for schedule(static)
        for (int64_t k = 0; k < n; k++) {
            const int32_t *p = c->l.cell + 3 * k;
            for (int a = 1; a < 19; a++)
                neighbour[(a - 1) * n + k] =
                    scheme_case_cell(c, p[0] + lattice_e[a][0], p[1] + lattice_e[a][1], p[2] + lattice_e[a][2]);
        }
    }
    return put_array(m, neighbour, 72.0 * (double)n, &s->grid.neighbour);
}

/* Creates the two pointer arrays of CYCLIC. forward [n_box]: address of the first population of each fluid cell in
 * lattice 0, NULL for solid cells. backward [n_cell]: address of the entry of each fluid cell in `forward`. */
static int put_pointers(const scheme_case *c, scheme_state *s, scheme_memory *m) {
    const char **forward = malloc((size_t)c->n_box * sizeof *forward);
    const void ***backward = malloc((size_t)c->l.n_cell * sizeof *backward);
    int rc = forward && backward ? OK : fail_memory("the pointers of cells", 8.0 * (double)c->n_box);
    s->grid.base = s->lattice[0];
    for (int64_t k = 0; rc == OK && k < c->n_box; k++)
        forward[k] = c->index[k] < 0 ? NULL : (const char *)s->lattice[0] + c->index[k] * (int64_t)value_bytes(s);
    if (rc == OK) {
        rc = put_array(m, forward, 8.0 * (double)c->n_box, &s->grid.forward);
        forward = NULL;
    }
    for (int64_t k = 0; rc == OK && k < c->l.n_cell; k++) {
        const int32_t *p = c->l.cell + 3 * k;
        backward[k] = (const void **)s->grid.forward + ((int64_t)p[2] * c->l.dims[1] + p[1]) * c->l.dims[0] + p[0];
    }
    if (rc == OK) {
        rc = put_array(m, backward, 8.0 * (double)c->l.n_cell, &s->grid.backward);
        backward = NULL;
    }
    free(forward);
    free(backward);
    return rc;
}

int scheme_memory_create(const scheme_case *c, const scheme_device *d, int stride, scheme_state *s, scheme_memory *m) {
    const int addressing = scheme_table[s->id].addressing;
    int rc = OK;
    memset(m, 0, sizeof *m);
    m->device = d;
    s->lattice[0] = s->lattice[1] = NULL;
    s->current = s->odd = 0;
    choose_shape(c, stride, s);
    const double bytes = scheme_slots(s->heat) * (double)s->grid.n_slot * value_bytes(s);
    for (int k = 0; k < scheme_lattices(s->id); k++) {
        TRY(d->allocate(&s->lattice[k], (size_t)bytes));
        m->lattices += bytes;
    }
    if (addressing == SCHEME_DENSE)
        TRY(put_cells(c, s, m));
    if (addressing == SCHEME_SEMI || addressing == SCHEME_SPARSE)
        TRY(put_index(c, s, m));
    if (addressing == SCHEME_SPARSE)
        TRY(put_positions(c, s, m));
    if (addressing == SCHEME_SPARSE && s->wall == SCHEME_PARTIAL)
        TRY(put_cells(c, s, m));
    if (addressing == SCHEME_LIST)
        TRY(put_neighbours(c, s, m));
    if (addressing == SCHEME_CYCLIC)
        TRY(put_pointers(c, s, m));
    TRY(count_bytes(c, s, m));
cleanup:
    return rc;
}

void scheme_memory_free(scheme_state *s, scheme_memory *m) {
    for (int k = 0; m->device && k < m->n_array + (m->n_array < SCHEME_ARRAYS); k++)
        m->device->release(m->array[k]);
    for (int k = 0; m->device && k < 2; k++) {
        m->device->release(s->lattice[k]);
        s->lattice[k] = NULL;
    }
    memset(m, 0, sizeof *m);
}
