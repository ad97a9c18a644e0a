/* SPDX-License-Identifier: Apache-2.0 */
/* Second part of verify:inlet-profile: a cross-section without an exact formula. A tube with the section of a segmented
 * lumen (data/reproduce/verify-inlet-profile/section/outline.csv) passes through all stages as a surface. Reference:
 * the Poisson problem on the same polygon, solved on a fine grid (outline.h). */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/reproduce_exact/outline.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce/reference.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stdio.h>

/* Same values as in case.yaml of this study. across_mm: narrow side of the section. */
static const double mean_m_s = 0.001, viscosity_pa_s = 1e-3, length_mm = 6, across_mm = 11.944;
static const double fine_mm = 0.05, tube_mm = 16, edge_mm = 0.5;

enum { LEVELS = 2, PLANES = 2, SIDE = 60, PROFILE = 49, POINTS = SIDE * SIDE + PROFILE };
static const double plane_mm[PLANES] = {-5, 0}; /* z of the planes: 1 mm behind the inlet, and the middle */

typedef struct {
    double l2[PLANES], drop; /* relative errors of velocity and pressure drop */
    double x[PROFILE], u[PROFILE];
} found;

static int read_plane(const study_case *t, const outline_flow *fine, int plane, found *out) {
    static double point[POINTS][3], velocity[POINTS][3];
    double square = 0, square_fine = 0;
    for (int k = 0; k < POINTS; k++) { /* points on a grid of 0.42 x 0.2 mm, then points on the long axis */
        const int on = k < SIDE * SIDE, row = k / SIDE;
        point[k][0] = on ? -13.6 + 25.2 * (k % SIDE + 0.5) / SIDE : -13.4 + 24.6 * (k - SIDE * SIDE) / (PROFILE - 1.0);
        point[k][1] = on ? -6 + 12.0 * (row + 0.5) / SIDE : 0;
        point[k][2] = plane_mm[plane];
    }
    const int rc = study_case_probe(t, POINTS, (const double(*)[3])point, velocity, NULL);
    for (int k = 0; rc == OK && k < POINTS; k++) {
        const double u = velocity[k][2], e = mean_m_s * outline_flow_value(fine, point[k][0], point[k][1]);
        if (k >= SIDE * SIDE) {
            out->x[k - SIDE * SIDE] = point[k][0];
            out->u[k - SIDE * SIDE] = u;
        } else if (!isnan(u) && e > 0) {
            square += (u - e) * (u - e);
            square_fine += e * e;
        }
    }
    out->l2[plane] = sqrt(square / square_fine);
    return rc;
}

static int run_section(const study_context *x, const outline *o, const outline_flow *fine, int cells, found *out) {
    char name[32], source[FILE_PATH_MAX], surface[FILE_PATH_MAX];
    study_case t = {0};
    double drop;
    int rc = OK;
    snprintf(name, sizeof name, "section-%d", cells);
    if (file_path(source, sizeof source, "%s/section", x->source) != OK)
        return ERR_INPUT;
    study_case_create(&t, source, x->work, name);
    study_case_set(&t, "mesh.spacing", "%.12g mm", across_mm / cells);
    TRY(t.error);
    TRY(file_path(surface, sizeof surface, "%s/tube.stl", t.folder));
    TRY(outline_write_tube(o, -tube_mm, tube_mm, edge_mm, surface));
    TRY(study_case_run(&t, x->run, STAGE_POST));
    for (int p = 0; p < PLANES; p++)
        TRY(read_plane(&t, fine, p, out));
    TRY(study_case_number(&t, "post/readouts.json", "pressure_drops/0/value_pa", &drop));
    out->drop = drop / (viscosity_pa_s * mean_m_s * length_mm * 1e-3 / (fine->mean_mm2 * 1e-6)) - 1;
cleanup:
    study_case_free(&t);
    return rc;
}

static void draw(results *r, const outline_flow *fine, int cells, const found *f) {
    double px[201], pu[201];
    char series[48];
    plot p = {.name = "section",
              .title = "Velocity along the long axis of a segmented lumen's cross-section",
              .x_label = "x (mm)",
              .y_label = "velocity (m/s)"};
    for (int k = 0; k <= 200; k++) {
        px[k] = -13.6 + 25.0 * k / 200;
        pu[k] = mean_m_s * outline_flow_value(fine, px[k], 0);
    }
    plot_curve(&p, "Poisson problem, step 0.05 mm", PLOT_LINE, 201, px, pu);
    snprintf(series, sizeof series, "ours at %d cells", cells);
    plot_curve(&p, series, PLOT_POINTS, PROFILE, f->x, f->u);
    plot_write(&p, r);
}

int inlet_section(const study_context *x, results *r) {
    static found now[LEVELS];
    static reference corner;
    char source[FILE_PATH_MAX];
    outline_flow coarse = {0}, fine = {0};
    int finest = 2 * (int)fmax(round(16 * x->scale), 6), cells[LEVELS] = {finest / 2, finest}, rc = OK;
    if (file_path(source, sizeof source, "%s/section", x->source) != OK)
        return ERR_INPUT;
    TRY(reference_read(source, "outline.csv", &corner));
    const outline o = {corner.n_row, corner.value[0], corner.value[1]};
    TRY(outline_flow_create(&coarse, &o, 2 * fine_mm));
    TRY(outline_flow_create(&fine, &o, fine_mm));
    results_text(r,
                 "**A real cross-section.** Confluence of two veins (25 x 12 mm), segmented from a noisy image of the "
                 "portal phantom and extruded. Reference: Poisson problem on the same outline, step %g mm (twice the "
                 "step changes the mean by %.3f %%).",
                 fine_mm, 100 * fabs(coarse.mean_mm2 / fine.mean_mm2 - 1));
    results_table(r, "section-errors", "cells|L2 at the inlet (%)|L2 in the middle (%)|pressure drop error (%)");
    for (int k = 0; k < LEVELS; k++) {
        TRY(run_section(x, &o, &fine, cells[k], &now[k]));
        results_row(r, "%d|%.3f|%.3f|%.3f", cells[k], 100 * now[k].l2[0], 100 * now[k].l2[1], 100 * now[k].drop);
    }
    draw(r, &fine, finest, &now[1]);
    results_at_most(r, "real cross-section: L2 velocity error (%) at the inlet, finest lattice", 100 * now[1].l2[0],
                    finest >= 32 ? 1 : 3);
    results_at_most(r, "real cross-section: pressure drop error (%), finest lattice", 100 * fabs(now[1].drop),
                    finest >= 32 ? 1 : 3);
cleanup:
    outline_flow_free(&coarse);
    outline_flow_free(&fine);
    return rc;
}
