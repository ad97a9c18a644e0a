/* See place.h. */
#include "mesh/place.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "mesh/axis.h"
#include "mesh/rim.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double same_direction_deg = 15, least_along = 0.8;
static const double oblique_deg = 10, same_area = 0.1; /* less is no finding; of the areas of a tube cut twice */

typedef struct {
    const case_file *c;
    const case_opening *asked;
    const lumen *l;
    voxelize_input in; /* coarse, for looking */
    placed_opening *out;
    double radius_mm; /* of the ball that fits into the vessel at the point */
    double way;     /* above or below 0: the vessel ends here, cut at an angle, and goes on this way along the normal */
    bool ends;      /* the vessel ends near here */
    double axis[3]; /* the vessel's direction, where a given plane seems to cut it obliquely; else 0 */
} placing;

static const char *space_name(const case_file *c) {
    return c->space == SPACE_RAS ? "RAS" : (c->space == SPACE_LPS ? "LPS" : "voxel");
}

static double distance_at(const placing *p, const double point[3]) {
    return p->in.distance(p->in.data, point);
}

static int fail_outside(const placing *p, double distance) {
    const double *q = p->asked->point;
    return fail(ERR_INPUT,
                "opening '%s': its point (%g, %g, %g, %s) is not inside the vessel, the wall is %.1f mm away; move the "
                "point into the lumen, or check whether the segmentation reaches it",
                p->asked->name, q[0], q[1], q[2], space_name(p->c), distance);
}

/* A point up to one and a half voxels outside goes to just inside the wall. */
static int pull_inside(placing *p) {
    double *point = p->out->plane.point_mm;
    const double start = distance_at(p, point);
    if (!(start < 1.5 * p->l->voxel_mm))
        return fail_outside(p, start);
    for (int step = 0; step < 10 && distance_at(p, point) > -0.5 * p->l->voxel_mm; step++) {
        double slope[3];
        axis_slope(&p->in, point, 0.3 * p->l->voxel_mm, slope);
        for (int a = 0; a < 3; a++)
            point[a] -= (distance_at(p, point) + 0.6 * p->l->voxel_mm) * slope[a];
    }
    if (!(distance_at(p, point) < 0))
        return fail_outside(p, start);
    void (*say)(const char *, ...) = start > p->l->voxel_mm ? message_warn : message_info; /* less is no finding */
    say("opening '%s': its point lies %.2f mm outside the vessel and was moved to the lumen beside it", p->asked->name,
        start);
    return OK;
}

/* The normal of a plane on a wall is that of the wall. */
static void normal_of_wall(placing *p, double step) {
    if (p->asked->normal_auto)
        axis_slope(&p->in, p->out->plane.point_mm, step, p->out->plane.normal);
}

/* The cross-section `shift` mm along the normal: its area, 0 when there is none, and whether it is whole. */
static int look_at(const placing *p, section *s, double shift, double *area, bool *whole) {
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
    if (!(distance_at(p, point) < 0))
        return OK;
    for (int flat = 0; rc == OK && rim && flat < 4; flat++, half *= 2) { /* wider where the vessel is flat */
        rc = section_look(s, &p->in, point, o->normal, half, half / 60, &rim);
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

/* From an end on inwards along the middle, a radius at a time, until the vessel gets no wider. */
static int walk_inside(const placing *p, double at[3], double *radius, double inwards[3], bool *ends) {
    double middle[3], wider;
    int rc;
    axis_middle(&p->in, at, middle, radius);
    TRY(axis_end(&p->in, middle, *radius, ends, inwards));
    memcpy(at, middle, sizeof middle);
    for (int step = 0; *ends && step < 8; step++) {
        double next[3], way[3];
        bool still;
        for (int a = 0; a < 3; a++)
            next[a] = at[a] + *radius * inwards[a];
        if (!(distance_at(p, next) < 0))
            break;
        axis_middle(&p->in, next, middle, &wider);
        const bool settled = step > 0 && wider < 1.05 * *radius;
        memcpy(at, middle, sizeof middle);
        *radius = wider;
        if (settled)
            break;
        TRY(axis_end(&p->in, middle, wider, &still, way));
        if (still)
            memcpy(inwards, way, sizeof way);
    }
cleanup:
    return rc;
}

/* Where the vessel ends, cut off at an angle, the cross-sections near its end are not whole and the smallest one lies
 * across a corner: then the direction further inside holds, and the plane is to move inwards. */
static int look_inside(placing *p, double axis[3], bool *found) {
    double inside[3], inwards[3], middle[3], radius, depth, axis_inside[3] = {0}, cosine = 0, along = 0, length = 0;
    bool ends = false, found_inside = false;
    int rc;
    memcpy(inside, p->out->plane.point_mm, sizeof inside);
    TRY(walk_inside(p, inside, &radius, inwards, &ends));
    p->ends = ends;
    if (!ends)
        return OK;
    axis_middle(&p->in, p->out->plane.point_mm, middle, &depth);
    TRY(axis_find(&p->in, inside, axis_inside, &found_inside));
    for (int a = 0; a < 3; a++) {
        cosine += axis[a] * axis_inside[a];
        along += (inside[a] - middle[a]) * axis_inside[a];
        length += (inside[a] - middle[a]) * (inside[a] - middle[a]);
    }
    along /= fmax(sqrt(length), 1e-9);
    const bool same = *found && fabs(cosine) > cos(same_direction_deg * M_PI / 180);
    if (!found_inside || same || fabs(along) < least_along) /* across the way inwards: another branch */
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

/* A given normal far off the vessel's direction is right where the vessel ends in that very plane. */
static int is_flat_end(placing *p, bool *flat) {
    double here, ahead, behind;
    bool whole;
    section s = {0};
    const double step = 1.5 * p->l->voxel_mm;
    int rc;
    TRY(look_at(p, &s, 0, &here, &whole));
    TRY(look_at(p, &s, step, &ahead, &whole));
    TRY(look_at(p, &s, -step, &behind, &whole));
    *flat = fmin(ahead, behind) < 0.3 * fmax(here, fmax(ahead, behind));
cleanup:
    section_free(&s);
    return rc;
}

/* A point at a flat end, such as masks have: its face, where the direction that was found is another one (a stub that
 * is wider than long, an end cut off at an angle). A face is closed, and about as large a voxel further inside; the
 * side of a vessel is neither. */
static int prefer_face(placing *p, double axis[3], bool *found) {
    mesh_opening *o = &p->out->plane;
    const double voxel = p->l->voxel_mm;
    double slope[3], near, inside, cosine = 0, was[3];
    bool whole, whole_inside;
    section s = {0};
    int rc;
    if (!(voxel > 0) || distance_at(p, o->point_mm) < -voxel)
        return OK;
    axis_slope(&p->in, o->point_mm, voxel, slope);
    for (int a = 0; a < 3; a++)
        cosine += slope[a] * axis[a];
    if (*found && fabs(cosine) > cos(same_direction_deg * 3 * M_PI / 180))
        return OK;
    memcpy(was, o->normal, sizeof was);
    memcpy(o->normal, slope, sizeof slope);
    const double depth = -distance_at(p, o->point_mm);
    TRY(look_at(p, &s, depth - 1.25 * voxel, &near, &whole));
    TRY(look_at(p, &s, depth - 2.25 * voxel, &inside, &whole_inside));
    if (whole && whole_inside && near > 0.75 * inside && near > 0.5 * M_PI * p->radius_mm * p->radius_mm) {
        memcpy(axis, slope, sizeof slope);
        *found = true;
    }
cleanup:
    memcpy(o->normal, was, sizeof was);
    section_free(&s);
    return rc;
}

/* Near an end the wall round the cross-section tells the direction: the smallest cross-section may lie across a corner
 * there, and further inside a bend has turned. */
static int follow_wall(placing *p, double axis[3], bool *found) {
    double middle[3], radius;
    bool turned;
    int rc;
    axis_middle(&p->in, p->out->plane.point_mm, middle, &radius);
    const double was[3] = {axis[0], axis[1], axis[2]};
    TRY(rim_follow(&p->in, middle, fmax(radius, p->radius_mm), p->out->plane.point_mm, axis, &turned));
    if (turned && p->way != 0)
        p->way *= vec_dot(was, axis) < 0 ? -1 : 1;
    *found = *found || turned;
cleanup:
    return rc;
}

/* Normal along the vessel, or the one that was asked for. */
static int find_normal(placing *p) {
    int rc;
    bool found = false, flat = false;
    double axis[3] = {0}, cosine = 0;
    mesh_opening *o = &p->out->plane;
    TRY(axis_find(&p->in, o->point_mm, axis, &found));
    TRY(look_inside(p, axis, &found));
    if (p->asked->normal_auto && p->way == 0)
        TRY(prefer_face(p, axis, &found));
    if (found && p->ends)
        TRY(follow_wall(p, axis, &found));
    if (p->asked->normal_auto) {
        if (!found)
            return fail(ERR_INPUT,
                        "opening '%s': no direction of the vessel was found at its point (it widens in every direction "
                        "there); give the normal, or move the point into a tube",
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
        return fail(
            ERR_INPUT,
            "opening '%s': its plane runs along the vessel, not across it (its normal is %.0f degrees off); leave "
            "the normal out (normal: auto) to cut straight across",
            o->name, angle);
    if (flat)
        message_info("opening '%s': its plane is the vessel's flat end, %.0f degrees off the direction of the vessel",
                     o->name, angle);
    else if (found && angle > 35)
        message_warn("opening '%s': its normal is %.0f degrees off the direction of the vessel; leave it out (normal: "
                     "auto) to cut straight across",
                     o->name, angle);
cleanup:
    return rc;
}

/* Which way along the normal does the vessel go on? 0 both ways; +-1: it ends, or leaves the image, on
 * the other side. */
static int way_inwards(const placing *p, section *s, double here, bool whole, int *way) {
    double ahead, behind;
    bool whole_ahead, whole_behind;
    const double step = 1.5 * p->l->voxel_mm;
    int rc = look_at(p, s, step, &ahead, &whole_ahead);
    if (rc == OK)
        rc = look_at(p, s, -step, &behind, &whole_behind);
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

/* Of the section last looked at: an end that cuts off a part of it? Then which way along the normal the vessel goes on.
 * A given normal may be oblique itself. */
static bool is_cut(const placing *p, const section *s, int *way) {
    double facing;
    if (!p->asked->normal_auto || !p->ends || s->n == 0 || rim_cut(s, &p->in, p->out->plane.normal, &facing) < RIM_CUT)
        return false;
    *way = facing > 0 ? -1 : 1;
    return true;
}

static void move_inside(placing *p, double shift, int way, double area) {
    mesh_opening *o = &p->out->plane;
    vec_add(o->point_mm, way * shift, o->normal, o->point_mm);
    p->out->moved_mm = shift;
    p->out->area_mm2 = area;
    void (*say)(const char *, ...) = shift > p->l->voxel_mm ? message_warn : message_info;
    if (shift >= 0.005)
        say("opening '%s' was moved %.2f mm into the vessel, where its cross-section is whole", p->asked->name, shift);
}

/* At the end of the vessel or the border of the image the plane moves inwards, to the first whole cross-section that no
 * longer grows over a voxel, at most by a radius (three voxels at least); at an end that is cut at an angle to the
 * first that it does not cut, at most by four. Where there is none it stays: voxelize names the reason. */
static int find_whole(placing *p) {
    int rc, way = (p->way > 0) - (p->way < 0), unused;
    double area, further;
    bool whole, whole_further;
    section s = {0};
    const double voxel = p->l->voxel_mm, step = fmax(0.25 * voxel, 0.04 * p->radius_mm);
    TRY(look_at(p, &s, 0, &area, &whole));
    p->out->area_mm2 = area;
    if (!(voxel > 0))
        goto cleanup;
    const bool angled = is_cut(p, &s, way == 0 ? &way : &unused) || way != 0;
    const double limit = fmax(3 * voxel, (angled ? 4 : 1) * p->radius_mm);
    if (way == 0)
        TRY(way_inwards(p, &s, area, whole, &way));
    for (double shift = 0; way != 0 && shift <= limit; shift += step) {
        TRY(look_at(p, &s, way * shift, &area, &whole));
        if (!whole || is_cut(p, &s, &unused))
            continue;
        TRY(look_at(p, &s, way * (shift + voxel), &further, &whole_further));
        if (area < 0.9 * further)
            continue;
        move_inside(p, shift, way, area);
        break;
    }
cleanup:
    section_free(&s);
    return rc;
}

/* A plane that cuts a tube obliquely: its section is as much larger than one across as its normal is off. Near an end
 * the one across is whole a radius or two further inside. (An extension goes along the normal.) */
static int confirm_oblique(placing *p) {
    mesh_opening *o = &p->out->plane;
    const double given[3] = {o->normal[0], o->normal[1], o->normal[2]}, cosine = fabs(vec_dot(given, p->axis));
    section s = {0};
    int rc = OK;
    if (vec_dot(p->axis, p->axis) == 0 || !(p->out->area_mm2 > 0) || p->asked->extension_mm > 0)
        return OK;
    memcpy(o->normal, p->axis, sizeof given);
    for (int k = 0; k < 5; k++) {
        static const double shift[5] = {0, 1, -1, 2, -2}; /* radii */
        double area;
        bool whole;
        TRY(look_at(p, &s, shift[k] * p->radius_mm, &area, &whole));
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

/* Name, role, point and normal as asked, in LPS. */
static void take_over(const case_file *c, const case_opening *asked, const volume *image, mesh_opening *o) {
    snprintf(o->name, sizeof o->name, "%s", asked->name);
    o->role = asked->role;
    o->radius_mm = asked->radius_mm;
    case_point_lps(c, asked->point, image, o->point_mm);
    if (!asked->normal_auto)
        case_vector_lps(c, asked->normal, image, o->normal);
}

int place_opening(const case_file *c, int k, const volume *image, const lumen *l, const double low_mm[3],
                  const double high_mm[3], placed_opening *out) {
    int rc;
    double middle[3], largest = 0;
    placing p = {.c = c, .asked = &c->opening[k], .l = l, .out = out};
    memset(out, 0, sizeof *out);
    take_over(c, p.asked, image, &out->plane);
    for (int a = 0; a < 3; a++)
        largest = fmax(largest, high_mm[a] - low_mm[a]);
    p.in = (voxelize_input){.distance = lumen_distance, .data = l, .steepness = lumen_steepness(l)};
    p.in.spacing_mm = l->voxel_mm > 0 ? l->voxel_mm : largest / 1000;
    const double start = distance_at(&p, out->plane.point_mm), tiny = 1e-6 * largest;
    if (l->is_shape && fabs(start) < tiny) {
        normal_of_wall(&p, 1e-3 * largest);
        return OK;
    }
    if (start >= 0)
        TRY(pull_inside(&p));
    axis_middle(&p.in, out->plane.point_mm, middle, &p.radius_mm);
    TRY(find_normal(&p));
    TRY(find_whole(&p));
    TRY(confirm_oblique(&p));
cleanup:
    return rc;
}
