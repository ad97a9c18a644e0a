/* SPDX-License-Identifier: Apache-2.0 */
#include "data/phantom/vessel_curve.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NODES = VESSEL_CURVE_MAX_NODES };

typedef struct {
    int n;
    /* value and slope of x, y, z and radius at each node; length of the interval behind each node */
    double value[MAX_NODES][4], slope[MAX_NODES][4], length[MAX_NODES];
} curve;

/* Slope at a node from the slopes of the adjacent chords of lengths h and g. Positions: slope of the parabola through
 * three nodes. Radii: limited mean without overshoot (Fritsch and Butland 1984). */
static double node_slope(bool place, double before, double h, double after, double g) {
    if (place)
        return (before * g + after * h) / (h + g);
    if (before * after <= 0)
        return 0;
    const double low = fmin(fabs(before), fabs(after)), high = fmax(fabs(before), fabs(after));
    return copysign(3 * low * high / (high + 2 * low), before);
}

/* Compute the slopes per millimetre of chord. At the ends: direction of the chord, constant radius. */
static void curve_create(curve *c, int n, const vessel_curve_node *node) {
    c->n = n;
    for (int i = 0; i < n; i++) {
        memcpy(c->value[i], node[i].point_mm, sizeof node[i].point_mm);
        c->value[i][3] = node[i].radius_mm;
    }
    for (int i = 0; i + 1 < n; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += (c->value[i + 1][k] - c->value[i][k]) * (c->value[i + 1][k] - c->value[i][k]);
        c->length[i] = sqrt(square);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            const int left = i > 0 ? i - 1 : 0, right = i + 1 < n ? i : n - 2;
            const double before = (c->value[left + 1][k] - c->value[left][k]) / c->length[left];
            const double after = (c->value[right + 1][k] - c->value[right][k]) / c->length[right];
            if (left == right)
                c->slope[i][k] = k < 3 ? after : 0;
            else
                c->slope[i][k] = node_slope(k < 3, before, c->length[left], after, c->length[right]);
        }
}

/* Cubic Hermite value in interval i at t in 0..1. */
static void curve_value(const curve *c, int i, double t, double value[4]) {
    const double s = 1 - t, h = c->length[i];
    for (int k = 0; k < 4; k++)
        value[k] = s * s * (1 + 2 * t) * c->value[i][k] + t * t * (1 + 2 * s) * c->value[i + 1][k] +
                   t * s * h * (s * c->slope[i][k] - t * c->slope[i + 1][k]);
}

static int segment_add(phantom *p, const double from[4], const double to[4]) {
    if (p->shape.n_segment == PHANTOM_MAX_SEGMENTS)
        return fail(ERR_INTERNAL, "a phantom has more than %d segments (error in the program)",
                    (int)PHANTOM_MAX_SEGMENTS);
    shape_segment *s = &p->segment[p->shape.n_segment++];
    memcpy(s->a, from, sizeof s->a);
    memcpy(s->b, to, sizeof s->b);
    s->radius_a = from[3];
    s->radius_b = to[3];
    return OK;
}

/* Add the opening at one end of the curve and its straight extension; sign -1 at the start, +1 at the end. */
static int end_add(phantom *p, const curve *c, int sign, double beyond, const vessel_curve_end *end) {
    const int i = sign < 0 ? 0 : c->n - 1;
    if (p->n_opening == PHANTOM_MAX_OPENINGS)
        return fail(ERR_INTERNAL, "a phantom has more than %d openings (error in the program)",
                    (int)PHANTOM_MAX_OPENINGS);
    phantom_opening *o = &p->opening[p->n_opening++];
    snprintf(o->name, sizeof o->name, "%s", end->name);
    o->inlet = end->inlet;
    o->flow_l_min = end->flow_l_min;
    o->radius_mm = c->value[i][3];
    double far[4] = {0, 0, 0, o->radius_mm};
    for (int k = 0; k < 3; k++) {
        o->point_mm[k] = c->value[i][k];
        o->normal[k] = sign * c->slope[i][k];
        far[k] = o->point_mm[k] + beyond * o->radius_mm * o->normal[k];
    }
    return sign < 0 ? segment_add(p, far, c->value[i]) : segment_add(p, c->value[i], far);
}

static double segment_length(const shape_segment *s) {
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (s->b[k] - s->a[k]) * (s->b[k] - s->a[k]);
    return sqrt(square);
}

/* Set position, direction and radius at half of the branch's length. */
static void branch_middle(const phantom *p, phantom_branch *b) {
    double total = 0, done = 0;
    for (int i = 0; i < b->count; i++)
        total += segment_length(&p->segment[b->first + i]);
    for (int i = 0; i < b->count; i++) {
        const shape_segment *s = &p->segment[b->first + i];
        const double length = segment_length(s), t = (total / 2 - done) / length;
        done += length;
        if (t > 1 && i + 1 < b->count)
            continue;
        for (int k = 0; k < 3; k++) {
            b->middle_mm[k] = s->a[k] + t * (s->b[k] - s->a[k]);
            b->direction[k] = (s->b[k] - s->a[k]) / length;
        }
        b->radius_mm = s->radius_a + t * (s->radius_b - s->radius_a);
        return;
    }
}

static int branch_start(phantom *p, const char *name) {
    if (p->n_branch == PHANTOM_MAX_BRANCHES)
        return fail(ERR_INTERNAL, "a phantom has more than %d branches (error in the program)",
                    (int)PHANTOM_MAX_BRANCHES);
    phantom_branch *b = &p->branch[p->n_branch++];
    snprintf(b->name, sizeof b->name, "%s", name);
    b->first = p->shape.n_segment;
    return OK;
}

int vessel_curve_add(phantom *p, int n, const vessel_curve_node *node, double step, double beyond,
                     const vessel_curve_end *start, const vessel_curve_end *end) {
    int rc = OK;
    curve c;
    if (n < 2 || n > MAX_NODES)
        return fail(ERR_INTERNAL, "a vessel of a phantom must have 2 to %d nodes (error in the program)",
                    (int)MAX_NODES);
    curve_create(&c, n, node);
    if (start)
        TRY(end_add(p, &c, -1, beyond, start));
    for (int i = 0; i + 1 < n; i++) {
        if (i == 0 || node[i].branch)
            TRY(branch_start(p, node[i].branch));
        const double longest = step * fmin(node[i].radius_mm, node[i + 1].radius_mm);
        const int pieces = (int)ceil(c.length[i] / longest - 1e-9);
        double from[4], to[4];
        curve_value(&c, i, 0, from);
        for (int j = 1; j <= pieces; j++) {
            curve_value(&c, i, (double)j / pieces, to);
            TRY(segment_add(p, from, to));
            memcpy(from, to, sizeof from);
        }
        phantom_branch *b = &p->branch[p->n_branch - 1];
        b->count = p->shape.n_segment - b->first;
        branch_middle(p, b);
    }
    if (end)
        TRY(end_add(p, &c, 1, beyond, end));
cleanup:
    return rc;
}

void vessel_curve_bounds(phantom *p) {
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < p->shape.n_segment; i++) {
            const shape_segment *s = &p->segment[i];
            low = fmin(low, fmin(s->a[k] - s->radius_a, s->b[k] - s->radius_b));
            high = fmax(high, fmax(s->a[k] + s->radius_a, s->b[k] + s->radius_b));
        }
        for (int i = 0; i < p->shape.n_ellipsoid; i++) {
            low = fmin(low, p->ellipsoid[i].centre[k] - p->ellipsoid[i].half[k]);
            high = fmax(high, p->ellipsoid[i].centre[k] + p->ellipsoid[i].half[k]);
        }
        p->low_mm[k] = low;
        p->high_mm[k] = high;
    }
}
