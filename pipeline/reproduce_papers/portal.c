/* SPDX-License-Identifier: Apache-2.0 */
/* shang2023:table3 with figures 9 to 11, on a phantom in the paper's box: velocity at three points of slice 1 for all
 * resolutions; pulsatile flow at three instants against steady flows with the boundary values of these instants. */
#include "common/base/vec.h"
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"

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

/* Reads slice 1 of a steady flow (instant -1) or of a stored instant. */
static void read_slice(const study_case *t, int instant, found *out) {
    enum { N = SIDE * SIDE + LINE };
    static double point[N][3], velocity[N][3];
    for (int k = 0; k < N; k++) {
        const int on = k < SIDE * SIDE, row = k / SIDE;
        point[k][0] = centre_mm[0] + (on ? half_mm * numbers_between(k % SIDE, SIDE, -1, 1) : 0);
        point[k][1] = on ? centre_mm[1] + half_mm * numbers_between(row, SIDE, -1, 1) : line_y_mm(k - SIDE * SIDE);
        point[k][2] = centre_mm[2];
    }
    if (instant < 0)
        study_case_probe(t, N, point, velocity, NULL);
    else
        study_case_probe_instant(t, instant, N, point, velocity, NULL);
    for (int k = 0; k < N; k++)
        for (int c = 0; c < 3; c++)
            if (k < SIDE * SIDE)
                out->slice[k][c] = isnan(velocity[k][c]) ? 0 : velocity[k][c];
            else
                out->line[k - SIDE * SIDE][c] = velocity[k][c];
}

static double flow_at(const study_table *wave, double t_s) {
    return numbers_interpolate(wave->n_row, wave->value[0], wave->value[1], t_s);
}

/* Stored instant nearest to an instant of the paper. */
static double stored_s(int instant) {
    return round(time_s[instant] / period_s * STORES) * period_s / STORES;
}

/* Computes the steady flow with the inflows at t_s. */
static void run_steady(const study_context *x, const study_table wave[2], int level, double t_s, found *out) {
    study_case t;
    study_case_open(&t, x, x->source, "steady-%d-%.0f", box_of[level][0], 1000 * t_s);
    t.pictures = true;
    study_case_set(&t, "mesh.spacing", "%.12g mm", width_mm / box_of[level][0]);
    study_case_set(&t, "solve.mode", "steady");
    study_case_set(&t, "openings.SMV.flow", "%.9g mL/s", flow_at(&wave[0], t_s));
    study_case_set(&t, "openings.SV.flow", "%.9g mL/s", flow_at(&wave[1], t_s));
    study_case_run(&t, STAGE_POST);
    read_slice(&t, -1, out);
    out->drop_pa = study_case_readout(&t, "pressure_drops/0/value_pa");
    study_case_close(&t);
}

/* Plots the convergence at the three points: our and the paper's values, relative to the values on the finest
 * lattice. */
static void draw_settling(results *r, int first, int n, const double point[LEVELS][POINTS], const study_table *paper) {
    plot p = plot_new(r, "settling", "Velocity at the points over that on the finest lattice",
                      "cells along the box's shortest side", "velocity / finest");
    p.log_x = 1;
    for (int k = 0; k < POINTS; k++) {
        double x[LEVELS], y[2][LEVELS];
        for (int i = 0; i < n; i++) {
            x[i] = box_of[first + i][0];
            y[0][i] = point[i][k] / point[n - 1][k];
            y[1][i] = paper->value[1 + k][first + i - COARSEST] / paper->value[1 + k][first + n - 1 - COARSEST];
        }
        p.colour = k + 1;
        plot_curve(&p, PLOT_LINE, n, x, y[0], "%c, ours", 'A' + k);
        plot_curve(&p, PLOT_POINTS, n, x, y[1], "%c, paper", 'A' + k);
    }
    plot_write(&p);
}

static void table_points(const study_context *x, results *r, const study_table wave[2], int first, int levels) {
    static found f;
    static study_table table;
    static const int at[POINTS] = {LINE / 2, LINE / 2 - 12, LINE / 2 + 12};
    double y[LINE], u[LINE], point[LEVELS][POINTS];
    plot p = plot_new(r, "figure9d", "Velocity along the middle line of slice 1, from wall to wall", "y (mm)",
                      "velocity along z (m/s)");
    if (!study_read_numbers(x, "table3.csv", 4, &table))
        return;
    results_text(r,
                 "**Points A, B, C** on the centre line of slice 1 (along y, z = %.2f mm): A at y = %.1f mm on the "
                 "axis of the vessel, B and C at y = %.1f and %.1f mm. Steady inflows of %.2f s. Only the convergence "
                 "can be compared with the paper.",
                 centre_mm[2], line_y_mm(at[0]), line_y_mm(at[1]), line_y_mm(at[2]), time_s[0]);
    results_table(r, "points", "box|A (m/s)|B (m/s)|C (m/s)|paper A (m/s)|paper B (m/s)|paper C (m/s)|SV - PV (Pa)");
    for (int k = first; k < levels; k++) {
        const int row = k - COARSEST; /* row of the paper's table with this box */
        run_steady(x, wave, k, time_s[0], &f);
        results_row(r, "%dx%dx%d|%.4f|%.4f|%.4f|%.4f|%.4f|%.4f|%.2f", box_of[k][0], box_of[k][1], box_of[k][2],
                    f.line[at[0]][2], f.line[at[1]][2], f.line[at[2]][2], row < 0 ? NAN : table.value[1][row],
                    row < 0 ? NAN : table.value[2][row], row < 0 ? NAN : table.value[3][row], f.drop_pa);
        for (int i = 0; i < LINE; i++) {
            y[i] = line_y_mm(i);
            u[i] = f.line[i][2];
        }
        for (int i = 0; i < POINTS; i++)
            point[k - first][i] = f.line[at[i]][2];
        plot_curve(&p, PLOT_LINE, LINE, y, u, "%d cells wide", box_of[k][0]);
    }
    plot_write(&p);
    if (levels - first > 1)
        draw_settling(r, first, levels - first, point, &table);
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
    numbers_l2 l2 = {0};
    for (int k = 0; k < 3 * SIDE * SIDE; k++)
        numbers_l2_add(&l2, steady->slice[k / 3][k % 3], pulsatile->slice[k / 3][k % 3]);
    return numbers_l2_error(&l2);
}

static void draw_line(plot *p, const found *f, const char *flow, enum plot_style style, double at_s) {
    double y[LINE], u[LINE];
    for (int k = 0; k < LINE; k++) {
        y[k] = line_y_mm(k);
        u[k] = vec_length(f->line[k]);
    }
    plot_curve(p, style, LINE, y, u, "%s, t = %.3f s", flow, at_s);
}

/* Largest differences between pulsatile and steady flow, relative; change from cycle to cycle. */
typedef struct {
    double slice, line, drop, cycle;
} differences;

static differences table_pulsatile(const study_context *x, results *r, const study_table wave[2], int level) {
    static found steady[INSTANTS], pulsatile[INSTANTS];
    differences worst = {0};
    study_case t;
    plot p = plot_new(r, "figure11", "Speed on the middle line of slice 1", "y (mm)", "speed (m/s)");
    study_case_open(&t, x, x->source, "pulsatile-%d", box_of[level][0]);
    study_case_set(&t, "mesh.spacing", "%.12g mm", width_mm / box_of[level][0]);
    study_case_set(&t, "solve.stores", "%d", STORES);
    /* a run that is not periodic must also give a result, because periodicity is a criterion */
    study_case_set(&t, "solve.accept_unconverged", "true");
    study_case_set(&t, "post.instants", "[%.9g s, %.9g s, %.9g s]", stored_s(0), stored_s(1), stored_s(2));
    study_case_run(&t, STAGE_POST);
    worst.cycle = study_case_solved(&t, "cycle_change");
    results_text(r,
                 "**Pulsatile against steady**, box %dx%dx%d: root mean square of the velocity difference at 1681 "
                 "points of slice 1, over the pulsatile velocity; pressure difference between SV and PV. Stored "
                 "instants nearest to the paper's (largest, mean and smallest flow in the PV).",
                 box_of[level][0], box_of[level][1], box_of[level][2]);
    results_table(r, "pulsatile",
                  "t (s)|difference in slice 1 (%)|pulsatile SV - PV (Pa)|steady SV - PV (Pa)|paper (Pa)");
    for (int i = 0; i < INSTANTS; i++) {
        const double at_s = stored_s(i);
        read_slice(&t, (int)lround(at_s / period_s * STORES), &pulsatile[i]);
        pulsatile[i].drop_pa = study_case_readout(&t, "instants/%d/pressure_drops/0/value_pa", i);
        run_steady(x, wave, level, at_s, &steady[i]);
        const double difference = slice_difference(&pulsatile[i], &steady[i]);
        results_row(r, "%.3f|%.2f|%.2f|%.2f|%.2f", at_s, 100 * difference, pulsatile[i].drop_pa, steady[i].drop_pa,
                    paper_pa[i]);
        worst.slice = fmax(worst.slice, difference);
        worst.drop = fmax(worst.drop, fabs(pulsatile[i].drop_pa / steady[i].drop_pa - 1));
        worst.line = fmax(worst.line, line_difference(&pulsatile[i], &steady[i]));
        p.colour = i + 1;
        draw_line(&p, &pulsatile[i], "pulsatile", PLOT_LINE, at_s);
        draw_line(&p, &steady[i], "steady", PLOT_POINTS, at_s);
    }
    plot_write(&p);
    study_case_close(&t);
    for (int i = 0; i < INSTANTS; i++) { /* pictures of figure 10: steady flows with the inflows of an instant */
        study_case_open(&t, x, x->source, "steady-%d-%.0f", box_of[level][0], 1000 * stored_s(i));
        study_case_picture(&t, "velocity", results_format(r, "figure10-%d", i + 1),
                           results_format(r, "Speed, steady inflows at %.3f s, as in figure 10", stored_s(i)));
        study_case_close(&t);
    }
    return worst;
}

int study_portal(const study_context *x, results *r) {
    static study_table wave[2];
    const int first = 184 * x->scale < box_of[COARSEST][0] ? QUICK : COARSEST;
    int levels = first + 1;
    if (!study_read_numbers(x, "flow/smv.csv", 2, &wave[0]) || !study_read_numbers(x, "flow/sv.csv", 2, &wave[1]))
        return r->error;
    while (levels < LEVELS && box_of[levels][0] <= 184 * x->scale)
        levels++;
    results_text(r, "Box of the paper's case 1: inlets SMV and SV (0.86 s, flow +- 15 %%), outlet PV; `interpolated`, "
                    "TRT. The paper's vessels are not published: a phantom fills the same 0.131 of the box.");
    table_points(x, r, wave, first, levels);
    const differences worst = table_pulsatile(x, r, wave, levels - 1);
    results_text(
        r,
        "The velocity in slice 1 differs from the steady flow of the same instant by up to %.2f %% (root mean square), "
        "on its centre line by up to %.0f %% of the largest speed. A portal pressure gradient of 12 mmHg is 1600 Pa. "
        "The paper's pressure differences rise while its flow falls, without an explanation; ours fall.",
        100 * worst.slice, 100 * worst.line);
    results_text(r, "The pressure difference of the pulsatile flow differs from the steady one by up to %.0f %%.",
                 100 * worst.drop);
    if (worst.cycle > 0.01)
        results_text(r,
                     "The pulsatile flow is not periodic: a cycle differs from the one before by %.0f %%, although the "
                     "steady flows of all instants settle; the difference in the table is mostly this. It is an error "
                     "of the coarse lattice: sound requires a small time step, which brings the relaxation time too "
                     "close to 0.5. With 184 cells the flow is periodic.",
                     100 * worst.cycle);
    results_at_most(r, "change of the velocity from one cycle to the next (%)", 100 * worst.cycle, 1);
    results_at_most(r, "difference between steady and pulsatile flow (%)", 100 * worst.slice, 25);
    return r->error;
}
