/* SPDX-License-Identifier: Apache-2.0 */
/* verify:sphere. Drag of a sphere at Re 21.1 (gallagher2022), from the momentum deficit between two planes:
 *   drag = sum over the plane of (p + rho u_z^2 - 2 mu du_z/dz) in front - behind;   C_D = drag / (rho U^2 pi D^2 / 8)
 * Reference: Clift, Grace, Weber 1978, page 112, table 5.2: C_D = 24/Re (1 + 0.1935 Re^0.6305), 20 < Re < 260 */
#include "common/base/status.h"
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"
#include <stdlib.h>

/* Same values as in case.yaml of this study. */
static const double diameter_mm = 10, stream_m_s = 2.11e-3, density = 1000, viscosity_pa_s = 1e-3;

/* Edges of the cubic boxes, in diameters. */
static const double box[] = {4, 6, 8, 12};

enum {
    LINE = 121,
    BOXES = 4,
    COMPARED = 1 /* COMPARED: index in box[] of the box that is used for the other settings */,
    RUNS = BOXES + 4
};

/* Sum over the plane at height z (a face between two layers of cells) of p + rho u^2 - 2 mu du/dz, in newton. */
static double plane_force(const study_case *t, double dx, double half, double z) {
    const size_t n = (size_t)lround(2 * half / dx), points = 2 * n * n;
    double(*point)[3] = malloc(points * sizeof *point), (*velocity)[3] = malloc(points * sizeof *velocity);
    double *pressure = malloc(points * sizeof *pressure), sum = 0;
    if (!point || !velocity || !pressure)
        results_fail(t->x->page, fail_memory("a plane", 56.0 * (double)points));
    for (size_t k = 0; k < points && t->x->page->error == OK; k++) {
        const size_t cell = k / 2, row = cell / n;
        point[k][0] = -half + ((double)(cell % n) + 0.5) * dx;
        point[k][1] = -half + ((double)row + 0.5) * dx;
        point[k][2] = z + (k % 2 ? 0.5 : -0.5) * dx;
    }
    if (t->x->page->error == OK)
        study_case_probe(t, (int)points, point, velocity, pressure);
    for (size_t k = 0; k < points && t->x->page->error == OK; k += 2) {
        const double u0 = velocity[k][2], u1 = velocity[k + 1][2];
        sum += 0.5 * (pressure[k] + pressure[k + 1]) + 0.5 * density * (u0 * u0 + u1 * u1) -
               2 * viscosity_pa_s * (u1 - u0) / (dx * 1e-3);
    }
    free(point);
    free(velocity);
    free(pressure);
    return sum * dx * dx * 1e-6;
}

typedef struct {
    const char *wall, *opening;
    int cells;
    double box; /* edge of the cubic box, in diameters */
} setup;

/* Number of runs with the Zou-He rule, if n box sizes are computed. */
static int zou_he_runs(int n) {
    return n - 1 > COMPARED ? 2 : 1;
}

/* Returns the drag coefficient. at, u: velocity along the axis. */
static double run_sphere(const study_context *x, const setup *s, double at[LINE], double u[LINE]) {
    const double half = 0.5 * s->box * diameter_mm, dx = diameter_mm / s->cells;
    double point[LINE][3], velocity[LINE][3];
    study_case t;
    study_case_open(&t, x, x->source, "%s-%s-%d-%.0f", s->wall, s->opening, s->cells, 2 * half);
    study_case_set(&t, "mesh.spacing", "%.15g mm", dx);
    study_case_set(&t, "solve.wall", "%s", s->wall);
    study_case_set(&t, "solve.opening", "%s", s->opening);
    study_case_set(&t, "mesh.box.low", "[%g, %g, %g]", -half, -half, -half);
    study_case_set(&t, "mesh.box.high", "[%g, %g, %g]", half, half, half);
    study_case_set(&t, "openings.IN.point", "[0, 0, %g]", -half);
    study_case_set(&t, "openings.OUT.point", "[0, 0, %g]", half);
    study_case_run(&t, STAGE_SOLVE);
    const double drag = plane_force(&t, dx, half, -half + 6 * dx) - plane_force(&t, dx, half, half - 6 * dx);
    for (int k = 0; k < LINE; k++) {
        point[k][0] = point[k][1] = 0.5 * dx;
        point[k][2] = numbers_between(k, LINE, dx - half, half - dx);
        at[k] = point[k][2] / diameter_mm;
    }
    study_case_probe(&t, LINE, point, velocity, NULL);
    for (int k = 0; k < LINE; k++)
        u[k] = isnan(velocity[k][2]) ? 0 : velocity[k][2] / stream_m_s;
    study_case_close(&t);
    return drag / (0.5 * density * stream_m_s * stream_m_s * M_PI / 4 * diameter_mm * diameter_mm * 1e-6);
}

/* Plots our drag over the box size, half-way and with the Zou-He rule, and published values. */
static void draw_drag(results *r, int n, const double drag[RUNS], double clift, double naumann) {
    const double ends[2] = {box[0], box[BOXES - 1]}, both[2][2] = {{clift, clift}, {naumann, naumann}};
    const double zou_he_box[2] = {box[n - 1], box[COMPARED]};
    plot p = plot_new(r, "drag-coefficient", "Drag of the sphere", "box / D", "drag coefficient");
    plot_curve(&p, PLOT_LINE, 2, ends, both[0], "Clift, Grace and Weber 1978 (no box)");
    plot_curve(&p, PLOT_LINE, 2, ends, both[1], "Schiller and Naumann 1933 (no box)");
    plot_curve(&p, PLOT_POINTS, n, box, drag, "ours");
    plot_curve(&p, PLOT_POINTS, zou_he_runs(n), zou_he_box, drag + n + 2, "ours, openings by Zou and He");
    plot_write(&p);
}

/* Reports the remaining influence of the largest box, extrapolated from the two largest boxes. */
static void tell_box(results *r, double box_before, double before, double largest, double drag, double clift,
                     double naumann) {
    const double part = 1 / (pow(largest / box_before, 2) - 1), none = drag + part * (drag - before);
    results_text(r,
                 "From %.0f to %.0f diameters the drag falls by %.1f %%; without a box it is %.3f (extrapolated), %.1f "
                 "%% from Clift et al. and %.1f %% from Schiller and Naumann, whose fits differ by %.1f %%.",
                 box_before, largest, 100 * (1 - drag / before), none, 100 * (none / clift - 1),
                 100 * (none / naumann - 1), 100 * (clift / naumann - 1));
}

/* Lists the runs: one in each box; in the box COMPARED one with half the resolution and one with wall vlbm; one with
 * the Zou-He rule in the largest box and, if there are enough boxes, one in the box COMPARED. */
static int list_runs(int n, int fine, setup run[RUNS]) {
    for (int k = 0; k < n; k++)
        run[k] = (setup){"interpolated", "half-way", fine, box[k]};
    run[n] = (setup){"interpolated", "half-way", fine / 2, box[COMPARED]};
    run[n + 1] = (setup){"vlbm", "half-way", fine, box[COMPARED]};
    run[n + 2] = (setup){"interpolated", "zou-he", fine, box[n - 1]};
    if (zou_he_runs(n) > 1)
        run[n + 3] = (setup){"interpolated", "zou-he", fine, box[COMPARED]};
    return n + 2 + zou_he_runs(n);
}

/* Computes all runs; writes their table and the plot of their wakes. */
static void compute_runs(const study_context *x, results *r, int n_run, const setup *run, double clift,
                         double drag[RUNS]) {
    double at[LINE], u[LINE];
    plot p = plot_new(r, "wake", "Velocity along the axis", "z / D", "u_z / stream");
    results_table(r, "drag", "wall|openings|cells across the sphere|box / D|drag coefficient|difference to Clift (%)");
    for (int k = 0; k < n_run; k++) {
        const setup *s = &run[k];
        drag[k] = run_sphere(x, s, at, u);
        results_row(r, "%s|%s|%d|%.0f|%.4f|%.2f", s->wall, s->opening, s->cells, s->box, drag[k],
                    100 * (drag[k] / clift - 1));
        if (s->cells == run[0].cells)
            plot_curve(&p, PLOT_LINE, LINE, at, u, "%s, %s, box %.0f D", s->wall, s->opening, s->box);
    }
    plot_write(&p);
}

int study_sphere(const study_context *x, results *r) {
    const int fine = 2 * (int)fmax(round(10 * x->scale), 4), n = x->scale >= 0.5 ? 4 : x->scale >= 0.25 ? 3 : 2;
    const double re = density * stream_m_s * diameter_mm * 1e-3 / viscosity_pa_s;
    const double clift = 24 / re * (1 + 0.1935 * pow(re, 0.6305)), naumann = 24 / re * (1 + 0.15 * pow(re, 0.687));
    double drag[RUNS];
    setup run[RUNS];
    results_text(
        r,
        "Sphere of 10 mm at Re %.1f in a cubic box with periodic sides, uniform inflow, outlet pressure; drag from the "
        "momentum deficit between planes 6 cells inside the openings. Clift, Grace and Weber: %.3f; Schiller and "
        "Naumann (1933): %.3f. Openings: `half-way` (default) or `zou-he`, as published. Tolerance 1e-6.",
        re, clift, naumann);
    compute_runs(x, r, list_runs(n, fine, run), run, clift, drag);
    const double last = drag[n - 1], finer = last + (drag[COMPARED] - drag[n]) / 3;
    results_text(r, "A smaller box has a higher drag (the sphere fills %.1f %% of the largest section).",
                 100 * M_PI / 4 / pow(box[n - 1], 2));
    results_text(r,
                 "Drag in the largest box, extrapolated in resolution (second order, %d and %d cells, box of %.0f D): "
                 "%.3f, %.2f %% from Clift et al.",
                 fine / 2, fine, box[COMPARED], finer, 100 * (finer / clift - 1));
    if (n == BOXES)
        tell_box(r, box[n - 2], drag[n - 2], box[n - 1], last, clift, naumann);
    draw_drag(r, n, drag, clift, naumann);
    const double limit = n < BOXES ? 10 : 2; /* wider limit, because the lattices and boxes are small */
    results_at_most(r, "difference (%) to Clift et al., resolution extrapolated, largest box",
                    100 * fabs(finer / clift - 1), limit);
    results_at_most(r, "difference (%) to Clift et al. in the largest box", 100 * fabs(last / clift - 1), limit);
    results_at_most(r, "difference (%) to Clift et al. in the largest box, Zou and He's inlet and outlet",
                    100 * fabs(drag[n + 2] / clift - 1), limit);
    return r->error;
}
