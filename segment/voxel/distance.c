/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/distance.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    float x, y, z; /* wall point, as voxel index */
} point;

enum { SIDE = 8, TILE = SIDE * SIDE * SIDE, AROUND = 27 };
/* A point is nearer than another point only if the ratio of their squared distances is below this */
static const float nearer = 0.99999F;

/* Nearest wall points of a tile, a cube of SIDE^3 voxels. */
typedef struct {
    point nearest[TILE];  /* nearest wall point of each voxel */
    float away2[TILE];    /* squared distance of the wall point, mm2; INFINITY: no wall point is known */
    uint16_t since[TILE]; /* number of the round in which the wall point was found */
} tile;

typedef struct {
    size_t voxel;
    point nearest;
} changed_voxel;
typedef struct {
    changed_voxel *at; /* [n] voxels that have a new nearest wall point */
    size_t n, capacity;
} changed_voxels;

/* A layer of tiles, written by a single thread. From adjacent layers only changes of the last round are read, so the
 * result is the same for any number of threads. */
typedef struct {
    changed_voxels last, now;
    int rc;
} layer;

/* Propagation in rounds: voxels with a new nearest wall point pass it to their neighbours. */
typedef struct {
    volume *phi;
    int along[3]; /* tiles along each axis */
    tile **tile;  /* [number of tiles] NULL: the tile is far from the wall */
    layer *layer; /* [along[2]] the layers of tiles */
    double outside_mm;
} propagation;

static tile **tile_of(const propagation *s, const int at[3]) {
    const size_t x = (size_t)at[0], y = (size_t)at[1], z = (size_t)at[2];
    return &s->tile[(z / SIDE * (size_t)s->along[1] + y / SIDE) * (size_t)s->along[0] + x / SIDE];
}

static size_t place_in_tile(const int at[3]) {
    return ((size_t)at[2] % SIDE * SIDE + (size_t)at[1] % SIDE) * SIDE + (size_t)at[0] % SIDE;
}

static tile *tile_get(tile **p) {
    if (*p == NULL && (*p = malloc(sizeof **p)) != NULL)
        for (int k = 0; k < TILE; k++) {
            (*p)->away2[k] = INFINITY;
            (*p)->since[k] = 0;
        }
    return *p;
}

static float distance2_mm2(const volume *v, const int at[3], const point *q) {
    const double dx = (at[0] - (double)q->x) * v->spacing_mm[0], dy = (at[1] - (double)q->y) * v->spacing_mm[1];
    const double dz = (at[2] - (double)q->z) * v->spacing_mm[2];
    return (float)(dx * dx + dy * dy + dz * dz);
}

/* Differences of phi along the axes, central (one-sided at the border), per mm. */
static void phi_gradient(const volume *v, const int at[3], double g[3]) {
    for (int a = 0; a < 3; a++) {
        int low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
        low[a] -= at[a] > 0;
        high[a] += at[a] < v->dims[a] - 1;
        double d = (high[a] - low[a]) * v->spacing_mm[a];
        g[a] = d > 0 ? ((double)v->value[volume_index(v, high[0], high[1], high[2])] -
                        (double)v->value[volume_index(v, low[0], low[1], low[2])]) /
                           d
                     : 0;
    }
}

/* Gives a voxel of layer l the wall point q if q is nearer than the wall point it has. */
static void offer_point(const propagation *s, layer *l, const int at[3], const point *q, uint16_t round) {
    const float d2 = distance2_mm2(s->phi, at, q);
    const size_t voxel = volume_index(s->phi, at[0], at[1], at[2]), k = place_in_tile(at);
    if (s->phi->value[voxel] > 0 && (double)d2 > s->outside_mm * s->outside_mm)
        return;
    tile *p = tile_get(tile_of(s, at));
    if (p == NULL)
        l->rc = fail_memory("the distance to the wall", sizeof *p);
    if (p == NULL || d2 >= nearer * p->away2[k]) /* not closer than the known wall point */
        return;
    p->nearest[k] = *q;
    p->away2[k] = d2;
    if (p->since[k] == round) /* the list already contains this voxel */
        return;
    p->since[k] = round;
    if (l->now.n == l->now.capacity) {
        const size_t capacity = l->now.capacity ? 2 * l->now.capacity : 1024;
        changed_voxel *grown = realloc(l->now.at, capacity * sizeof *grown);
        if (grown == NULL) {
            l->rc = fail_memory("the distance to the wall", (double)capacity * sizeof *grown);
            return;
        }
        l->now.at = grown;
        l->now.capacity = capacity;
    }
    l->now.at[l->now.n++].voxel = voxel;
}

/* Find the wall points of the voxels of layer n next to the wall: the point at the distance phi along its gradient. */
static void start_layer(const propagation *s, int n, double start_mm) {
    const volume *v = s->phi;
    layer *l = &s->layer[n];
    const size_t plane = (size_t)v->dims[0] * (size_t)v->dims[1], first = (size_t)n * SIDE * plane;
    const size_t end = first + SIDE * plane < volume_size(v) ? first + SIDE * plane : volume_size(v);
    for (size_t i = first; i < end && l->rc == OK; i++) {
        int at[3];
        double g[3], f = (double)v->value[i];
        if (fabs(f) > start_mm)
            continue;
        voxel_split(v, i, at);
        phi_gradient(v, at, g);
        double norm = vec_length(g);
        if (norm < 0.7) /* two walls meet where the gradient is this small; the exact value stays and is not
                         * propagated */
            continue;
        const point q = {(float)(at[0] - f * g[0] / norm / v->spacing_mm[0]),
                         (float)(at[1] - f * g[1] / norm / v->spacing_mm[1]),
                         (float)(at[2] - f * g[2] / norm / v->spacing_mm[2])};
        offer_point(s, l, at, &q, 1);
    }
}

/* Offer the changes of layers n - 1 to n + 1 to the voxels of layer n. */
static void receive_changes(const propagation *s, int n, uint16_t round) {
    const volume *v = s->phi;
    layer *l = &s->layer[n];
    const int low = n * SIDE, high = low + SIDE < v->dims[2] ? low + SIDE : v->dims[2];
    for (int m = n > 0 ? n - 1 : 0; m <= n + 1 && m < s->along[2]; m++)
        for (size_t i = 0; i < s->layer[m].last.n && l->rc == OK; i++) {
            const changed_voxel *one = &s->layer[m].last.at[i];
            int at[3];
            voxel_split(v, one->voxel, at);
            if (at[2] + 1 < low || at[2] > high)
                continue;
            for (int k = 0; k < AROUND; k++) {
                const int to[3] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
                if (k != AROUND / 2 && to[0] >= 0 && to[1] >= 0 && to[0] < v->dims[0] && to[1] < v->dims[1] &&
                    to[2] >= low && to[2] < high)
                    offer_point(s, l, to, &one->nearest, round);
            }
        }
}

/* Ends a round: the new points of layer n become the changes of the last round. */
static void finish_round(const propagation *s, int n) {
    layer *l = &s->layer[n];
    const changed_voxels last = l->last;
    for (size_t i = 0; i < l->now.n; i++) {
        int at[3];
        voxel_split(s->phi, l->now.at[i].voxel, at);
        l->now.at[i].nearest = (*tile_of(s, at))->nearest[place_in_tile(at)];
    }
    l->last = l->now;
    l->now = last;
    l->now.n = 0;
}

static int propagate_points(const propagation *s, double start_mm) {
    const int layers = s->along[2];
    size_t changed = 1;
    int rc = OK;
#pragma omp parallel for schedule(dynamic)
    for (int n = 0; n < layers; n++)
        start_layer(s, n, start_mm);
    for (uint16_t round = 2; changed > 0 && rc == OK; round++) {
        changed = 0;
#pragma omp parallel for schedule(static)
        for (int n = 0; n < layers; n++)
            finish_round(s, n);
#pragma omp parallel for schedule(dynamic)
        for (int n = 0; n < layers; n++)
            receive_changes(s, n, round);
        for (int n = 0; n < layers; n++) {
            changed += s->layer[n].now.n;
            rc = rc == OK ? s->layer[n].rc : rc;
        }
    }
    return rc;
}

/* Writes the new distances. Voxels within exact_mm of the wall keep their old distance, which is exact. Voxels outside
 * the wall that no wall point reached get outside_mm. */
static void write_distances(const propagation *s, double exact_mm) {
    volume *v = s->phi;
    const size_t size = volume_size(v);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < size; i++) {
        const float old = v->value[i];
        int at[3];
        if (fabs((double)old) <= exact_mm)
            continue;
        voxel_split(v, i, at);
        const tile *p = *tile_of(s, at);
        const float d2 = p != NULL ? p->away2[place_in_tile(at)] : INFINITY;
        if (isfinite(d2))
            v->value[i] = copysignf(sqrtf(d2), old);
        else if (old > 0)
            v->value[i] = (float)s->outside_mm;
    }
}

static void propagation_free(propagation *s, size_t n_tile) {
    for (int n = 0; s->layer != NULL && n < s->along[2]; n++) {
        free(s->layer[n].last.at);
        free(s->layer[n].now.at);
    }
    for (size_t k = 0; s->tile != NULL && k < n_tile; k++)
        free(s->tile[k]);
    free(s->tile);
    free(s->layer);
}

int distance_from_surface(const surface *wall, double outside_mm, volume *phi) {
    int rc = OK;
    double h = volume_thickest_mm(phi);
    double band = 2.5 * h;
    size_t n_tile = 1;
    propagation s = {.phi = phi, .outside_mm = fmax(outside_mm, band)};
    for (int a = 0; a < 3; a++) {
        s.along[a] = (phi->dims[a] + SIDE - 1) / SIDE;
        n_tile *= (size_t)s.along[a];
    }
    s.tile = calloc(n_tile, sizeof(tile *));
    s.layer = calloc((size_t)s.along[2], sizeof *s.layer);
    if (s.tile == NULL || s.layer == NULL) {
        rc = fail_memory("the distance to the wall", (double)n_tile * sizeof(tile *));
        goto cleanup;
    }
    TRY(surface_to_phi(wall, band, phi));
    TRY(propagate_points(&s, 1.4 * h));
    write_distances(&s, 0.999 * band);
cleanup:
    propagation_free(&s, n_tile);
    return rc;
}

int distance_rebuild(const volume *level, int margin, surface *wall, volume *phi) {
    int rc = OK;
    grid_box box = {{0, 0, 0}, {0, 0, 0}};
    TRY(surface_from_phi(level, wall));
    if (wall->n_triangle == 0) {
        rc = fail(ERR_NUMERIC, "the vessel is empty, so it has no wall; check the segmentation");
        goto cleanup;
    }
    for (int64_t i = 0; i < wall->n_point; i++) {
        double index[3];
        volume_to_index(level, wall->point_mm + 3 * i, index);
        for (int a = 0; a < 3; a++) {
            int low = (int)floor(index[a]), high = (int)ceil(index[a]);
            box.low[a] = i == 0 || low < box.low[a] ? low : box.low[a];
            box.high[a] = i == 0 || high > box.high[a] ? high : box.high[a];
        }
    }
    grid_box_grow(&box, (int[3]){margin, margin, margin}, NULL);
    TRY(grid_crop(level, &box, 1, phi));
    TRY(distance_from_surface(wall, margin * phi->spacing_mm[0], phi));
cleanup:
    return rc;
}
