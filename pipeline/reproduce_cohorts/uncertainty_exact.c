/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of uncertainty.h: straight vessels with exact flow. */
#include "common/base/status.h"
#include "pipeline/reproduce_cohorts/uncertainty.h"
#include <math.h>
#include <stdio.h>

void uncertainty_along(const double axis[3], const double shift[3], double s, char text[96]) {
    snprintf(text, 96, "[%.9g, %.9g, %.9g]", shift[0] + s * axis[0], shift[1] + s * axis[1], shift[2] + s * axis[2]);
}

void uncertainty_place(study_case *t, const double axis[3], const double shift[3]) {
    static const struct {
        const char *key;
        double at;
    } point[] = {
        {"openings.IN.point", -12}, {"openings.OUT.point", 12}, {"sections.A.point", -5}, {"sections.B.point", 5}};
    const double none[3] = {0, 0, 0};
    char text[96];
    for (int k = 0; k < 4; k++) {
        uncertainty_along(axis, shift, point[k].at, text);
        study_case_set(t, point[k].key, "%s", text);
    }
    uncertainty_along(axis, none, -1, text);
    study_case_set(t, "openings.IN.normal", "%s", text);
    uncertainty_along(axis, none, 1, text);
    study_case_set(t, "openings.OUT.normal", "%s", text);
    study_case_set(t, "sections.A.normal", "%s", text);
    study_case_set(t, "sections.B.normal", "%s", text);
}

/* Compares a pipe with its exact flow (Hagen-Poiseuille). */
int uncertainty_pipe(const study_context *x, results *out, study_case *t, const char *name, const double axis[3],
                     const double shift[3], double flow_ml_s, readings *all) {
    const double r = UNCERTAINTY_RADIUS_MM, wss = 4e-6 * UNCERTAINTY_MU * flow_ml_s / (M_PI * 1e-9 * pow(r, 3));
    char from[96], to[96];
    uncertainty_along(axis, shift, -14, from);
    uncertainty_along(axis, shift, 14, to);
    study_case_set(t, "mesh.shape", "{type: cylinder, from: %s, to: %s, radius: %g mm}", from, to, r);
    study_case_set(t, "openings.IN.flow", "%.9g mL/s", flow_ml_s);
    uncertainty_place(t, axis, shift);
    return uncertainty_straight(x, out, t, name, 2 * wss * UNCERTAINTY_BETWEEN_MM / r, wss, wss, all);
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

/* Compares an elliptic pipe with its exact flow: Q = pi a^3 b^3 G / (4 mu (a^2 + b^2)). */
int uncertainty_ellipse(const study_context *x, results *out, study_case *t, const char *name, const double shift[3],
                        const double half_axes_mm[2], double flow_ml_s, bool with_p99, readings *all) {
    const double axis[3] = {0, 0, 1}, a = half_axes_mm[0], b = half_axes_mm[1];
    const double pa_per_mm = 4e3 * UNCERTAINTY_MU * flow_ml_s * (a * a + b * b) / (M_PI * pow(a * b, 3));
    double mean_mm, p99_mm;
    ellipse_stress(a, b, &mean_mm, &p99_mm);
    study_case_set(t, "mesh.shape", "{type: ellipse, centre: [%.9g, %.9g, 0], half_axes: [%.9g mm, %.9g mm]}", shift[0],
                   shift[1], a, b);
    study_case_set(t, "openings.IN.flow", "%.9g mL/s", flow_ml_s);
    study_case_set(t, "openings.IN.radius", "8 mm");
    study_case_set(t, "openings.OUT.radius", "8 mm");
    uncertainty_place(t, axis, shift);
    return uncertainty_straight(x, out, t, name, pa_per_mm * UNCERTAINTY_BETWEEN_MM, pa_per_mm * mean_mm,
                                with_p99 ? pa_per_mm * p99_mm : NAN, all);
}
