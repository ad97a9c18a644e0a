/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface/surface_nearest.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------- normals */

typedef struct {
    uint64_t key; /* indices of both points of the edge */
    int64_t side; /* edge k of a triangle, as 3 * triangle + k */
} edge_side;

static int compare_sides(const void *a, const void *b) {
    const edge_side *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

static const double *point_of(const surface *s, int64_t t, int k) {
    return s->point_mm + 3 * (int64_t)s->triangle[3 * t + k % 3];
}

static void add_corner(surface_facets *f, int64_t t, int k) {
    double u[3], v[3];
    vec_add(point_of(f->s, t, k + 1), -1, point_of(f->s, t, k), u);
    vec_add(point_of(f->s, t, k + 2), -1, point_of(f->s, t, k), v);
    if (!vec_normalize(u) || !vec_normalize(v))
        return;
    double *n = f->corner[f->s->triangle[3 * t + k]];
    vec_add(n, acos(fmin(1, fmax(-1, vec_dot(u, v)))), f->facet[t].normal, n);
}

static void find_faces(surface_facets *f) {
    for (int64_t t = 0; t < f->s->n_triangle; t++) {
        double u[3], v[3];
        surface_facet *c = &f->facet[t];
        vec_add(point_of(f->s, t, 1), -1, point_of(f->s, t, 0), u);
        vec_add(point_of(f->s, t, 2), -1, point_of(f->s, t, 0), v);
        vec_cross(u, v, c->normal);
        f->triangle_mm2 += 0.5 * vec_length(c->normal) / (double)f->s->n_triangle;
        if (!vec_normalize(c->normal))
            memset(c->normal, 0, sizeof c->normal);
        for (int k = 0; k < 3; k++) {
            memcpy(c->corner[k], point_of(f->s, t, k), sizeof c->corner[k]);
            vec_add(point_of(f->s, t, k + 1), -1, point_of(f->s, t, k), u);
            vec_cross(c->normal, u, c->across[k]);
            c->edge2[k] = vec_dot(u, u);
        }
        for (int k = 0; k < 3; k++)
            add_corner(f, t, k);
    }
}

static int find_edges(surface_facets *f) {
    const int64_t n = 3 * f->s->n_triangle;
    edge_side *side = malloc((size_t)(n + 1) * sizeof *side);
    if (!side)
        return fail_memory("the edges of a surface", (double)n * sizeof *side);
    for (int64_t i = 0; i < n; i++) {
        const uint32_t a = (uint32_t)f->s->triangle[i], b = (uint32_t)f->s->triangle[i % 3 == 2 ? i - 2 : i + 1];
        side[i] = (edge_side){a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, i};
    }
    qsort(side, (size_t)n, sizeof *side, compare_sides);
    for (int64_t i = 0; i < n;) {
        double sum[3] = {0};
        int64_t end = i;
        for (; end < n && side[end].key == side[i].key; end++)
            vec_add(sum, 1, f->facet[side[end].side / 3].normal, sum);
        for (; i < end; i++)
            memcpy(f->edge[side[i].side / 3][side[i].side % 3], sum, sizeof sum);
    }
    free(side);
    return OK;
}

int surface_facets_create(surface_facets *f, const surface *s) {
    int rc;
    const size_t n = (size_t)s->n_triangle + 1;
    surface_tree tree = {0};
    *f = (surface_facets){.s = s};
    f->facet = calloc(n, sizeof *f->facet);
    f->edge = malloc(n * sizeof *f->edge);
    f->corner = calloc((size_t)s->n_point + 1, sizeof *f->corner);
    if (!f->facet || !f->edge || !f->corner)
        GIVE_UP(fail_memory("the distance to a surface", 264.0 * (double)n + 24.0 * (double)s->n_point));
    find_faces(f);
    TRY(find_edges(f));
    TRY(surface_tree_create(&tree, s));
    TRY(surface_wide_create(&f->wide, &tree, s));
cleanup:
    surface_tree_free(&tree);
    if (rc != OK)
        surface_facets_free(f);
    return rc;
}

void surface_facets_free(surface_facets *f) {
    surface_wide_free(&f->wide);
    free(f->facet);
    free(f->edge);
    free(f->corner);
    *f = (surface_facets){0};
}

/* ---------------------------------------------------------------------------------------- nearest */

surface_nearest surface_nearest_within(double reach_mm) {
    return (surface_nearest){.square = reach_mm * reach_mm, .triangle = -1};
}

static void set_best(surface_nearest *best, double square, int64_t triangle, int part, const double point[3]) {
    *best = (surface_nearest){square, {point[0], point[1], point[2]}, triangle, part};
}

/* Nearest point q of the segment a..b to p; returns its parameter 0..1, *square: squared distance. */
static double segment_nearest(const double p[3], const double a[3], const double b[3], double q[3], double *square) {
    double ab[3], ap[3];
    vec_add(b, -1, a, ab);
    vec_add(p, -1, a, ap);
    const double length2 = vec_dot(ab, ab), t = length2 > 0 ? fmin(1, fmax(0, vec_dot(ap, ab) / length2)) : 0;
    vec_add(a, t, ab, q);
    vec_add(p, -1, q, ap);
    *square = vec_dot(ap, ap);
    return t;
}

void surface_nearest_try(const surface_facets *f, int64_t t, const double p[3], surface_nearest *best) {
    const surface_facet *c = &f->facet[t];
    double w[3];
    vec_add(p, -1, c->corner[0], w);
    const double height = vec_dot(w, c->normal);
    if (height * height > best->square)
        return;
    const double rest = (best->square - height * height) * (1 + 1e-9);
    double outside[3];
    bool within = true;
    for (int k = 0; k < 3; k++) { /* signed distance to edge k times the length of the edge, positive inside */
        double from[3];
        vec_add(p, -1, c->corner[k], from);
        outside[k] = vec_dot(from, c->across[k]);
        if (outside[k] < 0 && outside[k] * outside[k] > rest * c->edge2[k])
            return; /* p is farther beyond this edge than the nearest point found so far */
        within = within && outside[k] >= 0;
    }
    if (within) {
        if (height * height < best->square) {
            double foot[3];
            vec_add(p, -height, c->normal, foot);
            set_best(best, height * height, t, 0, foot);
        }
        return;
    }
    for (int k = 0; k < 3; k++) {
        double q[3], square;
        if (outside[k] >= 0)
            continue;
        const double at = segment_nearest(p, c->corner[k], c->corner[(k + 1) % 3], q, &square);
        if (!(square < best->square))
            continue;
        set_best(best, square, t, at <= 0 ? 4 + k : (at >= 1 ? 4 + (k + 1) % 3 : 1 + k), q);
    }
}

void surface_nearest_listed(const surface_facets *f, int n, const int32_t *triangle, const double p[3],
                            surface_nearest *best) {
    for (int k = 0; k < n; k++)
        surface_nearest_try(f, triangle[k], p, best);
}

static void try_packet(const surface_facets *f, const surface_packet *at, const double p[3], surface_nearest *best) {
    const surface_four square = surface_packet_squares(at, p);
    for (int k = 0; k < SURFACE_WIDE; k++)
        if (square[k] <= surface_wide_limit(best->square) && at->triangle[k] >= 0)
            surface_nearest_try(f, at->triangle[k], p, best);
}

void surface_nearest_packed(const surface_facets *f, int n, const int32_t *packet, const double p[3],
                            surface_nearest *best) {
    for (int k = 0; k < n; k++)
        try_packet(f, &f->wide.packet[packet[k]], p, best);
}

/* A subtree that is still to be searched. */
typedef struct {
    float square;
    int32_t child;
} branch;

/* Pushes the children of a node that may be within `limit`, the nearest last. */
static int push_children(const surface_wide_node *node, const float from[4], float limit, branch *stack, int n) {
    const surface_four square = surface_wide_boxes(node, from);
    const int bottom = n;
    for (int k = 0; k < SURFACE_WIDE; k++) {
        if (!(square[k] <= limit) || isinf(node->low[0][k]))
            continue;
        int at = n++;
        for (; at > bottom && stack[at - 1].square < square[k]; at--)
            stack[at] = stack[at - 1];
        stack[at] = (branch){square[k], node->child[k]};
    }
    return n;
}

void surface_nearest_search(const surface_facets *f, const double p[3], surface_nearest *best) {
    branch stack[SURFACE_TREE_DEPTH];
    float from[4];
    surface_wide_from(&f->wide, p, from);
    int n = push_children(f->wide.node, from, surface_wide_limit(best->square), stack, 0);
    while (n > 0) {
        const branch at = stack[--n];
        const float limit = surface_wide_limit(best->square);
        if (at.square > limit)
            continue;
        if (at.child < 0)
            try_packet(f, &f->wide.packet[-1 - at.child], p, best);
        else
            n = push_children(&f->wide.node[at.child], from, limit, stack, n);
    }
}

static const double *normal_of(const surface_facets *f, const surface_nearest *at) {
    if (at->part == 0)
        return f->facet[at->triangle].normal;
    if (at->part < 4)
        return f->edge[at->triangle][at->part - 1];
    return f->corner[f->s->triangle[3 * at->triangle + at->part - 4]];
}

double surface_nearest_signed_mm(const surface_facets *f, const surface_nearest *best, const double p[3]) {
    double from[3];
    vec_add(p, -1, best->point, from);
    const double distance = sqrt(best->square);
    return vec_dot(from, normal_of(f, best)) < 0 ? -distance : distance;
}

void surface_nearest_normal(const surface_facets *f, const surface_nearest *best, double normal[3]) {
    memcpy(normal, normal_of(f, best), 3 * sizeof *normal);
    vec_normalize(normal);
}

int surface_nearest_packets(const surface_facets *f, const double p[3], double reach, int most, int32_t *packet) {
    branch stack[SURFACE_TREE_DEPTH];
    const float limit = surface_wide_limit(reach * reach);
    float from[4];
    int listed = 0;
    surface_wide_from(&f->wide, p, from);
    int n = push_children(f->wide.node, from, limit, stack, 0);
    while (n > 0) {
        const branch at = stack[--n];
        if (at.child >= 0) {
            n = push_children(&f->wide.node[at.child], from, limit, stack, n);
            continue;
        }
        const surface_four square = surface_packet_squares(&f->wide.packet[-1 - at.child], p);
        bool near = false;
        for (int k = 0; k < SURFACE_WIDE; k++)
            near = near || square[k] <= limit;
        if (!near)
            continue;
        if (listed == most)
            return -1;
        packet[listed++] = -1 - at.child;
    }
    return listed;
}

int surface_nearest_list(const surface_facets *f, int n, const int32_t *packet, const double p[3], double reach,
                         int32_t *triangle) {
    const float limit = surface_wide_limit(reach * reach);
    int listed = 0;
    for (int i = 0; i < n; i++) {
        const surface_packet *at = &f->wide.packet[packet[i]];
        const surface_four square = surface_packet_squares(at, p);
        for (int k = 0; k < SURFACE_WIDE; k++) {
            surface_nearest near = surface_nearest_within(reach);
            if (!(square[k] <= limit) || at->triangle[k] < 0)
                continue;
            surface_nearest_try(f, at->triangle[k], p, &near);
            if (near.triangle >= 0)
                triangle[listed++] = at->triangle[k];
        }
    }
    return listed;
}
