/* SPDX-License-Identifier: Apache-2.0 */
/* The stage solve on a pipe of the tests: its lattice, its cases, a run, the result. */
#ifndef PORTAFLOW_TESTS_PIPE_STAGE_H
#define PORTAFLOW_TESTS_PIPE_STAGE_H
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/lattice/lattice_file.h"
#include "common/record/json.h"
#include "mesh/cells/voxelize.h"
#include "solve/solve.h"
#include "tests/unit/chain_record.h"
#include "tests/unit/solve/solve_flow.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double RADIUS_MM = 6, LENGTH_MM = 36, FLOW_ML_S = 4;

static inline double distance(const void *data, const double p[3]) {
    return shape_distance_mm(data, p);
}

/* The pipe along z, its ends at +-end_mm in these roles, in folder/lattice.h5. */
static inline void write_pipe_to(const char *folder, double end_mm, int first, int second, lattice *l) {
    const shape s = {.kind = SHAPE_CYLINDER, .b = {0, 0, 1}, .radius = {RADIUS_MM}};
    mesh_opening o[2] = {{.name = "in", .role = first, .normal = {0, 0, -1}, .radius_mm = NAN},
                         {.name = "out", .role = second, .normal = {0, 0, 1}, .radius_mm = NAN}};
    o[0].point_mm[2] = -end_mm;
    o[1].point_mm[2] = end_mm;
    voxelize_input in = {.distance = distance, .data = &s, .spacing_mm = 0.75, .n_opening = 2, .opening = o};
    assert_int_equal(voxelize_box(&in, (double[3]){-6.9, -6.7, -20}, (double[3]){6.9, 6.8, 20}), OK);
    assert_int_equal(voxelize(&in, l, NULL), OK);
    assert_int_equal(file_create_folder(temp_path(folder)), OK);
    char name[64];
    snprintf(name, sizeof name, "%s/lattice.h5", folder);
    assert_int_equal(lattice_file_write(temp_path(name), l), OK);
}

static inline void write_pipe(const char *folder, int first, int second, lattice *l) {
    write_pipe_to(folder, 0.5 * LENGTH_MM, first, second, l);
}

static inline void write_ends(const char *name, const char *viscosity, const char *first, const char *second,
                              const char *settings) {
    char text[2048];
    snprintf(text, sizeof text,
             "name: pipe\nspace: LPS\n"
             "mesh: {spacing: 0.75 mm, shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 1], radius: 6 mm},\n"
             "       box: {low: [-6.9, -6.7, -20], high: [6.9, 6.8, 20]}}\n"
             "openings:\n"
             "  - {name: in, role: %s, point: [0, 0, -18], normal: [0, 0, -1]}\n"
             "  - {name: out, role: outlet, point: [0, 0, 18], normal: [0, 0, 1], %s}\n"
             "blood: {density: 1060 kg/m3, viscosity: %s}\n"
             "solve: {collision: trt, %s}\n",
             first, second, viscosity, settings);
    assert_int_equal(file_write(temp_path(name), text, strlen(text)), OK);
}

static inline void write_blood(const char *name, const char *viscosity, const char *inlet, const char *settings) {
    char first[256];
    snprintf(first, sizeof first, "inlet, %s", inlet);
    write_ends(name, viscosity, first, "pressure: 2 mmHg", settings);
}

static inline void write_case(const char *name, const char *inlet, const char *settings) {
    write_blood(name, "3.5 mPa s", inlet, settings);
}

static inline int run_in(const char *folder, const char *name, const char *out, bool resume) {
    static char *words[] = {(char *)"solve"};
    char case_path[128], mesh[128], to[128];
    snprintf(case_path, sizeof case_path, "%s", temp_path(name));
    snprintf(mesh, sizeof mesh, "%s", temp_path(folder));
    snprintf(to, sizeof to, "%s", temp_path(out));
    chain_record(case_path, "mesh", mesh, NULL, (const char *const[]){"lattice.h5", NULL});
    status_clear();
    return solve(&(solve_options){.case_path = case_path,
                                  .in = mesh,
                                  .out = to,
                                  .device = DEVICE_CPU,
                                  .resume = resume,
                                  .threads = 2,
                                  .argc = 1,
                                  .argv = words});
}

static inline int run_case(const char *name, const char *out, bool resume) {
    return run_in("mesh", name, out, resume);
}

static inline cJSON *result_of(const char *out, cJSON **whole) {
    char name[64];
    snprintf(name, sizeof name, "%s/solve.json", out);
    assert_int_equal(json_read(temp_path(name), whole), OK);
    return cJSON_GetObjectItem(*whole, "result");
}
#endif
