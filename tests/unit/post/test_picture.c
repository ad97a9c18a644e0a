/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures: the cut through the middle, the colour bar, and files that hold what they should. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/picture/picture.h"
#include "post/picture/sheet.h"
#include "common/draw/vtk_draw.h"
#include "common/base/file.h"
#include "tests/unit/near.h"
#include "tests/unit/post/post_lattice.h"
#include "tests/unit/temp.h"
#include <png.h>

static void colour_bars_end_at_round_numbers(void **state) {
    static const struct {
        double low, high, nice_low, nice_high;
        int intervals;
    } table[] = {
        {0, 1.42, 0, 1.5, 6},  {0, 0.298, 0, 0.3, 6}, {0.15, 49.1, 0, 50, 5},   {-16.8, 59.7, -20, 60, 4},
        {0, 1000, 0, 1000, 5}, {0, 7e-6, 0, 8e-6, 4}, {-1.81, 49.3, -10, 50, 6}}; /* no more than a sixth is left empty
                                                                                     at either end */
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        double low, high;
        int n;
        picture_range(table[k].low, table[k].high, &low, &high, &n);
        assert_near(low, table[k].nice_low, 1e-12);
        assert_near(high, table[k].nice_high, 1e-9 * table[k].high);
        assert_int_equal(n, table[k].intervals);
    }
    double low, high;
    int n;
    picture_range(3, 3, &low, &high, &n);
    assert_true(high > low && n >= 1);
    (void)state;
}

/* the sheet through a bent tube follows its middle: the ring of a torus lies in its plane, a helix does not */
/* A picture is copied without its page, so its title says that it must not be used. */
static void titles_say_that_a_run_is_unusable(void **state) {
    (void)state;
    solution run = {.converged = true};
    const readouts r = {.solution = &run};
    const picture_input in = {.r = &r};
    char text[PICTURE_TITLE];
    assert_string_equal(picture_title(&in, "Pressure", text), "Pressure");
    run.too_coarse = true;
    assert_string_equal(picture_title(&in, "Pressure", text), "TOO COARSE: do not use. Pressure");
    run.converged = false;
    assert_string_equal(picture_title(&in, "Pressure", text), "NOT CONVERGED: do not use. Pressure");
}

static void sheet_follows_the_vessel(void **state) {
    enum { SEGMENTS = 24 };
    shape_segment part[SEGMENTS];
    for (int k = 0; k < SEGMENTS; k++) { /* a wave in z along x */
        for (int end = 0; end < 2; end++) {
            double x = 60.0 * (k + end) / SEGMENTS - 30, *p = end ? part[k].b : part[k].a;
            p[0] = x;
            p[1] = 0.1 * x;
            p[2] = 5 * sin(x / 8);
        }
        part[k].radius_a = part[k].radius_b = 3;
    }
    shape tree = {.kind = SHAPE_TREE, .n_segment = SEGMENTS, .segment = part};
    double low[3] = {-34, -8, -9}, high[3] = {34, 8, 9};
    lattice l;
    sampler s;
    cut_frame frame;
    surface cut;
    int opening;
    post_lattice_make(&tree, 0.6, low, high, 0, NULL, &l);
    assert_int_equal(sampler_create(&s, &l, NULL), OK);
    assert_int_equal(sheet_fit(&s, &frame), OK);
    assert_int_equal(cut_make(&s, &frame, 0.3, false, 0, &cut, &opening), OK);
    /* a cut through the middle is about as large as length times diameter; one beside it is smaller */
    double length = 0;
    for (int k = 0; k < SEGMENTS; k++)
        length += sqrt(pow(part[k].b[0] - part[k].a[0], 2) + pow(part[k].b[1] - part[k].a[1], 2) +
                       pow(part[k].b[2] - part[k].a[2], 2));
    printf("cut %.1f mm2, length times diameter and round ends %.1f mm2\n", surface_area_mm2(&cut),
           length * 6 + M_PI * 9);
    assert_near(surface_area_mm2(&cut) / (length * 6 + M_PI * 9), 1, 0.08);
    surface_free(&cut);
    cut_frame_free(&frame);
    sampler_free(&s);
    lattice_free(&l);
    (void)state;
}

static void drawing_writes_a_png(void **state) {
    static const post_pipe pipe = {.axis = {0, 0, 1}, .radius_mm = 4, .length_mm = 20};
    surface shape_of_pipe;
    const char *reason;
    post_pipe_surface(&pipe, 24, 0, &shape_of_pipe);
    double *value = malloc((size_t)shape_of_pipe.n_point * sizeof *value);
    for (int64_t k = 0; k < shape_of_pipe.n_point; k++)
        value[k] = k == 0 ? NAN : shape_of_pipe.point_mm[3 * k + 2];
    vtk_draw_picture p = {.shape = &shape_of_pipe,
                          .value = value,
                          .high = 20,
                          .intervals = 4,
                          .bar_title = "mm",
                          .title = "Height",
                          .n_view = 1,
                          .view = {{{0, 1, 0}, {0, 0, 1}, "seen from the front"}}};
    if (!vtk_draw_available(&reason)) {
        printf("skipped: %s\n", reason);
        assert_int_equal(vtk_draw_write_picture(temp_path("a.png"), &p), ERR_RESOURCE);
        status_clear();
    } else {
        char *data = NULL;
        size_t size;
        assert_int_equal(vtk_draw_write_picture(temp_path("a.png"), &p), OK);
        assert_int_equal(file_read(temp_path("a.png"), 10000000, &data, &size), OK);
        assert_true(size > 20000 && memcmp(data, "\x89PNG", 4) == 0); /* a blank page of this size has 6 kB */
        free(data);
        assert_int_equal(vtk_draw_write_picture("/nowhere/a.png", &p), ERR_OUTPUT);
        status_clear();
    }
    free(value);
    surface_free(&shape_of_pipe);
    (void)state;
}

enum { BAR_LEFT = 1200, BAR_RIGHT = 1465, BAR_LOW = 44, BAR_HIGH = 94 }; /* pixels round the scale bar and its text */

/* Where the scale bar stands: grey values. */
static void read_scale_bar(const char *path, unsigned char grey[BAR_HIGH - BAR_LOW][BAR_RIGHT - BAR_LEFT]) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_GRAY;
    unsigned char *all = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, all, 0, NULL));
    for (size_t up = BAR_LOW; up < BAR_HIGH; up++)
        memcpy(grey[up - BAR_LOW], all + (image.height - 1 - up) * image.width + BAR_LEFT, BAR_RIGHT - BAR_LEFT);
    free(all);
}

/* openings in the corners: the name of the one at the scale bar gives way to it */
static void names_keep_off_the_scale_bar(void **state) {
    static const post_pipe pipe = {.axis = {0, 0, 1}, .radius_mm = 4, .length_mm = 20};
    static const double corner[4][3] = {{28.7, 0, -10}, {-28.7, 0, -10}, {28.7, 0, 30}, {-28.7, 0, 30}};
    static const char *const name[2][4] = {{"", "", "", ""}, {"inlet", "inlet", "inlet", "inlet"}};
    static unsigned char grey[2][BAR_HIGH - BAR_LOW][BAR_RIGHT - BAR_LEFT];
    surface s;
    const char *reason;
    post_pipe_surface(&pipe, 24, 0, &s);
    double *value = calloc((size_t)s.n_point, sizeof *value);
    vtk_draw_picture p = {
        .shape = &s, .value = value, .high = 20, .intervals = 4, .bar_title = "mm", .title = "Height"};
    p.n_label = 4, p.label_mm = corner[0];
    p.n_view = 1, p.view[0] = (vtk_draw_view){{0, 1, 0}, {0, 0, 1}, "seen from the front"};
    for (int k = 0; k < 2 && vtk_draw_available(&reason); k++) {
        p.label = name[k];
        assert_int_equal(vtk_draw_write_picture(temp_path("names.png"), &p), OK);
        read_scale_bar(temp_path("names.png"), grey[k]);
        assert_true(grey[k][8][100] < 60); /* the bar is there */
    }
    assert_memory_equal(grey[0], grey[1], sizeof grey[0]);
    free(value);
    surface_free(&s);
    (void)state;
}

/* two rows of three, one panel empty, and a row that is broken because its panels are wide */
static void panels_share_a_page(void **state) {
    static const post_pipe pipe = {.axis = {0, 0, 1}, .radius_mm = 4, .length_mm = 20};
    static const char *const row[] = {"upper", "lower"};
    surface s;
    const char *reason;
    char *data[2] = {NULL, NULL};
    size_t size[2];
    vtk_draw_panel panel[6];
    post_pipe_surface(&pipe, 24, 0, &s);
    double *value = malloc((size_t)s.n_point * sizeof *value);
    for (int64_t k = 0; k < s.n_point; k++)
        value[k] = k == 0 ? NAN : s.point_mm[3 * k + 2];
    for (int k = 0; k < 6; k++)
        panel[k] = (vtk_draw_panel){.shape = k == 4 ? NULL : &s,
                                    .value = value,
                                    .view = {{0, 1, 0}, {0, 0, 1}, ""},
                                    .name = k < 3 ? "above" : NULL};
    vtk_draw_panels p = {.n_row = 2,
                         .n_column = 3,
                         .panel = panel,
                         .row_name = row,
                         .low = -5,
                         .high = 20,
                         .intervals = 5,
                         .lines = 1,
                         .room = 20,
                         .bar_title = "mm",
                         .title = "Height"};
    if (!vtk_draw_available(&reason)) {
        printf("skipped: %s\n", reason);
        assert_int_equal(vtk_draw_write_panels(temp_path("p.png"), &p), ERR_RESOURCE);
    } else {
        for (int k = 0; k < 2; k++) {
            assert_int_equal(vtk_draw_write_panels(temp_path("p.png"), &p), OK);
            assert_int_equal(file_read(temp_path("p.png"), 10000000, &data[k], &size[k]), OK);
            assert_true(size[k] > 20000 && memcmp(data[k], "\x89PNG", 4) == 0);
            p.row_name = NULL;
            p.n_row = 1;
            for (int j = 0; j < 3; j++) /* the pipe lies */
                panel[j].view = (vtk_draw_view){{0, 1, 0}, {1, 0, 0}, ""};
        }
        /* the width as PNG's header has it; the height: beside each other the lying pipes would need 720 pixels */
        assert_memory_equal(data[0] + 16, data[1] + 16, 4);
        assert_true((unsigned char)data[1][22] * 256 + (unsigned char)data[1][23] > 1000);
        assert_int_equal(vtk_draw_write_panels("/nowhere/a.png", &p), ERR_OUTPUT);
    }
    status_clear();
    free(data[0]);
    free(data[1]);
    free(value);
    surface_free(&s);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(titles_say_that_a_run_is_unusable), cmocka_unit_test(colour_bars_end_at_round_numbers),
        cmocka_unit_test(sheet_follows_the_vessel),          cmocka_unit_test(drawing_writes_a_png),
        cmocka_unit_test(names_keep_off_the_scale_bar),      cmocka_unit_test(panels_share_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
