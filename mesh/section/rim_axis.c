/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/section/rim_axis.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "mesh/section/wall_crossing.h"
#include <math.h>
#include <string.h>

/* steep: the rim is an end of the vessel, not its wall, where the cosine between wall normal and axis exceeds this.
 * turned_off: limit of this cosine in the first pass, when the axis may be wrong. most_uneven: upper limit of the
 * unevenness of the rim in a good cross-section. */
static const double steep = 0.5, most_uneven = 0.06, turned_off = 0.8;
/* NODES: number of nodes from the centre to the rim of the grid. STEPS: upper limit of steps along the centerline. */
enum { NODES = 24, STEPS = 40 };

/* True if a node of the piece has a neighbour outside the piece; if so, `slope` becomes the outward normal of the wall
 * there. */
static bool rim_node(const section *s, const voxelize_input *in, int i, int j, double slope[3]) {
    double p[3];
    const size_t n = (size_t)s->n, at = (size_t)j * n + (size_t)i;
    if (s->node[at] != SECTION_INSIDE)
        return false;
    if (i > 0 && j > 0 && i + 1 < s->n && j + 1 < s->n && s->node[at - 1] == SECTION_INSIDE &&
        s->node[at + 1] == SECTION_INSIDE && s->node[at - n] == SECTION_INSIDE && s->node[at + n] == SECTION_INSIDE)
        return false;
    section_position(s, i, j, p);
    wall_slope(in, p, 0.1 * s->step_mm, slope);
    return true;
}

double rim_axis_cut(const section *s, const voxelize_input *in, const double axis[3], double *facing) {
    int rim = 0, cut = 0;
    double slope[3];
    *facing = 0;
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < s->n; i++) {
            if (!rim_node(s, in, i, j, slope))
                continue;
            const double along = vec_dot(slope, axis);
            rim++;
            cut += fabs(along) > steep;
            *facing += fabs(along) > steep ? along : 0;
        }
    *facing /= cut > 0 ? cut : 1;
    return rim > 0 ? (double)cut / rim : 0;
}

/* Find the direction along which the rim normals vary least. Normals whose component along the axis exceeds `limit`
 * belong to an end and are omitted. *uneven: mean square of the normals' components along the result. Returns false if
 * too few normals remain. */
static bool least_varying(const section *s, const voxelize_input *in, double limit, double axis[3], double *uneven) {
    double m[6] = {0}, value[3], v[3][3], slope[3];
    int kept = 0;
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < s->n; i++) {
            if (!rim_node(s, in, i, j, slope) || fabs(vec_dot(slope, axis)) > limit)
                continue;
            for (int a = 0; a < 3; a++) {
                m[a] += slope[a] * slope[a];
                m[3 + a] += slope[a == 2] * slope[a == 0 ? 1 : 2];
            }
            kept++;
        }
    if (kept < 8)
        return false;
    vec_eigen(m, value, v);
    *uneven = value[0] / kept;
    const double way = vec_dot(v[0], axis) < 0 ? -1 : 1;
    for (int a = 0; a < 3; a++)
        axis[a] = way * v[0][a];
    /* normals on one side only do not define a direction */
    return value[1] > 0.05 * value[2];
}

typedef struct {
    const voxelize_input *in;
    double reach, cut, uneven;
    section s;
    bool good;
} section_view;

/* Measure the cross-section at p, turning the axis to the direction that the rim gives. */
static int turn_to_rim(section_view *w, const double p[3], double axis[3]) {
    bool open = true;
    w->good = false;
    if (!(w->in->distance(w->in->data, p) < 0))
        return OK;
    for (int pass = 0; pass < 5; pass++) {
        const double was[3] = {axis[0], axis[1], axis[2]};
        const int rc = section_measure_at(&w->s, w->in, p, axis, w->reach, w->reach / NODES, &open);
        if (rc != OK)
            return rc;
        if (open || !least_varying(&w->s, w->in, pass == 0 ? turned_off : steep, axis, &w->uneven))
            return OK;
        if (pass > 0 && vec_dot(axis, was) > 0.9999)
            break;
    }
    double facing;
    w->cut = rim_axis_cut(&w->s, w->in, axis, &facing);
    w->good = w->cut < RIM_AXIS_CUT && w->uneven < most_uneven;
    return OK;
}

int rim_axis_follow(const voxelize_input *in, const double middle_mm[3], double radius_mm, const double goal_mm[3],
                    double axis[3], bool *found) {
    int rc;
    section_view w = {.in = in, .reach = 2.5 * radius_mm};
    double n[3] = {axis[0], axis[1], axis[2]}, p[3] = {middle_mm[0], middle_mm[1], middle_mm[2]};
    *found = false;
    for (int step = 0; step < STEPS; step++) {
        double way[3];
        TRY(turn_to_rim(&w, p, n));
        if (!w.good)
            break;
        *found = true;
        memcpy(axis, n, sizeof n);
        vec_add(goal_mm, -1, w.s.centre_mm, way);
        const double left = vec_dot(way, n), most = 0.2 * radius_mm;
        if (fabs(left) < 0.01 * radius_mm)
            break;
        vec_add(w.s.centre_mm, fmax(-most, fmin(most, left)), n, p);
    }
cleanup:
    section_free(&w.s);
    return rc;
}
