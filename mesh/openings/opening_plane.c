/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/openings/opening_plane.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "mesh/section/vessel_axis.h"
#include "mesh/section/wall_crossing.h"
#include "mesh/openings/opening_search.h"
#include "mesh/section/rim_axis.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* In an obliquely cut tube, the area of the cut times the cosine of its angle equals the area of the section across the
 * tube. same_area: largest relative difference of these two areas that counts as equal */
static const double same_area = 0.1;
/* least_facing: lower limit of the cosine between the end's normal and the given normal. behind_fork: the cross-section
 * at the end is smaller than the cross-section at the given point, which includes the fork, by this factor or more. */
static const double least_facing = 0.5, behind_fork = 1.3;

static const char *space_name(const case_file *c) {
    return c->space == SPACE_RAS ? "RAS" : (c->space == SPACE_LPS ? "LPS" : "voxel");
}

static int fail_outside(const opening_search *p, double distance) {
    const double *q = p->requested->point;
    return fail(ERR_INPUT,
                "opening '%s': its point (%g, %g, %g, %s) is not inside the vessel, the wall is %.1f mm away; move the "
                "point into the lumen, or check that the segmentation includes it",
                p->requested->name, q[0], q[1], q[2], space_name(p->c), distance);
}

/* Move a point that is outside the vessel by up to one and a half voxels to just inside the wall. */
static int pull_inside(opening_search *p) {
    double *point = p->out->plane.point_mm;
    const double start = opening_search_distance(p, point);
    if (!(start < 1.5 * p->l->voxel_mm))
        return fail_outside(p, start);
    for (int step = 0; step < 10 && opening_search_distance(p, point) > -0.5 * p->l->voxel_mm; step++) {
        double slope[3];
        wall_slope(&p->in, point, 0.3 * p->l->voxel_mm, slope);
        for (int a = 0; a < 3; a++)
            point[a] -= (opening_search_distance(p, point) + 0.6 * p->l->voxel_mm) * slope[a];
    }
    if (!(opening_search_distance(p, point) < 0))
        return fail_outside(p, start);
    /* only a shift of more than a voxel is a warning */
    void (*say)(const char *, ...) = start > p->l->voxel_mm ? message_warn : message_info;
    if (start >= 0.005)
        say("opening '%s': its point is %.2f mm outside the vessel and was moved to the nearest point inside",
            p->requested->name, start);
    return OK;
}

/* Set the normal of a plane on a wall to the normal of the wall, unless the case gives a normal. */
static void normal_of_wall(opening_search *p, double step) {
    if (p->requested->normal_auto)
        wall_slope(&p->in, p->out->plane.point_mm, step, p->out->plane.normal);
}

/* Find the side of the plane where the vessel continues. *way 0: both sides; +1 or -1: only this side along the normal,
 * since the vessel ends or leaves the image on the other side. */
static int find_way_inwards(const opening_search *p, section *s, double here, bool whole, int *way) {
    double ahead, behind;
    bool whole_ahead, whole_behind;
    const double step = 1.5 * p->l->voxel_mm;
    int rc = opening_search_section(p, s, step, &ahead, &whole_ahead);
    if (rc == OK)
        rc = opening_search_section(p, s, -step, &behind, &whole_behind);
    if (rc != OK)
        return rc;
    *way = 0;
    if (ahead < 0.3 * here || behind < 0.3 * here)
        *way = ahead > behind ? 1 : -1;
    else if (!whole && !(whole_ahead && whole_behind)) {
        double p_ahead[3], p_behind[3];
        for (int a = 0; a < 3; a++) {
            p_ahead[a] = p->out->plane.point_mm[a] + step * p->out->plane.normal[a];
            p_behind[a] = p->out->plane.point_mm[a] - step * p->out->plane.normal[a];
        }
        *way = lumen_border(p->l, p_ahead) < lumen_border(p->l, p_behind) ? 1 : -1;
    }
    return OK;
}

/* True if an end cuts the section that was measured last; *way: the side along the normal on which the vessel
 * continues. A given normal may be oblique, so it is not checked. */
static bool is_cut(const opening_search *p, const section *s, int *way) {
    double facing;
    if (!p->requested->normal_auto || !p->ends || s->n == 0 ||
        rim_axis_cut(s, &p->in, p->out->plane.normal, &facing) < RIM_AXIS_CUT)
        return false;
    *way = facing > 0 ? -1 : 1;
    return true;
}

static void move_inside(opening_search *p, double shift, int way, double area) {
    mesh_opening *o = &p->out->plane;
    vec_add(o->point_mm, way * shift, o->normal, o->point_mm);
    p->out->moved_mm = shift;
    p->out->area_mm2 = area;
    void (*say)(const char *, ...) = shift > p->l->voxel_mm ? message_warn : message_info;
    if (shift >= 0.005)
        say("opening '%s' was moved %.2f mm into the vessel to a whole cross-section", p->requested->name, shift);
}

/* Uses the face of the end as the opening if two conditions hold. The face is flat, closed and much smaller than
 * `area`, the area of the first whole section. No section across the vessel is whole within a radius; the vessel may
 * then fork before the first whole section. The face is searched along the normal, against `way`. */
static int use_end_face(opening_search *p, int way, double shift, double area, bool *taken) {
    mesh_opening *o = &p->out->plane;
    const double voxel = p->l->voxel_mm;
    double was[2][3], end[3], middle[3], radius, near, inside;
    bool whole, whole_inside;
    section s = {0};
    int rc = OK;
    *taken = false;
    memcpy(was[0], o->point_mm, sizeof end);
    memcpy(was[1], o->normal, sizeof end);
    memcpy(end, o->point_mm, sizeof end);
    for (int step = 0; step < 400 && opening_search_distance(p, end) < -0.3 * voxel; step++)
        vec_add(end, -way * 0.2 * voxel, o->normal, end);
    vessel_axis_middle(&p->in, was[0], middle, &radius);
    if (vec_distance(end, was[0]) > radius || shift < radius)
        return OK;
    wall_slope(&p->in, end, voxel, o->normal);
    memcpy(o->point_mm, end, sizeof end);
    if (-way * vec_dot(o->normal, was[1]) > least_facing) {
        TRY(opening_search_section(p, &s, -voxel, &near, &whole));
        TRY(opening_search_section(p, &s, -2 * voxel, &inside, &whole_inside));
        *taken = whole && whole_inside && near > 0.75 * inside && near < area / behind_fork &&
                 near > 0.5 * M_PI * radius * radius;
    }
    if (*taken) {
        vec_add(end, -voxel, o->normal, o->point_mm);
        p->out->area_mm2 = near;
        p->out->moved_mm = vec_distance(o->point_mm, was[0]);
        memset(p->axis, 0, sizeof p->axis);
        message_info(
            "opening '%s' was placed on the end of the vessel, because the vessel forks less than a radius away",
            o->name);
    }
cleanup:
    if (!*taken) {
        memcpy(o->point_mm, was[0], sizeof end);
        memcpy(o->normal, was[1], sizeof end);
    }
    section_free(&s);
    return rc;
}

/* Moves the plane inwards to the first whole cross-section that does not grow over the next voxel, at the end of the
 * vessel or the border of the image. The plane moves by up to a radius, or by up to three voxels if they are more than
 * a radius. At an end cut at an angle the plane moves to the first section that the end does not cut, up to four radii.
 * Without such a section the plane stays, and voxelize reports the reason. */
static int find_whole(opening_search *p) {
    int rc, way = (p->way > 0) - (p->way < 0), unused;
    double area, further;
    bool whole, whole_further;
    section s = {0};
    const double voxel = p->l->voxel_mm, step = fmax(0.25 * voxel, 0.04 * p->radius_mm);
    TRY(opening_search_section(p, &s, 0, &area, &whole));
    p->out->area_mm2 = area;
    if (!(voxel > 0))
        goto cleanup;
    const bool angled = is_cut(p, &s, way == 0 ? &way : &unused) || way != 0;
    const double limit = fmax(3 * voxel, (angled ? 4 : 1) * p->radius_mm);
    if (way == 0)
        TRY(find_way_inwards(p, &s, area, whole, &way));
    for (double shift = 0; way != 0 && shift <= limit; shift += step) {
        TRY(opening_search_section(p, &s, way * shift, &area, &whole));
        if (!whole || is_cut(p, &s, &unused))
            continue;
        TRY(opening_search_section(p, &s, way * (shift + voxel), &further, &whole_further));
        if (area < 0.9 * further)
            continue;
        bool taken = false;
        if (p->requested->normal_auto && shift > voxel)
            TRY(use_end_face(p, way, shift, area, &taken));
        if (!taken)
            move_inside(p, shift, way, area);
        break;
    }
cleanup:
    section_free(&s);
    return rc;
}

/* Check whether a given plane cuts a tube obliquely: the ratio of the section across the tube to this section must
 * equal the cosine of the angle. Near the end of a tube the section across it may be incomplete; it is then taken one
 * or two radii further inside.
 * Openings with an extension are not checked, since an extension follows the normal. */
static int confirm_oblique(opening_search *p) {
    mesh_opening *o = &p->out->plane;
    const double given[3] = {o->normal[0], o->normal[1], o->normal[2]}, cosine = fabs(vec_dot(given, p->axis));
    section s = {0};
    int rc = OK;
    if (vec_dot(p->axis, p->axis) == 0 || !(p->out->area_mm2 > 0) || p->requested->extension_mm > 0)
        return OK;
    memcpy(o->normal, p->axis, sizeof given);
    for (int k = 0; k < 5; k++) {
        static const double shift[5] = {0, 1, -1, 2, -2}; /* tested shifts along the tube, in radii */
        double area;
        bool whole;
        TRY(opening_search_section(p, &s, shift[k] * p->radius_mm, &area, &whole));
        if (!whole || !(fabs(area - cosine * p->out->area_mm2) < same_area * area))
            continue;
        memcpy(o->along, p->axis, sizeof given);
        break;
    }
cleanup:
    memcpy(o->normal, given, sizeof given);
    section_free(&s);
    return rc;
}

/* Takes the plane as found before a treatment. */
static int keep_plane(opening_search *p) {
    section s = {0};
    bool whole;
    const int rc = opening_search_section(p, &s, 0, &p->out->area_mm2, &whole);
    section_free(&s);
    return rc;
}

/* Copy name, role, point and normal from the case, in LPS. */
static void copy_case_opening(const case_file *c, const case_opening *requested, const volume *image, mesh_opening *o) {
    snprintf(o->name, sizeof o->name, "%s", requested->name);
    o->role = requested->role;
    o->radius_mm = requested->radius_mm;
    case_point_lps(c, requested->point, image, o->point_mm);
    if (!requested->normal_auto)
        case_vector_lps(c, requested->normal, image, o->normal);
}

int opening_plane_place(const case_file *c, int k, const volume *image, const lumen *l, const double low_mm[3],
                        const double high_mm[3], opening_plane *out) {
    int rc;
    double middle[3], largest = 0;
    opening_search p = {.c = c, .requested = &c->opening[k], .l = l, .out = out};
    memset(out, 0, sizeof *out);
    copy_case_opening(c, p.requested, image, &out->plane);
    for (int a = 0; a < 3; a++)
        largest = fmax(largest, high_mm[a] - low_mm[a]);
    p.in = (voxelize_input){.distance = lumen_distance, .data = l, .steepness = lumen_steepness(l)};
    p.in.spacing_mm = l->voxel_mm > 0 ? l->voxel_mm : largest / 1000;
    const double start = opening_search_distance(&p, out->plane.point_mm), tiny = 1e-6 * largest;
    if (l->is_shape && fabs(start) < tiny) {
        normal_of_wall(&p, 1e-3 * largest);
        return OK;
    }
    if (start >= 0)
        TRY(pull_inside(&p));
    vessel_axis_middle(&p.in, out->plane.point_mm, middle, &p.radius_mm);
    if (p.requested->plane_found) {
        rc = keep_plane(&p);
        goto cleanup;
    }
    TRY(opening_search_normal(&p));
    TRY(find_whole(&p));
    TRY(confirm_oblique(&p));
cleanup:
    return rc;
}
