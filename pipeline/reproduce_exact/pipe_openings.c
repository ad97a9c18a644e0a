/* SPDX-License-Identifier: Apache-2.0 */
/* verify:poiseuille-pipe with inlet and outlet. See pipe.h. */
#include "common/record/json.h"
#include "common/base/status.h"
#include "pipeline/reproduce_exact/pipe.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stdio.h>

static const double length_mm = 16; /* distance between the two planes where pressure is read */

static int run_openings(const study_context *x, const pipe_setting *s, double mean_m_s, pipe_openings_errors *out) {
    char name[96], source[4200];
    study_case t = {0};
    cJSON *readouts = NULL;
    double axis[3], across[3];
    int rc = OK;
    double angle = pipe_angle_deg(s), dx = pipe_spacing_mm(s);
    pipe_axis(s, axis, across);
    snprintf(source, sizeof source, "%s/openings", x->source);
    snprintf(name, sizeof name, "openings-%d-%s-%s-%.0f-%.0f", s->cells, s->wall, s->collision, angle, 1e4 * mean_m_s);
    study_case_create(&t, source, x->work, name);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(&t, "openings.IN.velocity", "{mean: %g m/s, profile: developed}", mean_m_s);
    study_case_set(&t, "solve.wall", "%s", s->wall);
    study_case_set(&t, "solve.collision", "%s", s->collision);
    static const struct {
        const char *key;
        double along, outward;
    } place[] = {{"openings.IN", -16, -1}, {"openings.OUT", 16, 1}, {"sections.A", -8, 1}, {"sections.B", 8, 1}};
    for (int k = 0; k < 4; k++) {
        char key[32];
        snprintf(key, sizeof key, "%s.point", place[k].key);
        study_case_set(&t, key, "[%.12g, 0, %.12g]", place[k].along * axis[0], place[k].along * axis[2]);
        snprintf(key, sizeof key, "%s.normal", place[k].key);
        study_case_set(&t, key, "[%.12g, 0, %.12g]", place[k].outward * axis[0], place[k].outward * axis[2]);
    }
    double half_x = 16 * axis[0] + pipe_radius_mm * axis[2] + 3 * dx,
           half_z = 16 * axis[2] + pipe_radius_mm * axis[0] + 3 * dx;
    study_case_set(&t, "mesh.shape.from", "[%.12g, 0, %.12g]", -16 * axis[0], -16 * axis[2]);
    study_case_set(&t, "mesh.shape.to", "[%.12g, 0, %.12g]", 16 * axis[0], 16 * axis[2]);
    study_case_set(&t, "mesh.box.low", "[%.12g, %.12g, %.12g]", -half_x, -pipe_radius_mm - 3 * dx, -half_z);
    study_case_set(&t, "mesh.box.high", "[%.12g, %.12g, %.12g]", half_x, pipe_radius_mm + 3 * dx, half_z);
    TRY(study_case_run(&t, x->run, STAGE_POST));
    TRY(study_case_result(&t, "post/readouts.json", &readouts));
    double drop = json_get_number(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(readouts, "pressure_drops"), 0),
                                  "value_pa");
    double wss = json_get_number(cJSON_GetObjectItemCaseSensitive(readouts, "wss"), "mean_pa");
    out->drop = drop / (8 * pipe_viscosity_pa_s * mean_m_s * length_mm / (pipe_radius_mm * pipe_radius_mm) * 1e3) - 1;
    out->wss = wss / (4 * pipe_viscosity_pa_s * mean_m_s / (pipe_radius_mm * 1e-3)) - 1;
cleanup:
    cJSON_Delete(readouts);
    study_case_free(&t);
    return rc;
}

/* Computes the pipe along the grid, with each of two wall conditions and two collisions. */
static int table_walls(const study_context *x, results *r, int cells, double mean_m_s) {
    int rc = OK;
    results_text(r,
                 "Both walls and both collisions, Re %.1f, along the grid. The wall of `vlbm` is inside the true wall: "
                 "more pressure, and less stress at the true wall.",
                 pipe_reynolds(mean_m_s));
    results_table(r, "openings-walls",
                  "wall|collision|cells across|pressure drop error (%)|wall shear stress error (%)");
    for (int w = 0; w < PIPE_WALLS; w++)
        for (int k = 0; k < PIPE_COLLISIONS; k++)
            for (int c = cells / 2; c <= cells; c += cells / 2) {
                pipe_openings_errors now;
                const pipe_setting s = {c, pipe_wall[w], pipe_collision[k], 0, {0, 0}, 0};
                TRY(run_openings(x, &s, mean_m_s, &now));
                results_row(r, "%s|%s|%d|%.3f|%.3f", s.wall, s.collision, c, 100 * now.drop, 100 * now.wss);
            }
cleanup:
    return rc;
}

int pipe_openings(const study_context *x, results *r, int cells, pipe_openings_errors *worst) {
    static const double mean_m_s[] = {0.001, 0.01};
    int rc = OK;
    results_text(r, "Pipe of two diameters between extensions of one, prescribed mean velocity (developed profile), "
                    "outlet pressure: pressure drop over one diameter and mean wall shear stress, by `post`.");
    results_table(r, "openings",
                  "Reynolds number|angle (deg)|cells across|pressure drop error (%)|wall shear stress error (%)");
    for (int v = 0; v < 2; v++)
        for (int a = 0; a < PIPE_ANGLES; a++)
            for (int c = cells / 2; c <= cells; c += cells / 2) {
                pipe_openings_errors now;
                const pipe_setting s = {c, pipe_wall[0], pipe_collision[0], pipe_tangent[a], {0, 0}, 0};
                TRY(run_openings(x, &s, mean_m_s[v], &now));
                results_row(r, "%.1f|%.1f|%d|%.3f|%.3f", pipe_reynolds(mean_m_s[v]), pipe_angle_deg(&s), c,
                            100 * now.drop, 100 * now.wss);
                if (c == cells && v == 0) {
                    worst->drop = fmax(worst->drop, fabs(now.drop));
                    worst->wss = fmax(worst->wss, fabs(now.wss));
                }
            }
    results_text(r,
                 "The known error of a half-way inlet and pressure outlet is subtracted (`solve/BOUNDARY_LINKS.md`).");
    TRY(table_walls(x, r, cells, mean_m_s[0]));
cleanup:
    return rc;
}
