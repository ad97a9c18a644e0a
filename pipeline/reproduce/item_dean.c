/* verify:dean. Friction of a curved pipe against that of a straight one at the same flow, at Dean number
 * De = Re sqrt(a / R):
 *   C. M. White, Streamline flow through curved pipes, Proc. R. Soc. Lond. A 123 (1929) 645-663, his fit of
 * measurements: ratio = 1 / (1 - (1 - (11.6 / De)^0.45)^(1 / 0.45)),   11.6 < De < 2000 */
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

static int run_bend(const item_context *x, int cells, double *ratio, double at[PROFILE], double speed[PROFILE]) {
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
    double ratio[LEVELS], at[PROFILE], speed[PROFILE];
    int finest = 4 * (int)fmax(round(8 * x->scale), 2), cells[LEVELS] = {finest / 2, finest * 3 / 4, finest}, rc = OK;
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
    results_table(r, "friction", "cells across|friction ratio|White 1929|difference (%)");
    for (int k = 0; k < LEVELS; k++) {
        char series[48];
        TRY(run_bend(x, cells[k], &ratio[k], at, speed));
        results_row(r, "%d|%.4f|%.4f|%.2f", cells[k], ratio[k], white, 100 * (ratio[k] / white - 1));
        snprintf(series, sizeof series, "%d cells across", cells[k]);
        plot_curve(&p, series, k == LEVELS - 1 ? PLOT_LINE : PLOT_POINTS, PROFILE, at, speed);
    }
    double q = pow((double)cells[2] / cells[0], 2), limit = ratio[2] + (ratio[2] - ratio[0]) / (q - 1);
    results_text(r,
                 "Extrapolated to an infinite resolution with second order: %.4f, that is %.2f %% from White's fit, "
                 "whose measurements scatter by a few percent.",
                 limit, 100 * (limit / white - 1));
    plot_write(&p, r);
    results_at_most(r, "difference (%) of the extrapolated ratio to White 1929", 100 * fabs(limit / white - 1), 5);
    if (finest == 32)
        results_at_most(r, "difference (%) at 32 cells across", 100 * fabs(ratio[2] / white - 1), 5);
cleanup:
    return rc;
}
