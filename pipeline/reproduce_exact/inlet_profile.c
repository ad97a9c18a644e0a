/* SPDX-License-Identifier: Apache-2.0 */
/* verify:inlet-profile. Developed flow through an ellipse with half axes a, b (exact):
 *   u = 2 Um (1 - x^2/a^2 - y^2/b^2),   dp/dz = 4 mu Um (a^2 + b^2) / (a^2 b^2)
 * The inlet profile is the solution of a Poisson problem on the cells of the cut; one radius behind the inlet the flow
 * must equal the exact solution. */
#include "common/base/status.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stdio.h>

/* Same values as in case.yaml of this study. */
static const double half_x_mm = 8, half_y_mm = 4, mean_m_s = 0.001, viscosity_pa_s = 1e-3, length_mm = 6;

enum { LEVELS = 3, PROBES = 1000, PROFILE = 41, PLANES = 2 };
static const double plane_mm[PLANES] = {-5, 0}; /* z of the planes: 1 mm behind the inlet, and the middle */

typedef struct {
    double l2[PLANES], drop, wss; /* relative errors of velocity, pressure drop and wall shear stress */
    double x[PROFILE], u[PROFILE];
} found;

static double exact_m_s(double x, double y) {
    return 2 * mean_m_s * (1 - x * x / (half_x_mm * half_x_mm) - y * y / (half_y_mm * half_y_mm));
}

static int read_plane(const study_case *t, int plane, found *out) {
    static double point[PROBES + PROFILE][3], velocity[PROBES + PROFILE][3];
    double square = 0, square_exact = 0;
    for (int k = 0; k < PROBES + PROFILE; k++) {
        double s = sqrt((k + 0.5) / PROBES), turn = 2.399963229728653 * k;
        point[k][0] = half_x_mm * (k < PROBES ? s * cos(turn) : 2 * (k - PROBES + 0.5) / PROFILE - 1);
        point[k][1] = k < PROBES ? half_y_mm * s * sin(turn) : 0;
        point[k][2] = plane_mm[plane];
    }
    int rc = study_case_probe(t, PROBES + PROFILE, (const double(*)[3])point, velocity, NULL);
    for (int k = 0; rc == OK && k < PROBES + PROFILE; k++) {
        double u = velocity[k][2], e = exact_m_s(point[k][0], point[k][1]);
        if (k >= PROBES) {
            out->x[k - PROBES] = point[k][0];
            out->u[k - PROBES] = u;
        } else if (!isnan(u)) {
            square += (u - e) * (u - e);
            square_exact += e * e;
        }
    }
    out->l2[plane] = sqrt(square / square_exact);
    return rc;
}

static int run_ellipse(const study_context *x, int cells, found *out) {
    char name[32], source[4200];
    study_case t = {0};
    double dx = 2 * half_y_mm / cells, drop;
    int rc = OK;
    snprintf(name, sizeof name, "cells-%d", cells);
    snprintf(source, sizeof source, "%s/ellipse", x->source);
    study_case_create(&t, source, x->work, name);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    TRY(study_case_run(&t, x->run, STAGE_POST));
    for (int p = 0; p < PLANES; p++)
        TRY(read_plane(&t, p, out));
    TRY(study_case_number(&t, "post/readouts.json", "pressure_drops/0/value_pa", &drop));
    double a = half_x_mm * 1e-3, b = half_y_mm * 1e-3;
    out->drop = drop / (4 * viscosity_pa_s * mean_m_s * (a * a + b * b) / (a * a * b * b) * length_mm * 1e-3) - 1;
cleanup:
    study_case_free(&t);
    return rc;
}

int study_inlet_profile(const study_context *x, results *r) {
    static found now[LEVELS];
    int finest = 2 * (int)fmax(round(16 * x->scale), 4), cells[LEVELS], rc = OK;
    results_text(
        r, "**An ellipse.** Straight tube of 16 x 8 mm, 12 mm long, mean velocity 0.001 m/s, Re 11. L2 velocity error "
           "1 mm behind the inlet and in the middle, pressure drop over 6 mm; `cells` across the narrow side.");
    results_table(r, "errors", "cells|L2 at the inlet (%)|L2 in the middle (%)|pressure drop error (%)|order");
    for (int k = 0; k < LEVELS; k++) {
        char order[16] = "";
        cells[k] = k == 2 ? finest : k == 1 ? finest * 3 / 4 : finest / 2;
        TRY(run_ellipse(x, cells[k], &now[k]));
        if (k > 0)
            snprintf(order, sizeof order, "%.2f",
                     log(now[k - 1].l2[1] / now[k].l2[1]) / log((double)cells[k] / cells[k - 1]));
        results_row(r, "%d|%.3f|%.3f|%.3f|%s", cells[k], 100 * now[k].l2[0], 100 * now[k].l2[1], 100 * now[k].drop,
                    order);
    }
    double px[101], pu[101];
    plot p = {.name = "profile",
              .title = "Velocity along the long axis of the ellipse",
              .x_label = "x (mm)",
              .y_label = "velocity (m/s)"};
    for (int k = 0; k <= 100; k++) {
        px[k] = half_x_mm * (k / 50.0 - 1);
        pu[k] = exact_m_s(px[k], 0);
    }
    plot_curve(&p, "exact", PLOT_LINE, 101, px, pu);
    char series[32];
    snprintf(series, sizeof series, "ours at %d cells", cells[0]);
    plot_curve(&p, series, PLOT_POINTS, PROFILE, now[0].x, now[0].u);
    plot_write(&p, r);
    results_at_least(r, "order of the velocity in the middle",
                     log(now[0].l2[1] / now[2].l2[1]) / log((double)cells[2] / cells[0]), 1.5);
    if (finest == 32) {
        results_at_most(r, "L2 velocity error (%) at the inlet at 32 cells", 100 * now[2].l2[0], 1);
        results_at_most(r, "pressure drop error (%) at 32 cells", 100 * fabs(now[2].drop), 1);
    }
    TRY(inlet_section(x, r));
cleanup:
    return rc;
}
