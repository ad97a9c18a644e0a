/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/bridge/signal_loss.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/bridge/ball_tube.h"
#include "segment/ends/centerline_tree.h"
#include "segment/ends/ends_constants.h"
#include "segment/ends/ends_without_opening.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 24, SIDE_POINTS = 512, CORE_POINTS = 15, SIDE_RINGS = 9, SIDE_LEAST = 6 };

/* The image, bright in the vessel. */
typedef struct {
    const volume *image, *phi;
    double sign, outside, voxel_mm;
    double widest_mm; /* largest radius of the lumen */
} picture;

/* A branch of the centerline. */
typedef struct {
    int n;
    double (*at_mm)[3];                  /* [n] owned */
    double *way_mm, *radius_mm, *signal; /* [n] way_mm: length from the first point; radius_mm, signal: of the lumen
                                          * at the point. One allocation, owned. */
    double reach_mm;                     /* length of vessel before and behind a point from which radius and signal
                                          * of the vessel are taken, mm */
} line;

/* A narrow stretch of a line: points first to last, `narrowest` between them. */
typedef struct {
    int first, last, narrowest;
    double vessel_mm, signal;
    bool one_side; /* at the narrowest point the signal is lost on one side only */
} stretch;

static double value_at(const picture *p, const double at[3]) {
    return volume_contains(p->image, at) ? p->sign * volume_sample(p->image, at) : NAN;
}

/* Axes at point k; the third is along the vessel. */
static void axes_at(const line *l, int k, double axis[3][3]) {
    int from = k, to = k;
    double d[3];
    while (from > 0 && l->way_mm[k] - l->way_mm[from] < l->radius_mm[k])
        from--;
    while (to + 1 < l->n && l->way_mm[to] - l->way_mm[k] < l->radius_mm[k])
        to++;
    vec_add(l->at_mm[to], -1, l->at_mm[from], d);
    if (!vec_normalize(d))
        d[0] = 1, d[1] = d[2] = 0;
    vec_axes(d, axis);
}

/* Mean of the image at and around point k, within half a radius or half a voxel. */
static double core_signal(const picture *p, const line *l, int k) {
    const double reach = 0.5 * fmax(l->radius_mm[k], p->voxel_mm);
    double axis[3][3], sum = 0;
    int n = 0;
    axes_at(l, k, axis);
    for (int s = 0; s < CORE_POINTS; s++) {
        const double out = s % 5 == 0 ? 0 : reach, angle = M_PI_2 * (s % 5);
        double at[3];
        vec_add(l->at_mm[k], out * cos(angle), axis[0], at);
        vec_add(at, out * sin(angle), axis[1], at);
        vec_add(at, reach * (s / 5 - 1), axis[2], at);
        const double x = value_at(p, at);
        n += isfinite(x);
        sum += isfinite(x) ? x : 0;
    }
    return n > 0 ? sum / n : NAN;
}

static void line_free(line *l) {
    free(l->at_mm);
    free(l->way_mm);
}

/* Copy a branch, and read radius and signal along it. */
static int line_make(const centerline_branch *b, const volume *phi, const picture *p, line *l) {
    const size_t n = (size_t)b->n;
    l->n = b->n;
    l->at_mm = calloc(n, sizeof *l->at_mm);
    l->way_mm = calloc(3 * n, sizeof *l->way_mm);
    if (l->at_mm == NULL || l->way_mm == NULL)
        return fail_memory("the centerline", (double)n * 6 * sizeof(double));
    l->radius_mm = l->way_mm + n;
    l->signal = l->radius_mm + n;
    memcpy(l->at_mm, b->at_mm, n * sizeof *l->at_mm);
    for (int k = 0; k < l->n; k++) {
        l->way_mm[k] = k > 0 ? l->way_mm[k - 1] + vec_distance(l->at_mm[k - 1], l->at_mm[k]) : 0;
        l->radius_mm[k] = volume_contains(phi, l->at_mm[k]) ? fmax(0, -volume_sample(phi, l->at_mm[k])) : 0;
    }
    for (int k = 0; k < l->n; k++)
        l->signal[k] = core_signal(p, l, k);
    return OK;
}

static double upper_quartile(double *x, int n) {
    qsort(x, (size_t)n, sizeof *x, order_double);
    return x[3 * (n - 1) / 4];
}

/* Radius and signal of the vessel on one side of point k (step -1: before, 1: behind). Returns false near an end. */
static bool vessel_side(const line *l, int k, int step, double *radius_mm, double *signal) {
    double radius[SIDE_POINTS], light[SIDE_POINTS];
    int n = 0;
    for (int i = k; i >= 0 && i < l->n && n < SIDE_POINTS && fabs(l->way_mm[i] - l->way_mm[k]) < l->reach_mm; i += step)
        if (isfinite(l->signal[i])) {
            radius[n] = l->radius_mm[i];
            light[n++] = l->signal[i];
        }
    if (n < 4)
        return false;
    *radius_mm = upper_quartile(radius, n);
    *signal = upper_quartile(light, n);
    return true;
}

/* far [RAYS]: distances in mm from point k, across the vessel, at which the image falls to half of the contrast at
 * k. */
static void cast_rays(const picture *p, const line *l, int k, double most_mm, double axis[3][3], double far[RAYS]) {
    const double step = 0.25 * p->voxel_mm, half = 0.5 * (l->signal[k] + p->outside);
    axes_at(l, k, axis);
    for (int r = 0; r < RAYS; r++) {
        const double angle = 2 * M_PI * r / RAYS;
        for (far[r] = 0; far[r] < most_mm; far[r] += step) {
            double at[3];
            vec_add(l->at_mm[k], far[r] * cos(angle), axis[0], at);
            vec_add(at, far[r] * sin(angle), axis[1], at);
            if (!(value_at(p, at) > half))
                break;
        }
    }
}

/* Point from point k in direction `step` where the lumen is as wide as the vessel over a length of one radius; -1:
 * none. */
static int whole_point(const line *l, int k, int step, double vessel_mm) {
    int since = -1;
    for (int i = k; i >= 0 && i < l->n && fabs(l->way_mm[i] - l->way_mm[k]) < LOSS_SIDE_RADII * vessel_mm; i += step) {
        since = l->radius_mm[i] < LOSS_SIDE_WHOLE * vessel_mm ? -1 : since < 0 ? i : since;
        if (since >= 0 && fabs(l->way_mm[i] - l->way_mm[since]) > vessel_mm)
            return i;
    }
    return -1;
}

/* Where the centre of the vessel would be at point k without the loss: cubic curve between the nearest points before
 * and behind with the whole vessel. False without such points. */
static bool whole_centre(const line *l, int k, double vessel_mm, double centre[3]) {
    const int from = whole_point(l, k, -1, vessel_mm), to = whole_point(l, k, 1, vessel_mm);
    double before[3][3], behind[3][3];
    if (from < 0 || to < 0)
        return false;
    axes_at(l, from, before);
    axes_at(l, to, behind);
    const double way = l->way_mm[to] - l->way_mm[from], t = (l->way_mm[k] - l->way_mm[from]) / way, s = 1 - t;
    for (int a = 0; a < 3; a++) /* cubic Hermite curve */
        centre[a] = s * s * (1 + 2 * t) * l->at_mm[from][a] + t * t * (1 + 2 * s) * l->at_mm[to][a] +
                    way * s * t * (s * before[2][a] - t * behind[2][a]);
    return true;
}

/* Contrast of the part of the vessel's cross-section that is not lumen, less the contrast of the tissue around the
 * vessel. NAN: the part is too thin to be measured. */
static double side_contrast(const picture *p, const line *l, int k, double vessel_mm) {
    double centre[3], axis[3][3], in[RAYS * SIDE_RINGS], around[RAYS];
    int n = 0, m = 0;
    if (!whole_centre(l, k, vessel_mm, centre))
        return NAN;
    axes_at(l, k, axis);
    for (int r = 0; r < RAYS; r++)
        for (int ring = 0; ring <= SIDE_RINGS; ring++) {
            const double out =
                vessel_mm * (ring < SIDE_RINGS ? LOSS_SIDE_WITHIN * ring / (SIDE_RINGS - 1) : LOSS_SIDE_AROUND);
            const double angle = 2 * M_PI * r / RAYS;
            double at[3];
            vec_add(centre, out * cos(angle), axis[0], at);
            vec_add(at, out * sin(angle), axis[1], at);
            const double away = volume_contains(p->phi, at) ? volume_sample(p->phi, at) : INFINITY;
            const double x = value_at(p, at);
            if (!isfinite(x) || away < LOSS_SIDE_VOXELS * volume_thickest_mm(p->image))
                continue;
            if (ring < SIDE_RINGS)
                in[n++] = x;
            else
                around[m++] = x;
        }
    return n < SIDE_LEAST || m < SIDE_LEAST ? NAN : order_median(in, n) - order_median(around, m);
}

/* True if the lumen at point k is narrow and the image is not. vessel_mm, signal, one_side: out. */
static bool loses_signal(const picture *p, const line *l, int k, double *vessel_mm, double *signal, bool *one_side) {
    double radius[2], light[2], axis[3][3], far[RAYS];
    if (!vessel_side(l, k, -1, &radius[0], &light[0]) || !vessel_side(l, k, 1, &radius[1], &light[1]))
        return false;
    *vessel_mm = fmin(radius[0], radius[1]);
    const double contrast = fmax(light[0], light[1]) - p->outside;
    *signal = (l->signal[k] - p->outside) / contrast;
    if (!(contrast > 0 && l->radius_mm[k]<LOSS_NARROW * * vessel_mm && * vessel_mm> LOSS_VOXELS * p->voxel_mm &&
          *signal > 0))
        return false;
    *one_side = *signal >= LOSS_SIGNAL;
    if (*one_side) {
        *signal = side_contrast(p, l, k, *vessel_mm) / contrast;
        return *signal > LOSS_SIDE_SIGNAL;
    }
    cast_rays(p, l, k, LOSS_REACH * *vessel_mm, axis, far);
    return order_median(far, RAYS) > fmax(LOSS_NARROW * *vessel_mm, LOSS_WIDER * l->radius_mm[k]);
}

/* Finds the next stretch of points that lose signal, from point *k on. Gaps up to a radius of the vessel count as part
 * of the stretch. Returns false if there is none. */
static bool next_stretch(const picture *p, const line *l, int *k, stretch *s) {
    double vessel_mm, signal;
    bool one_side;
    *s = (stretch){.first = -1};
    for (; *k < l->n; ++*k) {
        if (s->first >= 0 && l->way_mm[*k] - l->way_mm[s->last] > s->vessel_mm)
            return true;
        if (!loses_signal(p, l, *k, &vessel_mm, &signal, &one_side))
            continue;
        if (s->first < 0)
            *s = (stretch){*k, *k, *k, vessel_mm, signal, one_side};
        s->last = *k;
        s->signal = fmin(s->signal, signal);
        if (l->radius_mm[*k] < l->radius_mm[s->narrowest])
            s->narrowest = *k, s->vessel_mm = vessel_mm, s->one_side = one_side;
    }
    return s->first >= 0;
}

/* Sets opening, end and along_mm. along_mm is measured from the nearest opening on the line, otherwise from the first
 * point. */
static void locate(const line *l, int k, int n, const double (*opening)[3], signal_loss *f) {
    f->opening = -1;
    memcpy(f->end_mm, l->at_mm[0], sizeof f->end_mm);
    f->along_mm = l->way_mm[k];
    for (int o = 0; o < n; o++) {
        int near = 0;
        for (int i = 1; i < l->n; i++)
            near = vec_distance(opening[o], l->at_mm[i]) < vec_distance(opening[o], l->at_mm[near]) ? i : near;
        const double along = fabs(l->way_mm[k] - l->way_mm[near]);
        if (vec_distance(opening[o], l->at_mm[near]) > LOSS_OPENING * f->vessel_mm ||
            (f->opening >= 0 && along >= f->along_mm))
            continue;
        f->opening = o;
        f->along_mm = along;
    }
}

/* Ball of the bridging tube at a point of stretch s. Its centre is the centre of the image's signal, or whole_centre()
 * if the loss is on one side. Its radius is interpolated between both ends of the tube. */
static void tube_ball(const picture *p, const line *l, const stretch *s, int k, int from, int to, double ball[4]) {
    const double part = (l->way_mm[k] - l->way_mm[from]) / fmax(1e-9, l->way_mm[to] - l->way_mm[from]);
    double axis[3][3], far[RAYS], move[2] = {0};
    ball[3] = (1 - part) * l->radius_mm[from] + part * l->radius_mm[to];
    if (s->one_side && whole_centre(l, k, s->vessel_mm, ball))
        return;
    cast_rays(p, l, k, LOSS_REACH * s->vessel_mm, axis, far);
    for (int r = 0; r < RAYS; r++) /* distances to a circle whose centre is moved by e: radius + e cos(angle) */
        for (int a = 0; a < 2; a++)
            move[a] += 2.0 / RAYS * far[r] * (a == 0 ? cos(2 * M_PI * r / RAYS) : sin(2 * M_PI * r / RAYS));
    const double most = fmax(0, ball[3] - l->radius_mm[k]), length = hypot(move[0], move[1]);
    memcpy(ball, l->at_mm[k], 3 * sizeof *ball);
    for (int a = 0; a < 2 && length > 0; a++) /* the lumen stays inside the tube */
        vec_add(ball, move[a] * fmin(1, most / length), axis[a], ball);
}

/* Add a tube along a stretch. It starts and ends where the lumen is as wide as the vessel. */
static void bridge(const picture *p, const line *l, const stretch *s, volume *v) {
    int from = s->first, to = s->last;
    while (from > 0 && l->radius_mm[from] < LOSS_WHOLE * s->vessel_mm &&
           l->way_mm[s->first] - l->way_mm[from] < LOSS_ENDS * s->vessel_mm)
        from--;
    while (to + 1 < l->n && l->radius_mm[to] < LOSS_WHOLE * s->vessel_mm &&
           l->way_mm[to] - l->way_mm[s->last] < LOSS_ENDS * s->vessel_mm)
        to++;
    double earlier[4], ball[4];
    tube_ball(p, l, s, from, from, to, earlier);
    for (int k = from; k <= to; k++) {
        tube_ball(p, l, s, k, from, to, ball);
        for (int part = 1; part <= 4; part++) { /* balls between two points of the centerline */
            double between[4];
            for (int a = 0; a < 4; a++)
                between[a] = earlier[a] + 0.25 * part * (ball[a] - earlier[a]);
            ball_tube_add(between, v);
        }
        memcpy(earlier, ball, sizeof earlier);
    }
}

static int find_on_line(const picture *p, const line *l, int n_opening, const double (*opening)[3], signal_losses *out,
                        const volume *phi, volume *bridged) {
    stretch s;
    int rc = OK;
    for (int k = 0; next_stretch(p, l, &k, &s);) {
        if (out->n == SIGNAL_LOSS_MAX) {
            out->unlisted++;
            continue;
        }
        signal_loss *f = &out->found[out->n++];
        *f = (signal_loss){.length_mm = l->way_mm[s.last] - l->way_mm[s.first],
                           .radius_mm = l->radius_mm[s.narrowest],
                           .vessel_mm = s.vessel_mm,
                           .signal = s.signal,
                           .one_side = s.one_side};
        memcpy(f->point_mm, l->at_mm[s.narrowest], sizeof f->point_mm);
        locate(l, s.narrowest, n_opening, opening, f);
        if (bridged != NULL && bridged->value == NULL)
            rc = ball_tube_room(phi, p->widest_mm, bridged);
        if (bridged != NULL && rc == OK)
            bridge(p, l, &s, bridged);
        if (rc != OK)
            return rc;
    }
    return OK;
}

int signal_loss_find(const volume *image, const volume *phi, const seeds_statistics *seeds, int n_opening,
                     const double (*opening)[3], signal_losses *out, volume *bridged) {
    const double sign = seeds->bright ? 1 : -1;
    picture p = {image, phi, sign, sign * seeds->outside, volume_thinnest_mm(image), 0};
    volume mask = {0};
    centerline_tree t = {0};
    line l = {0};
    int rc = OK;
    *out = (signal_losses){0};
    TRY(ends_without_opening_mask(phi, LOSS_PLACES, &mask));
    rc = centerline_tree_find(&mask, &t);
    if (rc == ERR_INPUT) { /* the lumen is narrower than the sampling distance */
        status_clear();
        rc = OK;
    }
    for (int b = 0; b < t.n && rc == OK; b++)
        for (int k = 0; k < t.branch[b].n; k++)
            p.widest_mm = fmax(p.widest_mm, t.branch[b].radius_mm[k]);
    for (int b = 0; b < t.n && rc == OK; b++) {
        l = (line){.reach_mm = LOSS_SIDE_RADII * t.radius_mm};
        TRY(line_make(&t.branch[b], phi, &p, &l));
        TRY(find_on_line(&p, &l, n_opening, opening, out, phi, bridged));
        line_free(&l);
        l = (line){0};
    }
cleanup:
    line_free(&l);
    centerline_tree_free(&t);
    volume_free(&mask);
    return rc;
}
