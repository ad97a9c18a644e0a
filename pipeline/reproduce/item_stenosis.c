/* verify:stenosis. Tube narrowed to a quarter of its area by a cosine over two diameters, Re 500: the geometry of
 * S. J. Sherwin and H. M. Blackburn, J. Fluid Mech. 533 (2005) 297-327, doi 10.1017/S0022112005004271, and of
 * S. S. Varghese, S. H. Frankel, P. F. Fischer, J. Fluid Mech. 582 (2007) 253-280, doi 10.1017/S0022112007005848. By
 * the first the steady axisymmetric flow is stable to small disturbances up to Re 722, by the second (direct
 * simulation) it is laminar at Re 500; so the flow must become steady and stay axisymmetric. Their profiles are not at
 * hand as numbers. Pressure drop against D. F. Young and F. Y. Tsai, J. Biomech. 6 (1973) 395-410, doi
 * 10.1016/0021-9290(73)90099-7, a fit of measurements:
 *   dp / (rho U^2) = K_v / Re + K_t / 2 (A0/A1 - 1)^2,  K_v = 32 (0.83 L + 1.64 D1) / D (A0/A1)^2,  K_t = 1.52 */
#include "common/status.h"
#include "pipeline/reproduce/item.h"
#include "pipeline/reproduce/plot.h"
#include "pipeline/reproduce/trial.h"
#include "pipeline/stages.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* As in the case file. */
static const double diameter_mm = 10, mean_m_s = 0.05, density = 1000, viscosity_pa_s = 1e-3, cells_a_step = 0.04;
static const double longest = 400, outlet_mm = 250, front_mm = -15, behind_mm = 240; /* longest: D / mean velocity */

enum { AXIS = 221, WALL = 400, LINES = 4, LEVELS = 3, ENDS = AXIS + 2 * LINES * WALL, POINTS = ENDS + 2 };

typedef struct {
    double peak, drop, reattach; /* of the mean velocity; of rho U^2; diameters behind the throat */
    double asymmetry, change, steps;
    double z[AXIS], u[AXIS];
} found;

/* The axis; four lines near the wall and four half-way to it, behind the narrowing. */
static void place(double radius_mm, double point[POINTS][3]) {
    for (int k = 0; k < AXIS; k++) {
        point[k][0] = point[k][1] = 0;
        point[k][2] = -19 + 1.2 * k;
    }
    for (int k = 0; k < 2 * LINES * WALL; k++) {
        const double r = k < LINES * WALL ? radius_mm : diameter_mm / 4;
        point[AXIS + k][0] = r * cos(M_PI / 2 * (k % LINES));
        point[AXIS + k][1] = r * sin(M_PI / 2 * (k % LINES));
        point[AXIS + k][2] = diameter_mm + 0.575 * (k / LINES % WALL);
    }
    for (int k = 0; k < 2; k++) {
        point[ENDS + k][0] = point[ENDS + k][1] = 0;
        point[ENDS + k][2] = k ? behind_mm : front_mm;
    }
}

static void read_lines(const double (*velocity)[3], const double (*point)[3], found *out) {
    out->peak = out->reattach = out->asymmetry = 0;
    for (int k = 0; k < AXIS; k++) {
        out->z[k] = point[k][2] / diameter_mm;
        out->u[k] = velocity[k][2] / mean_m_s;
        out->peak = fmax(out->peak, out->u[k]);
    }
    for (int k = 0; k < WALL; k++) {
        double sum = 0, low = INFINITY, high = -INFINITY;
        for (int line = 0; line < LINES; line++) {
            const double half_way = velocity[AXIS + LINES * (WALL + k) + line][2];
            sum += velocity[AXIS + LINES * k + line][2];
            low = fmin(low, half_way);
            high = fmax(high, half_way);
        }
        if (sum < 0)
            out->reattach = point[AXIS + LINES * k][2] / diameter_mm;
        out->asymmetry = fmax(out->asymmetry, (high - low) / mean_m_s);
    }
}

static int run_stenosis(const item_context *x, int cells, found *out) {
    static double point[POINTS][3], velocity[POINTS][3], pressure[POINTS];
    double dx = diameter_mm / cells, margin = diameter_mm / 2 + 2 * dx;
    char name[32];
    trial t = {0};
    int rc = OK;
    snprintf(name, sizeof name, "cells-%d", cells);
    trial_create(&t, x->source, x->work, name);
    trial_set(&t, "spacing", "%.12g mm", dx);
    trial_set(&t, "box.low", "[%g, %g, %g]", -margin, -margin, -20 - 2 * dx);
    trial_set(&t, "box.high", "[%g, %g, %g]", margin, margin, outlet_mm + 2 * dx);
    trial_set(&t, "max_steps", "%.0f", longest * 2 * cells / cells_a_step); /* the inflow's peak is twice its mean */
    TRY(trial_run(&t, x->run, STAGE_SOLVE));
    TRY(trial_number(&t, "solve/solve.json", "result/change", &out->change));
    TRY(trial_number(&t, "solve/solve.json", "result/steps", &out->steps));
    place(diameter_mm / 2 - 1.2 * dx, point);
    TRY(trial_probe(&t, POINTS, (const double(*)[3])point, velocity, pressure));
    read_lines((const double(*)[3])velocity, (const double(*)[3])point, out);
    /* from 1.5 D in front of the throat to 24 D behind it, less what a straight tube takes (8 mu L U / R^2) */
    double straight = 8 * viscosity_pa_s * mean_m_s * (behind_mm - front_mm - 2 * diameter_mm) * 1e-3 /
                      pow(diameter_mm / 2 * 1e-3, 2);
    double drop = pressure[ENDS] - pressure[ENDS + 1] - straight;
    out->drop = drop / (density * mean_m_s * mean_m_s);
cleanup:
    trial_free(&t);
    return rc;
}

int item_stenosis(const item_context *x, results *r) {
    static found f[LEVELS];
    double k_v = 32 * (0.83 * 2 + 1.64 * 0.5) * 16, young = k_v / 500 + 1.52 / 2 * 9;
    int fine = 8 * (int)fmax(round(6 * x->scale), 2), cells[LEVELS] = {fine / 2, fine * 3 / 4, fine}, rc = OK;
    const found *best = &f[LEVELS - 1];
    plot p = {.name = "axis", .title = "Velocity on the axis", .x_label = "z / D", .y_label = "u_z / mean velocity"};
    results_text(
        r,
        "Tube of 10 mm, throat of half its diameter, narrowing two diameters long, Re 500, parabolic inlet "
        "two diameters in front, outlet 25 behind. The steady axisymmetric flow is stable to small "
        "disturbances up to Re 722 (Sherwin and Blackburn 2005) and direct simulation finds it laminar at Re "
        "500 (Varghese et al. 2007): it must become steady and stay axisymmetric, slowly, since a jet so "
        "near its limit amplifies what it meets. It is followed for at most %.0f D / U or until the velocity "
        "changes by less than 1e-5. The branch to disturbed flow is subcritical (Sherwin and Blackburn): a start from "
        "rest may also end on it, and on a coarse lattice does. Pressure drop over the narrowing in units of rho U^2, "
        "without that of the "
        "straight parts: Young and Tsai (1973) %.2f, and that of a flat jet into a sudden expansion, 4.5 "
        "(Borda-Carnot), with friction in the throat on top.",
        longest, young);
    results_text(r,
                 "The inflow takes at most 0.04 cells a step: with the default of 0.1 the jet, five times as fast, is "
                 "beyond what the collision bears, and `solve` says so. Asymmetry: largest difference between four "
                 "lines half-way to the wall, behind the narrowing.");
    results_table(r, "jet",
                  "cells across|across the throat|steps|last change|asymmetry / mean|largest velocity / "
                  "mean|reattachment (D)|pressure drop|to Young and Tsai (%)");
    for (int k = 0; k < LEVELS; k++) {
        char series[32];
        TRY(run_stenosis(x, cells[k], &f[k]));
        results_row(r, "%d|%d|%.0f|%.1e|%.4f|%.3f|%.2f|%.2f|%.1f", cells[k], cells[k] / 2, f[k].steps, f[k].change,
                    f[k].asymmetry, f[k].peak, f[k].reattach, f[k].drop, 100 * (f[k].drop / young - 1));
        snprintf(series, sizeof series, "%d cells across", cells[k]);
        plot_curve(&p, series, PLOT_LINE, AXIS, f[k].z, f[k].u);
    }
    plot_write(&p, r);
    results_at_most(r, "last change of the velocity, finest lattice", best->change, 1e-5);
    results_at_most(r, "asymmetry (% of the mean velocity), finest lattice", 100 * best->asymmetry, 5);
    results_at_most(r, "pressure drop against Young and Tsai (%), whose measurements scatter by 20 %",
                    100 * fabs(best->drop / young - 1), 25);
cleanup:
    return rc;
}
