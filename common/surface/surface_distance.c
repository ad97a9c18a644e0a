/* See surface_distance.h. */
#include "common/surface/surface_distance.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/surface/surface_tree.h"
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { REMEMBERED = 64 };

struct surface_distance {
    const surface *s;
    surface_tree tree;
    double near_mm;
    double triangle_mm2;  /* mean area of a triangle */
    double (*ball)[4];    /* [n_triangle] a ball round each: centre, radius */
    double (*face)[3];    /* [n_triangle] unit normals, 0 without an area */
    double (*edge)[3][3]; /* [n_triangle] edge k from corner k to k + 1: sum of the normals on both sides */
    double (*corner)[3];  /* [n_point] angle-weighted normals */
    unsigned number;      /* which one it is, for what the threads remember */
};

/* What a thread remembers: every triangle that can be nearest to a point within near_mm of the centre. */
typedef struct {
    unsigned number; /* 0: nothing */
    double centre[3];
    int n;
    int32_t triangle[REMEMBERED];
    unsigned guess_number; /* of the surface that `guess`, the nearest triangle of the last point, belongs to */
    int64_t guess;
} memory;

static _Thread_local memory recent;
static atomic_uint last_number;

/* ---------------------------------------------------------------------------------------- normals */

typedef struct {
    uint64_t key; /* both points */
    int64_t side; /* 3 triangle + k */
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

static void add_corner(surface_distance *d, int64_t t, int k) {
    double u[3], v[3];
    vec_add(point_of(d->s, t, k + 1), -1, point_of(d->s, t, k), u);
    vec_add(point_of(d->s, t, k + 2), -1, point_of(d->s, t, k), v);
    if (!vec_normalize(u) || !vec_normalize(v))
        return;
    double *n = d->corner[d->s->triangle[3 * t + k]];
    vec_add(n, acos(fmin(1, fmax(-1, vec_dot(u, v)))), d->face[t], n);
}

/* Round the middle of the box; 1e-9 for rounding. */
static void find_ball(surface_distance *d, int64_t t) {
    double *ball = d->ball[t];
    ball[3] = 0;
    for (int a = 0; a < 3; a++) {
        const double x = point_of(d->s, t, 0)[a], y = point_of(d->s, t, 1)[a], z = point_of(d->s, t, 2)[a];
        ball[a] = 0.5 * (fmin(x, fmin(y, z)) + fmax(x, fmax(y, z)));
    }
    for (int k = 0; k < 3; k++)
        ball[3] = fmax(ball[3], vec_distance(ball, point_of(d->s, t, k)));
    ball[3] = ball[3] * (1 + 1e-9) + 1e-12;
}

static void find_faces(surface_distance *d) {
    for (int64_t t = 0; t < d->s->n_triangle; t++) {
        double u[3], v[3];
        vec_add(point_of(d->s, t, 1), -1, point_of(d->s, t, 0), u);
        vec_add(point_of(d->s, t, 2), -1, point_of(d->s, t, 0), v);
        vec_cross(u, v, d->face[t]);
        d->triangle_mm2 += 0.5 * vec_length(d->face[t]) / (double)d->s->n_triangle;
        if (!vec_normalize(d->face[t]))
            memset(d->face[t], 0, sizeof d->face[t]);
        for (int k = 0; k < 3; k++)
            add_corner(d, t, k);
        find_ball(d, t);
    }
}

static int find_edges(surface_distance *d) {
    const int64_t n = 3 * d->s->n_triangle;
    edge_side *side = malloc((size_t)(n + 1) * sizeof *side);
    if (!side)
        return fail_memory("the edges of a surface", (double)n * sizeof *side);
    for (int64_t i = 0; i < n; i++) {
        const uint32_t a = (uint32_t)d->s->triangle[i], b = (uint32_t)d->s->triangle[i % 3 == 2 ? i - 2 : i + 1];
        side[i] = (edge_side){a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, i};
    }
    qsort(side, (size_t)n, sizeof *side, compare_sides);
    for (int64_t i = 0; i < n;) {
        double sum[3] = {0};
        int64_t end = i;
        for (; end < n && side[end].key == side[i].key; end++)
            vec_add(sum, 1, d->face[side[end].side / 3], sum);
        for (; i < end; i++)
            memcpy(d->edge[side[i].side / 3][side[i].side % 3], sum, sizeof sum);
    }
    free(side);
    return OK;
}

int surface_distance_create(surface_distance **out, const surface *s, double near_mm) {
    int rc;
    const size_t n = (size_t)s->n_triangle + 1;
    surface_distance *d = calloc(1, sizeof *d);
    *out = NULL;
    if (!d)
        return fail_memory("the distance to a surface", sizeof *d);
    d->s = s;
    d->near_mm = near_mm;
    d->number = atomic_fetch_add(&last_number, 1) + 1;
    d->ball = malloc(n * sizeof *d->ball);
    d->face = malloc(n * sizeof *d->face);
    d->edge = malloc(n * sizeof *d->edge);
    d->corner = calloc((size_t)s->n_point + 1, sizeof *d->corner);
    if (!d->ball || !d->face || !d->edge || !d->corner)
        GIVE_UP(fail_memory("the distance to a surface", 128.0 * (double)n + 24.0 * (double)s->n_point));
    find_faces(d);
    TRY(find_edges(d));
    TRY(surface_tree_create(&d->tree, s));
    *out = d;
    d = NULL;
cleanup:
    surface_distance_free(d);
    return rc;
}

void surface_distance_near(surface_distance *d, double near_mm) {
    d->near_mm = near_mm;
    d->number = atomic_fetch_add(&last_number, 1) + 1;
}

void surface_distance_free(surface_distance *d) {
    if (!d)
        return;
    surface_tree_free(&d->tree);
    free(d->ball);
    free(d->face);
    free(d->edge);
    free(d->corner);
    free(d);
}

/* ---------------------------------------------------------------------------------------- nearest */

/* The nearest point found so far: on the face (part 0), edge (1..3) or corner (4..6) of a triangle. */
typedef struct {
    double square, away, point[3]; /* away: the distance, a little more */
    int64_t triangle;
    int part;
} nearest;

static void take(nearest *best, double square, int64_t triangle, int part, const double point[3]) {
    *best = (nearest){square, sqrt(square) * (1 + 1e-9), {point[0], point[1], point[2]}, triangle, part};
}

/* Where on the segment from a to b, 0..1, p is nearest; its squared distance and the point. */
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

/* Lower `best` to triangle t. */
static void try_triangle(const surface_distance *d, int64_t t, const double p[3], nearest *best) {
    const double *ball = d->ball[t], reach = best->away + ball[3];
    const double x = p[0] - ball[0], y = p[1] - ball[1], z = p[2] - ball[2];
    if (x * x + y * y + z * z > reach * reach)
        return;
    const double *c[3] = {point_of(d->s, t, 0), point_of(d->s, t, 1), point_of(d->s, t, 2)}, *n = d->face[t];
    double w[3];
    vec_add(p, -1, c[0], w);
    const double height = vec_dot(w, n);
    if (height * height > best->square)
        return;
    const double rest = (best->square - height * height) * (1 + 1e-9);
    double outside[3];
    bool within = true;
    for (int k = 0; k < 3; k++) { /* on the inner side of each edge */
        double edge[3], across[3], from[3];
        vec_add(c[(k + 1) % 3], -1, c[k], edge);
        vec_cross(n, edge, across);
        vec_add(p, -1, c[k], from);
        outside[k] = vec_dot(from, across);
        if (outside[k] < 0 && outside[k] * outside[k] > rest * vec_dot(edge, edge))
            return; /* further beyond this edge than the nearest one is */
        within = within && outside[k] >= 0;
    }
    if (within) {
        if (height * height < best->square) {
            double foot[3];
            vec_add(p, -height, n, foot);
            take(best, height * height, t, 0, foot);
        }
        return;
    }
    for (int k = 0; k < 3; k++) {
        double q[3], square;
        if (outside[k] >= 0)
            continue;
        const double at = segment_nearest(p, c[k], c[(k + 1) % 3], q, &square);
        if (!(square < best->square))
            continue;
        take(best, square, t, at <= 0 ? 4 + k : (at >= 1 ? 4 + (k + 1) % 3 : 1 + k), q);
    }
}

static void search(const surface_distance *d, const double p[3], nearest *best) {
    int32_t stack[SURFACE_TREE_DEPTH];
    int n = 0;
    stack[n++] = 0;
    while (n > 0) {
        const surface_node *node = &d->tree.node[stack[--n]];
        if (surface_node_distance2(node, p) > best->square)
            continue;
        for (int32_t k = 0; k < node->n; k++)
            try_triangle(d, d->tree.triangle[node->child + k], p, best);
        if (node->n > 0)
            continue;
        const double first = surface_node_distance2(&d->tree.node[node->child], p);
        const double second = surface_node_distance2(&d->tree.node[node->child + 1], p);
        stack[n++] = first < second ? node->child + 1 : node->child;
        stack[n++] = first < second ? node->child : node->child + 1;
    }
}

/* Remember the triangles within `reach` of p; too many: none. */
static void remember(const surface_distance *d, const double p[3], double reach) {
    int32_t stack[SURFACE_TREE_DEPTH];
    int n = 0;
    recent.number = 0;
    recent.n = 0;
    stack[n++] = 0;
    while (n > 0) {
        const surface_node *node = &d->tree.node[stack[--n]];
        if (surface_node_distance2(node, p) > reach * reach)
            continue;
        for (int32_t k = 0; k < node->n; k++) {
            nearest near = {.square = reach * reach, .away = reach * (1 + 1e-9), .triangle = -1};
            try_triangle(d, d->tree.triangle[node->child + k], p, &near);
            if (near.triangle < 0)
                continue;
            if (recent.n == REMEMBERED)
                return;
            recent.triangle[recent.n++] = d->tree.triangle[node->child + k];
        }
        if (node->n == 0) {
            stack[n++] = node->child;
            stack[n++] = node->child + 1;
        }
    }
    memcpy(recent.centre, p, sizeof recent.centre);
    recent.number = d->number;
}

static const double *normal_of(const surface_distance *d, const nearest *at) {
    if (at->part == 0)
        return d->face[at->triangle];
    if (at->part < 4)
        return d->edge[at->triangle][at->part - 1];
    return d->corner[d->s->triangle[3 * at->triangle + at->part - 4]];
}

static double signed_distance(const surface_distance *d, const nearest *best, const double p[3]) {
    double from[3];
    vec_add(p, -1, best->point, from);
    const double distance = sqrt(best->square);
    return vec_dot(from, normal_of(d, best)) < 0 ? -distance : distance;
}

double surface_distance_remembered_mm(const surface_distance *d, const double p[3]) {
    nearest best = {.square = INFINITY, .away = INFINITY, .triangle = -1};
    if (recent.number != d->number || vec_distance(p, recent.centre) > d->near_mm)
        return NAN;
    if (recent.guess_number == d->number) /* a good guess leaves most others out */
        try_triangle(d, recent.guess, p, &best);
    for (int k = 0; k < recent.n; k++)
        try_triangle(d, recent.triangle[k], p, &best);
    recent.guess_number = d->number;
    recent.guess = best.triangle;
    return signed_distance(d, &best, p);
}

double surface_distance_mm(const surface_distance *d, const double p[3]) {
    nearest best = {.square = INFINITY, .away = INFINITY, .triangle = -1};
    const double remembered = surface_distance_remembered_mm(d, p);
    if (!isnan(remembered))
        return remembered;
    if (recent.guess_number == d->number) /* a good guess makes the search short */
        try_triangle(d, recent.guess, p, &best);
    search(d, p, &best);
    recent.guess_number = d->number;
    recent.guess = best.triangle;
    const double away = sqrt(best.square), reach = (away + 2 * d->near_mm) * (1 + 1e-9);
    /* where there would be too many, as of triangles much smaller than near_mm, looking for them is in vain */
    if (away < 4 * d->near_mm && M_PI * (reach * reach - best.square) < REMEMBERED * d->triangle_mm2)
        remember(d, p, reach);
    return signed_distance(d, &best, p);
}
