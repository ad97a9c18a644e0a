/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/bridge/gap_bridge.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/bridge/ball_tube.h"
#include "segment/ends/centerline_tree.h"
#include "segment/ends/ends_constants.h"
#include "segment/ends/ends_without_opening.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 24, PATH_POINTS = 97, FREE_ENDS_MAX = 64 };

/* An end of a piece of the lumen; at_mm lies GAP_INSIDE radii inside the first cross-section of full width. */
typedef struct {
    int32_t piece;
    double at_mm[3], outwards[3], radius_mm;
} free_end;

/* Inputs of gap_bridge_find. */
typedef struct {
    const volume *image, *phi;
    const seeds_statistics *seeds;
    int n, n_opening;
    const double (*point)[3], (*normal)[3];
} inputs;

/* A path between two ends. first, last: its points next to the gap, outside the lumen. */
typedef struct {
    double at_mm[PATH_POINTS][3], way_mm[PATH_POINTS];
    int first, last;
    double least_curvature_mm; /* smallest radius of curvature */
    double sway_degrees;       /* sum of the angles by which the path turns, less the angle between its ends: 0 for a
                                * plain bend, more for an S */
    gap_bridge gap;
} path;

/* Radius of the circle with the area of the cross-section at `at`. */
static double section_radius(const volume *phi, const double at[3], const double direction[3], double most_mm) {
    const double step = 0.1 * volume_thinnest_mm(phi);
    double axis[3][3], sum = 0;
    vec_axes(direction, axis);
    for (int r = 0; r < RAYS; r++) {
        const double angle = 2 * M_PI * r / RAYS;
        double far = 0, p[3];
        do {
            far += step;
            vec_add(at, far * cos(angle), axis[0], p);
            vec_add(p, far * sin(angle), axis[1], p);
        } while (far < most_mm && volume_contains(phi, p) && volume_sample(phi, p) < 0);
        sum += far * far / RAYS;
    }
    return sqrt(sum);
}

/* Point of the branch `mm` away from its end, by the length of the branch. Returns false beyond the branch. */
static bool point_at(const centerline_branch *b, bool backwards, double mm, double out[3]) {
    double way = 0;
    for (int k = 1; k < b->n; k++) {
        const double *before = b->at_mm[backwards ? b->n - k : k - 1], *here = b->at_mm[backwards ? b->n - 1 - k : k];
        const double step = vec_distance(before, here);
        if (step > 0 && way + step >= mm) {
            for (int a = 0; a < 3; a++)
                out[a] = before[a] + (mm - way) / step * (here[a] - before[a]);
            return true;
        }
        way += step;
    }
    return false;
}

static double depth_at(const volume *phi, const double at[3]) {
    return volume_contains(phi, at) ? -volume_sample(phi, at) : 0;
}

/* Finds the first cross-section of full width, and the axis there. False for an end without a straight enough stretch
 * of full width: its axis is unknown. */
static bool measure_end(const volume *phi, const centerline_branch *b, bool backwards, free_end *e) {
    const double step = 0.5 * volume_thinnest_mm(phi);
    double radius = 0, whole = 0, at[3], deep[2][3];
    for (double mm = 0; point_at(b, backwards, mm, at) && mm < GAP_SIDE_RADII * fmax(radius, step); mm += step)
        radius = fmax(radius, depth_at(phi, at));
    while (point_at(b, backwards, whole, at) && depth_at(phi, at) < LOSS_SIDE_WHOLE * radius)
        whole += step;
    whole += GAP_INSIDE * radius;
    if (!(radius > 0) || !point_at(b, backwards, whole, e->at_mm) ||
        !point_at(b, backwards, whole + GAP_AXIS * radius, deep[0]) ||
        !point_at(b, backwards, whole + 2 * GAP_AXIS * radius, deep[1]))
        return false;
    for (int a = 0; a < 3; a++) /* derivative of the parabola through the three points */
        e->outwards[a] = 3 * e->at_mm[a] - 4 * deep[0][a] + deep[1][a];
    if (!vec_normalize(e->outwards))
        return false;
    e->radius_mm = section_radius(phi, e->at_mm, e->outwards, 2 * radius);
    return true;
}

/* True if the vessel ends at an opening, or continues beyond an opening or a face of the image. */
static bool ends_at_opening(const inputs *in, const free_end *e) {
    double index[3], tip[3];
    vec_add(e->at_mm, (1 + GAP_INSIDE) * e->radius_mm, e->outwards, tip);
    volume_to_index(in->image, tip, index);
    for (int a = 0; a < 3; a++) {
        const double away = fmin(index[a], in->image->dims[a] - 1 - index[a]) * in->image->spacing_mm[a];
        if (away < e->radius_mm)
            return true;
    }
    for (int k = 0; k < in->n_opening; k++) {
        double d[3];
        vec_add(tip, -1, in->point[k], d);
        if (vec_length(d) < OPENING_RADII * e->radius_mm &&
            (isnan(in->normal[k][0]) || vec_dot(d, in->normal[k]) > -e->radius_mm))
            return true;
    }
    return false;
}

/* Adds the free ends of a piece. */
static int add_ends(const inputs *in, const volume *mask, const int32_t *label, int32_t piece, int *n, free_end *end) {
    volume part = {0};
    centerline_tree t = {0};
    int rc = OK;
    TRY(volume_create_like(&part, mask));
    for (size_t i = 0; i < volume_size(mask); i++)
        part.value[i] = label[i] == piece;
    TRY(centerline_tree_find(&part, &t));
    for (int b = 0; b < t.n; b++)
        for (int side = 0; side < (b == 0 ? 2 : 1) && *n < FREE_ENDS_MAX; side++) {
            free_end e = {.piece = piece};
            if (measure_end(in->phi, &t.branch[b], side == 1, &e) && !ends_at_opening(in, &e))
                end[(*n)++] = e;
        }
cleanup:
    centerline_tree_free(&t);
    volume_free(&part);
    return rc;
}

/* Finds the free ends of all pieces that have a seed or an opening. *pieces: number of these pieces. */
static int find_ends(const inputs *in, int *pieces, int *n, free_end *end) {
    volume mask = {0};
    int32_t *label = NULL;
    int64_t *size = NULL;
    bool *used = NULL;
    int regions = 0, rc = OK;
    *pieces = *n = 0;
    TRY(ends_without_opening_mask(in->phi, LOSS_PLACES, &mask));
    label = malloc((volume_size(&mask) + 1) * sizeof *label);
    if (label == NULL)
        GIVE_UP(fail_memory("the pieces of the lumen", (double)volume_size(&mask) * sizeof *label));
    TRY(region_label(&mask, 0.5, INFINITY, label, &regions, &size));
    used = calloc((size_t)regions + 1, sizeof *used);
    if (used == NULL)
        GIVE_UP(fail_memory("the pieces of the lumen", regions));
    for (int k = 0; k < in->n && regions > 1; k++) {
        double place[3], away;
        used[region_nearest(&mask, label, 0, in->point[k], place, &away)] = true;
    }
    for (int32_t k = 1; k <= regions; k++)
        *pieces += used[k];
    for (int32_t k = 1; k <= regions && *pieces > 1; k++)
        if (used[k])
            TRY(add_ends(in, &mask, label, k, n, end));
cleanup:
    free(used);
    free(size);
    free(label);
    volume_free(&mask);
    return rc;
}

/* Cubic Hermite curve. The length of both tangents makes it follow an arc of a circle: 2 chord / (1 + cos(turn / 2)).
 * Sets points and lengths. */
static void lay_path(const free_end *one, const free_end *other, path *p) {
    double chord[3];
    vec_add(other->at_mm, -1, one->at_mm, chord);
    const double mm = vec_length(chord), turn = acos(fmax(-1, fmin(1, -vec_dot(one->outwards, other->outwards))));
    const double speed = 2 * mm / (1 + cos(turn / 2));
    for (int k = 0; k < PATH_POINTS; k++) {
        const double t = k / (PATH_POINTS - 1.0), s = 1 - t;
        for (int a = 0; a < 3; a++)
            p->at_mm[k][a] = s * s * (1 + 2 * t) * one->at_mm[a] + t * t * (1 + 2 * s) * other->at_mm[a] +
                             speed * s * t * (s * one->outwards[a] + t * other->outwards[a]);
        p->way_mm[k] = k > 0 ? p->way_mm[k - 1] + vec_distance(p->at_mm[k], p->at_mm[k - 1]) : 0;
    }
}

static void path_direction(const path *p, int k, double d[3]) {
    const int from = k > 0 ? k - 1 : 0, to = k + 1 < PATH_POINTS ? k + 1 : k;
    vec_add(p->at_mm[to], -1, p->at_mm[from], d);
    vec_normalize(d);
}

/* Measures the part of the path outside the lumen. False: the path does not leave the lumen. */
static bool measure_path(const inputs *in, const free_end *one, const free_end *other, path *p) {
    double before[3], behind[3], sum = 0, turn = 0, all = 0;
    p->first = p->last = -1;
    for (int k = 0; k < PATH_POINTS; k++)
        if (depth_at(in->phi, p->at_mm[k]) <= 0) {
            p->first = p->first < 0 ? k : p->first;
            p->last = k;
        }
    if (p->first <= 0 || p->last >= PATH_POINTS - 1)
        return false;
    p->least_curvature_mm = INFINITY;
    for (int k = 1; k + 1 < PATH_POINTS; k++) {
        path_direction(p, k - 1, before);
        path_direction(p, k + 1, behind);
        const double angle = vec_angle(before, behind), mm = p->way_mm[k + 1] - p->way_mm[k - 1];
        p->least_curvature_mm = fmin(p->least_curvature_mm, mm / fmax(1e-9, angle));
        turn += k >= p->first && k <= p->last ? angle / 2 : 0; /* angle: over two steps */
        all += angle / 2;
    }
    p->sway_degrees = 180 / M_PI * (all - acos(fmax(-1, fmin(1, -vec_dot(one->outwards, other->outwards)))));
    for (int k = p->first; k <= p->last; k++)
        sum += volume_contains(in->image, p->at_mm[k]) ? volume_sample(in->image, p->at_mm[k]) : in->seeds->outside;
    const double mean = sum / (p->last - p->first + 1), half = 0.5 * (one->radius_mm - other->radius_mm);
    p->gap = (gap_bridge){.length_mm = p->way_mm[p->last + 1] - p->way_mm[p->first - 1],
                          .turn_degrees = 180 / M_PI * turn,
                          .radius_mm = {one->radius_mm, other->radius_mm},
                          .radius_95_mm = hypot(half, GAP_VARIATION * 0.5 * (one->radius_mm + other->radius_mm)),
                          .signal = (mean - in->seeds->outside) / (in->seeds->inside - in->seeds->outside)};
    memcpy(p->gap.point_mm, p->at_mm[(p->first + p->last) / 2], sizeof p->gap.point_mm);
    return true;
}

/* Writes why a gap is not bridged; "": it is bridged. */
static void judge_path(const path *p, char why[GAP_BRIDGE_TEXT]) {
    const gap_bridge *g = &p->gap;
    const double small = fmin(g->radius_mm[0], g->radius_mm[1]), large = fmax(g->radius_mm[0], g->radius_mm[1]);
    const double diameter = small + large;
    const double bend = p->sway_degrees < GAP_SWAY ? GAP_BEND[0] : GAP_BEND[1];
    why[0] = 0;
    if (g->length_mm > GAP_LONGEST * diameter)
        snprintf(why, GAP_BRIDGE_TEXT, "the gap is %.2g mm long, %.2g diameters of the vessel, at most %g are bridged",
                 g->length_mm, g->length_mm / diameter, GAP_LONGEST);
    else if (small < LOSS_NARROW * large)
        snprintf(why, GAP_BRIDGE_TEXT,
                 "the vessel's radius is %.2g mm on one side of the gap and %.2g mm on the other, a ratio of %.2g (at "
                 "least %g)",
                 g->radius_mm[0], g->radius_mm[1], small / large, LOSS_NARROW);
    else if (g->turn_degrees > GAP_TURN || p->least_curvature_mm < bend * diameter)
        snprintf(why, GAP_BRIDGE_TEXT,
                 "the axes of both ends do not match: a path between them turns by %.0f degrees (at most %g) with a "
                 "radius of curvature of %.2g mm (at least %.2g mm)",
                 g->turn_degrees, GAP_TURN, p->least_curvature_mm, bend * diameter);
    else if (g->signal > GAP_BRIGHT)
        snprintf(why, GAP_BRIDGE_TEXT,
                 "the gap has %.0f %% of the vessel's contrast (at most %.0f %%): plaque, bone or metal, no loss of "
                 "signal",
                 100 * g->signal, 100 * GAP_BRIGHT);
}

/* Chooses the shortest gap that is bridged. Returns false if there is none; `why` then says why the shortest of the
 * gaps is not bridged. */
static bool choose_path(const inputs *in, int n, const free_end *end, path *best, double radius_mm[2],
                        char why[GAP_BRIDGE_TEXT]) {
    bool found = false;
    double shortest = INFINITY;
    path p;
    snprintf(why, GAP_BRIDGE_TEXT,
             "no piece of the vessel long enough to show its axis (%g radii) ends on both sides of the gap",
             1 + GAP_INSIDE + 2 * GAP_AXIS);
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            char reason[GAP_BRIDGE_TEXT];
            lay_path(&end[i], &end[k], &p);
            if (end[i].piece == end[k].piece || !measure_path(in, &end[i], &end[k], &p))
                continue;
            judge_path(&p, reason);
            if (reason[0] == 0 && (!found || p.gap.length_mm < best->gap.length_mm)) {
                *best = p;
                radius_mm[0] = end[i].radius_mm, radius_mm[1] = end[k].radius_mm;
                found = true;
            }
            if (reason[0] && p.gap.length_mm < shortest) {
                shortest = p.gap.length_mm;
                memcpy(why, reason, sizeof reason);
            }
        }
    return found;
}

static void add_tube(const path *p, const double radius_mm[2], volume *v) {
    for (int k = 0; k < PATH_POINTS; k++) {
        const double part = p->way_mm[k] / p->way_mm[PATH_POINTS - 1];
        double ball[4] = {0, 0, 0, (1 - part) * radius_mm[0] + part * radius_mm[1]};
        memcpy(ball, p->at_mm[k], sizeof p->at_mm[k]);
        ball_tube_add(ball, v);
    }
}

int gap_bridge_find(const volume *image, const volume *phi, const seeds_statistics *seeds, int n,
                    const double (*point)[3], int n_opening, const double (*normal)[3], gap_bridges *found,
                    volume *bridged) {
    inputs in = {image, phi, seeds, n, n_opening, point, normal};
    free_end end[FREE_ENDS_MAX];
    int rc = OK, pieces, n_end;
    *found = (gap_bridges){0};
    for (;;) {
        double radius_mm[2];
        path best;
        TRY(find_ends(&in, &pieces, &n_end, end));
        found->refused[0] = 0;
        if (pieces < 2 || !choose_path(&in, n_end, end, &best, radius_mm, found->refused))
            break;
        if (found->n == GAP_BRIDGES_MAX) {
            snprintf(found->refused, sizeof found->refused, "the vessel has more than %d gaps", GAP_BRIDGES_MAX);
            break;
        }
        if (bridged->value == NULL)
            TRY(ball_tube_room(phi, GAP_LONGEST * (radius_mm[0] + radius_mm[1]), bridged));
        add_tube(&best, radius_mm, bridged);
        found->found[found->n++] = best.gap;
        in.phi = bridged;
    }
cleanup:
    return rc;
}
