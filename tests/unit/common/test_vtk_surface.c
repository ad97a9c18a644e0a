/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces: files read back what was written, level set and surface are each other's inverse, bad files are refused. */
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include "tests/unit/fill.h"
#include "tests/unit/temp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

typedef struct {
    const double *centre;
    double radius;
} ball;

static double ball_distance(const void *data, const double p[3]) {
    const ball *b = data;
    return sqrt(pow(p[0] - b->centre[0], 2) + pow(p[1] - b->centre[1], 2) + pow(p[2] - b->centre[2], 2)) - b->radius;
}

static void fill_sphere(volume *v, double radius, const double centre[3]) {
    const ball b = {centre, radius};
    fill_volume(v, ball_distance, &b);
}

static void make_oblique(volume *v) {
    const double c = cos(0.4), s = sin(0.4);
    const double direction[9] = {c, s, 0, s, -c, 0, 0, 0, 1}; /* determinant -1 */
    assert_int_equal(volume_create(v, (const int[3]){40, 36, 30}, (const double[3]){0.5, 0.6, 0.8},
                                   (const double[3]){-20, 5, 40}, direction),
                     OK);
}

static void middle(const volume *v, double p[3]) {
    volume_to_lps(v, (const double[3]){(v->dims[0] - 1) / 2.0, (v->dims[1] - 1) / 2.0, (v->dims[2] - 1) / 2.0}, p);
}

/* Arrays that fill the compressor's blocks of 32768 bytes to the last byte: 4096 points. */
static void whole_blocks_are_whole(void **state) {
    (void)state;
    enum { SIDE = 64 };
    surface s, back;
    assert_int_equal(surface_create(&s, SIDE * SIDE, 2 * (SIDE - 1) * (SIDE - 1)), OK);
    for (int k = 0; k < SIDE * SIDE; k++)
        for (int a = 0; a < 3; a++)
            s.point_mm[3 * k + a] = a == 0 ? k % SIDE : a == 1 ? k / SIDE : sin(0.1 * k);
    for (int k = 0; k < (SIDE - 1) * (SIDE - 1); k++) {
        const int at = k / (SIDE - 1) * SIDE + k % (SIDE - 1);
        const int32_t corner[6] = {at, at + 1, at + SIDE, at + 1, at + SIDE + 1, at + SIDE};
        memcpy(s.triangle + 6 * k, corner, sizeof corner);
    }
    assert_int_equal(surface_write(temp_path("blocks.vtp"), &s, 0, NULL), OK);
    if (surface_read(temp_path("blocks.vtp"), 1, 0, &back) != OK)
        fail_msg("%s", status_message());
    assert_int_equal(back.n_point, s.n_point);
    assert_int_equal(back.n_triangle, s.n_triangle);
    surface_free(&back);
    surface_free(&s);
}

static void closed_outward_surface_of_a_level_set(void **state) {
    (void)state;
    volume v;
    surface s;
    double centre[3];
    make_oblique(&v);
    middle(&v, centre);
    fill_sphere(&v, 7, centre);
    assert_int_equal(surface_from_phi(&v, &s), OK);
    assert_int_equal(surface_open_edges(&s), 0);
    assert_float_equal(surface_volume_mm3(&s), 4.0 / 3 * M_PI * 343, 0.01 * 4.0 / 3 * M_PI * 343);
    assert_float_equal(surface_area_mm2(&s), 4 * M_PI * 49, 0.01 * 4 * M_PI * 49);
    for (int64_t i = 0; i < s.n_point; i++) {
        const double *p = s.point_mm + 3 * i;
        const double r = sqrt(pow(p[0] - centre[0], 2) + pow(p[1] - centre[1], 2) + pow(p[2] - centre[2], 2));
        assert_float_equal(r, 7, 0.03);
    }
    surface_free(&s);
    fill_sphere(&v, 30, centre); /* fills the image: closed on its outer faces */
    assert_int_equal(surface_from_phi(&v, &s), OK);
    assert_int_equal(surface_open_edges(&s), 0);
    assert_float_equal(surface_volume_mm3(&s), 40 * 0.5 * 36 * 0.6 * 30 * 0.8, 0.03 * 40 * 0.5 * 36 * 0.6 * 30 * 0.8);
    surface_free(&s);
    fill_sphere(&v, -1, centre);
    assert_int_equal(surface_from_phi(&v, &s), OK);
    assert_int_equal(s.n_triangle, 0);
    surface_free(&s);
    volume_free(&v);
}

static bool part_of_volume(const void *data, const int low[3], const int n[3], float *value) {
    const volume *v = data;
    bool crossed = false;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++, value++) {
                *value = v->value[volume_index(v, low[0] + i, low[1] + j, low[2] + k)];
                crossed = crossed || (*value < 0) != (v->value[volume_index(v, low[0], low[1], low[2])] < 0);
            }
    return crossed;
}

/* Block by block it is the same surface; a sphere within the grid, and one that leaves it. */
static void surface_in_blocks(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double radius[3] = {7, 14, 60};
        volume v, big;
        surface s, t;
        double centre[3];
        make_oblique(&v);
        middle(&v, centre);
        assert_int_equal(volume_create(&big, (const int[3]){2 * v.dims[0], 2 * v.dims[1] + 3, 2 * v.dims[2] + 1},
                                       v.spacing_mm, v.origin_mm, v.direction),
                         OK);
        fill_sphere(&big, radius[k], centre);
        assert_int_equal(surface_from_phi(&big, &s), OK);
        assert_int_equal(surface_from_blocks(&big, part_of_volume, &big, &t), OK);
        assert_int_equal(surface_open_edges(&t), 0);
        assert_true(t.n_triangle > 0);
        assert_int_equal(t.n_point, s.n_point);
        assert_int_equal(t.n_triangle, s.n_triangle);
        assert_float_equal(surface_volume_mm3(&t), surface_volume_mm3(&s), 1e-9 * surface_volume_mm3(&s));
        assert_float_equal(surface_area_mm2(&t), surface_area_mm2(&s), 1e-9 * surface_area_mm2(&s));
        surface_free(&s);
        surface_free(&t);
        volume_free(&v);
        volume_free(&big);
    }
}

static void distance_to_a_surface(void **state) {
    (void)state;
    volume v, back;
    surface s;
    double centre[3];
    make_oblique(&v);
    middle(&v, centre);
    fill_sphere(&v, 7, centre);
    assert_int_equal(surface_from_phi(&v, &s), OK);
    assert_int_equal(volume_create_like(&back, &v), OK);
    assert_int_equal(surface_to_phi(&s, 2.0, &back), OK);
    for (size_t i = 0; i < volume_size(&v); i++) {
        if (fabsf(v.value[i]) < 1.9f)
            assert_float_equal(back.value[i], v.value[i], 0.03);
        else
            assert_true(fabsf(back.value[i]) >= 1.8f && (back.value[i] < 0) == (v.value[i] < 0));
    }
    /* one triangle taken away must not flood the rest */
    s.n_triangle--;
    assert_int_equal(surface_to_phi(&s, 2.0, &back), OK);
    for (size_t i = 0; i < volume_size(&v); i++)
        if (fabsf(v.value[i]) > 0.3f)
            assert_true((back.value[i] < 0) == (v.value[i] < 0));
    surface_free(&s);
    volume_free(&v);
    volume_free(&back);
}

static void files_read_back(void **state) {
    (void)state;
    volume v;
    surface s, back;
    double centre[3];
    make_oblique(&v);
    middle(&v, centre);
    fill_sphere(&v, 7, centre);
    assert_int_equal(surface_from_phi(&v, &s), OK);
    const char *const ending[] = {"stl", "vtp", "ply"};
    for (int e = 0; e < 3; e++) {
        char name[16];
        snprintf(name, sizeof name, "s.%s", ending[e]);
        const char *path = temp_path(name);
        assert_int_equal(surface_write(path, &s, 0, NULL), OK);
        assert_int_equal(surface_read(path, 1, 0, &back), OK);
        assert_int_equal(back.n_triangle, s.n_triangle);
        assert_int_equal(surface_open_edges(&back), 0);
        assert_float_equal(surface_volume_mm3(&back), surface_volume_mm3(&s), 1e-3);
        surface_free(&back);
        assert_int_equal(surface_read(path, 10, 1, &back), OK); /* cm, RAS */
        double low[3], high[3], low_back[3], high_back[3];
        surface_bounds(&s, low, high);
        surface_bounds(&back, low_back, high_back);
        assert_float_equal(low_back[0], -10 * high[0], 1e-3);
        assert_float_equal(high_back[1], -10 * low[1], 1e-3);
        assert_float_equal(high_back[2], 10 * high[2], 1e-3);
        assert_true(surface_volume_mm3(&back) > 0);
        surface_free(&back);
    }
    double *value = calloc((size_t)s.n_point, sizeof(double));
    const surface_array array = {"wss_pa", 1, value};
    assert_int_equal(surface_write(temp_path("s.stl"), &s, 1, &array), ERR_OUTPUT);
    status_clear();
    assert_int_equal(surface_write(temp_path("no-such-folder/x.vtp"), &s, 1, &array), ERR_OUTPUT);
    status_clear();
    free(value);
    surface_free(&s);
    volume_free(&v);
}

static void inside_out_is_turned(void **state) {
    (void)state;
    /* a tetrahedron, wound inwards, one face the other way round */
    temp_text("turned.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                            "property float z\nelement face 4\nproperty list uchar int vertex_indices\n"
                            "end_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 3 1\n3 3 2 0\n3 1 3 2\n");
    surface s;
    assert_int_equal(surface_read(temp_path("turned.ply"), 1, 0, &s), OK);
    assert_float_equal(surface_volume_mm3(&s), 1.0 / 6, 1e-9);
    surface_free(&s);
}

static void bad_files_are_refused(void **state) {
    (void)state;
    static const char *const text[] = {"",
                                       "solid x\n",
                                       "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n",
                                       "ply\nformat ascii 1.0\n",
                                       "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"9\"",
                                       "# vtk DataFile Version 3.0\nx\nASCII\n"};
    static const char *const name[] = {"bad0.stl", "bad1.stl", "bad2.stl", "bad3.ply", "bad4.vtp", "bad5.vtk"};
    surface s;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(surface_read(temp_text(name[i], text[i]), 1, 0, &s), ERR_INPUT);
        if (strstr(status_message(), name[i]) == NULL)
            print_message("%s: '%s'\n", name[i], status_message());
        assert_non_null(strstr(status_message(), name[i]));
        assert_null(s.point_mm);
        status_clear();
    }
    temp_text("bad6.vtp", "<VTKFile type=\"PolyData\" version=\"0.1\"><PolyData><Piece NumberOfPoints=\"3\" "
                          "NumberOfPolys=\"1\"><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
                          "format=\"ascii\">0 0 0 1 0 0 0 1 0</DataArray></Points><Polys><DataArray type=\"Int32\" "
                          "Name=\"connectivity\" format=\"ascii\">0 1 99999999</DataArray><DataArray type=\"Int32\" "
                          "Name=\"offsets\" format=\"ascii\">3</DataArray></Polys></Piece></PolyData>\n</VTKFile>\n");
    assert_int_equal(surface_read(temp_path("bad6.vtp"), 1, 0, &s), ERR_INPUT);
    status_clear();
    assert_int_equal(surface_read(temp_path("no-such-file.stl"), 1, 0, &s), ERR_INPUT);
    status_clear();
    assert_int_equal(surface_read("image.png", 1, 0, &s), ERR_INPUT);
    status_clear();
}

/* Points that are no place, and values that are not there. */
static void bad_points_and_values_are_refused(void **state) {
    (void)state;
    static const char *const x[][2] = {{"nan", "is not a finite number"}, {"1e30", "has a coordinate of 1e+30"}};
    static const char triangle[] =
        "facet normal 0 0 1\nouter loop\nvertex %s 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
        "endfacet\n";
    static const char vtp[] =
        "<VTKFile type=\"PolyData\" version=\"0.1\"><PolyData><Piece NumberOfPoints=\"3\" NumberOfPolys=\"1\"><Points>"
        "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0</DataArray></Points>"
        "<Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2</DataArray><DataArray "
        "type=\"Int32\" Name=\"offsets\" format=\"ascii\">3</DataArray></Polys></Piece></PolyData>\n</VTKFile>\n";
    char text[600];
    double *value = NULL;
    surface s;
    for (int k = 0; k < 2; k++) {
        size_t n = (size_t)snprintf(text, sizeof text, "solid x\n");
        n += (size_t)snprintf(text + n, sizeof text - n, triangle, x[k][0]);
        snprintf(text + n, sizeof text - n, "endsolid x\n");
        status_clear();
        assert_int_equal(surface_read(temp_text("points.stl", text), 1, 0, &s), ERR_INPUT);
        if (strstr(status_message(), x[k][1]) == NULL)
            fail_msg("'%s' lacks '%s'", status_message(), x[k][1]);
    }
    const char *const path[][2] = {{temp_text("points.stl", text), "does not end in .vtp"},
                                   {temp_text("plain.vtp", vtp), "has no point data 'wss' with"},
                                   {temp_path("folder.vtp"), "is not a file"}};
    assert_int_equal(mkdir(path[2][0], 0700), 0);
    for (int k = 0; k < 3; k++) {
        status_clear();
        assert_int_equal(surface_read_array(path[k][0], "wss", 3, &s, &value), ERR_INPUT);
        if (strstr(status_message(), path[k][1]) == NULL)
            fail_msg("'%s' lacks '%s'", status_message(), path[k][1]);
        assert_null(value);
    }
    status_clear();
}

/* The frame in the field data: as we and 3D Slicer write it, in a VTP and in a legacy file; none of a damaged one. */
static void frame_of_field_data(void **state) {
    (void)state;
    const int RAS = 7, LPS = 8;
    surface s = {0};
    assert_int_equal(surface_create(&s, 4, 4), OK);
    static const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int32_t triangle[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    memcpy(s.point_mm, corner, sizeof corner);
    memcpy(s.triangle, triangle, sizeof triangle);
    assert_int_equal(surface_write(temp_path("a.vtp"), &s, 0, NULL), OK);
    assert_int_equal(surface_read_frame(temp_path("a.vtp"), RAS, LPS), LPS);
    surface_free(&s);
    temp_text("b.vtk",
              "# vtk DataFile Version 4.2\nx\nASCII\nDATASET POLYDATA\nFIELD FieldData 1\nSPACE 1 1 string\nRAS\n"
              "POINTS 3 float\n0 0 0 1 0 0 0 1 0\nPOLYGONS 1 4\n3 0 1 2\n");
    assert_int_equal(surface_read_frame(temp_path("b.vtk"), RAS, LPS), RAS);
    temp_text("c.vtk", "# vtk DataFile Version 4.2\nx\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n");
    assert_int_equal(surface_read_frame(temp_path("c.vtk"), RAS, LPS), -1);
    temp_text("d.vtp", "<VTKFile");
    assert_int_equal(surface_read_frame(temp_path("d.vtp"), RAS, LPS), -1);
    assert_int_equal(surface_read_frame(temp_path("nowhere.vtp"), RAS, LPS), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(frame_of_field_data),
                                       cmocka_unit_test(whole_blocks_are_whole),
                                       cmocka_unit_test(closed_outward_surface_of_a_level_set),
                                       cmocka_unit_test(surface_in_blocks),
                                       cmocka_unit_test(distance_to_a_surface),
                                       cmocka_unit_test(files_read_back),
                                       cmocka_unit_test(inside_out_is_turned),
                                       cmocka_unit_test(bad_files_are_refused),
                                       cmocka_unit_test(bad_points_and_values_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
