/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the report against what is known: contours at their radius, curves, marks, rows of the run. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/draw/svg_chart.h"
#include "post/report/report.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lattice_opening opening = {
    .name = "IN", .role = LATTICE_INLET, .normal = {0, 0.6, 0.8}, .radius_mm = 4, .area_mm2 = 16 * M_PI};
static lattice one = {.spacing_mm = 0.5, .n_opening = 1, .opening = &opening};
static case_file the_case = {.segment = {.method = METHOD_LEVEL_SET, .n_seed = 2}};

/* A vessel of radius 4 mm along the opening's normal, in an image that is turned by 30 degrees. */
static void make_images(volume *image, volume *phi) {
    const int dims[3] = {60, 60, 60};
    const double spacing[3] = {0.7, 0.7, 0.9}, c = cos(M_PI / 6), s = 0.5;
    const double direction[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, origin[3] = {-9, -27, -27};
    assert_int_equal(volume_create(image, dims, spacing, origin, direction), OK);
    assert_int_equal(volume_create_like(phi, image), OK);
    for (int k = 0; k < 60 * 60 * 60; k++) {
        double lps[3], along = 0, square = 0;
        volume_to_lps(image, (const double[3]){k % 60, k / 60 % 60, k / 3600}, lps);
        for (int a = 0; a < 3; a++) {
            along += lps[a] * opening.normal[a];
            square += lps[a] * lps[a];
        }
        phi->value[k] = (float)(sqrt(fmax(square - along * along, 0)) - 4);
        image->value[k] = phi->value[k] < 0 ? 200 : 50;
    }
}

static void test_contour(void **state) {
    (void)state;
    volume image, phi;
    html h = {0};
    readouts r = {.n_opening = 1};
    make_images(&image, &phi);
    const report_input in = {.c = &the_case, .l = &one, .r = &r, .image = &image, .phi = &phi};
    report_add_lumen(&h, &in);
    assert_int_equal(h.rc, OK);
    assert_non_null(strstr(h.text, "data:image/bmp;base64,Qk"));
    assert_non_null(strstr(h.text, "IN, &#8960;&nbsp;8.0&nbsp;mm"));
    const char *path = strstr(h.text, "stroke-width=\"1.2\" d=\"");
    assert_non_null(path);
    int n = 0;
    const double pixel_mm = 20.0 / 95; /* 2.5 radii each way */
    for (path = strstr(path, "d=\"M") + 3; *path != '"'; n++) {
        char *end;
        const double x = strtod(path + 1, &end), y = strtod(end, &end);
        assert_true(fabs(hypot(x - 48, y - 48) * pixel_mm - 4) < 0.15);
        path = end;
    }
    assert_true(n > 200);
    html_free(&h);
    volume_free(&image);
    volume_free(&phi);
}

static void test_chart(void **state) {
    (void)state;
    html h = {0};
    const double x[] = {0, 1, 2, 3}, y[] = {1, NAN, -5, 1000};
    svg_chart c = {.title = "a < b", .x_label = "x", .y_label = "y", .log_y = true, .n = 1};
    c.curve[0].name = "one";
    c.curve[0].n = 1;
    c.curve[0].x = x;
    c.curve[0].y = y;
    svg_chart_add(&h, &c);
    assert_true(h.n == 0); /* one point is no curve */
    c.curve[0].n = 4;
    svg_chart_add(&h, &c);
    assert_int_equal(h.rc, OK);
    assert_non_null(strstr(h.text, "a &lt; b"));
    assert_null(strstr(h.text, "nan"));
    assert_non_null(strstr(h.text, ">1e2</text>"));
    html_free(&h);
}

static void test_monitors(void **state) {
    (void)state;
    monitors y;
    temp_text("monitors.csv", "step,time_s,residual,flow_balance,IN_flow_ml_s,IN_pressure_pa\n"
                              "10,0.1,0.5,0,1,2\n20,0.2,0.25,0,3,4\n");
    assert_int_equal(monitors_read(temp_path("monitors.csv"), &one, &y), OK);
    assert_int_equal(y.n, 2);
    assert_true(y.step[1] == 20 && y.change[0] == 0.5 && y.flow_ml_s[1] == 3 && y.pressure_pa[0] == 2);
    monitors_free(&y);
    temp_text("monitors.csv", "step,time_s,residual,flow_balance,OTHER_flow_ml_s,OTHER_pressure_pa\n1,1,1,1,1,1\n");
    assert_int_equal(monitors_read(temp_path("monitors.csv"), &one, &y), ERR_INPUT);
    status_clear();
    monitors_free(&y);
}

/* The mark in the row that begins with `what`. */
static bool marked(const char *text, const char *what, const char *mark) {
    const char *row = strstr(text, what), *end = row ? strstr(row, "</tr>") : NULL,
               *at = row ? strstr(row, mark) : NULL;
    return at && at < end;
}

/* The table of segment.json: the branch at an opening carries its name, the digits follow the interval, and a number
 * without an interval, or with a negligible one, stays bare. */
static void test_vessel(void **state) {
    (void)state;
    html h = {0};
    lattice_opening first = {.name = "IN<", .centre_mm = {1, 0, 0}, .area_mm2 = 12};
    lattice l = {.n_opening = 1, .opening = &first};
    report_input in = {.c = &the_case, .l = &l};
    report_add_vessel(&h, &in);
    assert_true(h.n == 0);
    cJSON *record = cJSON_Parse(
        "{\"result\": {\"vessel\": {\"length_mm\": 40, \"branches\": [{\"name\": \"1\", \"parent\": null, "
        "\"side\": \"left\", \"start_mm\": [0, 0, 0], \"end_mm\": [30, 0, 0], \"tortuosity\": null, "
        "\"length_mm\": {\"value\": 30, \"interval\": [29.5, 30.5]}, \"diameter_mean_mm\": {\"value\": 4, "
        "\"interval\": null}, \"diameter_min_mm\": {\"value\": 3.912, \"interval\": [3.19, 4.63], "
        "\"at_mm\": 5}, \"stenosis_percent\": {\"value\": 23.8, \"interval\": [23.6, 24.1]}}, {\"name\": \"2\", "
        "\"stenosis_percent\": {\"value\": 3, \"interval\": [-7.4, 13.4]}}], "
        "\"bifurcations\": []}}}");
    assert_non_null(record);
    in.stage[REPORT_SEGMENT] = record;
    report_add_vessel(&h, &in);
    assert_int_equal(h.rc, OK);
    assert_non_null(strstr(h.text, "<td>1 (IN&lt;)</td><td>left</td><td>30.0 \302\261 0.5</td><td>4.00</td>"
                                   "<td>3.9 \302\261 0.8</td><td>5.0</td><td>24</td>"));
    assert_non_null(strstr(h.text, "<td>&lt; 14</td>"));
    assert_null(strstr(h.text, "nan"));
    cJSON_Delete(record);
    html_free(&h);
}

static void test_flags(void **state) {
    (void)state;
    html h = {0};
    place p = {.name = "IN", .role = LATTICE_INLET, .flow_ml_s = 10, .reynolds = 300};
    solution s = {.converged = true, .change = 1e-6, .tolerance = 1e-5, .unsteady_s = NAN, .cycle_change = NAN};
    readouts r = {.n_opening = 1, .place = &p, .solution = &s, .flow_balance = 1e-4};
    report_input in = {.c = &the_case, .l = &one, .r = &r};
    report_add_flags(&h, &in);
    assert_true(marked(h.text, "convergence", "good") && marked(h.text, "resolution", "good"));
    assert_true(marked(h.text, "convergence", "(tolerance 1e-05)"));
    assert_true(marked(h.text, "flow balance", "good") && marked(h.text, "Reynolds number", "good"));
    assert_null(strstr(h.text, "vessels without flow"));
    html_free(&h);
    s.variation = 1.7e-4; /* the residual stays at 1e-6 */
    s.tolerance = 1e-7;
    report_add_flags(&h, &in);
    assert_true(marked(h.text, "convergence", "good") && marked(h.text, "convergence", "vary by 0.017 % or less"));
    assert_true(marked(h.text, "convergence", "1.0e-06, stayed above its tolerance of 1e-07"));
    html_free(&h);
    s.variation = NAN;
    s.tolerance = 1e-5;
    s.reynolds = 2570; /* in a throat behind a quiet inlet */
    report_add_flags(&h, &in);
    assert_true(marked(h.text, "Reynolds number", "caution"));
    assert_true(marked(h.text, "Reynolds number", "2570 in the fastest cross-section inside, 300 at IN"));
    html_free(&h);
    s.reynolds = 0;
    s.tolerance = 1e-2; /* a flow that still changes counts as steady */
    cJSON *segment = cJSON_Parse("{\"result\": {\"ends_without_opening\": [{}, {}], \"bridged_gaps\": "
                                 "[{\"point_mm\": [1, 2, 3], \"length_mm\": 4}]}}");
    in.stage[REPORT_SEGMENT] = segment;
    report_add_flags(&h, &in);
    assert_true(marked(h.text, "convergence", "caution"));
    assert_true(marked(h.text, "vessels without flow", "2 ends of the lumen without an opening"));
    assert_true(marked(h.text, "bridged, not seen in the image", "caution"));
    assert_non_null(strstr(h.text, ": the numbers assume that the vessel is open there"));
    in.stage[REPORT_SEGMENT] = NULL;
    cJSON_Delete(segment);
    html_free(&h);
    r.n_unfed = 2;
    r.unfed[0] = (unfed_branch){.diameter_mm = 8, .touches = true};
    r.unfed[1] = (unfed_branch){.diameter_mm = 4};
    report_add_flags(&h, &in);
    assert_true(marked(h.text, "branches cut away", "8 mm wide near  (joins through a narrow lumen: another vessel"));
    assert_true(marked(h.text, "branches cut away", "origin); 4 mm wide near : no blood flows through them"));
    r.n_unfed = 0;
    html_free(&h);
    s.converged = false;
    opening.radius_mm = 1.5; /* 6 across */
    r.flow_balance = 0.05;
    p.reynolds = 5000;
    report_add_flags(&h, &in);
    assert_true(marked(h.text, "convergence", "bad") && marked(h.text, "resolution", "bad"));
    assert_true(marked(h.text, "flow balance", "bad") && marked(h.text, "Reynolds number", "caution"));
    opening.radius_mm = 4;
    html_free(&h);
}

/* What is averaged is said before any number, with its variation: the largest drop, whichever way it stands. */
/* What is given stands with its value; an error that reaches no number is said. */
static void test_given(void **state) {
    (void)state;
    html h = {0};
    solution s = {.converged = true, .change = 1e-6, .tolerance = 1e-5, .unsteady_s = NAN, .cycle_change = NAN};
    readouts r = {.solution = &s, .flow_balance = 1e-4};
    case_opening given[] = {{.name = "SV", .condition = CONDITION_FLOW, .value = 1e-5, .value_error = 7e-6},
                            {.name = "SMV", .condition = CONDITION_WAVEFORM},
                            {.name = "IMV", .condition = CONDITION_VELOCITY_MEAN, .value = 0.15},
                            {.name = "PV", .condition = CONDITION_PRESSURE, .value = 2 * 133.322}};
    case_file c = {.n_opening = 4, .opening = given};
    report_input in = {.c = &c, .l = &one, .r = &r};
    report_add_flags(&h, &in);
    assert_non_null(strstr(
        h.text, "flow of SV (0.6 L/min \u00b1 70 %), flow of SMV (mean of a waveform), flow of IMV (mean velocity 15 "
                "cm/s), pressure of PV (2 mmHg)"));
    assert_true(marked(h.text, "given flows", "caution") &&
                strstr(h.text, "SV (\u00b1 70 %): no number here includes this error of the flow, because"));
    assert_null(strstr(h.text, "shares of the outlets"));
    html_free(&h);
    given[0].value_error = 0;
    given[2] = given[3];
    given[2].role = given[3].role = ROLE_OUTLET;
    report_add_flags(&h, &in);
    assert_null(strstr(h.text, "given flows"));
    assert_non_null(strstr(h.text, "; the shares of the outlets follow from their assumed pressures and from where"));
    html_free(&h);
}

/* All given values of a large tree are in the list. */
static void test_given_many(void **state) {
    (void)state;
    enum { MANY = 60 };
    html h = {0};
    solution s = {.converged = true, .change = 1e-6, .tolerance = 1e-5, .unsteady_s = NAN, .cycle_change = NAN};
    readouts r = {.solution = &s, .flow_balance = 1e-4};
    static case_opening given[MANY];
    char name[MANY][40], text[80];
    for (int k = 0; k < MANY; k++) {
        snprintf(name[k], sizeof name[k], "outlet_with_a_long_name_<%d>", k);
        given[k] = (case_opening){.name = name[k], .condition = CONDITION_FLOW, .value = 1e-6 * k};
    }
    case_file c = {.n_opening = MANY, .opening = given};
    report_input in = {.c = &c, .l = &one, .r = &r};
    report_add_flags(&h, &in);
    for (int k = 0; k < MANY; k++) {
        snprintf(text, sizeof text, "flow of outlet_with_a_long_name_&lt;%d&gt; (%.3g L/min)", k, 0.06 * k);
        assert_non_null(strstr(h.text, text));
    }
    html_free(&h);
}

/* Adds the note of the values that are taken as exact. */
static void add_exact(const case_file *c, notes *to) {
    notes exact = {0};
    assert_int_equal(notes_list_exact(c, &exact), OK);
    assert_int_equal(notes_exact(&exact, to), OK);
    notes_free(&exact);
}

/* The pressures of a split are exact values, and the lost share of a liver. */
static void test_exact_split(void **state) {
    (void)state;
    case_opening given[] = {{.name = "A", .condition = CONDITION_RESISTANCE, .value = 1e8, .split_share = 0.4},
                            {.name = "B", .condition = CONDITION_RESISTANCE, .value = 1e8, .split_share = 0.6}};
    case_file c = {.n_opening = 2, .opening = given};
    c.split.law = SPLIT_MURRAY;
    c.split.error = 0.2;
    c.split.mean_pressure_pa = NAN;
    notes n = {0};
    add_exact(&c, &n);
    assert_int_equal(n.n, 0);
    c.split.mean_pressure_pa = 12400;
    add_exact(&c, &n);
    assert_int_equal(n.n, 1);
    assert_non_null(strstr(n.text[0], "their uncertainty: split.mean_pressure, split.distal; append"));
    c.split.pressure_error[SPLIT_MEAN_PRESSURE] = 300;
    add_exact(&c, &n);
    assert_non_null(strstr(n.text[1], "their uncertainty: split.distal; append"));
    c.split.pressure_error[SPLIT_DISTAL] = 100;
    add_exact(&c, &n);
    assert_int_equal(n.n, 2);
    case_readout liver = {.kind = READOUT_PPG, .liver_resistance = 1e8, .liver_error = 1e7, .lost_share = {0.4, 0}};
    c.n_readout = 1;
    c.readout = &liver;
    add_exact(&c, &n);
    assert_non_null(strstr(n.text[2], "their uncertainty: the lost share of the liver; append"));
    liver.lost_share.error = 0.1;
    add_exact(&c, &n);
    assert_int_equal(n.n, 3);
    notes_free(&n);
}

/* A share is named if the computed share is beyond its interval. */
static void test_share_missed(void **state) {
    (void)state;
    case_opening given[] = {
        {.name = "IN", .condition = CONDITION_FLOW, .value = 1e-5, .split_share = NAN},
        {.name = "A", .condition = CONDITION_RESISTANCE, .split_share = 0.5},
        {.name = "B", .condition = CONDITION_RESISTANCE, .value = 1e8, .split_share = 0.5, .split_rest = true}};
    place p[] = {{.name = "IN", .role = LATTICE_INLET, .flow_ml_s = 10},
                 {.name = "A", .role = LATTICE_OUTLET, .flow_ml_s = 3.75},
                 {.name = "B", .role = LATTICE_OUTLET, .flow_ml_s = 6.25}};
    case_file c = {.n_opening = 3, .opening = given};
    notes n = {0};
    c.split.law = SPLIT_SHARES;
    c.split.mean_pressure_pa = 1120;
    given[1].value = 1e8;
    given[1].value_error = 0.1 * 1e8; /* +- 5 points */
    assert_int_equal(notes_shares(&c, 3, p, &n), OK);
    assert_int_equal(n.n, 2); /* the rest has the uncertainty of the other share */
    assert_non_null(strstr(n.text[0], "'A': 37.5 % of the inflow leaves here, but its resistance was chosen for 50 +- "
                                      "5 %"));
    assert_non_null(strstr(n.text[1], "'B': 62.5 % of the inflow leaves here"));
    notes_free(&n);
    given[1].value_error = 0.3 * 1e8;
    assert_int_equal(notes_shares(&c, 3, p, &n), OK);
    assert_int_equal(n.n, 0);
    c.split.law = SPLIT_MURRAY; /* no interval: 5 points */
    p[1].flow_ml_s = 4.6;
    p[2].flow_ml_s = 5.4;
    assert_int_equal(notes_shares(&c, 3, p, &n), OK);
    assert_int_equal(n.n, 0);
    p[1].flow_ml_s = 4.4;
    p[2].flow_ml_s = 5.6;
    assert_int_equal(notes_shares(&c, 3, p, &n), OK);
    assert_int_equal(n.n, 2);
    assert_non_null(strstr(n.text[1], "'B': 56 % of the inflow leaves here, but its resistance was chosen for 50 %"));
    c.split.mean_pressure_pa = NAN;
    assert_int_equal(notes_shares(&c, 3, p, &n), OK);
    assert_int_equal(n.n, 2);
    notes_free(&n);
}

/* A steady flow in place of waveforms has a note with the bound of the mean drops, from the largest ratio of the mean
 * square to the square of the mean. */
static void test_mean_flow(void **state) {
    (void)state;
    char *folder = file_folder(temp_text("steady.csv", "t_s,flow_ml_s\n0,2\n0.3,2\n0.6,2\n"));
    temp_text("pulse.csv", "t_s,flow_ml_s\n0,2\n0.2,4\n0.4,2\n0.6,0\n"); /* a spline near 2 + 2 sin */
    case_opening given[] = {{.name = "A", .condition = CONDITION_WAVEFORM, .waveform = "steady.csv"},
                            {.name = "B", .condition = CONDITION_WAVEFORM, .waveform = "pulse.csv"},
                            {.name = "C", .condition = CONDITION_FLOW, .value = 1e-6}};
    case_file c = {.n_opening = 3, .opening = given, .folder = folder, .solve = {.mode = MODE_PULSATILE}};
    notes n = {0};
    assert_int_equal(notes_mean_flow(&c, &n), OK);
    assert_int_equal(n.n, 0);
    c.solve.mode = MODE_STEADY;
    assert_int_equal(notes_mean_flow(&c, &n), OK);
    assert_true(n.n == 1 && strstr(n.text[0], "means up to about 49 % higher"));
    c.n_opening = 1;
    assert_int_equal(notes_mean_flow(&c, &n), OK);
    assert_true(n.n == 2 && strstr(n.text[1], "means up to about 0 % higher"));
    notes_free(&n);
    free(folder);
}

/* A note names each capacitance of stated uncertainty: none enters an interval. */
static void test_capacitances(void **state) {
    (void)state;
    case_opening given[] = {{.name = "ICA", .condition = CONDITION_WINDKESSEL, .capacitance_error = 1e-12},
                            {.name = "CCA", .condition = CONDITION_WAVEFORM},
                            {.name = "ECA", .condition = CONDITION_WINDKESSEL, .capacitance_error = 1e-12}};
    case_file c = {.n_opening = 3, .opening = given, .solve = {.mode = MODE_PULSATILE}};
    notes n = {0};
    assert_int_equal(notes_capacitances(&c, &n), OK);
    assert_true(n.n == 1 && strstr(n.text[0], "the uncertainty of the capacitance at 'ICA', 'ECA', because intervals"));
    c.solve.mode = MODE_STEADY;
    assert_int_equal(notes_capacitances(&c, &n), OK);
    assert_true(n.n == 2 && strstr(n.text[1], "a steady flow does not depend on a capacitance"));
    given[0].capacitance_error = given[2].capacitance_error = 0;
    assert_int_equal(notes_capacitances(&c, &n), OK);
    assert_int_equal(n.n, 2);
    notes_free(&n);
}

static void test_unsteady(void **state) {
    (void)state;
    html h = {0};
    solution s = {.converged = true, .unsteady_s = 0.2};
    readouts r = {.solution = &s};
    cJSON *solve =
        cJSON_Parse("{\"result\": {\"unsteady\": {\"pressure_differences\": ["
                    "{\"from\": \"A\", \"to\": \"B\", \"mean_pa\": 10, \"low_pa\": 1, \"high_pa\": 19},"
                    "{\"from\": \"B\", \"to\": \"C\", \"mean_pa\": -200, \"low_pa\": -210, \"high_pa\": -150}]}}}");
    report_input in = {.c = &the_case, .l = &one, .r = &r, .stage[REPORT_SOLVE] = solve};
    report_add_unsteady(&h, &in);
    assert_non_null(strstr(h.text, "mean over 0.2 s"));
    assert_non_null(strstr(h.text, "from C to B, departs from its mean by up to 25 % (mean 200 Pa, lowest 150 Pa, "
                                   "highest 210 Pa)"));
    html_free(&h);
    report_add_flags(&h, &in);
    assert_true(marked(h.text, "convergence", "caution") &&
                marked(h.text, "convergence", "departs from its mean by up to 25 %"));
    html_free(&h);
    s.unsteady_s = NAN;
    report_add_unsteady(&h, &in);
    assert_true(h.n == 0);
    cJSON_Delete(solve);
}

/* Flow by its shares, the largest drop of all pairs of openings, the narrowest place and where it is. */
static void test_brief(void **state) {
    (void)state;
    html h = {0};
    place p[3] = {{.name = "IN", .role = LATTICE_INLET, .flow_ml_s = 10},
                  {.name = "A", .role = LATTICE_OUTLET, .flow_ml_s = 7.5},
                  {.name = "B", .role = LATTICE_OUTLET, .flow_ml_s = 2.5}};
    readouts_drop drop[1] = {{"IN", "A", 20}};
    p[0].pressure_pa = 40;
    p[1].pressure_pa = 20;
    p[2].pressure_pa = 306.644;
    solution s = {.converged = true, .unsteady_s = NAN};
    readouts r = {.n_opening = 3, .place = p, .solution = &s, .n_drop = 1, .drop = drop, .velocity_max_m_s = 0.25};
    r.largest = extremes_drop(3, p); /* not requested by the case */
    r.wss = (wall_statistics){.mean = 0.5, .max = 3, .max_mm = {0, 3, 4}};
    cJSON *mesh = cJSON_Parse("{\"result\": {\"narrowest\": {\"place_mm\": [0, 0, 12], \"diameter_mm\": 4.26, "
                              "\"mean_velocity_m_s\": 0.137}}}");
    const report_input in = {.c = &the_case, .l = &one, .r = &r, .stage[REPORT_MESH] = mesh};
    report_add_brief(&h, &in);
    assert_non_null(strstr(h.text, "0.600&nbsp;L/min, in through IN; out through A 75.0&nbsp;%, B 25.0&nbsp;%"));
    assert_non_null(strstr(h.text, "2.15&nbsp;mmHg (287&nbsp;Pa), B to A"));
    assert_non_null(strstr(h.text, "4.3&nbsp;mm wide, 12&nbsp;mm from IN</td>"));
    assert_non_null(strstr(h.text, "25.0&nbsp;cm/s"));
    assert_non_null(strstr(h.text, "highest 3.00&nbsp;Pa, 5&nbsp;mm from IN"));
    html_free(&h);
    s.converged = false;
    report_add_brief(&h, &in);
    assert_true(h.n == 0);
    cJSON_Delete(mesh);
}

/* The peak is in the last cycle, at the largest inflow. An opening in another piece of lumen forms no pair. */
static void test_peak(void **state) {
    (void)state;
    enum { ROWS = 7 };
    double time_s[ROWS] = {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5}, none[ROWS] = {0};
    double flow[3 * ROWS] = {9, 1, 2, 1, 4, 2, 1, 9, 1, 2, 1, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0};
    double pressure[3 * ROWS] = {90, 5, 6, 5, 20, 6, 5, 0, 0, 0, 0, -2, 0, 0, 900, 900, 900, 900, 900, 900, 900};
    const monitors m = {.n = ROWS,
                        .n_opening = 3,
                        .step = none,
                        .time_s = time_s,
                        .change = none,
                        .flow_ml_s = flow,
                        .pressure_pa = pressure};
    place p[3] = {{.name = "IN", .role = LATTICE_INLET, .area_mm2 = 20},
                  {.name = "OUT", .role = LATTICE_OUTLET, .area_mm2 = 10},
                  {.name = "OTHER", .role = LATTICE_OUTLET, .area_mm2 = 10, .piece = 1}};
    case_file c = {.blood = {.density_kg_m3 = 1000, .viscosity_pa_s = 4e-3}};
    const readouts_peak peak = extremes_peak(3, p, &c, &m, 1);
    assert_true(peak.time_s == 0.5 && peak.inflow_ml_s == 4 && peak.drop.value_pa == 22);
    assert_string_equal(peak.drop.from, "IN");
    assert_string_equal(peak.reynolds_at, "OUT"); /* 1000 * 0.4 m/s * 3.568 mm / 4 mPa s */
    assert_true(fabs(peak.reynolds - 356.82) < 0.01);
    assert_true(isnan(extremes_peak(3, p, &c, &(monitors){.n = 0}, 1).time_s));
    html h = {0};
    solution s = {.converged = true, .pulsatile = true, .unsteady_s = NAN};
    readouts r = {.pulsatile = true, .n_opening = 3, .place = p, .solution = &s, .velocity_max_m_s = NAN, .peak = peak};
    r.wss.mean = r.wss.max = NAN;
    report_add_brief(&h, &(report_input){.c = &c, .l = &one, .r = &r});
    assert_non_null(strstr(
        h.text, "at the peak of the pulse</td><td>0.240&nbsp;L/min after 0.500&nbsp;s; largest Reynolds number of "
                "an opening 357, at OUT; largest pressure drop 0.165&nbsp;mmHg (22.0&nbsp;Pa), IN to OUT"));
    html_free(&h);
    /* the curve over the cycle has the same pairs of openings: up to 22 Pa, not 902 Pa */
    lattice_opening three[3] = {{.name = "IN"}, {.name = "OUT"}, {.name = "OTHER"}};
    s.cycle_period_s = 1;
    h = (html){0};
    report_add_cycle(
        &h, &(report_input){.c = &c, .l = &(lattice){.n_opening = 3, .opening = three}, .r = &r, .monitors = &m});
    const char *drop = strstr(h.text, "Largest pressure difference between two openings");
    assert_non_null(drop);
    assert_non_null(strstr(drop, ">20</text>"));
    html_free(&h);
}

/* A closed branch has no new wall. */
static void test_treatment(void **state) {
    (void)state;
    html h = {0};
    solution s = {.converged = true, .unsteady_s = NAN};
    readouts r = {.solution = &s};
    char branch[] = "LEFT";
    case_treatment treat[] = {{.kind = TREAT_CLOSE, .diameter_mm = NAN, .from = {.branch = branch}},
                              {.kind = TREAT_DILATE, .diameter_mm = 8, .from = {.branch = branch}}};
    case_file c = {.n_treat = 2, .treat = treat};
    report_add_settings(&h, &(report_input){.c = &c, .l = &(lattice){.spacing_mm = 0.5}, .r = &r});
    assert_non_null(strstr(h.text, "closed branch LEFT</li>"));
    assert_non_null(strstr(h.text, "dilatation to 8.00&nbsp;mm LEFT; its wall is smooth and round</li>"));
    html_free(&h);
}

/* Instants side by side, at most eight of them, however many openings there are: it fits on paper. */
static void test_instants_fit(void **state) {
    enum { OPENINGS = 100, INSTANTS = 11 };
    (void)state;
    html h = {0};
    static place p[OPENINGS];
    static readouts at[INSTANTS];
    solution s = {.converged = true, .pulsatile = true, .unsteady_s = NAN};
    for (int k = 0; k < OPENINGS; k++)
        p[k] = (place){.name = "V", .role = LATTICE_OUTLET, .flow_ml_s = k};
    for (int k = 0; k < INSTANTS; k++)
        at[k] = (readouts){.n_opening = OPENINGS, .place = p, .time_s = 0.1 * k};
    readouts r = {
        .pulsatile = true, .n_opening = OPENINGS, .place = p, .solution = &s, .n_instant = INSTANTS, .instant = at};
    const report_input in = {.c = &the_case, .l = &one, .r = &r};
    report_add_readouts(&h, &in);
    int widest = 0, rows = 0;
    const char *row = strstr(h.text, "Instants of the cycle");
    assert_non_null(row);
    for (row = strstr(row, "<tr>"); row; row = strstr(row + 1, "<tr>"), rows++) {
        int cells = 0;
        const char *end = strstr(row, "</tr>");
        for (const char *c = row; (c = strstr(c + 1, "<t")) && c < end;)
            cells += c[2] == 'd' || c[2] == 'h';
        widest = cells > widest ? cells : widest;
    }
    assert_int_equal(widest, 9);
    assert_int_equal(rows, 2 * (1 + OPENINGS + 3));
    html_free(&h);
}

/* The Reynolds number of the table about the computation names its place; openings have their own. */
static void test_quality(void **state) {
    (void)state;
    html h = {0};
    solution s = {.converged = true, .unsteady_s = NAN, .reynolds = 468};
    readouts r = {.solution = &s};
    report_add_quality(&h, &(report_input){.l = &one, .r = &r});
    assert_non_null(strstr(h.text, "Reynolds number of the fastest cross-section, estimated before the computation"));
    html_free(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contour),      cmocka_unit_test(test_vessel),       cmocka_unit_test(test_chart),
        cmocka_unit_test(test_monitors),     cmocka_unit_test(test_flags),        cmocka_unit_test(test_given),
        cmocka_unit_test(test_unsteady),     cmocka_unit_test(test_brief),        cmocka_unit_test(test_peak),
        cmocka_unit_test(test_instants_fit), cmocka_unit_test(test_capacitances), cmocka_unit_test(test_mean_flow),
        cmocka_unit_test(test_given_many),   cmocka_unit_test(test_exact_split),  cmocka_unit_test(test_share_missed),
        cmocka_unit_test(test_treatment),    cmocka_unit_test(test_quality)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
