/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/openings/closed_ends.h"
#include "common/case/case.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The lattice reaches an end of the vessel if fluid cells cover at least the fraction THERE of the disc within MIDDLE
 * radii of the end's centre. */
static const double MIDDLE = 0.7, THERE = 0.3;
/* A hole is ignored if its radius is below this fraction of the radius of the smallest opening */
static const double SMALL_HOLE = 0.25;

static bool read_vector(const cJSON *array, double x[3]) {
    for (int a = 0; a < 3; a++) {
        const cJSON *item = cJSON_GetArrayItem(array, a);
        if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
            return false;
        x[a] = item->valuedouble;
    }
    return true;
}

/* True if segment has warned of an end of the vessel at this face at the border of the image. */
static bool was_named(const cJSON *record, const closed_end *e) {
    const cJSON *end;
    cJSON_ArrayForEach(end, cJSON_GetObjectItem(cJSON_GetObjectItem(record, "result"), "ends_without_opening")) {
        const cJSON *radius = cJSON_GetObjectItem(end, "radius_mm");
        double at[3];
        if (cJSON_IsNumber(radius) && read_vector(cJSON_GetObjectItem(end, "centre_mm"), at) &&
            vec_distance(at, e->centre_mm) < radius->valuedouble + sqrt(e->area_mm2 / M_PI))
            return true;
    }
    return false;
}

int closed_ends_read(const cJSON *record, int *n, closed_end **list) {
    const cJSON *ends = cJSON_GetObjectItem(cJSON_GetObjectItem(record, "result"), "closed_ends"), *end;
    *n = 0;
    *list = calloc((size_t)cJSON_GetArraySize(ends) + 1, sizeof **list);
    if (!*list)
        return fail_memory("the ends of the vessel", (double)cJSON_GetArraySize(ends) * sizeof **list);
    cJSON_ArrayForEach(end, ends) {
        closed_end *e = &(*list)[*n];
        const cJSON *area = cJSON_GetObjectItem(end, "area_mm2"), *at = cJSON_GetObjectItem(end, "at");
        if (!read_vector(cJSON_GetObjectItem(end, "centre_mm"), e->centre_mm) ||
            !read_vector(cJSON_GetObjectItem(end, "normal"), e->normal) || !cJSON_IsNumber(area) || !cJSON_IsString(at))
            return fail(ERR_INPUT, "segment.json is damaged (its entry closed_ends); run segment again");
        e->area_mm2 = area->valuedouble;
        e->border = strcmp(at->valuestring, "image border") == 0;
        e->flat = strcmp(at->valuestring, "flat end") == 0;
        e->named = e->border && was_named(record, e);
        (*n)++;
    }
    return OK;
}

static double height_above(const double a[3], const double b[3], const double n[3]) {
    return (a[0] - b[0]) * n[0] + (a[1] - b[1]) * n[1] + (a[2] - b[2]) * n[2];
}

static double lateral_distance(const double a[3], const double b[3], const double n[3]) {
    const double d = height_above(a, b, n), r = vec_distance(a, b);
    return sqrt(fmax(0, r * r - d * d));
}

/* True if fluid cells of the lattice lie directly in front of the end. */
static bool has_fluid_before(const closed_end *e, const lattice *l) {
    const double radius = sqrt(e->area_mm2 / M_PI), h = l->spacing_mm;
    int64_t count = 0;
    for (int64_t c = 0; c < l->n_cell; c++) {
        double p[3];
        lattice_centre_mm(l, c, p);
        const double d = height_above(p, e->centre_mm, e->normal);
        count += d > -1.2 * h && d < 0.2 * h && l->distance_mm[c] < 0 &&
                 lateral_distance(p, e->centre_mm, e->normal) < MIDDLE * radius;
    }
    return (double)count * h * h > THERE * MIDDLE * MIDDLE * e->area_mm2 && (count > 3 || e->flat);
}

/* True if opening k cuts off the end: the end is in the same vessel behind the plane of the opening (or less than a
 * cell in front of it), or inside the extension of the opening. */
static bool lies_behind(const closed_end *e, int k, const lattice *l, const opening_plane *placed,
                        const double *extended) {
    const double *n = l->opening[k].normal; /* the normal points out of the vessel */
    const double own = l->opening[k].radius_mm, end = sqrt(e->area_mm2 / M_PI);
    const double reach = extended[k] > 0 ? 2 * (own + end) : fmax(own, end);
    return height_above(e->centre_mm, placed[k].plane.point_mm, n) > -l->spacing_mm &&
           lateral_distance(e->centre_mm, placed[k].plane.point_mm, n) < reach;
}

int closed_ends_check(const case_file *c, int n, const closed_end *list, const lattice *l, const opening_plane *placed,
                      const double *extended) {
    double narrowest = INFINITY;
    for (int k = 0; k < l->n_opening; k++)
        narrowest = fmin(narrowest, l->opening[k].radius_mm);
    for (int i = 0; i < n; i++) {
        const closed_end *e = &list[i];
        char where[CASE_WHERE];
        const double radius = sqrt(e->area_mm2 / M_PI);
        bool open = (e->flat || radius > SMALL_HOLE * narrowest) && has_fluid_before(e, l);
        for (int k = 0; k < l->n_opening && open; k++)
            open = !lies_behind(e, k, l, placed, extended);
        if (open && e->flat)
            message_warn_about("open_end",
                               "the surface has a flat end of %.3g mm2 near %s without an opening, so no blood flows "
                               "there: place an opening, unless the vessel is closed there",
                               e->area_mm2, case_write_point(c, e->centre_mm, where));
        else if (open && !e->border)
            return fail(ERR_INPUT,
                        "the surface has a hole of %.3g mm2 near %s without an opening: a flat wall would close it; "
                        "place an opening there, or close the hole",
                        e->area_mm2, case_write_point(c, e->centre_mm, where));
        else if (open && !e->named)
            message_warn_about(
                "open_end",
                "the vessel leaves the image near %s (%.3g mm2), where no opening is: a flat wall closes it, which "
                "changes flows and pressures; place an opening there if blood flows through",
                case_write_point(c, e->centre_mm, where), e->area_mm2);
    }
    return OK;
}
