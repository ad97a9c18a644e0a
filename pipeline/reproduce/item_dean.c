/* verify:dean. Friction of a curved pipe against that of a straight one at the same flow, at Dean number
 * De = Re sqrt(a / R):
 *   C. M. White, Streamline flow through curved pipes, Proc. R. Soc. Lond. A 123 (1929) 645-663, doi
 *   10.1098/rspa.1929.0089, his fit of measurements (as in El-Genk and Schriener 2016, doi
 *   10.1080/01457632.2016.1194693):
 *   ratio = 1 / (1 - (1 - (11.6 / De)^0.45)^(1 / 0.45)),   11.6 < De < 2000 */
#include "common/status.h"
#include "pipeline/reproduce/item.h"
#include "pipeline/reproduce/plot.h"
#include "pipeline/reproduce/trial.h"
#include "pipeline/stages.h"
#include <math.h>
#include <stdio.h>

/* As in the case file. */
static const double radius_mm = 4, bend_mm = 40, mean_m_s = 0.02, viscosity_pa_s = 1e-3, density = 1000,
                    angle = 1.0471975511965976;

enum { LEVELS = 3, PROFILE = 41 };

static int run_bend(const item_context *x, int cells, double *ratio, double *cell_reynolds, double at[PROFILE],
                    double speed[PROFILE]) {
    double point[PROFILE][3], velocity[PROFILE][3], drop, flow_ml_s;
    char name[32];
    trial t = {0};
    int rc = OK;
    snprintf(name, sizeof name, "cells-%d", cells);
    trial_create(&t, x->source, x->work, name);
    trial_set(&t, "spacing", "%.12g mm", 2 * radius_mm / cells);
    TRY(trial_run(&t, x->run, STAGE_POST));
    TRY(trial_number(&t, "post/readouts.json", "pressure_drops/0/value_pa", &drop));
    TRY(trial_number(&t, "solve/solve.json", "result/openings/IN/flow_ml_s", &flow_ml_s));
    TRY(trial_number(&t, "solve/solve.json", "result/cell_reynolds", cell_reynolds));
    double mean = flow_ml_s * 1e-6 / (M_PI * radius_mm * radius_mm * 1e-6);
    *ratio = drop / (8 * viscosity_pa_s * mean * angle * bend_mm * 1e-3 / (radius_mm * radius_mm * 1e-6));
    for (int k = 0; k < PROFILE; k++) { /* from the inner to the outer side, at 120 degrees */
        at[k] = radius_mm * (2 * (k + 0.5) / PROFILE - 1);
        point[k][0] = -0.5 * (bend_mm + at[k]);
        point[k][1] = 0.8660254037844386 * (bend_mm + at[k]);
        point[k][2] = 0;
    }
    TRY(trial_probe(&t, PROFILE, (const double(*)[3])point, velocity, NULL));
    for (int k = 0; k < PROFILE; k++)
        speed[k] = (-0.8660254037844386 * velocity[k][0] - 0.5 * velocity[k][1]) / mean;
cleanup:
    trial_free(&t);
    return rc;
}

int item_dean(const item_context *x, results *r) {
    double ratio[LEVELS], cell_reynolds[LEVELS], at[PROFILE], speed[PROFILE];
    int finest = 4 * (int)fmax(round(12 * x->scale), 2), cells[LEVELS] = {finest / 2, finest * 3 / 4, finest}, rc = OK;
    double re = 2 * radius_mm * 1e-3 * mean_m_s * density / viscosity_pa_s, de = re * sqrt(radius_mm / bend_mm);
    double white = 1 / (1 - pow(1 - pow(11.6 / de, 0.45), 1 / 0.45));
    plot p = {.name = "profile",
              .title = "Velocity from the inner to the outer side",
              .x_label = "distance from the middle (mm), outer side right",
              .y_label = "velocity / mean velocity"};
    results_text(
        r,
        "Half a ring, tube of 8 mm, bend radius 40 mm, Re %.0f, Dean number %.1f. Pressure drop between 90 and "
        "150 degrees over that of a straight tube of the same length; White (1929): %.3f.",
        re, de, white);
    results_table(r, "friction", "cells across|cell Reynolds number|friction ratio|White 1929|difference (%)");
    for (int k = 0; k < LEVELS; k++) {
        char series[48];
        TRY(run_bend(x, cells[k], &ratio[k], &cell_reynolds[k], at, speed));
        results_row(r, "%d|%.1f|%.4f|%.4f|%.2f", cells[k], cell_reynolds[k], ratio[k], white,
                    100 * (ratio[k] / white - 1));
        snprintf(series, sizeof series, "%d cells across", cells[k]);
        plot_curve(&p, series, k == LEVELS - 1 ? PLOT_LINE : PLOT_POINTS, PROFILE, at, speed);
    }
    double first = ratio[2] + (ratio[2] - ratio[1]) * cells[1] / (cells[2] - cells[1]);
    double second = ratio[2] + (ratio[2] - ratio[1]) / (pow((double)cells[2] / cells[1], 2) - 1);
    results_text(r,
                 "Above a cell Reynolds number of 8 `solve` takes the regularized collision (without it these runs "
                 "diverge), and with it the friction falls more slowly than with second order: the last two lines give "
                 "%.3f when extrapolated with first order and %.3f with second, %.1f %% and %.1f %% from White's fit, "
                 "whose measurements scatter by a few percent.%s",
                 first, second, 100 * (first / white - 1), 100 * (second / white - 1),
                 cell_reynolds[1] > 8 && cell_reynolds[2] <= 8
                     ? " The finest lattice takes the other collision than those before it, so these two are a hint, "
                       "no measure."
                     : "");
    plot_write(&p, r);
    const double across[LEVELS] = {cells[0], cells[1], cells[2]}, line[2] = {cells[0], cells[2]},
                 fit[2] = {white, white};
    plot f = {.name = "friction-ratio",
              .title = "Friction of the bend over that of a straight tube",
              .x_label = "cells across",
              .y_label = "friction ratio"};
    plot_curve(&f, "White 1929", PLOT_LINE, 2, line, fit);
    plot_curve(&f, "ours", PLOT_POINTS, LEVELS, across, ratio);
    plot_write(&f, r);
    results_at_most(r, "difference (%) to White 1929 on the finest lattice", 100 * fabs(ratio[2] / white - 1),
                    finest >= 24 ? 5 : 10);
cleanup:
    return rc;
}
