/* SPDX-License-Identifier: Apache-2.0 */
/* See branch_trace.h. */
#include "common/centerline/branch_trace.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/centerline/curve_fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits, chosen on exact shapes and phantoms. Lengths are in radii of the branch unless stated otherwise. A found end
 * is a tip of the vessel that the program found; near it the voxel path turns into a corner of the lumen. */
static const double STEP_RADII = 0.25;  /* distance of the points */
static const double STEP_VOXELS = 0.5;  /* smallest distance of the points, in voxels */
static const double STRIP_RADII = 2.3;  /* length of the path before a found end that is replaced. If a plane cuts the
                                         * vessel at 45 degrees, its wall shifts the middle from 2.2 before the tip */
static const double STRIP_AHEAD = 1.6;  /* the radius of the vessel is measured up to STRIP_AHEAD * replaced length +
                                         * STRIP_START from the found end */
static const double STRIP_START = 3;    /* in voxels, see STRIP_AHEAD */
static const double FLAT_PART = 0.75;   /* the radius is taken as at least this fraction of the half-width, because
                                         * flat vessels have a small inscribed radius */
static const double STRIP_PART = 0.45;  /* upper limit of the replaced length, as a fraction of the length of the
                                         * branch */
static const double SMOOTH_RADII = 1.5; /* half-width of the smoothing */
static const double SMOOTH_VOXELS = 3;  /* voxels: lower limit of the half-width */
static const double COARSE_RADII = 2.5; /* half-width of the fit for the first tangents */
static const double SHAPE_RADII = 4;    /* half-width of the fit for curvature and torsion */
static const double END_RADII = 3;      /* half-width of the fit for the way to a found end */
static const double MOST_SHIFT = 0.1;   /* largest distance by which smoothing moves a point from the middle of the
                                         * vessel */
static const double STRAIGHT = 0.02;    /* torsion is unknown below this curvature, in 1/radius */
static const double END_REACH = 4;      /* length of the rays that find the wall beyond an end */
static const double SECTION_REACH = 6;  /* length of the rays of a cross-section */
static const double LEAST_STEP = 0.3;   /* a step is a fold if the cosine of its angle to the tangent is smaller */
static const double KEPT_WIDTH = 0.95; /* before a found end, the wall of the end shifts the middle where radius or area
                                         * are below this fraction of the values of the line before the end */
static const double CARRY_RADII = 0.5; /* distance from a found end up to which the wall of the end disturbs the
                                         * radius */
static const double END_MOST = 8;      /* largest length of the line to which the parabola at an end is fitted, radii */
static const double END_FIT = 0.05;    /* largest distance of the line from this parabola, radii */
static const double WIDENS = 0.1;      /* a place is a stenosis if the radius behind it is larger by this part of the
                                         * branch's radius */
static const double DROP_RADII = 3;    /* the radius at the end of the line is compared with the largest radius in this
                                         * length, radii */
static const double NEAR_CUT = 1;      /* smoothing turns the line in this length before a narrow end, radii */
/* Lean (wall_section) above which the wall of an oblique end cuts a cross-section: CUT_LEAN while the line is followed,
 * END_LEAN for the values along the line, where a steep stenosis may lean by nearly as much. */
static const double CUT_LEAN = 0.35, END_LEAN = 0.5;
enum { ROUNDS = 3, SMOOTH_DEGREE = 3, SHAPE_DEGREE = 5, POINTS_MIN = 5, POINTS_MAX = 200000 };

/* A polyline in the frame of the grid. */
typedef struct {
    int n;
    double (*at)[3], *s; /* [n] points and arc lengths */
    double *radius;      /* [n] radius of the vessel at each point, mm; 0: unknown */
} polyline;

void branch_trace_free(branch_trace *t) {
    free(t->point);
    memset(t, 0, sizeof *t);
}

static int polyline_create(polyline *l, int n) {
    *l = (polyline){n, malloc((size_t)n * sizeof *l->at), malloc((size_t)n * sizeof *l->s),
                    calloc((size_t)n, sizeof *l->radius)};
    return !l->at || !l->s || !l->radius ? fail_memory("a centerline", n * 5.0 * sizeof(double)) : OK;
}

static void polyline_free(polyline *l) {
    free(l->at);
    free(l->s);
    free(l->radius);
    *l = (polyline){0};
}

static void set_lengths(polyline *l) {
    l->s[0] = 0;
    for (int k = 1; k < l->n; k++)
        l->s[k] = l->s[k - 1] + vec_distance(l->at[k - 1], l->at[k]);
}

/* Replaces the polyline by a polyline with points at equal distances of about `step`. */
static int resample_line(polyline *l, double step) {
    const double length = l->s[l->n - 1];
    const double wanted = fmin(fmax(ceil(length / step), POINTS_MIN - 1), POINTS_MAX);
    polyline out = {0};
    int rc = polyline_create(&out, (int)wanted + 1), k = 0;
    for (int i = 0; rc == OK && i < out.n; i++) {
        const double s = length * i / (out.n - 1);
        while (k + 2 < l->n && l->s[k + 1] < s)
            k++;
        const double step_s = l->s[k + 1] - l->s[k], part = step_s > 0 ? fmin(fmax((s - l->s[k]) / step_s, 0), 1) : 0;
        for (int a = 0; a < 3; a++)
            out.at[i][a] = (1 - part) * l->at[k][a] + part * l->at[k + 1][a];
    }
    if (rc == OK) {
        set_lengths(&out);
        polyline_free(l);
        *l = out;
    } else
        polyline_free(&out);
    return rc;
}

/* Half of the largest width of the cross-section in the middle of an edge; 0 at a junction. */
static double middle_half_width(const volume *phi, const skeleton_edge *e) {
    const int middle = e->n / 2, side = e->n / 8 + 1;
    const skeleton_point *a = &e->point[middle - side < 0 ? 0 : middle - side],
                         *b = &e->point[middle + side < e->n ? middle + side : e->n - 1];
    double along[3], at[3];
    wall_section c;
    vec_add(b->at, -1, a->at, along);
    if (!vec_normalize(along))
        return 0;
    memcpy(at, e->point[middle].at, sizeof at);
    (void)wall_rays_centre(phi, along, at);
    wall_rays_section(phi, along, at, SECTION_REACH * fmax(e->point[middle].depth_mm, phi->spacing_mm[0]), &c);
    return c.open && c.largest_mm > 2 * SECTION_REACH * e->point[middle].depth_mm ? 0 : 0.5 * c.largest_mm;
}

/* Number of points to remove before a found end: STRIP_RADII radii of the vessel. Points in the corner of an end are
 * nearer to the wall than the middle of the vessel, so points farther inside also give the radius. In a flat vessel the
 * corner is far from the middle, so half_width gives a lower limit of the radius. */
static int count_stripped(const skeleton_edge *e, bool at_start, double half_width, double length) {
    const double step = length / fmax(1, e->n - 1);
    double way = 0, ahead = 0, depth = FLAT_PART * half_width;
    for (int k = 0, far = 0; k + 2 < e->n; k++) {
        for (; far + 1 < e->n && ahead <= STRIP_AHEAD * way + STRIP_START * step; far++) {
            const skeleton_point *p = &e->point[at_start ? far : e->n - 1 - far],
                                 *next = &e->point[at_start ? far + 1 : e->n - 2 - far];
            depth = fmax(depth, fmax(p->depth_mm, next->depth_mm));
            ahead += vec_distance(p->at, next->at);
        }
        const skeleton_point *p = &e->point[at_start ? k : e->n - 1 - k],
                             *next = &e->point[at_start ? k + 1 : e->n - 2 - k];
        way += vec_distance(p->at, next->at);
        if (vec_distance(next->at, e->point[at_start ? 0 : e->n - 1].at) >= STRIP_RADII * depth ||
            way > STRIP_PART * length)
            return k;
    }
    return e->n > 2 ? e->n - 3 : 0;
}

/* Number of points at one end of an edge that lie in the sphere of the node at this end. */
static int count_in_ball(const skeleton_edge *e, bool at_start, double ball, double length) {
    double way = 0;
    int k = 1;
    for (; k + 2 < e->n; k++) {
        const skeleton_point *p = &e->point[at_start ? k : e->n - 1 - k],
                             *before = &e->point[at_start ? k - 1 : e->n - k];
        way += vec_distance(p->at, before->at);
        if (vec_distance(p->at, e->point[at_start ? 0 : e->n - 1].at) > ball || way > STRIP_PART * length)
            break;
    }
    return k - 1;
}

/* Copies the points of an edge, except the points in the corner at an end that the program found (count_stripped) and
 * the points in the sphere of a bifurcation. The node of a bifurcation is kept: a straight line leads to it. */
static int copy_edge(const volume *phi, const skeleton_edge *e, const branch_ends *ends, polyline *l) {
    const double half_width = ends->found[0] || ends->found[1] ? middle_half_width(phi, e) : 0;
    const double length = skeleton_graph_length_mm(e);
    const int from =
        ends->found[0] ? count_stripped(e, true, half_width, length) : count_in_ball(e, true, ends->ball_mm[0], length);
    const int to = e->n - 1 -
                   (ends->found[1] ? count_stripped(e, false, half_width, length)
                                   : count_in_ball(e, false, ends->ball_mm[1], length));
    const int rc = polyline_create(l, e->n);
    l->n = 0;
    for (int k = 0; rc == OK && k < e->n; k++)
        if ((k >= from && k <= to) || (k == 0 && !ends->found[0]) || (k == e->n - 1 && !ends->found[1]))
            memcpy(l->at[l->n++], e->point[k].at, sizeof l->at[0]);
    if (rc == OK)
        set_lengths(l);
    return rc;
}

static double median_depth(const skeleton_edge *e, double least, double *work) {
    for (int k = 0; k < e->n; k++)
        work[k] = e->point[k].depth_mm;
    return fmax(order_quantile(work, e->n, 0.5), least);
}

/* Copies a polyline. At a ring, copies of its last points go before its start and copies of its first points after its
 * end. pad: number of points added on each side. */
static int pad_ring(const polyline *l, bool ring, double width, polyline *out, int *pad) {
    *pad = 0;
    while (ring && *pad < l->n - 1 && l->s[*pad] < width)
        (*pad)++;
    const int rc = polyline_create(out, l->n + 2 * *pad);
    for (int k = 0; rc == OK && k < out->n; k++) {
        const int i = k - *pad, m = l->n - 1, from = i < 0 ? i + m : i > m ? i - m : i;
        memcpy(out->at[k], l->at[from], sizeof out->at[0]);
        out->s[k] = l->s[from] + (i < 0 ? -l->s[m] : i > m ? l->s[m] : 0);
    }
    return rc;
}

/* Replaces each point by the value of a local polynomial through its neighbours. held[side] true: the end point on this
 * side stays. tangent [n] out, or NULL. */
static int smooth_points(polyline *l, bool ring, const bool held[2], double width, int degree, double (*tangent)[3]) {
    polyline from = {0};
    int pad = 0, rc = pad_ring(l, ring, width, &from, &pad);
    for (int k = 0; rc == OK && k < l->n; k++) {
        curve_point p;
        if (!curve_fit_at(from.n, from.s, (const double(*)[3])from.at, l->s[k], width, degree, &p))
            continue;
        if (!(k == 0 && held[0]) && !(k == l->n - 1 && held[1]))
            memcpy(l->at[k], p.at, sizeof p.at);
        if (tangent != NULL) {
            memcpy(tangent[k], p.d1, sizeof p.d1);
            if (!vec_normalize(tangent[k]))
                tangent[k][2] = 1;
        }
    }
    polyline_free(&from);
    if (rc == OK)
        set_lengths(l);
    return rc;
}

/* Tangents of straight lines fitted to the points within `width`. Such lines are long compared with the path into the
 * corner at a found end, so this path hardly turns them. */
static void coarse_tangents(const polyline *l, double width, double (*tangent)[3]) {
    for (int k = 0; k < l->n; k++) {
        curve_point p;
        if (!curve_fit_at(l->n, l->s, (const double(*)[3])l->at, l->s[k], width, 1, &p))
            continue;
        memcpy(tangent[k], p.d1, sizeof p.d1);
        if (!vec_normalize(tangent[k]))
            tangent[k][2] = 1;
    }
}

/* After points were moved: removes each point that lies behind its predecessor. */
static void remove_folds(polyline *l, double (*tangent)[3]) {
    int n = 1;
    for (int k = 1; k < l->n; k++) {
        double d[3];
        vec_add(l->at[k], -1, l->at[n - 1], d);
        if (k < l->n - 1 && vec_dot(d, tangent[k]) < LEAST_STEP * vec_length(d))
            continue;
        while (k == l->n - 1 && n > 2) { /* the last point stays; points before it that lie behind it are removed */
            vec_add(l->at[k], -1, l->at[n - 1], d);
            if (vec_dot(d, tangent[k]) >= LEAST_STEP * vec_length(d))
                break;
            n--;
        }
        memcpy(l->at[n], l->at[k], sizeof l->at[0]);
        memcpy(tangent[n], tangent[k], sizeof tangent[0]);
        l->radius[n++] = l->radius[k];
    }
    l->n = n;
}

/* Moves each point to the middle between the walls, in the plane across the tangent. Points in the spheres of the
 * bifurcations stay. */
static void centre_points(const volume *phi, polyline *l, const bool held[2], const double ball[2],
                          double (*tangent)[3]) {
    double end[2][3];
    memcpy(end[0], l->at[0], sizeof end[0]);
    memcpy(end[1], l->at[l->n - 1], sizeof end[1]);
    for (int k = 0; k < l->n; k++) {
        bool fixed = false;
        for (int side = 0; side < 2; side++)
            fixed = fixed || (held[side] && vec_distance(l->at[k], end[side]) <= ball[side]);
        if (!fixed)
            l->radius[k] = wall_rays_centre(phi, tangent[k], l->at[k]);
    }
}

/* Half-width of the smoothing at a point. It is smaller at a narrow place, so that a narrowing keeps its own axis. */
static double local_width(const polyline *l, int k, double radius, double h) {
    return fmax(SMOOTH_RADII * (l->radius[k] > 0 ? fmin(l->radius[k], radius) : radius), SMOOTH_VOXELS * h);
}

/* Smooths the points. No point moves by more than MOST_SHIFT of its radius. */
static int smooth_within(polyline *l, bool ring, const bool held[2], double radius, double h) {
    polyline from = {0};
    int pad = 0, rc = pad_ring(l, ring, SMOOTH_RADII * radius, &from, &pad);
    for (int k = 0; rc == OK && k < l->n; k++) {
        const double near = l->radius[k] > 0 ? l->radius[k] : radius, *old = from.at[k + pad];
        curve_point p;
        double shift[3];
        if ((k == 0 && held[0]) || (k == l->n - 1 && held[1]) ||
            !curve_fit_at(from.n, from.s, (const double(*)[3])from.at, l->s[k], local_width(l, k, radius, h),
                          SMOOTH_DEGREE, &p))
            continue;
        vec_add(p.at, -1, old, shift);
        vec_add(old, fmin(1, MOST_SHIFT * near / fmax(vec_length(shift), 1e-12)), shift, l->at[k]);
    }
    polyline_free(&from);
    if (rc == OK)
        set_lengths(l);
    return rc;
}

static void reverse_line(polyline *l) {
    for (int i = 0, k = l->n - 1; i < k; i++, k--) {
        double at[3];
        memcpy(at, l->at[i], sizeof at);
        memcpy(l->at[i], l->at[k], sizeof at);
        memcpy(l->at[k], at, sizeof at);
        const double radius = l->radius[i];
        l->radius[i] = l->radius[k];
        l->radius[k] = radius;
    }
    set_lengths(l);
}

/* Appends a point to a line that has room for it. */
static void append_point(polyline *l, const double at[3], double radius) {
    memcpy(l->at[l->n], at, sizeof l->at[0]);
    l->radius[l->n] = radius;
    l->s[l->n] = l->s[l->n - 1] + vec_distance(l->at[l->n - 1], at);
    l->n++;
}

/* Parabola through the last `width` of the line. */
static bool fit_last(const polyline *l, double width, curve_point *p) {
    return curve_fit_at(l->n, l->s, (const double(*)[3])l->at, l->s[l->n - 1], width, 2, p) && vec_length(p->d1) > 0.5;
}

/* Parabola through the last END_RADII radii of the line. */
static bool fit_end(const polyline *l, double radius, curve_point *p) {
    return fit_last(l, END_RADII * radius, p);
}

/* The place at a distance along the parabola p from the point `from`. */
static void parabola_at(const double from[3], const curve_point *p, double way, double at[3]) {
    vec_add(from, way, p->d1, at);
    vec_add(at, 0.5 * way * way, p->d2, at);
}

/* True if the lumen becomes wider again beyond a narrow place of the line from point `first` on: a stenosis. The wedge
 * of an oblique end only becomes narrower. */
static bool widens_again(const polyline *l, int first, double radius) {
    double narrowest = INFINITY;
    for (int k = first; k < l->n; k++) {
        if (l->radius[k] > narrowest + WIDENS * radius)
            return true;
        narrowest = fmin(narrowest, l->radius[k]);
    }
    return false;
}

/* Number of points before the narrow end of the line. The points that smoothing has turned towards this end do not
 * count. All points, if the line has no narrow end or a stenosis there. */
static int count_wide(const polyline *l, double radius) {
    const double from = l->s[l->n - 1] - DROP_RADII * radius;
    double widest = 0;
    int n = l->n;
    for (int k = l->n - 1; k >= 0 && l->s[k] >= from; k--)
        widest = fmax(widest, l->radius[k]);
    while (n > POINTS_MIN && l->radius[n - 1] < KEPT_WIDTH * widest)
        n--;
    if (widens_again(l, n, radius))
        return l->n;
    const double wide = l->s[n - 1];
    while (n < l->n && n > POINTS_MIN && l->s[n - 1] > wide - NEAR_CUT * radius)
        n--;
    return n;
}

/* Largest distance between the last `width` of the line and the parabola p. */
static double fit_error(const polyline *l, double width, const curve_point *p) {
    double most = 0;
    for (int k = l->n - 1; k >= 0 && l->s[l->n - 1] - l->s[k] < width; k--) {
        double at[3];
        parabola_at(p->at, p, l->s[k] - l->s[l->n - 1], at);
        most = fmax(most, vec_distance(at, l->at[k]));
    }
    return most;
}

/* Shortens the line to its first n points: the wall of an oblique end cuts the cross-sections of the others. Near an
 * elbow the line is no parabola, and its continuation would be wrong: then the line stays and the result is false. */
static bool end_before_cut(polyline *l, int n, double radius) {
    const int all = l->n;
    curve_point p;
    l->n = n;
    if (n > 0 && fit_end(l, radius, &p) && fit_error(l, END_RADII * radius, &p) < END_FIT * radius)
        return true;
    l->n = all;
    return false;
}

/* True if no wall of an end cuts the cross-section. */
static bool is_whole(const wall_section *c) {
    return c->lean <= CUT_LEAN && !c->open;
}

/* Appends points in the middle between the walls up to the wall, or as far as the vessel keeps its width. At an oblique
 * end, the points stay whose cross-section is whole, and the result is true. After an elbow the middle lies beside the
 * parabola, by less than a step. In a flat vessel the middle is vague, and a shift by more than a step would leave its
 * direction. */
static bool follow_middle(const volume *phi, polyline *l, double step, double radius, int most) {
    double width = l->radius[l->n - 1], area = 0;
    int whole = 0; /* number of points up to the last whole cross-section; 0: none is whole */
    wall_section c;
    curve_point p;
    if (fit_end(l, radius, &p) && vec_normalize(p.d1)) {
        wall_rays_section(phi, p.d1, l->at[l->n - 1], SECTION_REACH * fmax(radius, width), &c);
        whole = is_whole(&c) ? l->n : 0;
        area = is_whole(&c) ? c.area_mm2 : 0;
    }
    for (int k = 0; k < most && fit_end(l, radius, &p); k++) {
        double at[3], d[3], before[3];
        parabola_at(l->at[l->n - 1], &p, step, at);
        vec_add(p.d1, step, p.d2, d);
        memcpy(before, at, sizeof at);
        if (!vec_normalize(d) || wall_rays_phi(phi, at) >= 0)
            return false;
        const double there = wall_rays_centre(phi, d, at);
        if (vec_distance(at, before) > step)
            return false;
        wall_rays_section(phi, d, at, SECTION_REACH * fmax(radius, there), &c);
        if ((c.lean > CUT_LEAN || whole == 0) && (there < KEPT_WIDTH * width || c.area_mm2 < KEPT_WIDTH * area))
            return end_before_cut(l, whole, radius);
        append_point(l, at, there);
        if (is_whole(&c)) {
            whole = l->n;
            width = there;
            area = c.area_mm2;
        }
    }
    return false;
}

static void copy_line(const polyline *from, polyline *to) {
    memcpy(to->at, from->at, (size_t)from->n * sizeof *from->at);
    memcpy(to->s, from->s, (size_t)from->n * sizeof *from->s);
    memcpy(to->radius, from->radius, (size_t)from->n * sizeof *from->radius);
    to->n = from->n;
}

/* Follows the middle without the narrow end of the line, if this leads to an oblique end, whose wedge the line has
 * entered; else from its last point. */
static int follow_to_end(const volume *phi, polyline *l, double step, double radius, int most) {
    const int wide = count_wide(l, radius);
    polyline kept = {0};
    const int rc = polyline_create(&kept, l->n);
    if (rc == OK) {
        copy_line(l, &kept);
        l->n = wide;
        if (!follow_middle(phi, l, step, radius, most) && wide < kept.n) {
            copy_line(&kept, l);
            (void)follow_middle(phi, l, step, radius, most);
        }
    }
    polyline_free(&kept);
    return rc;
}

/* Parabola through as much of the end of the line as it fits, which averages the steps of a coarse mask. */
static bool fit_long_end(const polyline *l, double radius, curve_point *p) {
    for (double part = END_MOST; part > END_RADII; part -= 0.5)
        if (fit_last(l, part * radius, p) && fit_error(l, part * radius, p) < END_FIT * radius)
            return true;
    return fit_end(l, radius, p);
}

/* Continues the end of the line along a parabola to the wall. */
static int reach_wall(const volume *phi, polyline *l, double step, double radius, int most) {
    curve_point p;
    const polyline from = *l;
    if (!fit_long_end(l, radius, &p))
        return OK;
    for (int k = 1; k <= most; k++) {
        double at[3], d[3];
        parabola_at(from.at[from.n - 1], &p, k * step, at);
        if (wall_rays_phi(phi, at) < 0) {
            append_point(l, at, 0);
            continue;
        }
        vec_add(at, -1, l->at[l->n - 1], d);
        if (vec_normalize(d)) {
            vec_add(l->at[l->n - 1], wall_rays_cast(phi, l->at[l->n - 1], d, END_REACH * radius), d, at);
            append_point(l, at, 0);
        }
        return OK;
    }
    return OK;
}

/* Appends points to a line that has room for `most` more points. */
typedef int line_extension(const volume *phi, polyline *l, double step, double radius, int most);

/* Extends the end `side` of the line. */
static int extend_end(const volume *phi, polyline *l, int side, double step, double radius, line_extension *extend) {
    const int most = (int)ceil(END_REACH * radius / step);
    polyline out = {0};
    int rc = polyline_create(&out, l->n + most);
    if (rc == OK) {
        memcpy(out.at, l->at, (size_t)l->n * sizeof *l->at);
        memcpy(out.radius, l->radius, (size_t)l->n * sizeof *l->radius);
        out.n = l->n;
        if (side == 0)
            reverse_line(&out);
        set_lengths(&out);
        rc = extend(phi, &out, step, radius, most);
    }
    if (rc == OK) {
        if (side == 0)
            reverse_line(&out);
        polyline_free(l);
        *l = out;
    } else
        polyline_free(&out);
    return rc;
}

/* Cuts the end `side` of the line where the line turns back: the path into the corner of a found end can turn the
 * tangents there, and the points then move against the direction of the vessel. The new end is the point farthest from
 * the point END_RADII before the end. */
static void cut_turned_end(polyline *l, int side, double radius) {
    if (side == 0)
        reverse_line(l);
    set_lengths(l);
    int from = l->n - 1, farthest = from;
    while (from > 0 && l->s[l->n - 1] - l->s[from] < END_RADII * radius)
        from--;
    for (int k = l->n - 2; k > from; k--)
        if (vec_distance(l->at[k], l->at[from]) > vec_distance(l->at[farthest], l->at[from]))
            farthest = k;
    if (farthest + 1 >= POINTS_MIN)
        l->n = farthest + 1;
    if (side == 0)
        reverse_line(l);
    set_lengths(l);
}

static int refine_line(const volume *phi, polyline *l, const branch_ends *ends, double step, double radius) {
    const bool ring = ends->ring, held[2] = {ends->ball_mm[0] > 0, ends->ball_mm[1] > 0};
    const double h = volume_thinnest_mm(phi);
    const double width = fmax(SMOOTH_RADII * radius, SMOOTH_VOXELS * h);
    double(*tangent)[3] = NULL;
    int rc = OK;
    for (int round = 0; round < ROUNDS; round++) {
        TRY(resample_line(l, step));
        free(tangent);
        tangent = malloc((size_t)l->n * sizeof *tangent);
        if (tangent == NULL)
            GIVE_UP(fail_memory("a centerline", l->n * 3.0 * sizeof(double)));
        TRY(smooth_points(l, ring, held, width, round == 0 ? 2 : SMOOTH_DEGREE, tangent));
        if (round == 0)
            coarse_tangents(l, COARSE_RADII * radius, tangent);
        centre_points(phi, l, held, ends->ball_mm, tangent);
        remove_folds(l, tangent);
        if (ring)
            memcpy(l->at[l->n - 1], l->at[0], sizeof l->at[0]);
        set_lengths(l);
        for (int side = 0; side < 2; side++)
            if (ends->found[side])
                cut_turned_end(l, side, radius);
    }
    for (int side = 0; side < 2; side++)
        if (ends->found[side])
            TRY(extend_end(phi, l, side, step, radius, follow_to_end));
    TRY(smooth_within(l, ring, held, radius, h));
    if (ring)
        memcpy(l->at[l->n - 1], l->at[0], sizeof l->at[0]);
    set_lengths(l);
    for (int side = 0; side < 2; side++)
        if (ends->found[side])
            TRY(extend_end(phi, l, side, step, radius, reach_wall));
cleanup:
    free(tangent);
    return rc;
}

void branch_trace_set_abscissas(branch_trace *t) {
    t->point[0].s_mm = 0;
    for (int k = 1; k < t->n; k++)
        t->point[k].s_mm = t->point[k - 1].s_mm + vec_distance(t->point[k - 1].at, t->point[k].at);
}

static int range_line(const branch_trace *t, int from, int to, polyline *l) {
    const int rc = polyline_create(l, to - from);
    for (int k = from; rc == OK && k < to; k++) {
        memcpy(l->at[k - from], t->point[k].at, sizeof l->at[0]);
        l->s[k - from] = t->point[k].s_mm;
    }
    return rc;
}

/* Computes tangents, radii and sections of the points `from` .. `to` - 1. Uses only these points. */
static int measure_range(const volume *phi, branch_trace *t, int from, int to) {
    const double h = volume_thinnest_mm(phi);
    const double width = fmax(SMOOTH_RADII * t->radius_mm, SMOOTH_VOXELS * h);
    polyline l = {0}, padded = {0};
    int pad = 0, rc;
    branch_trace_set_abscissas(t);
    TRY(range_line(t, from, to, &l));
    TRY(pad_ring(&l, t->ring && to - from == t->n, width, &padded, &pad));
    for (int k = from; k < to; k++) {
        trace_point *p = &t->point[k];
        curve_point c;
        if (curve_fit_at(padded.n, padded.s, (const double(*)[3])padded.at, p->s_mm, width, SMOOTH_DEGREE, &c) &&
            vec_normalize(c.d1))
            memcpy(p->tangent, c.d1, sizeof p->tangent);
        if (!(vec_length(p->tangent) > 0.5))
            p->tangent[2] = 1;
        p->radius_mm = wall_rays_tube_radius(phi, p->tangent, p->at);
        wall_rays_section(phi, p->tangent, p->at, SECTION_REACH * fmax(p->radius_mm, h), &p->section);
        p->curvature = p->torsion = NAN;
    }
cleanup:
    polyline_free(&l);
    polyline_free(&padded);
    return rc;
}

/* Distance of point k from the end `side`, along the branch. */
static double distance_from_end(const branch_trace *t, int side, int k) {
    return side == 0 ? t->point[k].s_mm : t->point[t->n - 1].s_mm - t->point[k].s_mm;
}

/* Length from the end `side` up to which the wall of an oblique end cuts the cross-sections; 0: not at all. This wall
 * closes towards the end, and the cross-sections become larger away from the end: at a stenosis they become smaller
 * first. */
static double cut_length(const branch_trace *t, int side) {
    const double step = 1.5 * STEP_RADII * t->radius_mm;
    double cut = 0, largest_mm2 = 0;
    for (int i = 0; i < t->n; i++) {
        const int k = side == 0 ? i : t->n - 1 - i;
        const trace_point *p = &t->point[k];
        const double way = distance_from_end(t, side, k);
        if (way > fmax(t->radius_mm, cut + step))
            break;
        if ((side == 0 ? -1 : 1) * p->section.lean > END_LEAN && p->section.area_mm2 >= largest_mm2)
            cut = way;
        if (way > CARRY_RADII * t->radius_mm)
            largest_mm2 = fmax(largest_mm2, p->section.area_mm2);
    }
    return cut;
}

/* Excludes the closed ends from the own part (centerline_point.own): one median radius, and where the wall of an
 * oblique end cuts the cross-sections, with one step beyond, because a small cut does not reach END_LEAN. */
static void mark_closed_ends(branch_trace *t) {
    for (int side = 0; side < 2; side++) {
        if (!t->free_end[side])
            continue;
        const double cut = cut_length(t, side),
                     closed = fmax(t->radius_mm, cut > 0 ? cut + 1.5 * STEP_RADII * t->radius_mm : 0);
        for (int k = 0; k < t->n; k++)
            if (distance_from_end(t, side, k) < closed)
                t->point[k].own = false;
    }
}

int branch_trace_run(const volume *phi, const skeleton_edge *e, const branch_ends *ends, branch_trace *out) {
    const double h = volume_thinnest_mm(phi);
    polyline l = {0};
    double *work = malloc((size_t)e->n * sizeof *work);
    int rc = OK;
    *out = (branch_trace){.free_end = {ends->found[0], ends->found[1]}, .ring = ends->ring};
    if (work == NULL)
        GIVE_UP(fail_memory("a centerline", e->n * (double)sizeof *work));
    out->radius_mm = median_depth(e, 0.5 * h, work);
    const double step = fmax(STEP_RADII * out->radius_mm, STEP_VOXELS * h);
    TRY(copy_edge(phi, e, ends, &l));
    TRY(refine_line(phi, &l, ends, step, out->radius_mm));
    out->n = l.n;
    out->point = calloc((size_t)l.n, sizeof *out->point);
    if (out->point == NULL)
        GIVE_UP(fail_memory("a centerline", l.n * (double)sizeof *out->point));
    for (int k = 0; k < l.n; k++) {
        memcpy(out->point[k].at, l.at[k], sizeof l.at[0]);
        out->point[k].own = true;
    }
    TRY(measure_range(phi, out, 0, out->n));
    mark_closed_ends(out);
cleanup:
    free(work);
    polyline_free(&l);
    if (rc != OK)
        branch_trace_free(out);
    return rc;
}

/* ------------------------------------------------------------------------------------------------ own part */

/* True if a point lies in the inscribed sphere of a point of the other branch. Only points within reach_mm of the
 * common node count. */
static bool inside_other(const trace_point *p, const branch_trace *other, bool at_start, double reach_mm) {
    const double length = other->point[other->n - 1].s_mm;
    for (int k = 0; k < other->n; k++) {
        const trace_point *q = &other->point[at_start ? k : other->n - 1 - k];
        if ((at_start ? q->s_mm : length - q->s_mm) > reach_mm)
            return false;
        if (vec_distance(p->at, q->at) < q->radius_mm)
            return true;
    }
    return false;
}

void branch_trace_leave(branch_trace *t, int side, int n, const branch_trace *const *other, const bool *at_start) {
    const double length = t->point[t->n - 1].s_mm;
    int last = -1;
    for (int i = 0; i < t->n; i++) {
        const trace_point *p = &t->point[side == 0 ? i : t->n - 1 - i];
        const double way = side == 0 ? p->s_mm : length - p->s_mm;
        bool shared = p->section.open;
        for (int k = 0; k < n && !shared; k++)
            shared = inside_other(p, other[k], at_start[k], 2 * way + 2 * other[k]->radius_mm);
        if (shared)
            last = i;
        else if (way > t->point[side == 0 ? 0 : t->n - 1].radius_mm)
            break;
    }
    for (int i = 0; i <= last; i++)
        t->point[side == 0 ? i : t->n - 1 - i].own = false;
}

/* Computes curvature and torsion at the points `from` .. `to` - 1, from the first to the last `own` point. */
static int measure_shape(const volume *phi, branch_trace *t, int from, int to) {
    const double h = volume_thinnest_mm(phi);
    const double width = fmax(SHAPE_RADII * t->radius_mm, SMOOTH_VOXELS * h);
    polyline l = {0}, padded = {0};
    int pad = 0, rc;
    TRY(range_line(t, from, to, &l));
    TRY(pad_ring(&l, t->ring && to - from == t->n, width, &padded, &pad));
    for (int k = from; k < to; k++) {
        trace_point *p = &t->point[k];
        curve_point c;
        if (curve_fit_at(padded.n, padded.s, (const double(*)[3])padded.at, p->s_mm, width, SHAPE_DEGREE, &c) &&
            c.degree >= 3)
            curve_fit_frame(&c, STRAIGHT / t->radius_mm, &p->curvature, &p->torsion);
    }
cleanup:
    polyline_free(&l);
    polyline_free(&padded);
    return rc;
}

/* Moves the points `from` .. `to` - 1 to the middle between the walls once more, and smooths them. Uses only these
 * points. */
static int smooth_range(const volume *phi, branch_trace *t, int from, int to) {
    const double h = volume_thinnest_mm(phi);
    const bool held[2] = {false, false}, ring = t->ring && to - from == t->n;
    polyline l = {0};
    int rc;
    for (int k = from; k < to; k++)
        t->point[k].radius_mm = wall_rays_centre(phi, t->point[k].tangent, t->point[k].at);
    branch_trace_set_abscissas(t);
    TRY(range_line(t, from, to, &l));
    for (int k = from; k < to; k++)
        l.radius[k - from] = t->point[k].radius_mm;
    TRY(smooth_within(&l, ring, held, t->radius_mm, h));
    for (int k = from; k < to; k++)
        memcpy(t->point[k].at, l.at[k - from], sizeof l.at[0]);
cleanup:
    polyline_free(&l);
    return rc;
}

/* Near a found end, the wall of the end disturbs radius and cross-section: within CARRY_RADII or cut_length, at most
 * over a third of the branch. There, both are copied from the last undisturbed point. */
static void carry_radius(branch_trace *t) {
    const double length = t->point[t->n - 1].s_mm;
    for (int side = 0; side < 2; side++) {
        if (!t->free_end[side])
            continue;
        const double reach = fmin(fmax(CARRY_RADII * t->radius_mm, cut_length(t, side)), length / 3);
        int inner = side == 0 ? 0 : t->n - 1;
        const int step = side == 0 ? 1 : -1;
        while (inner + step >= 0 && inner + step < t->n && distance_from_end(t, side, inner) <= reach)
            inner += step;
        for (int k = side == 0 ? 0 : t->n - 1; k != inner; k += step) {
            t->point[k].radius_mm = t->point[inner].radius_mm;
            t->point[k].section = t->point[inner].section;
        }
    }
}

int branch_trace_measure(const volume *phi, branch_trace *t) {
    int rc = OK, from = 0, to = t->n;
    while (from < t->n && !t->point[from].own)
        from++;
    while (to > from && !t->point[to - 1].own)
        to--;
    if (to - from >= POINTS_MIN) {
        TRY(smooth_range(phi, t, from, to));
        TRY(measure_range(phi, t, from, to));
        TRY(measure_shape(phi, t, from, to));
    }
    branch_trace_set_abscissas(t);
    for (int k = 0; k < t->n; k++) {
        trace_point *p = &t->point[k];
        const double length = t->point[t->n - 1].s_mm, end = 2 * t->radius_mm;
        const bool at_end = (t->free_end[0] && p->s_mm < end) || (t->free_end[1] && length - p->s_mm < end);
        p->own = p->own && k >= from && k < to && to - from >= POINTS_MIN;
        if (!p->own && !at_end)
            p->radius_mm = fmin(p->radius_mm, wall_rays_ball(phi, p->at));
    }
    carry_radius(t);
cleanup:
    return rc;
}
