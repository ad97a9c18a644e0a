/* SPDX-License-Identifier: Apache-2.0 */
/* verify:heated-cavity. Air between a warm and a cold wall, in a square (de Vahl Davis 1983) and in a cube (Tric,
 * Labrosse, Betrouni 2000): mean Nusselt number, largest velocities on the centre lines and their positions. */
#include "common/base/status.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/run/stages.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce/study_case.h"
#include <math.h>
#include <stdio.h>

/* Same values as in case.yaml of this study. */
static const double edge_mm = 10, diffusivity_mm2_s = 1, difference_k = 2, expansion_per_ra = 3.6187564e-8;

enum { LINE = 401, RAYLEIGHS = 3 };

typedef struct {
    /* u, v: largest velocities in units of diffusivity / edge; u_at, v_at: their positions */
    double rayleigh, nusselt, u, u_at, v, v_at;
} heated;

/* Reference for a square: de Vahl Davis 1983, table 2. For a cube, Nusselt number only: Tric, Labrosse, Betrouni
 * 2000. */
static const heated square_reference[RAYLEIGHS] = {{1e4, 2.243, 16.178, 0.823, 19.617, 0.119},
                                                   {1e5, 4.519, 34.73, 0.855, 68.59, 0.066},
                                                   {1e6, 8.800, 64.63, 0.850, 219.36, 0.0379}};
static const double cube_nusselt[RAYLEIGHS] = {2.0542, 4.3370, 8.6407};
/* Limits of the errors at 128 cells, set before the results were known. On coarser lattices they are multiplied by the
 * squared ratio of the spacings; limits of positions by the ratio. */
static const double limit_percent[RAYLEIGHS] = {1, 1, 2}, velocity_limit_percent[RAYLEIGHS] = {1, 2, 3},
                    place_limit = 0.01;

/* Maximum of value, by a parabola between the points of the line. */
static double largest(const double *value, double *at) {
    int top = 1;
    for (int k = 1; k < LINE - 1; k++)
        top = value[k] > value[top] ? k : top;
    const double a = value[top - 1], b = value[top], c = value[top + 1], bend = a - 2 * b + c;
    const double shift = bend < 0 ? 0.5 * (a - c) / bend : 0;
    *at = (top + shift + 0.5) / LINE;
    return b - 0.25 * (a - c) * shift;
}

static int probe(const study_case *t, double depth_mm, heated *f, double *at, double *u, double *v) {
    static double point[2 * LINE][3], velocity[2 * LINE][3];
    for (int k = 0; k < LINE; k++) {
        at[k] = (k + 0.5) / LINE;
        point[k][0] = point[LINE + k][1] = 0.5 * edge_mm;
        point[k][1] = point[LINE + k][0] = at[k] * edge_mm;
        point[k][2] = point[LINE + k][2] = 0.5 * depth_mm;
    }
    const int rc = study_case_probe(t, 2 * LINE, (const double(*)[3])point, velocity, NULL);
    for (int k = 0; k < LINE; k++) {
        u[k] = 1e3 * velocity[k][0] * edge_mm / diffusivity_mm2_s;
        v[k] = 1e3 * velocity[LINE + k][1] * edge_mm / diffusivity_mm2_s;
    }
    f->u = largest(u, &f->u_at);
    f->v = largest(v, &f->v_at);
    return rc;
}

static int run_heated(const study_context *x, int cube, double rayleigh, int cells, heated *f, double *at, double *u,
                      double *v) {
    char name[32];
    study_case t = {0};
    int rc;
    double heat;
    const double dx = edge_mm / cells, depth = cube ? edge_mm : 2 * dx;
    snprintf(name, sizeof name, "%s-%.0e-%d", cube ? "cube" : "square", rayleigh, cells);
    study_case_create(&t, x->source, x->work, name);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(&t, "mesh.box.high", "[%g, %g, %.12g]", edge_mm, edge_mm, depth);
    study_case_set(&t, "solve.heat.expansion", "%.12g 1/K", expansion_per_ra * rayleigh);
    if (cube)
        study_case_set(&t, "mesh.periodic", "[]");
    if (cube)
        study_case_set(&t, "mesh.shape", "{type: box, low: [0, 0, 0], high: [%g, %g, %g]}", edge_mm, edge_mm, edge_mm);
    TRY(study_case_run(&t, x->run, STAGE_SOLVE));
    TRY(study_case_number(&t, "solve/solve.json", "result/heat/sides/warm/heat_k_mm3_s", &heat));
    *f = (heated){.rayleigh = rayleigh, .nusselt = heat / (diffusivity_mm2_s * difference_k * depth)};
    TRY(probe(&t, depth, f, at, u, v));
cleanup:
    study_case_free(&t);
    return rc;
}

static double off_percent(double value, double exact) {
    return 100 * fabs(value / exact - 1);
}

static void judge(results *r, const heated *f, int k, int cells) {
    const heated *e = &square_reference[k];
    const double coarse = fmax(1, pow(128.0 / cells, 2));
    char what[160];
    snprintf(what, sizeof what, "square, Rayleigh %.0e, %d cells: error of the Nusselt number (percent)", f->rayleigh,
             cells);
    results_at_most(r, what, off_percent(f->nusselt, e->nusselt), limit_percent[k] * coarse);
    snprintf(what, sizeof what, "square, Rayleigh %.0e, %d cells: error of the largest velocities (percent)",
             f->rayleigh, cells);
    results_at_most(r, what, fmax(off_percent(f->u, e->u), off_percent(f->v, e->v)),
                    velocity_limit_percent[k] * coarse);
    snprintf(what, sizeof what, "square, Rayleigh %.0e, %d cells: error of their positions (of the edge)", f->rayleigh,
             cells);
    results_at_most(r, what, fmax(fabs(f->u_at - e->u_at), fabs(f->v_at - e->v_at)), place_limit * sqrt(coarse));
}

static void row(results *r, int cells, const heated *f) {
    results_row(r, "%.0e|%d|%.4f|%.3f|%.4f|%.3f|%.4f", f->rayleigh, cells, f->nusselt, f->u, f->u_at, f->v, f->v_at);
}

static int squares(const study_context *x, results *r, int n) {
    static double at[LINE], u[RAYLEIGHS][LINE], v[RAYLEIGHS][LINE];
    const int cells = x->scale < 0.5 ? 32 : x->scale < 1 ? 64 : 128;
    heated f[RAYLEIGHS];
    plot p = {.name = "square-v",
              .title = "Upward velocity on the horizontal middle line of the square",
              .x_label = "x / L",
              .y_label = "v L / diffusivity"};
    int rc = OK;
    for (int k = 0; k < n; k++)
        TRY(run_heated(x, 0, square_reference[k].rayleigh, cells, &f[k], at, u[k], v[k]));
    results_table(r, "square", "Rayleigh|cells|Nusselt|largest u on x = 1/2|at y|largest v on y = 1/2|at x");
    for (int k = 0; k < n; k++) {
        row(r, cells, &f[k]);
        results_row(r, "%.0e|de Vahl Davis|%.3f|%.3f|%.3f|%.3f|%.4f", square_reference[k].rayleigh,
                    square_reference[k].nusselt, square_reference[k].u, square_reference[k].u_at, square_reference[k].v,
                    square_reference[k].v_at);
    }
    for (int k = 0; k < n; k++) {
        char series[64];
        snprintf(series, sizeof series, "Rayleigh %.0e, %d cells", f[k].rayleigh, cells);
        plot_curve(&p, series, PLOT_LINE, LINE, at, v[k]);
        plot_curve(&p, "de Vahl Davis 1983", PLOT_POINTS, 1, &square_reference[k].v_at, &square_reference[k].v);
    }
    plot_write(&p, r);
    for (int k = 0; k < n; k++)
        judge(r, &f[k], k, cells);
cleanup:
    plot_free(&p);
    return rc;
}

static int cubes(const study_context *x, results *r, int n) {
    static double at[LINE], u[LINE], v[LINE];
    const int cells = x->scale < 0.5 ? 16 : x->scale < 1 ? 32 : 64;
    heated f[RAYLEIGHS];
    int rc = OK;
    for (int k = 0; k < n; k++)
        TRY(run_heated(x, 1, square_reference[k].rayleigh, cells, &f[k], at, u, v));
    results_text(r, "**Cube.** Side walls without flux too; Nusselt number of the whole warm wall.");
    results_table(r, "cube",
                  "Rayleigh|cells|Nusselt|largest u on the upright middle line|at y|largest v on the level one|at x");
    for (int k = 0; k < n; k++) {
        row(r, cells, &f[k]);
        results_row(r, "%.0e|Tric and others|%.4f||||", f[k].rayleigh, cube_nusselt[k]);
    }
    for (int k = 0; k < n; k++) {
        char what[160];
        snprintf(what, sizeof what, "cube, Rayleigh %.0e, %d cells: error of the Nusselt number (percent)",
                 f[k].rayleigh, cells);
        results_at_most(r, what, off_percent(f[k].nusselt, cube_nusselt[k]),
                        limit_percent[k] * fmax(1, pow(128.0 / cells, 2)));
    }
cleanup:
    return rc;
}

int study_heated_cavity(const study_context *x, results *r) {
    int rc;
    const int n = x->scale < 0.5 ? 2 : RAYLEIGHS;
    results_text(
        r, "Air (Prandtl number 0.71) in a box with one vertical warm wall, the opposite wall cold, the others without "
           "flux. Nusselt number of the warm wall; largest velocities on the centre lines, in diffusivity / edge. The "
           "limits are for 128 cells; for N cells times (128 / N)^2 (positions: 128 / N).");
    TRY(squares(x, r, n));
    TRY(cubes(x, r, x->scale < 0.5 ? 1 : x->scale < 1 ? 2 : RAYLEIGHS));
cleanup:
    return rc;
}
