/* SPDX-License-Identifier: Apache-2.0 */
/* verify:heated-cavity. Air between a warm and a cold wall, in a square (de Vahl Davis 1983) and in a cube (Tric,
 * Labrosse, Betrouni 2000): mean Nusselt number, largest velocities on the centre lines and their positions. */
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"

/* Same values as in case.yaml of this study. */
static const double edge_mm = 10, diffusivity_mm2_s = 1, difference_k = 2, expansion_per_ra = 3.6187564e-8;

enum { LINE = 401, RAYLEIGHS = 3 };

typedef struct {
    /* u, v: largest velocities in units of diffusivity / edge; u_at, v_at: their positions */
    double rayleigh, nusselt, u, u_at, v, v_at;
    double line_v[LINE]; /* upward velocity on the horizontal centre line */
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

static double place(int k) {
    return (k + 0.5) / LINE;
}

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

static void run_heated(const study_context *x, bool cube, double rayleigh, int cells, heated *f) {
    static double point[2 * LINE][3], velocity[2 * LINE][3], u[LINE];
    const double dx = edge_mm / cells, depth = cube ? edge_mm : 2 * dx;
    study_case t;
    study_case_open(&t, x, x->source, "%s-%.0e-%d", cube ? "cube" : "square", rayleigh, cells);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(&t, "mesh.box.high", "[%g, %g, %.12g]", edge_mm, edge_mm, depth);
    study_case_set(&t, "solve.heat.expansion", "%.12g 1/K", expansion_per_ra * rayleigh);
    if (cube) {
        study_case_set(&t, "mesh.periodic", "[]");
        study_case_set(&t, "mesh.shape", "{type: box, low: [0, 0, 0], high: [%g, %g, %g]}", edge_mm, edge_mm, edge_mm);
    }
    study_case_run(&t, STAGE_SOLVE);
    f->rayleigh = rayleigh;
    f->nusselt = study_case_solved(&t, "heat/sides/warm/heat_k_mm3_s") / (diffusivity_mm2_s * difference_k * depth);
    for (int k = 0; k < LINE; k++) {
        point[k][0] = point[LINE + k][1] = 0.5 * edge_mm;
        point[k][1] = point[LINE + k][0] = place(k) * edge_mm;
        point[k][2] = point[LINE + k][2] = 0.5 * depth;
    }
    study_case_probe(&t, 2 * LINE, point, velocity, NULL);
    for (int k = 0; k < LINE; k++) {
        u[k] = 1e3 * velocity[k][0] * edge_mm / diffusivity_mm2_s;
        f->line_v[k] = 1e3 * velocity[LINE + k][1] * edge_mm / diffusivity_mm2_s;
    }
    f->u = largest(u, &f->u_at);
    f->v = largest(f->line_v, &f->v_at);
    study_case_close(&t);
}

static double off_percent(double value, double exact) {
    return 100 * fabs(value / exact - 1);
}

/* Checks the Nusselt number and, for a square, velocities and positions. */
static void judge(results *r, const heated *f, int k, int cells, bool cube) {
    const heated *e = &square_reference[k];
    const double coarse = fmax(1, pow(128.0 / cells, 2));
    const char *which =
        results_format(r, "%s, Rayleigh %.0e, %d cells: error of", cube ? "cube" : "square", f->rayleigh, cells);
    results_at_most(r, results_format(r, "%s the Nusselt number (percent)", which),
                    off_percent(f->nusselt, cube ? cube_nusselt[k] : e->nusselt), limit_percent[k] * coarse);
    if (cube)
        return;
    results_at_most(r, results_format(r, "%s the largest velocities (percent)", which),
                    fmax(off_percent(f->u, e->u), off_percent(f->v, e->v)), velocity_limit_percent[k] * coarse);
    results_at_most(r, results_format(r, "%s their positions (of the edge)", which),
                    fmax(fabs(f->u_at - e->u_at), fabs(f->v_at - e->v_at)), place_limit * sqrt(coarse));
}

static void row(results *r, int cells, const heated *f) {
    results_row(r, "%.0e|%d|%.4f|%.3f|%.4f|%.3f|%.4f", f->rayleigh, cells, f->nusselt, f->u, f->u_at, f->v, f->v_at);
}

static void squares(const study_context *x, results *r, int n) {
    static heated f[RAYLEIGHS];
    const int cells = x->scale < 0.5 ? 32 : x->scale < 1 ? 64 : 128;
    double at[LINE];
    plot p = plot_new(r, "square-v", "Upward velocity on the horizontal middle line of the square", "x / L",
                      "v L / diffusivity");
    results_table(r, "square", "Rayleigh|cells|Nusselt|largest u on x = 1/2|at y|largest v on y = 1/2|at x");
    for (int k = 0; k < n; k++) {
        const heated *e = &square_reference[k];
        run_heated(x, false, e->rayleigh, cells, &f[k]);
        row(r, cells, &f[k]);
        results_row(r, "%.0e|de Vahl Davis|%.3f|%.3f|%.3f|%.3f|%.4f", e->rayleigh, e->nusselt, e->u, e->u_at, e->v,
                    e->v_at);
    }
    for (int k = 0; k < LINE; k++)
        at[k] = place(k);
    for (int k = 0; k < n; k++) {
        plot_curve(&p, PLOT_LINE, LINE, at, f[k].line_v, "Rayleigh %.0e, %d cells", f[k].rayleigh, cells);
        plot_curve(&p, PLOT_POINTS, 1, &square_reference[k].v_at, &square_reference[k].v, "de Vahl Davis 1983");
    }
    plot_write(&p);
    for (int k = 0; k < n; k++)
        judge(r, &f[k], k, cells, false);
}

static void cubes(const study_context *x, results *r, int n) {
    static heated f[RAYLEIGHS];
    const int cells = x->scale < 0.5 ? 16 : x->scale < 1 ? 32 : 64;
    results_text(r, "**Cube.** Side walls without flux too; Nusselt number of the whole warm wall.");
    results_table(r, "cube",
                  "Rayleigh|cells|Nusselt|largest u on the upright middle line|at y|largest v on the level one|at x");
    for (int k = 0; k < n; k++) {
        run_heated(x, true, square_reference[k].rayleigh, cells, &f[k]);
        row(r, cells, &f[k]);
        results_row(r, "%.0e|Tric and others|%.4f||||", f[k].rayleigh, cube_nusselt[k]);
    }
    for (int k = 0; k < n; k++)
        judge(r, &f[k], k, cells, true);
}

int study_heated_cavity(const study_context *x, results *r) {
    results_text(
        r, "Air (Prandtl number 0.71) in a box with one vertical warm wall, the opposite wall cold, the others without "
           "flux. Nusselt number of the warm wall; largest velocities on the centre lines, in diffusivity / edge. The "
           "limits are for 128 cells; for N cells times (128 / N)^2 (positions: 128 / N).");
    squares(x, r, x->scale < 0.5 ? 2 : RAYLEIGHS);
    cubes(x, r, x->scale < 0.5 ? 1 : x->scale < 1 ? 2 : RAYLEIGHS);
    return r->error;
}
