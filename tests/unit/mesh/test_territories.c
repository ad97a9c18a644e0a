/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes of the territories of outlets: from a label image to the openings of the lattice. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/image_file/itk_image.h"
#include "common/lattice/lattice_file.h"
#include "mesh/mesh.h"
#include "mesh/openings/territories.h"
#include "tests/unit/near.h"
#include "tests/unit/temp.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define CASE(territory)                                                                                                \
    "space: LPS\nmesh: {spacing: 0.5 mm, grid_levels: 2, box: {low: [-4, -4, -6], high: [4, 4, 6]},\n"                 \
    "  shape: {type: cylinder, from: [0, 0, -9], to: [0, 0, 9], radius: 3 mm}}\n"                                      \
    "openings:\n- {name: A, role: inlet, point: [0, 0, -5], normal: [0, 0, -1], flow: 1 mL/s}\n"                       \
    "- {name: B, role: outlet, point: [0, 0, 5], normal: [0, 0, 1]}\n"                                                 \
    "split: {labels: {path: s.nii}, territory: {B: [" territory "]}}\n"

enum { A, B };

/* A label image of 10 x 10 x 10 voxels of 2 x 2 x 5 mm: 100 voxels each of labels 2 and 3, 50 of label 9. */
static void write_labels(float other) {
    volume v;
    assert_int_equal(volume_create(&v, (int[3]){10, 10, 10}, (double[3]){2, 2, 5}, (double[3]){0, 0, 0}, NULL), OK);
    for (int i = 0; i < 250; i++)
        v.value[i] = i < 100 ? 2 : i < 200 ? 3 : 9;
    v.value[999] = other;
    assert_int_equal(image_write(temp_path("s.nii"), &v, IMAGE_FLOAT32), OK);
    volume_free(&v);
}

static int read_case(const char *text, case_file *c, cJSON **json) {
    int rc = case_read(temp_text("case.yaml", text), 0, c);
    *json = cJSON_CreateObject();
    cJSON_AddArrayToObject(*json, "inputs");
    return rc == OK ? territories_read(c, *json) : rc;
}

static void test_volumes(void **state) {
    (void)state;
    case_file c;
    cJSON *json;
    lattice l = {0};
    write_labels(0);
    const int warnings = message_warning_count();
    if (read_case(CASE("3, 2"), &c, &json) != OK)
        fail_msg("%s", status_message());
    assert_near(c.opening[B].territory_ml, 200 * 0.02, 1e-9);
    assert_int_equal(message_warning_count(), warnings + 1);
    assert_non_null(strstr(message_warning(warnings), "1 mL of the label image belong to no outlet"));
    cJSON_Delete(json);
    case_free(&c);
    /* mesh writes the volumes into every lattice of the grid sequence */
    char *argv[] = {"mesh", NULL}, path[512];
    snprintf(path, sizeof path, "%s", temp_path("case.yaml"));
    const mesh_options o = {.argc = 1, .argv = argv, .case_path = path, .out = temp_path("out")};
    if (mesh_run(&o) != OK)
        fail_msg("%s", status_message());
    static const char *const file[] = {"out/lattice.h5", "out/lattice_level2.h5"};
    for (int k = 0; k < 2; k++) {
        if (lattice_file_read(temp_path(file[k]), &l) != OK)
            fail_msg("%s", status_message());
        assert_near(l.opening[B].territory_ml, 4, 1e-9);
        assert_near(l.opening[A].territory_ml, 0, 0);
        lattice_free(&l);
    }
}

static void refused(const char *text, const char *sentence) {
    case_file c;
    cJSON *json;
    status_clear();
    assert_int_equal(read_case(text, &c, &json), ERR_INPUT);
    if (!strstr(status_message(), sentence))
        fail_msg("'%s' in '%s'", sentence, status_message());
    cJSON_Delete(json);
    case_free(&c);
}

static void test_bad_images(void **state) {
    (void)state;
    write_labels(0);
    refused(CASE("2, 4"), "holds no voxel of label 4; it holds 2, 3, 9");
    write_labels(0.5F);
    refused(CASE("2, 3"), "holds 0.5, which is not a label");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_volumes), cmocka_unit_test(test_bad_images)};
    message_init("test_territories", false);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
