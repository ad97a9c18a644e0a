/* SPDX-License-Identifier: Apache-2.0 */
/* shang2023:table3 with figures 9 to 11, on a phantom in the paper's box: three points of slice 1 over the resolutions,
 * and pulsatile flow compared with steady flow at the boundary values of three instants. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce/reference.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Indices in box_of. QUICK: a box with half the cells of the paper's coarsest box along each axis, for small scales. */
enum { QUICK, COARSEST, LEVELS = 5, POINTS = 3, INSTANTS = 3, SIDE = 41, LINE = 61, STORES = 20 };
static const int box_of[LEVELS][3] = {{37, 40, 48}, {73, 80, 96}, {103, 112, 135}, {132, 143, 174}, {184, 200, 242}};
/* time_s: instants of the largest, the mean and the smallest flow in the portal vein */
static const double time_s[INSTANTS] = {0.07, 0.48, 0.62}, period_s = 0.86;
static const double paper_pa[INSTANTS] = {3.43, 5.51, 7.71};
/* Slice 1 of the paper, placed in the vessels of the phantom: a square, and the centre line of the square from wall to
 * wall. */
static const double width_mm = 46.2, centre_mm[3] = {23.1, 33.6, 30.45}, half_mm = 9, half_line_mm = 13.5;

typedef struct {
    double line[LINE][3], slice[SIDE * SIDE][3]; /* velocities, m/s. line: components at points of the centre line, NaN
                                                  * outside the lumen; slice: at points of the square, 0 outside the
                                                  * lumen */
    double drop_pa;
} found;

static double line_y_mm(int k) {
    return centre_mm[1] + half_line_mm * (2.0 * k / (LINE - 1) - 1);
}

static void place(double point[SIDE * SIDE + LINE][3]) {
    for (int k = 0; k < SIDE * SIDE + LINE; k++) {
        int on = k < SIDE * SIDE, side = SIDE - 1, row = k / SIDE;
        point[k][0] = centre_mm[0] + (on ? half_mm * (2.0 * (k % SIDE) / side - 1) : 0);
        point[k][1] = on ? centre_mm[1] + half_mm * (2.0 * row / side - 1) : line_y_mm(k - SIDE * SIDE);
        point[k][2] = centre_mm[2];
    }
}

static int read_slice(const study_case *t, int instant, found *out) {
    static double point[SIDE * SIDE + LINE][3], velocity[SIDE * SIDE + LINE][3];
    place(point);
    int rc = instant < 0
                 ? study_case_probe(t, SIDE * SIDE + LINE, (const double(*)[3])point, velocity, NULL)
                 : study_case_probe_instant(t, instant, SIDE * SIDE + LINE, (const double(*)[3])point, velocity, NULL);
    for (int k = 0; k < SIDE * SIDE + LINE; k++)
        for (int c = 0; c < 3; c++)
            if (k < SIDE * SIDE)
                out->slice[k][c] = isnan(velocity[k][c]) ? 0 : velocity[k][c];
            else
                out->line[k - SIDE * SIDE][c] = velocity[k][c];
    return rc;
}

static double flow_at(const reference *wave, double t) {
    for (int k = 1; k < wave->n_row; k++)
        if (wave->value[0][k] >= t) {
            double part = (t - wave->value[0][k - 1]) / (wave->value[0][k] - wave->value[0][k - 1]);
            return wave->value[1][k - 1] + part * (wave->value[1][k] - wave->value[1][k - 1]);
        }
    return wave->value[1][0];
}

/* Stored instant nearest to an instant of the paper. */
static double stored_s(int instant) {
    return round(time_s[instant] / period_s * STORES) * period_s / STORES;
}

/* Copies the pictures of figure 10, which are steady flows: each has the inflows of one instant of the cycle. */
static int take_pictures(const study_context *x, int level, results *r) {
    char from[STUDY_CASE_PATH_MAX], name[32], caption[96];
    for (int i = 0; i < INSTANTS; i++) {
        const double ms = 1000 * stored_s(i);
        if (file_path(from, sizeof from, "%s/steady-%d-%.0f/out/post/figures/velocity.png", x->work, box_of[level][0],
                      ms) != OK)
            return ERR_INPUT;
        snprintf(name, sizeof name, "figure10-%d", i + 1);
        snprintf(caption, sizeof caption, "Speed, steady inflows at %.3f s, as in figure 10", 1e-3 * ms);
        results_copy_picture(r, from, name, caption);
    }
    return OK;
}

static int run_steady(const study_context *x, const reference wave[2], int level, double t_s, found *out) {
    char name[48];
    study_case t = {0};
    int rc = OK;
    snprintf(name, sizeof name, "steady-%d-%.0f", box_of[level][0], 1000 * t_s);
    study_case_create(&t, x->source, x->work, name);
    t.pictures = true;
    study_case_set(&t, "mesh.spacing", "%.12g mm", width_mm / box_of[level][0]);
    study_case_set(&t, "solve.mode", "steady");
    study_case_set(&t, "openings.SMV.flow", "%.9g mL/s", flow_at(&wave[0], t_s));
    study_case_set(&t, "openings.SV.flow", "%.9g mL/s", flow_at(&wave[1], t_s));
    TRY(study_case_run(&t, x->run, STAGE_POST));
    TRY(read_slice(&t, -1, out));
    TRY(study_case_number(&t, "post/readouts.json", "pressure_drops/0/value_pa", &out->drop_pa));
cleanup:
    study_case_free(&t);
    return rc;
}

/* Plots the convergence at the three points: our and the paper's values, relative to the values on the finest
 * lattice. */
static void draw_settling(results *r, int first, int n, const double point[LEVELS][POINTS], const reference *paper) {
    plot p = {.name = "settling",
              .title = "Velocity at the points over that on the finest lattice",
              .x_label = "cells along the box's shortest side",
              .y_label = "velocity / finest",
              .log_x = 1};
    for (int k = 0; k < POINTS; k++) {
        double x[LEVELS], y[2][LEVELS];
        char series[48];
        for (int i = 0; i < n; i++) {
            x[i] = box_of[first + i][0];
            y[0][i] = point[i][k] / point[n - 1][k];
            y[1][i] = paper->value[1 + k][first + i - COARSEST] / paper->value[1 + k][first + n - 1 - COARSEST];
        }
        p.colour = k + 1;
        snprintf(series, sizeof series, "%c, ours", 'A' + k);
        plot_curve(&p, series, PLOT_LINE, n, x, y[0]);
        snprintf(series, sizeof series, "%c, paper", 'A' + k);
        plot_curve(&p, series, PLOT_POINTS, n, x, y[1]);
    }
    plot_write(&p, r);
}

static int table_points(const study_context *x, results *r, const reference wave[2], int first, int levels) {
    static found f;
    static reference table;
    static const int at[POINTS] = {LINE / 2, LINE / 2 - 12, LINE / 2 + 12};
    double y[LINE], u[LINE], point[LEVELS][POINTS];
    plot p = {.name = "figure9d",
              .title = "Velocity along the middle line of slice 1, from wall to wall",
              .x_label = "y (mm)",
              .y_label = "velocity along z (m/s)"};
    int rc = OK;
    TRY(reference_read(x->source, "table3.csv", &table));
    results_text(r,
                 "**Points A, B, C** on the centre line of slice 1 (along y, z = %.2f mm): A at y = %.1f mm on the "
                 "axis of the vessel, B and C at y = %.1f and %.1f mm. Steady inflows of %.2f s. Only the convergence "
                 "can be compared with the paper.",
                 centre_mm[2], line_y_mm(at[0]), line_y_mm(at[1]), line_y_mm(at[2]), time_s[0]);
    results_table(r, "points", "box|A (m/s)|B (m/s)|C (m/s)|paper A (m/s)|paper B (m/s)|paper C (m/s)|SV - PV (Pa)");
    for (int k = first; k < levels; k++) {
        const int row = k - COARSEST; /* row of the paper's table with this box */
        char series[32];
        TRY(run_steady(x, wave, k, time_s[0], &f));
        results_row(r, "%dx%dx%d|%.4f|%.4f|%.4f|%.4f|%.4f|%.4f|%.2f", box_of[k][0], box_of[k][1], box_of[k][2],
                    f.line[at[0]][2], f.line[at[1]][2], f.line[at[2]][2], row < 0 ? NAN : table.value[1][row],
                    row < 0 ? NAN : table.value[2][row], row < 0 ? NAN : table.value[3][row], f.drop_pa);
        for (int i = 0; i < LINE; i++) {
            y[i] = line_y_mm(i);
            u[i] = f.line[i][2];
        }
        for (int i = 0; i < POINTS; i++)
            point[k - first][i] = f.line[at[i]][2];
        snprintf(series, sizeof series, "%d cells wide", box_of[k][0]);
        plot_curve(&p, series, PLOT_LINE, LINE, y, u);
    }
    plot_write(&p, r);
    if (levels - first > 1)
        draw_settling(r, first, levels - first, point, &table);
cleanup:
    return rc;
}

/* Largest speed difference on the line, relative to the largest pulsatile speed. */
static double line_difference(const found *pulsatile, const found *steady) {
    double difference = 0, largest = 0;
    for (int k = 0; k < LINE; k++) {
        difference = fmax(difference, fabs(vec_length(pulsatile->line[k]) - vec_length(steady->line[k])));
        largest = fmax(largest, vec_length(pulsatile->line[k]));
    }
    return difference / largest;
}

/* Root mean square of the velocity difference in the slice, relative to the pulsatile velocity. */
static double slice_difference(const found *pulsatile, const found *steady) {
    double square = 0, difference = 0;
    for (int k = 0; k < SIDE * SIDE; k++)
        for (int c = 0; c < 3; c++) {
            square += pow(pulsatile->slice[k][c], 2);
            difference += pow(pulsatile->slice[k][c] - steady->slice[k][c], 2);
        }
    return sqrt(difference / square);
}

static void draw_line(plot *p, const found *f, const char *flow, enum plot_style style, double at_s) {
    double y[LINE], u[LINE];
    char series[48];
    for (int k = 0; k < LINE; k++) {
        y[k] = line_y_mm(k);
        u[k] = vec_length(f->line[k]);
    }
    snprintf(series, sizeof series, "%s, t = %.3f s", flow, at_s);
    plot_curve(p, series, style, LINE, y, u);
}

static int table_pulsatile(const study_context *x, results *r, const reference wave[2], int level, double *worst,
                           double *place_worst, double *drop_worst, double *cycle_change) {
    static found steady[INSTANTS], pulsatile[INSTANTS];
    char name[48], key[64];
    study_case t = {0};
    plot p = {.name = "figure11",
              .title = "Speed on the middle line of slice 1",
              .x_label = "y (mm)",
              .y_label = "speed (m/s)"};
    int rc = OK;
    snprintf(name, sizeof name, "pulsatile-%d", box_of[level][0]);
    study_case_create(&t, x->source, x->work, name);
    study_case_set(&t, "mesh.spacing", "%.12g mm", width_mm / box_of[level][0]);
    study_case_set(&t, "solve.stores", "%d", STORES);
    /* a run that is not periodic must also give a result, because periodicity is a criterion */
    study_case_set(&t, "solve.accept_unconverged", "true");
    study_case_set(&t, "post.instants", "[%.9g s, %.9g s, %.9g s]", stored_s(0), stored_s(1), stored_s(2));
    TRY(study_case_run(&t, x->run, STAGE_POST));
    TRY(study_case_number(&t, "solve/solve.json", "result/cycle_change", cycle_change));
    results_text(r,
                 "**Pulsatile against steady**, box %dx%dx%d: root mean square of the velocity difference at 1681 "
                 "points of slice 1, over the pulsatile velocity; pressure difference between SV and PV. Stored "
                 "instants nearest to the paper's (largest, mean and smallest flow in the PV).",
                 box_of[level][0], box_of[level][1], box_of[level][2]);
    results_table(r, "pulsatile",
                  "t (s)|difference in slice 1 (%)|pulsatile SV - PV (Pa)|steady SV - PV (Pa)|paper (Pa)");
    for (int i = 0; i < INSTANTS; i++) {
        const double at_s = stored_s(i);
        TRY(read_slice(&t, (int)lround(at_s / period_s * STORES), &pulsatile[i]));
        snprintf(key, sizeof key, "instants/%d/pressure_drops/0/value_pa", i);
        TRY(study_case_number(&t, "post/readouts.json", key, &pulsatile[i].drop_pa));
        TRY(run_steady(x, wave, level, at_s, &steady[i]));
        const double difference = slice_difference(&pulsatile[i], &steady[i]);
        results_row(r, "%.3f|%.2f|%.2f|%.2f|%.2f", at_s, 100 * difference, pulsatile[i].drop_pa, steady[i].drop_pa,
                    paper_pa[i]);
        *worst = fmax(*worst, difference);
        *drop_worst = fmax(*drop_worst, fabs(pulsatile[i].drop_pa / steady[i].drop_pa - 1));
        *place_worst = fmax(*place_worst, line_difference(&pulsatile[i], &steady[i]));
        p.colour = i + 1;
        draw_line(&p, &pulsatile[i], "pulsatile", PLOT_LINE, at_s);
        draw_line(&p, &steady[i], "steady", PLOT_POINTS, at_s);
    }
    plot_write(&p, r);
    TRY(take_pictures(x, level, r));
cleanup:
    study_case_free(&t);
    return rc;
}

int study_portal(const study_context *x, results *r) {
    static reference wave[2];
    char flow[4200];
    int rc = OK, first = 184 * x->scale < box_of[COARSEST][0] ? QUICK : COARSEST, levels = first + 1;
    double worst = 0, place_worst = 0, drop_worst = 0, cycle_change = NAN;
    snprintf(flow, sizeof flow, "%s/flow", x->source);
    TRY(reference_read(flow, "smv.csv", &wave[0]));
    TRY(reference_read(flow, "sv.csv", &wave[1]));
    while (levels < LEVELS && box_of[levels][0] <= 184 * x->scale)
        levels++;
    results_text(r, "Box of the paper's case 1: inlets SMV and SV (0.86 s, flow +- 15 %%), outlet PV; `interpolated`, "
                    "TRT. The paper's vessels are not published: a phantom fills the same 0.131 of the box.");
    TRY(table_points(x, r, wave, first, levels));
    TRY(table_pulsatile(x, r, wave, levels - 1, &worst, &place_worst, &drop_worst, &cycle_change));
    results_text(
        r,
        "The velocity in slice 1 differs from the steady flow of the same instant by up to %.2f %% (root mean square), "
        "on its centre line by up to %.0f %% of the largest speed. A portal pressure gradient of 12 mmHg is 1600 Pa. "
        "The paper's pressure differences rise while its flow falls, without an explanation; ours fall.",
        100 * worst, 100 * place_worst);
    results_text(r, "The pressure difference of the pulsatile flow differs from the steady one by up to %.0f %%.",
                 100 * drop_worst);
    if (cycle_change > 0.01)
        results_text(r,
                     "The pulsatile flow is not periodic: a cycle differs from the one before by %.0f %%, although the "
                     "steady flows of all instants settle; the difference in the table is mostly this. It is an error "
                     "of the coarse lattice: sound requires a small time step, which brings the relaxation time too "
                     "close to 0.5. With 184 cells the flow is periodic.",
                     100 * cycle_change);
    results_at_most(r, "velocity of a cycle against the one before (%)", 100 * cycle_change, 1);
    results_at_most(r, "difference between steady and pulsatile flow (%)", 100 * worst, 25);
cleanup:
    return rc;
}
