/* SPDX-License-Identifier: Apache-2.0 */
/* The stage from a level set and a case to lattice and wall: a confluence in an image, its openings and what is said of
 * them. */
#include "common/image_file/itk_image.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "mesh/mesh.h"
#include "mesh/mesh_report.h"
#include "tests/unit/fill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Trunk of radius 4 along z that leaves the image at the top, branches of 3 and 2.5 into the corners below. */
static const shape_segment confluence[3] = {
    {{20, 20, 22}, {20, 20, 80}, 4, 4}, {{20, 20, 22}, {6, 20, 4}, 3, 3}, {{20, 20, 22}, {34, 22, 5}, 2.5, 2.5}};

static double tree_distance(const void *tree, const double p[3]) {
    return shape_distance_mm(tree, p);
}

static void make_phi(volume *phi) {
    const shape tree = {.kind = SHAPE_TREE, .n_segment = 3, .segment = confluence};
    assert_int_equal(
        volume_create(phi, (const int[3]){42, 42, 35}, (const double[3]){1, 1, 1.2}, (const double[3]){0, 0, 0}, NULL),
        OK);
    fill_volume(phi, tree_distance, &tree);
}

#define CASE_START "name: t\nspace: LPS\nimage: {path: i.nii.gz}\nsegment: {method: level-set, seeds: [[20, 20, 30]]}\n"
#define TRUNK      "  - {name: trunk, role: outlet, point: [20.5, 19, 38], pressure: 0 mmHg}\n"
#define LEFT       "  - {name: left, role: inlet, point: [11, 20.4, 10.5], flow: 0.2 L/min}\n"
#define RIGHT      "  - {name: right, role: inlet, point: [29, 21.5, 11], flow: 0.15 L/min}\n"

/* Spacing and cells per diameter of a file whose case gets mesh.fast by --set; NaN: none. */
static double fast_spacing_limit_mm = NAN, fast_cells_limit = NAN;

static int build(const char *text, mesh_job *j) {
    volume phi = {0};
    memset(j, 0, sizeof *j);
    int rc = case_read_text(text, strlen(text), "case.yaml", 0, &j->c);
    if (rc != OK)
        fail_msg("%s", status_message());
    j->c.mesh.finest_spacing_mm = fast_spacing_limit_mm;
    j->c.mesh.most_cells_per_diameter = fast_cells_limit;
    if (!j->c.mesh.has_shape) {
        make_phi(&phi);
        j->image = phi;
        j->image.value = NULL;
    }
    rc = mesh_build(j, &phi);
    if (rc == OK)
        mesh_tell(j);
    volume_free(&phi);
    return rc;
}

/* A tube of radius 4 mm along z with a web 0.6 mm thick across it, which leaves an eccentric hole of radius 1.25 mm. */
static double web_distance(const void *none, const double p[3]) {
    (void)none;
    const double vessel = fmax(hypot(p[0], p[1]) - 4, fabs(p[2]) - 8.6);
    const double web = fmax(fabs(p[2] - 0.1) - 0.3, 1.25 - hypot(p[0] - 1.2, p[1] - 0.4));
    return fmax(vessel, -web);
}

static void make_web(volume *phi) {
    assert_int_equal(volume_create(phi, (const int[3]){40, 40, 75}, (const double[3]){0.25, 0.25, 0.25},
                                   (const double[3]){-4.9, -4.9, -9.3}, NULL),
                     OK);
    fill_volume(phi, web_distance, NULL);
}

/* What is too thin for the lattices that are looked at beforehand is found on the lattice itself, which is then made
 * again: a hole of 2.5 mm in a tube of 8 mm gets the 14 cells across that were wanted. */
static void a_thin_web_is_resolved(void **state) {
    (void)state;
    const char *text = CASE_START "openings:\n  - {name: in, role: inlet, point: [0, 0, -7], flow: 0.5 mL/s}\n"
                                  "  - {name: out, role: outlet, point: [0, 0, 7], pressure: 0 mmHg}\n"
                                  "mesh: {cells_per_diameter: 14}\n";
    mesh_job j = {0};
    volume phi;
    assert_int_equal(case_read_text(text, strlen(text), "case.yaml", 0, &j.c), OK);
    make_web(&phi);
    j.image = phi;
    j.image.value = NULL;
    if (mesh_build(&j, &phi) != OK)
        fail_msg("%s", status_message());
    printf("web: %.1f cells across %.2f mm, %lld cells\n", j.flow.narrowest.cells_per_diameter,
           j.flow.narrowest.diameter_mm, (long long)j.lattice.n_cell);
    assert_float_equal(j.flow.narrowest.diameter_mm, 2.5, 0.4);
    assert_true(j.flow.narrowest.cells_per_diameter > 0.75 * 14 && j.flow.narrowest.cells_per_diameter < 1.3 * 14);
    volume_free(&phi);
    mesh_free(&j);
}

static int warned(const char *words, int from) {
    for (int k = from; k < message_warning_count(); k++)
        if (strstr(message_warning(k), words))
            return 1;
    return 0;
}

static void confluence_with_three_openings(void **state) {
    (void)state;
    mesh_job j;
    const int before = message_warning_count();
    const double radius[3] = {4, 3, 2.5};
    const double axis[3][3] = {{0, 0, 1}, {-14, 0, -18}, {14, 2, -17}};
    assert_int_equal(build(CASE_START "openings:\n" TRUNK LEFT RIGHT "mesh: {cells_per_diameter: 16}\n", &j), OK);
    assert_int_equal(message_warning_count(), before);
    assert_int_equal(lattice_check(&j.lattice), OK);
    assert_int_equal(j.wall.open_edges, 0);
    assert_int_equal(j.wall.n_cap, 3);
    assert_float_equal(j.report.fluid_volume_mm3 / j.wall.volume_mm3, 1, 0.01);
    assert_float_equal(j.lattice.spacing_mm, 2 * 2.5 / 16, 0.01 * 2 * 2.5 / 16);
    for (int k = 0; k < 3; k++) {
        const lattice_opening *o = &j.lattice.opening[k];
        double cosine = 0, length = 0;
        for (int a = 0; a < 3; a++) {
            cosine += o->normal[a] * axis[k][a];
            length += axis[k][a] * axis[k][a];
        }
        assert_true(cosine / sqrt(length) > cos(3 * M_PI / 180)); /* along the vessel, out of it */
        assert_float_equal(o->radius_mm, radius[k], 0.03);
        assert_float_equal(j.placed[k].moved_mm, 0, 1e-12);
    }
    cJSON *result = mesh_result(&j);
    assert_non_null(result);
    assert_float_equal(
        cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(result, "cells_per_diameter"), "right")), 16, 0.2);
    cJSON_Delete(result);
    mesh_free(&j);
}

static void end_of_the_image_and_coarse_cells(void **state) {
    (void)state;
    mesh_job j;
    const int before = message_warning_count();
    /* at the last slice (z 40.8), oblique: moved inwards until whole; 6 cells across: said, 5: refused */
    assert_int_equal(build(CASE_START "openings:\n"
                                      "  - {name: trunk, role: outlet, point: [20, 20, 40.5], normal: [0.3, 0, 1], "
                                      "pressure: 0 mmHg}\n" LEFT RIGHT "mesh: {cells_per_diameter: 6}\n",
                           &j),
                     OK);
    assert_true(j.placed[0].moved_mm > 0.3 && j.placed[0].moved_mm < 4);
    assert_int_equal(warned("'trunk' was moved", before), j.placed[0].moved_mm > j.l.voxel_mm); /* less is a note */
    assert_true(warned("resolution: 6.0 cells per diameter in opening 'right'", before));
    assert_float_equal(j.lattice.opening[0].area_mm2, M_PI * 16 * hypot(1, 0.3), 0.5);
    assert_int_equal(mesh_check_cells(&j), OK);
    mesh_free(&j);
    assert_int_equal(build(CASE_START "openings:\n" TRUNK LEFT RIGHT "mesh: {cells_per_diameter: 5}\n", &j), OK);
    assert_int_equal(mesh_check_cells(&j), ERR_INPUT);
    assert_non_null(strstr(status_message(), "opening 'right' has only 5.0 cells per diameter"));
    assert_non_null(strstr(status_message(), "{spacing: 0.41 mm}")); /* 2 x 2.5 / 12 */
    status_clear();
    mesh_free(&j);
}

static void vessel_without_an_opening_is_told(void **state) {
    (void)state;
    mesh_job j;
    const int before = message_warning_count();
    assert_int_equal(build(CASE_START "openings:\n" LEFT
                                      "  - {name: right, role: outlet, point: [29, 21.5, 11], pressure: 0 mmHg}\n"
                                      "mesh: {spacing: 0.4 mm}\n",
                           &j),
                     OK);
    assert_true(warned("reaches the last slice of the image near LPS 20", before));
    assert_int_equal(j.wall.n_cap, 2);
    mesh_free(&j);
}

static void straight_extension(void **state) {
    (void)state;
    mesh_job j[2];
    const int before = message_warning_count();
    assert_int_equal(build(CASE_START "openings:\n" TRUNK LEFT RIGHT "mesh: {spacing: 0.4 mm}\n", &j[0]), OK);
    assert_int_equal(build(CASE_START "openings:\n"
                                      "  - {name: trunk, role: outlet, point: [20.5, 19, 38], pressure: 0 mmHg, "
                                      "extension: 12 mm}\n" LEFT RIGHT "mesh: {spacing: 0.4 mm}\n",
                           &j[1]),
                     OK);
    assert_int_equal(message_warning_count(), before);
    assert_float_equal(j[1].lattice.opening[0].centre_mm[2], j[0].lattice.opening[0].centre_mm[2] + 12, 0.1);
    assert_float_equal(j[1].report.fluid_volume_mm3 - j[0].report.fluid_volume_mm3, M_PI * 16 * 12,
                       0.01 * M_PI * 16 * 12);
    assert_float_equal(j[1].wall.volume_mm3 - j[0].wall.volume_mm3, M_PI * 16 * 12, 0.01 * M_PI * 16 * 12);
    assert_int_equal(j[1].wall.open_edges, 0);
    mesh_free(&j[0]);
    mesh_free(&j[1]);
}

static void refused(const char *text, int code, const char *words) {
    mesh_job j;
    assert_int_equal(build(text, &j), code);
    if (!strstr(status_message(), words))
        fail_msg("'%s' does not say '%s'", status_message(), words);
    status_clear();
    mesh_free(&j);
}

static void what_cannot_work_is_refused(void **state) {
    (void)state;
    refused(CASE_START "openings:\n" TRUNK LEFT
                       "  - {name: far, role: inlet, point: [38, 4, 30], flow: 0.2 L/min}\nmesh: {spacing: 0.5 mm}\n",
            ERR_INPUT, "'far': its point (38, 4, 30, LPS) is not inside the vessel");
    refused(CASE_START "openings:\n" TRUNK LEFT
                       "  - {name: twin, role: inlet, point: [20, 20.5, 37.9], flow: 0.2 L/min}\n"
                       "mesh: {spacing: 0.5 mm}\n",
            ERR_INPUT, "same cross-section");
    refused(CASE_START "openings:\n" TRUNK LEFT RIGHT "mesh: {spacing: 0.002 mm}\n", ERR_RESOURCE, "spacing");
}

static void shapes_with_openings_on_the_faces(void **state) {
    (void)state;
    mesh_job j;
    const int before = message_warning_count();
    assert_int_equal(build("name: pipe\nspace: LPS\nopenings:\n"
                           "  - {name: in, role: inlet, point: [0, 0, 0], flow: 0.2 L/min}\n"
                           "  - {name: out, role: outlet, point: [0, 0, 12], pressure: 0 mmHg}\n"
                           "mesh: {spacing: 0.4 mm, shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 12], radius: 3 "
                           "mm}, box: {low: [-4, -4, 0], high: [4, 4, 12]}}\n",
                           &j),
                     OK);
    assert_int_equal(message_warning_count(), before);
    assert_int_equal(lattice_check(&j.lattice), OK);
    assert_float_equal(j.report.fluid_volume_mm3, M_PI * 9 * 12, 0.001 * M_PI * 9 * 12);
    assert_float_equal(j.lattice.opening[0].normal[2], -1, 1e-6);
    assert_float_equal(j.lattice.opening[1].normal[2], 1, 1e-6);
    assert_int_equal(j.lattice.dims[2], 30); /* the box that was asked for */
    assert_int_equal(j.wall.n_cap, 2);
    mesh_free(&j);
}

static const char *throat_collision = "trt";

/* Two cones from 6 mm to a throat of 2 mm, at an angle to the grid; the flow in mL/s and what mesh is given. */
static int build_throat(double flow_ml_s, const char *mesh, mesh_job *j) {
    char text[1200];
    snprintf(text, sizeof text,
             "name: throat\nspace: RAS\nblood: {density: 1000 kg/m3, viscosity: 4 mPa s}\nopenings:\n"
             "  - {name: in, role: inlet, point: [-3.36, -4.2, -4.48], normal: [-0.48, -0.6, -0.64], flow: %g mL/s}\n"
             "  - {name: out, role: outlet, point: [3.36, 4.2, 4.48], normal: [0.48, 0.6, 0.64], pressure: 0 mmHg}\n"
             "mesh: {%s shape: {type: tree, segments: [{from: [-4.8, -6, -6.4], to: [0, 0, 0], radius_from: 2.5 mm, "
             "radius_to: 1 mm}, {from: [0, 0, 0], to: [4.8, 6, 6.4], radius_from: 1 mm, radius_to: 2.5 mm}]}, "
             "box: {low: [-8, -9, -9], high: [8, 9, 9]}}\nsolve: {collision: %s}\n",
             flow_ml_s, mesh, throat_collision);
    return build(text, j);
}

static void the_throat_is_what_counts(void **state) {
    (void)state;
    mesh_job j;
    int before = message_warning_count();
    assert_int_equal(build_throat(1, "cells_per_diameter: 12,", &j), OK);
    assert_float_equal(j.lattice.spacing_mm, 2.0 / 12, 0.05 * 2.0 / 12);
    assert_false(warned("cells per diameter at", before));
    const double mean = 1e-6 / (M_PI * 1e-6), dx = 1e-3 * j.lattice.spacing_mm;
    assert_true(j.flow.known && j.flow.narrowest.opening == -1);
    assert_float_equal(j.flow.fastest.velocity_m_s, mean, 0.07 * mean);
    assert_float_equal(j.flow.fastest.reynolds, mean * 2e-3 / 4e-6, 0.07 * mean * 2e-3 / 4e-6);
    assert_float_equal(j.flow.fastest.peak_cell_reynolds, 2 * mean * dx / 4e-6, 0.07 * 2 * mean * dx / 4e-6);
    cJSON *result = mesh_result(&j), *narrowest = cJSON_GetObjectItem(result, "narrowest");
    assert_float_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(narrowest, "diameter_mm")), 2, 0.08);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(narrowest, "opening")));
    assert_non_null(cJSON_GetObjectItem(result, "fastest"));
    cJSON_Delete(result);
    mesh_free(&j);
    /* a spacing that is given stays: 5 across the throat, 15 across the openings */
    before = message_warning_count();
    assert_int_equal(build_throat(2, "spacing: 0.4 mm,", &j), OK);
    assert_float_equal(j.lattice.spacing_mm, 0.4, 1e-12);
    assert_int_equal(mesh_check_cells(&j), OK);
    assert_true(warned("cells per diameter at RAS ", before) && warned("peak cell Reynolds number of", before));
    assert_int_equal(message_warning_count(), before + 1); /* one verdict */
    mesh_free(&j);
}

static void the_flow_chooses_the_spacing(void **state) {
    (void)state;
    mesh_job j;
    int before = message_warning_count();
    assert_int_equal(build_throat(0.2, "", &j), OK); /* slow: 24 across the throat */
    assert_float_equal(j.lattice.spacing_mm, 2.0 / 24, 0.04 * 2.0 / 24);
    assert_int_equal(message_warning_count(), before);
    mesh_free(&j);
    throat_collision = "auto"; /* cumulants: 12 across the throat */
    assert_int_equal(build_throat(0.2, "", &j), OK);
    assert_float_equal(j.lattice.spacing_mm, 2.0 / 12, 0.04 * 2.0 / 12);
    assert_int_equal(j.lattice.directions, LATTICE_D3Q27);
    assert_int_equal(message_warning_count(), before);
    mesh_free(&j);
    throat_collision = "trt";
    assert_int_equal(build_throat(3, "", &j), OK); /* fast: peak cell Reynolds number 35 */
    assert_float_equal(j.flow.fastest.peak_cell_reynolds, 34, 1.7);
    assert_true(j.lattice.spacing_mm < 0.95 * 2.0 / 24);
    assert_int_equal(message_warning_count(), before);
    mesh_free(&j);
    assert_int_equal(build_throat(3, "max_cells: 1e5,", &j), OK); /* fast, but no room */
    assert_true(j.lattice.n_cell < 115000 && j.lattice.n_cell > 85000);
    assert_true(warned("peak cell Reynolds number of", before));
    mesh_free(&j);
    assert_int_equal(build_throat(3, "fast: true,", &j), OK); /* peak cell Reynolds number 60 */
    const double fast_mm = j.lattice.spacing_mm, fast_across = j.flow.narrowest.cells_per_diameter;
    mesh_free(&j);
    /* a fast run is never more work than the run of the file: not finer than the file's lattice */
    fast_spacing_limit_mm = 1.3 * fast_mm;
    assert_int_equal(build_throat(3, "fast: true,", &j), OK);
    assert_float_equal(j.lattice.spacing_mm, 1.3 * fast_mm, 1e-9);
    mesh_free(&j);
    fast_spacing_limit_mm = NAN, fast_cells_limit = fast_across / 1.3;
    assert_int_equal(build_throat(3, "fast: true,", &j), OK);
    assert_float_equal(j.lattice.spacing_mm, 1.3 * fast_mm, 0.05 * fast_mm);
    mesh_free(&j);
    fast_cells_limit = 2 * fast_across;
    assert_int_equal(build_throat(3, "fast: true,", &j), OK);
    assert_float_equal(j.lattice.spacing_mm, fast_mm, 1e-9);
    mesh_free(&j);
    fast_cells_limit = NAN;
    before = message_warning_count();
    assert_int_equal(build_throat(3, "max_cells: 2e4,", &j), OK); /* hardly any: said, not refused */
    assert_int_equal(mesh_check_cells(&j), OK);
    assert_true(warned("cells per diameter at RAS ", before));
    mesh_free(&j);
}

/* A case after a treatment keeps the cells of the case before it: the spacing, unless it is too coarse, and the places
 * of the cells, although the box of the vessel has changed. */
static void the_cells_before_a_treatment_stay(void **state) {
    (void)state;
    char text[1024];
    mesh_job first, j;
    assert_int_equal(build(CASE_START "openings:\n" TRUNK LEFT RIGHT "mesh: {cells_per_diameter: 10}\n", &first), OK);
    const double spacing = first.lattice.spacing_mm, *low = first.low_mm, *high = first.high_mm;
    for (int too_coarse = 0; too_coarse < 2; too_coarse++) {
        const int warnings = message_warning_count();
        /* another box, as if the vessel had been shorter: the cells of that box are those of first shifted */
        snprintf(text, sizeof text,
                 CASE_START "openings:\n" TRUNK LEFT RIGHT "mesh: {cells_per_diameter: %g, before: {spacing: %.12g mm, "
                            "low: [%.12g, %.12g, %.12g], high: [%.12g, %.12g, %.12g]}}\n",
                 too_coarse ? 16. : 11., spacing, low[0] + 1.7, low[1], low[2] + 3.1, high[0] + 1.7, high[1],
                 high[2] + 3.1);
        assert_int_equal(build(text, &j), OK);
        if (too_coarse)
            assert_float_equal(j.lattice.spacing_mm, 2 * 2.5 / 16, 0.01 * 2 * 2.5 / 16);
        else
            assert_float_equal(j.lattice.spacing_mm, spacing, 1e-9);
        for (int a = 0; a < 3 && !too_coarse; a++) {
            const double cells = (j.lattice.origin_mm[a] - first.lattice.origin_mm[a] -
                                  (a == 1 ? 0
                                   : a    ? 3.1
                                          : 1.7)) /
                                 spacing;
            assert_float_equal(cells, round(cells), 1e-6);
        }
        assert_int_equal(warned("before the treatment", warnings), too_coarse);
        assert_int_equal(lattice_check(&j.lattice), OK);
        mesh_free(&j);
    }
    mesh_free(&first);
}

/* A level set of another program (sparse field, cut off at 4 voxels) of a real aorta with its two iliac arteries. */
static void aorta_of_an_mra(void **state) {
    (void)state;
    static const char text[] =
        "name: aorta\nspace: LPS\nimage: {path: i.nii.gz}\nsegment: {method: level-set, seeds: [[-221.5, -150, 23]]}\n"
        "openings:\n"
        "  - {name: aorta, role: inlet, point: [-221.4, -172, 21.7], flow: 0.5 L/min}\n"
        "  - {name: left, role: outlet, point: [-210.8, -104.5, 30.3], pressure: 0 mmHg}\n"
        "  - {name: right, role: outlet, point: [-234.3, -104.5, 28], pressure: 0 mmHg}\n"
        "mesh: {cells_per_diameter: 14}\n";
    const char *path = PORTAFLOW_DATA_DIR "/vmtk_aorta_mra/aorta-final-levelset.mha";
    volume phi = {0};
    mesh_job j = {0};
    if (access(path, R_OK) != 0) {
        printf("skipped: %s is not there\n", path);
        skip();
    }
    assert_int_equal(image_read(path, NULL, &phi), OK);
    assert_int_equal(case_read_text(text, strlen(text), "case.yaml", 0, &j.c), OK);
    j.image = phi;
    j.image.value = NULL;
    const int before = message_warning_count();
    assert_int_equal(mesh_build(&j, &phi), OK);
    mesh_tell(&j);
    assert_int_equal(message_warning_count(), before);
    assert_int_equal(lattice_check(&j.lattice), OK);
    assert_true(j.l.phi.redistanced);
    assert_int_equal(j.wall.n_cap, 3);
    assert_int_equal(j.wall.open_edges, 0);
    assert_float_equal(j.report.fluid_volume_mm3 / j.wall.volume_mm3, 1, 0.01);
    /* VMTK's centreline (aorta-centerline.vtp) over the last 17 mm before the aorta's end, and inwards of the point */
    const double *normal = j.lattice.opening[0].normal,
                 along = 0.011 * normal[0] + 0.998 * normal[1] + 0.054 * normal[2];
    assert_float_equal(fabs(along), 1, 1 - cos(3 * M_PI / 180));
    assert_true(j.lattice.opening[0].centre_mm[1] > -172.2);
    /* the same wall at twice the cells: 10.907 mL */
    assert_float_equal(j.wall.volume_mm3, 10907, 0.01 * 10907);
    assert_float_equal(j.lattice.opening[1].area_mm2, j.lattice.opening[2].area_mm2, 2);
    mesh_free(&j);
    volume_free(&phi);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(confluence_with_three_openings),
                                       cmocka_unit_test(end_of_the_image_and_coarse_cells),
                                       cmocka_unit_test(vessel_without_an_opening_is_told),
                                       cmocka_unit_test(straight_extension),
                                       cmocka_unit_test(a_thin_web_is_resolved),
                                       cmocka_unit_test(what_cannot_work_is_refused),
                                       cmocka_unit_test(shapes_with_openings_on_the_faces),
                                       cmocka_unit_test(the_throat_is_what_counts),
                                       cmocka_unit_test(the_flow_chooses_the_spacing),
                                       cmocka_unit_test(the_cells_before_a_treatment_stay),
                                       cmocka_unit_test(aorta_of_an_mra)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
