/* verify:stenosis. Tube narrowed to a quarter of its area by a cosine over two diameters, Re 500 (the geometry of
 * Varghese, Frankel and Fischer, J. Fluid Mech. 582 (2007) 253-280, whose profiles are not at hand as numbers).
 * Pressure drop against D. F. Young and F. Y. Tsai, J. Biomech. 6 (1973) 395-410, doi
 * 10.1016/0021-9290(73)90099-7, a fit of measurements:
 *   dp / (rho U^2) = K_v / Re + K_t / 2 (A0/A1 - 1)^2,  K_v = 32 (0.83 L + 1.64 D1) / D (A0/A1)^2,  K_t = 1.52 */
#include "common/status.h"
#include "pipeline/reproduce/item.h"
#include "pipeline/reproduce/plot.h"
#include "pipeline/reproduce/trial.h"
#include "pipeline/stages.h"
#include <math.h>
#include <stdio.h>

/* As in the case file. */
static const double diameter_mm = 10, mean_m_s = 0.05, density = 1000, viscosity_pa_s = 1e-3;

enum { AXIS = 221, WALL = 400, LEVELS = 2 };

typedef struct {
    double peak, drop, reattach; /* of the mean velocity; of rho U^2; diameters behind the throat */
    double z[AXIS], u[AXIS];
} found;

static int run_stenosis(const item_context *x, int cells, found *out) {
    static double point[AXIS + 4 * WALL][3], velocity[AXIS + 4 * WALL][3], pressure[AXIS + 4 * WALL];
    double dx = diameter_mm / cells, margin = diameter_mm / 2 + 2 * dx, radius = diameter_mm / 2 - 1.2 * dx;
    char name[32];
    trial t = {0};
    int rc = OK;
    snprintf(name, sizeof name, "cells-%d", cells);
    trial_create(&t, x->source, x->work, name);
    trial_set(&t, "spacing", "%.12g mm", dx);
    trial_set(&t, "box.low", "[%g, %g, %g]", -margin, -margin, -20 - 2 * dx);
    trial_set(&t, "box.high", "[%g, %g, %g]", margin, margin, 100 + 2 * dx);
    TRY(trial_run(&t, x->run, STAGE_SOLVE));
    for (int k = 0; k < AXIS; k++) {
        point[k][0] = point[k][1] = 0;
        point[k][2] = -19 + 0.5 * k;
    }
    for (int k = 0; k < 4 * WALL; k++) { /* four lines near the wall behind the narrowing */
        point[AXIS + k][0] = radius * cos(M_PI / 2 * (k % 4));
        point[AXIS + k][1] = radius * sin(M_PI / 2 * (k % 4));
        point[AXIS + k][2] = diameter_mm + 0.2 * (k / 4);
    }
    TRY(trial_probe(&t, AXIS + 4 * WALL, (const double(*)[3])point, velocity, pressure));
    out->peak = out->reattach = 0;
    for (int k = 0; k < AXIS; k++) {
        out->z[k] = point[k][2] / diameter_mm;
        out->u[k] = velocity[k][2] / mean_m_s;
        out->peak = fmax(out->peak, out->u[k]);
    }
    for (int k = 0; k < WALL; k++) {
        double sum = 0;
        for (int line = 0; line < 4; line++)
            sum += velocity[AXIS + 4 * k + line][2];
        if (sum < 0)
            out->reattach = point[AXIS + 4 * k][2] / diameter_mm;
    }
    /* from 1.5 D in front of the throat to 8 D behind it, less what a straight tube takes (8 mu L U / R^2) */
    double straight = 8 * viscosity_pa_s * mean_m_s * (9.5 - 2) * diameter_mm * 1e-3 / pow(diameter_mm / 2 * 1e-3, 2);
    double drop = pressure[8] - pressure[198] - straight;
    out->drop = drop / (density * mean_m_s * mean_m_s);
cleanup:
    trial_free(&t);
    return rc;
}

int item_stenosis(const item_context *x, results *r) {
    static found f[LEVELS];
    double k_v = 32 * (0.83 * 2 + 1.64 * 0.5) * 16, young = k_v / 500 + 1.52 / 2 * 9;
    int fine = 8 * (int)fmax(round(4 * x->scale), 2), cells[LEVELS] = {fine * 3 / 4, fine}, rc = OK;
    plot p = {.name = "axis", .title = "Velocity on the axis", .x_label = "z / D", .y_label = "u_z / mean velocity"};
    results_text(r,
                 "Tube of 10 mm, throat of half its diameter, narrowing two diameters long, Re 500, parabolic inlet "
                 "two diameters in "
                 "front, outlet ten behind. Pressure drop over the narrowing in units of rho U^2, without that of the "
                 "straight parts; "
                 "Young and Tsai (1973): %.2f. The inflow takes at most 0.04 cells a step: with the default of 0.1 the "
                 "jet, five times as fast, is beyond what the collision bears, and `solve` says so.",
                 young);
    results_table(
        r, "jet",
        "cells across|across the throat|largest velocity / mean|reattachment (D)|pressure drop|to Young and Tsai (%)");
    for (int k = 0; k < LEVELS; k++) {
        char series[32];
        TRY(run_stenosis(x, cells[k], &f[k]));
        results_row(r, "%d|%d|%.3f|%.2f|%.2f|%.1f", cells[k], cells[k] / 2, f[k].peak, f[k].reattach, f[k].drop,
                    100 * (f[k].drop / young - 1));
        snprintf(series, sizeof series, "%d cells across", cells[k]);
        plot_curve(&p, series, PLOT_LINE, AXIS, f[k].z, f[k].u);
    }
    plot_write(&p, r);
    results_at_most(r, "pressure drop against Young and Tsai (%), whose measurements scatter by 20 %",
                    100 * fabs(f[1].drop / young - 1), 25);
cleanup:
    return rc;
}
