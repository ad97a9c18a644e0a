/* See caps.h. */
#include "segment/ends/caps.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/record/json.h"
#include "segment/ends/ends_constants.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The side of the image in whose outer half voxel layer triangle t lies, bit numbers as in measure.h; -1: none. */
static int side_of(const surface *wall, int64_t t, const volume *image) {
    unsigned all = ~0U;
    for (int k = 0; k < 3; k++) {
        double index[3];
        unsigned sides = 0;
        volume_to_index(image, wall->point_mm + 3 * (int64_t)wall->triangle[3 * t + k], index);
        for (int a = 0; a < 3; a++) {
            sides |= index[a] < 0.25 ? 1U << (2 * a) : 0;
            sides |= index[a] > image->dims[a] - 1.25 ? 2U << (2 * a) : 0;
        }
        all &= sides;
    }
    for (int bit = 0; bit < 6; bit++)
        if (all >> bit & 1)
            return bit;
    return -1;
}

static int32_t find_root(int32_t *parent, int32_t p) {
    while (parent[p] != p)
        p = parent[p] = parent[parent[p]];
    return p;
}

/* Add triangle t to a cap: area-weighted sums in centre and normal. */
static void add_triangle(const surface *wall, int64_t t, cap *to) {
    double normal[3]; /* length: twice the area */
    const double area = surface_triangle_mm2(wall, t, normal);
    to->area_mm2 += area;
    vec_add(to->normal, 0.5, normal, to->normal);
    for (int k = 0; k < 3; k++)
        vec_add(to->centre_mm, area / 3, wall->point_mm + 3 * (int64_t)wall->triangle[3 * t + k], to->centre_mm);
}

/* Extend reach_mm by the corners of triangle t; to->centre_mm is still a sum. */
static void extend_reach(const surface *wall, int64_t t, cap *to) {
    double centre[3] = {0};
    if (to->area_mm2 > 0)
        vec_add(centre, 1 / to->area_mm2, to->centre_mm, centre);
    for (int k = 0; k < 3; k++) {
        const double *p = wall->point_mm + 3 * (int64_t)wall->triangle[3 * t + k];
        to->reach_mm = fmax(to->reach_mm, vec_distance(p, centre));
    }
}

/* Turn sums into means and remove caps without area. */
static void sums_to_means(int *n, cap *list) {
    int kept = 0;
    for (int k = 0; k < *n; k++) {
        cap one = list[k];
        if (!(one.area_mm2 > 0) || !vec_normalize(one.normal))
            continue;
        for (int a = 0; a < 3; a++)
            one.centre_mm[a] /= one.area_mm2;
        list[kept++] = one;
    }
    *n = kept;
}

int caps_on_border(const surface *wall, const volume *image, int *n, cap **list) {
    enum { SIDES = 6 };
    int rc = OK;
    /* union-find: points of one patch share a root */
    int32_t *parent = malloc((size_t)(wall->n_point + 1) * sizeof *parent);
    int32_t *number = malloc((size_t)(SIDES * wall->n_point + 1) * sizeof *number);
    signed char *side = malloc((size_t)wall->n_triangle + 1);
    *n = 0;
    *list = NULL;
    if (!parent || !number || !side)
        GIVE_UP(fail_memory("the ends of the vessel", 8.0 * (double)wall->n_point));
    for (int64_t p = 0; p < wall->n_point; p++)
        parent[p] = (int32_t)p;
    memset(number, -1, (size_t)(SIDES * wall->n_point + 1) * sizeof *number);
    for (int64_t t = 0; t < wall->n_triangle; t++) {
        side[t] = (signed char)side_of(wall, t, image);
        for (int k = 1; k < 3 && side[t] >= 0; k++)
            parent[find_root(parent, wall->triangle[3 * t + k])] = find_root(parent, wall->triangle[3 * t]);
    }
    for (int64_t t = 0; t < wall->n_triangle; t++) {
        if (side[t] < 0)
            continue;
        int32_t *k = &number[SIDES * (int64_t)find_root(parent, wall->triangle[3 * t]) + side[t]];
        if (*k < 0) {
            cap *more = realloc(*list, (size_t)(*n + 1) * sizeof *more);
            if (!more)
                GIVE_UP(fail_memory("the ends of the vessel", (double)(*n + 1) * sizeof *more));
            *list = more;
            *k = (*n)++;
            more[*k] = (cap){.border = true};
        }
        add_triangle(wall, t, &(*list)[*k]);
    }
    sums_to_means(n, *list);
cleanup:
    free(parent);
    free(number);
    free(side);
    return rc;
}

int caps_from_holes(const surface *wall, int filled, int *n, cap **list) {
    const int64_t first = wall->n_point - filled;
    *n = filled;
    *list = calloc((size_t)filled + 1, sizeof **list);
    if (!*list)
        return fail_memory("the ends of the vessel", filled * (double)sizeof **list);
    for (int64_t t = 0; t < wall->n_triangle; t++)
        for (int k = 0; k < 3; k++)
            if (wall->triangle[3 * t + k] >= first)
                add_triangle(wall, t, &(*list)[wall->triangle[3 * t + k] - first]);
    for (int64_t t = 0; t < wall->n_triangle; t++)
        for (int k = 0; k < 3; k++)
            if (wall->triangle[3 * t + k] >= first)
                extend_reach(wall, t, &(*list)[wall->triangle[3 * t + k] - first]);
    sums_to_means(n, *list);
    return OK;
}

/* ---------------------------------------------------------------------------------------------- flat ends */

typedef struct {
    const surface *wall;
    int64_t *neighbour; /* [n_triangle][3] neighbour across the edge from corner k to k + 1; -1: none */
    double (*normal)[3], *area;
    double even_mm;  /* tolerance of a plane, from EVEN_BOX */
    int32_t *patch;  /* [n_triangle] number of the patch, -1: none yet */
    int64_t *member; /* [n_triangle] triangles of the current patch */
} flats;

typedef struct {
    int32_t low, high;
    int64_t side; /* 3 t + k: edge k of triangle t */
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
    if (!f->neighbour || !f->normal || !f->area || !f->patch || !f->member)
        return fail_memory("the flat ends of the surface", 68.0 * (double)n);
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

/* True if the wall behind the end is farther away than the radius of the end. */
static bool vessel_continues(const flats *f, const cap *l, int32_t name) {
    const double inwards[3] = {-l->normal[0], -l->normal[1], -l->normal[2]};
    double nearest = INFINITY;
    for (int64_t t = 0; t < f->wall->n_triangle; t++) {
        double barycentric[2];
        int sign;
        const double x = surface_line_meets(f->wall, t, l->centre_mm, inwards, barycentric, &sign);
        if (f->patch[t] != name && x > 0 && barycentric[0] >= 0 && barycentric[1] >= 0 &&
            barycentric[0] + barycentric[1] <= 1)
            nearest = fmin(nearest, x);
    }
    return isfinite(nearest) && nearest > sqrt(l->area_mm2 / M_PI);
}

/* True if the patch of n triangles has a sharp rim, is compact, and the vessel continues behind it. */
static bool is_end(const flats *f, int64_t n, int32_t name, const double normal[3], cap *l) {
    double rim = 0, sharp = 0;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const int64_t t = f->member[i], to = f->neighbour[3 * t + k];
            if (to >= 0 && f->patch[to] == name)
                continue;
            const double length = vec_distance(f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + k],
                                               f->wall->point_mm + 3 * (int64_t)f->wall->triangle[3 * t + (k + 1) % 3]);
            rim += length;
            sharp += to >= 0 && vec_dot(f->normal[to], normal) < SHARP_COSINE ? length : 0;
        }
    return rim > 0 && sharp > SHARP_PART * rim && 4 * M_PI * l->area_mm2 > LEAST_ROUND * rim * rim &&
           vessel_continues(f, l, name);
}

static void measure_patch(const flats *f, int64_t n, const double normal[3], cap *l) {
    *l = (cap){.normal = {normal[0], normal[1], normal[2]}};
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

/* Remove caps far smaller than the largest one. */
static int remove_small(int n, cap *list) {
    double most = 0;
    int kept = 0;
    for (int k = 0; k < n; k++)
        most = fmax(most, list[k].area_mm2);
    for (int k = 0; k < n; k++)
        if (list[k].area_mm2 > LEAST_CAP * most)
            list[kept++] = list[k];
    return kept;
}

/* Grow patches from the largest triangles first: their planes are most accurate. */
static int find_flat_ends(flats *f, int *n, cap **list) {
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
        if (is_end(f, members, name++, normal, &one)) {
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
    *n = remove_small(*n, *list);
    return OK;
}

int caps_flat_ends(const surface *wall, int *n, cap **list) {
    flats f = {.wall = wall};
    int rc = OK;
    *n = 0;
    *list = NULL;
    TRY(create_flats(&f));
    TRY(find_flat_ends(&f, n, list));
cleanup:
    free(f.neighbour);
    free(f.normal);
    free(f.area);
    free(f.patch);
    free(f.member);
    return rc;
}

cJSON *caps_to_json(int n, const cap *list) {
    cJSON *all = cJSON_CreateArray();
    for (int k = 0; all && k < n; k++) {
        cJSON *o = cJSON_CreateObject();
        json_add_numbers(o, "centre_mm", 3, list[k].centre_mm);
        json_add_numbers(o, "normal", 3, list[k].normal);
        json_add_number(o, "area_mm2", list[k].area_mm2);
        cJSON_AddStringToObject(o, "at", list[k].border ? "image border" : "open end");
        cJSON_AddItemToArray(all, o);
    }
    return all;
}
