/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/caps.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/record/json.h"
#include "segment/ends/ends_constants.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The border of the image (bit number as in lumen_size.h) at which triangle t lies, in the outermost half voxel; -1: it
 * lies at no border. */
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
    double normal[3]; /* direction: normal; length: twice the area */
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
    /* for union-find: the points of a patch have the same root */
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
            more[*k] = (cap){.kind = CAP_BORDER};
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
    for (int k = 0; k < filled; k++)
        (*list)[k].kind = CAP_HOLE;
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

cJSON *caps_to_json(int n, const cap *list) {
    static const char *const at[] = {"image border", "open end", "flat end"}; /* indexed by enum cap_kind */
    cJSON *all = cJSON_CreateArray();
    for (int k = 0; all && k < n; k++) {
        cJSON *o = cJSON_CreateObject();
        json_add_numbers(o, "centre_mm", 3, list[k].centre_mm);
        json_add_numbers(o, "normal", 3, list[k].normal);
        json_add_number(o, "area_mm2", list[k].area_mm2);
        cJSON_AddStringToObject(o, "at", at[list[k].kind]);
        cJSON_AddItemToArray(all, o);
    }
    return all;
}
