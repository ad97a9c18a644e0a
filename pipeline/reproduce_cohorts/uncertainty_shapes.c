/* SPDX-License-Identifier: Apache-2.0 */
/* The vessels of verify:uncertainty. First cases: pipes and elliptic pipes with exact flow, bends, random vessels.
 * Drawn cases: vessels at any angle (ellipses and ducts along the grid), position and Reynolds number (5 to 250):
 * pipes, elliptic pipes and rectangular ducts with exact flow; tapered, stenosed, bent and forked vessels against a
 * finer grid sequence. Their parameters come from a low-discrepancy sequence (fractional parts of multiples of square
 * roots of primes), so that they are not chosen by hand. */
#include "common/base/vec.h"
#include "pipeline/reproduce_cohorts/uncertainty.h"
#include <math.h>
#include <stddef.h>

/* mu: viscosity, Pa s; nu: kinematic viscosity, m2/s; radius_mm: radius of the pipes; between_mm: distance between the
 * sections A and B of a straight vessel */
static const double mu = 4e-3, nu = 4e-6, radius_mm = 3, between_mm = 10;
static const double along_z[3] = {0, 0, 1}, origin[3] = {0, 0, 0};

/* ------------------------------------------------------------------------------------------------ places */

/* The point shift + s axis, mm, as "[x, y, z]". */
static const char *along(study_case *t, const double axis[3], const double shift[3], double s) {
    return results_format(t->x->page, "[%.9g, %.9g, %.9g]", shift[0] + s * axis[0], shift[1] + s * axis[1],
                          shift[2] + s * axis[2]);
}

/* Sets <key>.point to shift + s direction and <key>.normal to outward * direction. */
static void place_at(study_case *t, const char *key, const double direction[3], const double shift[3], double s,
                     double outward) {
    study_case_set(t, results_format(t->x->page, "%s.point", key), "%s", along(t, direction, shift, s));
    study_case_set(t, results_format(t->x->page, "%s.normal", key), "%s", along(t, direction, origin, outward));
}

/* Sets openings and sections of a vessel that enters along `in` to the point `shift` and leaves along `out`. a, b:
 * distances of the sections A and B from this point. */
static void place(study_case *t, const double in[3], const double out[3], const double shift[3], double a, double b) {
    place_at(t, "openings.IN", in, shift, -12, -1);
    place_at(t, "openings.OUT", out, shift, 12, 1);
    place_at(t, "sections.A", in, shift, -a, 1);
    place_at(t, "sections.B", out, shift, b, 1);
}

static void place_straight(study_case *t, const double axis[3], const double shift[3]) {
    place(t, axis, axis, shift, between_mm / 2, between_mm / 2);
}

static void set_flow(study_case *t, double flow_ml_s) {
    study_case_set(t, "openings.IN.flow", "%.9g mL/s", flow_ml_s);
}

/* Openings of a vessel that is not round. */
static void set_wide_openings(study_case *t) {
    study_case_set(t, "openings.IN.radius", "8 mm");
    study_case_set(t, "openings.OUT.radius", "8 mm");
}

/* ------------------------------------------------------------------------------------------------ exact flows */

/* Pipe along a unit vector (Hagen-Poiseuille). */
static void set_pipe(study_case *t, const double axis[3], const double shift[3], double flow_ml_s,
                     uncertainty_truth *truth) {
    const double wss = 4e-6 * mu * flow_ml_s / (M_PI * 1e-9 * pow(radius_mm, 3));
    study_case_set(t, "mesh.shape", "{type: cylinder, from: %s, to: %s, radius: %g mm}", along(t, axis, shift, -14),
                   along(t, axis, shift, 14), radius_mm);
    set_flow(t, flow_ml_s);
    place_straight(t, axis, shift);
    *truth = (uncertainty_truth){2 * wss * between_mm / radius_mm, wss, wss};
}

/* Mean and 99th percentile of the wall shear stress of an elliptic pipe, divided by the pressure gradient, mm. The
 * velocity is w = (1 - x^2/a^2 - y^2/b^2) a^2 b^2 / (2 (a^2 + b^2)) times gradient over viscosity; the slope of w at
 * the wall is a^2 b^2 / (a^2 + b^2) |(x/a^2, y/b^2)|. The mean is area over perimeter. */
static void ellipse_stress(double a, double b, double *mean_mm, double *p99_mm) {
    enum { N = 20000 };
    double length = 0, above = 0, angle = 0;
    const double step = M_PI / 2 / N;
    for (int k = 0; k < N; k++)
        length += step * hypot(a * sin((k + 0.5) * step), b * cos((k + 0.5) * step));
    /* from the end of the short axis, where the stress is largest */
    for (int k = N - 1; k >= 0 && above < 0.01 * length; k--) {
        angle = (k + 0.5) * step;
        above += step * hypot(a * sin(angle), b * cos(angle));
    }
    *mean_mm = M_PI * a * b / (4 * length);
    *p99_mm = a * a * b * b / (a * a + b * b) * hypot(cos(angle) / a, sin(angle) / b);
}

/* Elliptic pipe along z with half axes a and b, mm: Q = pi a^3 b^3 G / (4 mu (a^2 + b^2)). */
static void set_ellipse(study_case *t, const double shift[3], double a, double b, double flow_ml_s,
                        uncertainty_truth *truth) {
    const double pa_per_mm = 4e3 * mu * flow_ml_s * (a * a + b * b) / (M_PI * pow(a * b, 3));
    double mean_mm, p99_mm;
    ellipse_stress(a, b, &mean_mm, &p99_mm);
    study_case_set(t, "mesh.shape", "{type: ellipse, centre: [%.9g, %.9g, 0], half_axes: [%.9g mm, %.9g mm]}", shift[0],
                   shift[1], a, b);
    set_flow(t, flow_ml_s);
    set_wide_openings(t);
    place_straight(t, along_z, shift);
    *truth = (uncertainty_truth){pa_per_mm * between_mm, pa_per_mm * mean_mm, pa_per_mm * p99_mm};
}

/* ------------------------------------------------------------------------------------------------ the first cases */

/* Pipe at one of three angles to the grid, with one of three flows (Re 21, 101, 212), at one of two positions. */
static void set_first_pipe(study_case *t, int k, uncertainty_truth *truth) {
    static const double axis[3][3] = {{0, 0, 1}, {0, 0.6, 0.8}, {0.48, 0.36, 0.8}}, flow_ml_s[3] = {0.4, 1.9, 4},
                        shift[2][3] = {{0, 0, 0}, {0.13, 0.21, 0.07}};
    set_pipe(t, axis[k % 3], shift[k / 9], flow_ml_s[k / 3 % 3], truth);
}

static void set_first_ellipse(study_case *t, int k, uncertainty_truth *truth) {
    static const double shift[3] = {0.11, 0.05, 0.02}, flow_ml_s[3] = {0.4, 1.9, 4};
    set_ellipse(t, shift, 4, 2.5, flow_ml_s[k], truth);
    truth->p99_pa = NAN; /* compared for the drawn cases only */
}

/* Half a ring around the point `centre`, with axis z. */
static void set_bend(study_case *t, const double centre[3], double bend_mm, double flow_ml_s) {
    static const double angle[2] = {0.8, 2.3}; /* of the sections */
    static const char *const section[2] = {"sections.A", "sections.B"};
    static const double right[3] = {1, 0, 0};
    study_case_set(t, "mesh.shape",
                   "{type: torus, centre: [%.9g, %.9g, %.9g], axis: [0, 0, 1], radius: %g mm, bend: %.9g mm}",
                   centre[0], centre[1], centre[2], radius_mm, bend_mm);
    study_case_set(t, "openings.IN.point", "%s", along(t, right, centre, bend_mm));
    study_case_set(t, "openings.IN.normal", "[0, -1, 0]");
    study_case_set(t, "openings.OUT.point", "%s", along(t, right, centre, -bend_mm));
    study_case_set(t, "openings.OUT.normal", "[0, -1, 0]");
    for (int k = 0; k < 2; k++) {
        const double from_centre[3] = {cos(angle[k]), sin(angle[k]), 0},
                     tangent[3] = {-sin(angle[k]), cos(angle[k]), 0};
        study_case_set(t, results_format(t->x->page, "%s.point", section[k]), "%s",
                       along(t, from_centre, centre, bend_mm));
        study_case_set(t, results_format(t->x->page, "%s.normal", section[k]), "%s", along(t, tangent, origin, 1));
    }
    set_flow(t, flow_ml_s);
}

static void set_first_bend(study_case *t, int k, uncertainty_truth *truth) {
    static const double flow_ml_s[3] = {0.6, 1.5, 3};
    (void)truth;
    set_bend(t, origin, 18, flow_ml_s[k]);
    study_case_set(t, "mesh.box", "{low: [-24, -2, -5], high: [24, 24, 5]}");
}

/* ------------------------------------------------------------------------------------------------ drawn cases */

/* Parameter j of draw k, between low and high. */
static double drawn(int k, int j, double low, double high) {
    static const double prime[] = {2, 3, 5, 7, 11, 13, 17, 19, 23};
    const double x = (k + 1) * sqrt(prime[j]);
    return low + (high - low) * (x - floor(x));
}

/* Position of a vessel: unit vector along its axis, unit vector across the axis, point of the axis. */
typedef struct {
    double axis[3], across[3], shift[3];
} pose;

static pose pose_drawn(int k) {
    const double z = drawn(k, 0, 0, 1), turn = drawn(k, 1, 0, 2 * M_PI), r = sqrt(1 - z * z);
    pose p = {.axis = {r * cos(turn), r * sin(turn), z}};
    const double side[3] = {-sin(turn), cos(turn), 0}, roll = drawn(k, 8, 0, 2 * M_PI);
    double other[3];
    vec_cross(p.axis, side, other);
    for (int a = 0; a < 3; a++) {
        p.across[a] = cos(roll) * side[a] + sin(roll) * other[a];
        p.shift[a] = drawn(k, 2 + a, 0, 0.4);
    }
    return p;
}

/* Flow for the Reynolds number of draw k (5 to 250) in a circle of radius `radius`, mm. */
static double flow_drawn(int k, double radius) {
    const double reynolds = 5 * pow(50, drawn(k, 5, 0, 1));
    return 1e6 * reynolds * nu * M_PI * 1e-3 * radius / 2;
}

/* Sets direction: unit vector at `angle` to the axis of the vessel. */
static void turned(const pose *p, double angle, double direction[3]) {
    for (int a = 0; a < 3; a++)
        direction[a] = cos(angle) * p->axis[a] + sin(angle) * p->across[a];
}

static void set_drawn_pipe(study_case *t, int k, uncertainty_truth *truth) {
    const pose p = pose_drawn(k);
    set_pipe(t, p.axis, p.shift, flow_drawn(k, radius_mm), truth);
}

static void set_drawn_ellipse(study_case *t, int k, uncertainty_truth *truth) {
    const double part = drawn(k, 0, 1.05, 1.5);
    set_ellipse(t, pose_drawn(k).shift, radius_mm * part, radius_mm / part, flow_drawn(k, radius_mm), truth);
}

/* Rectangular duct: Q = w h^3 G / (12 mu) (1 - 192 h / (pi^5 w) sum tanh(n pi w / 2h) / n^5), n odd, h the shorter side
 * (White 2006). The wall shear stress of a duct with corners is not compared. */
static void set_duct(study_case *t, int k, uncertainty_truth *truth) {
    const double h = 5, w = h * drawn(k, 0, 1, 1.8), flow = flow_drawn(k, radius_mm);
    const pose p = pose_drawn(k);
    double sum = 0;
    for (int n = 1; n < 60; n += 2)
        sum += tanh(n * M_PI * w / (2 * h)) / pow(n, 5);
    const double part = 1 - 192 * h / (pow(M_PI, 5) * w) * sum;
    study_case_set(t, "mesh.shape", "{type: box, low: [%.9g, %.9g, -100], high: [%.9g, %.9g, 100]}", p.shift[0] - w / 2,
                   p.shift[1] - h / 2, p.shift[0] + w / 2, p.shift[1] + h / 2);
    set_flow(t, flow);
    set_wide_openings(t);
    place_straight(t, along_z, p.shift);
    truth->drop_pa = 1e-3 * 12 * mu * 1e-6 * flow / (w * pow(h, 3) * 1e-12 * part) * between_mm;
}

static void set_taper(study_case *t, int k, uncertainty_truth *truth) {
    const pose p = pose_drawn(k);
    const double end_mm = drawn(k, 6, 2.3, 2.9);
    (void)truth;
    study_case_set(t, "mesh.shape",
                   "{type: tree, segments: [{from: %s, to: %s, radius_from: %g mm, radius_to: %.9g mm}]}",
                   along(t, p.axis, p.shift, -15), along(t, p.axis, p.shift, 15), radius_mm, end_mm);
    set_flow(t, flow_drawn(k, end_mm));
    place_straight(t, p.axis, p.shift);
}

static void set_stenosis(study_case *t, int k, uncertainty_truth *truth) {
    const pose p = pose_drawn(k);
    const double throat_mm = drawn(k, 6, 2, 2.6);
    (void)truth;
    study_case_set(t, "mesh.shape", "{type: stenosis, from: %s, to: %s, radius: %g mm, throat: %.9g mm, length: 12 mm}",
                   along(t, p.axis, p.shift, -14), along(t, p.axis, p.shift, 14), radius_mm, throat_mm);
    set_flow(t, flow_drawn(k, throat_mm));
    place(t, p.axis, p.axis, p.shift, 8, 8);
}

/* Two pipes that meet at an angle. */
static void set_mitre(study_case *t, int k, uncertainty_truth *truth) {
    const pose p = pose_drawn(k);
    double next[3];
    (void)truth;
    turned(&p, drawn(k, 6, 0.4, 1.2), next);
    const char *middle = along(t, p.axis, p.shift, 0);
    study_case_set(t, "mesh.shape",
                   "{type: tree, segments: [{from: %s, to: %s, radius_from: 3 mm, radius_to: 3 mm}, {from: %s, to: %s, "
                   "radius_from: 3 mm, radius_to: 3 mm}]}",
                   along(t, p.axis, p.shift, -14), middle, middle, along(t, next, p.shift, 14));
    set_flow(t, flow_drawn(k, radius_mm));
    place(t, p.axis, next, p.shift, between_mm / 2, 7);
}

static void set_drawn_bend(study_case *t, int k, uncertainty_truth *truth) {
    const pose p = pose_drawn(k);
    const double bend_mm = drawn(k, 6, 9, 20);
    (void)truth;
    set_bend(t, p.shift, bend_mm, flow_drawn(k, radius_mm));
    study_case_set(t, "mesh.box", "{low: [%.9g, -2, -5], high: [%.9g, %.9g, 5]}", -bend_mm - 5, bend_mm + 5,
                   bend_mm + 5);
}

/* A trunk with two branches. Both outlets have pressure 0, so the resistances of the branches divide the flow. */
static void set_fork(study_case *t, int k, uncertainty_truth *truth) {
    const pose p = pose_drawn(k);
    const double r[2] = {drawn(k, 6, 2.2, 2.7), drawn(k, 7, 2.2, 2.7)}, *s = p.shift;
    const char *middle = along(t, p.axis, s, 0);
    double arm[2][3];
    (void)truth;
    for (int b = 0; b < 2; b++)
        turned(&p, drawn(k, b, 0.35, 0.9) * (b ? -1 : 1), arm[b]);
    study_case_set(
        t, "mesh.shape",
        "{type: tree, segments: [{from: %s, to: %s, radius_from: 3 mm, radius_to: 3 mm}, {from: %s, to: %s, "
        "radius_from: %.9g mm, radius_to: %.9g mm}, {from: %s, to: %s, radius_from: %.9g mm, radius_to: %.9g mm}]}",
        along(t, p.axis, s, -14), middle, middle, along(t, arm[0], s, 15), r[0], r[0], middle, along(t, arm[1], s, 15),
        r[1], r[1]);
    study_case_set(
        t, "openings",
        "[{name: IN, role: inlet, point: %s, normal: %s, radius: 4.5 mm, flow: %.9g mL/s}, {name: OUT, role: "
        "outlet, point: %s, normal: %s, radius: 4 mm, pressure: 0 mmHg}, {name: OUT2, role: outlet, point: %s, "
        "normal: %s, radius: 4 mm, pressure: 0 mmHg}]",
        along(t, p.axis, s, -12), along(t, p.axis, origin, -1), flow_drawn(k, radius_mm), along(t, arm[0], s, 13),
        along(t, arm[0], origin, 1), along(t, arm[1], s, 13), along(t, arm[1], origin, 1));
    place_at(t, "sections.A", p.axis, s, -7, 1);
    place_at(t, "sections.B", arm[0], s, 9, 1);
}

/* ------------------------------------------------------------------------------------------------ the table */

/* Draws below 54 served to set the minimum width of the intervals. */
const uncertainty_kind uncertainty_kinds[] = {
    {"pipe-", 0, 0, {1, 0, 0}, 4, set_first_pipe, false, false},
    {"pipe-", 0, 0, {0, 18, 18}, 0, set_first_pipe, false, false},
    {"ellipse-", 1, 0, {1, 3, 3}, 0, set_first_ellipse, false, false},
    {"bend-", 1, 0, {0, 1, 3}, 0, set_first_bend, true, false},
    {"seed-", 2, 1, {0, 0, 14}, 1, NULL, true, false},
    {"drawn-pipe-", 2, 1, {0, 24, 24}, 54, set_drawn_pipe, false, true},
    {"drawn-ellipse-", 2, 1, {0, 10, 10}, 78, set_drawn_ellipse, false, true},
    {"drawn-duct-", 2, 1, {0, 6, 6}, 88, set_duct, false, true},
    {"drawn-taper-", 2, 1, {0, 0, 6}, 94, set_taper, true, true},
    {"drawn-stenosis-", 2, 1, {0, 0, 4}, 100, set_stenosis, true, true},
    {"drawn-mitre-", 2, 1, {0, 0, 4}, 104, set_mitre, true, true},
    {"drawn-bend-", 2, 1, {0, 0, 4}, 108, set_drawn_bend, true, true},
    {"drawn-fork-", 2, 1, {0, 0, 4}, 112, set_fork, true, true},
};
const int uncertainty_kinds_count = sizeof uncertainty_kinds / sizeof *uncertainty_kinds;
