/* SPDX-License-Identifier: Apache-2.0 */
/* case.yaml read: every key arrives, defaults, spaces. */
#include "common/case/case.h"
#include "common/base/file.h"
#include "common/lattice/lattice.h"
#include "common/base/status.h"
#include "tests/unit/near.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static case_file c;

static void read_case(const char *text) {
    status_clear();
    int rc = case_read_text(text, strlen(text), "patients/p1/case.yaml", 0, &c);
    if (rc != OK)
        fail_msg("%s", status_message());
}

/* Every key of a patient's case. */
static const char *const patient =
    "name: Portal example, 2nd scan\n"
    "space: LPS\n"
    "image: {path: images/dicom, series: 1.2.840.99}\n"
    "segment:\n"
    "  method: level-set\n"
    "  seeds: [[12.1, -40.2, 8.0], [1, 2, 3]]\n"
    "  vessel: dark\n"
    "  smoothing: 0.05 cm\n"
    "  edge: {low: 10, high: 55.5}\n"
    "  weights: {propagation: -2, curvature: 0.5, advection: 3}\n"
    "  threshold: {low: -100, high: 300}\n"
    "  iterations: 250\n"
    "  max_volume: 0.2 L\n"
    "openings:\n"
    "  - {name: SMV, role: inlet, point: [1, 2, 3], normal: [0, 3, -4], flow: 0.6 L/min, extension: 1 cm, radius: 7 "
    "mm, "
    "profile: parabolic}\n"
    "  - {name: SV, role: inlet, point: [4, 5, 6], normal: auto, flow: {waveform: flow/sv.csv}}\n"
    "  - name: IMV\n"
    "    role: inlet\n"
    "    point: [4, 5, 7]\n"
    "    velocity: {peak: 10 cm/s, profile: plug}\n"
    "  - {name: LGV, role: inlet, point: [4, 5, 8], velocity: {mean: 0.05 m/s}}\n"
    "  - {name: RPV, role: outlet, point: [7, 8, 9], pressure: 2 mmHg}\n"
    "  - {name: LPV, role: outlet, point: [7, 9, 9], developed: true}\n"
    "  - {name: L3, role: outlet, point: [7, 9, 19], flow: 100 mL/min}\n"
    "sections:\n"
    "  - {name: PV, point: [6, 8, 9], normal: auto}\n"
    "  - {name: PV.2, point: [6, 8, 10], normal: [0, 0, 2]}\n"
    "blood: {density: 1.05 g/cm3, viscosity: 4 cP}\n"
    "mesh: {spacing: 0.4 mm}\n"
    "solve: {mode: pulsatile, wall: vlbm, collision: bgk, precision: double, tolerance: 1e-7, max_steps: 5000,\n"
    "  max_lattice_velocity: 0.05, tau: 0.7, cycles: 4, stores: 30, period: 0.9 s,\n"
    "  force: {vector: [0, 0, 9.81], unit: m/s2}, monitor_every: 50, checkpoint: 2 min, accept_unconverged: true}\n"
    "readouts:\n"
    "  - {pressure_drop: {from: SMV, to: PV}}\n"
    "  - ppg: {portal: PV, cava: RPV, liver: {model: resistance, value: 4.0 mmHg min/L}}\n"
    "  - ppg: {portal: PV.2}\n";

static void test_names_and_segment(void **state) {
    (void)state;
    read_case(patient);
    assert_string_equal(c.path, "patients/p1/case.yaml");
    assert_string_equal(c.folder, "patients/p1");
    assert_string_equal(c.name, "Portal example, 2nd scan");
    assert_int_equal(c.space, SPACE_LPS);
    assert_string_equal(c.image.path, "images/dicom");
    assert_string_equal(c.image.series, "1.2.840.99");
    assert_int_equal(c.segment.method, METHOD_LEVEL_SET);
    assert_int_equal(c.segment.n_seed, 2);
    assert_true(c.segment.seed[0][1] == -40.2 && c.segment.seed[1][2] == 3);
    assert_int_equal(c.segment.vessel, VESSEL_DARK);
    assert_near(c.segment.smoothing_mm, 0.5, 1e-12);
    assert_true(c.segment.edge_low == 10 && c.segment.edge_high == 55.5);
    assert_true(c.segment.propagation == -2 && c.segment.curvature == 0.5 && c.segment.advection == 3);
    assert_true(c.segment.threshold_low == -100 && c.segment.threshold_high == 300);
    assert_int_equal(c.segment.iterations, 250);
    assert_near(c.segment.max_volume_ml, 200, 1e-9);
    case_free(&c);
    case_free(&c);
}

static void test_openings(void **state) {
    (void)state;
    read_case(patient);
    const case_opening *o = c.opening;
    assert_int_equal(c.n_opening, 7);
    assert_string_equal(o[0].name, "SMV");
    assert_true(o[0].role == ROLE_INLET && o[0].condition == CONDITION_FLOW && o[0].profile == PROFILE_PARABOLIC);
    assert_near(o[0].value, 1e-5, 1e-18);
    assert_true(!o[0].normal_auto && o[0].point[2] == 3 && o[0].line == 15);
    assert_near(o[0].normal[1], 0.6, 1e-15);
    assert_near(o[0].normal[2], -0.8, 1e-15);
    assert_true(o[0].extension_mm == 10 && o[0].radius_mm == 7);
    assert_true(o[1].condition == CONDITION_WAVEFORM && o[1].normal_auto && isnan(o[1].radius_mm));
    assert_string_equal(o[1].waveform, "flow/sv.csv");
    assert_true(o[1].profile == PROFILE_DEVELOPED && o[1].extension_mm == 0);
    assert_true(o[2].condition == CONDITION_VELOCITY_PEAK && o[2].profile == PROFILE_PLUG && o[2].line == 17);
    assert_near(o[2].value, 0.1, 1e-15);
    assert_true(o[3].condition == CONDITION_VELOCITY_MEAN && o[3].value == 0.05);
    assert_true(o[4].role == ROLE_OUTLET && o[4].condition == CONDITION_PRESSURE);
    assert_near(o[4].value, 266.64477483, 1e-9);
    assert_true(o[5].condition == CONDITION_DEVELOPED);
    assert_true(o[6].condition == CONDITION_FLOW);
    assert_near(o[6].value, 1e-4 / 60, 1e-18);
    assert_int_equal(c.n_section, 2);
    assert_string_equal(c.section[1].name, "PV.2");
    assert_true(c.section[0].normal_auto && !c.section[1].normal_auto && c.section[1].normal[2] == 1);
    case_free(&c);
}

/* Patient with one text replaced; false: refused. */
static bool read_with(const char *from, const char *to) {
    char text[8192];
    const char *at = strstr(patient, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - patient), patient, to, at + strlen(from));
    status_clear();
    return case_read_text(text, strlen(text), "case.yaml", 0, &c) == OK;
}

/* "+- 10 %": of a flow, a velocity and the liver's resistance, as a part or in a unit. */
/* Spellings of the stages of a liver. Assumed stages are called so, unless the case gives what they would change. */
static void check_liver_stages(void) {
    static const struct {
        const char *text;
        enum lobule_stage stage;
        const char *shown;
    } row[] = {{"healthy", LOBULE_HEALTHY, "lobule law, healthy liver, "},
               {"F0", LOBULE_HEALTHY, "lobule law, healthy liver, "},
               {"F1", LOBULE_F1, "lobule law, stage F1 (an assumption), "},
               {"F2", LOBULE_F2, "lobule law, stage F2 (an assumption), "},
               {"F3", LOBULE_F3, "lobule law, stage F3 (an assumption), "},
               {"F4", LOBULE_CIRRHOSIS, "lobule law, cirrhotic liver, "},
               {"cirrhosis", LOBULE_CIRRHOSIS, "lobule law, cirrhotic liver, "},
               {"Child A", LOBULE_CHILD_A, "lobule law, stage Child A (an assumption), "},
               {"Child B", LOBULE_CHILD_B, "lobule law, stage Child B (an assumption), "},
               {"Child C", LOBULE_CHILD_C, "lobule law, stage Child C (an assumption), "},
               {"F2, permeability: 1e-14 m2", LOBULE_F2, "lobule law, stage F2, "}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char to[200], law[CASE_LIVER];
        snprintf(to, sizeof to, "model: lobules, volume: 1.5 L, stage: %s", row[k].text);
        assert_true(read_with("model: resistance, value: 4.0 mmHg min/L", to));
        const case_readout *o = &c.readout[1];
        assert_int_equal(o->liver_stage, row[k].stage);
        case_write_liver(o, "+-", law);
        if (strncmp(law, row[k].shown, strlen(row[k].shown)) != 0)
            fail_msg("%s: %s", row[k].text, law);
        assert_int_equal(case_stage_is_assumed(o), strstr(row[k].shown, "assumption") != NULL);
        const double radius_mm = lobule_default_liver(row[k].stage).radius_mm.value;
        assert_true(o->lobules.radius_mm.value == radius_mm && o->liver_resistance > 0);
        case_free(&c);
    }
}

/* The rest of a liver conducts as much less as it is smaller: R / (1 - share), and so do the ends of the interval. */
static void test_lost_share(void **state) {
    (void)state;
    static const char from[] = "model: resistance, value: 4.0 mmHg min/L";
    const double unit = 133.322387415 * 6e4;
    assert_true(read_with(from, "model: resistance, value: 4.0 mmHg min/L +- 25 %, lost_share: 60 %"));
    assert_near(c.readout[1].liver_resistance, 10 * unit, 1e-3);
    assert_near(c.readout[1].liver_error, 2.5 * unit, 1e-3);
    case_free(&c);
    assert_true(read_with(from, "model: resistance, value: 4.0 mmHg min/L, lost_share: 60 % +- 25 %"));
    assert_near(c.readout[1].liver_error, 0.5 * (4 / 0.25 - 4 / 0.55) * unit, 1e-3);
    case_free(&c);
    assert_true(read_with(from, "model: lobules, volume: 2 L, stage: healthy"));
    const double whole = c.readout[1].liver_resistance, error = c.readout[1].liver_error;
    case_free(&c);
    assert_true(read_with(from, "model: lobules, volume: 2 L, stage: healthy, lost_share: 50 %"));
    assert_near(c.readout[1].liver_resistance / whole, 2, 1e-12);
    assert_near(c.readout[1].liver_error / error, 2, 1e-12);
    case_free(&c);
    assert_true(isnan((read_case(patient), c.readout[1].lost_share.value)));
    case_free(&c);
}

static void test_errors(void **state) {
    (void)state;
    static const char *const bad[] = {
        "flow: 0.6 L/min +- 10",   "flow: 0.6 L/min +- ", "flow: 0.6 L/min +- -1 %",  "flow: 0.6 L/min +- 0.7 L/min",
        "flow: 0.6 L/min +- 1 mm", "flow: +- 10 %",       "flow: 0.6 L/min +- 0x5 %", "flow: 0.6 L/min +- nan %"};
    static const char *const good[] = {"flow: 0.6 L/min +- 10 %", "flow: 0.6 L/min +- 60 mL/min",
                                       "flow: 0.6 L/min \u00b1 10%", "flow: 0.6 L/min+/-10 %"};
    read_case(patient);
    assert_true(c.opening[0].value_error == 0 && c.readout[1].liver_error == 0);
    case_free(&c);
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        assert_true(read_with("flow: 0.6 L/min", good[k]));
        assert_near(c.opening[0].value, 1e-5, 1e-18);
        assert_near(c.opening[0].value_error, 1e-6, 1e-17);
        case_free(&c);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(read_with("flow: 0.6 L/min", bad[k]));
    assert_true(read_with("peak: 10 cm/s", "peak: 10 cm/s +- 2 cm/s"));
    assert_near(c.opening[2].value_error, 0.02, 1e-15);
    case_free(&c);
    assert_true(read_with("value: 4.0 mmHg min/L", "value: 4.0 mmHg min/L +- 25 %"));
    assert_near(c.readout[1].liver_error, 133.322387415 * 6e4, 1e-3);
    case_free(&c);
    assert_true(read_with("model: resistance, value: 4.0 mmHg min/L",
                          "model: lobules, volume: 1.5 L, stage: cirrhosis, "
                          "permeability: 0.0156 um2 +- 50 %"));
    assert_true(c.readout[1].liver_lobules && c.readout[1].lobules_given[LOBULE_PERMEABILITY]);
    assert_near(c.readout[1].lobules.permeability_m2.error, 0.78e-14, 1e-20);
    double error;
    assert_true(!c.readout[1].lobules_given[LOBULE_RADIUS] && c.readout[1].lobules.viscosity_pa_s.value == 4e-3);
    assert_true(c.readout[1].liver_resistance == lobule_resistance(&c.readout[1].lobules, &error));
    assert_true(c.readout[1].liver_error == error && error > 0);
    case_free(&c);
    check_liver_stages();
    assert_true(
        read_with("cava: RPV, liver: {model: resistance, value: 4.0 mmHg min/L",
                  "liver: {model: compartments, labels: {path: l.nii.gz, values: [3, 4]}, stage: healthy, "
                  "hepatic_pressure: 5 mmHg, hepatic_veins: [[1, 2, 3], [4, 5, 6]], portal_permeability: 1e-9 m2"));
    const case_compartments *veins = c.readout[1].compartments;
    assert_true(c.readout[1].liver_lobules && isnan(c.readout[1].liver_resistance) && veins);
    assert_true(case_find_liver_labels(&c) == &c.readout[1] && strcmp(case_liver_path(&c), "l.nii.gz") == 0);
    assert_true(c.readout[1].liver_labels.n == 2 && c.readout[1].liver_labels.value[1] == 4 && veins->n_end == 2);
    assert_true(veins->end[0][2] == 3 && veins->end[1][0] == 4);
    assert_true(veins->permeability_given[0] && !veins->permeability_given[1]);
    assert_near(veins->hepatic_pa, 5 * 133.322387415, 1e-9);
    case_free(&c);
    assert_true(read_with("model: resistance, value: 4.0 mmHg min/L",
                          "model: lobules, labels: {path: l.nii.gz, values: [5]}, stage: healthy"));
    assert_true(c.readout[1].liver_lobules && !c.readout[1].compartments && isnan(c.readout[1].liver_resistance));
    assert_true(!c.readout[1].lobules_given[LOBULE_VOLUME] && strcmp(case_liver_path(&c), "l.nii.gz") == 0);
    assert_true(c.readout[1].liver_labels.n == 1 && c.readout[1].liver_labels.value[0] == 5);
    char law[CASE_LIVER];
    c.readout[1].lobules.volume_ml = (lobule_quantity){1523.4, 76.2};
    c.readout[1].lobules_given[LOBULE_VOLUME] = true;
    assert_non_null(
        strstr(case_write_liver(&c.readout[1], "+-", law), "liver volume from the label image 1523 mL +- 76 mL; "));
    case_free(&c);
    assert_false(read_with("pressure: 2 mmHg", "pressure: 2 mmHg +- 10 %"));
    assert_true(read_with("pressure: 2 mmHg", "resistance: {value: 5 mmHg min/L, distal: 2 mmHg +- 3 mmHg}"));
    bool found = false;
    for (int k = 0; k < c.n_opening; k++)
        found |= fabs(c.opening[k].distal_error - 3 * 133.322387415) < 1e-6 && c.opening[k].value_error == 0;
    assert_true(found);
    case_free(&c);
    assert_true(read_with("pressure: 2 mmHg", "windkessel: {proximal: 1 mmHg min/L, capacitance: 0.5 mL/mmHg +- 20 %, "
                                              "distal_resistance: 9 mmHg min/L, distal: 2 mmHg}"));
    for (int k = 0; k < c.n_opening; k++)
        if (c.opening[k].condition == CONDITION_WINDKESSEL) {
            char text[CASE_MODEL];
            assert_near(c.opening[k].capacitance_error, 0.1e-6 / 133.322387415, 1e-15);
            assert_true(c.opening[k].value_error == 0 && c.opening[k].distal_error == 0);
            assert_non_null(
                strstr(case_write_model(&c, &c.opening[k], "+-", text), "capacitance 0.5 mL/mmHg +- 20 %,"));
            found = false;
        }
    assert_false(found);
    case_free(&c);
    status_clear();
}

static void test_blood_solve_readouts(void **state) {
    (void)state;
    read_case(patient);
    assert_near(c.blood.density_kg_m3, 1050, 1e-9);
    assert_near(c.blood.viscosity_pa_s, 4e-3, 1e-15);
    assert_true(c.mesh.spacing_mm == 0.4 && isnan(c.mesh.cells_per_diameter) && !c.mesh.has_shape);
    assert_true(c.solve.mode == MODE_PULSATILE && c.solve.wall == WALL_VLBM && c.solve.collision == COLLISION_BGK);
    assert_true(c.solve.precision == PRECISION_DOUBLE && c.solve.tolerance == 1e-7 && c.solve.max_steps == 5000);
    assert_true(c.solve.max_lattice_velocity == 0.05 && c.solve.tau == 0.7 && isnan(c.solve.dt_s));
    assert_true(c.solve.cycles == 4 && c.solve.stores == 30 && c.solve.period_s == 0.9);
    assert_true(c.solve.force_m_s2[2] == 9.81 && c.solve.force_m_s2[0] == 0);
    assert_true(c.solve.monitor_every == 50 && c.solve.checkpoint_s == 120 && c.solve.accept_unconverged);
    assert_int_equal(c.n_readout, 3);
    assert_int_equal(c.readout[0].kind, READOUT_PRESSURE_DROP);
    assert_string_equal(c.readout[0].from, "SMV");
    assert_string_equal(c.readout[0].to, "PV");
    assert_true(isnan(c.readout[0].liver_resistance));
    assert_int_equal(c.readout[1].kind, READOUT_PPG);
    assert_string_equal(c.readout[1].cava, "RPV");
    assert_near(c.readout[1].liver_resistance, 4 * 133.322387415 * 6e4, 1e-3);
    assert_true(c.readout[2].cava == NULL && isnan(c.readout[2].liver_resistance));
    case_free(&c);
}

static void test_defaults(void **state) {
    (void)state;
    read_case("segment: {surface: {path: a.stl, frame: RAS, unit: cm}}\n"
              "openings:\n- {name: a, role: inlet, point: [0,0,0], flow: 1 mL/s}\n"
              "- {name: b, role: outlet, point: [0,0,9], developed: true}\n");
    assert_string_equal(c.name, "case");
    assert_int_equal(c.space, SPACE_RAS);
    assert_null(c.image.path);
    assert_int_equal(c.segment.method, METHOD_SURFACE); /* from the only block given */
    assert_true(c.segment.surface_unit_mm == 10 && c.segment.surface_space == SPACE_RAS);
    assert_true(isnan(c.segment.smoothing_mm) && isnan(c.segment.edge_low) && isnan(c.segment.propagation));
    assert_true(isnan(c.segment.threshold_high) && isnan(c.segment.max_volume_ml) && c.segment.iterations == 0);
    assert_true(c.segment.vessel == VESSEL_AUTO);
    assert_true(c.blood.density_kg_m3 == 1060 && c.blood.viscosity_pa_s == 3.5e-3);
    assert_true(isnan(c.mesh.spacing_mm) && isnan(c.mesh.cells_per_diameter) && isnan(c.mesh.max_cells));
    assert_int_equal(c.mesh.grid_levels, 3);
    assert_true(c.solve.mode == MODE_STEADY && c.solve.wall == WALL_INTERPOLATED);
    assert_true(c.solve.collision == COLLISION_CUMULANT && c.solve.collision_is_auto);
    assert_true(c.solve.precision == PRECISION_FLOAT && c.solve.tolerance == 1e-6 && c.solve.max_steps == 0);
    assert_true(isnan(c.solve.max_lattice_velocity) && isnan(c.solve.tau) && isnan(c.solve.period_s));
    assert_true(c.solve.cycles == 3 && c.solve.stores == 20 && c.solve.checkpoint_s == 60 &&
                !c.solve.accept_unconverged);
    assert_true(c.n_section == 0 && c.n_readout == 0);
    case_free(&c);
    read_case("segment: {labels: {path: a.nii, values: [64, 7]}}\nspace: voxel\n"
              "openings:\n- {name: a, role: outlet, point: [0,0,0], pressure: 1 kPa}\n"
              "- {name: b, role: outlet, point: [0,0,9], pressure: 0 Pa}\n");
    assert_true(c.segment.method == METHOD_LABELS && c.segment.n_label_value == 2 && c.segment.label_value[1] == 7);
    assert_int_equal(c.space, SPACE_VOXEL);
    case_free(&c);
}

/* Lattices of a case that does not say how many. */
static int grid_levels_of(const char *mesh, const char *solve) {
    char text[1000];
    snprintf(text, sizeof text,
             "%s\n%s\nopenings:\n- {name: a, role: inlet, point: [0,0,0], flow: {waveform: a.csv}}\n"
             "- {name: b, role: outlet, point: [0,0,9], developed: true}\n",
             mesh, solve);
    read_case(text);
    const int levels = c.mesh.grid_levels;
    case_free(&c);
    return levels;
}

/* Every readout of a vessel gets its interval, where a grid sequence can give one. */
static void test_ladder(void **state) {
    (void)state;
    static const char *const vessel = "segment: {labels: {path: a.nii}}",
                             *const exact = "mesh: {shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 9], radius: "
                                            "3 mm}, box: {low: [-4, -4, 0], high: [4, 4, 9]}}";
    assert_int_equal(grid_levels_of(vessel, ""), 3);
    assert_int_equal(grid_levels_of(vessel, "mesh: {grid_levels: 1}"), 1);
    assert_int_equal(grid_levels_of(vessel, "mesh: {grid_levels: 3, fast: true}"), 1);
    assert_int_equal(grid_levels_of(vessel, "solve: {mode: pulsatile}"), 2); /* its mean flow, on a coarser one */
    assert_int_equal(grid_levels_of(vessel, "solve: {wall: vlbm}"), 1);
    assert_int_equal(grid_levels_of(exact, ""), 1);
}

/* Collision auto: cumulants only where the solver has them. A collision in the case is kept. */
static void test_collision(void **state) {
    (void)state;
    static const struct {
        const char *solve;
        int collision;
        bool is_auto;
    } each[] = {{"{}", COLLISION_CUMULANT, true},
                {"{collision: auto, precision: double}", COLLISION_CUMULANT, true},
                {"{mode: pulsatile}", COLLISION_TRT, true},
                {"{wall: vlbm}", COLLISION_TRT, true},
                {"{opening: zou-he}", COLLISION_TRT, true},
                {"{precision: half}", COLLISION_TRT, true},
                {"{heat: {diffusivity: 1e-7 m2/s}}\nwalls: [{name: w, temperature: 37 degC}]", COLLISION_TRT, true},
                {"{collision: trt}", COLLISION_TRT, false},
                {"{collision: cumulant}", COLLISION_CUMULANT, false},
                {"{collision: bgk}", COLLISION_BGK, false}};
    char text[400];
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        snprintf(text, sizeof text,
                 "segment: {labels: {path: a.nii}}\nsolve: %s\nopenings:\n"
                 "- {name: a, role: inlet, point: [0,0,0], flow: %s}\n"
                 "- {name: b, role: outlet, point: [0,0,9], pressure: 0 Pa}\n",
                 each[k].solve,
                 strstr(each[k].solve, "pulsatile") ? "{waveform: flow/a.csv}"
                 : strstr(each[k].solve, "heat")    ? "1 mL/s, temperature: 37 degC"
                                                    : "1 mL/s");
        read_case(text);
        assert_int_equal(c.solve.collision, each[k].collision);
        assert_int_equal(c.solve.collision_is_auto, each[k].is_auto);
        case_free(&c);
    }
}

/* Mixes of states in half would keep its rounding. */
static void test_half(void **state) {
    (void)state;
    static const char *const ends = "\nopenings:\n- {name: a, role: inlet, point: [0,0,0], flow: 1 mL/s}\n"
                                    "- {name: b, role: outlet, point: [0,0,9], developed: true}\n";
    char text[1000];
    for (int half = 0; half < 2; half++) {
        snprintf(text, sizeof text, "segment: {labels: {path: a.nii}}\nsolve: {precision: %s}%s",
                 half ? "half" : "float", ends);
        read_case(text);
        assert_int_equal(c.solve.acceleration, half ? ACCELERATION_NONE : ACCELERATION_ANDERSON);
        case_free(&c);
    }
}

/* Positions of enum lattice_role and enum case_role are one. */
static void test_roles(void **state) {
    (void)state;
    assert_int_equal(ROLE_INLET, LATTICE_INLET);
    assert_int_equal(ROLE_OUTLET, LATTICE_OUTLET);
    assert_int_equal(ROLE_MOVING_WALL, LATTICE_MOVING_WALL);
}

static void assert_point(const double p[3], double x, double y, double z) {
    assert_near(p[0], x, 1e-12);
    assert_near(p[1], y, 1e-12);
    assert_near(p[2], z, 1e-12);
}

static void test_points(void **state) {
    (void)state;
    const double p[3] = {1, 2, 3}, d[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, spacing[3] = {2, 3, 4},
                 origin[3] = {10, 20, 30};
    const int dims[3] = {9, 9, 9};
    double q[3];
    volume v;
    case_file at = {.space = SPACE_RAS};
    assert_int_equal(volume_set_geometry(&v, dims, spacing, origin, d), OK);
    case_point_lps(&at, p, NULL, q);
    assert_point(q, -1, -2, 3);
    case_vector_lps(&at, p, NULL, q);
    assert_point(q, -1, -2, 3);
    at.space = SPACE_LPS;
    case_point_lps(&at, p, NULL, q);
    assert_point(q, 1, 2, 3);
    at.space = SPACE_VOXEL;
    case_point_lps(&at, p, &v, q);
    assert_point(q, 10 - 6, 20 + 2, 30 + 12);
    case_vector_lps(&at, p, &v, q);
    assert_point(q, -2, 1, 3); /* along the image's axes, length kept */
    const double same[3] = {1, 2, 3};
    double inplace[3] = {1, 2, 3};
    case_point_lps(&at, inplace, &v, inplace);
    case_point_lps(&at, same, &v, q);
    assert_memory_equal(inplace, q, sizeof q);
}

static void resolve(const char *case_path, const char *path, const char *expected) {
    const char *text =
        "mesh: {spacing: 1 mm, shape: {type: channel, point: [0,0,0], wall: [0,0,1]}, box: {low: [0,0,0], high: "
        "[1,1,1]}}";
    assert_int_equal(case_read_text(text, strlen(text), case_path, 0, &c), OK);
    char *whole = case_resolve_path(&c, path);
    assert_string_equal(whole, expected);
    free(whole);
    case_free(&c);
}

static void test_resolve(void **state) {
    (void)state;
    resolve("a/b/case.yaml", "images/x.nii", "a/b/images/x.nii");
    resolve("case.yaml", "images/x.nii", "images/x.nii");
    resolve("/case.yaml", "x", "/x");
    resolve("a/case.yaml", "/x", "/x");
}

static void test_files(void **state) {
    (void)state;
    char path[512];
    assert_int_equal(file_create_folder(temp_path("p/images")), OK);
    assert_int_equal(file_create_folder(temp_path("p/flow")), OK);
    temp_text("p/images/a.nii", "x");
    temp_text("p/flow/sv.csv", "t_s,flow_ml_s\n0,1\n0.3,2\n0.6,1.5\n");
    strcpy(path,
           temp_text(
               "p/case.yaml",
               "image: {path: images/a.nii}\nsegment: {seeds: [[0, 0, 0]]}\nsolve: {mode: pulsatile, period: 1.8 s}\n"
               "openings:\n- {name: a, role: inlet, point: [0,0,0], flow: {waveform: flow/sv.csv}}\n"
               "- {name: b, role: outlet, point: [0,0,9], developed: true}\n"));
    status_clear();
    if (case_read(path, 1, &c) != OK)
        fail_msg("%s", status_message());
    case_free(&c);
    temp_text("p/case.yaml",
              "segment: {method: surface, surface: {path: images/a.nii}}\nsolve: {mode: pulsatile}\n"
              "openings:\n- {name: a, role: inlet, point: [0,0,0], flow: {waveform: flow/sv.csv}}\n"
              "- {name: b, role: outlet, point: [0,0,9], developed: true}\npost: {instants: [100 ms, 0.8 s]}\n");
    if (case_read(path, 1, &c) != OK)
        fail_msg("%s", status_message());
    assert_int_equal(c.post.n_instant, 2);
    assert_true(c.post.instant_s[0] == 0.1 && c.post.instant_s[1] == 0.8);
    case_free(&c);
    temp_text("p/flow/sv.csv", "t_s,flow_ml_s\n0,1\n0.2,2\n0.4,1.5\n");
    assert_int_equal(case_read(path, 1, &c), ERR_INPUT);
    assert_non_null(strstr(status_message(), "instants: the instant 0.8 s is later than the end of the cycle, 0.6 s"));
    status_clear();
}

/* An outlet may have the name of a key of split: its share is no pressure. */
static void test_split_names(void **state) {
    (void)state;
    static const char text[] = "space: LPS\nsegment: {method: labels, labels: {path: a.nii}}\nopenings:\n"
                               "- {name: IN, role: inlet, point: [1, 2, 3], flow: 6 mL/s}\n"
                               "- {name: distal, role: outlet, point: [1, 2, 9]}\n"
                               "- {name: capacitance, role: outlet, point: [1, 3, 9]}\n"
                               "mesh: {spacing: 0.5 mm}\nsplit: {distal: 60 % +- 10 %, capacitance: rest}\n";
    if (case_read_text(text, strlen(text), "case.yaml", 0, &c) != OK)
        fail_msg("%s", status_message());
    assert_near(c.opening[1].share, 0.6, 1e-12);
    assert_near(c.opening[1].value_error, 0.06, 1e-12);
    assert_true(c.opening[2].split_rest);
    assert_true(isnan(c.split.distal_pa) && isnan(c.split.capacitance_m3_pa));
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names_and_segment),
                                       cmocka_unit_test(test_openings),
                                       cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_lost_share),
                                       cmocka_unit_test(test_blood_solve_readouts),
                                       cmocka_unit_test(test_defaults),
                                       cmocka_unit_test(test_collision),
                                       cmocka_unit_test(test_ladder),
                                       cmocka_unit_test(test_half),
                                       cmocka_unit_test(test_roles),
                                       cmocka_unit_test(test_points),
                                       cmocka_unit_test(test_resolve),
                                       cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_split_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
