/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/centerline_ends.h"
#include "common/base/vec.h"
#include "segment/ends/ends_constants.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <string.h>

/* Mean of the points at path lengths from..to mm from the tip; the last point if the branch is shorter. */
static void mean_point(const centerline_branch *b, bool backwards, double from, double to, double out[3]) {
    double way = 0, n = 0, sum[3] = {0};
    for (int k = 0; k < b->n; k++) {
        const double *p = b->at_mm[backwards ? b->n - 1 - k : k];
        way += k > 0 ? vec_distance(p, b->at_mm[backwards ? b->n - k : k - 1]) : 0;
        if (way > to && n > 0)
            break;
        if (way < from && k + 1 < b->n)
            continue;
        n++;
        vec_add(sum, 1, p, sum);
    }
    for (int a = 0; a < 3; a++)
        out[a] = sum[a] / n;
}

/* A box of voxels round `at`, with coordinates along d and across it. */
typedef struct {
    const volume *mask;
    const double *at, *d;
    double reach;
    int low[3], size[3], n;
} surroundings;

static surroundings box_around(const volume *mask, const double at[3], const double d[3], double reach) {
    surroundings s = {mask, at, d, reach, {0}, {0}, 1};
    double index[3];
    volume_to_index(mask, at, index);
    for (int a = 0; a < 3; a++) {
        s.low[a] = (int)fmax(0, ceil(index[a] - reach / mask->spacing_mm[a]));
        const int high = (int)fmin(mask->dims[a] - 1, floor(index[a] + reach / mask->spacing_mm[a]));
        s.size[a] = high < s.low[a] ? 0 : high - s.low[a] + 1;
        s.n *= s.size[a];
    }
    return s;
}

/* Returns false if voxel n of the box is not in the mask. p: position of the voxel relative to s->at; along: distance
 * along d, mm; across2: squared distance from the axis, mm2. */
static bool voxel_in_mask(const surroundings *s, int n, double p[3], double *along, double *across2) {
    const int i = s->low[0] + n % s->size[0], j = s->low[1] + n / s->size[0] % s->size[1],
              k = s->low[2] + n / s->size[0] / s->size[1];
    if (!(s->mask->value[volume_index(s->mask, i, j, k)] > 0.5F))
        return false;
    volume_to_lps(s->mask, (const double[3]){i, j, k}, p);
    vec_add(p, -1, s->at, p);
    *along = vec_dot(p, s->d);
    *across2 = vec_dot(p, p) - *along * *along;
    return true;
}

/* Largest distance along d of the voxels within across_mm of the axis. */
static double extent_along(const surroundings *s, double across_mm) {
    double most = 0, p[3], along, across2;
    for (int m = 0; m < s->n; m++)
        if (voxel_in_mask(s, m, p, &along, &across2) && across2 < across_mm * across_mm && along < s->reach)
            most = fmax(most, along);
    return most;
}

/* Centre and radius of the cross-section at along_mm, from the voxels of a slab of half thickness half_mm. */
static void cross_section(const surroundings *s, double along_mm, double half_mm, double across_mm, centerline_end *e) {
    const double *h = s->mask->spacing_mm;
    double n = 0, sum[3] = {0}, middle = 0, p[3], along, across2;
    for (int m = 0; m < s->n; m++)
        if (voxel_in_mask(s, m, p, &along, &across2) && fabs(along - along_mm) <= half_mm &&
            across2 <= across_mm * across_mm) {
            n++;
            vec_add(sum, 1, p, sum);
        }
    for (int a = 0; a < 3 && n > 0; a++)
        middle += sum[a] / n * s->d[a];
    for (int a = 0; a < 3; a++) /* project the centroid of the slab into the plane */
        e->point_mm[a] = s->at[a] + (n > 0 ? sum[a] / n : 0) + (along_mm - middle) * s->d[a];
    if (n > 0)
        e->radius_mm = sqrt(n * h[0] * h[1] * h[2] / (2 * half_mm) / M_PI);
}

/* Returns the distance in mm by which the plane of the end is moved inwards, so that a face of the image that is
 * oblique to d does not cut its cross-section; 0 away from the faces. */
static double face_inset(const volume *mask, const double p[3], const double d[3], double radius, bool *border) {
    double index[3], inset = 0;
    volume_to_index(mask, p, index);
    for (int a = 0; a < 3; a++) {
        if (index[a] > 0.75 && index[a] < mask->dims[a] - 1.75)
            continue;
        double c = 0;
        for (int i = 0; i < 3; i++)
            c += mask->direction[3 * i + a] * d[i];
        c = fabs(c);
        if (c < 0.3)
            continue;
        *border = true;
        inset = fmax(inset, radius * fmin(STEEPEST, sqrt(fmax(0, 1 - c * c)) / c));
    }
    return inset;
}

/* Places the plane at `along` mm. If the cut end of the vessel is oblique, places it farther inside: at the first
 * cross-section that is as wide as the cross-section one radius deeper. */
static void place_plane(const surroundings *s, double along, double radius, double half_mm, centerline_end *e) {
    centerline_end deeper = *e;
    for (int step = 0; step < 12; step++) {
        cross_section(s, along - 0.25 * step * radius, half_mm, SECTION_RADII * radius, e);
        cross_section(s, along - (0.25 * step + 1) * radius, half_mm, SECTION_RADII * radius, &deeper);
        if (e->radius_mm > WHOLE_SECTION * deeper.radius_mm)
            return;
    }
}

/* Distance of two neighbouring slices along d, mm. */
static double slices_apart(const volume *mask, const double d[3]) {
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        double c = 0;
        for (int i = 0; i < 3; i++)
            c += mask->direction[3 * i + a] * d[i];
        sum += fabs(c) * mask->spacing_mm[a];
    }
    return sum;
}

/* Least-squares line through the centres of the cross-sections from `from` to `to` mm along s->d. place: a point of the
 * line, relative to s->at. The weights fall to 0 at both ends like a cosine, because a sharp end would cut off part of
 * a thick slice and tilt the line. */
static bool fit_line(const surroundings *s, double from, double to, double across_mm, double place[3], double d[3]) {
    double n = 0, way = 0, square = 0, mean[3] = {0}, moment[3] = {0}, p[3], along, across2;
    for (int m = 0; m < s->n; m++) {
        if (!voxel_in_mask(s, m, p, &along, &across2) || along <= from || along >= to ||
            across2 > across_mm * across_mm)
            continue;
        const double w = 1 - cos(2 * M_PI * (along - from) / (to - from));
        n += w;
        way += w * along;
        square += w * along * along;
        vec_add(mean, w, p, mean);
        vec_add(moment, w * along, p, moment);
    }
    square -= way * way / n;
    if (!(n > 0 && square > SLICE_SPREAD * n * (to - from) * (to - from)))
        return false;
    for (int a = 0; a < 3; a++) {
        place[a] = mean[a] / n;
        d[a] = (moment[a] - way * mean[a] / n) / square;
    }
    return vec_normalize(d);
}

static double line_length(const volume *mask, double radius, const double d[3]) {
    return fmax(LINE_RADII * radius, LINE_SLICES * slices_apart(mask, d));
}

/* Iterate the direction d and the point `near` until they fit the vessel behind the tip, where its cross-sections are
 * complete. */
static void fit_direction(const volume *mask, double radius, double way, double near[3], double d[3]) {
    for (int round = 0; round < 5; round++) {
        const surroundings s = box_around(mask, near, d, 2 * radius + line_length(mask, radius, d));
        const double far = extent_along(&s, CORE_RADII * radius);
        double place[3], line[3], tip[3];
        bool border;
        vec_add(near, far, d, tip);
        const double oblique = face_inset(mask, tip, d, radius, &border),
                     from = far - fmax(LINE_FROM * radius, oblique);
        const double length = fmin(line_length(mask, radius, d), fmax(2 * radius, way - 0.6 * radius));
        if (!fit_line(&s, from - length, from, SECTION_RADII * radius, place, line))
            return;
        vec_add(near, 1, place, near);
        memcpy(d, line, sizeof line);
        vec_add(near, far - 0.9 * radius - vec_dot(place, d), d, near);
    }
}

/* Initial direction at the tip from the path, skipping the steps of thick slices. */
static void path_direction(const centerline_branch *b, bool backwards, double radius, const volume *mask,
                           double near[3], double d[3]) {
    const double thick = volume_thickest_mm(mask);
    const double from = fmax(DEEP_RADII * radius, DEEP_SLICES * thick);
    double deep[3], deeper[3], whole[3];
    mean_point(b, backwards, NEAR_RADII[0] * radius, NEAR_RADII[1] * radius, near);
    mean_point(b, backwards, from, from + fmax(radius, thick), deep);
    mean_point(b, backwards, 2 * from, 2 * from + fmax(radius, thick), deeper);
    vec_add(near, -1, deep, d);
    vec_add(near, -1, deeper, whole);
    if (vec_dot(d, whole) < 0) /* the path hooks at the tip, and d points into the vessel */
        memcpy(d, whole, sizeof whole);
    if (!vec_normalize(d))
        d[2] = 1;
}

static void find_end(const centerline_branch *b, bool backwards, double radius, const volume *mask, centerline_end *e) {
    double near[3], d[3], way = 0;
    path_direction(b, backwards, radius, mask, near, d);
    for (int k = 1; k < b->n; k++)
        way += vec_distance(b->at_mm[k - 1], b->at_mm[k]);
    fit_direction(mask, radius, way, near, d);
    const double thick = slices_apart(mask, d), *h = mask->spacing_mm, slice = fmax(h[0], fmax(h[1], h[2]));
    *e = (centerline_end){.radius_mm = radius, .vague = slice > radius && slice > VAGUE_PART * way};
    memcpy(e->tip_mm, b->at_mm[backwards ? b->n - 1 : 0], sizeof e->tip_mm);
    const surroundings s = box_around(mask, near, d, SEARCH_RADII * radius);
    const double far = extent_along(&s, CORE_RADII * radius);
    double tip[3], inset = fmax(INSET_RADII * radius, INSET_SLICES * thick);
    vec_add(near, far, d, tip);
    const double oblique = face_inset(mask, tip, d, radius, &e->border);
    inset = fmax(inset, oblique > 0 ? oblique + thick : 0);
    place_plane(&s, far - inset, radius, 0.5 * SLAB_SLICES * thick, e);
    memcpy(e->normal, d, sizeof d);
}

/* 75 % quantile of the radius along the branch, because the radius is too small in the corners of an obliquely cut
 * end. */
static double upper_quartile_radius(const centerline_branch *b) {
    double most = 0;
    for (int k = 0; k < b->n; k++) { /* the loop is quadratic, but a branch has only a few hundred points */
        int narrower = 0;
        for (int m = 0; m < b->n; m++)
            narrower += b->radius_mm[m] < b->radius_mm[k];
        if (narrower <= 3 * b->n / 4)
            most = fmax(most, b->radius_mm[k]);
    }
    return most;
}

/* Merges ends that are corners of one flat end; the widest of them is kept. */
static int merge_corners(int n, centerline_end *end) {
    for (int k = 0; k < n; k++)
        for (int m = k + 1; m < n; m++) {
            const double near = CORNER_RADII * fmax(end[k].radius_mm, end[m].radius_mm);
            if (vec_distance(end[k].point_mm, end[m].point_mm) > near)
                continue;
            if (end[m].radius_mm > end[k].radius_mm)
                end[k] = end[m];
            memmove(&end[m], &end[m + 1], (size_t)(n - m - 1) * sizeof *end);
            n--;
            m--;
        }
    return n;
}

/* A grid of RIDGE x RIDGE places across an end, centred on it. */
enum { MIDDLE = 12, RIDGE = 2 * MIDDLE + 1 };
/* True if a place of the grid across an end is in the mask. place: RIDGE row + column. */
static bool in_section(const volume *mask, const centerline_end *e, const double axis[3][3], double step, int place) {
    const int row = place / RIDGE;
    double p[3];
    vec_add(e->point_mm, step * (place % RIDGE - MIDDLE), axis[0], p);
    vec_add(p, step * (row - MIDDLE), axis[1], p);
    return voxel_is_in_mask(mask, p);
}

/* True at the edge of a flat vessel: the lumen extends along the edge, across the apparent end of the branch. */
static bool is_ridge(const volume *mask, double radius, const centerline_end *e) {
    bool reached[RIDGE * RIDGE] = {false};
    int place[RIDGE * RIDGE], n = 1;
    double axis[3][3], furthest = 0;
    const double step = 3 * radius / MIDDLE;
    vec_axes(e->normal, axis);
    place[0] = RIDGE * MIDDLE + MIDDLE;
    reached[place[0]] = true;
    for (int k = 0; k < n; k++) {
        const int i = place[k] % RIDGE, j = place[k] / RIDGE;
        furthest = fmax(furthest, step * hypot(i - MIDDLE, j - MIDDLE));
        for (int side = 0; side < 4; side++) {
            const int x = i + (side == 0) - (side == 1), y = j + (side == 2) - (side == 3), to = y * RIDGE + x;
            if (x < 0 || y < 0 || x >= RIDGE || y >= RIDGE || reached[to] || !in_section(mask, e, axis, step, to))
                continue;
            reached[to] = true;
            place[n++] = to;
        }
    }
    return furthest > RIDGE_RADII * radius;
}

/* True if p lies in the lumen of a branch with a lower index than `own`, or within margin_mm of this lumen. Branch
 * `own` may leave from any of these branches. */
static bool is_in_parent(const centerline_tree *t, int own, const double p[3], double margin_mm) {
    for (int k = 0; k < own; k++)
        for (int i = 0; i < t->branch[k].n; i++)
            if (vec_distance(t->branch[k].at_mm[i], p) < t->branch[k].radius_mm[i] + margin_mm)
                return true;
    return false;
}

/* True if the tip of branch `own` is a corner of a flat vessel: at INSIDE_RADII along the path, the path is on a ridge,
 * too, and the lumen is hardly deeper there than at the tip. The path is followed to the parent's lumen at most: the
 * parent extends across a short side branch, as a ridge does. */
static bool is_corner(const volume *mask, const centerline_tree *t, int own, bool backwards, double radius,
                      const centerline_end *e) {
    const centerline_branch *b = &t->branch[own];
    centerline_end inside = *e;
    double way = 0;
    int k = 0, at = backwards ? b->n - 1 : 0;
    for (; k + 1 < b->n && way < INSIDE_RADII * radius; k++) {
        const int next = at + (backwards ? -1 : 1);
        if (is_in_parent(t, own, b->at_mm[next], PARENT_MARGIN * radius))
            break;
        way += vec_distance(b->at_mm[at], b->at_mm[next]);
        at = next;
    }
    memcpy(inside.point_mm, b->at_mm[at], sizeof inside.point_mm);
    return b->radius_mm[at] < CORNER_DEPTH * radius && is_ridge(mask, radius, &inside);
}

/* Distance between both ends of a branch. */
static double straight_length_mm(const centerline_branch *b) {
    return b->n > 0 ? vec_distance(b->at_mm[0], b->at_mm[b->n - 1]) : 0;
}

int centerline_ends_find(const centerline_tree *t, const volume *mask, centerline_end *end) {
    int n = 0;
    for (int k = 0; k < t->n; k++) {
        const centerline_branch *b = &t->branch[k];
        const double radius = fmax(upper_quartile_radius(b), mask->spacing_mm[0]);
        for (int side = 0; side < (k == 0 ? 2 : 1); side++) {
            find_end(b, side == 1, radius, mask, &end[n]);
            end[n].branch = k;
            end[n].flat = is_ridge(mask, radius, &end[n]) || is_corner(mask, t, k, side == 1, radius, &end[n]);
            n += k == 0 || !end[n].flat || straight_length_mm(b) > EDGE_RADII * radius;
        }
    }
    return merge_corners(n, end);
}

double centerline_ends_length_mm(const centerline_tree *t, int n, const centerline_end *end) {
    double sum = 0;
    for (int k = 0; k < t->n; k++) {
        const centerline_branch *b = &t->branch[k];
        bool leads = k == 0;
        for (int i = 0; i < n; i++)
            leads = leads || end[i].branch == k;
        for (int i = 1, last = 0; leads && i < b->n; i++) {
            const double way = vec_distance(b->at_mm[i], b->at_mm[last]);
            if (i < b->n - 1 && way < fmax(LENGTH_STEP_MM, 2 * b->radius_mm[i]))
                continue;
            sum += way;
            last = i;
        }
    }
    return sum;
}
