/* SPDX-License-Identifier: Apache-2.0 */
/* Values that no blood and no vessel have: each one warning that names it, its place and the usual range. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/case/case.h"
#include "common/waveform/waveform.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "tests/unit/temp.h"

/* Warnings of a case with these words; with one, it must hold `word`. */
static int warned(const char *blood, const char *in, const char *out, const char *word) {
    char text[2000];
    case_file c;
    snprintf(text, sizeof text,
             "segment: {method: labels, labels: {path: a.nii}}\nopenings:\n"
             "  - {name: IN, role: inlet, point: [0, 0, 0], %s}\n  - {name: OUT, role: outlet, point: [0, 0, 9], %s}\n"
             "blood: {%s}\nmesh: {spacing: 0.5 mm}\n",
             in, out, blood);
    assert_int_equal(case_read_text(text, strlen(text), temp_path("case.yaml"), 0, &c), OK);
    message_clear();
    const int n = case_warn_plausible(&c);
    assert_int_equal(n, message_warning_count());
    if (n == 1 && strstr(message_warning(0), word ? word : "missing") == NULL)
        print_message("'%s' (expected '%s')\n", message_warning(0), word ? word : "missing");
    if (n == 1) {
        assert_non_null(strstr(message_warning(0), word ? word : "missing"));
        assert_true(word == NULL || strstr(message_warning(0), "usual") ||
                    strstr(message_warning(0), "repeat the measurement") ||
                    strstr(message_warning(0), "curve through the rows") ||
                    strstr(message_warning(0), "the stated interval is ignored"));
    }
    message_clear();
    case_free(&c);
    return n;
}

static void usual_values(void **state) {
    (void)state;
    assert_int_equal(warned("viscosity: 3.5 mPa s", "flow: 5 L/min", "pressure: 0 mmHg", ""), 0);
    assert_int_equal(warned("viscosity: 1.2 mPa s, density: 1025 kg/m3", "flow: 0 L/min", "pressure: 120 mmHg", ""), 0);
    assert_int_equal(warned("density: 1060 kg/m3", "velocity: {peak: 5 m/s}", "pressure: -5 mmHg", ""), 0);
}

static void unusual_values(void **state) {
    (void)state;
    static const char flow[] = "flow: 1 L/min", out[] = "pressure: 0 mmHg";
    assert_int_equal(warned("viscosity: 1 Pa s", flow, out, "viscosity of 1000 mPa s"), 1);
    assert_int_equal(warned("viscosity: 0.035 mPa s", flow, out, "viscosity"), 1);
    assert_int_equal(warned("model: quemada, hematocrit: 22 %", flow, out, "a hematocrit of 22 % is unusual"), 1);
    assert_int_equal(warned("model: quemada, hematocrit: 40 %", flow, out, ""), 0);
    assert_int_equal(warned("density: 100 kg/m3", flow, out, "density of 100 kg/m3"), 1);
    assert_int_equal(warned("", flow, "pressure: 1000 mmHg", "'OUT': a pressure of 1000 mmHg"), 1);
    assert_int_equal(warned("", "flow: 60 L/min", out, "'IN': a flow"), 1);
    assert_int_equal(warned("", "flow: 0.05 mL/min", out, "'IN': a flow"), 1);
    assert_int_equal(warned("", "flow: 0.2 mL/min", out, ""), 0);
    assert_int_equal(warned("", flow, "pressure: 0 mmHg, extension: 1 m", "'OUT': an extension of 1000 mm"), 1);
    assert_int_equal(warned("", flow, "pressure: 0 mmHg, extension: 50 mm", ""), 0);
    assert_int_equal(warned("", "velocity: {mean: 0.05 mm/s}", out, "'IN': a velocity"), 1);
    assert_int_equal(warned("", "velocity: {mean: 15 m/s}", out, "'IN': a velocity"), 1);
    assert_int_equal(warned("viscosity: 1 Pa s, density: 100 kg/m3", flow, "pressure: 1000 mmHg", ""), 3);
}

/* Pressures of a split in a wrong unit; kPa for mmHg is 7.5 times too high. */
static void unusual_split(void **state) {
    (void)state;
    static const struct {
        const char *pressures, *word;
    } row[] = {{"mean_pressure: 93 mmHg, distal: 5 mmHg", NULL},
               {"mean_pressure: 93 kPa, distal: 5 mmHg", "split: a mean_pressure of 697.6 mmHg is unusual"},
               {"mean_pressure: 93 mmHg, distal: -93 mmHg", "split: a distal pressure of -93 mmHg is unusual"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[800];
        case_file c;
        snprintf(text, sizeof text,
                 "segment: {method: labels, labels: {path: a.nii}}\nopenings:\n"
                 "  - {name: IN, role: inlet, point: [4, 0, -5], flow: 1 L/min}\n"
                 "  - {name: OUT, role: outlet, point: [-3, 0, 6]}\nmesh: {spacing: 0.5 mm}\n"
                 "split: {murray: 2, %s}\n",
                 row[k].pressures);
        assert_int_equal(case_read_text(text, strlen(text), temp_path("case.yaml"), 0, &c), OK);
        message_clear();
        assert_int_equal(case_warn_plausible(&c), row[k].word != NULL);
        if (row[k].word)
            assert_non_null(strstr(message_warning(0), row[k].word));
        message_clear();
        case_free(&c);
    }
}

/* Resistances between those of a healthy liver and of cirrhosis; walls known better than the vessel is wide. */
static void unusual_readouts(void **state) {
    (void)state;
    static const struct {
        const char *more, *word;
    } row[] = {{"readouts: [{ppg: {portal: IN, liver: {model: resistance, value: 4 mmHg min/L}}}]", NULL},
               {"readouts: [{ppg: {portal: IN, liver: {model: resistance, value: 1000 mmHg min/L}}}]", "of the liver"},
               {"readouts: [{ppg: {portal: IN, liver: {model: resistance, value: 40 Pa s/m3}}}]", "of the liver"},
               {"readouts: [{ppg: {portal: IN}}]", NULL},
               {"solve: {mode: steady}", NULL}};
    for (size_t k = 0; k < 2 * (sizeof row / sizeof *row); k++) {
        char text[800];
        case_file c;
        const bool thick = k % 2 == 1;
        snprintf(text, sizeof text,
                 "segment: {method: labels, labels: {path: a.nii}}\nopenings:\n"
                 "  - {name: IN, role: inlet, point: [4, 0, -5], flow: 1 L/min}\n"
                 "  - {name: OUT, role: outlet, point: [-3, 0, 6], pressure: 0 mmHg}\n"
                 "mesh: {spacing: 0.5 mm, wall_uncertainty: %s}\n%s\n",
                 thick ? "20 mm" : "0.5 mm", row[k / 2].more);
        assert_int_equal(case_read_text(text, strlen(text), temp_path("case.yaml"), 0, &c), OK);
        message_clear();
        assert_int_equal(case_warn_plausible(&c), (row[k / 2].word != NULL) + thick);
        if (thick)
            assert_non_null(strstr(message_warning(0), "wall_uncertainty of 20 mm"));
        if (row[k / 2].word)
            assert_non_null(strstr(message_warning(thick), row[k / 2].word));
        message_clear();
        case_free(&c);
    }
}

/* Names whose vessels end elsewhere in a person: swapped, or the frame is wrong. */
static void swapped_names(void **state) {
    (void)state;
    static const struct {
        const char *space, *first, *second; /* at [40, 0, -50] and [-30, 0, 60] */
        int warnings;
    } row[] = {{"LPS", "SMV", "PV", 0}, {"LPS", "PV", "SMV", 1},  {"LPS", "sv", "rpv", 0},  {"RAS", "SV", "RPV", 1},
               {"RAS", "RPV", "SV", 0}, {"LPS", "RPV", "LPV", 1}, {"LPS", "ICA", "CCA", 1}, {"LPS", "PV", "inlet", 0}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[800];
        case_file c;
        snprintf(text, sizeof text,
                 "space: %s\nsegment: {method: labels, labels: {path: a.nii}}\nopenings:\n"
                 "  - {name: %s, role: inlet, point: [40, 0, -50], flow: 1 L/min}\n"
                 "  - {name: %s, role: outlet, point: [-30, 0, 60], pressure: 0 mmHg}\nmesh: {spacing: 0.5 mm}\n",
                 row[k].space, row[k].first, row[k].second);
        assert_int_equal(case_read_text(text, strlen(text), temp_path("case.yaml"), 0, &c), OK);
        message_clear();
        assert_int_equal(case_warn_plausible(&c), row[k].warnings);
        if (row[k].warnings)
            assert_non_null(strstr(message_warning(0), "not swapped"));
        message_clear();
        case_free(&c);
    }
}

/* One warning, in which `word` stands; NULL: none. */
static void warned_of(const char *text, const char *word) {
    case_file c;
    assert_int_equal(case_read_text(text, strlen(text), temp_path("case.yaml"), 0, &c), OK);
    message_clear();
    assert_int_equal(case_warn_plausible(&c), word != NULL);
    if (word)
        assert_non_null(strstr(message_warning(0), word));
    message_clear();
    case_free(&c);
}

/* Coordinates in m; nothing that blood leaves through. */
static void wrong_places(void **state) {
    (void)state;
    static const struct {
        const char *space, *role, *end, *word;
    } row[] = {{"LPS", "outlet", "[0, 0, 0.06]", "within 0.06 mm of 'A' (usual: 3 mm or more)"},
               {"LPS", "outlet", "[0, 0, 4]", NULL},
               {"voxel", "outlet", "[0, 0, 2]", NULL},
               {"LPS", "inlet", "[0, 0, 60]", "no opening is an outlet"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[800];
        snprintf(text, sizeof text,
                 "space: %s\nsegment: {method: labels, labels: {path: a.nii}}\nopenings:\n"
                 "  - {name: A, role: inlet, point: [0, 0, 0], flow: 1 L/min}\n"
                 "  - {name: B, role: %s, point: %s, pressure: 0 mmHg}\nmesh: {spacing: 0.5 mm}\n",
                 row[k].space, row[k].role, row[k].end);
        warned_of(text, row[k].word);
    }
}

/* A unit that is wrong by 16 or 60 times is a possible flow of another vessel; outlets of one tree are alike. */
static void wrong_units(void **state) {
    (void)state;
    static const struct {
        const char *name, *flow, *pressure, *word;
    } row[] = {{"SMV", "0.6 L/min", "pressure: 0 mmHg", NULL},
               {"SMV", "0.6 mL/s", "pressure: 0 mmHg", "0.036 L/min (0.6 mL/s)"},
               {"sv", "400 mL/s", "pressure: 0 mmHg", "unusual for this vessel"},
               {"other", "0.6 mL/s", "pressure: 0 mmHg", NULL},
               {"SMV", "0 L/min", "pressure: 0 mmHg", NULL},
               {"SMV", "0.6 L/min", "pressure: 2000 Pa", "'B' and 'A' are 15 mmHg apart"},
               {"SMV", "0.6 L/min", "pressure: 5 mmHg", NULL},
               {"SMV", "0.6 L/min", "developed: true", NULL}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[800];
        snprintf(text, sizeof text,
                 "segment: {method: labels, labels: {path: a.nii}}\nopenings:\n"
                 "  - {name: %s, role: inlet, point: [4, 0, -5], flow: %s}\n"
                 "  - {name: A, role: outlet, point: [-3, 0, 6], pressure: 0 mmHg}\n"
                 "  - {name: B, role: outlet, point: [-3, 9, 6], %s}\nmesh: {spacing: 0.5 mm}\n",
                 row[k].name, row[k].flow, row[k].pressure);
        warned_of(text, row[k].word);
    }
}

/* Of a shape too: what counts as steady is no property of the vessel. */
static void loose_tolerance(void **state) {
    (void)state;
    static const struct {
        const char *solve;
        int warnings;
    } row[] = {{"tolerance: 1e-6", 0}, {"tolerance: 1e-4", 0}, {"tolerance: 1e-3", 1}, {"tolerance: 0.1", 1}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[500];
        case_file c;
        snprintf(text, sizeof text,
                 "mesh: {spacing: 1 mm, shape: {type: box, low: [0, 0, 0], high: [9, 9, 9]}, box: {low: [0, 0, 0], "
                 "high: [9, 9, 9]}}\nsolve: {%s}\n",
                 row[k].solve);
        assert_int_equal(case_read_text(text, strlen(text), temp_path("case.yaml"), 0, &c), OK);
        message_clear();
        assert_int_equal(case_warn_plausible(&c), row[k].warnings);
        if (row[k].warnings)
            assert_non_null(strstr(message_warning(0), "usual: 1e-6 to 1e-4"));
        case_free(&c);
    }
    message_clear();
}

static void waveforms(void **state) {
    (void)state;
    static const char in[] = "flow: {waveform: w.csv}", out[] = "pressure: 0 mmHg";
    temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.3,9\n0.6,2\n0.8,1\n");
    assert_int_equal(warned("", in, out, ""), 0);
    temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.01,9\n0.02,2\n0.03,1\n");
    assert_int_equal(warned("", in, out, "'IN': the period of 0.03 s"), 1);
    temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.3,900\n0.6,2\n0.8,1\n");
    assert_int_equal(warned("", in, out, "'IN': a largest flow"), 1);
    temp_text("w.csv", "t_s,flow_ml_s\n0,-1\n0.3,-9\n0.6,-2\n0.8,-1\n");
    assert_int_equal(warned("", in, out, "blood leaves the vessel at an inlet"), 1);
    temp_text("w.csv", "t_s,flow_ml_s\n0,-1\n0.2,0\n0.4,1\n0.6,0\n0.8,-1\n");
    assert_int_equal(warned("", in, out, ""), 0); /* back and forth */
    temp_text("w.csv", "# mean flow 2 mL/s, 95 % interval +- 0.2 mL/s\nt_s,flow_ml_s\n0,1\n0.4,5\n0.8,1\n");
    assert_int_equal(warned("", in, out, "the mean of its waveform is 3 mL/s, but a comment in the file states 2 mL/s"),
                     1);
}

/* The last lines of a file are missing: its cycle begins with a jump. Nothing is said of one that has them. */
static void waveform_jumps(void **state) {
    (void)state;
    static const char in[] = "flow: {waveform: w.csv}", out[] = "pressure: 0 mmHg";
    message_clear();
    temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.1,4\n0.2,7\n0.3,10\n0.4,7\n0.5,4\n0.6,1\n");
    assert_int_equal(warned("", in, out, ""), 0);
    temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.1,4\n0.2,7\n0.3,10\n");
    assert_int_equal(warned("", in, out, NULL), 1);
}

/* A spike between rows that are far apart: the mean of the smooth curve is negative, of flows that are all positive. */
static void waveform_swings(void **state) {
    (void)state;
    static const char in[] = "flow: {waveform: w.csv}", out[] = "pressure: 0 mmHg";
    temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.2,1\n0.3,90\n0.4,1\n0.8,1\n");
    assert_int_equal(warned("", in, out, "the curve through the rows"), 1);
    temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.1,1\n0.2,5\n0.3,9\n0.4,5\n0.5,1\n0.6,1\n0.7,1\n");
    assert_int_equal(warned("", in, out, ""), 0);
}

/* What the measurement of a waveform says of it: unreliable, or an interval of the mean that contains 0. */
static void waveform_doubtful(void **state) {
    (void)state;
    static const char in[] = "flow: {waveform: w.csv}", out[] = "pressure: 0 mmHg";
    static const char rows[] = "t_s,flow_ml_s\n0,1\n0.2,1.2\n0.4,1\n0.6,0.8\n0.8,1\n";
    static const char *const row[][2] = {
        {"# mean flow 1 mL/s, 95 % interval +- 0.9 mL/s\n", NULL},
        {"# mean flow 1 mL/s, 95 % interval +- 1.1 mL/s\n", "its mean flow, 1 +- 1.1 mL/s, contains 0"},
        {"# unreliable: noise or aliasing\n", "states that the flow is unreliable"},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[300];
        snprintf(text, sizeof text, "%s%s", row[k][0], rows);
        temp_text("w.csv", text);
        assert_int_equal(warned("", in, out, row[k][1]), row[k][1] != NULL);
    }
}

/* A flow that stays as it is does not swing, however the spline rounds. */
static void waveform_constant(void **state) {
    (void)state;
    static const char in[] = "flow: {waveform: w.csv}", out[] = "pressure: 0 mmHg";
    temp_text("w.csv", "t_s,flow_ml_s\n0,1.1\n0.05,1.1\n0.1,1.1\n0.17,1.1\n0.3,1.1\n0.4,1.1\n");
    assert_int_equal(warned("", in, out, ""), 0);
}

/* Rows missing in the middle of a cycle. */
static void waveform_gap(void **state) {
    (void)state;
    static const char in[] = "flow: {waveform: w.csv}", out[] = "pressure: 0 mmHg";
    temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.1,2\n0.2,2.5\n0.3,2.6\n0.9,2.5\n1.0,2\n1.1,1\n");
    assert_int_equal(warned("", in, out, NULL), 1);
    temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.05,2\n0.1,3\n0.15,4\n0.2,3\n0.4,2\n0.6,1\n");
    assert_int_equal(warned("", in, out, ""), 0); /* closer where more happens */
}

/* Rows missing at the end of one of two files, in steady flow, which takes the means. */
static void waveforms_differ(void **state) {
    (void)state;
    static const char in[] = "flow: {waveform: w.csv}}\n  - {name: B, role: inlet, point: [3, 0, 0], flow: {waveform: "
                             "v.csv}",
                      out[] = "pressure: 0 mmHg";
    temp_text("w.csv", "t_s,flow_ml_s\n0,5\n0.2,6\n0.4,5.5\n0.6,5\n");
    temp_text("v.csv", "t_s,flow_ml_s\n0,5\n0.2,6\n0.4,5.5\n0.6,5\n");
    assert_int_equal(warned("", in, out, ""), 0);
    temp_text("v.csv", "t_s,flow_ml_s\n0,5\n0.2,6\n0.4,5.5\n");
    assert_int_equal(warned("", in, out, ""), 0); /* without the last row it has the same period */
    temp_text("v.csv", "t_s,flow_ml_s\n0,5\n0.1,6\n0.2,5.5\n0.3,5\n");
    assert_int_equal(warned("", in, out, NULL), 1);
}

/* Beyond what the keys flow and period allow: refused, not warned of. */
static void impossible_waveforms(void **state) {
    (void)state;
    static const char *const text[][2] = {{"t_s,flow_ml_s\n0,1\n0.3,1e300\n0.6,2\n0.8,1\n", "100 L/min"},
                                          {"t_s,flow_ml_s\n0,1\n0.3,-2000\n0.6,2\n0.8,1\n", "100 L/min"},
                                          {"t_s,flow_ml_s\n0,1\n1e-9,9\n2e-9,1\n", "period"},
                                          {"t_s,flow_ml_s\n0,1\n800,9\n1600,1\n", "period"}};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        waveform w;
        status_clear();
        assert_int_equal(waveform_read(temp_text("w.csv", text[k][0]), &w), ERR_INPUT);
        assert_non_null(strstr(status_message(), text[k][1]));
    }
    status_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_values),     cmocka_unit_test(unusual_values),    cmocka_unit_test(waveforms),
        cmocka_unit_test(swapped_names),    cmocka_unit_test(wrong_units),       cmocka_unit_test(wrong_places),
        cmocka_unit_test(loose_tolerance),  cmocka_unit_test(waveform_jumps),    cmocka_unit_test(waveforms_differ),
        cmocka_unit_test(waveform_swings),  cmocka_unit_test(waveform_constant), cmocka_unit_test(waveform_gap),
        cmocka_unit_test(unusual_readouts), cmocka_unit_test(unusual_split),     cmocka_unit_test(impossible_waveforms),
        cmocka_unit_test(waveform_doubtful)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
