/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/section/cross_section.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Set the axes: u along the projection of the box axis most parallel to the plane; v = normal x u. */
static void make_axes(section *s, const double point[3], const double normal[3]) {
    const double length = sqrt(vec_dot(normal, normal));
    int least = 0;
    for (int a = 0; a < 3; a++) {
        s->point[a] = point[a];
        s->normal[a] = normal[a] / length;
        least = fabs(normal[a]) < fabs(normal[least]) ? a : least;
    }
    for (int a = 0; a < 3; a++)
        s->u[a] = (a == least) - s->normal[least] * s->normal[a];
    const double scale = 1 / sqrt(vec_dot(s->u, s->u));
    for (int a = 0; a < 3; a++)
        s->u[a] *= scale;
    for (int a = 0; a < 3; a++)
        s->v[a] = s->normal[(a + 1) % 3] * s->u[(a + 2) % 3] - s->normal[(a + 2) % 3] * s->u[(a + 1) % 3];
}

void section_position(const section *s, double i, double j, double lps_mm[3]) {
    const int middle = s->n / 2;
    const double a = (i - middle) * s->step_mm, b = (j - middle) * s->step_mm;
    for (int k = 0; k < 3; k++)
        lps_mm[k] = s->point[k] + a * s->u[k] + b * s->v[k] - s->sink_mm * s->normal[k];
}

void section_coordinates(const section *s, const double lps_mm[3], double *i, double *j) {
    const double d[3] = {lps_mm[0] - s->point[0], lps_mm[1] - s->point[1], lps_mm[2] - s->point[2]};
    const int middle = s->n / 2;
    *i = vec_dot(d, s->u) / s->step_mm + middle;
    *j = vec_dot(d, s->v) / s->step_mm + middle;
}

bool section_covers(const section *s, const double p[3], double *height_mm) {
    double i, j;
    *height_mm = 0;
    for (int a = 0; a < 3; a++)
        *height_mm += s->normal[a] * (p[a] - s->point[a]);
    section_coordinates(s, p, &i, &j);
    return i >= 0 && j >= 0 && i < s->n - 1 && j < s->n - 1 &&
           s->node[(size_t)lround(j) * (size_t)s->n + (size_t)lround(i)] == SECTION_INSIDE;
}

/* Distance of p beyond the faces of the box; negative inside. periodic true: only the faces of periodic axes count;
 * false: only the other faces. */
static double beyond_faces(const voxelize_input *in, const double p[3], bool periodic) {
    double most = -INFINITY;
    for (int a = 0; a < 3; a++) {
        if (in->periodic[a] != periodic)
            continue;
        const double low = in->origin_mm[a] - 0.5 * in->spacing_mm;
        most = fmax(most, fmax(low - p[a], p[a] - low - in->spacing_mm * in->dims[a]));
    }
    return most;
}

/* If the plane is on a wall, sets sink_mm, so that the field is sampled half a cell inside the fluid. */
static int find_sink(section *s, const voxelize_input *in, const mesh_opening *o) {
    double p[3], inner[3];
    for (int a = 0; a < 3; a++) {
        p[a] = s->point[a];
        inner[a] = p[a] - 0.5 * in->spacing_mm * s->normal[a];
    }
    const double d = in->distance(in->data, p), tiny = 1e-6 * in->spacing_mm;
    s->sink_mm = 0;
    if (d < -tiny)
        return OK;
    if (d < tiny && in->distance(in->data, inner) < 0) {
        s->sink_mm = 0.5 * in->spacing_mm;
        return OK;
    }
    return fail(ERR_INPUT,
                "opening '%s': its point (LPS %.2f, %.2f, %.2f mm) is not inside the vessel, the wall is %.2f mm away; "
                "move the point into the lumen",
                o->name, p[0], p[1], p[2], d);
}

/* Build a grid of nodes within `half_mm` of the point and sample the field there. */
static int sample_nodes(section *s, const voxelize_input *in, double half_mm, double step_mm) {
    section_free(s);
    s->step_mm = step_mm;
    s->n = 2 * (int)ceil(half_mm / step_mm) + 1;
    const size_t n = (size_t)s->n * (size_t)s->n;
    s->distance_mm = malloc(n * sizeof *s->distance_mm);
    s->node = calloc(n, 1);
    s->face = calloc(n, 1);
    if (!s->distance_mm || !s->node || !s->face)
        return fail_memory("the cross-section of an opening", 6.0 * (double)n);
#pragma omp parallel for schedule(static) if (s->n > 32)
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < s->n; i++) {
            double p[3];
            const size_t at = (size_t)j * (size_t)s->n + (size_t)i;
            section_position(s, i, j, p);
            const double beyond = beyond_faces(in, p, true);
            s->face[at] = beyond > 1e-6 * in->spacing_mm;
            s->distance_mm[at] = (float)fmax(in->distance(in->data, p), beyond);
        }
    return OK;
}

static size_t neighbour_node(const section *s, size_t at, int side) {
    static const int di[4] = {1, -1, 0, 0}, dj[4] = {0, 0, 1, -1};
    const int n = s->n, i = (int)(at % (size_t)n) + di[side], j = (int)(at / (size_t)n) + dj[side];
    if (i < 0 || j < 0 || i >= n || j >= n)
        return SIZE_MAX;
    return (size_t)j * (size_t)n + (size_t)i;
}

/* Mark the fluid connected with the middle node as SECTION_INSIDE, and all other fluid as SECTION_OTHER. Sets
 * extent_mm. */
static int mark_inside(section *s) {
    const size_t total = (size_t)s->n * (size_t)s->n, n = (size_t)s->n;
    const int middle = s->n / 2;
    size_t *queue = malloc(total * sizeof *queue), head = 0, tail = 0;
    if (!queue)
        return fail_memory("the cross-section of an opening", (double)total * sizeof *queue);
    for (size_t at = 0; at < total; at++)
        s->node[at] = s->distance_mm[at] < 0 && !s->face[at] ? SECTION_OTHER : SECTION_WALL;
    queue[tail++] = total / 2;
    s->node[total / 2] = SECTION_INSIDE;
    double most = 0;
    while (head < tail) {
        const size_t at = queue[head++];
        const int i = (int)(at % n) - middle, j = (int)(at / n) - middle;
        most = fmax(most, (double)i * i + (double)j * j);
        for (int side = 0; side < 4; side++) {
            const size_t to = neighbour_node(s, at, side);
            if (to == SIZE_MAX || s->node[to] != SECTION_OTHER)
                continue;
            s->node[to] = SECTION_INSIDE;
            queue[tail++] = to;
        }
    }
    s->extent_mm = sqrt(most) * s->step_mm;
    free(queue);
    return OK;
}

/* Kind that a wall node takes from its neighbours in mark_near: SECTION_NEAR beside the connected piece, CLAIMED beside
 * other fluid, otherwise SECTION_WALL. */
enum { CLAIMED = 9 };
static uint8_t spread_kind(const section *s, int i, int j) {
    const uint8_t *node = s->node + (size_t)j * (size_t)s->n + (size_t)i;
    const uint8_t around[4] = {i > 0 ? node[-1] : SECTION_WALL, i + 1 < s->n ? node[1] : SECTION_WALL,
                               j > 0 ? node[-s->n] : SECTION_WALL, j + 1 < s->n ? node[s->n] : SECTION_WALL};
    uint8_t kind = SECTION_WALL;
    for (int side = 0; side < 4; side++) {
        if (around[side] == SECTION_INSIDE || around[side] == SECTION_NEAR)
            return SECTION_NEAR;
        kind = around[side] == SECTION_WALL ? kind : CLAIMED;
    }
    return kind;
}

/* Marks the wall around the connected piece as SECTION_NEAR, one ring of nodes per pass. Each pass also marks a ring of
 * wall around other fluid, so that a wall node belongs to the nearer fluid. */
static int mark_near(section *s, double reach_mm) {
    const size_t total = (size_t)s->n * (size_t)s->n;
    uint8_t *next = malloc(total);
    if (!next)
        return fail_memory("the cross-section of an opening", (double)total);
    const int rings = (int)ceil(reach_mm / s->step_mm);
    for (int ring = 0; ring < rings; ring++) {
        memcpy(next, s->node, total);
        for (int j = 0; j < s->n; j++)
            for (int i = 0; i < s->n; i++) {
                const size_t at = (size_t)j * (size_t)s->n + (size_t)i;
                if (s->node[at] == SECTION_WALL)
                    next[at] = spread_kind(s, i, j);
            }
        memcpy(s->node, next, total);
    }
    for (size_t at = 0; at < total; at++)
        s->node[at] = s->node[at] == CLAIMED ? SECTION_WALL : s->node[at];
    free(next);
    return OK;
}

/* Fail if the connected piece leaves the box, because the field is unknown there. */
static int check_whole(const section *s, const voxelize_input *in, const char *name) {
    for (size_t at = 0; at < (size_t)s->n * (size_t)s->n; at++) {
        double p[3];
        const int i = (int)(at % (size_t)s->n), j = (int)(at / (size_t)s->n);
        if (s->node[at] != SECTION_INSIDE)
            continue;
        section_position(s, i, j, p);
        if (beyond_faces(in, p, false) > 1e-6 * in->spacing_mm)
            return fail(ERR_INPUT,
                        "opening '%s': the border of the image or box cuts its cross-section at LPS %.2f, %.2f, %.2f "
                        "mm; move the opening inwards",
                        name, p[0], p[1], p[2]);
    }
    return OK;
}

/* Enlarge the grid until it holds the piece. */
static int find_piece(section *s, const voxelize_input *in, const mesh_opening *o) {
    int rc;
    const double limit = o->radius_mm > 0 ? o->radius_mm : INFINITY;
    double half = fmax(4 * in->spacing_mm, 2 * fabs(in->distance(in->data, s->point)));
    for (half = fmin(half, limit);; half = fmin(1.6 * half, limit)) {
        TRY(sample_nodes(s, in, half, fmax(0.5 * in->spacing_mm, half / 200)));
        TRY(mark_inside(s));
        TRY(check_whole(s, in, o->name));
        if (s->extent_mm < half - 2 * s->step_mm)
            return OK;
        if (half >= limit)
            return fail(ERR_INPUT,
                        "opening '%s': its cross-section reaches beyond the given radius of %.2f mm; use a larger "
                        "radius, or, if the given normal is not along the vessel, omit the normal (normal: auto)",
                        o->name, o->radius_mm);
    }
cleanup:
    return rc;
}

/* Step of the final grid: fine enough to measure the piece, never coarser than a cell. */
static double final_step(const section *s, double spacing_mm) {
    const double step = fmax(fmin(0.5 * spacing_mm, s->extent_mm / 48), s->extent_mm / 160);
    return fmin(step, spacing_mm);
}

int section_create(section *s, const voxelize_input *in, const mesh_opening *o) {
    int rc;
    memset(s, 0, sizeof *s);
    const double length = sqrt(vec_dot(o->normal, o->normal));
    if (!(length > 0) || !isfinite(length))
        return fail(ERR_INPUT,
                    "opening '%s': its normal is zero or not a number; write a direction [x, y, z] or normal: auto",
                    o->name);
    make_axes(s, o->point_mm, o->normal);
    TRY(find_sink(s, in, o));
    TRY(find_piece(s, in, o));
    TRY(sample_nodes(s, in, s->extent_mm + 4 * in->spacing_mm, final_step(s, in->spacing_mm)));
    TRY(mark_inside(s));
    section_measure(s);
    TRY(mark_near(s, 3 * in->spacing_mm));
cleanup:
    if (rc != OK)
        section_free(s);
    return rc;
}

int section_measure_at(section *s, const voxelize_input *in, const double point[3], const double normal[3],
                       double half_mm, double step_mm, bool *reaches_rim) {
    int rc;
    make_axes(s, point, normal);
    s->sink_mm = 0;
    TRY(sample_nodes(s, in, half_mm, step_mm));
    TRY(mark_inside(s));
    section_measure(s);
    *reaches_rim = s->extent_mm >= half_mm - 1.5 * step_mm;
cleanup:
    if (rc != OK)
        section_free(s);
    return rc;
}

void section_free(section *s) {
    free(s->distance_mm);
    free(s->node);
    free(s->face);
    s->distance_mm = NULL;
    s->node = s->face = NULL;
}

bool section_is_near(const section *s, double spacing_mm, const double p[3]) {
    const double d[3] = {p[0] - s->point[0], p[1] - s->point[1], p[2] - s->point[2]};
    const double reach = s->extent_mm + 5 * spacing_mm;
    return fabs(vec_dot(d, s->normal)) < 2 * spacing_mm && vec_dot(d, d) < reach * reach;
}

bool section_cuts(const section *s, double spacing_mm, const double a[3], const double b[3], double *q) {
    double height[2] = {0, 0}, p[3], i, j;
    for (int k = 0; k < 3; k++) {
        height[0] += (a[k] - s->point[k]) * s->normal[k];
        height[1] += (b[k] - s->point[k]) * s->normal[k];
    }
    const double tiny = 1e-6 * spacing_mm;
    if (!(height[0] < -tiny && height[1] >= -tiny))
        return false;
    *q = fmin(1, -height[0] / (height[1] - height[0]));
    for (int k = 0; k < 3; k++)
        p[k] = a[k] + *q * (b[k] - a[k]);
    section_coordinates(s, p, &i, &j);
    const long column = lround(i), row = lround(j);
    if (column < 0 || row < 0 || column >= s->n || row >= s->n)
        return false;
    const int node = s->node[(size_t)row * (size_t)s->n + (size_t)column];
    return node == SECTION_INSIDE || node == SECTION_NEAR;
}

int section_first_cut(const voxelize_input *in, const section *sections, const double a[3], const double b[3],
                      double *q) {
    int first = -1;
    for (int k = 0; k < in->n_opening; k++) {
        double at;
        if (section_cuts(&sections[k], in->spacing_mm, a, b, &at) && (first < 0 || at < *q)) {
            first = k;
            *q = at;
        }
    }
    return first;
}

bool section_any_near(const voxelize_input *in, const section *sections, const double p[3]) {
    for (int k = 0; k < in->n_opening; k++)
        if (section_is_near(&sections[k], in->spacing_mm, p))
            return true;
    return false;
}
