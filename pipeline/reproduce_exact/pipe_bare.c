/* SPDX-License-Identifier: Apache-2.0 */
/* verify:poiseuille-pipe at Re 531 with bare openings: pressure drop between them and its parts. See pipe.h. */
#include "common/base/status.h"
#include "common/record/provenance.h"
#include "pipeline/reproduce_exact/pipe.h"
#include "pipeline/run/stages.h"
#include "pipeline/reproduce/run_outcome.h"
#include "pipeline/reproduce/study_case.h"
#include <math.h>
#include <stdio.h>

/* Same values as in case.yaml of this study. half_mm: half length of the pipe; inside_mm: distance of
 * the sections from the middle. */
static const double mean_m_s = 0.109519, half_mm = 40, inside_mm = 32;

/* parts of the pipe in the order of the readouts: whole, first radius, between the sections, last radius */
enum { PARTS = 4 };

typedef struct {
    run_outcome end;
    double drop[PARTS], wss; /* relative errors of pressure drop and wall shear stress; NaN: no result */
} bare;

static void set_place(study_case *t, const char *key, double along_mm, double outward, const double axis[3]) {
    char name[40];
    snprintf(name, sizeof name, "%s.point", key);
    study_case_set(t, name, "[%.12g, 0, %.12g]", along_mm * axis[0], along_mm * axis[2]);
    snprintf(name, sizeof name, "%s.normal", key);
    study_case_set(t, name, "[%.12g, 0, %.12g]", outward * axis[0], outward * axis[2]);
}

static void set_pipe(study_case *t, const pipe_setting *s) {
    double axis[3], across[3];
    const double dx = pipe_spacing_mm(s), wide = pipe_radius_mm + 3 * dx;
    pipe_axis(s, axis, across);
    set_place(t, "openings.IN", -half_mm, -1, axis);
    set_place(t, "openings.OUT", half_mm, 1, axis);
    set_place(t, "sections.A", -inside_mm, 1, axis);
    set_place(t, "sections.B", inside_mm, 1, axis);
    study_case_set(t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(t, "mesh.shape.from", "[%.12g, 0, %.12g]", -half_mm * axis[0], -half_mm * axis[2]);
    study_case_set(t, "mesh.shape.to", "[%.12g, 0, %.12g]", half_mm * axis[0], half_mm * axis[2]);
    const double x = half_mm * axis[0] + wide, z = half_mm * axis[2] + wide;
    study_case_set(t, "mesh.box.low", "[%.12g, %.12g, %.12g]", -x, -wide, -z);
    study_case_set(t, "mesh.box.high", "[%.12g, %.12g, %.12g]", x, wide, z);
}

static int run_bare(const study_context *x, const pipe_setting *s, bare *out) {
    static const double length_mm[PARTS] = {80, 8, 64, 8};
    const double radius_m = 1e-3 * pipe_radius_mm;
    char name[48], source[4200], path[48];
    study_case t = {0};
    int rc = OK;
    *out = (bare){.drop = {NAN, NAN, NAN, NAN}, .wss = NAN};
    snprintf(source, sizeof source, "%s/bare", x->source);
    snprintf(name, sizeof name, "bare-%d-%.0f", s->cells, pipe_angle_deg(s));
    study_case_create(&t, source, x->work, name);
    set_pipe(&t, s);
    TRY(run_outcome_compute(&t, x->run, STAGE_POST, &out->end));
    if (!run_outcome_is_good(&out->end))
        goto cleanup;
    for (int k = 0; k < PARTS; k++) {
        double drop_pa;
        snprintf(path, sizeof path, "pressure_drops/%d/value_pa", k);
        TRY(study_case_number(&t, "post/readouts.json", path, &drop_pa));
        out->drop[k] = drop_pa / (8 * pipe_viscosity_pa_s * mean_m_s * 1e-3 * length_mm[k] / (radius_m * radius_m)) - 1;
    }
    TRY(study_case_number(&t, "post/readouts.json", "wss/mean_pa", &out->wss));
    out->wss = out->wss / (4 * pipe_viscosity_pa_s * mean_m_s / radius_m) - 1;
cleanup:
    study_case_free(&t);
    return rc;
}

static void row(results *r, const pipe_setting *s, const bare *b) {
    char word[32];
    results_row(r, "%d|%.1f|%s|%.0f|%.2f|%.2f|%.2f|%.2f|%.2f", s->cells, pipe_angle_deg(s),
                run_outcome_word(&b->end, word), b->end.steps, 100 * b->drop[0], 100 * b->drop[1], 100 * b->drop[2],
                100 * b->drop[3], 100 * b->wss);
}

int pipe_bare(const study_context *x, results *r, int cells, double *drop_error) {
    bare now[4] = {0};
    pipe_setting s[4];
    int rc = OK, n = 0;
    results_text(
        r,
        "Bare openings at Re %.0f: five diameters, no extensions, only the spacing is set. Errors of the pressure drop "
        "between the openings, of its parts (first radius, between, last radius), and of the mean wall shear stress.",
        pipe_reynolds(mean_m_s));
    for (int c = cells; c <= 2 * cells; c += cells)
        for (int a = 0; a < 2; a++, n++) {
            s[n] = (pipe_setting){c, pipe_wall[0], pipe_collision[0], pipe_tangent[a], {0, 0}, 0};
            TRY(run_bare(x, &s[n], &now[n]));
        }
    results_table(
        r, "bare",
        "cells across|angle (deg)|ended|steps|drop between the openings (%)|first radius (%)|between (%)|last "
        "radius (%)|wall shear stress (%)");
    for (int k = 0; k < n; k++)
        row(r, &s[k], &now[k]);
    for (int k = 0; k < n; k++)
        if (now[k].end.exit != OK)
            results_text(r, "%d across, %.0f degrees: %s", s[k].cells, pipe_angle_deg(&s[k]), now[k].end.sentence);
    *drop_error = isnan(now[0].drop[0]) ? INFINITY : fabs(now[0].drop[0]);
cleanup:
    return rc;
}
