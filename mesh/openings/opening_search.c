/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/openings/opening_search.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "mesh/openings/end_direction.h"
#include "mesh/section/vessel_axis.h"
#include "mesh/section/wall_crossing.h"
#include "mesh/section/rim_axis.h"
#include <math.h>
#include <string.h>

/* same_direction_deg: two axes at a smaller angle are the same axis. least_along: lower limit of the cosine between an
 * axis found farther inside and the direction to it; below it the axis belongs to another branch. */
static const double same_direction_deg = 15, least_along = 0.8;
/* Above this angle a given normal does not give the axis of the vessel, and an end is not straight */
static const double oblique_deg = 10;
/* For use_straight_face. A wall is the end of a vessel if the cosine between its normal and the outward direction
 * exceeds least_facing, and if it is nearer to the opening than face_radii radii. The cross-section near the end is
 * face_voxels voxels inside the end. The vessel is flat if the area of this cross-section exceeds flat_vessel times the
 * area of the inscribed circle. The end is straight if the areas of two cross-sections differ by less than the fraction
 * alike. */
static const double least_facing = 0.5, face_voxels = 1.25, face_radii = 3.5, flat_vessel = 3, alike = 0.1;

int opening_search_section(const opening_search *p, section *s, double shift, double *area, bool *whole) {
    double point[3];
    const mesh_opening *o = &p->out->plane;
    const double voxel = p->l->voxel_mm;
    double half = o->radius_mm > 0 ? o->radius_mm : 5 * p->radius_mm;
    bool rim = true;
    int rc = OK;
    for (int a = 0; a < 3; a++)
        point[a] = o->point_mm[a] + shift * o->normal[a];
    *area = 0;
    *whole = false;
    if (!(opening_search_distance(p, point) < 0))
        return OK;
    for (int flat = 0; rc == OK && rim && flat < 4; flat++, half *= 2) { /* a flat vessel needs a wider grid */
        rc = section_measure_at(s, &p->in, point, o->normal, half, half / 60, &rim);
        if (o->radius_mm > 0)
            break;
    }
    if (rc != OK)
        return rc;
    *area = s->area_mm2;
    *whole = !rim;
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < s->n && *whole; i++) {
            double q[3];
            if (s->node[(size_t)j * (size_t)s->n + (size_t)i] != SECTION_INSIDE)
                continue;
            section_position(s, i, j, q);
            *whole = lumen_border(p->l, q) < -0.25 * voxel;
        }
    return OK;
}

/* From an end, walk inwards along the centerline, a radius per step, until the vessel no longer widens. */
static int walk_inside(const opening_search *p, double at[3], double *radius, double inwards[3], bool *ends) {
    double middle[3], wider;
    int rc;
    vessel_axis_middle(&p->in, at, middle, radius);
    TRY(vessel_axis_end(&p->in, middle, *radius, ends, inwards));
    memcpy(at, middle, sizeof middle);
    for (int step = 0; *ends && step < 8; step++) {
        double next[3], way[3];
        bool still;
        for (int a = 0; a < 3; a++)
            next[a] = at[a] + *radius * inwards[a];
        if (!(opening_search_distance(p, next) < 0))
            break;
        vessel_axis_middle(&p->in, next, middle, &wider);
        const bool settled = step > 0 && wider < 1.05 * *radius;
        memcpy(at, middle, sizeof middle);
        *radius = wider;
        if (settled)
            break;
        TRY(vessel_axis_end(&p->in, middle, wider, &still, way));
        if (still)
            memcpy(inwards, way, sizeof way);
    }
cleanup:
    return rc;
}

/* Uses the direction of the vessel further inside. Near an end that is cut at an angle, no cross-section is whole, and
 * the smallest one cuts across a corner. The plane must then move inwards. */
static int use_inner_direction(opening_search *p, double axis[3], bool *found) {
    double inside[3], inwards[3], middle[3], radius, depth, axis_inside[3] = {0}, cosine = 0, along = 0, length = 0;
    bool ends = false, found_inside = false;
    int rc;
    memcpy(inside, p->out->plane.point_mm, sizeof inside);
    TRY(walk_inside(p, inside, &radius, inwards, &ends));
    p->ends = ends;
    if (!ends)
        return OK;
    vessel_axis_middle(&p->in, p->out->plane.point_mm, middle, &depth);
    TRY(vessel_axis_find(&p->in, inside, axis_inside, &found_inside));
    for (int a = 0; a < 3; a++) {
        cosine += axis[a] * axis_inside[a];
        along += (inside[a] - middle[a]) * axis_inside[a];
        length += (inside[a] - middle[a]) * (inside[a] - middle[a]);
    }
    along /= fmax(sqrt(length), 1e-9);
    const bool same = *found && fabs(cosine) > cos(same_direction_deg * M_PI / 180);
    /* an axis perpendicular to the inward direction belongs to another branch */
    if (!found_inside || same || fabs(along) < least_along)
        return OK;
    memcpy(axis, axis_inside, sizeof axis_inside);
    *found = true;
    p->radius_mm = radius;
    p->way = 0;
    for (int a = 0; a < 3; a++)
        p->way += axis[a] * inwards[a];
cleanup:
    return rc;
}

/* True if the vessel ends in the plane of the given normal. The normal is then used even at a large angle to the
 * vessel. */
static int is_flat_end(opening_search *p, bool *flat) {
    double here, ahead, behind;
    bool whole;
    section s = {0};
    const double step = 1.5 * p->l->voxel_mm;
    int rc;
    TRY(opening_search_section(p, &s, 0, &here, &whole));
    TRY(opening_search_section(p, &s, step, &ahead, &whole));
    TRY(opening_search_section(p, &s, -step, &behind, &whole));
    *flat = fmin(ahead, behind) < 0.3 * fmax(here, fmax(ahead, behind));
cleanup:
    section_free(&s);
    return rc;
}

/* For a point at a flat end, as masks have: uses the face of the end if its normal differs from the direction found.
 * Examples are a stub wider than long, and an end cut at an angle. A face is recognized by two properties that the side
 * of a vessel lacks: its cross-section is closed, and the area changes little over a voxel further inside. */
static int prefer_face(opening_search *p, double axis[3], bool *found) {
    mesh_opening *o = &p->out->plane;
    const double voxel = p->l->voxel_mm;
    double slope[3], near, inside, cosine = 0, was[3];
    bool whole, whole_inside;
    section s = {0};
    int rc;
    if (!(voxel > 0) || opening_search_distance(p, o->point_mm) < -voxel)
        return OK;
    wall_slope(&p->in, o->point_mm, voxel, slope);
    for (int a = 0; a < 3; a++)
        cosine += slope[a] * axis[a];
    if (*found && fabs(cosine) > cos(same_direction_deg * 3 * M_PI / 180))
        return OK;
    memcpy(was, o->normal, sizeof was);
    memcpy(o->normal, slope, sizeof slope);
    const double depth = -opening_search_distance(p, o->point_mm);
    TRY(opening_search_section(p, &s, depth - 1.25 * voxel, &near, &whole));
    TRY(opening_search_section(p, &s, depth - 2.25 * voxel, &inside, &whole_inside));
    if (whole && whole_inside && near > 0.75 * inside && near > 0.5 * M_PI * p->radius_mm * p->radius_mm) {
        memcpy(axis, slope, sizeof slope);
        *found = true;
    }
cleanup:
    memcpy(o->normal, was, sizeof was);
    section_free(&s);
    return rc;
}

/* Finds the wall in front of the point, on the side away from the centroid of the fluid, and its normal. *ends: true if
 * the wall's normal points to this side, so that the wall is an end. */
static int end_face(const opening_search *p, double end[3], double out[3], double *radius, bool *ends) {
    double middle[3], inwards[3];
    /* required by vessel_axis_end, not used here */
    bool unused;
    const double voxel = p->l->voxel_mm;
    int rc;
    vessel_axis_middle(&p->in, p->out->plane.point_mm, middle, radius);
    TRY(vessel_axis_end(&p->in, middle, *radius, &unused, inwards));
    memcpy(end, p->out->plane.point_mm, sizeof middle);
    for (int step = 0; step < 400 && opening_search_distance(p, end) < -0.3 * voxel; step++)
        vec_add(end, -0.2 * voxel, inwards, end);
    wall_slope(&p->in, end, voxel, out);
    *ends = -vec_dot(out, inwards) > least_facing && vec_distance(end, p->out->plane.point_mm) < face_radii * *radius;
cleanup:
    return rc;
}

/* For a flat vessel that ends straight across: sets the axis to the normal of the end's face, because the smallest
 * cross-section may cut across a corner. The vessel is flat if a cross-section parallel to the face is larger than
 * flat_vessel circles with the radius of the inscribed ball. The end is straight if two cross-sections parallel to the
 * face have similar areas and aligned centroids. */
static int use_straight_face(opening_search *p, bool found, double axis[3], bool *taken) {
    mesh_opening *o = &p->out->plane;
    double was[2][3], out[3], end[3], centre[3], radius, near, inside = 0;
    bool ends, whole = false, whole_inside = false;
    section s = {0};
    int rc;
    *taken = false;
    if (!(p->l->voxel_mm > 0))
        return OK;
    TRY(end_face(p, end, out, &radius, &ends));
    if (!ends || fabs(vec_dot(out, axis)) < (found ? least_facing : 0))
        return OK;
    memcpy(was[0], o->point_mm, sizeof end);
    memcpy(was[1], o->normal, sizeof end);
    memcpy(o->point_mm, end, sizeof end);
    memcpy(o->normal, out, sizeof out);
    rc = opening_search_section(p, &s, -face_voxels * p->l->voxel_mm, &near, &whole);
    memcpy(centre, s.centre_mm, sizeof centre);
    if (rc == OK && whole && near > flat_vessel * M_PI * radius * radius)
        rc = opening_search_section(p, &s, -face_voxels * p->l->voxel_mm - sqrt(near / M_PI), &inside, &whole_inside);
    memcpy(o->point_mm, was[0], sizeof end);
    memcpy(o->normal, was[1], sizeof end);
    TRY(rc);
    vec_add(centre, -1, s.centre_mm, centre);
    *taken = whole_inside && fabs(near - inside) < alike * inside &&
             vec_dot(centre, out) > cos(oblique_deg * M_PI / 180) * vec_length(centre);
    for (int a = 0; a < 3 && *taken; a++)
        axis[a] = -out[a];
    if (*taken) {
        p->ends = true;
        p->way = 1;
    }
cleanup:
    section_free(&s);
    return rc;
}

/* Near an end, turns the axis to the direction that the wall around the cross-section gives. The normal of the smallest
 * cross-section fails there, because this cross-section may cut across a corner. The direction further inside fails,
 * because the vessel may bend. */
static int follow_wall(opening_search *p, double axis[3], bool *found) {
    double middle[3], radius;
    bool turned;
    int rc;
    vessel_axis_middle(&p->in, p->out->plane.point_mm, middle, &radius);
    const double was[3] = {axis[0], axis[1], axis[2]};
    TRY(rim_axis_follow(&p->in, middle, fmax(radius, p->radius_mm), p->out->plane.point_mm, axis, &turned));
    if (turned && p->way != 0)
        p->way *= vec_dot(was, axis) < 0 ? -1 : 1;
    *found = *found || turned;
cleanup:
    return rc;
}

/* If the vessel is straight behind its end, turns the axis to its centerline. The centerline is more accurate than a
 * single cross-section, whose rim is uneven in a voxel mask. */
static int follow_straight(opening_search *p, double axis[3], bool *found) {
    double middle[3], radius, inwards[3];
    bool ends, straight;
    int rc;
    vessel_axis_middle(&p->in, p->out->plane.point_mm, middle, &radius);
    TRY(vessel_axis_end(&p->in, middle, radius, &ends, inwards));
    if (!ends)
        return OK;
    const double was[3] = {axis[0], axis[1], axis[2]};
    for (int a = 0; a < 3; a++)
        axis[a] *= vec_dot(was, inwards) < 0 ? -1 : 1;
    TRY(end_direction(&p->in, middle, fmax(radius, p->radius_mm), axis, &straight));
    p->way = straight ? 1 : p->way * (vec_dot(was, axis) < 0 ? -1 : 1);
    *found = *found || straight;
cleanup:
    return rc;
}

int opening_search_normal(opening_search *p) {
    int rc;
    bool found = false, flat = false, face = false;
    double axis[3] = {0}, cosine = 0;
    mesh_opening *o = &p->out->plane;
    TRY(vessel_axis_find(&p->in, o->point_mm, axis, &found));
    TRY(use_inner_direction(p, axis, &found));
    TRY(use_straight_face(p, found, axis, &face));
    found = found || face;
    if (p->requested->normal_auto && p->way == 0)
        TRY(prefer_face(p, axis, &found));
    if (found && p->ends && !face)
        TRY(follow_wall(p, axis, &found));
    if (found && p->ends && p->requested->normal_auto && !face)
        TRY(follow_straight(p, axis, &found));
    if (p->requested->normal_auto) {
        if (!found)
            return fail(ERR_INPUT,
                        "opening '%s': no direction of the vessel was found at its point (the vessel widens in every "
                        "direction there); give the normal, or move the point into a tubular part",
                        o->name);
        memcpy(o->normal, axis, sizeof axis);
        return OK;
    }
    for (int a = 0; a < 3; a++)
        cosine += axis[a] * o->normal[a];
    p->way = 0;
    const double angle = acos(fmin(1, fabs(cosine))) * 180 / M_PI;
    if (found && angle > 75)
        TRY(is_flat_end(p, &flat));
    else if (found && angle > oblique_deg)
        memcpy(p->axis, axis, sizeof axis);
    if (found && angle > 75 && !flat)
        return fail(ERR_INPUT,
                    "opening '%s': its plane runs along the vessel, not across it (the normal is %.0f degrees from the "
                    "vessel's direction); omit the normal (normal: auto) to cut straight across",
                    o->name, angle);
    if (flat)
        message_info(
            "opening '%s': its plane is the flat end of the vessel, %.0f degrees from the direction of the vessel",
            o->name, angle);
    else if (found && angle > 35)
        message_warn("opening '%s': its normal is %.0f degrees from the direction of the vessel; omit the normal "
                     "(normal: auto) to cut straight across",
                     o->name, angle);
cleanup:
    return rc;
}
