/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/section/vessel_axis.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "mesh/section/rim_axis.h"
#include "mesh/section/cross_section.h"
#include "mesh/section/wall_crossing.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* For vessel_axis_end. ball_radii: radius of the ball in which fluid is searched. end_radii: the vessel ends if the
 * centroid of this fluid is farther from the middle. Both in radii of the vessel. */
static const double ball_radii = 3.5, end_radii = 0.9;
/* A section is across the vessel if neighbouring sections differ from its area by less than this fraction */
static const double alike = 0.05;
/* Limits of area ratios. A vessel is flat if its section exceeds flat_vessel times the inscribed circle. A section is
 * not across the vessel if it exceeds much_wider times the smallest section. */
static const double flat_vessel = 3, much_wider = 3;
/* half-width of the sampled grid in radii of the inscribed circle: reach_radii for a tube, flat_radii for the flattest
 * vessel */
static const double reach_radii = 4, flat_radii = 32;
enum {
    BALL = 29,
    RIM = BALL / 2,
    DIRECTIONS = 150,
    NODES = 14 /* number of nodes from the centre to the rim of the grid */
};

static double normalise_vector(double v[3]) {
    const double length = sqrt(vec_dot(v, v));
    for (int a = 0; a < 3 && length > 0; a++)
        v[a] /= length;
    return length;
}

void vessel_axis_middle(const voxelize_input *in, const double point_mm[3], double middle_mm[3], double *radius_mm) {
    double p[3] = {point_mm[0], point_mm[1], point_mm[2]}, depth = -in->distance(in->data, p);
    for (int step = 0; step < 60; step++) {
        double g[3], next[3];
        wall_gradient(in, p, fmax(0.15 * depth, 1e-3 * in->spacing_mm), g);
        if (vec_dot(g, g) < 0.5 * 0.5)
            break; /* at the middle the slopes of opposite walls cancel */
        normalise_vector(g);
        for (int a = 0; a < 3; a++)
            next[a] = p[a] - fmax(0.2 * depth, 0.05 * in->spacing_mm) * g[a];
        const double deeper = -in->distance(in->data, next);
        if (deeper <= depth)
            break;
        depth = deeper;
        memcpy(p, next, sizeof p);
    }
    memcpy(middle_mm, p, sizeof p);
    *radius_mm = depth;
}

/* Flood fill in a cube of BALL^3 nodes around the middle; place [n]: visited nodes in order. */
typedef struct {
    uint8_t reached[BALL * BALL * BALL];
    int place[BALL * BALL * BALL], n;
} flood;

static bool in_ball(const voxelize_input *in, const double middle[3], double step, int place, double p[3]) {
    const int at[3] = {place % BALL - RIM, place / BALL % BALL - RIM, place / BALL / BALL - RIM};
    if (at[0] * at[0] + at[1] * at[1] + at[2] * at[2] > RIM * RIM)
        return false;
    for (int a = 0; a < 3; a++)
        p[a] = middle[a] + step * at[a];
    return in->distance(in->data, p) < 0;
}

int vessel_axis_end(const voxelize_input *in, const double middle[3], double radius, bool *ends, double inwards[3]) {
    static const int stride[3] = {1, BALL, BALL * BALL};
    const double step = ball_radii * radius / RIM;
    flood *f = calloc(1, sizeof *f);
    *ends = false;
    if (f == NULL)
        return fail_memory("the end of a vessel", sizeof *f);
    memset(inwards, 0, 3 * sizeof *inwards);
    f->place[f->n++] = RIM * (stride[0] + stride[1] + stride[2]);
    f->reached[f->place[0]] = 1;
    for (int k = 0; k < f->n; k++)
        for (int side = 0; side < 6; side++) {
            const int at = f->place[k] / stride[side / 2] % BALL + (side % 2 ? 1 : -1);
            const int to = f->place[k] + (side % 2 ? 1 : -1) * stride[side / 2];
            double p[3];
            if (at < 0 || at >= BALL || f->reached[to] || !in_ball(in, middle, step, to, p))
                continue;
            f->reached[to] = 1;
            f->place[f->n++] = to;
            vec_add(inwards, 1, p, inwards);
        }
    for (int a = 0; a < 3 && f->n > 1; a++)
        inwards[a] = inwards[a] / (f->n - 1) - middle[a];
    *ends = f->n > 1 && normalise_vector(inwards) > end_radii * radius;
    free(f);
    return OK;
}

/* The k-th of DIRECTIONS unit vectors spread evenly over the half sphere z > 0. */
static void direction_of(int k, double n[3]) {
    const double golden = 2.399963229728653, z = (k + 0.5) / DIRECTIONS, r = sqrt(1 - z * z);
    n[0] = r * cos(golden * k);
    n[1] = r * sin(golden * k);
    n[2] = z;
}

typedef struct {
    const voxelize_input *in;
    double reach, step;
    section s;
} section_view;

/* Area of the cross-section around p with normal n; INFINITY if it is not closed within reach or p is not in the
 * fluid. */
static int measure_area(section_view *v, const double p[3], const double n[3], double *area) {
    bool rim;
    *area = INFINITY;
    if (!(v->in->distance(v->in->data, p) < 0))
        return OK;
    const int rc = section_measure_at(&v->s, v->in, p, n, v->reach, v->step, &rim);
    if (rc == OK && !rim)
        *area = v->s.area_mm2;
    return rc;
}

/* Turn n towards the line through the centroids of the sections at distance `ahead` on both sides. *turned: both
 * sections exist. */
static int follow_centroids(section_view *v, const double middle[3], double ahead, double area, double n[3],
                            bool *turned) {
    double centre[2][3];
    *turned = false;
    for (int side = 0; side < 2; side++) {
        double p[3], there;
        for (int a = 0; a < 3; a++)
            p[a] = middle[a] + (side ? ahead : -ahead) * n[a];
        const int rc = measure_area(v, p, n, &there);
        if (rc != OK)
            return rc;
        if (!(there < 1.6 * area && there > area / 1.6))
            return OK;
        memcpy(centre[side], v->s.centre_mm, sizeof centre[side]);
    }
    double along[3] = {centre[1][0] - centre[0][0], centre[1][1] - centre[0][1], centre[1][2] - centre[0][2]};
    if (normalise_vector(along) > 0 && vec_dot(along, n) > 0.5) {
        memcpy(n, along, sizeof along);
        *turned = true;
    }
    return OK;
}

/* For a flat vessel: true if the section that was measured last, of area `area`, is across the vessel. Then no end cuts
 * it, and the areas half a radius to either side are similar. In a section across a corner one of these two areas is
 * larger and the other smaller. */
static int is_across(section_view *v, const double middle[3], double radius, const double n[3], double area,
                     bool *across) {
    double facing, there[2];
    int rc = OK;
    *across = rim_axis_cut(&v->s, v->in, n, &facing) < RIM_AXIS_CUT;
    for (int side = 0; side < 2 && *across; side++) {
        double p[3];
        vec_add(middle, (side ? 0.5 : -0.5) * radius, n, p);
        TRY(measure_area(v, p, n, &there[side]));
        *across = fabs(there[side] - area) < alike * area;
    }
cleanup:
    return rc;
}

/* Finds the normal of the smallest cross-section through the middle. flat_radius > 0: tries only cross-sections of a
 * flat vessel whose inscribed circle has this radius. *least INFINITY: no cross-section is closed within reach. */
static int find_smallest(section_view *v, const double middle[3], double flat_radius, double axis[3], double *least) {
    bool across = true;
    int rc = OK;
    *least = INFINITY;
    for (int k = 0; k < DIRECTIONS; k++) {
        double area, n[3];
        direction_of(k, n);
        TRY(measure_area(v, middle, n, &area));
        if (!(area < *least))
            continue;
        if (flat_radius > 0)
            TRY(is_across(v, middle, flat_radius, n, area, &across));
        if (across) {
            *least = area;
            memcpy(axis, n, sizeof n);
        }
    }
cleanup:
    return rc;
}

/* Chooses the smallest section across a flat vessel. At the end of a flat vessel the smallest section of all cuts
 * across a corner, even if the end is outside the ball. */
static int find_across_flat(section_view *v, const double middle[3], double radius, double axis[3], double *least) {
    const double reach = v->reach;
    double whole = INFINITY, n[3];
    int rc = OK;
    TRY(find_smallest(v, middle, radius, n, &whole));
    v->reach *= isfinite(whole) ? 1 : 2; /* double the reach: a width across the vessel may be twice the reach */
    if (!isfinite(whole))
        TRY(find_smallest(v, middle, radius, n, &whole));
    if (!isfinite(whole) || !(whole < much_wider * *least)) {
        v->reach = reach;
        goto cleanup;
    }
    *least = whole;
    memcpy(axis, n, sizeof n);
cleanup:
    return rc;
}

int vessel_axis_find(const voxelize_input *in, const double point_mm[3], double axis[3], bool *found) {
    int rc = OK;
    double middle[3], radius, least = INFINITY, n[3];
    section_view v = {.in = in};
    vessel_axis_middle(in, point_mm, middle, &radius);
    v.step = reach_radii * radius / NODES;
    for (v.reach = reach_radii * radius; !isfinite(least) && v.reach > 0 && v.reach <= flat_radii * radius;
         v.reach *= 2)
        /* double the reach, because flat vessels are much wider than their inscribed ball */
        TRY(find_smallest(&v, middle, 0, axis, &least));
    v.reach /= 2;
    if (isfinite(least) && least > flat_vessel * M_PI * radius * radius)
        TRY(find_across_flat(&v, middle, radius, axis, &least));
    *found = isfinite(least);
    memcpy(n, axis, sizeof n);
    v.step /= 4;
    for (int pass = 0; *found && pass < 6; pass++) {
        double area;
        bool turned;
        TRY(follow_centroids(&v, middle, 0.5 * radius, least, n, &turned));
        if (!turned)
            break;
        TRY(measure_area(&v, middle, n, &area));
        if (!(area < 1.1 * least))
            break;
        memcpy(axis, n, sizeof n);
    }
cleanup:
    section_free(&v.s);
    return rc;
}
