/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/lumen/extension.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the extension continues this many cells beyond the moved plane of the opening, so that the plane cuts it */
static const double beyond_cells = 4;

/* Returns the height of p above the plane of the opening, mm. foot: nearest point in the plane; lateral: distance of
 * the foot from the point of the opening, mm. */
static double project_on_plane(const extension *t, const double p[3], double foot[3], double *lateral) {
    double height = 0, square = 0;
    for (int a = 0; a < 3; a++)
        height += (p[a] - t->s.point[a]) * t->s.normal[a];
    for (int a = 0; a < 3; a++) {
        foot[a] = p[a] - height * t->s.normal[a];
        square += (foot[a] - t->s.point[a]) * (foot[a] - t->s.point[a]);
    }
    *lateral = sqrt(square);
    return height;
}

/* True if the foot point is in the cross-section or in the wall band around it. */
static bool is_in_section(const extension *t, const double foot[3]) {
    double i, j;
    section_coordinates(&t->s, foot, &i, &j);
    const long column = lround(i), row = lround(j);
    if (column < 0 || row < 0 || column >= t->s.n || row >= t->s.n)
        return false;
    const int node = t->s.node[(size_t)row * (size_t)t->s.n + (size_t)column];
    return node == SECTION_INSIDE || node == SECTION_NEAR;
}

static size_t map_index(const extension *t, const int at[3]) {
    return ((size_t)at[2] * (size_t)t->dims[1] + (size_t)at[1]) * (size_t)t->dims[0] + (size_t)at[0];
}

static bool in_replaced_vessel(const extension *t, const double p[3]) {
    int at[3];
    for (int a = 0; a < 3; a++) {
        const double index = (p[a] - t->low_mm[a]) / t->step_mm;
        if (!(index > -0.5 && index < t->dims[a] - 0.5))
            return false;
        at[a] = (int)lround(index);
    }
    return t->replaced[map_index(t, at)] != 0;
}

double extension_distance(const extension *t, const voxelize_input *in, const double lps_mm[3], double distance_mm) {
    double foot[3], lateral;
    const double height = project_on_plane(t, lps_mm, foot, &lateral);
    if (height <= 0)
        return distance_mm;
    if (is_in_section(t, foot))
        return fmax(in->distance(in->data, foot), height - t->length_mm);
    if (lateral < t->reach_mm && in_replaced_vessel(t, lps_mm))
        distance_mm = fmax(distance_mm, 0.5 * t->step_mm);
    return fmin(distance_mm, fmax(fmax(lateral - t->s.extent_mm, height - t->length_mm), 0.5 * t->s.step_mm));
}

bool extension_is_behind(const extension *t, const double lps_mm[3], double reach_mm) {
    double foot[3], lateral;
    return project_on_plane(t, lps_mm, foot, &lateral) < -reach_mm;
}

enum { FREE, FLUID, REPLACED };

/* Build a map of the fluid beyond the plane, in a box around the extension. */
static int build_fluid_map(extension *t, const voxelize_input *in) {
    const double half = t->reach_mm;
    for (int a = 0; a < 3; a++) {
        const double end = t->s.point[a] + t->length_mm * t->s.normal[a];
        t->low_mm[a] = fmin(t->s.point[a], end) - half;
        t->dims[a] = (int)ceil((fmax(t->s.point[a], end) + half - t->low_mm[a]) / t->step_mm) + 1;
    }
    t->replaced = calloc((size_t)t->dims[0] * (size_t)t->dims[1] * (size_t)t->dims[2], 1);
    if (!t->replaced)
        return fail_memory("the extension of an opening", (double)t->dims[0] * t->dims[1] * t->dims[2]);
#pragma omp parallel for schedule(dynamic)
    for (int z = 0; z < t->dims[2]; z++)
        for (int y = 0; y < t->dims[1]; y++)
            for (int x = 0; x < t->dims[0]; x++) {
                const int at[3] = {x, y, z};
                const double p[3] = {t->low_mm[0] + x * t->step_mm, t->low_mm[1] + y * t->step_mm,
                                     t->low_mm[2] + z * t->step_mm};
                t->replaced[map_index(t, at)] = in->distance(in->data, p) < 0 ? FLUID : FREE;
            }
    return OK;
}

static void map_position(const extension *t, size_t index, int at[3], double p[3]) {
    at[0] = (int)(index % (size_t)t->dims[0]);
    at[1] = (int)(index / (size_t)t->dims[0] % (size_t)t->dims[1]);
    at[2] = (int)(index / (size_t)t->dims[0] / (size_t)t->dims[1]);
    for (int a = 0; a < 3; a++)
        p[a] = t->low_mm[a] + at[a] * t->step_mm;
}

/* Marks the vessel that the extension replaces: fluid connected with the outer side of the plane, on paths that do not
 * cross the plane again. */
static int mark_replaced_vessel(extension *t) {
    const size_t total = (size_t)t->dims[0] * (size_t)t->dims[1] * (size_t)t->dims[2];
    size_t *stack = malloc((total + 1) * sizeof *stack), n = 0;
    double p[3], foot[3], lateral;
    int at[3];
    if (!stack)
        return fail_memory("the extension of an opening", (double)total * sizeof *stack);
    for (size_t i = 0; i < total; i++) {
        map_position(t, i, at, p);
        const double height = project_on_plane(t, p, foot, &lateral);
        if (t->replaced[i] == FLUID && height > 0 && height < 2 * t->step_mm && is_in_section(t, foot)) {
            t->replaced[i] = REPLACED;
            stack[n++] = i;
        }
    }
    while (n > 0) {
        map_position(t, stack[--n], at, p);
        for (int side = 0; side < 6; side++) {
            int to[3] = {at[0], at[1], at[2]};
            to[side / 2] += side & 1 ? 1 : -1;
            if (to[side / 2] < 0 || to[side / 2] >= t->dims[side / 2])
                continue;
            const size_t next = map_index(t, to);
            map_position(t, next, to, p);
            if (t->replaced[next] != FLUID || (project_on_plane(t, p, foot, &lateral) <= 0 && is_in_section(t, foot)))
                continue;
            t->replaced[next] = REPLACED;
            stack[n++] = next;
        }
    }
    free(stack);
    return OK;
}

/* Refuse an extension if it, or the wall band around it, contains fluid of the vessel beyond the opening. */
static int check_path_free(const extension *t, const char *name, double length_mm) {
    const size_t total = (size_t)t->dims[0] * (size_t)t->dims[1] * (size_t)t->dims[2];
    for (size_t i = 0; i < total; i++) {
        double p[3], foot[3], lateral;
        int at[3];
        if (t->replaced[i] != FLUID)
            continue;
        map_position(t, i, at, p);
        const double height = project_on_plane(t, p, foot, &lateral);
        if (height > 2 * t->step_mm && height < t->length_mm && is_in_section(t, foot))
            return fail(ERR_INPUT,
                        "the extension of opening '%s' by %.3g mm meets another part of the vessel after %.3g mm; "
                        "shorten the extension",
                        name, length_mm, fmin(height, length_mm));
    }
    return OK;
}

/* Keep only the mark of the replaced vessel, widened by one node, so that no rim of the vessel remains. */
static int widen_replaced_vessel(extension *t) {
    const size_t total = (size_t)t->dims[0] * (size_t)t->dims[1] * (size_t)t->dims[2];
    uint8_t *wide = calloc(total, 1);
    if (!wide)
        return fail_memory("the extension of an opening", (double)total);
    for (size_t i = 0; i < total; i++) {
        int at[3];
        double p[3];
        if (t->replaced[i] != REPLACED)
            continue;
        map_position(t, i, at, p);
        for (int n = 0; n < 27; n++) {
            const int to[3] = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
            if (to[0] >= 0 && to[1] >= 0 && to[2] >= 0 && to[0] < t->dims[0] && to[1] < t->dims[1] &&
                to[2] < t->dims[2])
                wide[map_index(t, to)] = 1;
        }
    }
    free(t->replaced);
    t->replaced = wide;
    return OK;
}

int extension_create(extension *t, const voxelize_input *in, const mesh_opening *opening, double length_mm) {
    int rc;
    memset(t, 0, sizeof *t);
    TRY(section_create(&t->s, in, opening));
    t->length_mm = length_mm + beyond_cells * in->spacing_mm;
    t->step_mm = fmax(0.7 * in->spacing_mm, (t->length_mm + t->s.extent_mm) / 150);
    t->reach_mm = 1.5 * t->s.extent_mm + 6 * in->spacing_mm;
    TRY(build_fluid_map(t, in));
    TRY(mark_replaced_vessel(t));
    TRY(check_path_free(t, opening->name, length_mm));
    TRY(widen_replaced_vessel(t));
cleanup:
    if (rc != OK)
        extension_free(t);
    return rc;
}

void extension_free(extension *t) {
    section_free(&t->s);
    free(t->replaced);
    memset(t, 0, sizeof *t);
}
