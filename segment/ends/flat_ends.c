/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/flat_ends.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/ends/ends_constants.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const surface *wall;
    int64_t *neighbour; /* [n_triangle][3] neighbour across the edge from corner k to corner k + 1; -1: none */
    double (*normal)[3], *area;
    double even_mm;  /* EVEN_BOX times the diagonal of the surface's box, mm: one term of the tolerance of a patch
                      * (EVEN_PART) */
    int32_t *patch;  /* [n_triangle] number of the triangle's patch; -1: none yet */
    int64_t *member; /* [n_triangle] triangles of the patch that is being collected */
    int32_t *point;  /* [n_point] last patch that contains the point; -1: none */
} flats;

typedef struct {
    int32_t low, high;
    int64_t side; /* edge k of triangle t, as 3 t + k */
} edge;

static int compare_edges(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

static int find_neighbours(flats *f) {
    const int64_t n = 3 * f->wall->n_triangle;
    edge *e = malloc((size_t)(n + 1) * sizeof *e);
    if (e == NULL)
        return fail_memory("the flat ends of the surface", (double)n * sizeof *e);
    for (int64_t i = 0; i < n; i++) {
        const int32_t a = f->wall->triangle[i], b = f->wall->triangle[i % 3 == 2 ? i - 2 : i + 1];
        e[i] = (edge){a < b ? a : b, a < b ? b : a, i};
        f->neighbour[i] = -1;
    }
    qsort(e, (size_t)n, sizeof *e, compare_edges);
    for (int64_t i = 0; i + 1 < n; i++)
        if (e[i].low == e[i + 1].low && e[i].high == e[i + 1].high) {
            f->neighbour[e[i].side] = e[i + 1].side / 3;
            f->neighbour[e[i + 1].side] = e[i].side / 3;
        }
    free(e);
    return OK;
}

static int create_flats(flats *f) {
    const int64_t n = f->wall->n_triangle;
    double low[3], high[3];
    f->neighbour = malloc((size_t)(3 * n + 1) * sizeof *f->neighbour);
    f->normal = malloc((size_t)(n + 1) * sizeof *f->normal);
    f->area = malloc((size_t)(n + 1) * sizeof *f->area);
    f->patch = malloc((size_t)(n + 1) * sizeof *f->patch);
    f->member = malloc((size_t)(n + 1) * sizeof *f->member);
    f->point = malloc((size_t)(f->wall->n_point + 1) * sizeof *f->point);
    if (!f->neighbour || !f->normal || !f->area || !f->patch || !f->member || !f->point)
        return fail_memory("the flat ends of the surface", 68.0 * (double)n);
    memset(f->point, -1, (size_t)f->wall->n_point * sizeof *f->point);
    surface_bounds(f->wall, low, high);
    f->even_mm = EVEN_BOX * vec_distance(low, high);
    for (int64_t t = 0; t < n; t++) {
        f->area[t] = surface_triangle_mm2(f->wall, t, f->normal[t]);
        f->patch[t] = -1;
        vec_normalize(f->normal[t]);
    }
    return find_neighbours(f);
}

static bool in_plane(const flats *f, int64_t t, const double at[3], const double normal[3], double even_mm) {
    for (int k = 0; k < 3; k++) {
        double d[3];
        vec_add(f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + k], -1, at, d);
        if (!(fabs(vec_dot(d, normal)) <= even_mm))
            return false;
    }
    return true;
}

/* Grow the patch of coplanar triangles round `seed` into f->member; returns their number. */
static int64_t grow_patch(flats *f, int64_t seed, int32_t name) {
    const double *at = f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * seed];
    const double even_mm = f->even_mm + EVEN_PART * sqrt(f->area[seed]);
    int64_t n = 1;
    f->member[0] = seed;
    f->patch[seed] = name;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const int64_t to = f->neighbour[3 * f->member[i] + k];
            if (to < 0 || f->patch[to] >= 0 || !in_plane(f, to, at, f->normal[seed], even_mm))
                continue;
            f->patch[to] = name;
            f->member[n++] = to;
        }
    return n;
}

/* Distance from a point to the wall along a direction; triangles of the patch `name` do not count. INFINITY: none. */
static double distance_to_wall(const flats *f, const double from[3], const double direction[3], int32_t name) {
    double nearest = INFINITY;
    for (int64_t t = 0; t < f->wall->n_triangle; t++) {
        double barycentric[2];
        int sign;
        const double x = surface_line_meets(f->wall, t, from, direction, barycentric, &sign);
        if (f->patch[t] != name && x > 0 && barycentric[0] >= 0 && barycentric[1] >= 0 &&
            barycentric[0] + barycentric[1] <= 1)
            nearest = fmin(nearest, x);
    }
    return nearest;
}

/* Mean ratio of the widths of two cross-sections parallel to the end, at the distances far_part and near_part
 * behind the end, as multiples of the end's largest radius. */
static double width_ratio(const flats *f, const cap *l, int32_t name, double near_part, double far_part) {
    enum { DIRECTIONS = 12 };
    double axis[3][3], sum = 0;
    vec_axes(l->normal, axis);
    for (int k = 0; k < DIRECTIONS; k++) {
        const double turn = 2 * M_PI * (k + 0.5) / DIRECTIONS;
        double way[3] = {0}, near[3], far[3];
        vec_add(way, cos(turn), axis[0], way);
        vec_add(way, sin(turn), axis[1], way);
        vec_add(l->centre_mm, -near_part * l->reach_mm, l->normal, near);
        vec_add(l->centre_mm, -far_part * l->reach_mm, l->normal, far);
        sum += distance_to_wall(f, far, way, name) / distance_to_wall(f, near, way, name);
    }
    return sum / DIRECTIONS;
}

/* The rim of a patch. */
typedef struct {
    /* length of the rim, and of its sharp part, which bends towards the vessel by more than 30 degrees */
    double length_mm, sharp_mm;
    double bend; /* integral of the bend angle (radians) along the rim */
    int64_t edges;
} patch_rim;

/* True if triangle t lies behind the plane of the patch. */
static bool lies_behind(const flats *f, int64_t t, const double at[3], const double normal[3], double even_mm) {
    double lowest = 0, highest = 0;
    for (int k = 0; k < 3; k++) {
        double d[3];
        vec_add(f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + k], -1, at, d);
        lowest = fmin(lowest, vec_dot(d, normal));
        highest = fmax(highest, vec_dot(d, normal));
    }
    return lowest < -even_mm && highest <= even_mm;
}

/* True if the surface falls steeply within chamfer_mm of a rim whose edge is beveled or rounded. The test is a line
 * perpendicular to the patch, chamfer_mm beyond the edge k of triangle t: it meets no wall near behind the patch. */
static bool falls_behind_chamfer(const flats *f, int64_t t, int k, const double normal[3], double chamfer_mm) {
    const double *a = f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + k],
                 *b = f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + (k + 1) % 3];
    const double behind[3] = {-normal[0], -normal[1], -normal[2]};
    double along[3], outwards[3], from[3] = {0};
    vec_add(b, -1, a, along);
    vec_cross(along, normal, outwards);
    vec_normalize(outwards);
    vec_add(from, 0.5, a, from);
    vec_add(from, 0.5, b, from);
    vec_add(from, chamfer_mm, outwards, from);
    return distance_to_wall(f, from, behind, f->patch[t]) > CHAMFER_SLOPE * chamfer_mm;
}

/* chamfer_mm: largest width of a beveled or rounded rim that counts as sharp and perpendicular; 0: none. */
static patch_rim measure_rim(const flats *f, int64_t n, int32_t name, const double normal[3], double chamfer_mm) {
    const double *at = f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * f->member[0]];
    const double even_mm = f->even_mm + EVEN_PART * sqrt(f->area[f->member[0]]);
    patch_rim rim = {0};
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const int64_t t = f->member[i], to = f->neighbour[3 * t + k];
            if (to >= 0 && f->patch[to] == name)
                continue;
            const double length = vec_distance(f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + k],
                                               f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + (k + 1) % 3]);
            rim.edges++;
            rim.length_mm += length;
            if (to < 0)
                continue;
            const double cosine = fmin(1, fmax(-1, vec_dot(f->normal[to], normal)));
            const bool behind = lies_behind(f, to, at, normal, even_mm),
                       beveled = chamfer_mm > 0 && behind && acos(cosine) < LEAST_BEND &&
                                 falls_behind_chamfer(f, t, k, normal, chamfer_mm);
            rim.bend += length * (beveled ? M_PI / 2 : acos(cosine));
            rim.sharp_mm +=
                beveled || (cosine < (chamfer_mm > 0 ? cos(LEAST_BEND) : SHARP_COSINE) && behind) ? length : 0;
        }
    return rim;
}

/* Euler characteristic of a patch: 1 for a disc, 0 for a ring. */
static int64_t euler_characteristic(const flats *f, int64_t n, int32_t name, int64_t rim_edges) {
    int64_t points = 0;
    for (int64_t i = 0; i < 3 * n; i++) {
        const int32_t p = f->wall->triangle[3 * f->member[i / 3] + i % 3];
        points += f->point[p] != name;
        f->point[p] = name;
    }
    return points - (3 * n + rim_edges) / 2 + n;
}

enum patch_kind { PATCH_FACET, PATCH_END, PATCH_RING };

/* Classifies a patch of n triangles. For an end, sets l->certain. */
static enum patch_kind classify_patch(const flats *f, int64_t n, int32_t name, const double normal[3], cap *l) {
    patch_rim rim = measure_rim(f, n, name, normal, 0);
    bool beveled = false;
    if (n >= CHAMFER_TRIANGLES && rim.bend <= LEAST_BEND * rim.length_mm &&
        4 * M_PI * l->area_mm2 > LEAST_ROUND * rim.length_mm * rim.length_mm) {
        rim = measure_rim(f, n, name, normal, CHAMFER * sqrt(l->area_mm2 / M_PI));
        beveled = true;
    }
    if (!(rim.length_mm > 0) || rim.sharp_mm <= (beveled ? BEVELED_PART : SHARP_PART) * rim.length_mm)
        return PATCH_FACET;
    const bool upright = beveled || rim.bend > LEAST_BEND * rim.length_mm;
    if (upright && euler_characteristic(f, n, name, rim.edges) == 0)
        return PATCH_RING;
    if (4 * M_PI * l->area_mm2 <= LEAST_ROUND * rim.length_mm * rim.length_mm)
        return PATCH_FACET;
    const double inwards[3] = {-l->normal[0], -l->normal[1], -l->normal[2]};
    const double depth = distance_to_wall(f, l->centre_mm, inwards, name);
    if (!isfinite(depth) || depth <= sqrt(l->area_mm2 / M_PI))
        return PATCH_FACET;
    l->certain = upright && depth > LEAST_DEPTH * 2 * l->reach_mm;
    l->certain = l->certain && fabs(log(width_ratio(f, l, name, beveled ? CHAMFER : BEHIND_NEAR,
                                                    beveled ? BEHIND_CHAMFER : BEHIND_FAR))) < log(SAME_WIDTH);
    return PATCH_END;
}

static void measure_patch(const flats *f, int64_t n, const double normal[3], cap *l) {
    *l = (cap){.kind = CAP_FLAT, .normal = {normal[0], normal[1], normal[2]}};
    for (int64_t i = 0; i < n; i++) {
        const int64_t t = f->member[i];
        l->area_mm2 += f->area[t];
        for (int k = 0; k < 3; k++)
            vec_add(l->centre_mm, f->area[t] / 3, f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + k],
                    l->centre_mm);
    }
    for (int a = 0; a < 3; a++)
        l->centre_mm[a] /= l->area_mm2;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            l->reach_mm =
                fmax(l->reach_mm, vec_distance(f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * f->member[i] + k],
                                               l->centre_mm));
}

typedef struct {
    double area;
    int64_t triangle;
} sized;

static int larger_first(const void *a, const void *b) {
    const sized *x = a, *y = b;
    return x->area != y->area ? (x->area < y->area) - (x->area > y->area)
                              : (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

/* Removes uncertain ends that are far smaller than the largest end. */
static int remove_small(int n, cap *list) {
    double most = 0;
    int kept = 0;
    for (int k = 0; k < n; k++)
        most = fmax(most, list[k].area_mm2);
    for (int k = 0; k < n; k++)
        if (list[k].certain || list[k].area_mm2 > LEAST_CAP * most)
            list[kept++] = list[k];
    return kept;
}

/* True for the faces of voxels: more than BLOCKY_PATCHES patches, all in three perpendicular directions. Each step of
 * such a surface looks like an end. */
static bool is_blocky(const flats *f, int32_t n_patch) {
    const double *one = f->normal[0], *two = NULL;
    double third[3];
    for (int64_t t = 0; t < f->wall->n_triangle && !two && n_patch > BLOCKY_PATCHES; t++)
        two = f->area[t] > 0 && fabs(vec_dot(one, f->normal[t])) < PARALLEL ? f->normal[t] : NULL;
    if (!two)
        return false;
    vec_cross(one, two, third);
    for (int64_t t = 0; t < f->wall->n_triangle; t++)
        if (f->area[t] > 0 && fabs(vec_dot(one, f->normal[t])) < 1 - PARALLEL &&
            fabs(vec_dot(two, f->normal[t])) < 1 - PARALLEL && fabs(vec_dot(third, f->normal[t])) < 1 - PARALLEL)
            return false;
    return true;
}

/* Grows patches, starting at the largest triangles, because their planes are most accurate. */
static int find_flat_ends(flats *f, int *n, cap **list, int *rings) {
    const int64_t all = f->wall->n_triangle;
    sized *order = malloc((size_t)(all + 1) * sizeof *order);
    int32_t name = 0;
    if (order == NULL)
        return fail_memory("the flat ends of the surface", (double)all * sizeof *order);
    for (int64_t t = 0; t < all; t++)
        order[t] = (sized){f->area[t], t};
    qsort(order, (size_t)all, sizeof *order, larger_first);
    for (int64_t i = 0; i < all && order[i].area > 0; i++) {
        cap one;
        if (f->patch[order[i].triangle] >= 0)
            continue;
        const double *normal = f->normal[order[i].triangle];
        const int64_t members = grow_patch(f, order[i].triangle, name);
        measure_patch(f, members, normal, &one);
        const enum patch_kind kind = classify_patch(f, members, name++, normal, &one);
        *rings += kind == PATCH_RING;
        if (kind == PATCH_END) {
            cap *more = realloc(*list, (size_t)(*n + 1) * sizeof *more);
            if (more == NULL) {
                free(order);
                return fail_memory("the flat ends of the surface", (double)(*n + 1) * sizeof *more);
            }
            *list = more;
            more[(*n)++] = one;
        }
    }
    free(order);
    const bool blocky = is_blocky(f, name);
    for (int k = 0; k < *n; k++)
        (*list)[k].certain = (*list)[k].certain && !blocky;
    *n = remove_small(*n, *list);
    return OK;
}

/* Grows the patch of triangles round `seed` without a crease into f->member; returns their number. */
static int64_t grow_smooth_patch(flats *f, int64_t seed, int32_t name) {
    int64_t n = 1;
    f->member[0] = seed;
    f->patch[seed] = name;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const int64_t from = f->member[i], to = f->neighbour[3 * from + k];
            if (to < 0 || f->patch[to] >= 0 || vec_dot(f->normal[from], f->normal[to]) < cos(LEAST_CREASE))
                continue;
            f->patch[to] = name;
            f->member[n++] = to;
        }
    return n;
}

/* Adds point p to the sum and to the extent of the rim along the normal. */
static void add_rim_point(const double p[3], const double normal[3], double sum[3], double extent[2]) {
    const double height = vec_dot(p, normal);
    vec_add(sum, 1, p, sum);
    extent[0] = fmin(extent[0], height);
    extent[1] = fmax(extent[1], height);
}

/* True if the smooth patch of n triangles is a bulged end: a disc inside a round, plane crease, behind which the wall
 * is perpendicular to the plane of the crease. l: the plane disc within the crease. */
static bool is_bulged_end(const flats *f, int64_t n, int32_t name, cap *l) {
    double vector[3] = {0}, area = 0, length = 0, upright = 0, sum[3] = {0}, extent[2] = {INFINITY, -INFINITY};
    int64_t edges = 0;
    for (int64_t i = 0; i < n; i++) {
        vec_add(vector, f->area[f->member[i]], f->normal[f->member[i]], vector);
        area += f->area[f->member[i]];
    }
    const double disc = vec_length(vector);
    if (n < BULGE_TRIANGLES || !vec_normalize(vector) || area < LEAST_BULGE * disc || area > MOST_BULGE * disc)
        return false;
    *l = (cap){.kind = CAP_FLAT, .area_mm2 = disc, .certain = true};
    memcpy(l->normal, vector, sizeof l->normal);
    for (int64_t i = 0; i < 3 * n; i++) {
        const int64_t t = f->member[i / 3], to = f->neighbour[3 * t + i % 3];
        if (to >= 0 && f->patch[to] == name)
            continue;
        const double *a = f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + i % 3],
                     *b = f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + (i + 1) % 3];
        const double mm = vec_distance(a, b);
        add_rim_point(a, vector, sum, extent);
        edges++;
        length += mm;
        upright += to >= 0 && fabs(vec_dot(f->normal[to], vector)) < UPRIGHT &&
                           lies_behind(f, to, a, vector, EVEN_RIM * sqrt(disc))
                       ? mm
                       : 0;
    }
    if (edges == 0 || extent[1] - extent[0] > EVEN_RIM * sqrt(disc) || upright < SHARP_PART * length ||
        4 * M_PI * disc < LEAST_ROUND * length * length || euler_characteristic(f, n, name, edges) != 1)
        return false;
    for (int a = 0; a < 3; a++)
        l->centre_mm[a] = sum[a] / (double)edges;
    for (int64_t i = 0; i < 3 * n; i++) {
        const int32_t p = f->wall->triangle[3 * f->member[i / 3] + i % 3];
        l->reach_mm = fmax(l->reach_mm, vec_distance(f->wall->point_mm + 3 * (int64_t)p, l->centre_mm));
    }
    const double inwards[3] = {-vector[0], -vector[1], -vector[2]};
    return distance_to_wall(f, l->centre_mm, inwards, name) > LEAST_DEPTH * 2 * l->reach_mm &&
           fabs(log(width_ratio(f, l, name, BEHIND_NEAR, BEHIND_FAR))) < log(SAME_WIDTH);
}

/* Adds the bulged ends that are at no certain flat end. */
static int find_bulged_ends(flats *f, int *n, cap **list) {
    const int flat = *n;
    int32_t name = 0;
    memset(f->patch, -1, (size_t)f->wall->n_triangle * sizeof *f->patch);
    memset(f->point, -1, (size_t)f->wall->n_point * sizeof *f->point);
    for (int64_t t = 0; t < f->wall->n_triangle; t++) {
        cap one;
        if (f->patch[t] >= 0 || !(f->area[t] > 0))
            continue;
        const int64_t members = grow_smooth_patch(f, t, name);
        bool known = !is_bulged_end(f, members, name, &one);
        name++;
        for (int k = 0; k < flat; k++)
            known = known || ((*list)[k].certain &&
                              vec_distance((*list)[k].centre_mm, one.centre_mm) < ONE_PLACE * (*list)[k].reach_mm);
        if (known)
            continue;
        cap *more = realloc(*list, (size_t)(*n + 1) * sizeof *more);
        if (more == NULL)
            return fail_memory("the ends of the surface", (double)(*n + 1) * sizeof *more);
        *list = more;
        more[(*n)++] = one;
    }
    return OK;
}

int flat_ends_find(const surface *wall, int *n, cap **list, int *rings) {
    flats f = {.wall = wall};
    int rc = OK;
    *n = *rings = 0;
    *list = NULL;
    TRY(create_flats(&f));
    TRY(find_flat_ends(&f, n, list, rings));
    TRY(find_bulged_ends(&f, n, list));
cleanup:
    free(f.neighbour);
    free(f.normal);
    free(f.area);
    free(f.patch);
    free(f.member);
    free(f.point);
    return rc;
}

int flat_ends_add(const surface *wall, int *n, cap **list, int *rings) {
    cap *flat = NULL;
    const int holes = *n;
    int n_flat = 0, rc = OK;
    TRY(flat_ends_find(wall, &n_flat, &flat, rings));
    cap *all = realloc(*list, (size_t)(*n + n_flat + 1) * sizeof *all);
    if (!all)
        GIVE_UP(fail_memory("the flat ends of the surface", (double)n_flat * sizeof *all));
    *list = all;
    for (int k = 0; k < n_flat; k++) {
        bool known = !flat[k].certain;
        for (int i = 0; i < holes; i++)
            known = known || vec_distance(flat[k].centre_mm, all[i].centre_mm) < ONE_PLACE * all[i].reach_mm;
        if (!known)
            all[(*n)++] = flat[k];
    }
cleanup:
    free(flat);
    return rc;
}
