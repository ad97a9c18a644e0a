/* SPDX-License-Identifier: Apache-2.0 */
#include "post/picture/cut_lines.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "post/flow/streamlines.h"
#include "post/picture/sheet.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 4000,
    SEEDS = 3000,
    FINE = 6
}; /* FINE: number of grid squares per distance between two lines; each
                                                * square stores a mark */
/* STEP: length of a step along a line, in spacings. NEAR: a line ends where its distance from another line is below
 * this fraction of apart_mm. */
static const double STEP = 0.5, NEAR = 0.5;
static const double HEAD = 0.4; /* length of an arrow head, as a fraction of the distance between two lines */

/* Mark of a square. line: number of the line that passed through it, 0: none. step: number of the step of this line,
 * negative against the flow. */
typedef struct {
    int line, step;
} mark;

typedef struct {
    const sampler *s;
    const fields *f;
    const cut_frame *frame;
    double apart_mm, step_mm, still_m_s, low_mm[2];
    int dims[2];
    mark *marks; /* [dims[1]][dims[0]] mark of each square of the cut */
} tracer;

typedef struct {
    double speed;
    int32_t point;
} seed;

static void point_of_cut(const cut_frame *f, const double at[2], double point_mm[3]) {
    vec_add(f->centre_mm, at[0], f->axis[0], point_mm);
    vec_add(point_mm, at[1], f->axis[1], point_mm);
    vec_add(point_mm, cut_height_mm(f, at[0], at[1]), f->axis[2], point_mm);
}

/* Direction of the velocity component in the plane of the cut. False outside the lumen, or if the fluid is still. */
static bool flow_direction(const tracer *t, const double at[2], double unit[2]) {
    double p[3], u[3];
    point_of_cut(t->frame, at, p);
    if (sampler_distance_mm(t->s, p, NULL) >= 0 || !streamlines_velocity(t->s, t->f, p, u))
        return false;
    const double v[2] = {vec_dot(u, t->frame->axis[0]), vec_dot(u, t->frame->axis[1])};
    const double speed = hypot(v[0], v[1]);
    if (!(speed > t->still_m_s))
        return false;
    for (int a = 0; a < 2; a++)
        unit[a] = v[a] / speed;
    return true;
}

static mark *mark_at(const tracer *t, const double at[2], int di, int dj) {
    const int i = (int)floor((at[0] - t->low_mm[0]) / t->apart_mm * FINE) + di;
    const int j = (int)floor((at[1] - t->low_mm[1]) / t->apart_mm * FINE) + dj;
    return i < 0 || j < 0 || i >= t->dims[0] || j >= t->dims[1] ? NULL : &t->marks[(size_t)j * (size_t)t->dims[0] + i];
}

/* True if another line is within reach_mm, or an earlier part of the same line is within half of reach_mm. */
static bool is_crowded(const tracer *t, const double at[2], double reach_mm, int line, int step) {
    const double cell = t->apart_mm / FINE;
    const int wide = (int)ceil(reach_mm / cell);
    for (int dj = -wide; dj <= wide; dj++)
        for (int di = -wide; di <= wide; di++) {
            const mark *m = mark_at(t, at, di, dj);
            const double away = cell * hypot(di, dj);
            if (!m || m->line == 0 || away > reach_mm)
                continue;
            if (m->line != line || (abs(step - m->step) * t->step_mm > 3 * reach_mm && away <= reach_mm / 2))
                return true;
        }
    return false;
}

/* Follow the flow (sign 1) or its reverse (sign -1) from a point by the midpoint rule, and set marks. Returns the
 * number of points. */
static int follow_flow(tracer *t, const double from[2], int sign, int line, double (*point)[2]) {
    double at[2] = {from[0], from[1]}, middle[2], d[2];
    int n = 0;
    while (n < STEPS && flow_direction(t, at, d) && !is_crowded(t, at, NEAR * t->apart_mm, line, sign * n)) {
        mark *m = mark_at(t, at, 0, 0);
        if (m)
            *m = (mark){line, sign * n};
        memcpy(point[n++], at, sizeof at);
        for (int a = 0; a < 2; a++)
            middle[a] = at[a] + 0.5 * sign * t->step_mm * d[a];
        if (!flow_direction(t, middle, d))
            break;
        for (int a = 0; a < 2; a++)
            at[a] += sign * t->step_mm * d[a];
    }
    return n;
}

static void remove_marks(tracer *t, int line) {
    for (int k = 0; k < t->dims[0] * t->dims[1]; k++)
        if (t->marks[k].line == line)
            t->marks[k].line = 0;
}

static void add_point(const tracer *t, const double at[2], cut_lines *out) {
    point_of_cut(t->frame, at, out->point_mm + 3 * (size_t)out->n_point++);
}

/* Add the line, in the direction of the flow, and its arrow head. */
static int add_line(const tracer *t, int n_back, double (*back)[2], int n_ahead, double (*ahead)[2], cut_lines *out) {
    const int n = n_back + n_ahead - 1;
    double *larger = realloc(out->point_mm, 3 * ((size_t)out->n_point + (size_t)n + 3) * sizeof *larger);
    if (!larger)
        return fail_memory("the streamlines", 24.0 * (out->n_point + n));
    out->point_mm = larger;
    for (int k = n_back - 1; k > 0; k--)
        add_point(t, back[k], out);
    for (int k = 0; k < n_ahead; k++)
        add_point(t, ahead[k], out);
    out->first[++out->n] = out->n_point;
    const int middle = n_ahead > n_back ? (n_ahead - n_back) / 2 : 0,
              behind = n_ahead > n_back ? 0 : (n_back - n_ahead) / 2;
    const double *tip = behind > 0 ? back[behind] : ahead[middle], size = HEAD * t->apart_mm;
    double d[2];
    if (!flow_direction(t, tip, d))
        return OK;
    for (int side = -1; side <= 1; side++) {
        const double foot = side ? size : 0, across = 0.5 * side * size;
        add_point(t, (const double[2]){tip[0] - foot * d[0] - across * d[1], tip[1] - foot * d[1] + across * d[0]},
                  out);
    }
    out->first[++out->n] = out->n_point;
    return OK;
}

static int by_speed(const void *a, const void *b) {
    const seed *p = a, *q = b;
    return p->speed != q->speed ? (p->speed < q->speed) - (p->speed > q->speed) : p->point - q->point;
}

/* Choose seeds spread over the cut, and sort them, the fastest first. Returns their number; *highest is the largest
 * speed. */
static int find_seeds(tracer *t, const surface *cut, seed *list, double *highest) {
    int32_t index[SEEDS];
    const int n = sheet_pick(cut, SEEDS, index);
    *highest = 0;
    for (int k = 0; k < n; k++) {
        double u[3] = {0};
        const bool there = streamlines_velocity(t->s, t->f, cut->point_mm + 3 * (int64_t)index[k], u);
        list[k] = (seed){there ? vec_length(u) : 0, index[k]};
        *highest = fmax(*highest, list[k].speed);
    }
    qsort(list, (size_t)n, sizeof *list, by_speed);
    return n;
}

static int tracer_create(tracer *t, const surface *cut) {
    double high[2] = {-INFINITY, -INFINITY};
    t->low_mm[0] = t->low_mm[1] = INFINITY;
    for (int64_t k = 0; k < cut->n_point; k++) {
        double p[3];
        vec_add(cut->point_mm + 3 * k, -1, t->frame->centre_mm, p);
        for (int a = 0; a < 2; a++) {
            const double x = vec_dot(p, t->frame->axis[a]);
            t->low_mm[a] = fmin(t->low_mm[a], x);
            high[a] = fmax(high[a], x);
        }
    }
    for (int a = 0; a < 2; a++)
        t->dims[a] = (int)((high[a] - t->low_mm[a]) / t->apart_mm * FINE) + 1;
    const size_t n = (size_t)t->dims[0] * (size_t)t->dims[1];
    t->marks = calloc(n, sizeof *t->marks);
    if (!t->marks)
        return fail_memory("the streamlines", (double)(n * sizeof *t->marks));
    return OK;
}

static int trace_all(tracer *t, const surface *cut, cut_lines *out) {
    seed *list = malloc(SEEDS * sizeof *list);
    double(*ahead)[2] = malloc(STEPS * sizeof *ahead), (*back)[2] = malloc(STEPS * sizeof *back), highest;
    int rc = OK;
    out->first = calloc(2 * SEEDS + 1, sizeof *out->first);
    if (!list || !ahead || !back || !out->first)
        GIVE_UP(fail_memory("the streamlines", 1e5));
    const int n = find_seeds(t, cut, list, &highest);
    t->still_m_s = CUT_LINES_STILL * highest;
    for (int k = 0; k < n && list[k].speed > t->still_m_s; k++) {
        double p[3], from[2];
        vec_add(cut->point_mm + 3 * (int64_t)list[k].point, -1, t->frame->centre_mm, p);
        for (int a = 0; a < 2; a++)
            from[a] = vec_dot(p, t->frame->axis[a]);
        if (is_crowded(t, from, t->apart_mm, k + 1, 0))
            continue;
        const int n_ahead = follow_flow(t, from, 1, k + 1, ahead), n_back = follow_flow(t, from, -1, k + 1, back);
        if ((n_ahead + n_back) * t->step_mm > t->apart_mm && n_ahead > 0 && n_back > 0)
            TRY(add_line(t, n_back, back, n_ahead, ahead, out));
        else
            remove_marks(t, k + 1);
    }
cleanup:
    free(list);
    free(ahead);
    free(back);
    return rc;
}

int cut_lines_make(const sampler *s, const fields *f, const cut_frame *frame, const surface *cut, double apart_mm,
                   cut_lines *out) {
    tracer t = {.s = s, .f = f, .frame = frame, .apart_mm = apart_mm, .step_mm = STEP * s->lattice->spacing_mm};
    int rc = OK;
    *out = (cut_lines){0};
    if (cut->n_point == 0)
        return OK;
    TRY(tracer_create(&t, cut));
    TRY(trace_all(&t, cut, out));
cleanup:
    free(t.marks);
    return rc;
}

void cut_lines_free(cut_lines *l) {
    free(l->first);
    free(l->point_mm);
    *l = (cut_lines){0};
}
