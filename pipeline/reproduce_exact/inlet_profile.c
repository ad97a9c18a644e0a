/* SPDX-License-Identifier: Apache-2.0 */
/* verify:inlet-profile. The inlet profile is the solution of a Poisson problem on the cells of the cut; behind the
 * inlet the flow must equal the developed one.
 *   ellipse   half axes a, b (exact): u = 2 Um (1 - x^2/a^2 - y^2/b^2),  dp/dz = 4 mu Um (a^2 + b^2) / (a^2 b^2)
 *   section   a cross-section without an exact formula: a tube with the section of a segmented lumen passes through all
 *             stages as a surface. Reference: the Poisson problem on the same polygon (section/outline.csv), solved on
 *             a fine grid (outline.h) */
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce_exact/outline.h"
#include "pipeline/run/stages.h"
#include "common/base/status.h"

/* Same values as in the case files of this study. across_mm: narrow side of the section. */
static const double half_x_mm = 8, half_y_mm = 4, mean_m_s = 0.001, viscosity_pa_s = 1e-3, length_mm = 6,
                    across_mm = 11.944;
static const double fine_mm = 0.05, tube_mm = 16, edge_mm = 0.5;

enum { LEVELS = 3, SECTION_LEVELS = 2, PROBES = 1000, SIDE = 60, PROFILE = 41, SECTION_PROFILE = 49, PLANES = 2 };
enum { POINTS = SIDE * SIDE + SECTION_PROFILE };
static const double plane_mm[PLANES] = {-5, 0}; /* z of the planes: 1 mm behind the inlet, and the middle */

typedef struct {
    double l2[PLANES], drop; /* relative errors of velocity and pressure drop */
    double x[SECTION_PROFILE], u[SECTION_PROFILE];
} found;

static double ellipse_m_s(double x, const void *y) {
    const double b = y ? *(const double *)y : 0;
    return 2 * mean_m_s * (1 - x * x / (half_x_mm * half_x_mm) - b * b / (half_y_mm * half_y_mm));
}

static double section_m_s(double x, const void *fine) {
    return mean_m_s * outline_flow_value(fine, x, 0);
}

/* Probes a plane at n points, of which the last n_profile are on the long axis. fine: flow through the section, NULL:
 * ellipse. */
static void read_plane(const study_case *t, const outline_flow *fine, int plane, int n, int n_profile,
                       double (*point)[3], found *out) {
    static double velocity[POINTS][3];
    numbers_l2 l2 = {0};
    for (int k = 0; k < n; k++)
        point[k][2] = plane_mm[plane];
    study_case_probe(t, n, point, velocity, NULL);
    for (int k = 0; k < n; k++) {
        const double u = velocity[k][2], x = point[k][0], y = point[k][1];
        const double e = fine ? mean_m_s * outline_flow_value(fine, x, y) : ellipse_m_s(x, &y);
        if (k >= n - n_profile) {
            out->x[k - n + n_profile] = x;
            out->u[k - n + n_profile] = u;
        } else if (!isnan(u) && (!fine || e > 0))
            numbers_l2_add(&l2, u, e);
    }
    out->l2[plane] = numbers_l2_error(&l2);
}

static void run_ellipse(const study_context *x, int cells, found *out) {
    static double point[PROBES + PROFILE][3];
    const double a = half_x_mm * 1e-3, b = half_y_mm * 1e-3;
    study_case t;
    for (int k = 0; k < PROBES + PROFILE; k++) {
        double across[2];
        numbers_disc(k, PROBES, &across[0], &across[1]);
        point[k][0] = k < PROBES ? half_x_mm * across[0] : numbers_middle(k - PROBES, PROFILE, -half_x_mm, half_x_mm);
        point[k][1] = k < PROBES ? half_y_mm * across[1] : 0;
    }
    study_case_open(&t, x, study_path(x, "ellipse"), "cells-%d", cells);
    study_case_set(&t, "mesh.spacing", "%.12g mm", 2 * half_y_mm / cells);
    study_case_run(&t, STAGE_POST);
    for (int p = 0; p < PLANES; p++)
        read_plane(&t, NULL, p, PROBES + PROFILE, PROFILE, point, out);
    out->drop = study_case_readout(&t, "pressure_drops/0/value_pa") /
                    (4 * viscosity_pa_s * mean_m_s * (a * a + b * b) / (a * a * b * b) * length_mm * 1e-3) -
                1;
    study_case_close(&t);
}

static void study_ellipse(const study_context *x, results *r) {
    static found now[LEVELS];
    const int finest = 2 * (int)fmax(round(16 * x->scale), 4), cells[LEVELS] = {finest / 2, finest * 3 / 4, finest};
    plot p = plot_new(r, "profile", "Velocity along the long axis of the ellipse", "x (mm)", "velocity (m/s)");
    results_text(
        r, "**An ellipse.** Straight tube of 16 x 8 mm, 12 mm long, mean velocity 0.001 m/s, Re 11. L2 velocity error "
           "1 mm behind the inlet and in the middle, pressure drop over 6 mm; `cells` across the narrow side.");
    results_table(r, "errors", "cells|L2 at the inlet (%)|L2 in the middle (%)|pressure drop error (%)|order");
    r->no_value = "";
    for (int k = 0; k < LEVELS; k++) {
        run_ellipse(x, cells[k], &now[k]);
        results_row(r, "%d|%.3f|%.3f|%.3f|%.2f", cells[k], 100 * now[k].l2[0], 100 * now[k].l2[1], 100 * now[k].drop,
                    k ? numbers_order(now[k - 1].l2[1], now[k].l2[1], (double)cells[k] / cells[k - 1]) : NAN);
    }
    plot_function(&p, "exact", PLOT_LINE, 101, -half_x_mm, half_x_mm, ellipse_m_s, NULL);
    plot_curve(&p, PLOT_POINTS, PROFILE, now[0].x, now[0].u, "ours at %d cells", cells[0]);
    plot_write(&p);
    results_at_least(r, "order of the velocity in the middle",
                     numbers_order(now[0].l2[1], now[2].l2[1], (double)cells[2] / cells[0]), 1.5);
    if (finest == 32) {
        results_at_most(r, "L2 velocity error (%) at the inlet at 32 cells", 100 * now[2].l2[0], 1);
        results_at_most(r, "pressure drop error (%) at 32 cells", 100 * fabs(now[2].drop), 1);
    }
}

static void run_section(const study_context *x, const outline *o, const outline_flow *fine, int cells, found *out) {
    static double point[POINTS][3];
    study_case t;
    for (int k = 0; k < POINTS; k++) { /* points on a grid of 0.42 x 0.2 mm, then points on the long axis */
        const int on = k < SIDE * SIDE, row = k / SIDE;
        point[k][0] = on ? numbers_middle(k % SIDE, SIDE, -13.6, 11.6)
                         : numbers_between(k - SIDE * SIDE, SECTION_PROFILE, -13.4, 11.2);
        point[k][1] = on ? numbers_middle(row, SIDE, -6, 6) : 0;
    }
    study_case_open(&t, x, study_path(x, "section"), "section-%d", cells);
    study_case_set(&t, "mesh.spacing", "%.12g mm", across_mm / cells);
    if (x->page->error == OK)
        results_fail(x->page, outline_write_tube(o, -tube_mm, tube_mm, edge_mm,
                                                 results_format(x->page, "%s/tube.stl", t.folder)));
    study_case_run(&t, STAGE_POST);
    for (int p = 0; p < PLANES; p++)
        read_plane(&t, fine, p, POINTS, SECTION_PROFILE, point, out);
    out->drop = study_case_readout(&t, "pressure_drops/0/value_pa") /
                    (viscosity_pa_s * mean_m_s * length_mm * 1e-3 / (fine->mean_mm2 * 1e-6)) -
                1;
    study_case_close(&t);
}

static void study_section(const study_context *x, results *r, const outline *o, const outline_flow *fine) {
    static found now[SECTION_LEVELS];
    const int finest = 2 * (int)fmax(round(16 * x->scale), 6), cells[SECTION_LEVELS] = {finest / 2, finest};
    plot p = plot_new(r, "section", "Velocity along the long axis of a segmented lumen's cross-section", "x (mm)",
                      "velocity (m/s)");
    results_table(r, "section-errors", "cells|L2 at the inlet (%)|L2 in the middle (%)|pressure drop error (%)");
    for (int k = 0; k < SECTION_LEVELS; k++) {
        run_section(x, o, fine, cells[k], &now[k]);
        results_row(r, "%d|%.3f|%.3f|%.3f", cells[k], 100 * now[k].l2[0], 100 * now[k].l2[1], 100 * now[k].drop);
    }
    plot_function(&p, "Poisson problem, step 0.05 mm", PLOT_LINE, 201, -13.6, 11.4, section_m_s, fine);
    plot_curve(&p, PLOT_POINTS, SECTION_PROFILE, now[1].x, now[1].u, "ours at %d cells", finest);
    plot_write(&p);
    results_at_most(r, "real cross-section: L2 velocity error (%) at the inlet, finest lattice", 100 * now[1].l2[0],
                    finest >= 32 ? 1 : 3);
    results_at_most(r, "real cross-section: pressure drop error (%), finest lattice", 100 * fabs(now[1].drop),
                    finest >= 32 ? 1 : 3);
}

int study_inlet_profile(const study_context *x, results *r) {
    static study_table corner;
    outline_flow coarse = {0}, fine = {0};
    study_ellipse(x, r);
    if (!study_read_numbers(x, "section/outline.csv", 2, &corner))
        return r->error;
    const outline o = {corner.n_row, corner.value[0], corner.value[1]};
    results_fail(r, outline_flow_create(&coarse, &o, 2 * fine_mm));
    results_fail(r, outline_flow_create(&fine, &o, fine_mm));
    if (r->error == OK) {
        results_text(r,
                     "**A real cross-section.** Confluence of two veins (25 x 12 mm), segmented from a noisy image of "
                     "the portal phantom and extruded. Reference: Poisson problem on the same outline, step %g mm "
                     "(twice the step changes the mean by %.3f %%).",
                     fine_mm, 100 * fabs(coarse.mean_mm2 / fine.mean_mm2 - 1));
        study_section(x, r, &o, &fine);
    }
    outline_flow_free(&coarse);
    outline_flow_free(&fine);
    return r->error;
}
