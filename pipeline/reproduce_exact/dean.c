/* SPDX-License-Identifier: Apache-2.0 */
/* verify:dean. Friction of a curved pipe relative to a straight one at the same flow. Reference: developed flow by
 * finite elements in the cross-section (data/reproduce/verify-dean/README.md). Dean number De = Re sqrt(a / R), a
 * radius of the pipe, R radius of its axis. */
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"

/* Same values as in case.yaml of this study. */
static const double radius_mm = 4, viscosity_pa_s = 1e-3, density = 1000;
/* Angles along the bend from the inlet: sections A and B, profile, outlet */
static const double section_deg[2] = {180, 240}, profile_deg = 210, outlet_deg = 300;

enum { LEVELS = 3, PROFILE = 41, BENDS = 2 };

/* A curved pipe and the files of its developed flow. */
static const struct {
    const char *name, *profile, *friction;
    double bend_mm, mean_m_s;
} bends[BENDS] = {{"wide", "developed.csv", "friction.csv", 40, 0.02},
                  {"narrow", "developed-narrow.csv", "friction-narrow.csv", 20, 0.024375}};

typedef struct {
    double ratio, cell_reynolds, at[PROFILE], speed[PROFILE];
} flow;

/* Sets the point at `angle` along the bend, `out_mm` beyond its axis, and the direction of the flow there. */
static void place_on_bend(double bend_mm, double angle_deg, double out_mm, double point[3], double along[3]) {
    const double c = cos(angle_deg * M_PI / 180), s = sin(angle_deg * M_PI / 180);
    const double at[3] = {(bend_mm + out_mm) * c, (bend_mm + out_mm) * s, 0}, direction[3] = {-s, c, 0};
    for (int k = 0; k < 3; k++) {
        point[k] = at[k];
        along[k] = direction[k];
    }
}

/* Sets point and normal of an opening or a section at `angle` along the bend. */
static void set_plane(study_case *t, const char *of, double bend_mm, double angle_deg) {
    double p[3], n[3];
    char key[48];
    place_on_bend(bend_mm, angle_deg, 0, p, n);
    snprintf(key, sizeof key, "%s.point", of);
    study_case_set(t, key, "[%.12g, %.12g, 0]", p[0], p[1]);
    snprintf(key, sizeof key, "%s.normal", of);
    study_case_set(t, key, "[%.12g, %.12g, 0]", n[0], n[1]);
}

static void run_bend(const study_context *x, int which, int cells, flow *b) {
    const double bend_mm = bends[which].bend_mm, edge_mm = bend_mm + radius_mm + 2;
    const double length_m = 1e-3 * bend_mm * (section_deg[1] - section_deg[0]) * M_PI / 180;
    double point[PROFILE][3], velocity[PROFILE][3], along[3];
    study_case t;
    study_case_open(&t, x, x->source, "%s-%d", bends[which].name, cells);
    study_case_set(&t, "mesh.spacing", "%.12g mm", 2 * radius_mm / cells);
    study_case_set(&t, "mesh.shape.bend", "%.12g mm", bend_mm);
    study_case_set(&t, "mesh.box.low", "[%.12g, %.12g, -6]", -edge_mm, -edge_mm);
    study_case_set(&t, "mesh.box.high", "[%.12g, %.12g, 6]", edge_mm, edge_mm);
    study_case_set(&t, "openings.IN.point", "[%.12g, 0, 0]", bend_mm);
    study_case_set(&t, "openings.IN.velocity.mean", "%.12g m/s", bends[which].mean_m_s);
    set_plane(&t, "openings.OUT", bend_mm, outlet_deg);
    set_plane(&t, "sections.A", bend_mm, section_deg[0]);
    set_plane(&t, "sections.B", bend_mm, section_deg[1]);
    study_case_run(&t, STAGE_POST);
    const double drop = study_case_readout(&t, "pressure_drops/0/value_pa");
    const double mean = study_case_solved(&t, "openings/IN/flow_ml_s") * 1e-6 / (M_PI * radius_mm * radius_mm * 1e-6);
    b->cell_reynolds = study_case_solved(&t, "cell_reynolds");
    b->ratio = drop / (8 * viscosity_pa_s * mean * length_m / (radius_mm * radius_mm * 1e-6));
    for (int k = 0; k < PROFILE; k++) { /* from the inner to the outer side of the bend */
        b->at[k] = numbers_middle(k, PROFILE, -radius_mm, radius_mm);
        place_on_bend(bend_mm, profile_deg, b->at[k], point[k], along);
    }
    study_case_probe(&t, PROFILE, point, velocity, NULL);
    for (int k = 0; k < PROFILE; k++)
        b->speed[k] = (along[0] * velocity[k][0] + along[1] * velocity[k][1]) / mean;
    study_case_close(&t);
}

/* L2 difference between our speed and the profile at the points, percent of the profile. */
static double difference(const study_table *profile, const flow *b) {
    numbers_l2 l2 = {0};
    for (int k = 0; k < PROFILE; k++)
        numbers_l2_add(&l2, b->speed[k],
                       numbers_interpolate(profile->n_row, profile->value[0], profile->value[1], b->at[k] / radius_mm));
    return 100 * numbers_l2_error(&l2);
}

static void draw_profile(results *r, int which, const int cells[LEVELS], const study_table *profile,
                         const flow b[LEVELS]) {
    double place[STUDY_TABLE_ROWS];
    plot p = plot_new(
        r, results_format(r, "profile-%s", bends[which].name),
        results_format(r, "Bend radius %g mm, velocity from the inner to the outer side", bends[which].bend_mm),
        "distance from the middle (mm), outer side right", "velocity / mean velocity");
    for (int k = 0; k < LEVELS; k++)
        plot_curve(&p, PLOT_POINTS, PROFILE, b[k].at, b[k].speed, "%d cells across", cells[k]);
    for (int k = 0; k < profile->n_row; k++)
        place[k] = radius_mm * profile->value[0][k];
    plot_curve(&p, PLOT_LINE, profile->n_row, place, profile->value[1], "finite elements");
    plot_write(&p);
}

/* Runs one bend on all lattices. Writes its table, picture and criteria. */
static void compare_bend(const study_context *x, results *r, int which, const int cells[LEVELS]) {
    static study_table profile, friction;
    flow b[LEVELS];
    double error[LEVELS];
    if (!study_read_numbers(x, bends[which].profile, 2, &profile) ||
        !study_read_numbers(x, bends[which].friction, 3, &friction))
        return;
    /* extrapolated with second order in the edge length along the circle */
    const double *edges = &friction.value[0][friction.n_row - 2], *value = &friction.value[2][friction.n_row - 2];
    const double developed = value[1] + (value[1] - value[0]) / (pow(edges[1] / edges[0], 2) - 1);
    const double re = 2 * radius_mm * 1e-3 * bends[which].mean_m_s * density / viscosity_pa_s;
    const double de = re * sqrt(radius_mm / bends[which].bend_mm);
    results_text(r, "Bend radius %g mm, Re %.0f, Dean number %.1f, friction ratio %.4f:", bends[which].bend_mm, re, de,
                 developed);
    results_table(r, results_format(r, "friction-%s", bends[which].name),
                  "cells across|cell Reynolds number|friction ratio|error (%)|velocity at 210 degrees, L2 error (%)");
    for (int k = 0; k < LEVELS; k++) {
        run_bend(x, which, cells[k], &b[k]);
        error[k] = difference(&profile, &b[k]);
        results_row(r, "%d|%.1f|%.4f|%.2f|%.2f", cells[k], b[k].cell_reynolds, b[k].ratio,
                    100 * (b[k].ratio / developed - 1), error[k]);
    }
    draw_profile(r, which, cells, &profile, b);
    for (int k = 0; k < LEVELS; k += LEVELS - 1) { /* the coarsest and the finest lattice */
        const bool fine = cells[LEVELS - 1] >= 24;
        results_at_most(r,
                        results_format(r, "De %.0f, %d cells across: friction to finite elements (%%)", de, cells[k]),
                        100 * fabs(b[k].ratio / developed - 1), fine ? 1 : 15);
        results_at_most(r,
                        results_format(r, "De %.0f, %d cells across: velocity to finite elements (%%)", de, cells[k]),
                        error[k], fine ? 2.5 : 20);
    }
}

int study_dean(const study_context *x, results *r) {
    const int finest = 4 * (int)fmax(round(6 * x->scale), 3), cells[LEVELS] = {finest / 2, finest * 3 / 4, finest};
    results_text(
        r, "A tube of 8 mm along 300 degrees of a ring. Pressure drop from 180 to 240 degrees over a straight tube's. "
           "Finite elements: `data/reproduce/verify-dean/README.md`. Default collision (cumulants), one "
           "lattice. Behind the inlet the friction oscillates along the bend, at De 87 by 1 %% with 24 cells.");
    for (int which = 0; which < BENDS; which++)
        compare_bend(x, r, which, cells);
    return r->error;
}
