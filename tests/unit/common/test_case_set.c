/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the command line in a case: taken like the file's own keys, refused with the same words. */
#include "common/case/case.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char text[] =
    "name: x\n"
    "openings:\n"
    "- {name: A, role: inlet, point: [0, 0, -4], velocity: {mean: 0.1 m/s, profile: plug}}\n"
    "- {name: A.1, role: outlet, point: [0, 0, 4], pressure: 0 mmHg}\n"
    "mesh: {spacing: 0.5 mm, shape: {type: cylinder, from: [0, 0, -4], to: [0, 0, 4], radius: 3 mm},\n"
    "  box: {low: [-4, -4, -5], high: [4, 4, 5]}}\n"
    "readouts: [{pressure_drop: {from: A, to: A.1}}, {ppg: {portal: A, liver: {model: resistance, value: 4 mmHg "
    "min/L}}}]\n";

#define READ(c, ...)                                                                                                   \
    read_with(                                                                                                         \
        c, &(const options_list){.n = sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), .word = {__VA_ARGS__}})

static int read_with(case_file *c, const options_list *set) {
    status_clear();
    return case_read_set(temp_text("case.yaml", text), set, 0, c);
}

static void test_taken(void **state) {
    (void)state;
    case_file c, file;
    char digest[17], as_in_file[17];
    assert_int_equal(READ(&c, "mesh.spacing=0.25 mm", "solve.wall=vlbm", "solve.tolerance=1e-4", "mesh.periodic=[z]",
                          "openings.A.velocity.mean=0.2 m/s", "openings.A.1.point=[0, 1, 4]",
                          "blood.density=1000 kg/m3", "name='a: b'",
                          "mesh.shape={type: box, low: [0, 0, 0], high: [1, 2, 3]}"),
                     OK);
    assert_true(c.mesh.spacing_mm == 0.25 && c.solve.wall == WALL_VLBM && c.solve.tolerance == 1e-4);
    assert_true(c.mesh.periodic[2] && !c.mesh.periodic[0]);
    assert_true(fabs(c.opening[0].value - 0.2) < 1e-15 && c.opening[0].profile == PROFILE_PLUG);
    assert_true(c.opening[1].point[1] == 1 && c.opening[0].point[2] == -4);
    assert_true(c.blood.density_kg_m3 == 1000 && c.mesh.shape.kind == SHAPE_BOX);
    assert_string_equal(c.name, "a: b");
    case_free(&c);

    /* an empty value takes a key out; a digest does not see where a value was said */
    assert_int_equal(
        READ(&c, "openings.A.velocity=", "openings.A.flow=0.6 L/min", "mesh.spacing=", "mesh.cells_per_diameter=12"),
        OK);
    assert_int_equal(c.opening[0].condition, CONDITION_FLOW);
    assert_true(isnan(c.mesh.spacing_mm) && c.mesh.cells_per_diameter == 12);
    case_free(&c);
    assert_int_equal(READ(&c, "mesh.spacing=500 um"), OK);
    assert_int_equal(case_read(temp_path("case.yaml"), 0, &file), OK);
    case_digest(&c, "mesh", digest);
    case_digest(&file, "mesh", as_in_file);
    assert_string_equal(digest, as_in_file);
    case_free(&c);
    case_free(&file);
}

/* A readout has the name of its portal or first place; the next key decides between readouts of one name. */
static void test_readouts_by_name(void **state) {
    (void)state;
    case_file c;
    assert_int_equal(READ(&c, "readouts.A.liver.value=5 mmHg min/L +- 20 %"), OK);
    assert_true(fabs(c.readout[1].liver_resistance / UNITS_PA_S_M3_PER_MMHG_MIN_L - 5) < 1e-12);
    assert_true(fabs(c.readout[1].liver_error / UNITS_PA_S_M3_PER_MMHG_MIN_L - 1) < 1e-12);
    case_free(&c);
    assert_int_equal(READ(&c, "readouts.A.pressure_drop.to=A", "readouts.A.pressure_drop.from=A.1"), OK);
    assert_string_equal(c.readout[0].from, "A.1");
    case_free(&c);
    assert_int_equal(READ(&c, "readouts.A.measured=18 mmHg +- 2 mmHg"), OK);
    assert_true(fabs(units_pa_to_mmhg(c.readout[1].measured_pa) - 18) < 1e-9);
    assert_true(fabs(units_pa_to_mmhg(c.readout[1].measured_error_pa) - 2) < 1e-9);
    case_free(&c);
    assert_int_equal(READ(&c, "readouts.A.liver="), OK);
    assert_true(isnan(c.readout[1].liver_resistance) && isnan(c.readout[1].measured_pa));
    case_free(&c);
}

/* Of keys that exclude each other the one given here stays; with both given here the case is refused as a file is. */
static void test_replaced(void **state) {
    (void)state;
    case_file c;
    assert_int_equal(READ(&c, "mesh.cells_per_diameter=12", "openings.A.1.developed=true", "openings.A.flow=0.6 L/min"),
                     OK);
    assert_true(isnan(c.mesh.spacing_mm) && c.mesh.cells_per_diameter == 12);
    assert_int_equal(c.opening[0].condition, CONDITION_FLOW);
    assert_int_equal(c.opening[1].condition, CONDITION_DEVELOPED);
    case_free(&c);
    assert_int_equal(READ(&c, "mesh.cells_per_diameter=12", "mesh.spacing="), OK);
    assert_true(isnan(c.mesh.spacing_mm) && c.mesh.cells_per_diameter == 12);
    case_free(&c);
    assert_int_equal(READ(&c, "mesh.fast=true"), OK); /* a shape keeps its spacing, a vessel does not */
    assert_true(c.mesh.fast && c.mesh.spacing_mm == 0.5 && c.mesh.grid_levels == 1);
    case_free(&c);
    assert_int_equal(READ(&c, "mesh.fast=true", "mesh.shape=", "mesh.box=",
                          "segment={method: surface, surface: {path: "
                          "a.stl, unit: mm}}"),
                     OK);
    assert_true(c.mesh.fast && isnan(c.mesh.spacing_mm) && c.mesh.finest_spacing_mm == 0.5);
    case_free(&c);
    assert_int_equal(READ(&c, "mesh.fast=true", "mesh.shape=", "mesh.box=", "mesh.cells_per_diameter=9",
                          "segment={method: surface, surface: {path: "
                          "a.stl, unit: mm}}"),
                     OK);
    assert_true(c.mesh.cells_per_diameter == 9 && isnan(c.mesh.finest_spacing_mm) &&
                isnan(c.mesh.most_cells_per_diameter));
    case_free(&c);
}

/* A fast run is steady, with the means of the waveforms, unless the command line gives the mode. */
static void test_fast_is_steady(void **state) {
    (void)state;
    static const char *const fast[] = {"mesh.fast=true", "solve.mode=pulsatile"};
    const char *path = temp_text("pulse.yaml", "segment: {method: surface, surface: {path: a.stl, unit: mm}}\n"
                                               "openings:\n"
                                               "- {name: A, role: inlet, point: [0, 0, -4], flow: {waveform: a.csv}}\n"
                                               "- {name: B, role: outlet, point: [0, 0, 4], pressure: 0 mmHg}\n"
                                               "solve: {mode: pulsatile}\n"
                                               "post: {instants: [0.1 s]}\n");
    for (int n = 0; n <= 2; n++) {
        case_file c;
        const options_list set = {.n = n, .word = {fast[0], fast[1]}};
        assert_int_equal(case_read_set(path, &set, 0, &c), OK);
        assert_true(c.solve.mode == (n == 1 ? MODE_STEADY : MODE_PULSATILE));
        assert_true(c.solve.collision == (n == 1 ? COLLISION_CUMULANT : COLLISION_TRT));
        case_free(&c);
    }
}

static void refuse(const options_list *set, const char *words) {
    case_file c;
    assert_int_equal(read_with(&c, set), ERR_INPUT);
    if (!strstr(status_message(), words))
        fail_msg("%s\ngives\n%s\nwhich has no \"%s\"", set->word[0], status_message(), words);
    status_clear();
}
#define REFUSE(words, ...)                                                                                             \
    refuse(&(const options_list){.n = sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), .word = {__VA_ARGS__}},  \
           words)

static void test_refused(void **state) {
    (void)state;
    REFUSE("--set solve.wall=vlb: wall: 'vlb' is not one of: interpolated, vlbm; did you mean 'vlbm'?",
           "solve.wall=vlb");
    REFUSE("--set mesh.spacing=0.4: spacing: ", "mesh.spacing=0.4");
    REFUSE("--set mesh.spacng=0.4 mm: there is no key 'spacng' here; did you mean 'spacing'?", "mesh.spacng=0.4 mm");
    REFUSE("did you mean 'solve'?", "sovle.wall=vlbm");
    REFUSE("--set openings.B.flow=1 L/min: 'openings' has no entry 'B'; its entries are A, A.1",
           "openings.B.flow=1 L/min");
    REFUSE("'readouts' has no entry '0'; its entries are A", "readouts.0=1");
    REFUSE("2 entries of 'readouts' are named 'A': set the whole list, readouts=[..]", "readouts.A=");
    REFUSE("there is no key 'livr' here; did you mean 'liver'?", "readouts=[{ppg: {portal: A.1}}]",
           "readouts.A.1.livr=4");
    REFUSE("'spacing' is the value '0.5 mm' and has no keys", "mesh.spacing.unit=mm");
    REFUSE("there is no key 'tau' to remove", "solve.tau=");
    REFUSE("this key was given before, by --set mesh.spacing=1 mm", "mesh.spacing=1 mm", "mesh.spacing=2 mm");
    REFUSE("cannot be combined with spacing; remove one of the two", "mesh.cells_per_diameter=12", "mesh.spacing=1 mm");
    REFUSE("this opening already has a condition", "openings.A.flow=1 mL/s", "openings.A.pressure=1 mmHg");
    REFUSE("this is not YAML", "mesh.box={low: [");
    REFUSE("anchors (&name) are not part of a case file", "name=&a b");
    REFUSE("a key is words with '.' between them", "mesh..spacing=1 mm");
    REFUSE("a key is words with '.' between them", "mesh.=1 mm");
    REFUSE("--set openings.A={role: inlet}: openings: an opening needs a name", "openings.A={role: inlet}");
}

static void test_place(void **state) {
    (void)state;
    case_file c;
    char place[512];
    assert_int_equal(READ(&c, "sections=[{name: M, point: [0, 0, 0]}]"), OK);
    assert_string_equal(case_write_place(&c, c.section[0].line, place, sizeof place),
                        "--set sections=[{name: M, point: [0, 0, 0]}]");
    assert_non_null(strstr(case_write_place(&c, c.opening[1].line, place, sizeof place), "case.yaml:4"));
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_readouts_by_name), cmocka_unit_test(test_taken),
                                       cmocka_unit_test(test_replaced),         cmocka_unit_test(test_fast_is_steady),
                                       cmocka_unit_test(test_refused),          cmocka_unit_test(test_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
