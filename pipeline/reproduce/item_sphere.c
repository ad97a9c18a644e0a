/* verify:sphere. Drag of a sphere at Re 21.1 (gallagher2022), from the momentum that the stream loses between two
 * planes:
 *
 *   drag = sum over the plane of (p + rho u_z^2 - 2 mu du_z/dz) in front - behind;   C_D = drag / (rho U^2 pi D^2 / 8)
 *
 * Reference: R. Clift, J. R. Grace, M. E. Weber, Bubbles, Drops and Particles (1978), page 112, table 5.2:
 *   C_D = 24/Re (1 + 0.1935 Re^0.6305),  20 < Re < 260 */
#include "common/status.h"
#include "pipeline/reproduce/item.h"
#include "pipeline/reproduce/plot.h"
#include "pipeline/reproduce/trial.h"
#include "pipeline/stages.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* As in the case file. */
static const double diameter_mm = 10, stream_m_s = 2.11e-3, density = 1000, viscosity_pa_s = 1e-3;

enum { LINE = 121, ZOU_HE = 2 };

/* Sum over the plane at height z (a face between two layers of cells) of p + rho u^2 - 2 mu du/dz, in newton. */
static int plane_force(const trial *t, double dx, double half, double z, double *force) {
    int n = (int)lround(2 * half / dx), rc = OK;
    size_t points = 2 * (size_t)n * (size_t)n;
    double(*point)[3] = malloc(points * sizeof *point), (*velocity)[3] = malloc(points * sizeof *velocity);
    double *pressure = malloc(points * sizeof *pressure), sum = 0;
    if (!point || !velocity || !pressure)
        TRY(fail_memory("a plane", 56.0 * (double)points));
    for (size_t k = 0; k < points; k++) {
        const size_t cell = k / 2, row = cell / (size_t)n;
        point[k][0] = -half + ((double)(cell % (size_t)n) + 0.5) * dx;
        point[k][1] = -half + ((double)row + 0.5) * dx;
        point[k][2] = z + (k % 2 ? 0.5 : -0.5) * dx;
    }
    TRY(trial_probe(t, (int)points, (const double(*)[3])point, velocity, pressure));
    for (size_t k = 0; k < points; k += 2) {
        double u0 = velocity[k][2], u1 = velocity[k + 1][2];
        sum += 0.5 * (pressure[k] + pressure[k + 1]) + 0.5 * density * (u0 * u0 + u1 * u1) -
               2 * viscosity_pa_s * (u1 - u0) / (dx * 1e-3);
    }
    *force = sum * dx * dx * 1e-6;
cleanup:
    free(point);
    free(velocity);
    free(pressure);
    return rc;
}

typedef struct {
    const char *wall, *opening;
    int cells;
    double box; /* diameters */
} setup;

static int run_sphere(const item_context *x, const setup *s, double *drag, double at[LINE], double u[LINE]) {
    const double half = 0.5 * s->box * diameter_mm;
    double point[LINE][3], velocity[LINE][3], dx = diameter_mm / s->cells, front, behind;
    char name[64];
    trial t = {0};
    int rc = OK;
    snprintf(name, sizeof name, "%s-%s-%d-%.0f", s->wall, s->opening, s->cells, 2 * half);
    trial_create(&t, x->source, x->work, name);
    trial_set(&t, "spacing", "%.15g mm", dx);
    trial_set(&t, "wall", "%s", s->wall);
    trial_set(&t, "solve.opening", "%s", s->opening);
    trial_set(&t, "low", "[%g, %g, %g]", -half, -half, -half);
    trial_set(&t, "high", "[%g, %g, %g]", half, half, half);
    trial_set(&t, "IN.point", "[0, 0, %g]", -half);
    trial_set(&t, "OUT.point", "[0, 0, %g]", half);
    TRY(trial_run(&t, x->run, STAGE_SOLVE));
    TRY(plane_force(&t, dx, half, -half + 6 * dx, &front));
    TRY(plane_force(&t, dx, half, half - 6 * dx, &behind));
    *drag = (front - behind) / (0.5 * density * stream_m_s * stream_m_s * M_PI / 4 * diameter_mm * diameter_mm * 1e-6);
    for (int k = 0; k < LINE; k++) {
        at[k] = (half - dx) * (2.0 * k / (LINE - 1) - 1);
        point[k][0] = point[k][1] = 0.5 * dx;
        point[k][2] = at[k];
    }
    TRY(trial_probe(&t, LINE, (const double(*)[3])point, velocity, NULL));
    for (int k = 0; k < LINE; k++) {
        u[k] = isnan(velocity[k][2]) ? 0 : velocity[k][2] / stream_m_s;
        at[k] /= diameter_mm;
    }
cleanup:
    trial_free(&t);
    return rc;
}

/* Drag over the size of the box, `interpolated` on the finest lattice, and what others measured. */
static void draw_drag(results *r, int n, const double *box, const double *drag, const double zou_he_box[ZOU_HE],
                      const double zou_he[ZOU_HE], double clift, double naumann) {
    const double ends[2] = {4, 12}, both[2][2] = {{clift, clift}, {naumann, naumann}};
    plot p = {
        .name = "drag-coefficient", .title = "Drag of the sphere", .x_label = "box / D", .y_label = "drag coefficient"};
    plot_curve(&p, "Clift, Grace and Weber 1978 (no box)", PLOT_LINE, 2, ends, both[0]);
    plot_curve(&p, "Schiller and Naumann 1933 (no box)", PLOT_LINE, 2, ends, both[1]);
    plot_curve(&p, "ours, interpolated", PLOT_POINTS, n, box, drag);
    plot_curve(&p, "the same, openings by Zou and He", PLOT_POINTS, ZOU_HE, zou_he_box, zou_he);
    plot_write(&p, r);
}

/* What the largest box leaves, from the one before it. */
static void tell_box(results *r, double box_before, double before, double box, double drag, double clift,
                     double naumann) {
    const double part = 1 / (pow(box / box_before, 2) - 1), none = drag + part * (drag - before);
    results_text(
        r,
        "The box still counts: from %.0f to %.0f diameters the drag falls by %.1f %%, and if what is left falls "
        "with the section it is %.3f without a box, %.1f %% from Clift et al. and %.1f %% from Schiller and "
        "Naumann, whose fits are %.1f %% apart.",
        box_before, box, 100 * (1 - drag / before), none, 100 * (none / clift - 1), 100 * (none / naumann - 1),
        100 * (clift / naumann - 1));
}

int item_sphere(const item_context *x, results *r) {
    enum { COARSE = 1, FINE = 2, LARGEST = 4, FIRST_ZOU_HE = 6, RUNS = FIRST_ZOU_HE + ZOU_HE };
    const int fine = 2 * (int)fmax(round(10 * x->scale), 4), whole = x->scale >= 0.8;
    const double largest = whole ? 12 : 8;
    const setup run[RUNS] = {{"interpolated", "half-way", fine, 4},       {"interpolated", "half-way", fine / 2, 6},
                             {"interpolated", "half-way", fine, 6},       {"interpolated", "half-way", fine, 8},
                             {"interpolated", "half-way", fine, largest}, {"vlbm", "half-way", fine, 6},
                             {"interpolated", "zou-he", fine, 6},         {"interpolated", "zou-he", fine, largest}};
    double at[LINE], u[LINE], drag[RUNS], re = density * stream_m_s * diameter_mm * 1e-3 / viscosity_pa_s;
    double clift = 24 / re * (1 + 0.1935 * pow(re, 0.6305)), naumann = 24 / re * (1 + 0.15 * pow(re, 0.687));
    int rc = OK;
    plot p = {.name = "wake", .title = "Velocity along the axis", .x_label = "z / D", .y_label = "u_z / stream"};
    results_text(r,
                 "Sphere of 10 mm at Re %.1f in a cubic box whose sides repeat, even inflow, outflow at a given "
                 "pressure, from the loss of momentum between planes 6 cells inside the openings. Clift, Grace and "
                 "Weber (1978): %.3f; Schiller and Naumann (1933): %.3f.",
                 re, clift, naumann);
    results_table(r, "drag", "wall|openings|cells across the sphere|box / D|drag coefficient|difference to Clift (%)");
    for (int k = 0; k < RUNS; k++) {
        char series[64];
        if (k == LARGEST && !whole) {
            drag[k] = drag[k - 1];
            continue;
        }
        TRY(run_sphere(x, &run[k], &drag[k], at, u));
        results_row(r, "%s|%s|%d|%.0f|%.4f|%.2f", run[k].wall, run[k].opening, run[k].cells, run[k].box, drag[k],
                    100 * (drag[k] / clift - 1));
        snprintf(series, sizeof series, "%s, %d cells, box %.0f D%s", run[k].wall, run[k].cells, run[k].box,
                 k < FIRST_ZOU_HE ? "" : ", Zou and He");
        if (k != COARSE && k != FIRST_ZOU_HE)
            plot_curve(&p, series, PLOT_LINE, LINE, at, u);
    }
    results_text(
        r,
        "The sphere fills %.1f %% of the largest box's section, and what enters evenly cannot turn aside: in a smaller "
        "box the drag is higher.",
        100 * M_PI / 4 / pow(run[LARGEST].box, 2));
    const double finer = drag[LARGEST] + (drag[FINE] - drag[COARSE]) / 3;
    results_text(
        r,
        "The largest box, extrapolated with second order to an infinite resolution by what is seen from %d to %d "
        "cells in the box of 6 diameters: %.3f, %.2f %% from Clift et al.",
        fine / 2, fine, finer, 100 * (finer / clift - 1));
    if (whole)
        tell_box(r, run[LARGEST - 1].box, drag[LARGEST - 1], run[LARGEST].box, drag[LARGEST], clift, naumann);
    const double box[4] = {run[0].box, run[FINE].box, run[3].box, run[LARGEST].box};
    const double shown[4] = {drag[0], drag[FINE], drag[3], drag[LARGEST]};
    const double zou_he_box[ZOU_HE] = {run[FIRST_ZOU_HE].box, run[RUNS - 1].box};
    draw_drag(r, whole ? 4 : 3, box, shown, zou_he_box, drag + FIRST_ZOU_HE, clift, naumann);
    plot_write(&p, r);
    results_at_most(r, "difference (%) to Clift et al., resolution extrapolated, largest box",
                    100 * fabs(finer / clift - 1), 2);
    results_at_most(r, "difference (%) to Clift et al. in the largest box", 100 * fabs(drag[LARGEST] / clift - 1),
                    fine >= 10 ? 2 : 10);
    results_at_most(r, "the same with Zou and He's inlet and outlet", 100 * fabs(drag[RUNS - 1] / clift - 1),
                    fine >= 10 ? 2 : 10);
cleanup:
    return rc;
}
