/* SPDX-License-Identifier: Apache-2.0 */
/* `post plot`: the curves that are read, the files that are refused, and a picture that is not empty. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "post/plot.h"
#include "common/draw/vtk_draw.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void test_curves_are_read(void **state) {
    (void)state;
    plot_data d;
    const char *path =
        temp_text("a.csv", "series,style,x,y\nexact,line,0,1\nours,points,0.5,2e-3\nexact,line,1,nan\nexact,line,2,3\n"
                           "\"ours, fine\",points 2,1,1\n\"ours, fine\",points 2,2,1\nlast,line 8,1,1\n");
    assert_int_equal(plot_read(path, &d), OK);
    assert_int_equal(d.n_curve, 4);
    assert_string_equal(d.curve[2].name, "ours, fine");
    assert_true(d.curve[2].points && d.curve[2].colour == 2 && d.curve[2].n == 2 && d.curve[1].colour == 0);
    assert_true(!d.curve[3].points && d.curve[3].colour == 8);
    assert_string_equal(d.curve[0].name, "exact");
    assert_int_equal(d.curve[0].n, 3);
    assert_int_equal(d.curve[0].points, 0);
    assert_true(isnan(d.curve[0].y[1]));
    assert_true(d.curve[0].x[2] == 2 && d.curve[0].y[2] == 3);
    assert_int_equal(d.curve[1].points, 1);
    assert_true(d.curve[1].y[0] == 2e-3);
    plot_free(&d);
}

static void test_bad_files_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {{"", ":1: the first line must be"},
               {"x,y\n1,2\n", ":1: the first line must be"},
               {"series,style,x,y\na,line,1\n", ":2: a row has 4 fields"},
               {"series,style,x,y\na,line,1,2,3\n", ":2: a row has 4 fields"},
               {"series,style,x,y\na,line,1,2\na,dots,1,2\n", ":3: the style 'dots'"},
               {"series,style,x,y\na,line 9,1,2\n", ":2: the style 'line 9'"},
               {"series,style,x,y\n\"a, b,line,1,2\n", ":2: a row has 4 fields"},
               {"series,style,x,y\na,line,1,2x\n", ":2: '2x' is not a number"},
               {"series,style,x,y\na,line,,2\n", "is not a number"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        plot_data d;
        status_clear();
        assert_int_equal(plot_read(temp_text("bad.csv", bad[k].text), &d), ERR_INPUT);
        if (!strstr(status_message(), bad[k].says))
            fail_msg("'%s' does not say '%s'", status_message(), bad[k].says);
    }
}

static int draw(const char *path, const double *y, int logarithmic) {
    static const double x[] = {1, 2, 4};
    const vtk_plot_curve curve[] = {{"a line", 0, 3, x, y}, {"points", 1, 3, x, y}};
    const vtk_plot_settings s = {"Title", "x (mm)", "y (Pa)", logarithmic, logarithmic, 400, 300};
    status_clear();
    return vtk_plot_write(path, &s, 2, curve);
}

static void test_picture(void **state) {
    (void)state;
    const double y[] = {1, 10, 100}, none[] = {NAN, NAN, NAN}, negative[] = {-1, -2, -3};
    const char *path = temp_path("a.png");
    char *bytes = NULL;
    size_t size = 0;
    assert_int_equal(draw(path, y, 1), OK);
    assert_int_equal(file_read(path, 10000000, &bytes, &size), OK);
    assert_memory_equal(bytes, "\x89PNG", 4);
    assert_true(size > 3000); /* an empty one of this size has about 1000 bytes */
    free(bytes);
    assert_int_equal(draw(path, y, 0), OK);
    assert_int_equal(draw(temp_path("b.png"), none, 0), ERR_INPUT);
    assert_int_equal(draw(temp_path("b.png"), negative, 1), ERR_INPUT);
    assert_int_equal(draw("/proc/none/a.png", y, 0), ERR_OUTPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_curves_are_read),
                                       cmocka_unit_test(test_bad_files_are_refused), cmocka_unit_test(test_picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
