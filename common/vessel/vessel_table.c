/* SPDX-License-Identifier: Apache-2.0 */
/* See vessel_table.h. */
#include "common/vessel/vessel_table.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/vessel/vessel_line.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ANGLE_FROM = 0.5, ANGLE_TO = 3; /* the direction of a branch is fitted to the points at
                                                     * ANGLE_FROM to ANGLE_TO radii from the end of its own part */
static const double AREA_RADII = 2;                 /* the area at a bifurcation is the mean over the points up to
                                                     * AREA_RADII radii from the end of the own part */
static const double SMOOTHED_RADII = 0.1;           /* largest shift by the smoothing, in radii (MOST_SHIFT of
                                                     * branch_trace.c) */
enum { OWN_MIN = 5 };                               /* an own part with fewer points is not measured */

void vessel_table_free(vessel_table *t) {
    free(t->branch);
    free(t->bifurcation);
    memset(t, 0, sizeof *t);
}

static const vessel_value unknown = {NAN, NAN, NAN};

/* Replaces a negative number by 0; NAN stays NAN. */
static double not_negative(double x) {
    return x < 0 ? 0 : x;
}

static double equal_diameter(double area_mm2) {
    return 2 * sqrt(area_mm2 / M_PI);
}

static vessel_value diameter_value(double d, double wall_mm) {
    return (vessel_value){d, not_negative(d - 2 * wall_mm), d + 2 * wall_mm};
}

/* Area of a cross-section after its wall moved outwards by w mm: area + perimeter w + pi w^2 (Steiner's formula for a
 * closed curve). */
static double moved_area(double area, double perimeter, double w) {
    return not_negative(area + perimeter * w + M_PI * w * w);
}

static vessel_value area_value(double area, double perimeter, double wall_mm) {
    return (vessel_value){area, moved_area(area, perimeter, -wall_mm), moved_area(area, perimeter, wall_mm)};
}

static const char *main_side(const double d[3]) {
    static const char *const side[3][2] = {{"right", "left"}, {"anterior", "posterior"}, {"inferior", "superior"}};
    int axis = 0;
    for (int a = 1; a < 3; a++)
        axis = fabs(d[a]) > fabs(d[axis]) ? a : axis;
    return side[axis][d[axis] > 0];
}

static void set_extreme(vessel_extreme *e, const centerline_point *p, vessel_value v) {
    e->of = v;
    e->at_mm = p->abscissa_mm;
    memcpy(e->place_mm, p->at_mm, sizeof e->place_mm);
}

/* Narrowing at a place in percent, for the given wall position and for the wall at this place moved in and out. The
 * reference stays: as a median along the branch it depends little on the wall at one place, and a shift of the whole
 * wall changes the narrowing less than a shift at its place. */
static vessel_value narrowing_percent(double d, double reference, double wall_mm, bool area) {
    vessel_value v = unknown;
    double *out[3] = {&v.value, &v.low, &v.high};
    for (int k = 0; k < 3; k++) {
        const double move = k == 0 ? 0 : k == 1 ? 2 * wall_mm : -2 * wall_mm;
        const double ratio = not_negative(d + move) / (reference > 1e-9 ? reference : NAN);
        *out[k] = 100 * (1 - (area ? ratio * ratio : ratio));
    }
    return v;
}

/* The points of the own part of a branch (centerline_point.own), and the measures at these points. */
typedef struct {
    int n;
    const centerline_point **point;
    /* [n] s: arc length; width: least width of the cross-section; diameter: of the circle with its area; mm */
    double *s, *width, *diameter;
} own_part;

static void own_part_free(own_part *o) {
    free(o->point);
    free(o->s);
    free(o->width);
    free(o->diameter);
}

static int own_part_create(const centerline_branch_line *b, own_part *o) {
    const size_t n = (size_t)b->n;
    *o = (own_part){0, malloc(n * sizeof *o->point), malloc(n * sizeof(double)), malloc(n * sizeof(double)),
                    malloc(n * sizeof(double))};
    if (!o->point || !o->s || !o->width || !o->diameter)
        return fail_memory("the table of the vessel", (double)n * 4 * sizeof(double));
    for (int k = 0; k < b->n; k++) {
        const centerline_point *p = &b->point[k];
        if (!p->own || p->section.open)
            continue;
        o->point[o->n] = p;
        o->s[o->n] = p->abscissa_mm;
        o->width[o->n] = p->section.least_mm;
        o->diameter[o->n++] = equal_diameter(p->section.area_mm2);
    }
    return OK;
}

/* Finds the largest narrowing, relative to the reference line of the widths (area false) or of the diameters (area
 * true). */
static int find_stenosis(const own_part *o, double wall_mm, bool area, vessel_extreme *e, double *reference_mm) {
    const double *d = area ? o->diameter : o->width;
    double a, slope, most = -INFINITY;
    int rc = vessel_line_median(o->n, o->s, d, &a, &slope);
    for (int k = 0; rc == OK && k < o->n; k++) {
        const double reference = a + slope * o->s[k], part = 1 - d[k] / reference;
        if (part <= most)
            continue;
        most = part;
        set_extreme(e, o->point[k], narrowing_percent(d[k], reference, wall_mm, area));
        if (reference_mm != NULL)
            *reference_mm = reference;
    }
    return rc;
}

static void measure_widths(const own_part *o, double wall_mm, vessel_branch *v) {
    double area = 0, perimeter = 0, diameter = 0, ratio = 0;
    int least = 0;
    for (int k = 0; k < o->n; k++) {
        const wall_section *c = &o->point[k]->section;
        area += c->area_mm2 / o->n;
        perimeter += c->perimeter_mm / o->n;
        diameter += o->diameter[k] / o->n;
        ratio += c->largest_mm / c->least_mm / o->n;
        least = o->diameter[k] < o->diameter[least] ? k : least;
    }
    const wall_section *c = &o->point[least]->section;
    v->diameter_mean_mm = diameter_value(diameter, wall_mm);
    v->area_mean_mm2 = area_value(area, perimeter, wall_mm);
    set_extreme(&v->diameter_min_mm, o->point[least], diameter_value(o->diameter[least], wall_mm));
    set_extreme(&v->area_min_mm2, o->point[least], area_value(c->area_mm2, c->perimeter_mm, wall_mm));
    v->ellipticity = ratio;
    v->taper = vessel_line_slope(o->n, o->s, o->diameter);
}

/* Mean and largest curvature, mean torsion. A straight branch has no torsion. */
static void measure_shape(const centerline_branch_line *b, vessel_branch *v) {
    double curvature = 0, torsion = 0, most = NAN;
    int n = 0, m = 0;
    for (int k = 0; k < b->n; k++) {
        const centerline_point *p = &b->point[k];
        if (isfinite(p->curvature_per_mm)) {
            curvature += p->curvature_per_mm;
            most = fmax(most, p->curvature_per_mm);
            n++;
        }
        if (isfinite(p->torsion_per_mm)) {
            torsion += p->torsion_per_mm;
            m++;
        }
    }
    v->curvature_mean_per_mm = n > 0 ? curvature / n : NAN;
    v->curvature_max_per_mm = most;
    v->torsion_mean_per_mm = m > 0 ? torsion / m : NAN;
}

/* d^T c d for the symmetric matrix c, xx yy zz xy xz yz. */
static double variance_along(const double c[6], const double d[3]) {
    return c[0] * d[0] * d[0] + c[1] * d[1] * d[1] + c[2] * d[2] * d[2] +
           2 * (c[3] * d[0] * d[1] + c[4] * d[0] * d[2] + c[5] * d[1] * d[2]);
}

/* Change of the length if the line lies nearer to the inside of its bends, by the wall's uncertainty and by the shift
 * that the smoothing allows: the integral of shift times curvature. */
static double shift_in_bends(const centerline_branch_line *b, double wall_mm) {
    double sum = 0;
    for (int k = 1; k < b->n; k++) {
        const centerline_point *p = &b->point[k];
        if (isfinite(p->curvature_per_mm))
            sum += hypot(wall_mm, SMOOTHED_RADII * p->radius_mm) * p->curvature_per_mm *
                   (p->abscissa_mm - b->point[k - 1].abscissa_mm);
    }
    return sum;
}

/* Half-width of the 95 % interval of the length. A found end moves with the wall. Other parts are independent: the line
 * in its bends, and each bifurcation along the branch, because the axes that meet there are continued from points that
 * are uncertain by wall_mm, and because they are curved. */
static double length_half_width(const vessel_table *t, const centerline_branch_line *b) {
    const double w = t->wall_mm, bends = shift_in_bends(b, w);
    double found = 0, square = bends * bends;
    for (int side = 0; side < 2 && !b->ring; side++) {
        const centerline_node *node = &t->c->node[b->node[side]];
        const double *d = b->point[side == 0 ? 0 : b->n - 1].tangent;
        found += node->degree == 1 && node->given < 0;
        square += w * w * variance_along(node->cov_axes, d) + 4 * variance_along(node->cov_bend_mm2, d);
    }
    return found * w + sqrt(fmax(0, square));
}

static int measure_branch(const vessel_table *t, const centerline_branch_line *b, vessel_branch *v) {
    own_part o = {0};
    int rc = OK;
    double d[3];
    const vessel_extreme none = {unknown, NAN, {NAN, NAN, NAN}};
    const double half = length_half_width(t, b);
    v->length_mm = (vessel_value){b->length_mm, not_negative(b->length_mm - half), b->length_mm + half};
    vec_add(b->point[b->n - 1].at_mm, -1, b->point[0].at_mm, d);
    v->side = b->ring ? "" : main_side(d);
    v->tortuosity = b->node[0] == b->node[1] ? NAN : fmax(0, b->length_mm / fmax(vec_length(d), 1e-9) - 1);
    v->diameter_mean_mm = v->area_mean_mm2 = unknown;
    v->diameter_min_mm = v->area_min_mm2 = v->stenosis_percent = v->stenosis_area_percent = none;
    v->taper = v->ellipticity = v->reference_mm = NAN;
    measure_shape(b, v);
    TRY(own_part_create(b, &o));
    if (o.n < OWN_MIN)
        goto cleanup;
    measure_widths(&o, t->wall_mm, v);
    TRY(find_stenosis(&o, t->wall_mm, false, &v->stenosis_percent, &v->reference_mm));
    TRY(find_stenosis(&o, t->wall_mm, true, &v->stenosis_area_percent, NULL));
cleanup:
    own_part_free(&o);
    return rc;
}

static void name_branch(const centerline *c, int k, const char *const *name, vessel_branch *v) {
    const centerline_branch_line *b = &c->branch[k];
    const int far = c->node[b->node[1]].given, near = c->node[b->node[0]].given;
    const int given = far >= 0 ? far : b->parent < 0 ? near : -1;
    if (far >= 0 && near >= 0 && name != NULL)
        snprintf(v->name, sizeof v->name, "%.30s-%.30s", name[near], name[far]);
    else if (given >= 0 && name != NULL)
        snprintf(v->name, sizeof v->name, "%s", name[given]);
    else
        snprintf(v->name, sizeof v->name, "%d", k + 1);
}

/* ------------------------------------------------------------------------------------------------ bifurcations */

/* Evaluates the points of a branch near one end, outside bifurcations: direction away from this end, mean area and mean
 * perimeter. Returns false if there are no such points. */
static bool near_end(const centerline_branch_line *b, bool at_start, double d[3], double *area, double *perimeter) {
    int first = -1, n = 0;
    double radius = 0, sum_s = 0, sum_p[3] = {0}, square = 0, moment[3] = {0}, n_area = 0;
    *area = *perimeter = 0;
    for (int i = 0; i < b->n; i++) {
        const centerline_point *p = &b->point[at_start ? i : b->n - 1 - i];
        const double s = at_start ? p->abscissa_mm : b->length_mm - p->abscissa_mm;
        if (!p->own || p->section.open)
            continue;
        if (first < 0) {
            first = i;
            radius = equal_diameter(p->section.area_mm2) / 2;
        }
        const centerline_point *start = &b->point[at_start ? first : b->n - 1 - first];
        const double way = s - (at_start ? start->abscissa_mm : b->length_mm - start->abscissa_mm);
        if (way <= AREA_RADII * radius) {
            *area += p->section.area_mm2;
            *perimeter += p->section.perimeter_mm;
            n_area++;
        }
        if (way < ANGLE_FROM * radius || way > ANGLE_TO * radius)
            continue;
        n++;
        sum_s += s;
        square += s * s;
        vec_add(sum_p, 1, p->at_mm, sum_p);
        vec_add(moment, s, p->at_mm, moment);
    }
    if (n < 3)
        return false;
    for (int a = 0; a < 3; a++)
        d[a] = (moment[a] - sum_s * sum_p[a] / n) / (square - sum_s * sum_s / n);
    *area /= n_area;
    *perimeter /= n_area;
    return vec_normalize(d);
}

static void measure_bifurcation(const vessel_table *t, vessel_bifurcation *f) {
    const centerline *c = t->c;
    double d[8][3], area[8] = {0}, perimeter[8] = {0}, sum[3] = {0}, first[3] = {0};
    bool known[8], all = true;
    for (int k = 0; k < f->n; k++) {
        const centerline_branch_line *b = &c->branch[f->branch[k]];
        known[k] =
            near_end(b, b->node[0] == f->node && !(k == 0 && b->node[1] == f->node), d[k], &area[k], &perimeter[k]);
        all = all && known[k];
        f->angle_deg[k] = NAN;
        if (k > 0 && known[0] && known[k]) {
            const double onward[3] = {-d[0][0], -d[0][1], -d[0][2]};
            f->angle_deg[k] = vec_angle(onward, d[k]) * 180 / M_PI;
        }
    }
    f->between_deg = f->n > 2 && known[1] && known[2] ? vec_angle(d[1], d[2]) * 180 / M_PI : NAN;
    f->area_ratio = unknown;
    for (int m = 0; m < 3 && all; m++) {
        const double w = m == 0 ? 0 : m == 1 ? -t->wall_mm : t->wall_mm;
        for (int k = 1; k < f->n; k++)
            sum[m] += moved_area(area[k], perimeter[k], w);
        first[m] = moved_area(area[0], perimeter[0], w);
    }
    if (all)
        f->area_ratio = (vessel_value){sum[0] / first[0], fmin(sum[1] / first[1], sum[2] / first[2]),
                                       fmax(sum[1] / first[1], sum[2] / first[2])};
}

/* Finds the bifurcations, in the order of the branches that lead to them. */
static void find_bifurcations(vessel_table *t) {
    const centerline *c = t->c;
    for (int node = 0; node < c->n_node; node++) {
        vessel_bifurcation *f = &t->bifurcation[t->n_bifurcation];
        if (c->node[node].degree < 3)
            continue;
        *f = (vessel_bifurcation){.node = node};
        for (int towards = 1; towards >= 0; towards--)
            for (int k = 0; k < c->n_branch && f->n < 8; k++)
                if (c->branch[k].node[towards] == node)
                    f->branch[f->n++] = k;
        measure_bifurcation(t, f);
        t->n_bifurcation++;
    }
}

int vessel_table_create(const centerline *c, double volume_mm3, double area_mm2, double wall_mm,
                        const char *const *name, vessel_table *t) {
    int rc = OK;
    *t = (vessel_table){.c = c, .wall_mm = wall_mm};
    if (c->n_branch == 0)
        return fail(ERR_INPUT, "%s", c->why_none);
    t->branch = calloc((size_t)c->n_branch + 1, sizeof *t->branch);
    t->bifurcation = calloc((size_t)c->n_node + 1, sizeof *t->bifurcation);
    if (t->branch == NULL || t->bifurcation == NULL)
        GIVE_UP(fail_memory("the table of the vessel", c->n_branch * (double)sizeof *t->branch));
    for (int k = 0; k < c->n_branch; k++) {
        name_branch(c, k, name, &t->branch[k]);
        TRY(measure_branch(t, &c->branch[k], &t->branch[k]));
        t->length_mm += c->branch[k].length_mm;
    }
    find_bifurcations(t);
    t->volume_ml = (vessel_value){volume_mm3 / 1000, not_negative(volume_mm3 - area_mm2 * wall_mm) / 1000,
                                  (volume_mm3 + area_mm2 * wall_mm) / 1000};
cleanup:
    if (rc != OK)
        vessel_table_free(t);
    return rc;
}
