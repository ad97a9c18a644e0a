/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of all numbers: SOURCES.md. LPS: x to the patient's left, y to the back, z to the head. */
#include "data/phantom/kinds.h"
#include "common/base/status.h"
#include "data/phantom/vessel_curve.h"
#include <math.h>
#include <stddef.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* STEP: upper limit of a segment's length; BEYOND: length of the straight extension beyond an opening; both in radii */
static const double STEP = 0.4, BEYOND = 2;

const vessel_curve_node kinds_portal_trunk[KINDS_TRUNK] = {
    {{4, -14, -52}, 5.2, "SMV"}, {{3, -10, -26}, 5.4, NULL},  {{0, 0, 0}, 6.0, "PV"},     {{-14, 5, 22}, 6.3, NULL},
    {{-30, 3, 44}, 6.3, NULL},   {{-41, -3, 58}, 5.8, "RPV"}, {{-54, -3, 68}, 4.8, NULL}, {{-72, 2, 77}, 4.5, NULL}};
const vessel_curve_node kinds_portal_splenic[KINDS_SPLENIC] = {
    {{62, 22, 14}, 4.5, "SV"}, {{42, 21, 6}, 4.5, NULL}, {{20, 12, -2}, 4.6, NULL}, {{0, 0, 0}, 4.6, NULL}};
const vessel_curve_node kinds_portal_left[KINDS_LEFT] = {
    {{-41, -3, 58}, 4.6, "LPV"}, {{-37, -14, 71}, 4.4, NULL}, {{-26, -28, 82}, 4.2, NULL}};
const vessel_curve_end kinds_portal_smv = {"SMV", true, 0.6}, kinds_portal_sv = {"SV", true, 0.4},
                       kinds_portal_rpv = {"RPV", false, 0}, kinds_portal_lpv = {"LPV", false, 0};

int kinds_portal(phantom *p) {
    int rc = OK;
    TRY(vessel_curve_add(p, KINDS_TRUNK, kinds_portal_trunk, STEP, BEYOND, &kinds_portal_smv, &kinds_portal_rpv));
    TRY(vessel_curve_add(p, KINDS_SPLENIC, kinds_portal_splenic, STEP, BEYOND, &kinds_portal_sv, NULL));
    TRY(vessel_curve_add(p, KINDS_LEFT, kinds_portal_left, STEP, BEYOND, NULL, &kinds_portal_lpv));
cleanup:
    return rc;
}

static const vessel_curve_end tube_outlet = {"outlet", false, 0};

/* Draw a straight tube of radius 4 mm and length 48 mm along (1, 2, 6). */
int kinds_tube(phantom *p) {
    const double unit = 24 / sqrt(41);
    const vessel_curve_node node[] = {{{-unit, -2 * unit, -6 * unit}, 4, "TUBE"},
                                      {{unit, 2 * unit, 6 * unit}, 4, NULL}};
    static const vessel_curve_end inlet = {"inlet", true, 0.06};
    return vessel_curve_add(p, COUNT(node), node, 100, BEYOND, &inlet, &tube_outlet);
}

/* Draw a tube of radius 4 mm with a bend of 120 degrees about the y axis, of 30 mm bend radius, and straight ends of 20
 * mm. */
int kinds_curved(phantom *p) {
    enum { BENDS = 12, NODES = BENDS + 5 };
    const double bend = 30, leg = 20, half = M_PI / 3;
    vessel_curve_node node[NODES];
    for (int i = 0; i < NODES; i++) {
        const double angle = half * (2.0 * (i - 2) / BENDS - 1);
        const double held = fmin(fmax(angle, -half), half); /* angle of the bend at the node, constant along the
                                                             * straight ends of two nodes each */
        const double along = (i < 2 ? i - 2 : i >= NODES - 2 ? i - (NODES - 3) : 0) * leg / 2;
        node[i] = (vessel_curve_node){
            {bend * cos(held) - along * sin(held), 0, bend * sin(held) + along * cos(held)}, 4, NULL};
    }
    node[0].branch = "TUBE";
    static const vessel_curve_end inlet = {"inlet", true, 0.3};
    return vessel_curve_add(p, NODES, node, STEP, BEYOND, &inlet, &tube_outlet);
}

/* Draw a tube of radius 4 mm and length 80 mm, narrowed by a cosine to a radius of 2.4 mm over 16 mm: 64 % less area.
 * The wall has the radius R(x) and the slope R'(x). A segment joins two balls that are tangent to the wall: their
 * centres are at x + R R', their radii are R sqrt(1 + R'^2). */
int kinds_stenosis(phantom *p) {
    enum { STEPS = 32, NODES = STEPS + 3 };
    const double depth = 1.6, length = 16;
    vessel_curve_node node[NODES] = {{{0, 0, -40}, 4, "TUBE"}};
    for (int i = 0; i <= STEPS; i++) {
        const double x = length * ((double)i / STEPS - 0.5), phase = 2 * M_PI * x / length;
        const double radius = 4 - depth * 0.5 * (1 + cos(phase)), slope = depth * M_PI / length * sin(phase);
        node[i + 1] = (vessel_curve_node){{0, 0, x + radius * slope}, radius * hypot(1, slope), NULL};
    }
    node[NODES - 1] = (vessel_curve_node){{0, 0, 40}, 4, NULL};
    static const vessel_curve_end inlet = {"inlet", true, 0.2};
    return vessel_curve_add(p, NODES, node, 100, BEYOND, &inlet, &tube_outlet);
}

/* Draw a carotid bifurcation. The stenosis of the internal carotid artery (ICA), 12 mm above its origin, has a radius
 * of 1.45 mm, 40 % less than the 2.4 mm downstream. */
int kinds_carotid(phantom *p) {
    static const vessel_curve_node internal[] = {
        {{-1, 0, -35}, 3.2, "CCA"},  {{-1, 0, -22}, 3.2, NULL},   {{-0.5, 0, -10}, 3.3, NULL}, {{1, 1, -3}, 3.7, "ICA"},
        {{3, 2.5, 2}, 3.4, NULL},    {{4.7, 4, 6}, 2.4, NULL},    {{5.9, 5, 9}, 1.45, NULL},   {{7, 6, 12}, 2.1, NULL},
        {{8.3, 7.2, 16}, 2.4, NULL}, {{9.8, 8.6, 24}, 2.4, NULL}, {{10.2, 9, 35}, 2.4, NULL}};
    static const vessel_curve_node external[] = {{{-0.5, 0, -6}, 2.4, "ECA"},    {{-3, -1.5, 0}, 2.2, NULL},
                                                 {{-6.5, -4.5, 9}, 2.1, NULL},   {{-9.3, -7.5, 20}, 2.1, NULL},
                                                 {{-10.4, -8.8, 27}, 2.1, NULL}, {{-11, -9.5, 35}, 2.1, NULL}};
    static const vessel_curve_end cca = {"CCA", true, 0.18}, ica = {"ICA", false, 0}, eca = {"ECA", false, 0};
    int rc = OK;
    TRY(vessel_curve_add(p, COUNT(internal), internal, STEP, BEYOND, &cca, &ica));
    TRY(vessel_curve_add(p, COUNT(external), external, STEP, BEYOND, NULL, &eca));
cleanup:
    return rc;
}
