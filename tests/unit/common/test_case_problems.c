/* SPDX-License-Identifier: Apache-2.0 */
/* case.yaml refused: every mistake gives one line with its place and what to do, all in one run. */
#include "tests/unit/common/case_refuse.h"
#include <stdio.h>

/* A right case with one line changed. */
#define LINES                                                                                                          \
    X(name, "name: x\n")                                                                                               \
    X(image, "image: {path: a.nii}\n")                                                                                 \
    X(segment, "segment: {method: level-set, seeds: [[1, 2, 3]]}\n")                                                   \
    X(in, "openings:\n- {name: A, role: inlet, point: [1, 2, 3], flow: 0.6 L/min}\n")                                  \
    X(out, "- {name: B, role: outlet, point: [1, 2, 9], pressure: 0 mmHg}\n")                                          \
    X(sections, "sections: [{name: S, point: [1, 2, 5]}]\n")                                                           \
    X(blood, "blood: {density: 1060 kg/m3, viscosity: 3.5 mPa s}\n")                                                   \
    X(mesh, "mesh: {spacing: 0.4 mm}\n")                                                                               \
    X(solve, "solve: {mode: steady}\n")                                                                                \
    X(readouts, "readouts: [{pressure_drop: {from: A, to: S}}]\n")
enum {
#define X(name, text) LINE_##name,
    LINES
#undef X
        LINE_COUNT
};

static const char *with(int line, const char *text) {
    static char whole[4000];
    const char *parts[LINE_COUNT] = {
#define X(name, standard) standard,
        LINES
#undef X
    };
    parts[line] = text;
    whole[0] = '\0';
    for (int k = 0; k < LINE_COUNT; k++)
        strcat(whole, parts[k]);
    return whole;
}

#define BAD(line, text, ...) REFUSE(with(LINE_##line, text), __VA_ARGS__)

static void accept_case(const char *text) {
    case_file c;
    status_clear();
    if (case_read_text(text, strlen(text), "case.yaml", 0, &c) != OK)
        fail_msg("%s", status_message());
    case_free(&c);
}

static void test_base_is_right(void **state) {
    (void)state;
    accept_case(with(LINE_name, ""));
}

/* A branch has the name of an opening or of a section with a point, of both of its openings, or a number. */
static void test_names_of_a_branch(void **state) {
    (void)state;
    const char *const branch[] = {"A", "A-B", "B-A", "2", "P"};
    for (size_t k = 0; k < sizeof branch / sizeof *branch; k++) {
        char sections[160];
        snprintf(sections, sizeof sections,
                 "sections: [{name: P, point: [1, 2, 5]}, {name: S, branch: %s, at: 5 mm}]\n", branch[k]);
        accept_case(with(LINE_sections, sections));
    }
}

static void test_many_at_once(void **state) {
    (void)state;
    REFUSE("name: x\n"
           "space: ras\n"
           "imgae: {path: a.nii}\n"
           "segment: {method: level-set, seeds: [[1, 2, 3]], seeds: [[4, 5, 6]]}\n"
           "openings:\n"
           "  - {name: A, role: inlet, point: [1, 2, 3], flow: 0,6 L/min}\n"
           "  - {name: A, role: outlet, point: [1, 2], pressure: 0 bar}\n"
           "  - {name: C, role: outlet, point: [1, 2, 4], radius: -4 mm}\n"
           "blood: {densty: 1060 kg/m3, viscosity: 3.5 Pa s}\n"
           "mesh: {spacing: 160abc}\n"
           "solve: {tolerance: nan, cycles: 3.5}\n"
           "readouts: [{pressure_drop: {from: B, to: PV}}]\n",
           "case.yaml:1:1: image: has no path",
           "case.yaml:2:8: space: 'ras' is not one of: RAS, LPS, voxel; did you mean 'RAS'?",
           "case.yaml:3:1: there is no key 'imgae' here; did you mean 'image'?",
           "case.yaml:4:50: seeds: this key was given before, in line 4",
           "case.yaml:6:52: flow: '0' has no unit: write one of L/min",
           "case.yaml:6:54: '6 L/min' is not a key: was a decimal comma meant?",
           "case.yaml:7:12: name: 'A' is the name of another opening or section",
           "case.yaml:7:36: point: must be three numbers: write [x, y, z]",
           "case.yaml:7:54: pressure: '0 bar' has the unit 'bar'",
           "case.yaml:8:5: openings: the outlet 'C' has no condition: give pressure, developed: true, flow, resistance "
           "or windkessel",
           "case.yaml:8:55: radius: -4 mm is out of range: above 0 mm to 1 m",
           "case.yaml:9:9: there is no key 'densty' here; did you mean 'density'?",
           "case.yaml:9:40: viscosity: 3.5 Pa s is out of range: 0.01 mPa s to 1 Pa s",
           "case.yaml:10:17: spacing: '160abc' has the unit 'abc'", "case.yaml:11:20: tolerance: 'nan' is not a number",
           "case.yaml:11:33: cycles: '3.5' is not a whole number",
           "case.yaml:12:35: from: there is no opening or section 'B'",
           "case.yaml:12:42: to: there is no opening or section 'PV'");
}

static void test_values(void **state) {
    (void)state;
    BAD(name, "name: [a]\n", "case.yaml:1:7: name: must be a text, not a list");
    BAD(name, "name:\n", "name: has no value: write a text or remove the key");
    BAD(name, "name: ~\n", "name: has no value");
    BAD(name, "name: \"a\\u001b[31mb\"\n", "case.yaml:1:7: a value contains a tab, line break, control character",
        "name: has no value");
    BAD(name, "name: \"a\\u202eb\"\n", "or invisible character", "name: has no value");
    BAD(name, "name: \"a\\u2066b\"\n", "or invisible character", "name: has no value");
    BAD(name, "name: \"a\\u200bb\"\n", "or invisible character", "name: has no value");
    BAD(name, "name: \"a\\u00adb\"\n", "or invisible character", "name: has no value");
    BAD(name, "name: \"a\\u3164b\"\n", "or invisible character", "name: has no value");
    BAD(name, "name: \"a\\U000e0041b\"\n", "or invisible character", "name: has no value");
    BAD(name, "nme: x\n", "there is no key 'nme' here; did you mean 'name'?");
    BAD(name, "tolerance: 3\n", "there is no key 'tolerance' here; possible: name, space, image, segment");
    BAD(image, "image: images/a.nii\n", "image: must be a block with the keys: path, series, crop, box",
        "image: has no path");
    BAD(segment, "segment: {method: level-set, seeds: [1, 2, 3]}\n", "seeds: must be three numbers: write [x, y, z]",
        "seeds: must be three numbers: write [x, y, z]", "seeds: must be three numbers: write [x, y, z]");
    BAD(segment, "segment: {method: level-set, seeds: [[1, 2, x]]}\n", "case.yaml:3:45: seeds: 'x' is not a number");
    BAD(segment, "segment: {method: level-set, seeds: [[1, 2, 1e6]]}\n", "1e6 is out of range");
    BAD(segment, "segment: {method: level-set, seeds: []}\n", "seeds: must be a list of 1 to 1000 points");
    BAD(segment, "segment: {method: level-set, seeds: 5}\n",
        "seeds: must be a list of points [x, y, z], not one value");
    BAD(segment, "segment: {method: levelset, seeds: [[1, 2, 3]]}\n", "did you mean 'level-set'?");
    BAD(segment, "segment: {seeds: [[1, 2, 3]], iterations: 0}\n", "iterations: 0 is out of range: 1 to 100000");
    BAD(segment, "segment: {seeds: [[1, 2, 3]], iterations: 2.5}\n", "'2.5' is not a whole number");
    BAD(segment, "segment: {seeds: [[1, 2, 3]], edge: {low: 5, high: 4}}\n", "edge: low must be below high");
    BAD(segment, "segment: {seeds: [[1, 2, 3]], max_volume: 1e400 mL}\n", "too large for a number");
    BAD(blood, "blood: {density: 1060}\n", "density: '1060' has no unit: write one of kg/m3, g/cm3, g/mL");
    BAD(blood, "blood: {density: 1060 g/cm3}\n", "density: 1060 g/cm3 is out of range: 100 kg/m3 to 5000 kg/m3");
    BAD(blood, "blood: {viscosity: [3.5 mPa s]}\n", "viscosity: must be a number with a unit, not a list");
    BAD(blood, "blood: {viscosity: 3.3e-6 m2/s}\n", "viscosity: '3.3e-6 m2/s' has the unit 'm2/s': write one of mPa s");
    BAD(mesh, "mesh: {spacing: 0 mm}\n", "spacing: 0 mm is out of range: 1 um to 100 mm");
    BAD(mesh, "mesh: {spacing: 0.4mm}\n", "write '0.4 mm'");
    BAD(mesh, "mesh: {cells_per_diameter: 24, max_cells: 5e6}\n", "max_cells: is for a spacing chosen from the flow");
    BAD(mesh, "mesh: {spacing: 0.4 mm, cells_per_diameter: 24}\n",
        "cells_per_diameter: cannot be combined with spacing; remove one");
    BAD(solve, "solve: {accept_unconverged: yes}\n", "'yes' is neither true nor false");
    BAD(solve, "solve: {tau: 0.5}\n", "tau: 0.5 is out of range: above 0.5 to 2");
    BAD(solve, "solve: {tau: 0.8, time_step: 1 ms}\n", "time_step: cannot be combined with tau");
    BAD(solve, "solve: {wall: vlbm, opening: zou-he}\n", "'opening: zou-he' works only with 'wall: interpolated'");
    BAD(solve, "solve: {precision: half, acceleration: anderson}\n",
        "acceleration: anderson is not possible with precision: half");
    BAD(solve, "solve: {force: 9.81 m/s2}\n", "force: must be a block with the keys: vector, unit");
    BAD(solve, "solve: {force: {vector: [0, 0, 1]}}\n",
        "force: needs both: {vector: [x, y, z], unit: ..} with a unit of m/s2");
    BAD(solve, "solve: {force: {vector: [0, 0, 1], unit: m/s}}\n", "unit: 'm/s' is not one of the units m/s2");
    BAD(solve, "solve: {mode: pulsatile}\n", "solve: mode pulsatile needs a waveform");
}

#define B_IS(rest)  "- {name: B, role: outlet, point: [1, 2, 9]" rest "}\n"
#define WK(rest)    B_IS(", windkessel: {" rest "}")
#define SPLIT(rest) B_IS("") "- {name: C, role: outlet, point: [1, 9, 9]}\nsplit: " rest "\n"

static void test_models(void **state) {
    (void)state;
    BAD(out, B_IS(", resistance: 5 mmHg min/L"),
        "resistance: needs a reference pressure: write {value: 5 mmHg min/L, distal: 8 mmHg}");
    BAD(out, B_IS(", resistance: {value: 5 mmHg min/L}"),
        "resistance: has no distal: give the pressure behind the resistance");
    BAD(out, B_IS(", resistance: {distal: 5 mmHg}"), "resistance: has no value: give the resistance");
    BAD(out, B_IS(", resistance: {value: 5 mmHg min/L, source: 8 mmHg}"), "source: belongs to an inlet; write distal");
    BAD(out, B_IS(", resistance: {value: -5 mmHg min/L, distal: 8 mmHg}"), "value: -5 mmHg min/L is out of range");
    BAD(out, B_IS(", resistance: {value: 5 mmHg, distal: 8 mmHg}"), "one of mmHg min/L, Pa s/m3, dyn s/cm5");
    BAD(out, WK("proximal: 1 mmHg min/L, capacitance: -1 mL/mmHg, distal_resistance: 9 mmHg min/L, distal: 0 mmHg"),
        "capacitance: -1 mL/mmHg is out of range: above 0 mL/mmHg");
    BAD(out, WK("proximal: 1 mmHg min/L, capacitance: 1 mL/mmHg, distal_resistance: 9 mmHg min/L"),
        "windkessel: has no distal: give the pressure behind the distal resistance");
    BAD(out, WK("proximal: 1 mmHg min/L, distal_resistance: 9 mmHg min/L, distal: 0 mmHg"),
        "windkessel: has no capacitance: give the compliance");
    BAD(out, B_IS(", pressure: 0 Pa, resistance: {value: 1 mmHg min/L, distal: 8 mmHg}"),
        "resistance: this opening already has a condition");
    BAD(in, "openings:\n- {name: A, role: inlet, point: [1, 2, 3], resistance: {value: 1 mmHg min/L, distal: 0 Pa}}\n",
        "distal: belongs to an outlet; write source");
    BAD(in, "openings:\n- {name: A, role: inlet, point: [1, 2, 3], flow: 1 mL/s, collateral: true}\n",
        "collateral: belongs to an outlet");
}

static void test_split(void **state) {
    (void)state;
    BAD(out, SPLIT("{B: 60 %, C: 50 %}"), "split: the shares add up to 110 % (limit 100 %)");
    BAD(out, SPLIT("{B: 100 %, C: rest}"), "split: the shares add up to 100 % before the rest (limit 100 %)");
    BAD(out, SPLIT("{B: 60 %, C: 30 %}"), "split: the shares add up to 90 %, not to 100 %");
    BAD(out, SPLIT("{B: rest, C: rest}"), "split: only one outlet can have the rest");
    BAD(out, SPLIT("{B: 120 %, C: rest}"), "B: 120 % is out of range: 0 % to 100 %");
    BAD(out, SPLIT("{B: 0.6, C: rest}"), "B: '0.6' has no unit");
    BAD(out, SPLIT("{B: 60 %, D: rest}"), "D: no outlet of the case has this name", "the outlet 'C' has no condition",
        "the shares add up to 60 %");
    BAD(out, SPLIT("territory"),
        "split: has no territories: write {labels: {path: images/segments.nii.gz}, territory:");
    BAD(out, SPLIT("{territory: {B: [1], C: [2]}}"), "split: has no labels: give the label image of the territories");
    BAD(out, SPLIT("{labels: {path: s.nii}}"), "split: has no territory: give the labels of each outlet");
    BAD(out, SPLIT("{labels: {}, territory: {B: [1], C: [2]}}"), "labels: has no path");
    BAD(out, SPLIT("{labels: {path: s.nii}, territory: {B: [1], C: [2, 1]}}"),
        "territory: label 1 belongs to 'B' and to 'C'; give it to one outlet");
    BAD(out, SPLIT("{labels: {path: s.nii}, territory: {B: [1, 1], C: [2]}}"), "label 1 belongs to 'B' and to 'B'");
    BAD(out, SPLIT("{labels: {path: s.nii}, territory: {B: [1]}}"),
        "territory: the outlet 'C' has no territory; give its labels in 'territory', or give the outlet a "
        "condition of its own");
    BAD(out, SPLIT("{labels: {path: s.nii}, territory: {B: [1], D: [2]}}"), "no outlet of the case has this name",
        "the outlet 'C' has no territory");
    BAD(out, SPLIT("{labels: {path: s.nii}, territory: {B: [0], C: [2]}}"), "0 is out of range: 1 to 1000000");
    BAD(out, SPLIT("{labels: {path: s.nii}, territory: {B: 1, C: [2]}}"), "B: ");
    BAD(out, SPLIT("{labels: {path: s.nii}, territory: {B: [1], C: [2]}, uncertainty: 120 %}"),
        "uncertainty: 120 % is out of range");
    BAD(out, B_IS(", pressure: 0 Pa") "split: {labels: {path: s.nii}, territory: {B: [1]}}\n",
        "this outlet has both a territory and a condition of its own");
    BAD(out, SPLIT("halves"), "split: write murray, {murray: 2, uncertainty: 20 %}, a share of each outlet",
        "the outlet 'B' has no condition", "the outlet 'C' has no condition");
    BAD(out, SPLIT("{murray: 9}"), "murray: 9 is out of range: 1 to 4");
    BAD(out, SPLIT("{murray: 3, mean_pressure: 5 mmHg, distal: 5 mmHg}"),
        "mean_pressure: 5 mmHg must exceed distal, 5 mmHg; correct one of the two");
    BAD(out, SPLIT("{B: 60 %, C: rest, mean_pressure: 93 mmHg}"), "split: has mean_pressure but no distal: give the");
    BAD(out, SPLIT("{murray: 3, distal: 5 mmHg}"), "distal: has no effect without mean_pressure; add the mean");
    BAD(out, SPLIT("{B: 60 %, C: rest, capacitance: 1 mL/mmHg}"), "capacitance: has no effect without mean_pressure");
    BAD(out, SPLIT("{murray: 3, mean_pressure: 93 mmHg, distal: 5 mmHg, proximal_fraction: 10 %}"),
        "proximal_fraction: belongs to capacitance; give the capacitance of all outlets");
    BAD(out, SPLIT("{murray: 3, mean_pressure: 93 mmHg, distal: 5 mmHg}") "solve: {opening: zou-he}\n",
        "mean_pressure: resistances need solve.opening: half-way", "solve: this key was given before");
    BAD(out,
        B_IS(", resistance: {value: 1 mmHg min/L, distal: 0 mmHg}") "- {name: C, role: outlet, point: [1, 9, "
                                                                    "9]}\nsplit: {murray: 3, mean_pressure: 93 mmHg, "
                                                                    "distal: 5 mmHg}\n",
        "split: divides the inflow among the outlets, but the flow of 'B' follows from its pressure");
    BAD(out, SPLIT("{murray: 3, mean_pressure: 9 mmHg +- 3 mmHg, distal: 1 to 9 mmHg}"),
        "mean_pressure: the resistances follow from its difference to distal, 4 +- 5 mmHg, which must be above 0");
    BAD(out,
        SPLIT("{murray: 3, mean_pressure: 93 mmHg, distal: 5 mmHg, capacitance: 1 mL/mmHg, proximal_fraction: 5 to 10 "
              "%}"),
        "proximal_fraction: takes no uncertainty, because a steady flow does not depend on it");
    BAD(out, SPLIT("{mean_pressure: 93 mmHg, distal: 5 mmHg}"),
        "split: does not say how the outlets share the flow: add murray: 3, a share of each outlet");
    BAD(out, SPLIT("{B: 0 %, C: rest, mean_pressure: 93 mmHg, distal: 5 mmHg}"),
        "B: without a share of the flow an outlet has no resistance; give it a share above 0 %, or a flow");
    BAD(out, SPLIT("{distal: 60 %, C: rest, mean_pressure: 93 mmHg}"), "the outlet 'B' has no condition",
        "distal: '60 %' has the unit '%'");
    BAD(out,
        B_IS("") "- {name: distal, role: outlet, point: [1, 9, 9]}\n"
                 "split: {B: 60 %, distal: rest, mean_pressure: 93 mmHg}\n",
        "distal: is also a key of split, which mean_pressure needs; give this outlet another name");
    BAD(out, B_IS(", pressure: 0 Pa") "split: murray\n", "split: every outlet has a condition of its own");
}

static void test_opening_rules(void **state) {
    (void)state;
#define IN(rest)  "openings:\n- {name: A, role: inlet, point: [1, 2, 3]" rest "}\n"
#define OUT(rest) "- {name: B, role: outlet, point: [1, 2, 9]" rest "}\n"
    BAD(in, IN(""),
        "case.yaml:5:3: openings: the inlet 'A' has no condition: give flow, velocity, pressure or resistance");
    BAD(in, IN(", developed: true"),
        "the inlet 'A' needs flow, velocity, pressure or resistance; developed belongs to an outlet");
    BAD(in, IN(", flow: 1 mL/s, velocity: {mean: 1 m/s}"), "velocity: this opening already has a condition");
    BAD(in, IN(", flow: 600 L/min"), "flow: 600 L/min is out of range: 0 L/min to 100 L/min");
    BAD(in, IN(", flow: -1 L/min"), "flow: -1 L/min is out of range");
    BAD(in, IN(", flow: {wave: a.csv}"), "there is no key 'wave' here; did you mean 'waveform'?");
    BAD(in, IN(", flow: {}"), "flow: is empty: write 0.6 L/min or {waveform: flow/name.csv}");
    BAD(in, IN(", velocity: 0.1 m/s"),
        "velocity: is the velocity mean or peak? Write {mean: 0.1 m/s} or {peak: 0.1 m/s}");
    BAD(in, IN(", velocity: {profile: plug}"), "velocity: needs either mean or peak");
    BAD(in, IN(", velocity: {mean: 1 m/s, peak: 2 m/s}"), "velocity: needs either mean or peak");
    BAD(in, IN(", velocity: {peak: 1 m/s, profile: plug}, profile: plug"),
        "profile: is given inside velocity too; remove one");
    BAD(in, IN(", velocity: {peak: 1 m/s, profile: parabola}"), "did you mean 'parabolic'?");
    BAD(in, IN(", velocity: {vector: [0, 0, 1], unit: m/s}"), "the inlet 'A' needs flow, velocity (mean or peak)");
    BAD(in, IN(", normal: [0, 0, 0], flow: 1 mL/s"), "normal: has no length");
    BAD(in, IN(", normal: up, flow: 1 mL/s"), "normal: 'up' is neither auto nor a direction [x, y, z]");
    BAD(in, "openings:\n- {role: inlet, flow: 1 mL/s}\n", "an opening needs a name", "an opening needs a point",
        "from: there is no opening or section 'A'");
    BAD(in, "openings:\n- A\n", "openings: must be a block with the keys: name, role, point",
        "from: there is no opening or section 'A'");
    BAD(in, "openings:\n- {name: A, role: inflow, point: [1, 2, 3], flow: 1 mL/s}\n", "role: 'inflow' is not one of");
    BAD(in, "openings:\n- {name: A/1, role: inlet, point: [1, 2, 3], flow: 1 mL/s}\n", "name: 'A/1' cannot be a name",
        "from: there is no opening or section 'A'");
    BAD(in,
        IN(", flow: 1 mL/s") "- {name: L, role: moving_wall, point: [0, 0, 0], velocity: {vector: [1, 0, 0], unit: "
                             "m/s}}\n",
        "a moving wall is only for a case with mesh.shape", "a moving wall needs its normal");
    BAD(out, OUT(""),
        "the outlet 'B' has no condition: give pressure, developed: true, flow, resistance or windkessel");
    BAD(out, "- {name: B, role: outlet, point: [1, 2, 3], pressure: 0 mmHg}\n",
        "case.yaml:6:34: point: is also the point of opening 'A'");
    REFUSE(with(LINE_in, "openings:\n- {name: A, role: inlet, point: [x, 2, 3], flow: 1 mL/s}\n"
                         "- {name: C, role: inlet, point: [y, 2, 3], flow: 1 mL/s}\n"),
           "case.yaml:5:34: point: 'x' is not a number", "case.yaml:6:34: point: 'y' is not a number");
    BAD(out, OUT(", flow: 1 mL/s"), "openings: no outlet has pressure, resistance, windkessel or developed: true");
    BAD(out, OUT(", developed: false"), "developed: must be true");
    BAD(out, OUT(", velocity: {mean: 1 m/s}"), "the outlet 'B' needs one of: flow, pressure, 'developed: true'",
        "no outlet has pressure, resistance, windkessel");
    BAD(out, OUT(", pressure: 0 mmHg, profile: plug"), "profile: applies to flow or velocity only");
    BAD(out, OUT(", pressure: 0"), "pressure: '0' has no unit: write one of mmHg, Pa, kPa, cmH2O");
    BAD(out, OUT(", pressure: 2000 mmHg"), "pressure: 2000 mmHg is out of range: -1000 mmHg to 1000 mmHg");
    BAD(out, "", "no outlet has pressure, resistance, windkessel");
    BAD(in, "openings:\n", "there is no inlet: write 'role: inlet' for one opening", "from: there is no opening");
    REFUSE("image: {path: a.nii}\nsegment: {seeds: [[0, 0, 0]]}\n", "case.yaml:1:1: openings: is missing");
    REFUSE("image: {path: a.nii}\nsegment: {seeds: [[0, 0, 0]]}\nopenings: []\n",
           "case.yaml:3:1: openings: is missing");
    REFUSE("image: {path: a.nii}\nsegment: {seeds: [[0, 0, 0]]}\nopenings: {name: A}\n",
           "openings: must be a list of openings, not a block");
}

static void test_instants(void **state) {
    (void)state;
    BAD(solve, "post: {instants: [0.1 s]}\n", "instants: a steady flow has no instants");
    BAD(solve, "post: {instants: []}\n", "must be a list of 1 to 12 times in the cycle, but this list has 0");
    BAD(solve, "post: {instants: [0.1]}\n", "unit");
    BAD(solve, "post: {instants: [-1 s]}\n", "-1 s is out of range: 0 s to 1000 s");
    BAD(solve, "post: {instants: [0.2 s, 0.2 s]}\n", "0.2 s must be later than the previous instant",
        "instants: a steady flow has no instants");
    BAD(solve, "post: {instant: [0.2 s]}\n", "did you mean 'instants'?");
}

static void test_sections_and_readouts(void **state) {
    (void)state;
    BAD(sections, "sections: [{name: A, point: [1, 2, 5]}, {name: S, point: [0, 0, 0]}]\n",
        "name: 'A' is the name of another opening or section");
    BAD(sections, "sections: [{name: a, point: [1, 2, 5]}, {name: S, point: [0, 0, 0]}]\n",
        "name: 'a' differs from 'A', another opening or section, only in upper and lower case");
    BAD(sections, "sections: [{name: S}]\n", "a section needs a point, or a branch with at");
    BAD(sections, "sections: [{name: S, branch: A}]\n", "a section on a branch needs at");
    BAD(sections, "sections: [{name: S, at: 5 mm}]\n", "a section on a branch needs branch");
    BAD(sections, "sections: [{name: S, branch: A, at: 5}]\n", "unit");
    BAD(sections, "sections: [{name: S, branch: XX, at: 5 mm}]\n", "there is no branch 'XX'");
    BAD(sections, "sections: [{name: S, branch: S, at: 5 mm}]\n", "there is no branch 'S'");
    BAD(sections, "sections: [{name: S, branch: A, at: 101 %}]\n", "101 % is out of range: 0 % to 100 %");
    BAD(sections, "sections: [{name: S, branch: A, at: -1 mm}]\n", "-1 mm is out of range");
    BAD(sections, "sections: [{name: S, branch: A, at: 5 mm, point: [1, 2, 5]}]\n",
        "branch: the section has a point: write either point, or branch with at");
    BAD(sections, "sections: [{name: S, branch: A, at: 5 mm, normal: [0, 0, 1]}]\n",
        "normal: a section on a branch is across its centerline: leave normal out");
    BAD(sections, "sections: [{point: [0, 0, 0]}]\n", "a section needs a name",
        "to: there is no opening or section 'S'");
    BAD(readouts, "readouts: [{pressure_drop: {from: AA, to: S}}]\n",
        "there is no opening or section 'AA'; did you mean 'A'?");
    BAD(readouts, "readouts: [{pressure_drop: {from: A}}]\n", "pressure_drop: has no 'to'");
    BAD(readouts, "readouts: [{pressure_drop: {from: A, to: A}}]\n", "goes from 'A' to itself");
    BAD(readouts, "readouts: [{presure_drop: {from: A, to: S}}]\n", "did you mean 'pressure_drop'?");
    BAD(readouts, "readouts: [{}]\n", "an entry is one readout: either pressure_drop or ppg");
    BAD(readouts, "readouts: [{ppg: {portal: S}, pressure_drop: {from: A, to: B}}]\n", "an entry is one readout");
    BAD(readouts, "readouts: [{ppg: {cava: B}}]\n", "ppg: has no 'portal'");
    BAD(readouts, "readouts: [{ppg: {portal: A, cava: CAVA}}]\n",
        "cava: there is no opening or section 'CAVA'; remove it if that vessel is not in the model");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: resistance}}}]\n",
        "liver: needs the keys model and value");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: lobules, volume: 1.5 L}}}]\n",
        "liver: needs the stage, and the volume or a label image of the liver");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: lobules, stage: healthy}}}]\n",
        "liver: needs the stage, and the volume or a label image of the liver");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: lobules, stage: healthy, labels: {values: [5]}}}}]\n",
        "liver: needs the stage, and the volume or a label image of the liver");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: lobules, stage: healthy, volume: 1 L, labels: {path: l.nii}}}}]\n",
        "liver: volume and labels both give the volume of the liver; remove one of them");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: lobules, stage: healthy, volume: from label}}}]\n",
        "volume: is a value such as 1.5 L; to take it from a label image, write labels: {path: labels.nii.gz, values: "
        "[5]} in place of volume");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: resistance, value: 4 mmHg min/L, labels: {path: l.nii}}}}]\n",
        "liver: labels belongs to model: lobules and model: compartments");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: lobules, stage: healthy, labels: {path: l.nii}}}}, {ppg: {portal: "
        "S, liver: {model: lobules, stage: healthy, labels: {path: l.nii}}}}]\n",
        "only one ppg can have labels of the liver");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: lobules, volume: 1 L, stage: ill}}}]\n",
        "stage: 'ill' is not one of: healthy, cirrhosis, F1, F2, F3, Child A, Child B, Child C, F0, F4");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: compartments, stage: healthy}}}]\n",
        "liver: needs the label of the liver and its stage");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: compartments, stage: healthy, volume: 1 L, "
        "labels: {path: l.nii}}}}]\n",
        "liver: model: compartments takes the volume");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: compartments, stage: healthy, labels: {path: l.nii}}}}]\n",
        "liver: needs the pressure at the ends of the hepatic veins");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: lobules, stage: healthy, volume: 1 L, hepatic_pressure: 5 "
        "mmHg}}}]\n",
        "belong to model: compartments");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: compartments, stage: healthy, hepatic_pressure: 5 mmHg, "
        "hepatic_veins: [0, 0, 20], labels: {path: l.nii}}}}]\n",
        "each end of a hepatic vein is a point: [[x, y, z], ...]");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, cava: S, liver: {model: compartments, stage: healthy, hepatic_pressure: 5 mmHg, "
        "labels: {path: l.nii}}}}]\n",
        "with model: compartments the pressure behind the liver is hepatic_pressure; remove cava");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: compartments, stage: healthy, hepatic_pressure: 5 mmHg, "
        "hepatic_permeability: 1e-9 m2 +- 1e-9 m2, labels: {path: l.nii}}}}]\n",
        "hepatic_permeability must be above 0 over its whole interval");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: compartments, stage: healthy, hepatic_pressure: 5 mmHg, "
        "permeability: 1e-14 m2 +- 100 %, labels: {path: l.nii}}}}]\n",
        "liver: permeability is 1e-14 m2 +- 1e-14 m2, but must be above 0");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: compartments, stage: healthy, hepatic_pressure: 5 mmHg, labels: "
        "{path: l.nii}}}}, {ppg: {portal: S, liver: {model: compartments, stage: healthy, hepatic_pressure: 5 mmHg, "
        "labels: {path: l.nii}}}}]\n",
        "only one ppg can have labels of the liver");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: lobules, volume: 1 L, stage: healthy, value: 4 mmHg min/L}}}]\n",
        "liver: value belongs to model: resistance");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: resistance, volume: 1 L, value: 4 mmHg min/L}}}]\n",
        "liver: needs the keys model and value and no other");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: lobules, volume: 1 L, stage: healthy, vein_radius: 1 mm}}}]\n",
        "liver: vein_radius is 1 mm +- 0 mm and lobule_radius 0.5 mm +- 0.1 mm");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: lobules, volume: 1 L, stage: healthy, "
        "arterial_share: 80 % +- 50 %}}}]\n",
        "liver: arterial_share is 80 % +- 40 %, but must be 0 % to below 100 % over the whole interval");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: outlets, lost_share: 40 %}}}]\n",
        "liver: lost_share belongs to model: resistance and model: lobules");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: compartments, labels: {path: l.nii}, stage: healthy, "
        "hepatic_pressure: 5 mmHg, lost_share: 40 %}}}]\n",
        "with model: compartments take the lost part out of the label image");
    BAD(readouts,
        "readouts: [{ppg: {portal: S, liver: {model: resistance, value: 4 mmHg min/L, lost_share: 80 % +- 50 %}}}]\n",
        "liver: lost_share must be below 100 % over its whole interval");
    BAD(readouts, "readouts: [{ppg: {portal: S, measured: 18}}]\n", "measured: '18' has no unit");
    BAD(readouts, "readouts: [{ppg: {portal: S, measured: 300 mmHg}}]\n",
        "measured: 300 mmHg is out of range: -50 mmHg to 200 mmHg");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: porous, value: 1 mmHg min/L}}}]\n",
        "'porous' is not one of: resistance");
    BAD(readouts, "readouts: [{ppg: {portal: S, liver: {model: resistance, value: 4 mmHg}}}]\n",
        "value: '4 mmHg' has the unit 'mmHg': write one of mmHg min/L");
}

static void test_sources(void **state) {
    (void)state;
    BAD(segment, "", "segment: is missing: it describes how to find the vessel");
    BAD(segment, "segment: {}\n", "segment: has no method: write method: level-set, labels or surface");
    BAD(segment, "segment: {vessel: dark}\n", "segment: has no method");
    BAD(segment, "segment: {method: level-set}\n", "segment: has no seeds");
    BAD(segment, "segment: {method: labels}\n", "segment: has no labels");
    BAD(segment, "segment: {method: surface}\n", "segment: has no surface");
    BAD(segment, "segment: {method: surface, surface: {path: a.stl, frame: ITK}}\n", "'ITK' is not one of: RAS, LPS");
    BAD(segment, "segment: {method: surface, surface: {path: a.stl, frame: LPS, unit: inch}}\n",
        "'inch' is not one of: mm, cm, m, in");
    BAD(segment, "segment: {method: level-set, seeds: [[1, 2, 3]], labels: {path: a.nii}}\n",
        "labels: belongs to another method; write method: labels or remove it");
    BAD(segment, "segment: {labels: {path: a.nii, values: [1, 2.5, -3]}}\n", "'2.5' is not a whole number",
        "-3 is out of range");
    BAD(image, "", "image: has no path: method level-set needs");
    BAD(name, "space: voxel\nsolve: {force: {vector: [0, 0, 1], unit: m/s2}}\n",
        "case.yaml:1:8: space: voxel cannot be combined with", "solve: this key was given before");
}

#define SHAPE(shape, rest) "mesh: {spacing: 1 mm, shape: " shape rest "}\n"
#define BOX                ", box: {low: [0, 0, 0], high: [9, 9, 9]}"

static void test_shapes(void **state) {
    (void)state;
    REFUSE(SHAPE("{type: cube}", BOX), "type: 'cube' is not one of: cylinder, channel, box");
    REFUSE(SHAPE("{radius: 5 mm}", BOX), "shape: has no type");
    REFUSE(SHAPE("cylinder", BOX), "shape: has no type");
    REFUSE(SHAPE("{type: cylinder, from: [0, 0, 0], radius: 5}", BOX), "radius: '5' has no unit", "shape: has no 'to'");
    REFUSE(SHAPE("{type: cylinder, from: [0, 0, 0], to: [0, 0, 0], radius: 5 mm}", BOX),
           "shape: its two points are the same");
    REFUSE(SHAPE("{type: cylinder, from: [0, 0, 0], to: [0, 0, 1], radius: 0 mm}", BOX),
           "out of range: above 0 mm to 1 m");
    REFUSE(SHAPE("{type: channel, point: [0, 0, 0], wall: [0, 0, 1], radius: 1 mm}", BOX),
           "there is no key 'radius' here");
    REFUSE(SHAPE("{type: box, low: [0, 0, 0], high: [1, 0, 1]}", BOX), "shape: low must be below high");
    REFUSE(SHAPE("{type: torus, centre: [0, 0, 0], axis: [0, 0, 0], radius: 3 mm, bend: 2 mm}", BOX),
           "axis: has no length", "bend: must be larger than the radius of the tube");
    REFUSE(SHAPE("{type: stenosis, from: [0, 0, 0], to: [0, 0, 1], radius: 3 mm, throat: 4 mm, length: 1 mm}", BOX),
           "throat: must be smaller than or equal to the radius");
    REFUSE(SHAPE("{type: annulus, from: [0, 0, 0], to: [0, 0, 0], radius: 3 mm, inner: 3 mm}", BOX),
           "shape: its two points are the same", "inner: must be smaller than the radius");
    REFUSE(
        SHAPE("{type: eye, centre: [0, 0, 0], axis: [0, 0, 0], radius: 6 mm, pupil: 7 mm, depth: 7 mm, iris: 0.4 mm, "
              "posterior: 1 mm, lens: 10 mm, gap: 2 mm}",
              BOX),
        "axis: has no length", "pupil: must be smaller than the radius of the chamber",
        "depth: must be smaller than or equal to the radius", "gap: must be smaller than the key posterior");
    REFUSE(SHAPE("{type: ellipse, centre: [0, 0, 0], half_axes: [3 mm]}", BOX),
           "half_axes: must be a list of 2 lengths");
    REFUSE(SHAPE("{type: tree, segments: []}", BOX), "segments: must be a list of 1 to 2000");
    REFUSE(SHAPE("{type: tree, segments: [{from: [0, 0, 0], to: [0, 0, 1], radius_from: 1 mm}]}", BOX),
           "has no 'radius_to'");
    REFUSE(SHAPE("{type: channel, point: [0, 0, 0], wall: [0, 0, 1]}", ""), "mesh: has no box");
    REFUSE(SHAPE("{type: channel, point: [0, 0, 0], wall: [0, 0, 1]}", ", box: {low: [0, 0, 0]}"),
           "box: needs both low and high");
    REFUSE(SHAPE("{type: channel, point: [0, 0, 0], wall: [0, 0, 1]}", ", box: {low: [0, 0, 9], high: [9, 9, 9]}"),
           "box: low must be below high");
    REFUSE(SHAPE("{type: channel, point: [0, 0, 0], wall: [0, 0, 1]}", BOX ", periodic: [x, w, x]"),
           "'w' is not one of: x, y, z", "the axis 'x' is given twice");
    REFUSE("mesh: {shape: {type: channel, point: [0, 0, 0], wall: [0, 0, 1]}" BOX "}\n", "mesh: has no spacing");
    REFUSE("space: voxel\n" SHAPE("{type: channel, point: [0, 0, 0], wall: [0, 0, 1]}", BOX),
           "space: voxel needs an image");
    REFUSE(SHAPE("{type: channel, point: [0, 0, 0], wall: [0, 0, 1]}", BOX) "segment: {seeds: [[0, 0, 0]]}\n",
           "segment: cannot be combined with mesh.shape");
    BAD(mesh, "mesh: {spacing: 1 mm, periodic: [x]" BOX "}\n", "box: is only for a case with mesh.shape",
        "periodic: is only for");
    BAD(mesh, "mesh: {before: {spacing: 1 mm, low: [0, 0, 0]}}\n", "before: needs spacing, low and high");
    BAD(mesh, "mesh: {before: {spacing: 1 mm, low: [0, 0, 9], high: [9, 9, 0]}}\n",
        "with low below high in x, y and z");
}

static void test_blood(void **state) {
    (void)state;
    BAD(blood, "blood: {model: cross}\n", "model: 'cross' is not one of: newtonian, carreau-yasuda, casson, power-law");
    BAD(blood, "blood: {model: casson, set: merrill}\n", "set: 'merrill' is not one of: cho-kensey, abraham, shibeshi");
    BAD(blood, "blood: {model: casson, set: abraham}\n",
        "set: 'abraham' has no parameters for model casson; write set: shibeshi");
    BAD(blood, "blood: {model: casson, viscosity: 3.5 mPa s}\n", "viscosity: belongs to model newtonian");
    BAD(blood, "blood: {model: unknown, set: shibeshi}\n",
        "set: is not compared with newtonian blood; write cho-kensey or abraham");
    BAD(blood, "blood: {model: unknown, hematocrit: 40 %}\n", "hematocrit: belongs to model quemada");
    BAD(blood, "blood: {model: unknown, viscosity: -3 mPa s}\n", "viscosity: -3 mPa s is out of range");
    BAD(blood, "blood: {set: abraham}\n", "set: belongs to a model of shear-thinning blood");
    BAD(blood, "blood: {model: casson, hematocrit: 40 %}\n", "hematocrit: belongs to model quemada");
    BAD(blood, "blood: {model: quemada, hematocrit: -5 %}\n", "hematocrit: -5 % is out of range: 20 % to 65 %");
    BAD(blood, "blood: {viscosity: -3 mPa s}\n", "viscosity: -3 mPa s is out of range");
    /* `solve` follows `blood` in the text */
    REFUSE("blood: {model: casson}\n" SHAPE("{type: channel, point: [0, 0, 0], wall: [0, 0, 1]}",
                                            BOX) "solve: {wall: vlbm, precision: half, opening: half-way}\n",
           "wall: is not possible with a blood.model other than newtonian; write wall: interpolated",
           "precision: is not possible with a blood.model other than newtonian; write precision: float");
    REFUSE("blood: {model: unknown}\n" SHAPE("{type: channel, point: [0, 0, 0], wall: [0, 0, 1]}",
                                             BOX) "solve: {precision: half}\n",
           "precision: is not possible with blood.model unknown; write precision: float");
    REFUSE("blood: {model: casson}\n" SHAPE("{type: channel, point: [0, 0, 0], wall: [0, 0, 1]}",
                                            BOX) "solve: {collision: bgk, opening: zou-he}\n",
           "opening: is not possible with a blood.model other than newtonian; write opening: half-way",
           "collision: is not possible with a blood.model other than newtonian; write collision: trt");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base_is_right), cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_values),        cmocka_unit_test(test_opening_rules),
        cmocka_unit_test(test_models),        cmocka_unit_test(test_split),
        cmocka_unit_test(test_instants),      cmocka_unit_test(test_sections_and_readouts),
        cmocka_unit_test(test_blood),         cmocka_unit_test(test_sources),
        cmocka_unit_test(test_shapes),        cmocka_unit_test(test_names_of_a_branch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
