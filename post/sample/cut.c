/* SPDX-License-Identifier: Apache-2.0 */
#include "post/sample/cut.h"
#include "common/base/vec.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

/* HALF_FIRST, HALF_MAX: first and largest half width of the grid, in nodes */
enum { HALF_MAX = 1500, HALF_FIRST = 100 };
enum { ALONE = 128 }; /* Below this number of nodes, threads cost more time than they save */

typedef struct {
    const sampler *s;
    const cut_frame *frame;
    double step_mm;
    int half, width; /* the grid has nodes from -half to half in both directions, `width` in each */
    float *distance; /* [width * width] wall distance at each node; 0: not computed yet */
    int32_t *node;   /* [width * width] for a node inside the lumen: 1 + index of its point; 0: none */
    /* [width * width][2] for the edges to +x and +y: 1 + index of the point where the edge meets the wall; 0: none */
    int32_t *edge;
    uint8_t *in_patch;   /* [width * width] 1: the node is inside the lumen and in the patch */
    int low[2], high[2]; /* range of nodes that the patch covers */
    int opening;
    bool whole; /* true: the grid covers the whole lumen */
} grid;

/* Growing arrays of the result. */
typedef struct {
    double *point;
    int32_t *triangle;
    int64_t n_point, n_triangle, max_point, max_triangle;
} mesh;

void cut_frame_plane(const double point_mm[3], const double normal[3], cut_frame *f) {
    memset(f, 0, sizeof *f);
    memcpy(f->centre_mm, point_mm, sizeof f->centre_mm);
    vec_axes(normal, f->axis);
}

void cut_frame_free(cut_frame *f) {
    free(f->height_mm);
    memset(f, 0, sizeof *f);
}

double cut_height_mm(const cut_frame *f, double x_mm, double y_mm) {
    if (f->n[0] < 2 || f->n[1] < 2)
        return 0;
    double at[2] = {(x_mm - f->low_mm[0]) / f->step_mm, (y_mm - f->low_mm[1]) / f->step_mm};
    int base[2];
    for (int a = 0; a < 2; a++) {
        at[a] = fmin(fmax(at[a], 0), f->n[a] - 1);
        base[a] = (int)at[a] < f->n[a] - 2 ? (int)at[a] : f->n[a] - 2;
        at[a] -= base[a];
    }
    const float *h = f->height_mm + (size_t)base[1] * (size_t)f->n[0] + base[0], *up = h + f->n[0];
    return (1 - at[1]) * ((1 - at[0]) * (double)h[0] + at[0] * (double)h[1]) +
           at[1] * ((1 - at[0]) * (double)up[0] + at[0] * (double)up[1]);
}

static void node_position(const grid *g, double i, double j, double point_mm[3]) {
    const cut_frame *f = g->frame;
    double x = (i - g->half) * g->step_mm, y = (j - g->half) * g->step_mm;
    vec_add(f->centre_mm, x, f->axis[0], point_mm);
    vec_add(point_mm, y, f->axis[1], point_mm);
    vec_add(point_mm, cut_height_mm(f, x, y), f->axis[2], point_mm);
}

static float distance_at(const grid *g, double i, double j) {
    double p[3];
    node_position(g, i, j, p);
    return (float)sampler_distance_mm(g->s, p, NULL);
}

static float node_distance(grid *g, int i, int j) {
    if (i < 0 || j < 0 || i >= g->width || j >= g->width)
        return INFINITY;
    float *d = &g->distance[(size_t)j * (size_t)g->width + (size_t)i];
    if (*d == 0)
        *d = distance_at(g, i, j);
    return *d;
}

/* True if a wall thinner than a cell lies between node (i, j) and its neighbour. */
static int is_walled(const grid *g, int i, int j, int di, int dj) {
    double p[3], q[3];
    node_position(g, i, j, p);
    node_position(g, i + di, j + dj, q);
    const int64_t a = sampler_cell(g->s, p), b = sampler_cell(g->s, q);
    for (int dir = 1; dir < 19 && a >= 0 && b >= 0 && a != b; dir++) {
        const int32_t *from = g->s->lattice->cell + 3 * a, *to = g->s->lattice->cell + 3 * b;
        if (to[0] - from[0] == lattice_e[dir][0] && to[1] - from[1] == lattice_e[dir][1] &&
            to[2] - from[2] == lattice_e[dir][2])
            return g->s->active[a] && g->s->active[b] && sampler_walled(g->s, a, dir);
    }
    return 0;
}

/* Position, 0..1, of a wall thinner than a cell on the edge from node (i, j) to its neighbour: where the edge leaves
 * the cell that contains the node. */
static double find_thin_crossing(const grid *g, int i, int j, int di, int dj) {
    double p[3], low = 0, high = 1;
    node_position(g, i, j, p);
    const int64_t own = sampler_cell(g->s, p);
    for (int k = 0; k < 10; k++) {
        const double t = (low + high) / 2;
        node_position(g, i + t * di, j + t * dj, p);
        *(sampler_cell(g->s, p) == own ? &low : &high) = t;
    }
    return low;
}

/* Position where the edge from the inside node (i, j) to its outside neighbour meets the wall, 0..1. */
static double find_crossing(grid *g, int i, int j, int di, int dj) {
    double d0 = (double)node_distance(g, i, j), d1 = (double)node_distance(g, i + di, j + dj);
    if (isfinite(d1) && d1 > 0)
        return d0 / (d0 - d1);
    if (d1 < 0 && is_walled(g, i, j, di, dj))
        return find_thin_crossing(g, i, j, di, dj);
    double low = 0, high = 1; /* ends of the bisection; it is used at an opening, or in a cube without fluid, where the
                               * signed distance is not linear */
    for (int k = 0; k < 6; k++) {
        double t = (low + high) / 2;
        if (distance_at(g, i + t * di, j + t * dj) < 0)
            low = t;
        else
            high = t;
    }
    return (low + high) / 2;
}

static void mark_node(grid *g, int i, int j) {
    const int at[2] = {i, j};
    g->in_patch[(size_t)j * (size_t)g->width + (size_t)i] = 1;
    for (int a = 0; a < 2; a++) {
        g->low[a] = at[a] < g->low[a] ? at[a] : g->low[a];
        g->high[a] = at[a] > g->high[a] ? at[a] : g->high[a];
    }
}

static int grow_array(void **array, int64_t *max, int64_t n, size_t size) {
    if (n < *max)
        return OK;
    int64_t larger = *max * 2 + 1024;
    void *p = realloc(*array, (size_t)larger * size);
    if (!p)
        return fail_memory("a cut through the vessel", (double)larger * (double)size);
    *array = p;
    *max = larger;
    return OK;
}

/* Appends a point. *number out: 1 + index of the point. */
static int add_point(mesh *m, const double p[3], int32_t *number) {
    int rc = grow_array((void **)&m->point, &m->max_point, m->n_point, 3 * sizeof *m->point);
    if (rc != OK)
        return rc;
    memcpy(m->point + 3 * m->n_point, p, 3 * sizeof *p);
    *number = (int32_t)++m->n_point;
    return OK;
}

static int add_triangle(mesh *m, int32_t a, int32_t b, int32_t c) {
    int rc = grow_array((void **)&m->triangle, &m->max_triangle, m->n_triangle, 3 * sizeof *m->triangle);
    if (rc != OK)
        return rc;
    int32_t t[3] = {a, b, c};
    memcpy(m->triangle + 3 * m->n_triangle++, t, sizeof t);
    return OK;
}

static int node_point(grid *g, mesh *m, int i, int j, int32_t *index) {
    int32_t *known = &g->node[(size_t)j * (size_t)g->width + (size_t)i];
    int rc = OK;
    if (*known == 0) {
        double p[3];
        node_position(g, i, j, p);
        rc = add_point(m, p, known);
    }
    *index = *known - 1;
    return rc;
}

/* Find or add the point of the wall between the inside node (i, j) and its outside neighbour. */
static int wall_point(grid *g, mesh *m, int i, int j, int di, int dj, int32_t *index) {
    int low_i = di < 0 ? i - 1 : i, low_j = dj < 0 ? j - 1 : j;
    int32_t *known = &g->edge[2 * ((size_t)low_j * (size_t)g->width + (size_t)low_i) + (dj != 0)];
    int rc = OK;
    if (*known == 0) {
        double t = find_crossing(g, i, j, di, dj), p[3];
        node_position(g, i + t * di, j + t * dj, p);
        rc = add_point(m, p, known);
    }
    *index = *known - 1;
    return rc;
}

/* Add the part of one square inside the lumen as a fan of triangles. */
static int add_square(grid *g, mesh *m, int i, int j) {
    static const int corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    int32_t polygon[8];
    int n = 0, rc = OK, inside[5];
    for (int k = 0; k < 5; k++)
        inside[k] = g->in_patch[(size_t)(j + corner[k][1]) * (size_t)g->width + (size_t)(i + corner[k][0])];
    for (int k = 0; k < 4; k++) {
        int a = i + corner[k][0], b = j + corner[k][1], da = corner[k + 1][0] - corner[k][0],
            db = corner[k + 1][1] - corner[k][1];
        if (inside[k])
            TRY(node_point(g, m, a, b, &polygon[n++]));
        if (inside[k] && !inside[k + 1])
            TRY(wall_point(g, m, a, b, da, db, &polygon[n++]));
        if (!inside[k] && inside[k + 1])
            TRY(wall_point(g, m, a + da, b + db, -da, -db, &polygon[n++]));
    }
    for (int k = 2; k < n; k++)
        TRY(add_triangle(m, polygon[0], polygon[k - 1], polygon[k]));
cleanup:
    return rc;
}

/* Nodes for which the wall distance is computed in one parallel loop. */
typedef struct {
    int32_t (*at)[2];
    int64_t n, max;
} ring;

static int ring_add(const grid *g, uint8_t *visited, int i, int j, ring *r) {
    if (i < 0 || j < 0 || i >= g->width || j >= g->width || visited[(size_t)j * (size_t)g->width + (size_t)i])
        return OK;
    const int rc = grow_array((void **)&r->at, &r->max, r->n, sizeof *r->at);
    if (rc != OK)
        return rc;
    visited[(size_t)j * (size_t)g->width + (size_t)i] = 1;
    r->at[r->n][0] = i;
    r->at[r->n++][1] = j;
    return OK;
}

/* Marks the inside nodes that are connected with (i, j), ring by ring around it. */
static int flood_patch(grid *g, int i, int j) {
    static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint8_t *visited = calloc((size_t)g->width * (size_t)g->width, 1);
    ring now = {0}, next = {0};
    int rc = visited ? OK : fail_memory("a cut through the vessel", (double)g->width * g->width);
    TRY(rc);
    TRY(ring_add(g, visited, i, j, &now));
    while (now.n > 0) {
#pragma omp parallel for schedule(dynamic, 16) if (now.n > ALONE)
        for (int64_t k = 0; k < now.n; k++)
            node_distance(g, now.at[k][0], now.at[k][1]);
        next.n = 0;
        for (int64_t k = 0; k < now.n; k++) {
            const int *at = now.at[k];
            if (!(node_distance(g, at[0], at[1]) < 0))
                continue;
            mark_node(g, at[0], at[1]);
            for (int e = 0; e < 4; e++)
                if (!is_walled(g, at[0], at[1], step[e][0], step[e][1]))
                    TRY(ring_add(g, visited, at[0] + step[e][0], at[1] + step[e][1], &next));
        }
        const ring swap = now;
        now = next;
        next = swap;
    }
cleanup:
    free(visited);
    free(now.at);
    free(next.at);
    return rc;
}

/* Finds the inside node nearest to the middle of the grid within `reach` steps. Returns 0 if there is none. */
static int find_start(grid *g, double reach, int *i, int *j) {
    double best = INFINITY;
    int r_max = reach < g->half ? (int)ceil(reach) : g->half;
    for (int r = 0; r <= r_max && r <= best; r++)
        for (int b = -r; b <= r; b++)
            for (int a = -r; a <= r; a += abs(b) == r || r == 0 ? 1 : 2 * r)
                if (hypot(a, b) < best && hypot(a, b) <= reach && node_distance(g, g->half + a, g->half + b) < 0) {
                    best = hypot(a, b);
                    *i = g->half + a;
                    *j = g->half + b;
                }
    return isfinite(best);
}

static void mark_all_nodes(grid *g) {
    for (int j = 0; j < g->width; j++)
        for (int i = 0; i < g->width; i++) {
            double p[3];
            node_position(g, i, j, p);
            float d = sampler_cell(g->s, p) < 0 ? INFINITY : node_distance(g, i, j);
            if (d < 0)
                mark_node(g, i, j);
        }
}

/* Index of the node before the patch along an axis, or 0 at the end of the grid. */
static int patch_low(const grid *g, int axis) {
    return g->low[axis] > 0 ? g->low[axis] - 1 : 0;
}

static int patch_high(const grid *g, int axis) {
    return g->high[axis] < g->width - 1 ? g->high[axis] + 1 : g->width - 1;
}

static void find_opening(grid *g) {
    for (int j = patch_low(g, 1) + 1; j < patch_high(g, 1); j++)
        for (int i = patch_low(g, 0) + 1; i < patch_high(g, 0); i++) {
            static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
            for (int k = 0; k < 4 && g->in_patch[(size_t)j * (size_t)g->width + (size_t)i]; k++) {
                double p[3];
                node_position(g, i + step[k][0], j + step[k][1], p);
                if (isinf(node_distance(g, i + step[k][0], j + step[k][1])))
                    sampler_beyond_opening(g->s->lattice, p, &g->opening);
            }
        }
}

/* Create the grid. half: number of nodes from the middle to the rim; the grid is smaller if the lumen ends earlier. */
static int grid_create(grid *g, const sampler *s, const cut_frame *f, double step_mm, double half) {
    const lattice *l = s->lattice;
    double far = 0;
    for (int k = 0; k < 8; k++) {
        double corner[3];
        for (int a = 0; a < 3; a++)
            corner[a] = l->origin_mm[a] + (k >> a & 1) * l->spacing_mm * l->dims[a];
        far = fmax(far, vec_distance(corner, f->centre_mm));
    }
    memset(g, 0, sizeof *g);
    g->s = s;
    g->frame = f;
    g->opening = -1;
    g->step_mm = fmax(step_mm, far / HALF_MAX);
    g->half = (int)fmin(ceil(far / g->step_mm) + 2, half);
    g->whole = g->half < half;
    g->width = 2 * g->half + 1;
    size_t n = (size_t)g->width * (size_t)g->width;
    for (int a = 0; a < 2; a++) {
        g->low[a] = g->width;
        g->high[a] = -1;
    }
    g->distance = calloc(n, sizeof *g->distance); /* calloc, because pages far from the patch are then never touched */
    g->node = calloc(n, sizeof *g->node);
    g->edge = calloc(2 * n, sizeof *g->edge);
    g->in_patch = calloc(n, 1);
    if (!g->distance || !g->node || !g->edge || !g->in_patch)
        return fail_memory("a cut through the vessel", 17.0 * (double)n);
    return OK;
}

static void grid_free(grid *g) {
    free(g->distance);
    free(g->node);
    free(g->edge);
    free(g->in_patch);
}

/* Find the patch around the middle on a small grid; enlarge the grid while the patch reaches its rim. */
static int find_patch(grid *g, const sampler *s, const cut_frame *f, double step_mm, double reach_mm) {
    int rc, i = 0, j = 0;
    for (double half = fmax(HALF_FIRST, ceil(reach_mm / step_mm) + 2);; half *= 4) {
        TRY(grid_create(g, s, f, step_mm, half));
        if (find_start(g, reach_mm / g->step_mm, &i, &j))
            TRY(flood_patch(g, i, j));
        const bool inside = g->low[0] > 0 && g->low[1] > 0 && g->high[0] < g->width - 1 && g->high[1] < g->width - 1;
        if (inside || g->whole)
            break;
        grid_free(g);
    }
cleanup:
    return rc;
}

int cut_make(const sampler *s, const cut_frame *f, double step_mm, bool connected, double reach_mm, surface *out,
             int *opening) {
    grid g;
    mesh m = {0};
    int rc;
    memset(out, 0, sizeof *out);
    memset(&g, 0, sizeof g);
    *opening = -1;
    if (connected)
        TRY(find_patch(&g, s, f, step_mm, reach_mm));
    else {
        TRY(grid_create(&g, s, f, step_mm, INFINITY));
        mark_all_nodes(&g);
    }
    find_opening(&g);
    for (int j = patch_low(&g, 1); j < patch_high(&g, 1); j++)
        for (int i = patch_low(&g, 0); i < patch_high(&g, 0); i++)
            TRY(add_square(&g, &m, i, j));
    *opening = g.opening;
    out->n_point = m.n_point;
    out->n_triangle = m.n_triangle;
    out->point_mm = m.point;
    out->triangle = m.triangle;
    m = (mesh){0};
cleanup:
    grid_free(&g);
    free(m.point);
    free(m.triangle);
    return rc;
}
