/* SPDX-License-Identifier: Apache-2.0 */
/* Phantoms in the boxes of Shang et al. 2023, tables 2, 4 and 5. See kinds.h.
 *
 * A node has a relative position u between two opposite faces of the box. At u = 0 the wall of the vessel touches the
 * low face, at u = 1 the high face. The box is therefore the bounding box for any radii. A vessel that leaves the box
 * has a node at LOW or HIGH. */
#include "common/base/status.h"
#include "data/phantom/kinds.h"
#include "data/phantom/vessel_curve.h"
#include <stddef.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
#define LOW      (-1.0)
#define HIGH     2.0

/* STEP: upper limit of a segment's length; BEYOND: length of the straight extension beyond an opening; both in radii */
static const double STEP = 0.8, BEYOND = 2;

typedef struct {
    double u[3], radius_mm;
    const char *branch;
    /* distance of the node from the face of the box at u = 0 or 1. Above 0: the radius of the vessel that this vessel
     * joins here, so that the nodes of both vessels coincide. 0: the radius of this node */
    double place_mm;
} box_node;

typedef struct {
    int kind, dims[3];
    double spacing_mm, fluid_fraction;
} box_case;

static const box_case cases[] = {{PHANTOM_SHANG_PIPE, {64, 64, 249}, 0.25, 0.766},
                                 {PHANTOM_SHANG_PORTAL_1, {132, 143, 174}, 0.35, 0.131},
                                 {PHANTOM_SHANG_PORTAL_2, {184, 145, 184}, 0.35, 0.192},
                                 {PHANTOM_SHANG_PORTAL_3, {184, 173, 159}, 0.35, 0.242},
                                 {PHANTOM_HEPATIC_PORTAL, {586, 532, 442}, 0.35, 0.266}};

static const vessel_curve_end smv = {"SMV", true, 0.6}, sv = {"SV", true, 0.4}, pv = {"PV", false, 0},
                              rpv = {"RPV", false, 0}, lpv = {"LPV", false, 0};

void boxes_set_dims(phantom *p) {
    for (int i = 0; i < COUNT(cases); i++)
        if (cases[i].kind == p->kind) {
            memcpy(p->dims, cases[i].dims, sizeof p->dims);
            p->spacing_mm = cases[i].spacing_mm;
            p->fluid_fraction = cases[i].fluid_fraction;
        }
}

static int limb_draw(phantom *p, double step, int n, const box_node *drawn, const vessel_curve_end *start,
                     const vessel_curve_end *end) {
    vessel_curve_node node[16];
    if (n > COUNT(node))
        return fail(ERR_INTERNAL, "a vessel in a box has more than %d nodes (error in the program)", COUNT(node));
    for (int i = 0; i < n; i++) {
        const double place = p->multiplier * (drawn[i].place_mm > 0 ? drawn[i].place_mm : drawn[i].radius_mm);
        node[i].radius_mm = p->multiplier * drawn[i].radius_mm;
        node[i].branch = drawn[i].branch;
        for (int k = 0; k < 3; k++) {
            const double length = p->dims[k] * p->spacing_mm, u = drawn[i].u[k];
            node[i].point_mm[k] = u < 0   ? p->spacing_mm
                                  : u > 1 ? length - p->spacing_mm
                                          : place + u * (length - 2 * place);
        }
    }
    return vessel_curve_add(p, n, node, step, BEYOND, start, end);
}

static int draw_pipe(phantom *p) {
    static const vessel_curve_end inlet = {"inlet", true, 0.6}, outlet = {"outlet", false, 0};
    static const box_node node[] = {{{0.5, 0.5, LOW}, 8, "TUBE", 0}, {{0.5, 0.5, HIGH}, 8, NULL, 0}};
    return limb_draw(p, 100, COUNT(node), node, &inlet, &outlet);
}

static int draw_portal_1(phantom *p) {
    static const box_node trunk[] = {{{0.62, 0.20, LOW}, 5.6, "SMV", 0}, {{0.62, 0.20, 0.10}, 5.6, NULL, 0},
                                     {{0.60, 0.45, 0.33}, 6, NULL, 0},   {{0.50, 0.75, 0.50}, 6.8, "PV", 0},
                                     {{0.30, 1.00, 0.66}, 6.8, NULL, 0}, {{0.00, 0.85, 0.88}, 6.8, NULL, 0},
                                     {{0.00, 0.85, HIGH}, 6.8, NULL, 0}};
    static const box_node splenic[] = {{{HIGH, 0.00, 0.78}, 4.8, "SV", 0},
                                       {{0.88, 0.00, 0.78}, 4.8, NULL, 0},
                                       {{0.72, 0.35, 0.64}, 4.8, NULL, 0},
                                       {{0.50, 0.75, 0.50}, 4.8, NULL, 6.8}};
    int rc = OK;
    TRY(limb_draw(p, STEP, COUNT(trunk), trunk, &smv, &pv));
    TRY(limb_draw(p, STEP, COUNT(splenic), splenic, &sv, NULL));
cleanup:
    return rc;
}

/* Draw a trunk from SMV to RPV, with the splenic vein joining it and the left branch leaving it. */
static int draw_tree(phantom *p, const box_node trunk[8], const box_node splenic[4], const box_node left[4]) {
    int rc = OK;
    TRY(limb_draw(p, STEP, 8, trunk, &smv, &rpv));
    TRY(limb_draw(p, STEP, 4, splenic, &sv, NULL));
    TRY(limb_draw(p, STEP, 4, left, NULL, &lpv));
cleanup:
    return rc;
}

static int draw_portal_2(phantom *p) {
    static const box_node trunk[] = {{{0.70, 0.30, LOW}, 7, "SMV", 0},   {{0.70, 0.30, 0.10}, 7, NULL, 0},
                                     {{0.66, 0.52, 0.25}, 7.4, NULL, 0}, {{0.60, 0.80, 0.38}, 8, "PV", 0},
                                     {{0.42, 1.00, 0.55}, 8, NULL, 0},   {{0.25, 0.85, 0.72}, 7.4, "RPV", 0},
                                     {{0.10, 0.60, 0.80}, 6, NULL, 0},   {{LOW, 0.60, 0.80}, 6, NULL, 0}};
    static const box_node splenic[] = {{{HIGH, 0.45, 0.66}, 6, "SV", 0},
                                       {{0.90, 0.45, 0.66}, 6, NULL, 0},
                                       {{0.78, 0.66, 0.52}, 6, NULL, 0},
                                       {{0.60, 0.80, 0.38}, 6, NULL, 8}};
    static const box_node left[] = {{{0.25, 0.85, 0.72}, 5.8, "LPV", 7.4},
                                    {{0.32, 0.50, 0.92}, 5.6, NULL, 0},
                                    {{0.40, 0.20, 1.00}, 5.6, NULL, 0},
                                    {{0.40, LOW, 1.00}, 5.6, NULL, 0}};
    return draw_tree(p, trunk, splenic, left);
}

static int draw_portal_3(phantom *p) {
    static const box_node trunk[] = {{{0.50, 0.15, LOW}, 8, "SMV", 0},   {{0.50, 0.15, 0.10}, 8, NULL, 0},
                                     {{0.52, 0.50, 0.28}, 8.4, NULL, 0}, {{0.50, 0.80, 0.45}, 9, "PV", 0},
                                     {{0.38, 1.00, 0.60}, 9, NULL, 0},   {{0.25, 0.85, 0.75}, 8.4, "RPV", 0},
                                     {{0.12, 0.55, 0.80}, 7, NULL, 0},   {{LOW, 0.55, 0.80}, 7, NULL, 0}};
    static const box_node splenic[] = {{{HIGH, 0.70, 0.30}, 7, "SV", 0},
                                       {{0.88, 0.70, 0.30}, 7, NULL, 0},
                                       {{0.70, 0.78, 0.36}, 7, NULL, 0},
                                       {{0.50, 0.80, 0.45}, 7, NULL, 9}};
    static const box_node left[] = {{{0.25, 0.85, 0.75}, 6.6, "LPV", 8.4},
                                    {{0.38, 0.50, 0.95}, 6.4, NULL, 0},
                                    {{0.60, 0.20, 1.00}, 6.4, NULL, 0},
                                    {{0.60, LOW, 1.00}, 6.4, NULL, 0}};
    return draw_tree(p, trunk, splenic, left);
}

/* Draw portal vein, liver, hepatic veins and cava. The vessels keep their radii; the multiplier scales the liver, which
 * touches the low x and y faces of the box. */
static int draw_hepatic_portal(phantom *p) {
    static const vessel_curve_end below = {"IVCin", true, 2.0}, above = {"IVCout", false, 0};
    static const vessel_curve_node cava[] = {{{120, 176.2, 0.35}, 10, "IVC"},
                                             {{120, 176.2, 60}, 10, NULL},
                                             {{122, 174, 128}, 10, NULL},
                                             {{122, 174, 154.35}, 10, NULL}};
    static const vessel_curve_node trunk[] = {{{168, 105, 0.35}, 5.2, "SMV"}, {{168, 105, 12}, 5.4, NULL},
                                              {{170, 120, 36}, 6.0, "PV"},    {{163, 132, 55}, 6.3, NULL},
                                              {{148, 132, 68}, 5.8, "RPV"},   {{128, 122, 72}, 4.8, NULL},
                                              {{105, 105, 74}, 4.8, NULL}};
    static const vessel_curve_node splenic[] = {{{204.75, 132, 60}, 4.5, "SV"},
                                                {{196, 132, 60}, 4.5, NULL},
                                                {{184, 128, 48}, 4.5, NULL},
                                                {{170, 120, 36}, 4.6, NULL}};
    static const vessel_curve_node left[] = {
        {{148, 132, 68}, 4.6, "LPV"}, {{144, 112, 82}, 4.4, NULL}, {{132, 80, 92}, 4.2, NULL}};
    static const vessel_curve_node right_vein[] = {
        {{60, 115, 108}, 4.5, "RHV"}, {{90, 145, 120}, 4.5, NULL}, {{122, 174, 130}, 4.5, NULL}};
    static const vessel_curve_node middle_vein[] = {
        {{95, 100, 112}, 4.2, "MHV"}, {{110, 140, 124}, 4.2, NULL}, {{122, 174, 134}, 4.2, NULL}};
    static const vessel_curve_node left_vein[] = {
        {{128, 95, 112}, 4.0, "LHV"}, {{130, 140, 128}, 4.0, NULL}, {{122, 174, 138}, 4.0, NULL}};
    static const double half[3] = {85, 70, 62};
    int rc = OK;
    TRY(vessel_curve_add(p, COUNT(cava), cava, STEP, BEYOND, &below, &above));
    TRY(vessel_curve_add(p, COUNT(trunk), trunk, STEP, BEYOND, &smv, NULL));
    TRY(vessel_curve_add(p, COUNT(splenic), splenic, STEP, BEYOND, &sv, NULL));
    TRY(vessel_curve_add(p, COUNT(left), left, STEP, BEYOND, NULL, NULL));
    TRY(vessel_curve_add(p, COUNT(right_vein), right_vein, STEP, BEYOND, NULL, NULL));
    TRY(vessel_curve_add(p, COUNT(middle_vein), middle_vein, STEP, BEYOND, NULL, NULL));
    TRY(vessel_curve_add(p, COUNT(left_vein), left_vein, STEP, BEYOND, NULL, NULL));
    p->shape.kind = SHAPE_CHAMBER;
    p->shape.n_ellipsoid = 1;
    for (int k = 0; k < 3; k++)
        p->ellipsoid[0].half[k] = p->multiplier * half[k];
    p->ellipsoid[0].centre[0] = p->ellipsoid[0].half[0];
    p->ellipsoid[0].centre[1] = p->ellipsoid[0].half[1];
    p->ellipsoid[0].centre[2] = 84;
cleanup:
    return rc;
}

int boxes_draw(phantom *p) {
    for (int k = 0; k < 3; k++) {
        p->low_mm[k] = 0;
        p->high_mm[k] = p->dims[k] * p->spacing_mm;
    }
    switch (p->kind) {
    case PHANTOM_SHANG_PIPE:
        return draw_pipe(p);
    case PHANTOM_SHANG_PORTAL_1:
        return draw_portal_1(p);
    case PHANTOM_SHANG_PORTAL_2:
        return draw_portal_2(p);
    case PHANTOM_SHANG_PORTAL_3:
        return draw_portal_3(p);
    default:
        return draw_hepatic_portal(p);
    }
}
