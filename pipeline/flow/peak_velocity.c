/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/flow/peak_velocity.h"
#include "common/base/status.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FEWEST_INSTANTS = 5, NOISE_WRAPS = 4, NEIGHBOURS = 8 };
/* Largest scatter of blood in time, as a fraction of venc; values of pure noise scatter by 0.58 venc */
static const double SCATTER = 0.15;
/* Smallest velocity of a supporting neighbour, as a fraction. One pixel beside its axis, a jet of 2.5 pixels (full
 * width at half maximum) has 0.64 of its peak. */
static const double SUPPORT = 0.6;

enum kind { OUTSIDE, NOISE, WRAPPED, BLOOD };

/* kind: [ny][nx] enum kind of each pixel */
typedef struct {
    const phase_contrast *p;
    uint8_t *kind;
} pixel_map;

static double velocity(const phase_contrast *p, int t, int pixel) {
    return p->velocity[(size_t)t * (size_t)p->ny * (size_t)p->nx + (size_t)pixel];
}

/* Neighbour number k of a pixel; the first four share an edge with it. -1: beyond the image. */
static int neighbour(const phase_contrast *p, int pixel, int k) {
    static const int step[NEIGHBOURS][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    const int x = pixel % p->nx + step[k][0], y = pixel / p->nx + step[k][1];
    return x >= 0 && y >= 0 && x < p->nx && y < p->ny ? y * p->nx + x : -1;
}

/* Standard deviation of a pixel's noise; a second difference in time has six times the variance of one value. */
static double scatter_in_time(const phase_contrast *p, int pixel) {
    double square = 0;
    for (int t = 0; t < p->nt; t++) {
        const double second = velocity(p, (t + 1) % p->nt, pixel) - 2 * velocity(p, t, pixel) +
                              velocity(p, (t + p->nt - 1) % p->nt, pixel);
        square += second * second;
    }
    return sqrt(square / (6 * p->nt));
}

/* Standard deviation of a pixel's velocities around a linear function of another pixel's. */
static double scatter_around_neighbour(const phase_contrast *p, int pixel, int other) {
    double a = 0, b = 0, aa = 0, ab = 0, bb = 0;
    for (int t = 0; t < p->nt; t++) {
        a += velocity(p, t, pixel) / p->nt;
        b += velocity(p, t, other) / p->nt;
    }
    for (int t = 0; t < p->nt; t++) {
        const double da = velocity(p, t, pixel) - a, db = velocity(p, t, other) - b;
        aa += da * da;
        ab += da * db;
        bb += db * db;
    }
    return sqrt(fmax(aa - (bb > 0 ? ab * ab / bb : 0), 0) / (p->nt - 2));
}

/* Number of successive instants between which the velocity, as measured, wraps at venc. */
static int count_wraps(const phase_contrast *p, int pixel) {
    int n = 0;
    for (int t = 0; t < p->nt; t++) {
        const double a = velocity(p, t, pixel), b = velocity(p, (t + 1) % p->nt, pixel), turn = 2 * p->venc_m_s;
        n += fabs(a - turn * round(a / turn) - b + turn * round(b / turn)) > p->venc_m_s;
    }
    return n;
}

static enum kind find_kind(const phase_contrast *p, int pixel) {
    if (p->nt < FEWEST_INSTANTS)
        return BLOOD;
    double scatter = scatter_in_time(p, pixel);
    for (int k = 0; k < NEIGHBOURS; k++) {
        const int other = neighbour(p, pixel, k);
        if (other >= 0 && p->roi[other])
            scatter = fmin(scatter, scatter_around_neighbour(p, pixel, other));
    }
    return scatter > SCATTER * p->venc_m_s ? NOISE : count_wraps(p, pixel) >= NOISE_WRAPS ? WRAPPED : BLOOD;
}

static double mean_speed(const phase_contrast *p, int pixel) {
    double sum = 0;
    for (int t = 0; t < p->nt; t++)
        sum += fabs(velocity(p, t, pixel)) / p->nt;
    return sum;
}

/* Accepts wrapped pixels beside accepted pixels of similar speed, until no more are found. */
static void accept_wrapped(const pixel_map *m) {
    const phase_contrast *p = m->p;
    for (bool found = true; found;) {
        found = false;
        for (int i = 0; i < p->nx * p->ny; i++)
            for (int k = 0; k < NEIGHBOURS && m->kind[i] == WRAPPED; k++) {
                const int other = neighbour(p, i, k);
                if (other >= 0 && m->kind[other] == BLOOD && mean_speed(p, other) >= SUPPORT * mean_speed(p, i)) {
                    m->kind[i] = BLOOD;
                    found = true;
                }
            }
    }
}

/* True if a pixel of blood shares its four edges with pixels of blood. */
static bool is_inner(const pixel_map *m, int pixel) {
    bool inner = m->kind[pixel] == BLOOD;
    for (int k = 0; k < 4 && inner; k++) {
        const int other = neighbour(m->p, pixel, k);
        inner = other >= 0 && m->kind[other] == BLOOD;
    }
    return inner;
}

/* True if a pixel of blood at the border wraps at venc and is much faster than each inner neighbour. Its velocities do
 * not count for the peak, and they are noise that wraps too rarely to be recognized in time alone. */
static bool is_fast_border(const pixel_map *m, int pixel) {
    bool fast =
        m->kind[pixel] == BLOOD && !is_inner(m, pixel) && m->p->nt >= FEWEST_INSTANTS && count_wraps(m->p, pixel) > 0;
    int inner = 0;
    for (int k = 0; k < NEIGHBOURS && fast; k++) {
        const int other = neighbour(m->p, pixel, k);
        if (other < 0 || !is_inner(m, other))
            continue;
        inner++;
        fast = mean_speed(m->p, other) < SUPPORT * mean_speed(m->p, pixel);
    }
    return fast && inner > 0;
}

/* True if a neighbour supports the forward velocity v of a pixel. any: true if all neighbours of blood count, because
 * the region has no inner pixel. */
static bool is_supported(const pixel_map *m, double forward, int t, int pixel, bool any) {
    const double v = forward * velocity(m->p, t, pixel);
    bool found = v <= 0;
    for (int k = 0; k < NEIGHBOURS && !found; k++) {
        const int other = neighbour(m->p, pixel, k);
        found = other >= 0 && (any ? m->kind[other] == BLOOD : is_inner(m, other)) &&
                forward * velocity(m->p, t, other) >= SUPPORT * v;
    }
    return found;
}

int peak_velocity_find(const phase_contrast *p, double *peak_m_s, int *n_noise) {
    const int n = p->nx * p->ny;
    const pixel_map m = {p, calloc((size_t)n + 1, 1)};
    int blood = 0, inner = 0;
    double sum = 0;
    *n_noise = 0;
    if (!m.kind)
        return fail_memory("the pixels", n);
    for (int i = 0; i < n; i++)
        m.kind[i] = p->roi[i] ? (uint8_t)find_kind(p, i) : OUTSIDE;
    accept_wrapped(&m);
    for (int i = 0; i < n; i++) {
        *n_noise += m.kind[i] == NOISE || m.kind[i] == WRAPPED || is_fast_border(&m, i);
        blood += m.kind[i] == BLOOD;
    }
    for (int i = 0; i < n && blood == 0; i++) /* nothing but noise: its largest supported velocity */
        m.kind[i] = p->roi[i] ? BLOOD : OUTSIDE;
    for (int i = 0; i < n; i++) {
        inner += is_inner(&m, i);
        for (int t = 0; t < p->nt && m.kind[i] == BLOOD; t++)
            sum += velocity(p, t, i);
    }
    const double forward = sum < 0 ? -1 : 1;
    for (int t = 0; t < p->nt; t++) {
        double supported = -INFINITY, all = -INFINITY;
        for (int i = 0; i < n; i++) {
            if (m.kind[i] != BLOOD)
                continue;
            const double v = forward * velocity(p, t, i);
            if (v > supported && is_supported(&m, forward, t, i, inner == 0))
                supported = v;
            if (inner == 0 || is_inner(&m, i))
                all = fmax(all, v);
        }
        peak_m_s[t] = forward * (isfinite(supported) ? supported : all);
    }
    free(m.kind);
    return OK;
}
