/* SPDX-License-Identifier: Apache-2.0 */
/* Distance functions, and the union of many segments with a bound that skips most of them. */
#include "common/surface/shape.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define MIN2(a, b) ((a) < (b) ? (a) : (b))

static void subtract_vectors(const double a[3], const double b[3], double d[3]) {
    for (int k = 0; k < 3; k++)
        d[k] = a[k] - b[k];
}

/* Cylindrical coordinates of p about the axis a -> b. *along: position on the axis, from a; *away: distance from the
 * axis, >= 0. Returns the length of the axis; if a equals b, the axis points along z. */
static double axis_position(const double a[3], const double b[3], const double p[3], double *along, double *away) {
    double axis[3], d[3];
    subtract_vectors(b, a, axis);
    subtract_vectors(p, a, d);
    double length = sqrt(vec_dot(axis, axis));
    if (length > 0)
        *along = vec_dot(d, axis) / length;
    else
        axis[0] = axis[1] = 0, axis[2] = 1, *along = d[2];
    double scale = length > 0 ? *along / length : *along;
    for (int k = 0; k < 3; k++)
        d[k] -= scale * axis[k];
    *away = sqrt(vec_dot(d, d));
    return length;
}

/* Signed distance to the convex hull of two balls, exact inside and outside. The wall is the envelope of balls whose
 * centres lie on the axis and whose radii change linearly along it. The ball that touches the wall at the point nearest
 * to p gives the distance; beyond the ends of the axis this is an end ball. */
static double segment_distance(const shape_segment *s, const double p[3]) {
    double t, r;
    const double length = axis_position(s->a, s->b, p, &t, &r);
    const double sine = length > 0 ? (s->radius_a - s->radius_b) / length : 2;
    if (fabs(sine) >= 1) { /* the ball at one end contains the ball at the other end */
        const double *centre = s->radius_a >= s->radius_b ? s->a : s->b;
        double d[3];
        subtract_vectors(p, centre, d);
        return sqrt(vec_dot(d, d)) - MAX2(s->radius_a, s->radius_b);
    }
    const double cosine = sqrt(1 - sine * sine);
    const double foot = t - r * sine / cosine;
    if (foot <= 0)
        return sqrt(t * t + r * r) - s->radius_a;
    if (foot >= length)
        return sqrt((t - length) * (t - length) + r * r) - s->radius_b;
    return r * cosine + t * sine - s->radius_a;
}

/* Nearest point of an ellipsoid to y >= 0, half-axes e descending, n = 1, 2 or 3 axes: root of
 *   G(u) = sum (r_i z_i / (u + r_i - 1))^2 = 1,   z_i = y_i / e_i,  r_i = (e_i / e_n)^2
 * (Eberly 2013). No term exceeds 1 at the root; this gives a lower bound of u. G^(-1/2) - 1 increases, is concave and
 * almost linear (Conn, Gould, Toint 2000, 7.3.3), so Newton's method converges from below in a few steps. */
static void ellipsoid_nearest(int n, const double *e, const double *y, double *x) {
    const int last = n - 1;
    if (n == 1) {
        x[0] = e[0];
        return;
    }
    if (y[last] <= 0) {
        double rest = 1;
        int inner = 1;
        for (int i = 0; i < last; i++) {
            const double numerator = e[i] * y[i], denominator = e[i] * e[i] - e[last] * e[last];
            inner = inner && numerator < denominator;
            const double q = inner ? numerator / denominator : 0;
            x[i] = e[i] * q;
            rest -= q * q;
        }
        if (inner && rest > 0) {
            x[last] = e[last] * sqrt(rest);
            return;
        }
        x[last] = 0;
        ellipsoid_nearest(last, e, y, x);
        return;
    }
    double r[3], gap[3], z[3];
    for (int i = 0; i < n; i++) {
        r[i] = (e[i] / e[last]) * (e[i] / e[last]);
        gap[i] = (e[i] - e[last]) * (e[i] + e[last]) / (e[last] * e[last]);
        z[i] = y[i] / e[i];
    }
    double u = z[last];
    for (int i = 0; i < last; i++)
        u = MAX2(u, r[i] * z[i] - gap[i]);
    for (int step = 0; step < 200; step++) {
        double sum = 0, slope = 0;
        for (int i = 0; i < n; i++) {
            const double part = 1 / (u + gap[i]), q = r[i] * z[i] * part;
            sum += q * q;
            slope += q * q * part;
        }
        const double next = u + (sqrt(sum) - 1) * sum / slope;
        const bool done = !(next - u > 1e-9 * next);
        u = MAX2(u, next);
        if (done)
            break;
    }
    for (int i = 0; i < n; i++)
        x[i] = r[i] * y[i] / (u + gap[i]);
}

static double ellipsoid_distance(int n, const double *half, const double *offset) {
    double e[3] = {0}, y[3] = {0}, x[3] = {0};
    for (int i = 0; i < n; i++) {
        int k = i; /* insertion sort: longest axis first */
        for (; k > 0 && e[k - 1] < half[i]; k--)
            e[k] = e[k - 1], y[k] = y[k - 1];
        e[k] = half[i], y[k] = fabs(offset[i]);
    }
    ellipsoid_nearest(n, e, y, x);
    double square = 0, level = 0;
    for (int i = 0; i < n; i++) {
        square += (x[i] - y[i]) * (x[i] - y[i]);
        level += (y[i] / e[i]) * (y[i] / e[i]);
    }
    return level > 1 ? sqrt(square) : -sqrt(square);
}

typedef struct {
    /* `wide`: radius of the tube; `narrow`: radius of the throat; length: length of the narrowing */
    double wide, narrow, length;
} stenosis_profile;

static double profile_radius(const stenosis_profile *s, double t) {
    if (!(fabs(t) < s->length / 2))
        return s->wide;
    return s->wide - (s->wide - s->narrow) * 0.5 * (1 + cos(2 * M_PI * t / s->length));
}

static double profile_square(const stenosis_profile *s, double along, double away, double t) {
    const double d = profile_radius(s, t) - away;
    return (t - along) * (t - along) + d * d;
}

/* Minimum of profile_square in low..high, where it has one local minimum (golden section). */
static double profile_minimum(const stenosis_profile *s, double along, double away, double low, double high) {
    const double ratio = 0.6180339887498949;
    double a = high - ratio * (high - low), b = low + ratio * (high - low);
    double at_a = profile_square(s, along, away, a), at_b = profile_square(s, along, away, b);
    for (int step = 0; step < 45; step++) {
        if (at_a <= at_b) {
            high = b, b = a, at_b = at_a;
            a = high - ratio * (high - low);
            at_a = profile_square(s, along, away, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + ratio * (high - low);
            at_b = profile_square(s, along, away, b);
        }
    }
    return MIN2(at_a, at_b);
}

/* Signed distance to a stenosis. Let r be the radial distance from p to the wall. The nearest wall point then lies
 * within r of p along the axis. This interval is sampled, and the search is refined around every local minimum of the
 * samples. */
static double stenosis_distance(const shape *s, const double p[3]) {
    enum { SAMPLES = 32 };
    const stenosis_profile profile = {s->radius[0], s->radius[1], s->length[0]};
    double along, away, sample[SAMPLES + 1];
    const double length = axis_position(s->a, s->b, p, &along, &away);
    along -= length / 2;
    const double straight = away - profile_radius(&profile, along);
    const double reach = fabs(straight), half = profile.length / 2;
    const double low = MAX2(along - reach, -half), high = MIN2(along + reach, half);
    if (!(low < high))
        return straight;
    double square = straight * straight;
    for (int i = 0; i <= SAMPLES; i++)
        sample[i] = profile_square(&profile, along, away, low + (high - low) * i / SAMPLES);
    for (int i = 0; i <= SAMPLES; i++) {
        if ((i > 0 && sample[i - 1] < sample[i]) || (i < SAMPLES && sample[i + 1] < sample[i]))
            continue;
        const double from = low + (high - low) * MAX2(i - 1, 0) / SAMPLES;
        const double to = low + (high - low) * MIN2(i + 1, SAMPLES) / SAMPLES;
        const double found = profile_minimum(&profile, along, away, from, to);
        square = MIN2(square, MIN2(found, sample[i]));
    }
    return straight < 0 ? -sqrt(square) : sqrt(square);
}

static double box_distance(const double low[3], const double high[3], const double p[3]) {
    double outside = 0, inside = -INFINITY;
    for (int k = 0; k < 3; k++) {
        const double d = MAX2(low[k] - p[k], p[k] - high[k]);
        outside += d > 0 ? d * d : 0;
        inside = MAX2(inside, d);
    }
    return outside > 0 ? sqrt(outside) : inside;
}

/* True if the segment cannot be nearer than `distance`: the bounding box of its axis, or its axis, is farther away than
 * `distance` plus the larger radius. */
static bool segment_is_far(const shape_segment *s, const double p[3], double distance) {
    const double reach = distance + MAX2(s->radius_a, s->radius_b);
    for (int k = 0; k < 3; k++)
        if (MIN2(s->a[k], s->b[k]) - p[k] > reach || p[k] - MAX2(s->a[k], s->b[k]) > reach)
            return true;
    double axis[3], d[3];
    subtract_vectors(s->b, s->a, axis);
    subtract_vectors(p, s->a, d);
    const double square = vec_dot(axis, axis);
    const double t = square > 0 ? MAX2(0, MIN2(1, vec_dot(d, axis) / square)) : 0;
    for (int k = 0; k < 3; k++)
        d[k] -= t * axis[k];
    return reach < 0 || vec_dot(d, d) > reach * reach;
}

/* Start value for the search of the nearest segment: among every fourth segment, the one with the nearest first
 * point. */
static int segment_guess(const shape *s, const double p[3]) {
    int guess = 0;
    double nearest = INFINITY;
    for (int i = 0; i < s->n_segment; i += 4) {
        double d[3];
        subtract_vectors(p, s->segment[i].a, d);
        const double square = vec_dot(d, d);
        guess = square < nearest ? i : guess;
        nearest = MIN2(nearest, square);
    }
    return guess;
}

static double union_distance(const shape *s, const double p[3]) {
    double distance = s->n_segment > 0 ? segment_distance(&s->segment[segment_guess(s, p)], p) : INFINITY;
    for (int i = 0; i < s->n_segment; i++)
        if (!segment_is_far(&s->segment[i], p, distance))
            distance = MIN2(distance, segment_distance(&s->segment[i], p));
    if (s->kind == SHAPE_TREE)
        return distance;
    for (int i = 0; i < s->n_ellipsoid; i++) {
        double d[3];
        subtract_vectors(p, s->ellipsoid[i].centre, d);
        distance = MIN2(distance, ellipsoid_distance(3, s->ellipsoid[i].half, d));
    }
    return distance;
}

/* Signed distances to the surfaces of the anterior segment of an eye, each negative on the fluid side. along: from the
 * plane of the iris towards the cornea. The cornea is the sphere through the rim of the chamber and the apex. */
enum { EYE_CORNEA, EYE_IRIS_FRONT, EYE_IRIS_BACK, EYE_PUPIL, EYE_LENS_FRONT, EYE_RIM, EYE_BACK, EYE_SURFACES };

static void eye_surfaces(const shape *s, const double p[3], double d[EYE_SURFACES]) {
    const double rim = s->radius[0], depth = s->length[EYE_DEPTH], iris = s->length[EYE_IRIS];
    const double cornea = (rim * rim + depth * depth) / (2 * depth), lens = s->length[EYE_LENS];
    double along, away;
    axis_position(s->a, s->b, p, &along, &away);
    d[EYE_CORNEA] = hypot(away, along - depth + cornea) - cornea;
    d[EYE_IRIS_FRONT] = -along;
    d[EYE_IRIS_BACK] = along + iris;
    d[EYE_PUPIL] = away - s->radius[1];
    d[EYE_LENS_FRONT] = lens - hypot(away, along + iris + s->length[EYE_GAP] + lens);
    d[EYE_RIM] = away - rim;
    d[EYE_BACK] = -iris - s->length[EYE_POSTERIOR] - along;
}

/* Signed distance to the union of the anterior chamber, the posterior chamber and the pupil. */
static double eye_distance(const shape *s, const double p[3]) {
    double d[EYE_SURFACES];
    eye_surfaces(s, p, d);
    const double front = MAX2(d[EYE_CORNEA], d[EYE_IRIS_FRONT]);
    const double back = MAX2(MAX2(d[EYE_IRIS_BACK], d[EYE_BACK]), MAX2(d[EYE_RIM], d[EYE_LENS_FRONT]));
    const double pupil = MAX2(MAX2(d[EYE_PUPIL], d[EYE_LENS_FRONT]), MAX2(d[EYE_CORNEA], d[EYE_BACK]));
    return MIN2(front, MIN2(back, pupil));
}

double shape_distance_mm(const shape *s, const double lps_mm[3]) {
    double along, away, offset[3];
    subtract_vectors(lps_mm, s->a, offset);
    switch (s->kind) {
    case SHAPE_CYLINDER:
        axis_position(s->a, s->b, lps_mm, &along, &away);
        return away - s->radius[0];
    case SHAPE_CHANNEL: {
        const double half = axis_position(s->a, s->b, lps_mm, &along, &away);
        return fabs(along) - half;
    }
    case SHAPE_BOX:
        return box_distance(s->a, s->b, lps_mm);
    case SHAPE_SPHERE_OBSTACLE:
        return s->radius[0] - sqrt(vec_dot(offset, offset));
    case SHAPE_TORUS:
        axis_position(s->a, s->b, lps_mm, &along, &away);
        return hypot(away - s->radius[1], along) - s->radius[0];
    case SHAPE_ELLIPSE:
        return ellipsoid_distance(2, s->radius, offset);
    case SHAPE_STENOSIS:
        return stenosis_distance(s, lps_mm);
    case SHAPE_TREE:
    case SHAPE_CHAMBER:
        return union_distance(s, lps_mm);
    case SHAPE_ANNULUS:
        axis_position(s->a, s->b, lps_mm, &along, &away);
        return MAX2(away - s->radius[0], s->radius[1] - away);
    case SHAPE_EYE:
        return eye_distance(s, lps_mm);
    default:
        return NAN;
    }
}

/* --- parts ---------------------------------------------------------------------------------------------------- */

enum { PARTS = 6 };
static const struct {
    const char *list, *name[PARTS];
} parts[] = {[SHAPE_CHANNEL] = {"wall, opposite", {"wall", "opposite"}},
             [SHAPE_BOX] = {"x-low, x-high, y-low, y-high, z-low, z-high",
                            {"x-low", "x-high", "y-low", "y-high", "z-low", "z-high"}},
             [SHAPE_ANNULUS] = {"outer, inner", {"outer", "inner"}},
             [SHAPE_EYE] = {"cornea, iris, lens, ciliary", {"cornea", "iris", "lens", "ciliary"}}};
enum { PART_KINDS = sizeof parts / sizeof *parts };

const char *shape_parts(int kind) {
    return kind >= 0 && kind < PART_KINDS && parts[kind].list ? parts[kind].list : "it has no named parts";
}

int shape_part_number(const shape *s, const char *name) {
    for (int k = 0; s->kind >= 0 && s->kind < PART_KINDS && k < PARTS; k++)
        if (parts[s->kind].name[k] && strcmp(parts[s->kind].name[k], name) == 0)
            return k;
    return -1;
}

static int eye_part(const shape *s, const double p[3]) {
    static const int part[EYE_SURFACES] = {0, 1, 1, 1, 2, 3, 3};
    double d[EYE_SURFACES], along, away;
    int nearest = EYE_CORNEA;
    eye_surfaces(s, p, d);
    axis_position(s->a, s->b, p, &along, &away);
    const double iris = s->length[EYE_IRIS];
    /* the point is in front of the middle of the iris: its outer wall is the cornea, behind it the rim */
    const bool before = along > -0.5 * iris;
    /* the point is near the plane of the pupil, where the pupil has its edge */
    const bool level = fabs(along + 0.5 * iris) < 0.6 * iris;
    for (int k = 0; k < EYE_SURFACES; k++) {
        if ((k == EYE_CORNEA && !before) || (k == EYE_RIM && before) || (k == EYE_PUPIL && !level))
            continue;
        nearest = fabs(d[k]) < fabs(d[nearest]) ? k : nearest;
    }
    return part[nearest];
}

int shape_part_at(const shape *s, const double lps_mm[3]) {
    double along, away, nearest = INFINITY;
    int part = -1;
    switch (s->kind) {
    case SHAPE_CHANNEL:
        axis_position(s->a, s->b, lps_mm, &along, &away);
        return along > 0 ? 0 : 1;
    case SHAPE_BOX:
        for (int k = 0; k < PARTS; k++) {
            const double d = fabs(lps_mm[k / 2] - (k & 1 ? s->b : s->a)[k / 2]);
            part = d < nearest ? k : part;
            nearest = MIN2(nearest, d);
        }
        return part;
    case SHAPE_ANNULUS:
        axis_position(s->a, s->b, lps_mm, &along, &away);
        return away > 0.5 * (s->radius[0] + s->radius[1]) ? 0 : 1;
    case SHAPE_EYE:
        return eye_part(s, lps_mm);
    default:
        return -1;
    }
}
