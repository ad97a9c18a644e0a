/* SPDX-License-Identifier: Apache-2.0 */
#include "post/flow/streamlines.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3000, SHORT = 10 };
/* STILL: a line ends where the speed is below this fraction of the highest speed; STEP: length of a step along a line,
 * in spacings */
static const double STILL = 2e-3, STEP = 0.5;

typedef struct {
    double at[STEPS][3], speed[STEPS];
    int n;
} half;

bool streamlines_velocity(const sampler *s, const fields *f, const double mm[3], double u[3]) {
    int64_t cell[8];
    double weight[8], held = 0;
    u[0] = u[1] = u[2] = 0;
    for (int k = 0, inside = sampler_corners(s, mm, cell, weight); inside && k < 8; k++) {
        if (cell[k] < 0 || !s->active[cell[k]])
            continue;
        held += weight[k];
        for (int a = 0; a < 3; a++)
            u[a] += weight[k] * (double)f->velocity_m_s[3 * cell[k] + a];
    }
    return held > 0.4;
}

/* Follow the flow (sign 1) or its reverse (sign -1) from a point, by the midpoint rule. */
static void follow_flow(const sampler *s, const fields *f, const double from[3], double sign, double still, half *h) {
    double at[3] = {from[0], from[1], from[2]}, u[3], middle[3];
    const double step = STEP * s->lattice->spacing_mm;
    h->n = 0;
    while (h->n < STEPS && streamlines_velocity(s, f, at, u)) {
        const double speed = vec_length(u);
        if (!(speed > still))
            return;
        memcpy(h->at[h->n], at, sizeof at);
        h->speed[h->n++] = speed;
        vec_add(at, sign * 0.5 * step / speed, u, middle);
        if (!streamlines_velocity(s, f, middle, u) || !(vec_length(u) > still))
            return;
        vec_add(at, sign * step / vec_length(u), u, at);
    }
}

static int add_line(streamlines *out, const half *back, const half *ahead, double step_mm) {
    const int n = back->n + ahead->n - 1, every = 2, kept = n / every + 1;
    const size_t all = (size_t)out->n_point + (size_t)kept;
    float *point = realloc(out->point_mm, 3 * all * sizeof *point);
    out->point_mm = point ? point : out->point_mm;
    float *speed = realloc(out->speed_m_s, all * sizeof *speed);
    out->speed_m_s = speed ? speed : out->speed_m_s;
    float *time = realloc(out->time_s, all * sizeof *time);
    out->time_s = time ? time : out->time_s;
    if (!point || !speed || !time)
        return fail_memory("the streamlines", 20.0 * (double)all);
    double passed = 0;
    int to = out->n_point;
    for (int k = 0; k < n; k++) {
        const bool before = k < back->n - 1;
        const int i = before ? back->n - 1 - k : k - (back->n - 1);
        const half *h = before ? back : ahead;
        if (k % every == 0) {
            for (int a = 0; a < 3; a++)
                point[3 * to + a] = (float)h->at[i][a];
            speed[to] = (float)h->speed[i];
            time[to++] = (float)passed;
        }
        passed += 1e-3 * step_mm / h->speed[i];
        out->fastest_m_s = fmax(out->fastest_m_s, h->speed[i]);
    }
    out->longest_s = fmax(out->longest_s, (double)time[to - 1]);
    out->n_point = to;
    out->first[++out->n] = to;
    return OK;
}

int streamlines_make(const sampler *s, const fields *f, int wanted, streamlines *out) {
    const lattice *l = s->lattice;
    const int64_t every = l->n_cell / (wanted > 0 ? wanted : 1) + 1;
    double highest = 0;
    int rc = OK;
    half *back = malloc(sizeof *back), *ahead = malloc(sizeof *ahead);
    *out = (streamlines){.first = calloc((size_t)wanted + 2, sizeof *out->first)};
    if (!back || !ahead || !out->first)
        GIVE_UP(fail_memory("the streamlines", 1e5));
    for (int64_t c = 0; c < l->n_cell; c++)
        if (s->active[c])
            highest = fmax(highest, hypot(hypot((double)f->velocity_m_s[3 * c], (double)f->velocity_m_s[3 * c + 1]),
                                          (double)f->velocity_m_s[3 * c + 2]));
    for (int64_t c = every / 2; c < l->n_cell && out->n < wanted; c += every) {
        double from[3];
        lattice_centre_mm(l, c, from);
        follow_flow(s, f, from, -1, STILL * highest, back);
        follow_flow(s, f, from, 1, STILL * highest, ahead);
        if (back->n > 0 && ahead->n > 0 && (back->n + ahead->n) * STEP > SHORT)
            TRY(add_line(out, back, ahead, STEP * l->spacing_mm));
    }
cleanup:
    free(back);
    free(ahead);
    return rc;
}

void streamlines_free(streamlines *l) {
    free(l->first);
    free(l->point_mm);
    free(l->speed_m_s);
    free(l->time_s);
    *l = (streamlines){0};
}
