/* SPDX-License-Identifier: Apache-2.0 */
/* verify:dean. Friction of a curved pipe relative to a straight one at the same flow. Reference: developed flow by
 * finite elements in the cross-section (data/reproduce/verify-dean/README.md). Also the fit of White 1929 (as in
 * El-Genk and Schriener 2016), with Dean number De = Re sqrt(a / R), a radius of the pipe, R radius of its axis:
 *   ratio = 1 / (1 - (1 - (11.6 / De)^0.45)^(1 / 0.45)),   11.6 < De < 2000 */
#include "common/base/status.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce/reference.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stdio.h>

/* Same values as in case.yaml of this study. */
static const double radius_mm = 4, bend_mm = 40, mean_m_s = 0.02, viscosity_pa_s = 1e-3, density = 1000,
                    angle = 1.0471975511965976;

enum { LEVELS = 3, PROFILE = 41 };

static int run_bend(const study_context *x, int cells, double *ratio, double *cell_reynolds, double at[PROFILE],
                    double speed[PROFILE]) {
    double point[PROFILE][3], velocity[PROFILE][3], drop, flow_ml_s;
    char name[32];
    study_case t = {0};
    int rc = OK;
    snprintf(name, sizeof name, "cells-%d", cells);
    study_case_create(&t, x->source, x->work, name);
    study_case_set(&t, "mesh.spacing", "%.12g mm", 2 * radius_mm / cells);
    TRY(study_case_run(&t, x->run, STAGE_POST));
    TRY(study_case_number(&t, "post/readouts.json", "pressure_drops/0/value_pa", &drop));
    TRY(study_case_number(&t, "solve/solve.json", "result/openings/IN/flow_ml_s", &flow_ml_s));
    TRY(study_case_number(&t, "solve/solve.json", "result/cell_reynolds", cell_reynolds));
    double mean = flow_ml_s * 1e-6 / (M_PI * radius_mm * radius_mm * 1e-6);
    *ratio = drop / (8 * viscosity_pa_s * mean * angle * bend_mm * 1e-3 / (radius_mm * radius_mm * 1e-6));
    for (int k = 0; k < PROFILE; k++) { /* points at 120 degrees, from the inner to the outer side of the bend */
        at[k] = radius_mm * (2 * (k + 0.5) / PROFILE - 1);
        point[k][0] = -0.5 * (bend_mm + at[k]);
        point[k][1] = 0.8660254037844386 * (bend_mm + at[k]);
        point[k][2] = 0;
    }
    TRY(study_case_probe(&t, PROFILE, (const double(*)[3])point, velocity, NULL));
    for (int k = 0; k < PROFILE; k++)
        speed[k] = (-0.8660254037844386 * velocity[k][0] - 0.5 * velocity[k][1]) / mean;
cleanup:
    study_case_free(&t);
    return rc;
}

/* Reads the profile and the friction ratio by finite elements. The ratio is extrapolated with second order in the edge
 * length along the circle. */
static int read_developed(const char *folder, reference *profile, double *ratio) {
    static reference friction;
    int rc = OK;
    TRY(reference_read(folder, "developed.csv", profile));
    TRY(reference_read(folder, "friction.csv", &friction));
    if (profile->n_column != 2 || friction.n_column != 3 || friction.n_row < 2)
        return fail(ERR_INPUT,
                    "'%s': developed.csv needs two columns, and friction.csv needs three columns and two rows; restore "
                    "these files",
                    folder);
    const double *edges = friction.value[0], *value = friction.value[2];
    const int n = friction.n_row;
    *ratio = value[n - 1] + (value[n - 1] - value[n - 2]) / (pow(edges[n - 1] / edges[n - 2], 2) - 1);
cleanup:
    return rc;
}

/* L2 difference between our speed and the profile at the points, percent of the profile. */
static double difference(const reference *profile, const double at[PROFILE], const double speed[PROFILE]) {
    double sum = 0, square = 0;
    for (int k = 0; k < PROFILE; k++) {
        const double x = at[k] / radius_mm, *place = profile->value[0], *value = profile->value[1];
        int j = 1;
        while (j < profile->n_row - 1 && place[j] < x)
            j++;
        const double exact = value[j - 1] + (value[j] - value[j - 1]) * (x - place[j - 1]) / (place[j] - place[j - 1]);
        sum += (speed[k] - exact) * (speed[k] - exact);
        square += exact * exact;
    }
    return 100 * sqrt(sum / square);
}

static void draw_friction(results *r, const int cells[LEVELS], const double ratio[LEVELS], double developed,
                          double white) {
    const double across[LEVELS] = {cells[0], cells[1], cells[2]}, ends[2] = {cells[0], cells[2]};
    const double exact[2] = {developed, developed}, fit[2] = {white, white};
    plot f = {.name = "friction-ratio",
              .title = "Friction of the bend over that of a straight tube",
              .x_label = "cells across",
              .y_label = "friction ratio"};
    plot_curve(&f, "finite elements", PLOT_LINE, 2, ends, exact);
    plot_curve(&f, "White 1929", PLOT_LINE, 2, ends, fit);
    plot_curve(&f, "ours", PLOT_POINTS, LEVELS, across, ratio);
    plot_write(&f, r);
}

int study_dean(const study_context *x, results *r) {
    static reference profile;
    double ratio[LEVELS], cell_reynolds, at[PROFILE], speed[PROFILE], developed = 0, error = 0;
    int finest = 4 * (int)fmax(round(12 * x->scale), 2), cells[LEVELS] = {finest / 2, finest * 3 / 4, finest}, rc = OK;
    double re = 2 * radius_mm * 1e-3 * mean_m_s * density / viscosity_pa_s, de = re * sqrt(radius_mm / bend_mm);
    double white = 1 / (1 - pow(1 - pow(11.6 / de, 0.45), 1 / 0.45));
    plot p = {.name = "profile",
              .title = "Velocity from the inner to the outer side",
              .x_label = "distance from the middle (mm), outer side right",
              .y_label = "velocity / mean velocity"};
    TRY(read_developed(x->source, &profile, &developed));
    results_text(
        r,
        "Half a ring, tube of 8 mm, bend radius 40 mm, Re %.0f, Dean number %.1f. Pressure drop between 90 and 150 "
        "degrees over a straight tube's: %.4f by finite elements (`data/reproduce/verify-dean/README.md`), %.3f by "
        "White (1929), whose measurements scatter by a few percent.",
        re, de, developed, white);
    results_table(
        r, "friction",
        "cells across|cell Reynolds number|friction ratio|to finite elements (%)|to White 1929 (%)|velocity at "
        "120 degrees, L2 difference to finite elements (%)");
    for (int k = 0; k < LEVELS; k++) {
        char series[48];
        TRY(run_bend(x, cells[k], &ratio[k], &cell_reynolds, at, speed));
        error = difference(&profile, at, speed);
        results_row(r, "%d|%.1f|%.4f|%.2f|%.2f|%.2f", cells[k], cell_reynolds, ratio[k],
                    100 * (ratio[k] / developed - 1), 100 * (ratio[k] / white - 1), error);
        snprintf(series, sizeof series, "%d cells across", cells[k]);
        plot_curve(&p, series, PLOT_POINTS, PROFILE, at, speed);
    }
    double place[REFERENCE_ROWS];
    for (int k = 0; k < profile.n_row; k++)
        place[k] = radius_mm * profile.value[0][k];
    plot_curve(&p, "finite elements", PLOT_LINE, profile.n_row, place, profile.value[1]);
    results_text(r, "Above a cell Reynolds number of 8 `solve` uses the regularized collision: such rows do not "
                    "extrapolate. Criteria against finite elements were set after both numbers were known.");
    plot_write(&p, r);
    draw_friction(r, cells, ratio, developed, white);
    results_at_most(r, "friction to finite elements (%), finest lattice", 100 * fabs(ratio[2] / developed - 1),
                    finest >= 48 ? 1 : 10);
    results_at_most(r, "velocity at 120 degrees to finite elements (%), finest lattice", error, finest >= 48 ? 1 : 10);
    results_at_most(r, "difference (%) to White 1929 on the finest lattice", 100 * fabs(ratio[2] / white - 1),
                    finest >= 24 ? 5 : 10);
cleanup:
    return rc;
}
