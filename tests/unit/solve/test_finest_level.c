/* SPDX-License-Identifier: Apache-2.0 */
/* When the grid sequence ends before its finest lattice: decisions from given results of the coarser runs. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "solve/start/finest_level.h"
#include "tests/unit/near.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* A vessel with two inlets and an outlet. %s: errors of the flows, block mesh, more keys of solve. */
static const char text[] = "space: LPS\n"
                           "segment: {method: labels, labels: {path: m.nii.gz}}\n"
                           "openings:\n"
                           "  - {name: A, role: inlet, point: [0, 0, 0], flow: 0.6 L/min%s}\n"
                           "  - {name: B, role: inlet, point: [9, 0, 0], flow: 0.4 L/min%s}\n"
                           "  - {name: C, role: outlet, point: [0, 0, 9], pressure: 0 mmHg}\n"
                           "mesh: {%s}\n"
                           "solve: {mode: steady, collision: trt%s}\n";

static case_file read_case(const char *error, const char *mesh, const char *more) {
    case_file c;
    char all[1000];
    const int n = snprintf(all, sizeof all, text, error, error, mesh, more);
    assert_int_equal(case_read_text(all, (size_t)n, "case.yaml", 0, &c), OK);
    return c;
}

/* Results of the coarser runs: pressures at A and B, Pa; C is at zero. */
typedef struct {
    double level2[2], level3[2], narrower[2], wider[2], flow_a[2], flow_b[2], blood[2];
} pressures;

/* A CT phantom: two levels differ by 5 %, flows are known to 70 %. */
static const pressures phantom = {{39.476, 49.417}, {41.585, 52.047}, {50.821, 64.557},
                                  {35.045, 43.132}, {24.441, 35.779}, {27.923, 30.872}};

static void set_result(grid_run *g, const double pressure_pa[2]) {
    g->result = cJSON_CreateObject();
    cJSON_AddTrueToObject(g->result, "converged");
    cJSON *openings = cJSON_AddObjectToObject(g->result, "openings");
    for (int k = 0; k < 3; k++)
        cJSON_AddNumberToObject(cJSON_AddObjectToObject(openings, k == 0   ? "A"
                                                                  : k == 1 ? "B"
                                                                           : "C"),
                                "pressure_pa", k < 2 ? pressure_pa[k] : 0);
}

static const char list[] =
    "{\"result\": {\"grid_sequence\": ["
    "{\"name\": \"level2\", \"lattice\": \"lattice_level2.h5\", \"surface\": \"surface_level2.vtp\", \"spacing_mm\": "
    "0.49, \"cells\": 2000, \"wall_shift_mm\": 0},"
    "{\"name\": \"level3\", \"lattice\": \"lattice_level3.h5\", \"spacing_mm\": 0.686, \"cells\": 1000, "
    "\"wall_shift_mm\": 0},"
    "{\"name\": \"narrower\", \"lattice\": \"n.h5\", \"spacing_mm\": 0.686, \"wall_shift_mm\": -0.2},"
    "{\"name\": \"wider\", \"lattice\": \"w.h5\", \"spacing_mm\": 0.686, \"wall_shift_mm\": 0.2}]}}";

/* Plans the runs; the caller frees *mesh after *a. */
static void plan(const case_file *c, cJSON **mesh, grid_sequence *a) {
    *mesh = cJSON_Parse(list);
    assert_non_null(*mesh);
    *a = (grid_sequence){0};
    grid_sequence_plan(c, *mesh, 0.35, a);
    a->cells = 5000;
}

static void fill(grid_sequence *a, const pressures *p) {
    for (int k = 0; k + 1 < a->n; k++) {
        const char *name = a->run[k].name;
        const double *value = strcmp(name, "level2") == 0     ? p->level2
                              : strcmp(name, "level3") == 0   ? p->level3
                              : strcmp(name, "narrower") == 0 ? p->narrower
                              : strcmp(name, "wider") == 0    ? p->wider
                              : strcmp(name, "flow_A") == 0   ? p->flow_a
                              : strcmp(name, "blood") == 0    ? p->blood
                                                              : p->flow_b;
        set_result(&a->run[k], value);
    }
}

static cJSON *record;   /* copy of the last decision's record; NULL: none */
static double accepted; /* finest_level_accepted_error of the last decision */

/* Decides; `spoil` (may be NULL) changes the results first. Returns whether the finest level is omitted. */
static bool choose(const char *error, const char *mesh_keys, const char *more, const pressures *p,
                   void (*spoil)(grid_sequence *)) {
    static grid_sequence a;
    case_file c = read_case(error, mesh_keys, more);
    cJSON *mesh;
    plan(&c, &mesh, &a);
    fill(&a, p);
    if (spoil)
        spoil(&a);
    assert_int_equal(finest_level_accepted_error(&c, &a, &accepted), OK);
    assert_int_equal(finest_level_choose(&c, &a), OK);
    const grid_run *last = &a.run[a.n - 1];
    const bool omitted = a.omits_finest;
    assert_string_equal(last->lattice, omitted ? "lattice_level2.h5" : "lattice.h5");
    assert_string_equal(last->name, "");
    assert_near(last->spacing_mm, omitted ? 0.49 : 0.35, 1e-12);
    assert_near(a.cells, omitted ? 2000 : 5000, 0);
    assert_string_equal(a.run[last->start].name, "level2");
    assert_string_equal(a.run[last->start_coarser].name, "level3");
    assert_true(last->start == a.n - 2); /* its checkpoint is the last one */
    assert_int_equal(a.run[last->start].start, last->start_coarser);
    cJSON_Delete(record);
    record = cJSON_Duplicate(a.accuracy, 1);
    grid_sequence_free(&a);
    cJSON_Delete(mesh);
    case_free(&c);
    return omitted;
}

static double recorded(const char *key) {
    return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(record, key));
}

/* A blood model that is unknown adds a run on the coarsest level. A large difference outweighs the lattice; a small one
 * does not. */
static void test_blood(void **state) {
    (void)state;
    const char *blood = "}\nblood: {model: unknown";
    static grid_sequence a;
    case_file c = read_case("", "", blood);
    cJSON *mesh;
    plan(&c, &mesh, &a);
    int found = -1;
    for (int k = 0; k < a.n; k++)
        found = a.run[k].blood ? k : found;
    assert_true(found > 0);
    assert_string_equal(a.run[found].name, "blood");
    assert_string_equal(a.run[found].lattice, "lattice_level3.h5");
    assert_int_equal(a.run[found].start, 0);
    assert_near(grid_sequence_tolerance(&a.run[found], 1e-6, false), 1e-5,
                1e-12); /* as a level: the change may be small */
    grid_sequence_free(&a);
    cJSON_Delete(mesh);
    case_free(&c);
    pressures p = phantom;
    p.blood[0] = 3 * p.level3[0];
    p.blood[1] = 3 * p.level3[1];
    assert_true(choose("", "", blood, &p, NULL));
    p.blood[0] = 1.01 * p.level3[0];
    p.blood[1] = 1.01 * p.level3[1];
    assert_false(choose("", "", blood, &p, NULL));
    assert_false(choose("", "", "", &phantom, NULL));
}

/* Flows known to 70 % outweigh 16 % of the lattice; known flows do not. */
static void test_auto(void **state) {
    (void)state;
    assert_true(choose(" +- 70 %", "", "", &phantom, NULL));
    /* by hand, B to C: f1 = 49.417, f2 = 52.047, e1 = f1 + (f1 - f2) / 0.96, part = 3 (f1 - e1) / e1 */
    const double e1 = 49.417 - 2.63 / 0.96, part = 3 * 2.63 / 0.96 / e1;
    assert_near(recorded("lattice"), part, 1e-6);
    const double image = 0.5 * (64.557 - 43.132) * e1 / 52.047, inputs = 1.4 * hypot(52.047 - 35.779, 52.047 - 30.872),
                 rest = hypot(image, inputs) / e1;
    assert_near(recorded("rest"), rest, 1e-6);
    assert_near(recorded("limit"), rest / 3, 1e-6);
    /* the other pressure drop, A to C, accepts less: its rest is smaller */
    const double e1_a = 39.476 - 2.109 / 0.96, image_a = 0.5 * (50.821 - 35.045) * e1_a / 41.585,
                 inputs_a = 1.4 * hypot(41.585 - 24.441, 41.585 - 27.923);
    assert_near(accepted, fmin(rest, hypot(image_a, inputs_a) / e1_a) / 3, 1e-6);
    assert_near(recorded("omitted_mm"), 0.35, 1e-12);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, "of")),
                        "pressure drop from 'B' to 'C'");
    pressures p = phantom; /* the runs lower a flow by 10 instead of 50 % */
    for (int k = 0; k < 2; k++) {
        p.flow_a[k] = p.level3[k] + 0.2 * (p.flow_a[k] - p.level3[k]);
        p.flow_b[k] = p.level3[k] + 0.2 * (p.flow_b[k] - p.level3[k]);
    }
    assert_false(choose(" +- 10 %", "", "", &p, NULL)); /* the wall gives 20 % */
    assert_true(recorded("lattice") > recorded("limit"));
    assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(record, "omitted_mm")));
}

/* With exact flows and wall the lattice may add 1 %, measured. */
static void test_exact(void **state) {
    (void)state;
    pressures p = {{40, 50}, {40.1, 50.1}, {40.1, 50.1}, {40.1, 50.1}, {0}, {0}};
    assert_true(choose("", "", "", &p, NULL));
    assert_near(recorded("limit"), 0.01, 1e-9);
    assert_near(accepted, 0.01, 1e-9);
    p.level2[0] = 39.8;
    assert_false(choose("", "", "", &p, NULL));
    assert_near(recorded("limit"), 0.01, 1e-9);
}

static void test_given(void **state) {
    (void)state;
    assert_true(choose("", "", ", accuracy: 20 %", &phantom, NULL));
    assert_near(recorded("requested"), 0.2, 1e-12);
    assert_near(accepted, 0.2, 1e-12);
    assert_false(choose(" +- 70 %", "", ", accuracy: 10 %", &phantom, NULL));
    assert_false(choose(" +- 70 %", "spacing: 0.35 mm", "", &phantom, NULL)); /* the user wants this lattice */
    assert_null(record);
    assert_false(choose(" +- 70 %", "cells_per_diameter: 18", "", &phantom, NULL));
    assert_true(choose(" +- 70 %", "spacing: 0.35 mm", ", accuracy: auto", &phantom, NULL));
}

static void make_unsteady(grid_sequence *a) {
    cJSON_AddObjectToObject(a->run[a->n - 2].result, "unsteady");
}

static void make_unconverged(grid_sequence *a) {
    cJSON_ReplaceItemInObjectCaseSensitive(a->run[0].result, "converged", cJSON_CreateFalse());
}

static void make_too_coarse(grid_sequence *a) {
    cJSON_AddTrueToObject(a->run[a->n - 2].result, "too_coarse");
}

static void lose_level(grid_sequence *a) {
    cJSON_Delete(a->run[0].result);
    a->run[0].result = NULL;
}

static void lose_moved_wall(grid_sequence *a) {
    for (int k = 1; k < 3; k++) {
        cJSON_Delete(a->run[k].result);
        a->run[k].result = NULL;
    }
}

static void lose_flow(grid_sequence *a) {
    for (int k = 3; k + 2 < a->n; k++) {
        cJSON_Delete(a->run[k].result);
        a->run[k].result = NULL;
    }
}

/* A level without a steady result gives no decision; an unknown part of the interval counts as 0. */
static void test_spoiled(void **state) {
    (void)state;
    void (*const spoil[])(grid_sequence *) = {make_unsteady, make_unconverged, make_too_coarse, lose_level};
    for (size_t k = 0; k < sizeof spoil / sizeof *spoil; k++) {
        assert_false(choose(" +- 70 %", "", "", &phantom, spoil[k]));
        assert_null(record);
    }
    assert_true(choose(" +- 70 %", "", "", &phantom, lose_moved_wall));
    assert_false(choose(" +- 70 %", "", "", &phantom, lose_flow));
}

/* A pressure drop that changes its sign with the spacing, but is small, does not decide. */
static void test_small(void **state) {
    (void)state;
    pressures p = phantom;
    p.level2[0] = 0.4;
    p.level3[0] = -0.4;
    assert_true(choose(" +- 70 %", "", "", &p, NULL));
}

/* What is expected before a run: as the phantom's results decide. */
static void test_expected(void **state) {
    (void)state;
    static grid_sequence a;
    finest_level_vessel v = {29.6, 24, 0.3436, 8.25, 0.214};
    const struct {
        const char *error, *more;
        double cell_reynolds;
        bool omits;
    } row[] = {{" +- 70 %", "", 29.6, true},
               {" +- 10 %", "", 29.6, false},
               {"", ", accuracy: 20 %", 29.6, true},
               {"", ", accuracy: 5 %", 29.6, false},
               {" +- 70 %", "", 110, false}}; /* TOO COARSE */
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        case_file c = read_case(row[k].error, "", row[k].more);
        a = (grid_sequence){0};
        grid_sequence_expect(&c, 0.3436, &a);
        v.cell_reynolds = row[k].cell_reynolds;
        finest_level_expect(&c, &v, &a);
        assert_int_equal(a.omits_finest, row[k].omits);
        double work = 0;
        for (int i = 0; i < a.n; i++)
            work += grid_sequence_work(&a, i);
        print_message("expected work %.2f\n", work);
        assert_true(a.omits_finest ? work < 1.5 : work > 1.5);
        grid_sequence_free(&a);
        case_free(&c);
    }
}

/* Without coarser levels a hundredth of the value is accepted. */
static void test_alone(void **state) {
    (void)state;
    case_file c = read_case(" +- 70 %", "", "");
    static grid_sequence a;
    grid_sequence_plan(&c, NULL, 0.35, &a);
    assert_int_equal(a.n, 1);
    assert_int_equal(finest_level_accepted_error(&c, &a, &accepted), OK);
    assert_near(accepted, 0.01, 1e-12);
    grid_sequence_free(&a);
    case_free(&c);
}

/* Two outlets whose resistances are known to 20 %; %s: the readout. */
static const char liver_text[] =
    "space: LPS\n"
    "segment: {method: labels, labels: {path: m.nii.gz}}\n"
    "openings:\n"
    "  - {name: A, role: inlet, point: [0, 0, 0], flow: 0.6 L/min}\n"
    "  - {name: B, role: outlet, point: [9, 0, 0], resistance: {value: 9 mmHg min/L +- 20 %%, distal: 5 mmHg}}\n"
    "  - {name: C, role: outlet, point: [0, 0, 9], resistance: {value: 9 mmHg min/L +- 20 %%, distal: 5 mmHg}}\n"
    "  - {name: D, role: outlet, point: [0, 9, 9], pressure: 5 mmHg}\n"
    "solve: {mode: steady, collision: trt}\n"
    "%s";

/* Part of inputs and image that is recorded if each lower resistance lowers the pressure at A by 2 Pa. */
static double rest_of(const char *readout) {
    static grid_sequence a;
    case_file c;
    char all[1000];
    cJSON *mesh;
    const int n = snprintf(all, sizeof all, liver_text, readout);
    assert_int_equal(case_read_text(all, (size_t)n, "case.yaml", 0, &c), OK);
    plan(&c, &mesh, &a);
    for (int k = 0; k + 1 < a.n; k++) {
        const bool lower = strncmp(a.run[k].name, "flow", 4) == 0;
        set_result(&a.run[k], (const double[]){strcmp(a.run[k].name, "level2") == 0 ? 50 : lower ? 48.1 : 50.1, 0});
        cJSON *openings = cJSON_GetObjectItemCaseSensitive(a.run[k].result, "openings");
        cJSON_AddNumberToObject(cJSON_AddObjectToObject(openings, "D"), "pressure_pa", 0);
    }
    assert_int_equal(finest_level_choose(&c, &a), OK);
    cJSON_Delete(record);
    record = cJSON_Duplicate(a.accuracy, 1);
    grid_sequence_free(&a);
    cJSON_Delete(mesh);
    case_free(&c);
    return recorded("rest") * (50 - 0.1 / 0.96);
}

/* Resistances of one liver have one error: their parts add, and independent ones in quadrature. */
static void test_liver(void **state) {
    (void)state;
    assert_near(rest_of(""), hypot(2, 2), 0.01);
    assert_near(rest_of("readouts:\n  - {ppg: {portal: A, cava: D, liver: {model: outlets}}}\n"), 4, 0.01);
}

/* Each uncertain pressure of a split adds a run that raises the resistances. The tolerance of the run follows from the
 * relative change of the pressure drop behind the outlets. The effect of the pressure counts as uncertainty of inputs:
 * here 1 Pa by 150 of 300 Pa, and 0.5 Pa by 50 of 100 Pa. */
static void test_split(void **state) {
    static const char split_text[] =
        "space: LPS\nsegment: {method: labels, labels: {path: m.nii.gz}}\nopenings:\n"
        "  - {name: A, role: inlet, point: [0, 0, 0], flow: 0.6 L/min}\n"
        "  - {name: B, role: outlet, point: [9, 0, 0]}\n  - {name: C, role: outlet, point: [0, 0, 9]}\n"
        "split: {murray: 3, mean_pressure: 2000 Pa +- 300 Pa, distal: 800 Pa +- 100 Pa}\n"
        "solve: {collision: trt}\n";
    static grid_sequence a;
    case_file c;
    cJSON *mesh;
    int found = 0;
    (void)state;
    assert_int_equal(case_read_text(split_text, strlen(split_text), "case.yaml", 0, &c), OK);
    plan(&c, &mesh, &a);
    for (int k = 0; k < a.n; k++) {
        const grid_run *g = &a.run[k];
        if (g->split_pressure < 0)
            continue;
        const bool mean = g->split_pressure == SPLIT_MEAN_PRESSURE;
        found++;
        assert_string_equal(g->name, mean ? "split_mean_pressure" : "split_distal");
        assert_string_equal(g->lattice, "lattice_level3.h5");
        assert_near(g->pressure_change_pa, mean ? 150 : -50, 1e-9);
        assert_near(grid_sequence_tolerance(g, 1e-6, false), 1e-4, 1e-12);
        assert_near(grid_sequence_tolerance(g, 1e-6, true), mean ? 5e-4 : 5e-3 * 50 / 1200, 1e-12);
    }
    assert_int_equal(found, 2);
    for (int k = 0; k + 1 < a.n; k++) {
        const char *name = a.run[k].name;
        const double change = strcmp(name, "split_distal") == 0 ? 0.5 : strncmp(name, "split", 5) == 0 ? 1 : 0;
        set_result(&a.run[k], (const double[]){strcmp(name, "level2") == 0 ? 50 : 50.1 + change, 0});
    }
    assert_int_equal(finest_level_choose(&c, &a), OK);
    cJSON_Delete(record);
    record = cJSON_Duplicate(a.accuracy, 1);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, "of")),
                        "pressure drop from 'A' to 'B'");
    assert_near(recorded("rest") * (50 - 0.1 / 0.96), hypot(2, 1), 1e-6);
    assert_true(a.omits_finest);
    grid_sequence_free(&a);
    cJSON_Delete(mesh);
    case_free(&c);
}

/* Every outlet whose pressure follows from the flow counts: here the lattices differ by 10 Pa of 50 at C alone. */
static void test_second_outlet(void **state) {
    static const char two_outlets[] =
        "space: LPS\nsegment: {method: labels, labels: {path: m.nii.gz}}\nopenings:\n"
        "  - {name: A, role: inlet, point: [0, 0, 0], %s}\n"
        "  - {name: B, role: outlet, point: [9, 0, 0], resistance: {value: 9 mmHg min/L, distal: 5 mmHg}}\n"
        "  - {name: C, role: outlet, point: [0, 0, 9], resistance: {value: 9 mmHg min/L, distal: 5 mmHg}}\n"
        "solve: {collision: trt}\n";
    static const char *const inlet[] = {"flow: 0.6 L/min", "resistance: {value: 9 mmHg min/L, source: 20 mmHg}"};
    (void)state;
    for (int given = 0; given < 2; given++) {
        static grid_sequence a;
        case_file c;
        cJSON *mesh;
        char all[1000];
        const int n = snprintf(all, sizeof all, two_outlets, inlet[given]);
        assert_int_equal(case_read_text(all, (size_t)n, "case.yaml", 0, &c), OK);
        plan(&c, &mesh, &a);
        for (int k = 0; k + 1 < a.n; k++) {
            set_result(&a.run[k], (const double[]){50, 0});
            cJSON *at = cJSON_GetObjectItem(cJSON_GetObjectItem(a.run[k].result, "openings"), "C");
            cJSON_SetNumberValue(cJSON_GetObjectItem(at, "pressure_pa"), strcmp(a.run[k].name, "level2") == 0 ? 10 : 0);
        }
        assert_int_equal(finest_level_choose(&c, &a), OK);
        assert_false(a.omits_finest);
        if (given == 0)
            assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(a.accuracy, "of")),
                                "pressure drop from 'A' to 'C'");
        grid_sequence_free(&a);
        cJSON_Delete(mesh);
        case_free(&c);
    }
}

/* Results of inputs that are no longer uncertain are removed, with their fields; planned ones stay. */
static void test_clean(void **state) {
    (void)state;
    static grid_sequence a;
    static const char *const stale[] = {"porous_P.json", "fields_porous_P.vtkhdf", "flow_B.json", "split_distal.json"},
                             *const kept[] = {"flow_A.json", "porous_Q.json", "solve.json"};
    case_porous porous[] = {{.name = "P"}, {.name = "Q"}};
    case_opening opening[] = {{.name = "A"}, {.name = "B"}};
    const case_file c = {.n_porous = 2, .porous = porous, .n_opening = 2, .opening = opening};
    a.n = 2;
    strcpy(a.run[0].name, "flow_A");
    strcpy(a.run[1].name, "porous_Q");
    for (int k = 0; k < 4; k++)
        temp_text(stale[k], "{}");
    for (int k = 0; k < 3; k++)
        temp_text(kept[k], "{}");
    grid_sequence_clean(&a, &c, temp_path("."));
    for (int k = 0; k < 4; k++)
        assert_false(file_exists(temp_path(stale[k])));
    for (int k = 0; k < 3; k++)
        assert_true(file_exists(temp_path(kept[k])));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_auto),     cmocka_unit_test(test_blood),   cmocka_unit_test(test_exact),
        cmocka_unit_test(test_given),    cmocka_unit_test(test_spoiled), cmocka_unit_test(test_small),
        cmocka_unit_test(test_expected), cmocka_unit_test(test_liver),   cmocka_unit_test(test_alone),
        cmocka_unit_test(test_clean),    cmocka_unit_test(test_split),   cmocka_unit_test(test_second_outlet)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cJSON_Delete(record);
    return failed;
}
