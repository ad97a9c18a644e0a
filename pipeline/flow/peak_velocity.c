/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/flow/peak_velocity.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FEWEST_INSTANTS = 5, NOISE_WRAPS = 4, NEIGHBOURS = 8, WRAPPED_EDGES = 3, FEW_INNER = 4, OPPOSITE_PAIRS = 3 };
/* A pixel is noise and not blood if the standard deviation of its noise exceeds this fraction of venc. Values of pure
 * noise have 0.58 venc. */
static const double SCATTER = 0.15;
/* Smallest velocity of a supporting neighbour, as a fraction. One pixel beside its axis, a jet of 2.5 pixels (full
 * width at half maximum) has 0.64 of its peak. */
static const double SUPPORT = 0.6;
/* A variance in space up to this multiple of the variance of the noise is taken for noise */
static const double NOISE_VARIANCE = 2;

/* Two pixels are opposite if their velocities have opposite signs, differ by more than OPPOSITE venc and OPPOSITE_NOISE
 * standard deviations of the noise, and are each above OPPOSITE_SMALL venc. Flow against the main direction is suspect
 * above OPPOSITE of the highest velocity and OPPOSITE_SMALL venc. */
static const double OPPOSITE = 0.5, OPPOSITE_NOISE = 6, OPPOSITE_SMALL = 0.1;

enum kind { OUTSIDE, NOISE, WRAPPED, BLOOD };

typedef struct {
    const phase_contrast *p;
    uint8_t *kind;   /* [ny][nx] enum kind of each pixel */
    double *scatter; /* [ny][nx] standard deviation of each pixel's noise in time, m/s */
    double noise;    /* standard deviation of the blood's noise, m/s */
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

static double find_scatter(const phase_contrast *p, int pixel) {
    double scatter = scatter_in_time(p, pixel);
    for (int k = 0; k < NEIGHBOURS; k++) {
        const int other = neighbour(p, pixel, k);
        if (other >= 0 && p->roi[other])
            scatter = fmin(scatter, scatter_around_neighbour(p, pixel, other));
    }
    return scatter;
}

static enum kind find_kind(const phase_contrast *p, double scatter, int pixel) {
    if (p->nt < FEWEST_INSTANTS)
        return BLOOD;
    return scatter > SCATTER * p->venc_m_s ? NOISE : count_wraps(p, pixel) >= NOISE_WRAPS ? WRAPPED : BLOOD;
}

static double mean_speed(const phase_contrast *p, int pixel) {
    double sum = 0;
    for (int t = 0; t < p->nt; t++)
        sum += fabs(velocity(p, t, pixel)) / p->nt;
    return sum;
}

/* True if a wrapped pixel shares three edges with wrapped pixels and none with the outside. Noise at the border of a
 * region, one pixel wide, has no such pixel. */
static bool is_inner_wrapped(const pixel_map *m, int pixel) {
    int edges = 0;
    for (int k = 0; k < 4; k++) {
        const int other = neighbour(m->p, pixel, k);
        if (other < 0 || m->kind[other] == OUTSIDE)
            return false;
        edges += m->kind[other] == WRAPPED;
    }
    return edges >= WRAPPED_EDGES;
}

/* True if a wrapped pixel is beside an accepted pixel of similar speed. */
static bool is_beside_blood(const pixel_map *m, int pixel) {
    for (int k = 0; k < NEIGHBOURS; k++) {
        const int other = neighbour(m->p, pixel, k);
        if (other >= 0 && m->kind[other] == BLOOD && mean_speed(m->p, other) >= SUPPORT * mean_speed(m->p, pixel))
            return true;
    }
    return false;
}

/* Accepts wrapped pixels that are surrounded by wrapped pixels, then those beside accepted pixels, until no more are
 * found. */
static void accept_wrapped(const pixel_map *m) {
    const int n = m->p->nx * m->p->ny;
    for (int i = 0; i < n; i++)
        if (m->kind[i] == WRAPPED && is_inner_wrapped(m, i))
            m->scatter[i] = -m->scatter[i] - 1; /* marked, since the neighbours' kinds are still needed */
    for (int i = 0; i < n; i++)
        if (m->scatter[i] < 0) {
            m->kind[i] = BLOOD;
            m->scatter[i] = -m->scatter[i] - 1;
        }
    for (bool found = true; found;) {
        found = false;
        for (int i = 0; i < n; i++)
            if (m->kind[i] == WRAPPED && is_beside_blood(m, i)) {
                m->kind[i] = BLOOD;
                found = true;
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

/* True if a neighbour supports the forward velocity v of a pixel. few: true if the region has too few inner pixels; all
 * its pixels of blood then count, and its inner pixels need no support. */
static bool is_supported(const pixel_map *m, double forward, int t, int pixel, bool few) {
    const double v = forward * velocity(m->p, t, pixel);
    bool found = v <= 0 || (few && is_inner(m, pixel));
    for (int k = 0; k < NEIGHBOURS && !found; k++) {
        const int other = neighbour(m->p, pixel, k);
        found = other >= 0 && (few ? m->kind[other] == BLOOD : is_inner(m, other)) &&
                forward * velocity(m->p, t, other) >= SUPPORT * v;
    }
    return found;
}

/* Velocity v of a pixel after noise reduction (Lee 1980, IEEE Trans Pattern Anal Mach Intell 2:165): mean + weight *
 * (v - mean), weight = 1 - NOISE_VARIANCE * noise variance / local variance, at least 0. The mean and the local
 * variance are over the pixel and its neighbours in blood. */
static double smooth_velocity(const pixel_map *m, int t, int pixel) {
    const double v = velocity(m->p, t, pixel);
    double sum = v, square = v * v;
    int n = 1;
    for (int k = 0; k < NEIGHBOURS; k++) {
        const int other = neighbour(m->p, pixel, k);
        if (other < 0 || m->kind[other] != BLOOD)
            continue;
        const double u = velocity(m->p, t, other);
        sum += u;
        square += u * u;
        n++;
    }
    const double mean = sum / n, variance = n > 1 ? (square - n * mean * mean) / (n - 1) : 0;
    const double noise = NOISE_VARIANCE * m->noise * m->noise;
    return mean + (variance > noise ? 1 - noise / variance : noise > 0 ? 0 : 1) * (v - mean);
}

/* Median scatter of the pixels of blood. order: [ny][nx] scratch. */
static double find_noise(const pixel_map *m, double *order) {
    int n = 0;
    for (int i = 0; i < m->p->nx * m->p->ny; i++)
        if (m->kind[i] == BLOOD)
            order[n++] = m->scatter[i];
    return n > 0 && m->p->nt >= FEWEST_INSTANTS ? order_median(order, n) : 0;
}

/* Finds the kind of each pixel of the region, and the noise of blood. m: {p, kind and scatter of zeros}; order:
 * [ny][nx] scratch. Returns the number of pixels that are noise. */
static int classify_pixels(pixel_map *m, double *order) {
    const phase_contrast *p = m->p;
    const int n = p->nx * p->ny;
    int n_noise = 0, blood = 0;
    for (int i = 0; i < n; i++)
        if (p->roi[i]) {
            m->scatter[i] = find_scatter(p, i);
            m->kind[i] = (uint8_t)find_kind(p, m->scatter[i], i);
        }
    accept_wrapped(m);
    for (int i = 0; i < n; i++) {
        n_noise += m->kind[i] == NOISE || m->kind[i] == WRAPPED || is_fast_border(m, i);
        blood += m->kind[i] == BLOOD;
    }
    for (int i = 0; i < n && blood == 0; i++) /* nothing but noise: its largest supported velocity */
        m->kind[i] = p->roi[i] ? BLOOD : OUTSIDE;
    m->noise = find_noise(m, order);
    return n_noise;
}

/* Direction of the mean velocity of all pixels of blood: 1 or -1. */
static double forward_sign(const pixel_map *m) {
    double sum = 0;
    for (int i = 0; i < m->p->nx * m->p->ny; i++)
        for (int t = 0; t < m->p->nt && m->kind[i] == BLOOD; t++)
            sum += velocity(m->p, t, i);
    return sum < 0 ? -1 : 1;
}

static int count_inner(const pixel_map *m) {
    int inner = 0;
    for (int i = 0; i < m->p->nx * m->p->ny; i++)
        inner += is_inner(m, i);
    return inner;
}

/* Largest velocity in the direction `forward` at an instant; -INFINITY: no pixel is blood. inner: of count_inner. */
static double find_peak(const pixel_map *m, double forward, int t, int inner) {
    double supported = -INFINITY, all = -INFINITY;
    for (int i = 0; i < m->p->nx * m->p->ny; i++) {
        if (m->kind[i] != BLOOD)
            continue;
        const double v = forward * smooth_velocity(m, t, i);
        if (v > supported && is_supported(m, forward, t, i, inner < FEW_INNER))
            supported = v;
        if (inner == 0 || is_inner(m, i))
            all = fmax(all, v);
    }
    return isfinite(supported) ? supported : all;
}

/* Number of pairs of pixels that share an edge, whose velocities are opposite and differ by more than `least`. */
static int count_opposite(const pixel_map *m, int t, double least) {
    const double small = OPPOSITE_SMALL * m->p->venc_m_s;
    int n = 0;
    for (int i = 0; i < m->p->nx * m->p->ny; i++)
        for (int k = 0; k < 4 && m->kind[i] == BLOOD; k++) {
            const int other = neighbour(m->p, i, k);
            if (other < 0 || m->kind[other] != BLOOD)
                continue;
            const double a = smooth_velocity(m, t, i), b = smooth_velocity(m, t, other);
            n += a > small && b < -small && a - b > least;
        }
    return n;
}

/* Fastest velocity against `forward` at instants at which the flow runs forward; highest: highest forward velocity. */
static double find_reverse(const pixel_map *m, double forward, int inner, double *highest) {
    double reverse = 0;
    *highest = 0;
    for (int t = 0; t < m->p->nt; t++) {
        double sum = 0;
        for (int i = 0; i < m->p->nx * m->p->ny; i++)
            sum += m->kind[i] == BLOOD ? forward * velocity(m->p, t, i) : 0;
        *highest = fmax(*highest, find_peak(m, forward, t, inner));
        reverse = fmax(reverse, sum > 0 ? find_peak(m, -forward, t, inner) : 0);
    }
    return reverse;
}

int peak_velocity_find(const phase_contrast *p, double *peak_m_s, int *n_noise, double *noise_m_s) {
    const size_t n = (size_t)p->nx * (size_t)p->ny;
    double *scatter = calloc(2 * n + 1, sizeof *scatter);
    pixel_map m = {p, calloc(n + 1, 1), scatter, 0};
    int rc = OK;
    *n_noise = 0;
    if (!m.kind || !scatter)
        GIVE_UP(fail_memory("the pixels", 17.0 * (double)n));
    *n_noise = classify_pixels(&m, scatter + n);
    if (noise_m_s)
        *noise_m_s = m.noise;
    const double forward = forward_sign(&m);
    const int inner = count_inner(&m);
    for (int t = 0; t < p->nt; t++)
        peak_m_s[t] = forward * find_peak(&m, forward, t, inner);
cleanup:
    free(m.kind);
    free(scatter);
    return rc;
}

int peak_velocity_find_doubt(const phase_contrast *p, peak_velocity_doubt *found) {
    const size_t n = (size_t)p->nx * (size_t)p->ny;
    double *scatter = calloc(2 * n + 1, sizeof *scatter), highest;
    pixel_map m = {p, calloc(n + 1, 1), scatter, 0};
    int rc = OK;
    *found = (peak_velocity_doubt){0};
    if (!m.kind || !scatter)
        GIVE_UP(fail_memory("the pixels", 17.0 * (double)n));
    classify_pixels(&m, scatter + n);
    const double forward = forward_sign(&m), least = fmax(OPPOSITE * p->venc_m_s, OPPOSITE_NOISE * m.noise);
    for (int t = 0; t < p->nt; t++)
        found->opposite |= count_opposite(&m, t, least) >= OPPOSITE_PAIRS;
    found->reverse_m_s = find_reverse(&m, forward, count_inner(&m), &highest);
    found->opposite |= found->reverse_m_s > fmax(OPPOSITE * highest, OPPOSITE_SMALL * p->venc_m_s);
    for (size_t i = 0; i < n && p->nt >= FEWEST_INSTANTS; i++)
        if (m.kind[i] == BLOOD && count_wraps(p, (int)i) >= NOISE_WRAPS) {
            m.kind[i] = WRAPPED;
            found->n_wrapped++;
        }
    const double rest = forward_sign(&m);
    const int inner = count_inner(&m);
    for (int t = 0; t < p->nt; t++)
        found->without_wrapped_m_s = fmax(found->without_wrapped_m_s, find_peak(&m, rest, t, inner));
cleanup:
    free(m.kind);
    free(scatter);
    return rc;
}
