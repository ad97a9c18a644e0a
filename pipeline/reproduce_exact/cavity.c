/* SPDX-License-Identifier: Apache-2.0 */
/* verify:cavity. The lid-driven cube of rinaldi2012 (figures 6 and 7): velocity along the two centre lines.
 *   Re 1000  compared with the spectral solution of Albensoeder and Kuhlmann (2005), tables 5 and 6
 *   Re 100   compared with a finite element solution (data/reproduce/verify-cavity/README.md), and order of accuracy */
#include "common/base/status.h"
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"

/* Same values as in case.yaml of this study. */
static const double edge_mm = 10, viscosity_m2_s = 1e-6;

enum { LINE = 201, LEVELS = 3, GRID = 81, SEEDS = 7, STEPS = 1500 };

typedef struct {
    /* `at`: position y/L of ux and x/L of uy; ux, uy: velocities over the velocity of the lid */
    double at[LINE], ux[LINE], uy[LINE];
    double min_ux, min_uy, max_uy;
    double rms[2]; /* root mean square differences of ux and uy to the reference */
} found;

/* Coordinate at a position over the edge, inside the cube. */
static double inside_mm(double at) {
    return edge_mm * fmin(fmax(at, 1e-4), 1 - 1e-4);
}

static void probe_lines(const study_case *t, double lid, int n, const double *y, const double *x, double *ux,
                        double *uy) {
    double point[2 * LINE][3], velocity[2 * LINE][3];
    for (int k = 0; k < n; k++) {
        for (int c = 0; c < 3; c++)
            point[k][c] = point[n + k][c] = 0.5 * edge_mm;
        point[k][1] = inside_mm(y[k]);
        point[n + k][0] = inside_mm(x[k]);
    }
    study_case_probe(t, 2 * n, point, velocity, NULL);
    for (int k = 0; k < n; k++) {
        ux[k] = velocity[k][0] / lid;
        uy[k] = velocity[n + k][1] / lid;
    }
}

static void run_cavity(const study_context *x, double re, int cells, const study_table *ref, found *out) {
    const double dx = edge_mm / cells, lid = re * viscosity_m2_s / (edge_mm * 1e-3), low = -2 * dx,
                 high = edge_mm - low;
    double ux[LINE], uy[LINE];
    const int n = (int)fmin(ref->n_row - 2, LINE); /* the first and last row are on the walls */
    study_case t;
    study_case_open(&t, x, x->source, "re%.0f-%d", re, cells);
    study_case_set(&t, "openings.LID.velocity.vector", "[%.12g, 0, 0]", lid);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(&t, "mesh.box.low", "[%.12g, %.12g, %.12g]", low, low, low);
    study_case_set(&t, "mesh.box.high", "[%.12g, %.12g, %.12g]", high, high, high);
    study_case_run(&t, STAGE_SOLVE);
    *out = (found){.min_ux = 0};
    for (int k = 0; k < LINE; k++)
        out->at[k] = (k + 0.5) / LINE;
    probe_lines(&t, lid, LINE, out->at, out->at, out->ux, out->uy);
    for (int k = 0; k < LINE; k++) {
        out->min_ux = fmin(out->min_ux, out->ux[k]);
        out->min_uy = fmin(out->min_uy, out->uy[k]);
        out->max_uy = fmax(out->max_uy, out->uy[k]);
    }
    probe_lines(&t, lid, n, &ref->value[0][1], &ref->value[2][1], ux, uy);
    for (int k = 0; k < n; k++) {
        out->rms[0] += pow(ux[k] - ref->value[1][k + 1], 2) / n;
        out->rms[1] += pow(uy[k] - ref->value[3][k + 1], 2) / n;
    }
    for (int d = 0; d < 2; d++)
        out->rms[d] = sqrt(out->rms[d]);
    study_case_close(&t);
}

static void draw(results *r, const char *name, const char *title, int levels, const int *cells, const found *f,
                 const study_table *ref, const char *ref_name) {
    for (int d = 0; d < 2; d++) {
        plot p = plot_new(r, results_format(r, "%s-u%c", name, 'x' + d), title, d ? "x / L" : "y / L",
                          d ? "u_y / lid" : "u_x / lid");
        for (int k = levels - 1; k >= 0; k--)
            plot_curve(&p, PLOT_LINE, LINE, f[k].at, d ? f[k].uy : f[k].ux, "ours, %d cells", cells[k]);
        plot_curve(&p, PLOT_POINTS, ref->n_row, ref->value[2 * d], ref->value[2 * d + 1], "%s", ref_name);
        plot_write(&p);
    }
}

/* Velocity in the mid plane relative to the lid, bilinear between grid points. */
static void plane_velocity(double (*grid)[3], const double at[2], double u[2]) {
    const double i = fmin(fmax(at[0], 0), 1) * (GRID - 1), j = fmin(fmax(at[1], 0), 1) * (GRID - 1);
    const int a = (int)fmin(i, GRID - 2), b = (int)fmin(j, GRID - 2);
    for (int c = 0; c < 2; c++)
        u[c] = (b + 1 - j) * ((a + 1 - i) * grid[b * GRID + a][c] + (i - a) * grid[b * GRID + a + 1][c]) +
               (j - b) * ((a + 1 - i) * grid[(b + 1) * GRID + a][c] + (i - a) * grid[(b + 1) * GRID + a + 1][c]);
}

/* Follows a streamline from a seed by the midpoint rule, in steps of 0.001 to 0.003 edges. */
static int follow(double (*grid)[3], double x, double y, double px[STEPS], double py[STEPS]) {
    double at[2] = {x, y}, half[2], u[2];
    int n = 0;
    for (; n < STEPS && at[0] > 0 && at[0] < 1 && at[1] > 0 && at[1] < 1; n++) {
        px[n] = at[0];
        py[n] = at[1];
        plane_velocity(grid, at, u);
        const double step = 3e-3 / fmax(hypot(u[0], u[1]), 1e-9);
        for (int c = 0; c < 2; c++)
            half[c] = at[c] + 0.5 * step * u[c];
        plane_velocity(grid, half, u);
        for (int c = 0; c < 2; c++)
            at[c] += step * u[c];
    }
    return n;
}

/* Draws figure 7 of rinaldi2012: streamlines of the mid plane, which is a plane of symmetry, from points on its
 * vertical centre line. */
static void draw_streamlines(const study_context *x, results *r, double re, int cells) {
    static double point[GRID * GRID][3], velocity[GRID * GRID][3], px[STEPS], py[STEPS];
    study_case t;
    plot p =
        plot_new(r, results_format(r, "re%.0f-streamlines", re),
                 results_format(r, "Streamlines in the mid plane, Re %.0f, %d cells", re, cells), "x / L", "y / L");
    p.plane = 1;
    study_case_open(&t, x, x->source, "re%.0f-%d", re, cells);
    for (int k = 0; k < GRID * GRID; k++) {
        point[k][0] = inside_mm((k % GRID) / (GRID - 1.0));
        point[k][1] = inside_mm(floor((double)k / GRID) / (GRID - 1.0));
        point[k][2] = 0.5 * edge_mm;
    }
    study_case_probe(&t, GRID * GRID, point, velocity, NULL);
    for (int k = 0; k < GRID * GRID; k++)
        for (int c = 0; c < 2; c++)
            velocity[k][c] = isnan(velocity[k][c]) ? 0 : velocity[k][c];
    for (int k = 0; k < SEEDS; k++) {
        const double y = 0.08 + 0.86 * k / (SEEDS - 1);
        plot_curve(&p, PLOT_LINE, follow(velocity, 0.5, y, px, py), px, py, "through y / L = %.2f", y);
    }
    plot_write(&p);
    study_case_close(&t);
}

static double l2_between(const found *a, const found *b) {
    double sum = 0;
    for (int k = 0; k < LINE; k++)
        sum += pow(a->ux[k] - b->ux[k], 2) + pow(a->uy[k] - b->uy[k], 2);
    return sqrt(sum / (2 * LINE));
}

/* Order p of the error from three resolutions h0 > h1 > h2. ratio: difference of the coarsest to the finest solution
 * over difference of the middle to the finest solution; (h0^p - h2^p) / (h1^p - h2^p) = ratio. */
static double order_of(const int cells[LEVELS], double ratio) {
    double low = 0.01, high = 6;
    for (int k = 0; k < 60; k++) {
        double p = 0.5 * (low + high), h[LEVELS];
        for (int i = 0; i < LEVELS; i++)
            h[i] = pow(1.0 / cells[i], p);
        *((h[0] - h[2]) / (h[1] - h[2]) < ratio ? &low : &high) = p;
    }
    return low;
}

static void cavity_100(const study_context *x, results *r, const study_table *ref) {
    static found f[LEVELS];
    const found *best = &f[LEVELS - 1];
    const int cells[LEVELS] = {16, x->scale < 0.75 ? 24 : 32, x->scale < 0.4 ? 32 : x->scale < 0.75 ? 48 : 64};
    results_text(r, "**Re 100.** RMS velocity differences over the lid velocity, to the finest lattice and to finite "
                    "elements (`data/reproduce/verify-cavity/README.md`).");
    results_table(r, "re100",
                  "cells|smallest u_x|smallest u_y|largest u_y|difference to the finest|RMS of u_x|RMS of u_y");
    for (int k = 0; k < LEVELS; k++)
        run_cavity(x, 100, cells[k], ref, &f[k]);
    for (int k = 0; k < LEVELS; k++)
        results_row(r, "%d|%.4f|%.4f|%.4f|%.5f|%.4f|%.4f", cells[k], f[k].min_ux, f[k].min_uy, f[k].max_uy,
                    l2_between(&f[k], best), f[k].rms[0], f[k].rms[1]);
    results_row(r, "finite elements|-0.2155|-0.2488|0.1527|||");
    draw(r, "re100", "Lid-driven cube, Re 100", LEVELS, cells, f, ref, "finite elements");
    draw_streamlines(x, r, 100, cells[LEVELS - 1]);
    results_at_least(r, "order of accuracy at Re 100",
                     order_of(cells, l2_between(&f[0], best) / l2_between(&f[1], best)), 1.5);
    results_at_most(
        r, "RMS difference to finite elements at Re 100, finest lattice with N cells across; limit 0.002 (64 / N)^2",
        fmax(best->rms[0], best->rms[1]), 0.002 * pow(64.0 / cells[LEVELS - 1], 2));
}

static void cavity_1000(const study_context *x, results *r, const study_table *ref) {
    static found f[2];
    const int cells[2] = {x->scale < 0.75 ? 48 : 96, x->scale < 0.75 ? 64 : 160};
    if (x->scale < 0.4) {
        results_text(r, "**Re 1000** needs a scale of 0.4 or more.");
        return;
    }
    results_text(r, "**Re 1000.** RMS difference to Albensoeder and Kuhlmann (2005). Above a cell Reynolds number of 8 "
                    "`solve` uses the regularized collision.");
    results_table(r, "re1000", "cells|smallest u_x|smallest u_y|largest u_y|RMS of u_x|RMS of u_y");
    for (int k = 0; k < 2; k++) {
        run_cavity(x, 1000, cells[k], ref, &f[k]);
        results_row(r, "%d|%.4f|%.4f|%.4f|%.4f|%.4f", cells[k], f[k].min_ux, f[k].min_uy, f[k].max_uy, f[k].rms[0],
                    f[k].rms[1]);
    }
    results_row(r, "Albensoeder and Kuhlmann|-0.2804|-0.4350|0.2467||");
    draw(r, "re1000", "Lid-driven cube, Re 1000", 2, cells, f, ref, "Albensoeder and Kuhlmann 2005");
    draw_streamlines(x, r, 1000, cells[1]);
    results_at_most(r, "RMS difference at Re 1000", fmax(f[1].rms[0], f[1].rms[1]), 0.02);
}

int study_cavity(const study_context *x, results *r) {
    static study_table ref[2];
    results_text(
        r, "Lid moving in its plane; `interpolated`, TRT, tolerance 1e-6. Velocity on the centre line perpendicular to "
           "the lid (u_x) and along its motion (u_y), streamlines of the mid plane. The edges of the lid are at rest.");
    if (!study_read_numbers(x, "steady-re100.csv", 4, &ref[0]) ||
        !study_read_numbers(x, "albensoeder2005.csv", 4, &ref[1]))
        return r->error;
    cavity_100(x, r, &ref[0]);
    cavity_1000(x, r, &ref[1]);
    return r->error;
}
