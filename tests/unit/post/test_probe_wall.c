/* SPDX-License-Identifier: Apache-2.0 */
/* Wall shear stress at points, from a wall with a stress that is linear in space: the interpolation is then exact. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/probe/probe.h"
#include "common/base/file.h"
#include "common/surface_vtk/vtk_surface.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5 }; /* points along an edge of a square in the plane z = 3 */
static char wall_path[512], points_path[512];

static void stress(const double mm[3], double wss_pa[3]) {
    wss_pa[0] = 1 + 2 * mm[0];
    wss_pa[1] = 3 * mm[1] - mm[0];
    wss_pa[2] = 0.5;
}

static int write_wall(const char *path, const char *name, int components, double scale) {
    surface s;
    double wss_pa[N * N][3];
    assert_int_equal(surface_create(&s, N * N, 2 * (N - 1) * (N - 1)), OK);
    for (int k = 0; k < N * N; k++) {
        const double mm[3] = {k % N, 1.5 * (k / N), 3};
        memcpy(s.point_mm + 3 * k, mm, sizeof mm);
        stress(mm, wss_pa[k]);
        wss_pa[k][2] *= k == N * N - 1 ? scale : 1;
    }
    int32_t *corner = s.triangle;
    for (int j = 0; j < N - 1; j++)
        for (int i = 0; i < N - 1; i++) {
            const int32_t a = N * j + i, cell[6] = {a, a + 1, a + N, a + 1, a + N + 1, a + N};
            memcpy(corner, cell, sizeof cell);
            corner += 6;
        }
    const surface_array array = {name, components, wss_pa[0]};
    const int rc = surface_write(path, &s, 1, &array);
    surface_free(&s);
    return rc;
}

static int make_files(void **state) {
    (void)state;
    snprintf(wall_path, sizeof wall_path, "%s", temp_path("wall.vtp"));
    snprintf(points_path, sizeof points_path, "%s", temp_path("points.csv"));
    return write_wall(wall_path, "wss_vector_pa", 3, NAN); /* the last corner has no value */
}

static int probe(const char *path, const char *text, enum probe_frame frame, char *out, size_t size) {
    char *buffer = NULL;
    size_t n = 0;
    assert_int_equal(file_write(points_path, text, strlen(text)), OK);
    FILE *to = open_memstream(&buffer, &n);
    const int rc = probe_wall_write(path, points_path, frame, to);
    fclose(to);
    snprintf(out, size, "%s", buffer);
    free(buffer);
    return rc;
}

/* A row's eight numbers behind the head. */
static void first_row(const char *out, double row[8]) {
    const char *line = strchr(out, '\n');
    assert_non_null(line);
    assert_int_equal(sscanf(line + 1, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", row, row + 1, row + 2, row + 3, row + 4,
                            row + 5, row + 6, row + 7),
                     8);
}

static void a_linear_stress_is_exact(void **state) {
    const double point[4][3] = {{0.2, 0.3, 3}, {0.9, 1.4, 3.2}, {2.5, 0, 2.9}, {1, 1.5, 3}};
    char out[1024], text[128];
    double row[8], exact[3];
    (void)state;
    for (int k = 0; k < 4; k++) {
        snprintf(text, sizeof text, "x,y,z\n%g,%g,%g\n", point[k][0], point[k][1], point[k][2]);
        assert_int_equal(probe(wall_path, text, PROBE_LPS, out, sizeof out), OK);
        first_row(out, row);
        stress(point[k], exact);
        assert_true(fabs(row[3] - fabs(point[k][2] - 3)) < 1e-6);
        for (int a = 0; a < 3; a++)
            assert_true(fabs(row[4 + a] - exact[a]) < 1e-5);
        assert_true(fabs(row[7] - sqrt(exact[0] * exact[0] + exact[1] * exact[1] + exact[2] * exact[2])) < 1e-5);
    }
}

static void beside_the_wall_its_edge_counts(void **state) {
    char out[1024];
    double row[8];
    (void)state;
    assert_int_equal(probe(wall_path, "-3,0.5,7\n", PROBE_LPS, out, sizeof out), OK);
    first_row(out, row);
    assert_true(fabs(row[3] - 5) < 1e-6);
    const double edge[3] = {0, 0.5, 3};
    double exact[3];
    stress(edge, exact);
    assert_true(fabs(row[4] - exact[0]) < 1e-5 && fabs(row[5] - exact[1]) < 1e-5);
}

/* A wall in waves whose stress is the place: what is found is the foot point, as far away as is said. */
static void the_nearest_triangle_is_taken(void **state) {
    enum { M = 30 };
    static double place[M * M][3];
    surface s;
    char out[1024], text[128];
    double row[8];
    (void)state;
    assert_int_equal(surface_create(&s, M * M, 2 * (M - 1) * (M - 1)), OK);
    for (int k = 0; k < M * M; k++) {
        const double x = 0.3 * (k % M), y = 0.3 * (k / M);
        place[k][0] = x, place[k][1] = y, place[k][2] = sin(2 * x) + cos(1.5 * y);
    }
    memcpy(s.point_mm, place, sizeof place);
    int32_t *corner = s.triangle;
    for (int j = 0; j < M - 1; j++)
        for (int i = 0; i < M - 1; i++, corner += 6) {
            const int32_t a = M * j + i, cell[6] = {a, a + 1, a + M, a + 1, a + M + 1, a + M};
            memcpy(corner, cell, sizeof cell);
        }
    const surface_array array = {"wss_vector_pa", 3, place[0]};
    const char *path = temp_path("waves.vtp");
    assert_int_equal(surface_write(path, &s, 1, &array), OK);
    surface_free(&s);
    for (int k = 0; k < 100; k++) {
        const double point[3] = {0.9 * (k % 10) + 0.13, 0.8 * (k / 10) + 0.21, k % 3 - 1.0};
        snprintf(text, sizeof text, "%g,%g,%g\n", point[0], point[1], point[2]);
        assert_int_equal(probe(path, text, PROBE_LPS, out, sizeof out), OK);
        first_row(out, row);
        assert_true(fabs(hypot(hypot(row[4] - point[0], row[5] - point[1]), row[6] - point[2]) - row[3]) < 1e-4);
    }
}

static void ras_turns_points_and_stress(void **state) {
    char lps[1024], ras[1024];
    double a[8], b[8];
    (void)state;
    assert_int_equal(probe(wall_path, "1.2,2.3,3\n", PROBE_LPS, lps, sizeof lps), OK);
    assert_int_equal(probe(wall_path, "-1.2,-2.3,3\n", PROBE_RAS, ras, sizeof ras), OK);
    first_row(lps, a);
    first_row(ras, b);
    for (int k = 0; k < 8; k++)
        assert_true(fabs(b[k] - (k == 0 || k == 1 || k == 4 || k == 5 ? -1 : 1) * a[k]) < 1e-9);
}

static void no_value_is_empty(void **state) {
    char out[1024];
    (void)state;
    assert_int_equal(probe(wall_path, "3.9,5.9,5\n", PROBE_LPS, out, sizeof out), OK);
    assert_non_null(strstr(out, "\n3.9,5.9,5,2,,,,,unknown\n"));
}

static void refuse(const char *path, const char *sentence) {
    char out[256];
    assert_int_equal(probe(path, "1,2,3\n", PROBE_LPS, out, sizeof out), ERR_INPUT);
    if (!strstr(status_message(), sentence))
        fail_msg("'%s' lacks '%s'", status_message(), sentence);
    assert_string_equal(out, "");
    status_clear();
}

static void other_files_are_refused(void **state) {
    char path[512];
    (void)state;
    refuse(points_path, "does not end in .vtp");
    refuse("/nowhere/wall.vtp", "cannot open");
    snprintf(path, sizeof path, "%s", temp_path("other.vtp"));
    assert_int_equal(write_wall(path, "velocity", 3, 1), OK);
    refuse(path, "has no point data 'wss_vector_pa' with 3 components");
    assert_int_equal(write_wall(path, "wss_vector_pa", 1, 1), OK);
    refuse(path, "has no point data 'wss_vector_pa' with 3 components");
    assert_int_equal(file_write(path, "<VTKFile type=\"PolyData\">", 25), OK);
    refuse(path, "does not end with </VTKFile>");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_stress_is_exact),
        cmocka_unit_test(beside_the_wall_its_edge_counts),
        cmocka_unit_test(the_nearest_triangle_is_taken),
        cmocka_unit_test(ras_turns_points_and_stress),
        cmocka_unit_test(no_value_is_empty),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, make_files, NULL);
}
