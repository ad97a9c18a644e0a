/* SPDX-License-Identifier: Apache-2.0 */
/* A given flow that leaves by one branch of a fork, askew to the grid, the rest by the other. In a cell at its rim four
 * pairs of links lie between wall and opening: its pressure, and with it the opening's, must come to rest. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/message.h"
#include "common/base/vec.h"
#include "tests/unit/solve/pipe_stage.h"

static double fork_mm(const void *data, const double p[3]) {
    static const struct {
        double end[3], radius;
    } branch[3] = {{{0, 0, -20}, 3}, {{12, 3, 16}, 2.7}, {{-10, -4, 18}, 2.3}};
    double least = INFINITY;
    (void)data;
    for (int k = 0; k < 3; k++) {
        const double *end = branch[k].end;
        const double part = fmax(0, fmin(1, vec_dot(p, end) / vec_dot(end, end)));
        const double nearest[3] = {part * end[0], part * end[1], part * end[2]};
        least = fmin(least, vec_distance(p, nearest) - branch[k].radius);
    }
    return least;
}

static void write_fork(void) {
    mesh_opening o[3] = {
        {.name = "in", .role = LATTICE_INLET, .point_mm = {0, 0, -15}, .normal = {0, 0, -1}, .radius_mm = NAN},
        {.name = "a", .role = LATTICE_OUTLET, .point_mm = {9, 2.25, 12}, .normal = {12, 3, 16}, .radius_mm = NAN},
        {.name = "b", .role = LATTICE_OUTLET, .point_mm = {-7.5, -3, 13.5}, .normal = {-10, -4, 18}, .radius_mm = NAN}};
    static const char text[] =
        "name: fork\nspace: LPS\n"
        "mesh: {spacing: 0.35 mm, shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 1], radius: 3 mm},\n"
        "       box: {low: [-20, -15, -20], high: [20, 15, 25]}}\n"
        "openings:\n"
        "  - {name: in, role: inlet, point: [0, 0, -15], normal: [0, 0, -1], flow: 3 mL/s}\n"
        "  - {name: a, role: outlet, point: [9, 2.25, 12], normal: [12, 3, 16], pressure: 0 Pa}\n"
        "  - {name: b, role: outlet, point: [-7.5, -3, 13.5], normal: [-10, -4, 18], flow: 1.2 mL/s}\n"
        "blood: {density: 1060 kg/m3, viscosity: 3.5 mPa s}\n"
        "solve: {collision: trt, tolerance: 1e-7, max_steps: 12000}\n";
    lattice l;
    voxelize_input in = {.distance = fork_mm, .spacing_mm = 0.35, .n_opening = 3, .opening = o};
    assert_int_equal(voxelize_box(&in, (double[3]){-20, -15, -20}, (double[3]){20, 15, 25}), OK);
    if (voxelize(&in, &l, NULL) != OK)
        fail_msg("%s", status_message());
    assert_int_equal(file_create_folder(temp_path("mesh")), OK);
    assert_int_equal(lattice_file_write(temp_path("mesh/lattice.h5"), &l), OK);
    assert_int_equal(file_write(temp_path("fork.yaml"), text, strlen(text)), OK);
    lattice_free(&l);
}

static void its_pressure_comes_to_rest(void **state) {
    (void)state;
    cJSON *whole;
    write_fork();
    if (run_in("mesh", "fork.yaml", "out", false) != OK)
        fail_msg("%s", status_message());
    const cJSON *r = result_of("out", &whole), *openings = json_find(r, "openings");
    const double drop = json_get_number(json_find(openings, "in"), "pressure_pa"),
                 branch = json_get_number(json_find(openings, "b"), "pressure_pa");
    printf("%.0f steps, %.4f Pa at the inlet, %.4f at the branch\n", json_get_number(r, "steps"), drop, branch);
    assert_true(fabs(branch - 0.11) < 0.005 * drop); /* 0.092 and 0.118 on lattices of 0.175 and 0.23 mm */
    cJSON_Delete(whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(its_pressure_comes_to_rest)};
    message_init("test_outflow", false);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
