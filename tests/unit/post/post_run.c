/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/unit/post/post_run.h"
#include "post/post.h"
#include "common/base/file.h"
#include "common/lattice/lattice_file.h"
#include "common/record/json.h"
#include "common/surface_vtk/vtk_surface.h"
#include "tests/unit/chain_record.h"
#include "tests/unit/temp.h"
#include <math.h>

const post_pipe POST_RUN_PIPE = {.point_mm = {1, 2, 3},
                                 .axis = {0, 0.6, 0.8},
                                 .radius_mm = 4,
                                 .length_mm = 24,
                                 .mean_m_s = 0.1,
                                 .viscosity_pa_s = 0.0035};

const char POST_RUN_CASE[] =
    "name: 'a <b>bold</b> & \"quoted\" name'\n"
    "space: LPS\n"
    "openings:\n"
    "  - {name: in, role: inlet, point: [1, 2, 3], normal: [0, -0.6, -0.8], flow: 5 mL/s}\n"
    "  - {name: out, role: outlet, point: [1, 16.4, 22.2], normal: [0, 0.6, 0.8], pressure: 0 Pa}\n"
    "sections:\n"
    "  - {name: mid, point: [1.4, 9.2, 12.6]}\n"
    "  - {name: nowhere, point: [50, 9.2, 12.6]}\n"
    "mesh: {spacing: 0.5 mm, shape: {type: cylinder, from: [1, 2, 3], to: [1, 16.4, 22.2], radius: 4 mm},"
    " box: {low: [-4, -3, -2], high: [6, 22, 27]}}\n"
    "readouts:\n"
    "  - {pressure_drop: {from: in, to: mid}}\n"
    "  - {pressure_drop: {from: in, to: nowhere}}\n"
    "  - ppg: {portal: mid, liver: {model: resistance, value: 4 mmHg min/L}}\n"
    "  - ppg: {portal: in}\n";

static const char SOLVE[] =
    "{\"stage\": \"solve\", \"program\": {\"name\": \"solve\", \"version\": \"0.1.0\"}, \"warnings\": [\"a <warning> "
    "of solve\", \"another\"],"
    " \"result\": {\"converged\": %s, \"steps\": 100, \"dx_mm\": 0.5, \"dt_s\": 1e-4, \"tau\": 0.6, \"reynolds\": 240,"
    " \"womersley\": null, \"mach\": 0.1, \"device\": \"cpu, 2 threads\", \"mlups\": 50, \"seconds\": 3, "
    "\"flow_balance\": 1e-5,"
    " \"mode\": \"%s\", \"wall\": \"interpolated\", \"collision\": \"trt\", \"precision\": \"float\", "
    "\"cycle_period_s\": %s,"
    " \"cycles\": 3, \"openings\": {\"in\": {\"role\": \"inlet\", \"flow_ml_s\": %.9g, \"pressure_pa\": %.9g},"
    " \"out\": {\"role\": \"outlet\", \"flow_ml_s\": %.9g, \"pressure_pa\": 0.02}}, %s}}\n";

double post_run_drop_pa(double length_mm) {
    return post_pipe_gradient_pa_m(&POST_RUN_PIPE) * length_mm * 1e-3;
}

const char *post_run_path(const char *name) {
    return temp_path(name);
}

void post_run_text(const char *name, const char *text) {
    temp_text(name, text);
}

void post_run_solve(const char *converged, const char *mode, const char *period, double scale, const char *files) {
    char text[4096];
    snprintf(text, sizeof text, SOLVE, converged, mode, period, scale * POST_RUN_FLOW, scale * post_run_drop_pa(24),
             scale * POST_RUN_FLOW, files);
    post_run_text("out/solve/solve.json", text);
}

void post_run_make(lattice *l, fields *f) {
    surface lumen;
    assert_int_equal(file_create_folder(post_run_path("out/mesh")), OK);
    assert_int_equal(file_create_folder(post_run_path("out/solve")), OK);
    post_run_text("case.yaml", POST_RUN_CASE);
    post_pipe_lattice(&POST_RUN_PIPE, 16, l);
    post_fields_make(l, post_pipe_flow, &POST_RUN_PIPE, f);
    post_pipe_surface(&POST_RUN_PIPE, 40, 0, &lumen);
    assert_int_equal(lattice_file_write(post_run_path("out/mesh/lattice.h5"), l), OK);
    assert_int_equal(surface_write(post_run_path("out/mesh/surface.vtp"), &lumen, 0, NULL), OK);
    assert_int_equal(field_file_write(post_run_path("out/solve/fields.vtkhdf"), l, f), OK);
    post_run_solve("true", "steady", "null", 1, "\"fields\": [{\"file\": \"fields.vtkhdf\", \"time_s\": 0}]");
    surface_free(&lumen);
}

double post_run_factor(double mean, double time_s) {
    return mean + cos(2 * M_PI * time_s);
}

void post_run_cycle(const lattice *l, const fields *f, double mean, char *files) {
    fields at_instant;
    char name[64];
    assert_int_equal(fields_create(&at_instant, l->n_cell), OK);
    int n = snprintf(files, POST_RUN_FILES, "\"fields_mean\": \"fields.vtkhdf\", \"fields\": [");
    for (int k = 0; k <= POST_RUN_INSTANTS; k++) { /* the last one: the mean */
        double a = k < POST_RUN_INSTANTS ? post_run_factor(mean, (k + 0.5) / POST_RUN_INSTANTS) : mean;
        for (int64_t c = 0; c < 6 * l->n_cell; c++)
            at_instant.stress_pa[c] = (float)(a * (double)f->stress_pa[c]);
        for (int64_t c = 0; c < 3 * l->n_cell; c++)
            at_instant.velocity_m_s[c] = (float)(a * (double)f->velocity_m_s[c]);
        for (int64_t c = 0; c < l->n_cell; c++)
            at_instant.pressure_pa[c] = (float)(a * (double)f->pressure_pa[c]);
        snprintf(name, sizeof name, k < POST_RUN_INSTANTS ? "out/solve/fields_%04d.vtkhdf" : "out/solve/fields.vtkhdf",
                 k);
        assert_int_equal(field_file_write(post_run_path(name), l, &at_instant), OK);
        if (k < POST_RUN_INSTANTS)
            n += snprintf(files + n, POST_RUN_FILES - (size_t)n, "%s{\"file\": \"%s\", \"time_s\": %g}", k ? ", " : "",
                          file_name(name), (k + 0.5) / POST_RUN_INSTANTS);
    }
    snprintf(files + n, POST_RUN_FILES - (size_t)n, "]");
    fields_free(&at_instant);
}

/* What mesh and solve would have written of their files, as these are now. */
static void make_records(const char *case_path) {
    static const char *const mesh_file[] = {"lattice.h5", "surface.vtp", NULL};
    static char stored[POST_RUN_INSTANTS][32];
    const char *solve_file[POST_RUN_INSTANTS + 3] = {"fields.vtkhdf", "monitors.csv"};
    for (int k = 0; k < POST_RUN_INSTANTS; k++) {
        snprintf(stored[k], sizeof stored[k], "fields_%04d.vtkhdf", k);
        solve_file[k + 2] = stored[k];
    }
    chain_record(case_path, "mesh", post_run_path("out/mesh"), NULL, mesh_file);
    chain_record(case_path, "solve", post_run_path("out/solve"), post_run_path("out/mesh/lattice.h5"), solve_file);
}

int post_run(const char *in, bool no_pictures) {
    static char case_path[512], in_path[512], out_path[512];
    snprintf(case_path, sizeof case_path, "%s", post_run_path("case.yaml"));
    snprintf(in_path, sizeof in_path, "%s", post_run_path(in));
    snprintf(out_path, sizeof out_path, "%s", post_run_path("out/post"));
    make_records(case_path);
    char *argv[] = {"post", "--case", case_path};
    post_options o = {.case_path = case_path, .in = in_path, .out = out_path, .no_pictures = no_pictures, .argc = 3};
    o.argv = argv;
    return post_stage_run(&o);
}

cJSON *post_run_json(const char *name) {
    cJSON *object = NULL;
    assert_int_equal(json_read(post_run_path(name), &object), OK);
    return object;
}

const cJSON *post_run_at(const cJSON *o, const char *a, const char *b) {
    const cJSON *first = cJSON_GetObjectItemCaseSensitive(o, a);
    return b ? cJSON_GetObjectItemCaseSensitive(first, b) : first;
}

char *post_run_report(void) {
    char *text = NULL;
    assert_int_equal(file_read(post_run_path("out/post/report.html"), 100000000, &text, NULL), OK);
    return text;
}

int post_run_has(const char *text, const char *what) {
    return strstr(text, what) != NULL;
}
