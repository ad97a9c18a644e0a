/* SPDX-License-Identifier: Apache-2.0 */
/* case_digest: which keys a stage depends on, and what does not count. */
#include "common/case/case.h"
#include "common/case/case_reader.h"
#include "common/base/status.h"
#include "tests/unit/temp.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const char *const stages[] = {"segment", "mesh", "solve", "post"};
typedef struct {
    char hex[4][17];
} digests;

static digests digest(const char *text) {
    digests d = {0};
    case_file c;
    status_clear();
    if (case_read_text(text, strlen(text), "case.yaml", 0, &c) != OK)
        fail_msg("%s\n%s", text, status_message());
    for (int k = 0; k < 4; k++)
        case_digest(&c, stages[k], d.hex[k]);
    case_free(&c);
    return d;
}

/* text with `from` replaced by `to` */
static const char *with(const char *text, const char *from, const char *to) {
    static char changed[4000];
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("the text has no \"%s\"", from);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return changed;
}

static const char *const base =
    "name: n1\nspace: LPS\nimage: {path: a.nii, series: 1.2, crop: 20 mm}\n"
    "segment: {method: level-set, seeds: [[1, 2, 3]], vessel: dark, smoothing: 1 mm, edge: {low: 1, high: 5}, "
    "weights: {propagation: 1, curvature: 2, advection: 3}, threshold: {low: 10, high: 20}, iterations: 9, max_volume: "
    "7 mL}\n"
    "openings:\n"
    "- {name: A, role: inlet, point: [1, 1, 1], normal: [0, 0, 1], extension: 1 mm, radius: 5 mm, flow: 0.6 L/min, "
    "profile: "
    "plug}\n"
    "- {name: W, role: inlet, point: [2, 2, 2], flow: {waveform: w.csv}}\n"
    "- {name: V, role: inlet, point: [2, 5, 3], velocity: {mean: 0.1 m/s}}\n"
    "- {name: B, role: outlet, point: [3, 3, 3], pressure: 1 mmHg}\n"
    "- {name: C, role: outlet, point: [4, 4, 4], developed: true}\n"
    "sections:\n- {name: S, point: [5, 5, 5], normal: [0, 1, 0]}\n"
    "blood: {density: 1000 kg/m3, viscosity: 4 mPa s}\n"
    "mesh: {spacing: 0.5 mm}\n"
    "solve: {mode: pulsatile, wall: interpolated, opening: half-way, collision: bgk, precision: double, tolerance: "
    "1e-5, max_steps: 77, "
    "max_lattice_velocity: 0.08, tau: 0.8, cycles: 4, stores: 8, period: 0.9 s, force: {vector: [1, 0, 6], unit: "
    "m/s2}, "
    "acceleration: anderson, monitor_every: 11, checkpoint: 33 s, accept_unconverged: true}\n"
    "readouts:\n- {pressure_drop: {from: A, to: B}}\n- {ppg: {portal: S, cava: B, liver: {model: resistance, value: 4 "
    "mmHg "
    "min/L}}}\n";

/* key it belongs to, change, and the stages it touches: s(egment) m(esh) (sol)v(e) p(ost) */
static const struct {
    const char *key, *from, *to, *touches;
} change[] = {
    {"name", "name: n1", "name: n2", "p"},
    {"space", "space: LPS", "space: RAS", "smvp"}, /* solve: the force turns with it */
    {"image", "a.nii", "b.nii", "smp"},
    {"path", "a.nii", "b.nii", "smp"},
    {"series", "series: 1.2", "series: 1.3", "smp"},
    {"crop", "crop: 20 mm", "crop: 30 mm", "s"},
    {"box", "crop: 20 mm", "box: {low: [0, 0, 0], high: [9, 9, 9]}", "s"},
    {"segment", "vessel: dark", "vessel: bright", "s"},
    {"engine", "vessel: dark", "vessel: dark, engine: itk", "s"},
    {"seeds", "[[1, 2, 3]]", "[[1, 2, 3], [4, 5, 6]]", "s"},
    {"engine", "vessel: dark", "vessel: dark, engine: itk", "s"},
    {"seeds", "[[1, 2, 3]]", "[[1, 2, 4]]", "s"},
    {"vessel", "vessel: dark", "vessel: auto", "s"},
    {"smoothing", "smoothing: 1 mm", "smoothing: 2 mm", "s"},
    {"edge", "low: 1,", "low: 2,", "s"},
    {"low", "low: 10,", "low: 11,", "s"},
    {"high", "high: 5}", "high: 6}", "s"},
    {"high", "high: 20}", "high: 21}", "s"},
    {"weights", "weights: {propagation: 1, curvature: 2, advection: 3}, ", "", "s"},
    {"propagation", "propagation: 1", "propagation: 2", "s"},
    {"curvature", "curvature: 2", "curvature: 1", "s"},
    {"advection", "advection: 3", "advection: 4", "s"},
    {"threshold", "threshold: {low: 10, high: 20}, ", "", "s"},
    {"iterations", "iterations: 9", "iterations: 10", "s"},
    {"max_volume", "7 mL", "8 mL", "s"},
    {"side_branches", "vessel: dark", "vessel: dark, side_branches: 1", "s"},
    {"bridge_signal_loss", "vessel: dark", "vessel: dark, bridge_signal_loss: true", "s"},
    {"openings", "role: outlet, point: [3", "role: outlet, point: [2", "sm"},
    {"name", "name: W", "name: W2", "mvp"},
    {"role", "name: C, role: outlet, point: [4, 4, 4], developed: true",
     "name: C, role: inlet, point: [4, 4, 4], flow: 0 L/min", "mvp"},
    {"point", "[1, 1, 1]", "[1, 1, 2]", "sm"},
    {"normal", "normal: [0, 0, 1]", "normal: [0, 1, 1]", "sm"},
    {"normal", "normal: [0, 0, 1]", "normal: auto", "sm"},
    {"found_normal", "normal: [0, 0, 1]", "found_normal: [0, 0, 1]", "m"},
    {"extension", "extension: 1 mm", "extension: 2 mm", "m"},
    {"radius", "radius: 5 mm", "radius: 6 mm", "m"},
    {"flow", "0.6 L/min", "0.7 L/min", "mvp"},
    {"flow", "w.csv", "x.csv", "mvp"},
    {"velocity", "mean: 0.1", "peak: 0.1", "mvp"},
    {"velocity", "mean: 0.1", "mean: 0.2", "mvp"},
    {"pressure", "1 mmHg}", "2 mmHg}", "vp"},
    {"developed", "developed: true", "pressure: 0 Pa", "mvp"},
    {"resistance", "developed: true", "resistance: {value: 1 mmHg min/L, distal: 1 mmHg}", "mvp"},
    {"distal error", "developed: true", "resistance: {value: 1 mmHg min/L, distal: 1 mmHg +- 1 mmHg}", "mvp"},
    {"windkessel", "developed: true",
     "windkessel: {proximal: 1 mmHg min/L, capacitance: 1 mL/mmHg, distal_resistance: 2 mmHg min/L, distal: 1 mmHg}",
     "mvp"},
    {"capacitance error", "developed: true",
     "windkessel: {proximal: 1 mmHg min/L, capacitance: 1 mL/mmHg +- 20 %, distal_resistance: 2 mmHg min/L, distal: 1 "
     "mmHg}",
     "mvp"},
    {"collateral", "developed: true", "developed: true, collateral: true", "p"},
    {"split", "[3, 3, 3], pressure: 1 mmHg}\n- {name: C, role: outlet, point: [4, 4, 4], developed: true}\n",
     "[3, 3, 3]}\n- {name: C, role: outlet, point: [4, 4, 4]}\nsplit: murray\n", "mvp"},
    {"territory", "[3, 3, 3], pressure: 1 mmHg}\n- {name: C, role: outlet, point: [4, 4, 4], developed: true}\n",
     "[3, 3, 3]}\n- {name: C, role: outlet, point: [4, 4, 4]}\n"
     "split: {labels: {path: s.nii}, territory: {B: [1], C: [2]}}\n",
     "mvp"},
    {"profile", "profile: plug", "profile: parabolic", "mvp"},
    {"sections", "sections:\n- {name: S, point: [5, 5, 5], normal: [0, 1, 0]}",
     "sections:\n- {name: S, point: [5, 5, 5], normal: [0, 1, 0]}\n- {name: S2, point: [5, 5, 5]}", "p"},
    {"sections", "point: [5, 5, 5]", "point: [5, 5, 6]", "p"},
    {"branch", "point: [5, 5, 5], normal: [0, 1, 0]", "branch: A, at: 5 mm", "p"},
    {"at", "point: [5, 5, 5], normal: [0, 1, 0]", "branch: A, at: 50 %", "p"},
    {"sections", "normal: [0, 1, 0]", "normal: [0, -1, 0]", "p"},
    {"blood", "1000 kg", "1001 kg", "mvp"},
    {"density", "1000 kg", "1001 kg", "mvp"},
    {"viscosity", "4 mPa s", "4.5 mPa s", "mvp"},
    {"mesh", "0.5 mm", "0.6 mm", "m"},
    {"spacing", "0.5 mm", "0.6 mm", "m"},
    {"cells_per_diameter", "spacing: 0.5 mm", "cells_per_diameter: 20", "m"},
    {"max_cells", "spacing: 0.5 mm", "max_cells: 2e6", "m"},
    {"grid_levels", "spacing: 0.5 mm", "spacing: 0.5 mm, grid_levels: 3", "mv"},
    {"fast", "spacing: 0.5 mm", "spacing: 0.5 mm, fast: true", "mv"},
    {"wall_uncertainty", "spacing: 0.5 mm", "spacing: 0.5 mm, wall_uncertainty: 0.1 mm", "mv"},
    {"readouts", "value: 4 mmHg min/L", "value: 4 mmHg min/L +- 5 %", "p"},
    {"solve", "tau: 0.8, ", "", "v"},
    {"mode", "mode: pulsatile", "mode: steady", "mv"},
    {"wall", "wall: interpolated", "wall: vlbm", "mv"}, /* and with it one lattice */
    {"opening", "opening: half-way", "opening: zou-he", "v"},
    {"collision", "collision: bgk", "collision: trt", "v"},
    {"precision", "precision: double", "precision: float", "v"},
    {"tolerance", "1e-5", "1e-6", "v"},
    {"accuracy", "tau: 0.8", "tau: 0.8, accuracy: auto", "v"},
    {"max_steps", "77", "78", "v"},
    {"max_lattice_velocity", "0.08", "0.09", "v"},
    {"tau", "tau: 0.8", "tau: 0.9", "v"},
    {"time_step", "tau: 0.8", "time_step: 1 ms", "v"},
    {"cycles", "cycles: 4", "cycles: 5", "v"},
    {"stores", "stores: 8", "stores: 9", "v"},
    {"period", "0.9 s", "1.8 s", "v"},
    {"force", "[1, 0, 6]", "[1, 0, 7]", "v"},
    {"acceleration", "acceleration: anderson", "acceleration: none", "v"},
    {"monitor_every", "monitor_every: 11", "monitor_every: 12", "v"},
    {"checkpoint", "33 s", "44 s", ""}, /* when, not what */
    {"accept_unconverged", "accept_unconverged: true", "accept_unconverged: false",
     ""}, /* the verdict, not the result */
    {"readouts", "value: 4 mmHg", "value: 5 mmHg", "p"},
    {"readouts", "value: 4 mmHg min/L", "lost_share: 0 %, value: 4 mmHg min/L", "p"},
    {"measured", "portal: S, cava: B", "portal: S, measured: 18 mmHg, cava: B", "p"},
    {"labels", "cava: B, liver: {model: resistance, value: 4 mmHg min/L",
     "liver: {model: compartments, labels: {path: l.nii}, stage: healthy, hepatic_pressure: 5 mmHg", "p"},
    {"readouts", "from: A", "from: C", "p"},
    {"readouts", "to: B", "to: C", "p"},
    {"readouts", "portal: S", "portal: C", "p"},
    {"readouts", "cava: B, ", "", "p"},
    {"post", "readouts:\n", "post: {instants: [0.1 s]}\nreadouts:\n", "p"},
    {"nifti", "readouts:\n", "post: {nifti: true}\nreadouts:\n", "p"},
    {"instants", "readouts:\n", "post: {instants: [0.1 s, 0.2 s]}\nreadouts:\n", "p"},
};
enum { CHANGES = sizeof change / sizeof change[0] };

static const char *const labels =
    "image: {path: a.nii}\nsegment: {method: labels, labels: {path: l.nii, values: [1]}}\nopenings:\n"
    "- {name: A, role: inlet, point: [1, 1, 1], flow: 1 mL/s}\n- {name: B, role: outlet, point: [3, 3, 3], pressure: 1 "
    "mmHg}\n";
static const char *const treated = "space: LPS\nsegment: {method: treated, before: ../a}\ntreat:\n- close: {branch: P, "
                                   "at: 50 %}\n- stent: {from: [1, 2, "
                                   "3], via: [[4, 5, 6]], to: [7, 8, 9], diameter: 8 mm, opening: B}\nopenings:\n- "
                                   "{name: A, role: inlet, point: [1, 1, "
                                   "1], flow: 1 mL/s}\n- {name: B, role: outlet, point: [3, 3, 3], pressure: 1 mmHg}\n";
static const char *const shaped = "space: LPS\nmesh: {spacing: 1 mm, shape: {type: stenosis, from: [0, 0, 0], to: [0, "
                                  "0, 9], radius: 3 mm, throat: 2 mm, "
                                  "length: 4 mm}, box: {low: [-5, -5, 0], high: [5, 5, 9]}, periodic: [z]}\n";
static const char *const tree = "space: LPS\nmesh: {spacing: 1 mm, shape: {type: chamber, segments: [{from: [0, 0, 0], "
                                "to: [0, 0, 9], radius_from: 3 mm, "
                                "radius_to: 2 mm}], ellipsoids: [{centre: [1, 1, 1], half_axes: [2 mm, 3 mm, 4 mm]}]}, "
                                "box: {low: [-5, -5, 0], high: [5, "
                                "5, 9]}}\n";

static const char *const heated =
    "space: LPS\nmesh: {spacing: 1 mm, shape: {type: box, low: [0, 0, -9], high: [5, 5, 9]}, box: {low: [0, 0, 0], "
    "high: "
    "[5, 5, 2]}, periodic: [z]}\nwalls:\n- {name: warm, part: x-low, temperature: 31 degC}\n- {name: cold, part: "
    "x-high, "
    "temperature: 29 degC}\n- {name: sides, insulated: true}\nsolve: {heat: {diffusivity: 1e-6 m2/s, expansion: 0.0004 "
    "1/K, reference: 30 degC, gravity: [0, -9.81, 0]}}\n";

static void expect(const char *text, const char *from, const char *to, const char *touches) {
    digests before = digest(text), after = digest(with(text, from, to));
    for (int k = 0; k < 4; k++) {
        int wanted = strchr(touches, "smvp"[k]) != NULL, changed = strcmp(before.hex[k], after.hex[k]) != 0;
        if (changed != wanted)
            fail_msg("\"%s\" -> \"%s\" %s %s", from, to, changed ? "changes" : "does not change", stages[k]);
    }
}

static const char *const thinning =
    "segment: {surface: {path: a.stl}}\nopenings:\n- {name: A, role: inlet, point: [1, 1, 1], flow: 1 mL/s}\n"
    "- {name: B, role: outlet, point: [3, 3, 3], pressure: 1 mmHg}\nblood: {model: quemada, hematocrit: 40 %}\n";

static void test_blood_models(void **state) {
    (void)state;
    const char *blood = "model: quemada, hematocrit: 40 %";
    char casson[4000], yasuda[4000], unknown[4000];
    expect(thinning, "40 %", "41 %", "mvp");
    expect(thinning, blood, "model: casson", "mvp");
    snprintf(casson, sizeof casson, "%s", with(thinning, blood, "model: casson"));
    expect(casson, "casson", "power-law", "mvp");
    expect(casson, "casson", "casson, set: shibeshi", ""); /* the default set */
    snprintf(yasuda, sizeof yasuda, "%s", with(thinning, blood, "model: carreau-yasuda"));
    expect(yasuda, "yasuda", "yasuda, set: abraham", "mvp");
    snprintf(unknown, sizeof unknown, "%s", with(thinning, blood, "model: unknown"));
    expect(unknown, "unknown", "newtonian", "vp"); /* the lattice stays */
    expect(unknown, "unknown", "unknown, set: abraham", "vp");
    expect(unknown, "unknown", "unknown, viscosity: 4 mPa s", "mvp");
}

static const char porous_case[] =
    "space: LPS\nmesh: {spacing: 1 mm, box: {low: [-5, -5, -9], high: [5, 5, 9]},\n"
    "  shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 9], radius: 4 mm}}\n"
    "openings:\n- {name: A, role: inlet, point: [0, 0, -8], normal: [0, 0, -1], flow: 1 mL/s}\n"
    "- {name: B, role: outlet, point: [0, 0, 8], normal: [0, 0, 1], pressure: 0 mmHg}\n"
    "porous: [{name: a, permeability: 1e-9 m2 +- 30 %, sphere: {centre: [0, 0, 1], radius: 2 mm}}]\n";

/* The shares determine the flows, and therefore the spacing. */
static const char shares_case[] =
    "space: LPS\nmesh: {box: {low: [-5, -5, -9], high: [5, 5, 9]},\n"
    "  shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 9], radius: 4 mm}}\n"
    "openings:\n- {name: A, role: inlet, point: [0, 0, -8], normal: [0, 0, -1], flow: 1 mL/s}\n"
    "- {name: B, role: outlet, point: [0, 0, 8], normal: [0, 0, 1]}\n"
    "- {name: C, role: outlet, point: [0, 8, 0], normal: [0, 1, 0]}\n"
    "split: {B: 60 %, C: rest}\n";

static void test_changes(void **state) {
    (void)state;
    expect(shares_case, "B: 60 %, C: rest", "B: 70 %, C: rest", "mvp");
    expect(shares_case, "B: 60 %, C: rest", "B: rest, C: 60 %", "mvp");
    expect(shares_case, "{B: 60 %, C: rest}", "{murray: 3}", "mvp");
    char murray[4000];
    snprintf(murray, sizeof murray, "%s", with(shares_case, "{B: 60 %, C: rest}", "{murray: 3}"));
    expect(murray, "murray: 3", "murray: 2", "mvp");
    for (int k = 0; k < CHANGES; k++)
        expect(base, change[k].from, change[k].to, change[k].touches);
    expect(labels, "values: [1]", "values: [2]", "s");
    expect(labels, ", values: [1]", "", "s");
    expect(labels, "l.nii", "m.nii", "s");
    expect(labels, "method: labels, labels: {path: l.nii, values: [1]}", "surface: {path: l.stl, frame: LPS}", "s");
    const char *const porous[][3] = {{"{name: a", "{name: b", "mvp"},
                                     {"1e-9 m2", "2e-9 m2", "vp"},
                                     {"+- 30 %", "+- 20 %", "vp"},
                                     {"centre: [0, 0, 1]", "centre: [0, 0, 2]", "mvp"},
                                     {"radius: 2 mm", "radius: 3 mm", "mvp"}};
    for (size_t k = 0; k < sizeof porous / sizeof *porous; k++)
        expect(porous_case, porous[k][0], porous[k][1], porous[k][2]);
    const char *const treatment[][2] = {{"../a", "../b"},           {"branch: P", "branch: Q"}, {"50 %", "9 mm"},
                                        {"close", "dilate"},        {"[1, 2, 3]", "[1, 2, 4]"}, {"[[4, 5, 6]]", "[]"},
                                        {"[7, 8, 9]", "[7, 8, 0]"}, {"8 mm", "9 mm"},           {", opening: B", ""}};
    for (size_t k = 0; k < sizeof treatment / sizeof *treatment; k++)
        if (strcmp(treatment[k][0], "close") == 0)
            expect(treated, "close: {branch: P, at: 50 %}", "dilate: {branch: P, from: 0 %, to: 50 %, diameter: 1 mm}",
                   "s");
        else
            expect(treated, treatment[k][0], treatment[k][1], "s");
    const char *const numbers[][2] = {{"[0, 0, 0], to", "[0, 1, 0], to"}, {"to: [0, 0, 9]", "to: [0, 0, 8]"},
                                      {"radius: 3", "radius: 4"},         {"throat: 2", "throat: 1"},
                                      {"length: 4", "length: 5"},         {"low: [-5", "low: [-6"},
                                      {"high: [5", "high: [6"},           {"[z]", "[z, y]"}};
    for (int k = 0; k < 8; k++)
        expect(shaped, numbers[k][0], numbers[k][1], "m");
    expect(heated, "name: warm", "name: hot", "mvp");
    expect(heated, "part: x-low", "part: y-low", "mvp");
    const char *const heat[][2] = {{"31 degC", "32 degC"},
                                   {"1e-6 m2/s", "2e-6 m2/s"},
                                   {"0.0004", "0.0005"},
                                   {"30 degC", "29 degC"},
                                   {"-9.81", "-9.8"}};
    for (int k = 0; k < 5; k++)
        expect(heated, heat[k][0], heat[k][1], "vp");
    expect(heated, "solve: {heat", "post: {nusselt_length: 5 mm}\nsolve: {heat", "p");
    const char *const parts[][2] = {
        {"from: [0", "from: [1"},         {"to: [0", "to: [1"},         {"radius_from: 3", "radius_from: 4"},
        {"radius_to: 2", "radius_to: 3"}, {"centre: [1", "centre: [2"}, {"2 mm, 3 mm", "2 mm, 5 mm"}};
    for (int k = 0; k < 6; k++)
        expect(tree, parts[k][0], parts[k][1], "m");
}

/* No key of the tables is forgotten above. */
static void covered(const case_key *table) {
    static const char *const elsewhere[] = {
        "method",         "labels", "values", "surface",     "unit",        "frame",      "shape",     "box",
        "periodic",       "walls",  "heat",   "temperature", "diffusivity", "expansion",  "reference", "gravity",
        "nusselt_length", "before", "treat",  "model",       "set",         "hematocrit", "porous"};
    for (const case_key *key = table; key->name; key++) {
        int found = 0;
        for (int k = 0; k < CHANGES; k++)
            found = found || strcmp(change[k].key, key->name) == 0;
        for (size_t k = 0; k < sizeof elsewhere / sizeof elsewhere[0]; k++)
            found = found || strcmp(elsewhere[k], key->name) == 0;
        if (!found)
            fail_msg("no change of the key '%s' is tried here: which stages depend on it?", key->name);
        if (key->block)
            covered(key->block);
    }
}

static void test_covered(void **state) {
    (void)state;
    covered(case_keys);
    covered(case_opening_keys);
    covered(case_section_keys);
}

static void test_spelling(void **state) {
    (void)state;
    const char *const same[][2] = {
        {"0.6 L/min", "600 mL/min"},
        {"0.6 L/min", "1e-5 m3/s"},
        {"4 mPa s", "0.004 Pa s"},
        {"4 mPa s", "4.00 cP"},
        {"0.5 mm", "500 um"},
        {"0.9 s", "900 ms"},
        {"1000 kg/m3", "1 g/cm3"},
        {"[1, 1, 1]", "[1.0, +1, 1e0]"},
        {"normal: [0, 0, 1]", "normal: [0, 0, 17.3]"},
        {"name: n1", "# a comment\nname: \"n1\""},
        {"{density: 1000 kg/m3, viscosity: 4 mPa s}", "{viscosity: 4 mPa s, density: 1000 kg/m3}"},
        {"[2, 2, 2]", "[2, -0, 2]"},
        {"blood: {", "blood:  {   "}};
    for (size_t k = 0; k < sizeof same / sizeof same[0]; k++) {
        const char *text = base;
        char zero[4000];
        if (strcmp(same[k][0], "[2, 2, 2]") == 0) { /* -0 is 0 */
            snprintf(zero, sizeof zero, "%s", with(base, "[2, 2, 2]", "[2, 0, 2]"));
            text = zero;
            expect(text, "[2, 0, 2]", "[2, -0, 2]", "");
        } else {
            expect(text, same[k][0], same[k][1], "");
        }
    }
    char hex[17];
    case_file c;
    assert_int_equal(case_read_text(base, strlen(base), "another/folder.yaml", 0, &c), OK);
    case_digest(&c, "mesh", hex);
    assert_string_equal(hex, digest(base).hex[1]); /* not where it lies */
    assert_int_equal(strlen(hex), 16);
    case_free(&c);
    digests d = digest(base);
    for (int k = 1; k < 4; k++)
        assert_string_not_equal(d.hex[k], d.hex[k - 1]);
}

/* Another curve in a file of the same name is another case: for mesh, too, which looks at the largest flow. */
static void test_waveform(void **state) {
    (void)state;
    char text[4000];
    snprintf(text, sizeof text, "%s", with(base, "w.csv", temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.3,2\n0.6,1\n")));
    digests before = digest(text);
    temp_text("w.csv", "t_s,flow_ml_s\n0,1\n0.3,3\n0.6,1\n");
    digests after = digest(text);
    assert_string_equal(before.hex[0], after.hex[0]);
    assert_string_not_equal(before.hex[1], after.hex[1]);
    assert_string_not_equal(before.hex[2], after.hex[2]);
    /* a stated interval counts, too, for solve and post, whose error bounds contain it */
    temp_text("w.csv", "# mean flow 2 mL/s, 95 % interval +- 0.2 mL/s\nt_s,flow_ml_s\n0,1\n0.3,3\n0.6,1\n");
    const digests narrow = digest(text);
    temp_text("w.csv", "# mean flow 2 mL/s, 95 % interval +- 0.4 mL/s\nt_s,flow_ml_s\n0,1\n0.3,3\n0.6,1\n");
    const digests wide = digest(text);
    for (int k = 2; k < 4; k++) {
        assert_string_not_equal(narrow.hex[k], after.hex[k]);
        assert_string_not_equal(narrow.hex[k], wide.hex[k]);
    }
}

/* Names of the case and of files count in one of the two digests of a stage, all other values in both. */
static void test_names(void **state) {
    (void)state;
    static const char *const named[][2] = {{"a.nii", "b.nii"}, {"name: n1", "name: n2"}, {"0.5 mm", "0.6 mm"}};
    static const int stage[] = {0, 3, 1};
    for (int k = 0; k < 3; k++) {
        const char *text[] = {base, with(base, named[k][0], named[k][1])};
        char hex[2][2][17];
        for (int i = 0; i < 2; i++) {
            case_file c;
            assert_int_equal(case_read_text(text[i], strlen(text[i]), "case.yaml", 0, &c), OK);
            case_digest(&c, stages[stage[k]], hex[i][0]);
            case_digest_without_names(&c, stages[stage[k]], hex[i][1]);
            case_free(&c);
        }
        assert_string_not_equal(hex[0][0], hex[1][0]);
        assert_int_equal(strcmp(hex[0][1], hex[1][1]) == 0, k < 2);
    }
}

/* Keys of the compartments of a liver, whose resistance is not known to the case, touch post only. */
static void test_compartments(void **state) {
    (void)state;
    static const char *const now[] = {"labels: {path: l.nii}, stage: healthy, hepatic_pressure: 5 mmHg",
                                      "labels: {path: m.nii}, stage: healthy, hepatic_pressure: 5 mmHg",
                                      "labels: {path: l.nii, values: [3]}, stage: healthy, hepatic_pressure: 5 mmHg",
                                      "labels: {path: l.nii}, stage: cirrhosis, hepatic_pressure: 5 mmHg",
                                      "labels: {path: l.nii}, stage: healthy, hepatic_pressure: 6 mmHg",
                                      "labels: {path: l.nii}, stage: healthy, hepatic_pressure: 5 mmHg, "
                                      "hepatic_veins: [[1, 2, 3]]",
                                      "labels: {path: l.nii}, stage: healthy, hepatic_pressure: 5 mmHg, "
                                      "hepatic_veins: [[1, 2, 4]]",
                                      "labels: {path: l.nii}, stage: healthy, hepatic_pressure: 5 mmHg, "
                                      "lobule_radius: 0.4 mm",
                                      "labels: {path: l.nii}, stage: healthy, hepatic_pressure: 5 mmHg, "
                                      "hepatic_permeability: 1e-9 m2"};
    enum { CASES = sizeof now / sizeof *now };
    digests d[CASES];
    for (int k = 0; k < CASES; k++) {
        char keys[300];
        snprintf(keys, sizeof keys, "liver: {model: compartments, %s", now[k]);
        d[k] = digest(with(base, "cava: B, liver: {model: resistance, value: 4 mmHg min/L", keys));
        for (int before = 0; before < k; before++) {
            assert_string_not_equal(d[k].hex[3], d[before].hex[3]);
            for (int stage = 0; stage < 3; stage++)
                assert_string_equal(d[k].hex[stage], d[before].hex[stage]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes),      cmocka_unit_test(test_compartments),
                                       cmocka_unit_test(test_blood_models), cmocka_unit_test(test_covered),
                                       cmocka_unit_test(test_spelling),     cmocka_unit_test(test_waveform),
                                       cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
