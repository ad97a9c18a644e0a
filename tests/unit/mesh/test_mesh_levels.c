/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.grid_levels: lattices at several spacings of one lumen, and with its wall moved, as files and as mesh.json lists
 * them. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/lattice/lattice_file.h"
#include "common/record/json.h"
#include "mesh/mesh.h"
#include "tests/unit/near.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* A slanted pipe of 3 mm radius between two openings. */
#define PIPE                                                                                                           \
    "space: LPS\nmesh: {spacing: %s, shape: {type: cylinder, from: [0, 0, -9], to: [2, 1, 9], radius: 3 mm},\n"  \
    "  box: {low: [-6, -6, -9], high: [8, 7, 9]}}\n"                                                                   \
    "openings:\n- {name: A, role: inlet, point: [0.3333333, 0.1666667, -6], normal: [-2, -1, -18], flow: 1 mL/s}\n"    \
    "- {name: B, role: outlet, point: [1.6666667, 0.8333333, 6], normal: [2, 1, 18], pressure: 0 Pa}\n"

/* keys: the spacing and more keys of `mesh`. A leading TRT stands for that collision, a leading FASTER for nine times
 * the flow, "pulsatile" for that mode. */
#define TRT "trt"
#define FASTER "fst"

static cJSON *meshed(const char *keys) {
    char text[1024];
    cJSON *record = NULL;
    const bool trt = strncmp(keys, TRT, strlen(TRT)) == 0, faster = strncmp(keys, FASTER, strlen(FASTER)) == 0;
    keys += trt || faster ? strlen(TRT) : 0;
    snprintf(text, sizeof text, trt ? PIPE "solve: {collision: trt}\n" : PIPE, keys);
    if (faster)
        memcpy(strstr(text, "flow: 1"), "flow: 9", strlen("flow: 1"));
    if (strstr(keys, "pulsatile")) {
        snprintf(text, sizeof text, PIPE "solve: {mode: pulsatile}\n", "0.3 mm, grid_levels: 3");
        char *flow = strstr(text, "flow: 1 mL/s");
        memmove(flow + 24, flow + 12, strlen(flow + 12) + 1);
        memcpy(flow, "flow: {waveform: a.csv}  ", 24);
        temp_text("a.csv", "t_s,flow_ml_s\n0,1\n0.3,2\n0.6,1.5\n1,1\n");
    }
    const char *name = temp_text("case.yaml", text);
    char *argv[] = {"mesh", NULL}, path[512];
    snprintf(path, sizeof path, "%s", name);
    const mesh_options o = {.argc = 1, .argv = argv, .case_path = path, .out = temp_path("out")};
    status_clear();
    if (mesh_run(&o) != OK || json_read_sealed(temp_path("out/mesh.json"), &record) != OK)
        fail_msg("%s", status_message());
    return record;
}

static const cJSON *entry(const cJSON *record, int k) {
    return cJSON_GetArrayItem(json_find(record, "result/grid_sequence"), k);
}

static void read_entry(const cJSON *record, int k, lattice *l) {
    char name[64];
    const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry(record, k), "lattice"));
    assert_non_null(file);
    snprintf(name, sizeof name, "out/%s", file);
    if (lattice_file_read(temp_path(name), l) != OK)
        fail_msg("%s", status_message());
}

static void test_levels(void **state) {
    (void)state;
    static const double spacing[4] = {0.42, 0.588, 0.588, 0.588}, radius[4] = {3, 3, 2.8, 3.2};
    cJSON *record = meshed("0.3 mm, grid_levels: 3, wall_uncertainty: 0.2 mm");
    assert_int_equal(cJSON_GetArraySize(json_find(record, "result/grid_sequence")), 4);
    for (int k = 0; k < 4; k++) {
        lattice l;
        read_entry(record, k, &l);
        assert_near(l.spacing_mm, spacing[k], 1e-9);
        assert_int_equal(l.n_opening, 2);
        for (int o = 0; o < 2; o++) { /* the same planes, the area of the moved wall */
            assert_near(l.opening[o].area_mm2, M_PI * radius[k] * radius[k], 0.005 * l.opening[o].area_mm2);
            assert_near(l.opening[o].centre_mm[2], o ? 6 : -6, 0.02);
        }
        lattice_free(&l);
    }
    assert_int_equal(access(temp_path("out/surface_narrower.vtp"), R_OK), 0);
    cJSON_Delete(record);
}

static void test_without(void **state) {
    (void)state;
    cJSON *record = meshed("0.3 mm, grid_levels: 2");
    assert_int_equal(cJSON_GetArraySize(json_find(record, "result/grid_sequence")),
                     1); /* no uncertainty of a shape's wall */
    cJSON_Delete(record);
    record = meshed("pulsatile"); /* one for its mean flow */
    assert_int_equal(cJSON_GetArraySize(json_find(record, "result/grid_sequence")), 1);
    assert_near(json_get_number(entry(record, 0), "spacing_mm"), 0.42, 1e-9);
    cJSON_Delete(record);
    record = meshed("0.3 mm");
    assert_null(json_find(record, "result/grid_sequence"));
    assert_int_not_equal(access(temp_path("out/lattice_level2.h5"), F_OK), 0); /* of the run before */
    cJSON_Delete(record);
}

static void assert_levels(const char *keys, int n) {
    cJSON *record = meshed(keys);
    assert_int_equal(cJSON_GetArraySize(json_find(record, "result/grid_sequence")), n);
    cJSON_Delete(record);
}

/* From 20 cells per diameter, levels 2 to 4 have 14.3, 10.2 and 7.3; from 10 cells 7.1, 5.1 and 3.6. A level needs 8 of
 * them; with cumulants, fewer than 12 on the finest lattice and slow flow 5. A lumen that cannot be so narrow is
 * omitted. */
static void test_too_coarse(void **state) {
    (void)state;
    assert_levels("0.3 mm, grid_levels: 4, wall_uncertainty: 3.5 mm", 2);
    assert_levels("0.6 mm, grid_levels: 4", 2);
    assert_levels(FASTER "0.6 mm, grid_levels: 4", 0);
    assert_levels(TRT "0.6 mm, grid_levels: 4", 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels), cmocka_unit_test(test_without),
                                       cmocka_unit_test(test_too_coarse)};
    message_init("mesh", false);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
