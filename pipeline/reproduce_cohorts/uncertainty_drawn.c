/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of uncertainty.h: vessels at any angle (ellipses and ducts along the grid), position and
 * Reynolds number (5 to 250). Pipes, elliptic pipes and rectangular ducts with exact flow; tapered, stenosed, bent
 * and forked vessels against a finer grid sequence. Parameters come from a low-discrepancy sequence (fractional
 * parts of multiples of square roots of primes), so that they are not chosen by hand. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "pipeline/reproduce_cohorts/uncertainty.h"
#include <math.h>
#include <stdio.h>

enum {
    FIRST = 54
}; /* number of the first draw that counts; earlier draws served to set the minimum width of the
                      * intervals */
enum { PIPES = 24, ELLIPSES = 10, DUCTS = 6, TAPERS = 6, STENOSES = 4, MITRES = 4, BENDS = 4, FORKS = 4 };
_Static_assert(PIPES + ELLIPSES + DUCTS + TAPERS + STENOSES + MITRES + BENDS + FORKS == UNCERTAINTY_DRAWN, "cases");
static const double radius_mm = UNCERTAINTY_RADIUS_MM;

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
    return 1e6 * reynolds * UNCERTAINTY_NU * M_PI * 1e-3 * radius / 2;
}

/* Sets direction: unit vector at `angle` to the axis of the vessel. */
static void turned(const pose *p, double angle, double direction[3]) {
    for (int a = 0; a < 3; a++)
        direction[a] = cos(angle) * p->axis[a] + sin(angle) * p->across[a];
}

static void at(study_case *t, const char *key, const double direction[3], const double shift[3], double s) {
    char text[96];
    uncertainty_along(direction, shift, s, text);
    study_case_set(t, key, "%s", text);
}

/* -------------------------------------------------------------------------------------------- exact flows */

static int pipe_drawn(const study_context *x, results *out, study_case *t, const char *name, int k, readings *all) {
    const pose p = pose_drawn(k);
    return uncertainty_pipe(x, out, t, name, p.axis, p.shift, flow_drawn(k, radius_mm), all);
}

static int ellipse(const study_context *x, results *out, study_case *t, const char *name, int k, readings *all) {
    const double part = drawn(k, 0, 1.05, 1.5);
    const double half_axes_mm[2] = {radius_mm * part, radius_mm / part};
    const pose p = pose_drawn(k);
    const double flow = flow_drawn(k, radius_mm);
    return uncertainty_ellipse(x, out, t, name, p.shift, half_axes_mm, flow, true, all);
}

/* Compares a rectangular duct with its exact flow: Q = w h^3 G / (12 mu) (1 - 192 h / (pi^5 w) sum tanh(n pi w / 2h) /
 * n^5), n odd, h the shorter side (White 2006). The wall shear stress of a duct with corners is not compared. */
static int duct(const study_context *x, results *out, study_case *t, const char *name, int k, readings *all) {
    const double axis[3] = {0, 0, 1}, h = 5, w = h * drawn(k, 0, 1, 1.8), flow = flow_drawn(k, radius_mm);
    const pose p = pose_drawn(k);
    double sum = 0;
    for (int n = 1; n < 60; n += 2)
        sum += tanh(n * M_PI * w / (2 * h)) / pow(n, 5);
    const double part = 1 - 192 * h / (pow(M_PI, 5) * w) * sum;
    const double gradient = 12 * UNCERTAINTY_MU * 1e-6 * flow / (w * pow(h, 3) * 1e-12 * part);
    study_case_set(t, "mesh.shape", "{type: box, low: [%.9g, %.9g, -100], high: [%.9g, %.9g, 100]}", p.shift[0] - w / 2,
                   p.shift[1] - h / 2, p.shift[0] + w / 2, p.shift[1] + h / 2);
    study_case_set(t, "openings.IN.flow", "%.9g mL/s", flow);
    study_case_set(t, "openings.IN.radius", "8 mm");
    study_case_set(t, "openings.OUT.radius", "8 mm");
    uncertainty_place(t, axis, p.shift);
    return uncertainty_straight(x, out, t, name, 1e-3 * gradient * UNCERTAINTY_BETWEEN_MM, NAN, NAN, all);
}

/* ------------------------------------------------------------------------------- reference by a finer grid sequence */

/* Texts of the two end points of a vessel, at -half_mm and half_mm along the axis. */
typedef struct {
    char from[96], to[96];
} ends;

static ends ends_of(const pose *p, double half_mm) {
    ends e;
    uncertainty_along(p->axis, p->shift, -half_mm, e.from);
    uncertainty_along(p->axis, p->shift, half_mm, e.to);
    return e;
}

static void set_taper(study_case *t, const void *draw) {
    const int k = *(const int *)draw;
    const pose p = pose_drawn(k);
    const ends e = ends_of(&p, 15);
    const double end_mm = drawn(k, 6, 2.3, 2.9);
    study_case_set(t, "mesh.shape",
                   "{type: tree, segments: [{from: %s, to: %s, radius_from: %g mm, radius_to: %.9g mm}]}", e.from, e.to,
                   radius_mm, end_mm);
    study_case_set(t, "openings.IN.flow", "%.9g mL/s", flow_drawn(k, end_mm));
    uncertainty_place(t, p.axis, p.shift);
}

static void set_stenosis(study_case *t, const void *draw) {
    const int k = *(const int *)draw;
    const pose p = pose_drawn(k);
    const ends e = ends_of(&p, 14);
    const double throat_mm = drawn(k, 6, 2, 2.6);
    study_case_set(t, "mesh.shape", "{type: stenosis, from: %s, to: %s, radius: %g mm, throat: %.9g mm, length: 12 mm}",
                   e.from, e.to, radius_mm, throat_mm);
    study_case_set(t, "openings.IN.flow", "%.9g mL/s", flow_drawn(k, throat_mm));
    uncertainty_place(t, p.axis, p.shift);
    at(t, "sections.A.point", p.axis, p.shift, -8);
    at(t, "sections.B.point", p.axis, p.shift, 8);
}

/* Draws two pipes that meet at an angle. */
static void set_mitre(study_case *t, const void *draw) {
    const int k = *(const int *)draw;
    const pose p = pose_drawn(k);
    const double none[3] = {0, 0, 0};
    double next[3];
    char from[96], middle[96], to[96];
    turned(&p, drawn(k, 6, 0.4, 1.2), next);
    uncertainty_along(p.axis, p.shift, -14, from);
    uncertainty_along(p.axis, p.shift, 0, middle);
    uncertainty_along(next, p.shift, 14, to);
    study_case_set(t, "mesh.shape",
                   "{type: tree, segments: [{from: %s, to: %s, radius_from: 3 mm, radius_to: 3 mm}, {from: %s, to: %s, "
                   "radius_from: 3 mm, radius_to: 3 mm}]}",
                   from, middle, middle, to);
    study_case_set(t, "openings.IN.flow", "%.9g mL/s", flow_drawn(k, radius_mm));
    uncertainty_place(t, p.axis, p.shift);
    at(t, "openings.OUT.point", next, p.shift, 12);
    at(t, "openings.OUT.normal", next, none, 1);
    at(t, "sections.B.point", next, p.shift, 7);
    at(t, "sections.B.normal", next, none, 1);
}

/* Draws a bend: half a ring. */
static void set_bend(study_case *t, const void *draw) {
    const int k = *(const int *)draw;
    const pose p = pose_drawn(k);
    const double bend_mm = drawn(k, 6, 9, 20), *s = p.shift;
    const double a[3] = {cos(0.8), sin(0.8), 0}, b[3] = {cos(2.3), sin(2.3), 0}, none[3] = {0, 0, 0};
    const double along_a[3] = {-a[1], a[0], 0}, along_b[3] = {-b[1], b[0], 0}, right[3] = {1, 0, 0};
    study_case_set(t, "mesh.shape",
                   "{type: torus, centre: [%.9g, %.9g, %.9g], axis: [0, 0, 1], radius: %g mm, bend: %.9g mm}", s[0],
                   s[1], s[2], radius_mm, bend_mm);
    study_case_set(t, "mesh.box", "{low: [%.9g, -2, -5], high: [%.9g, %.9g, 5]}", -bend_mm - 5, bend_mm + 5,
                   bend_mm + 5);
    at(t, "openings.IN.point", right, s, bend_mm);
    study_case_set(t, "openings.IN.normal", "[0, -1, 0]");
    at(t, "openings.OUT.point", right, s, -bend_mm);
    study_case_set(t, "openings.OUT.normal", "[0, -1, 0]");
    at(t, "sections.A.point", a, s, bend_mm);
    at(t, "sections.A.normal", along_a, none, 1);
    at(t, "sections.B.point", b, s, bend_mm);
    at(t, "sections.B.normal", along_b, none, 1);
    study_case_set(t, "openings.IN.flow", "%.9g mL/s", flow_drawn(k, radius_mm));
}

/* Draws a trunk with two branches. Both outlets have pressure 0, so the resistances of the branches divide the flow. */
static void set_fork(study_case *t, const void *draw) {
    const int k = *(const int *)draw;
    const pose p = pose_drawn(k);
    const double none[3] = {0, 0, 0}, r[2] = {drawn(k, 6, 2.2, 2.7), drawn(k, 7, 2.2, 2.7)};
    double arm[2][3];
    char from[96], middle[96], to[2][96], in[96], in_normal[96], end[2][96], normal[2][96];
    uncertainty_along(p.axis, p.shift, -14, from);
    uncertainty_along(p.axis, p.shift, 0, middle);
    uncertainty_along(p.axis, p.shift, -12, in);
    uncertainty_along(p.axis, none, -1, in_normal);
    for (int b = 0; b < 2; b++) {
        turned(&p, drawn(k, b, 0.35, 0.9) * (b ? -1 : 1), arm[b]);
        uncertainty_along(arm[b], p.shift, 15, to[b]);
        uncertainty_along(arm[b], p.shift, 13, end[b]);
        uncertainty_along(arm[b], none, 1, normal[b]);
    }
    study_case_set(
        t, "mesh.shape",
        "{type: tree, segments: [{from: %s, to: %s, radius_from: 3 mm, radius_to: 3 mm}, {from: %s, to: %s, "
        "radius_from: %.9g mm, radius_to: %.9g mm}, {from: %s, to: %s, radius_from: %.9g mm, radius_to: %.9g mm}]}",
        from, middle, middle, to[0], r[0], r[0], middle, to[1], r[1], r[1]);
    study_case_set(
        t, "openings",
        "[{name: IN, role: inlet, point: %s, normal: %s, radius: 4.5 mm, flow: %.9g mL/s}, {name: OUT, role: "
        "outlet, point: %s, normal: %s, radius: 4 mm, pressure: 0 mmHg}, {name: OUT2, role: outlet, point: %s, "
        "normal: %s, radius: 4 mm, pressure: 0 mmHg}]",
        in, in_normal, flow_drawn(k, radius_mm), end[0], normal[0], end[1], normal[1]);
    at(t, "sections.A.point", p.axis, p.shift, -7);
    at(t, "sections.A.normal", p.axis, none, 1);
    at(t, "sections.B.point", arm[0], p.shift, 9);
    at(t, "sections.B.normal", arm[0], none, 1);
}

/* ---------------------------------------------------------------------------------------------- all cases */

static int exact(const study_context *x, results *out, double cells, readings *all) {
    static const struct {
        const char *name;
        int n, (*solve)(const study_context *x, results *out, study_case *t, const char *name, int k, readings *all);
    } kind[] = {{"pipe", PIPES, pipe_drawn}, {"ellipse", ELLIPSES, ellipse}, {"duct", DUCTS, duct}};
    int rc = OK, draw = FIRST;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < kind[i].n && rc == OK; k++, draw++) {
            char name[UNCERTAINTY_NAME];
            study_case t = {0};
            snprintf(name, sizeof name, "drawn-%s-%02d", kind[i].name, k + 1);
            study_case_create(&t, x->source, x->work, name);
            study_case_set(&t, "mesh.cells_per_diameter", "%g", cells);
            rc = kind[i].solve(x, out, &t, name, draw, all);
            study_case_free(&t);
        }
    return rc;
}

int uncertainty_drawn(const study_context *x, results *out, double cells, readings *all) {
    static const struct {
        const char *name;
        int n;
        void (*set)(study_case *t, const void *draw);
    } kind[] = {{"taper", TAPERS, set_taper},
                {"stenosis", STENOSES, set_stenosis},
                {"mitre", MITRES, set_mitre},
                {"bend", BENDS, set_bend},
                {"fork", FORKS, set_fork}};
    int rc = exact(x, out, cells, all), draw = FIRST + PIPES + ELLIPSES + DUCTS;
    for (int i = 0; i < 5 && x->scale >= UNCERTAINTY_COMPARED; i++)
        for (int k = 0; k < kind[i].n && rc == OK; k++, draw++) {
            char name[UNCERTAINTY_NAME];
            snprintf(name, sizeof name, "drawn-%s-%02d", kind[i].name, k + 1);
            rc = uncertainty_compared(x, out, x->source, name, cells, kind[i].set, &draw, all);
        }
    return rc;
}
