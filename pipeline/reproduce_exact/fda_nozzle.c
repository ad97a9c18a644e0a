/* SPDX-License-Identifier: Apache-2.0 */
/* verify:fda-nozzle, verify:unsteady-nozzle. The benchmark nozzle of the FDA (P. Hariharan et al., J. Biomech. Eng. 133
 * (2011) 041002; S. F. C. Stewart et al., Cardiovasc. Eng. Technol. 3 (2012) 139-160; public domain). A tube of 12 mm,
 * a cone of 22.685 mm to a throat of 4 mm and 40 mm long, a sudden expansion to 12 mm at z = 0. It is given as a
 * surface, along the grid and turned, and passes through all stages with default settings except the spacing.
 * References: velocity on the axis by particle image velocimetry (piv-re*.csv), and the steady axisymmetric flow by
 * finite elements (steady-re*.csv). */
#include "common/base/status.h"
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/run_outcome.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce_exact/revolve.h"
#include "pipeline/run/stages.h"

static const double throat_mm = 4, density = 1056, turned_deg = 25;
static const double first_mm = -88, step_mm = 2, judged_mm[2] = {-20, 48};

enum { STATIONS = 85, LEVELS = 3, TURNS = 2 }; /* STATIONS: number of positions on the axis, z = -88, -86 .. 80 mm */

typedef struct {
    int reynolds; /* Reynolds number in the throat */
    double flow_ml_s, inlet_mm, outlet_mm;
} regime;

typedef struct {
    int cells; /* number of cells per diameter of the throat */
    double turn_deg;
    run_outcome end;
    double u[STATIONS]; /* velocity on the axis, m/s; NaN: unknown */
    /* largest difference from finite elements within judged_mm, and z where it occurs */
    double worst_percent, worst_mm;
    double drop_pa; /* pressure drop on the axis between the first and the last station */
} nozzle;

/* Reference data of a regime at the stations: z in mm, velocity in m/s; NaN: unknown. */
typedef struct {
    double fem[STATIONS], piv[STATIONS], sd[STATIONS], drop_pa;
} known;

static const regime benchmark = {500, 5.20624, -92, 120}, fast = {2000, 20.8, -92, 120},
                    small = {50, 0.520624, -70, 36};

/* Numbers of cells per diameter of the throat: of verify:fda-nozzle, and of verify:unsteady-nozzle */
static const int resolution[LEVELS] = {12, 16, 20}, unsteady_resolution[LEVELS] = {16, 20, 28};

static double station_mm(int k) {
    return first_mm + step_mm * k;
}

static bool is_read(const regime *g, int k) {
    return station_mm(k) > g->inlet_mm + 1 && station_mm(k) < g->outlet_mm - 1;
}

static int ends_of(const regime *g, int last) {
    int k = last ? STATIONS - 1 : 0;
    while (!is_read(g, k))
        k += last ? -1 : 1;
    return k;
}

/* --- reference data */

/* Reads the reference data of a regime. Returns false after an error. */
static bool read_known(const study_context *x, const regime *g, known *n) {
    static study_table fem, piv;
    const double mean_m_s = g->flow_ml_s / (M_PI / 4 * throat_mm * throat_mm);
    if (!study_read_numbers(x, results_format(x->page, "steady-re%d.csv", g->reynolds), 3, &fem))
        return false;
    for (int k = 0; k < STATIONS; k++) {
        n->fem[k] = is_read(g, k) ? mean_m_s * numbers_interpolate(fem.n_row, fem.value[0], fem.value[1],
                                                                   station_mm(k) / throat_mm)
                                  : NAN;
        n->piv[k] = n->sd[k] = NAN;
    }
    double pressure[2];
    for (int last = 0; last < 2; last++)
        pressure[last] =
            numbers_interpolate(fem.n_row, fem.value[0], fem.value[2], station_mm(ends_of(g, last)) / throat_mm);
    n->drop_pa = density * mean_m_s * mean_m_s * (pressure[0] - pressure[1]);
    if (g->reynolds == small.reynolds)
        return true; /* there is no experiment at this Reynolds number */
    if (!study_read_numbers(x, results_format(x->page, "piv-re%d.csv", g->reynolds), 3, &piv))
        return false;
    for (int row = 0; row < piv.n_row; row++)
        for (int k = 0; k < STATIONS; k++)
            if (fabs(piv.value[0][row] - station_mm(k)) < 1e-6) {
                n->piv[k] = piv.value[1][row];
                n->sd[k] = piv.value[2][row];
            }
    return true;
}

/* -------------------------------------------------------------------------------------------- one run */

/* Writes the wall of the nozzle as a surface, which extends by a radius beyond both openings. */
static void draw_nozzle(const regime *g, double turn_deg, const study_case *t) {
    const double z[] = {g->inlet_mm - 6, -62.685, -40, 0, 0, g->outlet_mm + 6}, r[] = {6, 6, 2, 2, 6, 6};
    const revolve v = {6, z, r, turn_deg, 192, 1};
    if (t->x->page->error == OK)
        results_fail(t->x->page, revolve_write(&v, results_format(t->x->page, "%s/nozzle.stl", t->folder)));
}

static void compare(const regime *g, const known *n, nozzle *f) {
    f->worst_percent = NAN;
    for (int k = 0; k < STATIONS; k++) {
        const double percent = 100 * fabs(f->u[k] / n->fem[k] - 1), z = station_mm(k);
        if (z < judged_mm[0] || z > fmin(judged_mm[1], g->outlet_mm - 6))
            continue;
        if (!(percent <= f->worst_percent)) {
            f->worst_percent = percent;
            f->worst_mm = z;
        }
        if (isnan(percent))
            return; /* a missing value counts as an infinite difference */
    }
}

static void run_nozzle(const study_context *x, const regime *g, const known *n, int cells, double turn_deg, nozzle *f) {
    const double axis[3] = {sin(turn_deg * M_PI / 180), 0, cos(turn_deg * M_PI / 180)};
    double point[STATIONS][3], velocity[STATIONS][3], pressure[STATIONS];
    study_case t;
    *f = (nozzle){.cells = cells, .turn_deg = turn_deg, .drop_pa = NAN, .worst_percent = NAN, .worst_mm = NAN};
    study_case_open(&t, x, x->source, "re%d-%d-%.0f", g->reynolds, cells, turn_deg);
    study_case_set(&t, "openings.IN.flow", "%.9g mL/s", g->flow_ml_s);
    study_case_set(&t, "mesh.spacing", "%.12g mm", throat_mm / cells);
    study_case_set(&t, "openings.IN.point", "[%.12g, 0, %.12g]", g->inlet_mm * axis[0], g->inlet_mm * axis[2]);
    study_case_set(&t, "openings.IN.normal", "[%.12g, 0, %.12g]", -axis[0], -axis[2]);
    study_case_set(&t, "openings.OUT.point", "[%.12g, 0, %.12g]", g->outlet_mm * axis[0], g->outlet_mm * axis[2]);
    study_case_set(&t, "openings.OUT.normal", "[%.12g, 0, %.12g]", axis[0], axis[2]);
    draw_nozzle(g, turn_deg, &t);
    run_outcome_compute(&t, STAGE_SOLVE, &f->end);
    for (int k = 0; k < STATIONS; k++) {
        f->u[k] = NAN;
        for (int a = 0; a < 3; a++)
            point[k][a] = station_mm(k) * axis[a];
    }
    if (f->end.fields) {
        study_case_probe(&t, STATIONS, point, velocity, pressure);
        for (int k = 0; k < STATIONS; k++)
            f->u[k] = velocity[k][0] * axis[0] + velocity[k][1] * axis[1] + velocity[k][2] * axis[2];
        f->drop_pa = pressure[ends_of(g, 0)] - pressure[ends_of(g, 1)];
    }
    compare(g, n, f);
    study_case_close(&t);
}

/* --------------------------------------------------------------------------------- tables and pictures */

/* Number of measured points that are within two standard deviations of our value, as text. */
static const char *within(results *r, const known *n, const double *u) {
    int all = 0, good = 0;
    for (int k = 0; k < STATIONS; k++) {
        all += !isnan(n->piv[k]);
        good += fabs(u[k] - n->piv[k]) <= 2 * n->sd[k];
    }
    return all > 0 ? results_format(r, "%d of %d", good, all) : "";
}

static void table_runs(results *r, const regime *g, const known *n, int count, const nozzle *f) {
    char word[32];
    results_table(
        r, results_format(r, "re%d", g->reynolds),
        "cells across the throat|turned (deg)|cells|ended|swing (%)|steps|seconds|last change|largest difference from "
        "the finite elements, z -20 to 48 mm (%)|at z (mm)|pressure drop on the axis (Pa)|measured places "
        "within 2 sd");
    r->no_value = "";
    results_row(r, "finite elements||||||||||%.1f|%s", n->drop_pa, within(r, n, n->fem));
    for (int k = 0; k < count; k++) {
        const run_outcome *end = &f[k].end;
        results_row(r, "%d|%.0f|%.0f|%s|%.1f|%.0f|%.0f|%.1e|%.2f|%.0f|%.1f|%s", f[k].cells, f[k].turn_deg, end->cells,
                    run_outcome_word(end, word), end->swing_percent, end->steps, end->seconds, end->change,
                    f[k].worst_percent, isnan(f[k].worst_percent) ? NAN : f[k].worst_mm, f[k].drop_pa,
                    end->solved ? within(r, n, f[k].u) : "");
    }
    for (int k = 0; k < count; k++)
        if (f[k].end.exit != OK)
            results_text(r, "%d cells across, %.0f degrees: %s", f[k].cells, f[k].turn_deg, f[k].end.sentence);
}

/* Table of the velocity on the axis at the measured points, or every 8 mm at a Reynolds number without measurements. */
static void table_axis(results *r, const regime *g, const known *n, int count, const nozzle *f) {
    const char *head = "z (mm)|PIV (m/s)|sd|finite elements", *row;
    for (int k = 0; k < count; k++)
        head = results_format(r, "%s|%d across, %.0f deg", head, f[k].cells, f[k].turn_deg);
    results_table(r, results_format(r, "axis-re%d", g->reynolds), head);
    r->no_value = "";
    for (int s = 0; s < STATIONS; s++) {
        if (!is_read(g, s) || !(!isnan(n->piv[s]) || (g->reynolds == small.reynolds && s % 4 == 0)))
            continue;
        row = results_format(r, "%.0f|%.4f|%.3f|%.4f", station_mm(s), n->piv[s], n->sd[s], n->fem[s]);
        for (int k = 0; k < count; k++)
            row = results_format(r, "%s|%.4f", row, f[k].u[s]);
        results_row(r, "%s", row);
    }
}

static void draw_stations(plot *p, const char *series, enum plot_style style, const double *value, const double *more,
                          double times) {
    double z[STATIONS], u[STATIONS];
    int n = 0;
    for (int k = 0; k < STATIONS; k++) {
        const double at = value[k] + (more ? times * more[k] : 0);
        if (isnan(at))
            continue;
        z[n] = station_mm(k);
        u[n++] = at;
    }
    if (n > 0)
        plot_curve(p, style, n, z, u, "%s", series);
}

static void draw(results *r, const regime *g, const known *n, int count, const nozzle *f) {
    plot p = plot_new(r, results_format(r, "axis-re%d-velocity", g->reynolds),
                      results_format(r, "FDA nozzle, Re %d in the throat", g->reynolds), "z (mm)",
                      "velocity on the axis (m/s)");
    p.colour = 1;
    draw_stations(&p, "finite elements", PLOT_LINE, n->fem, NULL, 0);
    p.colour = 2;
    draw_stations(&p, "PIV", PLOT_POINTS, n->piv, NULL, 0);
    draw_stations(&p, "PIV - sd", PLOT_LINE, n->piv, n->sd, -1);
    draw_stations(&p, "PIV + sd", PLOT_LINE, n->piv, n->sd, 1);
    for (int k = 0; k < count; k++) {
        p.colour = 3 + k % 6;
        draw_stations(&p, results_format(r, "%d across, %.0f degrees", f[k].cells, f[k].turn_deg), PLOT_POINTS, f[k].u,
                      NULL, 0);
    }
    plot_write(&p);
}

/* Computes all resolutions of a regime, along the grid and turned. */
static void compute_flow(const study_context *x, results *r, const regime *g, int levels, const int *cells, nozzle *f) {
    known n;
    int count = 0;
    if (!read_known(x, g, &n))
        return;
    for (int k = 0; k < levels; k++)
        for (int turn = 0; turn < TURNS; turn++)
            run_nozzle(x, g, &n, cells[k], turn * turned_deg, &f[count++]);
    table_runs(r, g, &n, count, f);
    table_axis(r, g, &n, count, f);
    draw(r, g, &n, count, f);
}

static void introduce(results *r) {
    results_text(r, "Tube of 12 mm, cone of 22.685 mm, throat of 4 mm and 40 mm, sudden expansion to 12 mm at z = 0; "
                    "1056 kg/m3, 3.5 mPa s. A generated surface passes through all stages, along the grid and turned "
                    "by 25 degrees; prescribed inflow (developed profile), outlet pressure; only the spacing is set. "
                    "Axis velocity against particle image velocimetry (mean and standard deviation of five sets) and "
                    "finite elements (`data/reproduce/verify-fda-nozzle/README.md`).");
}

static void judge(results *r, const char *who, const nozzle *f, int cells, double limit) {
    double worst = 0;
    for (int turn = 0; turn < TURNS; turn++)
        worst = fmax(worst, isnan(f[turn].worst_percent) ? INFINITY : f[turn].worst_percent);
    results_at_most(
        r,
        results_format(r, "%s: velocity on the axis, z -20 to 48 mm, %d cells across, straight and turned (%%)", who,
                       cells),
        worst, limit);
}

static void judge_settled(results *r, const char *who, int count, const nozzle *f) {
    int settled = 0;
    for (int k = 0; k < count; k++)
        settled += f[k].end.exit == OK && f[k].end.converged && !f[k].end.unsteady;
    results_at_least(r, results_format(r, "%s: runs that settle, of %d", who, count), settled, count);
}

int study_fda_nozzle(const study_context *x, results *r) {
    static nozzle f[LEVELS * TURNS];
    static const int least = 8;
    const int levels = x->scale < 0.5 ? 0 : x->scale < 0.7 ? 1 : x->scale < 0.9 ? 2 : LEVELS;
    introduce(r);
    if (levels == 0) {
        results_text(
            r, "At this scale: Re 50, %d cells per throat diameter, shorter tubes; reference: finite elements only.",
            least);
        compute_flow(x, r, &small, 1, &least, f);
        judge_settled(r, "Re 50", TURNS, f);
        judge(r, "Re 50", f, least, 8);
        return r->error;
    }
    compute_flow(x, r, &benchmark, levels, resolution, f);
    judge_settled(r, "Re 500", levels * TURNS, f);
    judge(r, "Re 500", f, resolution[0], 8);
    for (int k = 1; k < levels; k++)
        judge(r, "Re 500", f + k * TURNS, resolution[k], 4);
    return r->error;
}

int study_unsteady_nozzle(const study_context *x, results *r) {
    static nozzle f[TURNS];
    const int level = x->scale < 0.5 ? 0 : x->scale < 0.9 ? 1 : 2;
    results_text(
        r, "Nozzle, stages and references as in [verify:fda-nozzle](verify-fda-nozzle.md). At Re 2000 in the throat "
           "the jet of the experiments breaks down beyond z 48 mm, at a position that depends on the inlet; the steady "
           "solution does not break down. Criterion: every run ends as settled or as unsteady (then means over time).");
    compute_flow(x, r, &fast, 1, &unsteady_resolution[level], f);
    results_text(r,
                 "Peak cell Reynolds number in the throat %.0f. Above about 40 no lattice is accurate, and the lattice "
                 "may cause the unsteadiness (`solve` warns): the jet breaks down too early beyond z 0; these "
                 "velocities are not reliable.",
                 2.0 * fast.reynolds / unsteady_resolution[level]);
    results_at_least(r, "Re 2000: runs that settle or are reported as unsteady, of 2",
                     run_outcome_is_good(&f[0].end) + run_outcome_is_good(&f[1].end), TURNS);
    return r->error;
}
