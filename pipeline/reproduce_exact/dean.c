/* SPDX-License-Identifier: Apache-2.0 */
/* verify:dean. Friction of a curved pipe relative to a straight one at the same flow. Reference: developed flow by
 * finite elements in the cross-section (data/reproduce/verify-dean/README.md). Also the fit of White 1929 (as in
 * El-Genk and Schriener 2016), with Dean number De = Re sqrt(a / R), a radius of the pipe, R radius of its axis:
 *   ratio = 1 / (1 - (1 - (11.6 / De)^0.45)^(1 / 0.45)),   11.6 < De < 2000 */
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"

/* Same values as in case.yaml of this study. */
static const double radius_mm = 4, bend_mm = 40, mean_m_s = 0.02, viscosity_pa_s = 1e-3, density = 1000,
                    angle = 1.0471975511965976;

enum { LEVELS = 3, PROFILE = 41 };

typedef struct {
    double ratio, cell_reynolds, at[PROFILE], speed[PROFILE];
} bend;

static void run_bend(const study_context *x, int cells, bend *b) {
    double point[PROFILE][3], velocity[PROFILE][3];
    study_case t;
    study_case_open(&t, x, x->source, "cells-%d", cells);
    study_case_set(&t, "mesh.spacing", "%.12g mm", 2 * radius_mm / cells);
    study_case_run(&t, STAGE_POST);
    const double drop = study_case_readout(&t, "pressure_drops/0/value_pa");
    const double mean = study_case_solved(&t, "openings/IN/flow_ml_s") * 1e-6 / (M_PI * radius_mm * radius_mm * 1e-6);
    b->cell_reynolds = study_case_solved(&t, "cell_reynolds");
    b->ratio = drop / (8 * viscosity_pa_s * mean * angle * bend_mm * 1e-3 / (radius_mm * radius_mm * 1e-6));
    for (int k = 0; k < PROFILE; k++) { /* points at 120 degrees, from the inner to the outer side of the bend */
        b->at[k] = numbers_middle(k, PROFILE, -radius_mm, radius_mm);
        point[k][0] = -0.5 * (bend_mm + b->at[k]);
        point[k][1] = 0.8660254037844386 * (bend_mm + b->at[k]);
        point[k][2] = 0;
    }
    study_case_probe(&t, PROFILE, point, velocity, NULL);
    for (int k = 0; k < PROFILE; k++)
        b->speed[k] = (-0.8660254037844386 * velocity[k][0] - 0.5 * velocity[k][1]) / mean;
    study_case_close(&t);
}

/* L2 difference between our speed and the profile at the points, percent of the profile. */
static double difference(const study_table *profile, const bend *b) {
    numbers_l2 l2 = {0};
    for (int k = 0; k < PROFILE; k++)
        numbers_l2_add(&l2, b->speed[k],
                       numbers_interpolate(profile->n_row, profile->value[0], profile->value[1], b->at[k] / radius_mm));
    return 100 * numbers_l2_error(&l2);
}

static void draw_friction(results *r, const int cells[LEVELS], const bend b[LEVELS], double developed, double white) {
    const double across[LEVELS] = {cells[0], cells[1], cells[2]}, ends[2] = {cells[0], cells[2]};
    const double exact[2] = {developed, developed}, fit[2] = {white, white};
    const double ratio[LEVELS] = {b[0].ratio, b[1].ratio, b[2].ratio};
    plot f = plot_new(r, "friction-ratio", "Friction of the bend over that of a straight tube", "cells across",
                      "friction ratio");
    plot_curve(&f, PLOT_LINE, 2, ends, exact, "finite elements");
    plot_curve(&f, PLOT_LINE, 2, ends, fit, "White 1929");
    plot_curve(&f, PLOT_POINTS, LEVELS, across, ratio, "ours");
    plot_write(&f);
}

int study_dean(const study_context *x, results *r) {
    static study_table profile, friction;
    bend b[LEVELS];
    double error = 0, place[STUDY_TABLE_ROWS];
    const int finest = 4 * (int)fmax(round(12 * x->scale), 2), cells[LEVELS] = {finest / 2, finest * 3 / 4, finest};
    const double re = 2 * radius_mm * 1e-3 * mean_m_s * density / viscosity_pa_s, de = re * sqrt(radius_mm / bend_mm);
    const double white = 1 / (1 - pow(1 - pow(11.6 / de, 0.45), 1 / 0.45));
    plot p = plot_new(r, "profile", "Velocity from the inner to the outer side",
                      "distance from the middle (mm), outer side right", "velocity / mean velocity");
    if (!study_read_numbers(x, "developed.csv", 2, &profile) || !study_read_numbers(x, "friction.csv", 3, &friction))
        return r->error;
    /* extrapolated with second order in the edge length along the circle */
    const double *edges = &friction.value[0][friction.n_row - 2], *value = &friction.value[2][friction.n_row - 2];
    const double developed = value[1] + (value[1] - value[0]) / (pow(edges[1] / edges[0], 2) - 1);
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
        run_bend(x, cells[k], &b[k]);
        error = difference(&profile, &b[k]);
        results_row(r, "%d|%.1f|%.4f|%.2f|%.2f|%.2f", cells[k], b[k].cell_reynolds, b[k].ratio,
                    100 * (b[k].ratio / developed - 1), 100 * (b[k].ratio / white - 1), error);
        plot_curve(&p, PLOT_POINTS, PROFILE, b[k].at, b[k].speed, "%d cells across", cells[k]);
    }
    for (int k = 0; k < profile.n_row; k++)
        place[k] = radius_mm * profile.value[0][k];
    plot_curve(&p, PLOT_LINE, profile.n_row, place, profile.value[1], "finite elements");
    results_text(r, "Above a cell Reynolds number of 8 `solve` uses the regularized collision: such rows do not "
                    "extrapolate. Criteria against finite elements were set after both numbers were known.");
    plot_write(&p);
    draw_friction(r, cells, b, developed, white);
    results_at_most(r, "friction to finite elements (%), finest lattice", 100 * fabs(b[2].ratio / developed - 1),
                    finest >= 48 ? 1 : 10);
    results_at_most(r, "velocity at 120 degrees to finite elements (%), finest lattice", error, finest >= 48 ? 1 : 10);
    results_at_most(r, "difference (%) to White 1929 on the finest lattice", 100 * fabs(b[2].ratio / white - 1),
                    finest >= 24 ? 5 : 10);
    return r->error;
}
