/* SPDX-License-Identifier: Apache-2.0 */
/* verify:poiseuille-pipe. Problems with the exact solution of Hagen and Poiseuille:
 *   periodic   driven by a body force: u(r) = F (R^2 - r^2) / (4 nu). Error of velocity and flow against cells per
 *              diameter, for both walls and collisions, over angle and offset of the pipe, and over the Reynolds number
 *   openings   driven by an inlet: pressure drop 8 mu L Q / (pi R^4), wall shear stress 4 mu Um / R
 *   bare       openings without extensions at Re 531: pressure drop between the openings themselves */
#include "common/base/status.h"
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/run_outcome.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"
#include <stdio.h>

enum { WALLS = 2, COLLISIONS = 2, ANGLES = 3, LEVELS = 3 };

/* Same values as in the case files of this study. */
static const double radius_mm = 8, viscosity_pa_s = 3.498e-3;
static const char *const wall_name[WALLS] = {"interpolated", "vlbm"};
static const char *const collision_name[COLLISIONS] = {"trt", "bgk"};
/* Tangent of the angle between the periodic pipe and the z axis. The pipe runs along the sum of the x period and the z
 * period of the box, so the tangent is x period over z period. */
static const double tangent_of[ANGLES] = {0, 0.5, 1};

/* Peak velocity. The cell Reynolds number stays below 8 at every resolution, so all compared runs use the same
 * collision. */
static const double slow_m_s = 0.01;

/* One pipe on the lattice. Lengths are in cells, so that every resolution has the same geometry. */
typedef struct {
    int cells; /* number of cells per diameter */
    const char *wall, *collision;
    /* tangent: tangent of the angle to the z axis; offset: distance of the axis from the middle of the box, in cells */
    double tangent, offset[2];
    double velocity_m_s; /* peak velocity of the periodic pipe, mean velocity of the others */
} setting;

static double spacing_mm(const setting *s) {
    return 2 * radius_mm / s->cells;
}

static double angle_deg(const setting *s) {
    return atan(s->tangent) * 180 / M_PI;
}

static double reynolds(double mean_m_s) {
    return mean_m_s * 2e-3 * radius_mm * 1060 / viscosity_pa_s;
}

/* Unit vectors along the pipe and across it, both in the x-z plane. */
static void find_axis(const setting *s, double axis[3], double across[3]) {
    const double angle = atan(s->tangent);
    axis[0] = sin(angle), axis[1] = 0, axis[2] = cos(angle);
    across[0] = cos(angle), across[1] = 0, across[2] = -sin(angle);
}

/* -------------------------------------------------------------------------------------------- the periodic pipe */

enum { PROBES = 1000, CENTRES = 6000, PROFILE = 33, POINTS = PROBES + PROFILE + CENTRES };
typedef struct {
    double l2, flow;               /* relative errors of velocity and flow */
    double cell_reynolds;          /* cell Reynolds number as in solve.json, for the velocity that solve expects */
    double x[PROFILE], u[PROFILE]; /* profile along a diameter: x position, mm; u velocity along the axis, m/s */
} periodic_result;

static double profile_mm(int k) {
    return numbers_between(k, PROFILE, -radius_mm, radius_mm) * 0.999;
}

static double exact_m_s(double r_mm, const void *peak_m_s) {
    return *(const double *)peak_m_s * (1 - r_mm * r_mm / (radius_mm * radius_mm));
}

/* Sets the probe points: evenly distributed over the cross-section, then a diameter, then the cell centres in a slice
 * one cell thick, where the fields need no interpolation. Returns their number. */
static int place_probes(const setting *s, double point[POINTS][3], double radius[POINTS]) {
    double axis[3], across[3];
    const double dx = spacing_mm(s);
    const int half = (int)ceil(radius_mm / dx) + 2;
    int n = PROBES + PROFILE;
    find_axis(s, axis, across);
    for (int k = 0; k < PROBES + PROFILE; k++) {
        double a, b;
        numbers_disc(k, PROBES, &a, &b);
        a = k < PROBES ? radius_mm * a : profile_mm(k - PROBES);
        b = k < PROBES ? radius_mm * b : 0;
        point[k][0] = s->offset[0] * dx + a * across[0];
        point[k][1] = s->offset[1] * dx + b;
        point[k][2] = a * across[2];
        radius[k] = hypot(a, b);
    }
    for (int i = -half; i < half; i++)
        for (int j = -half; j < half; j++)
            for (int k = -half; k < half; k++) {
                const double p[3] = {(i + 0.5) * dx, (j + 0.5) * dx, (k + 0.5) * dx};
                const double x = p[0] - s->offset[0] * dx, y = p[1] - s->offset[1] * dx;
                const double along = x * axis[0] + p[2] * axis[2], r = hypot(x * across[0] + p[2] * across[2], y);
                if (along < 0 || along >= dx || r > radius_mm - 1e-6 || n == POINTS)
                    continue;
                for (int c = 0; c < 3; c++)
                    point[n][c] = p[c];
                radius[n++] = r;
            }
    return n;
}

static void set_periodic(study_case *t, const setting *s) {
    double axis[3], across[3];
    const double dx = spacing_mm(s), margin = 3;
    find_axis(s, axis, across);
    const int half_y = s->cells / 2 + 3;
    int n_x = s->tangent > 0 ? (int)ceil((s->cells + margin) / axis[2]) : 2 * half_y;
    n_x += n_x % 2;
    const double half_z = s->tangent > 0 ? 0.5 * n_x / s->tangent : 2;
    const double force = 4 * viscosity_pa_s / 1060 * s->velocity_m_s / (radius_mm * radius_mm * 1e-6);
    study_case_set(t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(t, "mesh.shape.from", "[%.12g, %.12g, 0]", s->offset[0] * dx, s->offset[1] * dx);
    study_case_set(t, "mesh.shape.to", "[%.12g, %.12g, %.12g]", s->offset[0] * dx + axis[0], s->offset[1] * dx,
                   axis[2]);
    study_case_set(t, "mesh.box.low", "[%.12g, %.12g, %.12g]", -0.5 * n_x * dx, -half_y * dx, -half_z * dx);
    study_case_set(t, "mesh.box.high", "[%.12g, %.12g, %.12g]", 0.5 * n_x * dx, half_y * dx, half_z * dx);
    study_case_set(t, "mesh.periodic", s->tangent > 0 ? "[x, z]" : "[z]");
    study_case_set(t, "solve.force.vector", "[%.12g, 0, %.12g]", force * axis[0], force * axis[2]);
    study_case_set(t, "solve.wall", "%s", s->wall);
    study_case_set(t, "solve.collision", "%s", s->collision);
}

/* Computes the relative L2 error at the cell centres and the error of the mean over the cross-section. */
static void compare(const setting *s, int n, const double radius[], double velocity[][3], periodic_result *out) {
    double axis[3], across[3], sum = 0, sum_exact = 0;
    numbers_l2 l2 = {0};
    find_axis(s, axis, across);
    for (int k = 0; k < n; k++) {
        const double u = velocity[k][0] * axis[0] + velocity[k][1] * axis[1] + velocity[k][2] * axis[2];
        const double exact = exact_m_s(radius[k], &s->velocity_m_s);
        if (k >= PROBES && k < PROBES + PROFILE) {
            out->x[k - PROBES] = profile_mm(k - PROBES);
            out->u[k - PROBES] = u;
        } else if (isnan(u)) { /* a point without a velocity is on the wall, within the accuracy of the fields */
            continue;
        } else if (k < PROBES) {
            sum += u;
            sum_exact += exact;
        } else
            numbers_l2_add(&l2, u, exact);
    }
    out->l2 = numbers_l2_error(&l2);
    out->flow = sum / sum_exact - 1;
}

static void run_periodic(const study_context *x, const setting *s, periodic_result *out) {
    static double point[POINTS][3], velocity[POINTS][3], radius[POINTS];
    study_case t;
    study_case_open(&t, x, study_path(x, "periodic"), "periodic-%d-%s-%s-%.0f-%.0f-%.0f", s->cells, s->wall,
                    s->collision, angle_deg(s), 100 * s->offset[0], 1e4 * s->velocity_m_s);
    set_periodic(&t, s);
    study_case_run(&t, STAGE_SOLVE);
    const int n = place_probes(s, point, radius);
    study_case_probe(&t, n, point, velocity, NULL);
    out->cell_reynolds = study_case_solved(&t, "cell_reynolds");
    compare(s, n, radius, velocity, out);
    study_case_close(&t);
}

static void table_walls(const study_context *x, results *r, const int cells[LEVELS],
                        periodic_result found[WALLS][LEVELS]) {
    static periodic_result now[LEVELS];
    results_text(r, "Periodic pipe along z, axis 0.31 and 0.17 cells off the middle of the grid, diameter 16 mm, peak "
                    "velocity 0.01 m/s (Re 24), tolerance 1e-6, float. L2 error at the cell centres; flow from 1000 "
                    "points (`post probe`); order: between a row and the row above.");
    results_table(r, "orders", "wall|collision|cells across|L2 velocity error (%)|flow error (%)|order");
    r->no_value = "";
    for (int w = 0; w < WALLS; w++)
        for (int c = 0; c < COLLISIONS; c++)
            for (int k = 0; k < LEVELS; k++) {
                const setting s = {cells[k], wall_name[w], collision_name[c], 0, {0.31, 0.17}, slow_m_s};
                run_periodic(x, &s, &now[k]);
                results_row(r, "%s|%s|%d|%.3f|%.3f|%.2f", s.wall, s.collision, s.cells, 100 * now[k].l2,
                            100 * now[k].flow,
                            k ? numbers_order(now[k - 1].l2, now[k].l2, (double)cells[k] / cells[k - 1]) : NAN);
                if (c == 0)
                    found[w][k] = now[k];
            }
}

static void table_angles(const study_context *x, results *r, int cells, double *worst) {
    static const double offset[2][2] = {{0, 0}, {0.5, 0.25}};
    static periodic_result now;
    results_text(r, "Three angles to the grid and two offsets, wall `interpolated`, %d cells across.", cells);
    results_table(r, "angles", "angle (deg)|offset (cells)|L2 velocity error (%)|flow error (%)");
    for (int a = 0; a < ANGLES; a++)
        for (int k = 0; k < 2; k++) {
            const setting s = {cells,   wall_name[0], collision_name[0], tangent_of[a], {offset[k][0], offset[k][1]},
                               slow_m_s};
            run_periodic(x, &s, &now);
            results_row(r, "%.1f|%g %g|%.3f|%.3f", angle_deg(&s), offset[k][0], offset[k][1], 100 * now.l2,
                        100 * now.flow);
            *worst = fmax(*worst, now.l2);
        }
}

static void table_reynolds(const study_context *x, results *r, int cells) {
    static const double peak_m_s[] = {0.01, 0.02, 0.05, 0.1};
    static periodic_result now;
    results_text(
        r,
        "The least favourable pipe (26.6 degrees, 0.5 and 0.25 cells off) at higher Reynolds numbers. Cell Reynolds "
        "number: with the velocity expected by `solve`, about twice the peak; above 8 the collision is regularized.");
    results_table(r, "reynolds",
                  "Reynolds number|cells across|cell Reynolds number|L2 velocity error (%)|flow error (%)");
    for (int v = 0; v < 4; v++)
        for (int c = cells / 2; c <= cells; c += cells / 2) {
            if (c < 8 && v > 0) /* solve refuses so coarse a lattice at a high Reynolds number */
                continue;
            const setting s = {c, wall_name[0], collision_name[0], tangent_of[1], {0.5, 0.25}, peak_m_s[v]};
            run_periodic(x, &s, &now);
            results_row(r, "%.0f|%d|%.1f|%.3f|%.3f", reynolds(0.5 * peak_m_s[v]), c, now.cell_reynolds, 100 * now.l2,
                        100 * now.flow);
        }
    results_text(r, "The growing error comes from streaming, not from the wall: a third-derivative error of Lambda - "
                    "1/12 (Lambda 3/16, nearly 0 when regularized) times the cell Reynolds number, of second order, "
                    "zero along an axis or a diagonal.");
}

/* ------------------------------------------------------------------------- the pipe between an inlet and an outlet */

typedef struct {
    double drop, wss; /* relative errors of pressure drop and wall shear stress */
} openings_errors;

/* Errors of the pressure drop over length_mm and of the wall shear stress. */
static double drop_error(double drop_pa, double mean_m_s, double length_mm) {
    return drop_pa / (8 * viscosity_pa_s * mean_m_s * length_mm / (radius_mm * radius_mm) * 1e3) - 1;
}

static double wss_error(const study_case *t, double mean_m_s) {
    return study_case_readout(t, "wss/mean_pa") / (4 * viscosity_pa_s * mean_m_s / (radius_mm * 1e-3)) - 1;
}

/* Sets a pipe of 2 half_mm with sections inside_mm from its middle in a box of half width half [x, y, z]. */
static void set_pipe(study_case *t, const setting *s, double half_mm, double inside_mm, const double half[3]) {
    const struct {
        const char *point, *normal;
        double along, outward;
    } place[] = {{"openings.IN.point", "openings.IN.normal", -half_mm, -1},
                 {"openings.OUT.point", "openings.OUT.normal", half_mm, 1},
                 {"sections.A.point", "sections.A.normal", -inside_mm, 1},
                 {"sections.B.point", "sections.B.normal", inside_mm, 1}};
    double axis[3], across[3];
    find_axis(s, axis, across);
    study_case_set(t, "mesh.spacing", "%.12g mm", spacing_mm(s));
    for (int k = 0; k < 4; k++) {
        const double along = place[k].along, outward = place[k].outward;
        study_case_set(t, place[k].point, "[%.12g, 0, %.12g]", along * axis[0], along * axis[2]);
        study_case_set(t, place[k].normal, "[%.12g, 0, %.12g]", outward * axis[0], outward * axis[2]);
    }
    study_case_set(t, "mesh.shape.from", "[%.12g, 0, %.12g]", -half_mm * axis[0], -half_mm * axis[2]);
    study_case_set(t, "mesh.shape.to", "[%.12g, 0, %.12g]", half_mm * axis[0], half_mm * axis[2]);
    study_case_set(t, "mesh.box.low", "[%.12g, %.12g, %.12g]", -half[0], -half[1], -half[2]);
    study_case_set(t, "mesh.box.high", "[%.12g, %.12g, %.12g]", half[0], half[1], half[2]);
}

static void run_openings(const study_context *x, const setting *s, openings_errors *out) {
    study_case t;
    double axis[3], across[3];
    const double length_mm = 16, mean_m_s = s->velocity_m_s, wide = radius_mm + 3 * spacing_mm(s);
    find_axis(s, axis, across);
    const double half[3] = {length_mm * axis[0] + radius_mm * axis[2] + 3 * spacing_mm(s), wide,
                            length_mm * axis[2] + radius_mm * axis[0] + 3 * spacing_mm(s)};
    study_case_open(&t, x, study_path(x, "openings"), "openings-%d-%s-%s-%.0f-%.0f", s->cells, s->wall, s->collision,
                    angle_deg(s), 1e4 * mean_m_s);
    set_pipe(&t, s, length_mm, length_mm / 2, half);
    study_case_set(&t, "openings.IN.velocity", "{mean: %g m/s, profile: developed}", mean_m_s);
    study_case_set(&t, "solve.wall", "%s", s->wall);
    study_case_set(&t, "solve.collision", "%s", s->collision);
    study_case_run(&t, STAGE_POST);
    out->drop = drop_error(study_case_readout(&t, "pressure_drops/0/value_pa"), mean_m_s, length_mm);
    out->wss = wss_error(&t, mean_m_s);
    study_case_close(&t);
}

/* Computes the pipe for `cells` and half as many cells per diameter. Returns the largest errors of `interpolated` with
 * TRT at `cells` and the lower Reynolds number. */
static openings_errors table_openings(const study_context *x, results *r, int cells) {
    static const double mean_m_s[] = {0.001, 0.01};
    openings_errors now, worst = {0, 0};
    results_text(r, "Pipe of two diameters between extensions of one, prescribed mean velocity (developed profile), "
                    "outlet pressure: pressure drop over one diameter and mean wall shear stress, by `post`.");
    results_table(r, "openings",
                  "Reynolds number|angle (deg)|cells across|pressure drop error (%)|wall shear stress error (%)");
    for (int v = 0; v < 2; v++)
        for (int a = 0; a < ANGLES; a++)
            for (int c = cells / 2; c <= cells; c += cells / 2) {
                const setting s = {c, wall_name[0], collision_name[0], tangent_of[a], {0, 0}, mean_m_s[v]};
                run_openings(x, &s, &now);
                results_row(r, "%.1f|%.1f|%d|%.3f|%.3f", reynolds(mean_m_s[v]), angle_deg(&s), c, 100 * now.drop,
                            100 * now.wss);
                if (c == cells && v == 0) {
                    worst.drop = fmax(worst.drop, fabs(now.drop));
                    worst.wss = fmax(worst.wss, fabs(now.wss));
                }
            }
    results_text(r,
                 "The known error of a half-way inlet and pressure outlet is subtracted (`solve/BOUNDARY_LINKS.md`).");
    results_text(r,
                 "Both walls and both collisions, Re %.1f, along the grid. The wall of `vlbm` is inside the true wall: "
                 "more pressure, and less stress at the true wall.",
                 reynolds(mean_m_s[0]));
    results_table(r, "openings-walls",
                  "wall|collision|cells across|pressure drop error (%)|wall shear stress error (%)");
    for (int w = 0; w < WALLS; w++)
        for (int k = 0; k < COLLISIONS; k++)
            for (int c = cells / 2; c <= cells; c += cells / 2) {
                const setting s = {c, wall_name[w], collision_name[k], 0, {0, 0}, mean_m_s[0]};
                run_openings(x, &s, &now);
                results_row(r, "%s|%s|%d|%.3f|%.3f", s.wall, s.collision, c, 100 * now.drop, 100 * now.wss);
            }
    return worst;
}

/* ------------------------------------------------------------------------------------------------- bare openings */

/* parts of the pipe in the order of the readouts: whole, first radius, between the sections, last radius */
enum { PARTS = 4 };

typedef struct {
    run_outcome end;
    double drop[PARTS], wss; /* relative errors of pressure drop and wall shear stress; NaN: no result */
} bare;

static void run_bare(const study_context *x, const setting *s, bare *out) {
    /* half_mm: half length of the pipe; inside_mm: distance of the sections from the middle */
    static const double length_mm[PARTS] = {80, 8, 64, 8}, half_mm = 40, inside_mm = 32;
    double axis[3], across[3];
    study_case t;
    find_axis(s, axis, across);
    const double wide = radius_mm + 3 * spacing_mm(s);
    const double half[3] = {half_mm * axis[0] + wide, wide, half_mm * axis[2] + wide};
    *out = (bare){.drop = {NAN, NAN, NAN, NAN}, .wss = NAN};
    study_case_open(&t, x, study_path(x, "bare"), "bare-%d-%.0f", s->cells, angle_deg(s));
    set_pipe(&t, s, half_mm, inside_mm, half);
    run_outcome_compute(&t, STAGE_POST, &out->end);
    if (run_outcome_is_good(&out->end)) {
        for (int k = 0; k < PARTS; k++)
            out->drop[k] =
                drop_error(study_case_readout(&t, "pressure_drops/%d/value_pa", k), s->velocity_m_s, length_mm[k]);
        out->wss = wss_error(&t, s->velocity_m_s);
    }
    study_case_close(&t);
}

/* Computes the pipe for `cells` and twice as many cells per diameter, along the grid and oblique. Returns the relative
 * error of the pressure drop between the openings at `cells` along the grid; infinite: no result. */
static double table_bare(const study_context *x, results *r, int cells) {
    static const double mean_m_s = 0.109519;
    bare now[4];
    setting s[4];
    char word[32];
    int n = 0;
    results_text(
        r,
        "Bare openings at Re %.0f: five diameters, no extensions, only the spacing is set. Errors of the pressure drop "
        "between the openings, of its parts (first radius, between, last radius), and of the mean wall shear stress.",
        reynolds(mean_m_s));
    for (int c = cells; c <= 2 * cells; c += cells)
        for (int a = 0; a < 2; a++, n++) {
            s[n] = (setting){c, wall_name[0], collision_name[0], tangent_of[a], {0, 0}, mean_m_s};
            run_bare(x, &s[n], &now[n]);
        }
    results_table(
        r, "bare",
        "cells across|angle (deg)|ended|steps|drop between the openings (%)|first radius (%)|between (%)|last "
        "radius (%)|wall shear stress (%)");
    for (int k = 0; k < n; k++)
        results_row(r, "%d|%.1f|%s|%.0f|%.2f|%.2f|%.2f|%.2f|%.2f", s[k].cells, angle_deg(&s[k]),
                    run_outcome_word(&now[k].end, word), now[k].end.steps, 100 * now[k].drop[0], 100 * now[k].drop[1],
                    100 * now[k].drop[2], 100 * now[k].drop[3], 100 * now[k].wss);
    for (int k = 0; k < n; k++)
        if (now[k].end.exit != OK)
            results_text(r, "%d across, %.0f degrees: %s", s[k].cells, angle_deg(&s[k]), now[k].end.sentence);
    return isnan(now[0].drop[0]) ? INFINITY : fabs(now[0].drop[0]);
}

/* ------------------------------------------------------------------------------------- the pictures */

static void draw_profile(results *r, int cells, periodic_result found[WALLS][LEVELS]) {
    plot p = plot_new(r, "profile", "Velocity across the pipe", "r (mm)", "velocity (m/s)");
    plot_function(&p, "exact", PLOT_LINE, 101, -radius_mm, radius_mm, exact_m_s, &slow_m_s);
    for (int w = 0; w < WALLS; w++)
        plot_curve(&p, PLOT_POINTS, PROFILE, found[w][0].x, found[w][0].u, "%s at %d cells across", wall_name[w],
                   cells);
    plot_write(&p);
}

static void draw_orders(results *r, const int cells[LEVELS], periodic_result found[WALLS][LEVELS]) {
    plot p = plot_new(r, "convergence", "Error against resolution", "cells across", "L2 velocity error (%)");
    p.log = 1;
    const double x[LEVELS] = {cells[0], cells[1], cells[2]};
    double y[LEVELS];
    for (int order = 1; order <= 2; order++) {
        for (int k = 0; k < LEVELS; k++)
            y[k] = 100 * found[order == 2 ? 0 : 1][0].l2 * pow((double)cells[0] / cells[k], order);
        plot_curve(&p, PLOT_LINE, LEVELS, x, y, "order %d", order);
    }
    for (int w = 0; w < WALLS; w++) {
        for (int k = 0; k < LEVELS; k++)
            y[k] = 100 * found[w][k].l2;
        plot_curve(&p, PLOT_POINTS, LEVELS, x, y, "%s", wall_name[w]);
    }
    plot_write(&p);
}

int study_poiseuille_pipe(const study_context *x, results *r) {
    static periodic_result found[WALLS][LEVELS];
    const int base = (int)fmax(4, 4 * round(4 * x->scale)); /* 16, 32 and 64 cells across at scale 1 */
    const int cells[LEVELS] = {base, 2 * base, 4 * base};
    double worst_angle = 0, bare_drop = NAN;
    table_walls(x, r, cells, found);
    table_angles(x, r, cells[1], &worst_angle);
    table_reynolds(x, r, cells[1]);
    const openings_errors worst = table_openings(x, r, cells[1]);
    if (base == 16) /* the limit of this criterion is stated for 25 cells across */
        bare_drop = table_bare(x, r, 25);
    draw_profile(r, cells[0], found);
    draw_orders(r, cells, found);
    results_at_least(r, "order of `interpolated`", numbers_order(found[0][0].l2, found[0][LEVELS - 1].l2, 4), 1.8);
    if (cells[1] == 32) { /* the limits below are stated for 32 cells across */
        results_at_most(r, "L2 velocity error (%) of `interpolated` at 32 cells across", 100 * found[0][1].l2, 0.3);
        results_at_most(r, "largest L2 velocity error over angles and offsets (%)", 100 * worst_angle, 0.3);
        results_at_most(r, "pressure drop error (%) at 32 cells across, largest over angles, Re 4.8", 100 * worst.drop,
                        1);
        results_at_most(r, "wall shear stress error (%) at 32 cells across, largest over angles, Re 4.8",
                        100 * worst.wss, 1);
        results_at_most(r, "bare openings, Re 531: pressure drop error (%) at 25 cells across, along the grid",
                        100 * bare_drop, 1);
    }
    return r->error;
}
