/* SPDX-License-Identifier: Apache-2.0 */
/* See unfed_branches.h. */
#include "common/record/unfed_branches.h"
#include "common/base/vec.h"
#include "common/record/json.h"
#include <math.h>
#include <stdlib.h>

static bool is_beyond(const double point_mm[3], int n, const unfed_plane *plane) {
    for (int k = 0; k < n; k++) {
        double out[3];
        for (int a = 0; a < 3; a++)
            out[a] = point_mm[a] - plane[k].centre_mm[a];
        if (vec_dot(plane[k].normal, plane[k].normal) > 0 && vec_dot(out, plane[k].normal) >= 0 &&
            vec_length(out) < UNFED_BEYOND * plane[k].radius_mm)
            return true;
    }
    return false;
}

static int by_width(const void *a, const void *b) {
    const unfed_branch *p = a, *q = b;
    return (p->diameter_mm < q->diameter_mm) - (p->diameter_mm > q->diameter_mm);
}

/* Removes each branch whose origin overlaps the origin of a wider branch before it in the list. A wider branch that
 * touches may be another vessel: it removes no branch that does not touch. Returns the number of remaining branches. */
static int remove_doubles(int n, unfed_branch *list) {
    int kept = 0;
    for (int k = 0; k < n; k++) {
        bool same = false;
        for (int i = 0; i < kept; i++)
            same |= list[i].touches <= list[k].touches && vec_distance(list[i].point_mm, list[k].point_mm) <
                                                              0.5 * (list[i].diameter_mm + list[k].diameter_mm);
        if (!same)
            list[kept++] = list[k];
    }
    return kept;
}

bool unfed_plane_estimate(const cJSON *segment, const double point_mm[3], const double *normal, unfed_plane *plane) {
    static const char *const key[2] = {"start_mm", "end_mm"};
    const cJSON *branch;
    double nearest = INFINITY;
    *plane = (unfed_plane){.radius_mm = 0};
    vec_add(point_mm, 0, point_mm, plane->centre_mm);
    cJSON_ArrayForEach(branch, json_find(segment, "result/vessel/branches")) {
        const double radius = 0.5 * json_get_number(json_find(branch, "diameter_mean_mm"), "value");
        double end[2][3] = {{0}};
        bool known = radius > 0;
        for (int k = 0; k < 2; k++)
            known = known && json_get_vector(json_find(branch, key[k]), end[k]);
        for (int k = 0; k < 2 && known; k++) {
            if (!(vec_distance(end[k], point_mm) < nearest))
                continue;
            nearest = vec_distance(end[k], point_mm);
            plane->radius_mm = radius;
            vec_add(end[k], -1, end[1 - k], plane->normal);
        }
    }
    if (normal)
        vec_add(normal, 0, normal, plane->normal);
    return isfinite(nearest);
}

int unfed_branches_list(const cJSON *segment, int n_plane, const unfed_plane *plane,
                        unfed_branch list[UNFED_BRANCHES_MAX]) {
    const cJSON *item;
    int n = 0;
    cJSON_ArrayForEach(item, json_find(segment, "result/side_branches")) {
        unfed_branch b = {.diameter_mm = 2 * json_get_number(item, "radius_mm"),
                          .touches = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "touches"))};
        if (n == UNFED_BRANCHES_MAX || !cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(item, "taken")) ||
            !json_get_vector(json_find(item, "point_mm"), b.point_mm) || !(b.diameter_mm > 0) ||
            is_beyond(b.point_mm, n_plane, plane))
            continue;
        list[n++] = b;
    }
    qsort(list, (size_t)n, sizeof *list, by_width);
    return remove_doubles(n, list);
}
