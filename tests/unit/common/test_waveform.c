/* SPDX-License-Identifier: Apache-2.0 */
/* The periodic spline, and what a waveform file may hold. */
#include "common/base/status.h"
#include "common/waveform/waveform.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static double exact(double t, double period) {
    return 2e-5 + 1e-5 * sin(2 * M_PI * t / period) + 0.5e-5 * cos(4 * M_PI * t / period);
}

/* Largest error of the spline through n samples; unequal steps when `uneven`. */
static double spline_error(int n, int uneven) {
    const double period = 0.8;
    double time[200], flow[200], worst = 0;
    waveform w;
    for (int k = 0; k < n; k++) {
        time[k] = period * (k + (uneven ? 0.3 * sin(2 * M_PI * k / n) * n / (2 * M_PI) : 0)) / n;
        flow[k] = exact(time[k], period);
    }
    assert_int_equal(waveform_create(&w, n, time, flow, period), OK);
    for (int k = 0; k < 2000; k++) {
        double t = period * k / 2000;
        worst = fmax(worst, fabs(waveform_flow_m3_s(&w, t) - exact(t, period)));
    }
    assert_true(fabs(waveform_mean_m3_s(&w) - 2e-5) < worst + 1e-18);
    assert_true(fabs(waveform_peak_m3_s(&w) - 2.75e-5) < 1e-7);
    assert_true(fabs(waveform_square_ratio(&w) - 1.15625) < worst / 1e-5); /* 1 + (1/2 + 1/8) / 4 */
    waveform_free(&w);
    return worst / 1e-5;
}

static void test_order(void **state) {
    (void)state;
    for (int uneven = 0; uneven < 2; uneven++) {
        double coarse = spline_error(40, uneven), fine = spline_error(80, uneven);
        assert_true(fine < 2e-5);
        assert_true(log2(coarse / fine) > 3.8); /* h^4 */
    }
}

/* The spline closes with two continuous derivatives, and repeats for ever and back. */
static void test_periodic(void **state) {
    (void)state;
    const double time[5] = {0, 0.1, 0.35, 0.5, 0.9}, flow[5] = {1, 4, -2, 0.5, 3};
    waveform w;
    assert_int_equal(waveform_create(&w, 5, time, flow, 1.2), OK);
    for (int k = 0; k < 5; k++) {
        assert_true(fabs(waveform_flow_m3_s(&w, time[k]) - flow[k]) < 1e-12);
        assert_true(fabs(waveform_flow_m3_s(&w, time[k] + 12) - flow[k]) < 1e-9);
        assert_true(fabs(waveform_flow_m3_s(&w, time[k] - 2.4) - flow[k]) < 1e-9);
    }
    const double h = 1e-4, knots[3] = {0, 0.35, 0.9};
    for (int k = 0; k < 3; k++) {
        double t = knots[k], f0 = waveform_flow_m3_s(&w, t);
        double f1 = waveform_flow_m3_s(&w, t + h), f2 = waveform_flow_m3_s(&w, t + 2 * h),
               f3 = waveform_flow_m3_s(&w, t + 3 * h);
        double b1 = waveform_flow_m3_s(&w, t - h), b2 = waveform_flow_m3_s(&w, t - 2 * h),
               b3 = waveform_flow_m3_s(&w, t - 3 * h);
        double right = (-11 * f0 + 18 * f1 - 9 * f2 + 2 * f3) / (6 * h); /* one-sided, exact for a cubic */
        double left = (11 * f0 - 18 * b1 + 9 * b2 - 2 * b3) / (6 * h);
        assert_true(fabs(right - left) < 1e-6);
        double right2 = (2 * f0 - 5 * f1 + 4 * f2 - f3) / (h * h), left2 = (2 * f0 - 5 * b1 + 4 * b2 - b3) / (h * h);
        assert_true(fabs(right2 - left2) < 1e-3);
    }
    /* the mean is the integral: Simpson's rule is exact for the cubic pieces */
    double sum = 0;
    for (int k = 0; k < 5; k++) {
        double a = time[k], b = k < 4 ? time[k + 1] : 1.2;
        sum += (b - a) / 6 * (waveform_flow_m3_s(&w, a) + 4 * waveform_flow_m3_s(&w, (a + b) / 2) + flow[(k + 1) % 5]);
    }
    assert_true(fabs(waveform_mean_m3_s(&w) - sum / 1.2) < 1e-12);
    waveform_free(&w);
    waveform_free(&w);
}

/* Two knots: both neighbours of a knot are the other one. 3 t^2 - 2 t^3 in one half, back in the other. */
static void test_two_knots(void **state) {
    (void)state;
    const double time[2] = {0, 1}, flow[2] = {0, 1};
    waveform w;
    assert_int_equal(waveform_create(&w, 2, time, flow, 2), OK);
    for (int k = 0; k <= 10; k++) {
        double t = k / 10.0;
        assert_true(fabs(waveform_flow_m3_s(&w, t) - t * t * (3 - 2 * t)) < 1e-12);
        assert_true(fabs(waveform_flow_m3_s(&w, 2 - t) - t * t * (3 - 2 * t)) < 1e-12);
    }
    waveform_free(&w);
}

/* What goes to and fro has no mean, whatever rounding leaves of it. */
static void test_no_mean(void **state) {
    (void)state;
    double time[40], flow[40];
    waveform w;
    for (int k = 0; k < 40; k++) {
        time[k] = k / 40.0;
        flow[k] = round(3e6 * sin(2 * M_PI * time[k] + 0.1)) * 1e-12;
    }
    assert_int_equal(waveform_create(&w, 40, time, flow, 1), OK);
    assert_true(waveform_mean_m3_s(&w) == 0);
    waveform_free(&w);
}

static void test_read(void **state) {
    (void)state;
    waveform w;
    assert_int_equal(waveform_read(temp_text("open.csv", "t_s,flow_ml_s\n0,10\n0.2,20\n0.4,15\n0.6,12\n"), &w), OK);
    assert_int_equal(w.n, 4);
    assert_true(fabs(w.period_s - 0.8) < 1e-12);
    assert_true(fabs(waveform_flow_m3_s(&w, 0.2) - 20e-6) < 1e-18);
    waveform_free(&w);
    const char *closed = "\xef\xbb\xbf# a comment\r\n t_s , flow_ml_s \r\n0,10\r\n\r\n0.25, 20\r\n 0.5,15\r\n1,10\r\n";
    assert_int_equal(waveform_read(temp_text("closed.csv", closed), &w), OK);
    assert_int_equal(w.n, 3);
    assert_true(w.period_s == 1);
    waveform_free(&w);
    /* without an end of the last line: as many decimals as all others, or the first flow again */
    assert_int_equal(waveform_read(temp_text("join.csv", "t_s,flow_ml_s\n0,1.50\n0.5,2.25\n1,3.10"), &w), OK);
    assert_int_equal(w.n, 3);
    waveform_free(&w);
    assert_int_equal(waveform_read(temp_text("again.csv", "t_s,flow_ml_s\n0,10\n0.5,20.5\n0.7,15\n1,10"), &w), OK);
    assert_true(w.n == 3 && w.period_s == 1);
    waveform_free(&w);
    assert_int_equal(waveform_read(temp_text("said.csv", "# rows: 3\nt_s,flow_ml_s\n0,5\n1,5\n2,5\n"), &w), OK);
    waveform_free(&w);
    assert_int_equal(waveform_read(temp_text("flat.csv", "t_s,flow_ml_s\n0,5\n1,5\n2,5\n"), &w), OK);
    assert_true(fabs(waveform_mean_m3_s(&w) - 5e-6) < 1e-18 && w.period_s == 2);
    waveform_free(&w);
    /* rounding is no contradiction: a fourth of the interval, and near a mean of 0 the digits of the rows */
    assert_int_equal(
        waveform_read(temp_text("stated.csv", "# mean flow 4.1 mL/s, 95 % interval +- 0.4 mL/s\nt_s,flow_ml_s\n0,4.18"
                                              "\n1,4.18\n2,4.18\n"),
                      &w),
        OK);
    assert_false(w.wrong_mean);
    waveform_free(&w);
    /* the stated interval holds if the stated mean is that of the rows, to 1 % */
    static const char *const stated[] = {"5", "5.049", "4.951", "5.051", "4.949", "0"};
    for (int k = 0; k < 6; k++) {
        char text[200];
        snprintf(text, sizeof text, "# mean flow %s mL/s, 95 %% interval +- 0.2 mL/s\nt_s,flow_ml_s\n0,5\n1,5\n2,5\n",
                 stated[k]);
        assert_int_equal(waveform_read(temp_text("stated.csv", text), &w), OK);
        assert_true(fabs(w.mean_error_m3_s - (k < 3 ? 0.2e-6 : 0)) < 1e-18);
        assert_true(w.wrong_mean == (k >= 3));
        waveform_free(&w);
    }
}

static void refuse(const char *text, size_t size, const char *words) {
    waveform w;
    status_clear();
    assert_int_equal(waveform_read(temp_write("bad.csv", text, size), &w), ERR_INPUT);
    assert_null(w.time_s);
    if (!strstr(status_message(), words))
        fail_msg("\"%s\" has no \"%s\"", status_message(), words);
    status_clear();
}

#define REFUSE(text, words) refuse(text, sizeof(text) - 1, words)

static void test_refused(void **state) {
    (void)state;
    waveform w;
    REFUSE("", "at least 3 rows");
    REFUSE("t,flow\n0,1\n", "bad.csv:1: the first line must be the header");
    REFUSE("t_s;flow_ml_s\n0;1\n", "header");
    REFUSE("t_s,flow_ml_s\n0,1\n1,2\n2,30", "bad.csv:4: the last line has no line break");
    REFUSE("t_s,flow_ml_s\n0,1.50\n1,2.25\n2,3.1", "bad.csv:4: the last line has no line break");
    REFUSE("t_s,flow_ml_s\n0,1.5\n1,2.25\n2,3.1", "bad.csv:4: the last line has no line break");
    REFUSE("t_s,flow_ml_s", "bad.csv:1: the last line has no line break");
    REFUSE("t_s,flow_ml_s\n0,1\n1,2\n", "this one has 2");
    REFUSE("t_s,flow_ml_s\n0,1\n0.1,2\n0.2,3\n0.3,2\n0.9,1.2\n",
           "its last time step is 0.6 s, the others are about 0.1 s");
    REFUSE("t_s,flow_ml_s\n0,1\n0.4,2\n0.8,3\n1.2,2\n1.25,1.2\n", "its last time step is 0.05 s");
    REFUSE("# rows: 4\nt_s,flow_ml_s\n0,1\n1,2\n2,3\n", "states 4 rows, but it has 3");
    REFUSE("# rows: 2\nt_s,flow_ml_s\n0,1\n1,2\n2,3\n", "states 2 rows, but it has 3");
    REFUSE("t_s,flow_ml_s\n0,1\n1,2\n1,3\n", "bad.csv:4: t_s is 1, it must be above the previous value, 1");
    REFUSE("t_s,flow_ml_s\n0.1,1\n1,2\n2,3\n", "bad.csv:2: t_s is 0.1, the first must be 0");
    REFUSE("t_s,flow_ml_s\n0,1\n1,2abc\n2,3\n", "bad.csv:3: '2abc' is not a number");
    REFUSE("t_s,flow_ml_s\n0,1\n1,nan\n2,3\n", "bad.csv:3");
    REFUSE("t_s,flow_ml_s\n0,1\n1,1e999\n2,3\n", "bad.csv:3");
    REFUSE("t_s,flow_ml_s\n0,1\n1,2,3\n2,3\n", "bad.csv:3: two numbers");
    REFUSE("t_s,flow_ml_s\n0,1\n0,5,1\n", "bad.csv:3");
    REFUSE("t_s,flow_ml_s\n0,1\n1\n2,3\n", "bad.csv:3: two numbers");
    REFUSE("t_s,flow_ml_s\n0,1\n1e-300,1000\n2e-300,-1000\n0.5,1\n",
           "flows of a waveform are too large, or their times too close");
    REFUSE("t_s,flow_ml_s\n0,1\n\0001,2\n2,3\n", "not a text file");
    assert_int_equal(waveform_read(temp_path("none.csv"), &w), ERR_INPUT);
    assert_non_null(strstr(status_message(), "No such file"));
    status_clear();
    const double time[3] = {0, 1, 2}, flow[3] = {1, 2, 3};
    assert_int_equal(waveform_create(&w, 3, time, flow, 2), ERR_INPUT);
    status_clear();
    assert_int_equal(waveform_create(&w, 1, time, flow, 2), ERR_INPUT);
    status_clear();
}

/* More rows than a waveform may have. */
static void test_too_long(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    fputs("t_s,flow_ml_s\n", to);
    for (int k = 0; k <= 100000; k++)
        fprintf(to, "%.6f,1\n", 1e-5 * k);
    fclose(to);
    refuse(text, size, "too many rows; the limit is 100000");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order),     cmocka_unit_test(test_periodic),
                                       cmocka_unit_test(test_two_knots), cmocka_unit_test(test_no_mean),
                                       cmocka_unit_test(test_read),      cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_too_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
