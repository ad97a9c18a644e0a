/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities with units: what is read, and what is refused. */
#include "common/base/status.h"
#include "common/record/three_digits.h"
#include "common/base/units.h"
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static double read_as(const char *text, enum units_kind kind) {
    double value = NAN;
    status_clear();
    assert_int_equal(units_parse(text, kind, &value), OK);
    return value;
}

#define NEAR(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(b))

static void test_values(void **state) {
    (void)state;
    NEAR(read_as("0.6 L/min", UNIT_FLOW_M3_S), 1e-5);
    NEAR(read_as("600 mL/min", UNIT_FLOW_M3_S), 1e-5);
    NEAR(read_as("600 ml/min", UNIT_FLOW_M3_S), 1e-5);
    NEAR(read_as("10 mL/s", UNIT_FLOW_M3_S), 1e-5);
    NEAR(read_as("10 cm3/s", UNIT_FLOW_M3_S), 1e-5);
    NEAR(read_as("0.01 L/s", UNIT_FLOW_M3_S), 1e-5);
    NEAR(read_as("1e4 mm3/s", UNIT_FLOW_M3_S), 1e-5);
    NEAR(read_as("1e-5 m3/s", UNIT_FLOW_M3_S), 1e-5);
    NEAR(read_as("310.15 K", UNIT_TEMPERATURE_C), 37.0);
    NEAR(read_as("34 degC", UNIT_TEMPERATURE_C), 34.0);
    NEAR(read_as("3.5 mPa s", UNIT_VISCOSITY_PA_S), 3.5e-3);
    NEAR(read_as("3.5 cP", UNIT_VISCOSITY_PA_S), 3.5e-3);
    NEAR(read_as("0.0035 Pa s", UNIT_VISCOSITY_PA_S), 3.5e-3);
    NEAR(read_as("3.5 mPa \t s", UNIT_VISCOSITY_PA_S), 3.5e-3);
    assert_true(read_as("0 mmHg", UNIT_PRESSURE_PA) == 0);
    NEAR(read_as("12 mmHg", UNIT_PRESSURE_PA), 12 * 133.322387415);
    NEAR(read_as("1 kPa", UNIT_PRESSURE_PA), 1000.0);
    NEAR(read_as("10 cmH2O", UNIT_PRESSURE_PA), 980.665);
    NEAR(read_as("1060 kg/m3", UNIT_DENSITY_KG_M3), 1060.0);
    NEAR(read_as("1.06 g/cm3", UNIT_DENSITY_KG_M3), 1060.0);
    NEAR(read_as("1.06 g/mL", UNIT_DENSITY_KG_M3), 1060.0);
    NEAR(read_as("4.0 mmHg min/L", UNIT_RESISTANCE), 4 * 133.322387415 * 60 / 1e-3);
    NEAR(read_as("1 Pa s/m3", UNIT_RESISTANCE), 1.0);
    NEAR(read_as("0.4 mm", UNIT_LENGTH_MM), 0.4);
    NEAR(read_as("  0.04 cm  ", UNIT_LENGTH_MM), 0.4);
    NEAR(read_as("400 um", UNIT_LENGTH_MM), 0.4);
    NEAR(read_as("4e-4 m", UNIT_LENGTH_MM), 0.4);
    NEAR(read_as("2 min", UNIT_TIME_S), 120.0);
    NEAR(read_as("5 ms", UNIT_TIME_S), 5e-3);
    NEAR(read_as("10 cm/s", UNIT_VELOCITY_M_S), 0.1);
    NEAR(read_as("-9.81 m/s2", UNIT_ACCELERATION_M_S2), -9.81);
    NEAR(read_as("3.14159265358979323846 rad", UNIT_ANGLE_DEG), 180.0);
    NEAR(read_as("0.5 L", UNIT_VOLUME_ML), 500.0);
    NEAR(read_as("1e-6", UNIT_NONE), 1e-6);
    NEAR(read_as("+.5", UNIT_NONE), 0.5);
    NEAR(read_as("5.", UNIT_NONE), 5.0);
    NEAR(read_as("-1E+3", UNIT_NONE), -1000.0);
}

/* Refused, and the sentence has these words. */
static void refuse(const char *text, enum units_kind kind, const char *words) {
    double value = 42;
    status_clear();
    assert_int_equal(units_parse(text, kind, &value), ERR_INPUT);
    assert_true(value == 42);
    if (!strstr(status_message(), words))
        fail_msg("'%s': the message \"%s\" has no \"%s\"", text, status_message(), words);
    status_clear();
}

static void test_refused(void **state) {
    (void)state;
    refuse("0,6 L/min", UNIT_FLOW_M3_S, "not ','");
    refuse(",6 L/min", UNIT_FLOW_M3_S, "not ','");
    refuse("160abc", UNIT_LENGTH_MM, "unit 'abc'");
    refuse("160abc", UNIT_NONE, "bare number");
    refuse("1e400 mm", UNIT_LENGTH_MM, "too large");
    refuse("1e308 m", UNIT_LENGTH_MM, "too large");
    refuse("1e-400 mm", UNIT_LENGTH_MM, "too small");
    refuse("nan mm", UNIT_LENGTH_MM, "not a number");
    refuse("inf mm", UNIT_LENGTH_MM, "not a number");
    refuse("-infinity", UNIT_NONE, "not a number");
    refuse("0x10 mm", UNIT_LENGTH_MM, "unit 'x10 mm'");
    refuse("5", UNIT_LENGTH_MM, "no unit");
    refuse("5 ", UNIT_PRESSURE_PA, "mmHg");
    refuse("5 mm", UNIT_NONE, "write it without a unit");
    refuse("5mm", UNIT_LENGTH_MM, "write '5 mm'");
    refuse("5 MM", UNIT_LENGTH_MM, "unit 'MM'");
    refuse("5 mmHg", UNIT_LENGTH_MM, "mm, cm, m, um");
    refuse("5 mm mm", UNIT_LENGTH_MM, "unit 'mm mm'");
    refuse("", UNIT_LENGTH_MM, "not a number");
    refuse("mm", UNIT_LENGTH_MM, "not a number");
    refuse(".", UNIT_NONE, "not a number");
    refuse("- 5 mm", UNIT_LENGTH_MM, "not a number");
    refuse("1 000 mm", UNIT_LENGTH_MM, "unit '000 mm'");
    refuse("1e mm", UNIT_LENGTH_MM, "unit 'e mm'");
    refuse("1.5.2 mm", UNIT_LENGTH_MM, "unit '.2 mm'");
    refuse("0.6 L / min", UNIT_FLOW_M3_S, "unit 'L / min'");
    refuse("3.5 mPas", UNIT_VISCOSITY_PA_S, "mPa s");
    char digits[200];
    memset(digits, '1', sizeof digits - 1);
    digits[sizeof digits - 1] = '\0';
    refuse(digits, UNIT_NONE, "more than 100");
}

/* A program with a comma as decimal sign reads the same. */
static void test_locale(void **state) {
    (void)state;
    char *before = strdup(setlocale(LC_NUMERIC, NULL));
    const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "C"};
    for (int k = 0; k < 4 && !setlocale(LC_NUMERIC, names[k]); k++)
        ;
    NEAR(read_as("0.6 L/min", UNIT_FLOW_M3_S), 1e-5);
    setlocale(LC_NUMERIC, before);
    free(before);
}

static void test_lists(void **state) {
    (void)state;
    for (int kind = UNIT_LENGTH_MM; kind <= UNIT_NONE; kind++)
        assert_true(strlen(units_list((enum units_kind)kind)) > 0);
    NEAR(units_round_down(0.4167), 0.41);
    NEAR(units_round_down(0.49999), 0.5); /* what the measured width of an opening leaves of it */
    NEAR(units_round_down(12.9), 12.0);
    NEAR(units_pa_to_mmhg(133.322387415), 1.0);
}

static void test_interval(void **state) {
    (void)state;
    static const struct {
        double value, half;
        const char *text;
    } rows[] = {{19.6234, 0.41, "19.6 \302\261 0.5"},
                {19.6234, 0.12, "19.62 \302\261 0.12"},
                {1234.5, 56, "1230 \302\261 60"},
                {0.1462, 0.0311, "0.15 \302\261 0.04"},
                {4.1737, NAN, "4.17"},
                {NAN, 1, "not computed"},
                {0.000562, 0.3, "0.0 \302\261 0.3"},
                {-0.000562, 0.3, "0.0 \302\261 0.3"}, /* not -0.0 */
                {16.6667, 0, "16.7"},
                {1662.4, NAN, "1662"}, /* not 1.66e+03 */
                {10, 1e-8, "10.0"},
                {9.9951, NAN, "10.0"},
                {0, NAN, "0"},
                {2.5e-5, NAN, "2.50e-05"}};
    char text[64];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_string_equal(units_format(rows[k].value, rows[k].half, NAN, UNITS_PLUS_MINUS, text, sizeof text),
                            rows[k].text);
}

static void about(void **state) {
    (void)state;
    static const struct {
        double value, off;
        const char *text;
    } rows[] = {{19.6234, 3.92, "20"},  {19.6234, 1.57, "19.6"}, {1662.4, 332, "1700"},    {0.1472, 0.0118, "0.147"},
                {0.768, 0.154, "0.77"}, {1.04, 0.208, "1.04"},   {-0.02, 0.3, "0.0"},      {1662.4, 0, "1662"},
                {4.1737, NAN, "4.17"},  {-84.31, 6.7, "-84"},    {NAN, 1, "not computed"}, {123456, 25000, "123000"}};
    char text[64];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_string_equal(units_format(rows[k].value, NAN, rows[k].off, "", text, sizeof text), rows[k].text);
    for (double error = 0.01; error < 100; error *= 1.1) /* the same digits with and without the half-width */
        assert_int_equal(units_last_place(1662.4, error, NAN), units_last_place(1662.4, NAN, error));
    assert_string_equal(units_format_bounds(24.43, 10.55, 59.9, text, sizeof text), "24 (10 to 60)");
    assert_string_equal(units_format_bounds(1.52, 0.74, 3.06, text, sizeof text), "1.5 (0.7 to 3.1)");
    assert_string_equal(units_format(19.6234, 0.12, 3.9, "+-", text, sizeof text),
                        "19.62 +- 0.12"); /* the interval first */
}

/* Without an interval no more than three digits, and no more than the error bound leaves. */
static void at_most_three_digits(void **state) {
    (void)state;
    static const struct {
        double value, off;
        const char *text;
    } rows[] = {{56.314, 0.13, "56.3"}, {0.42234, 0.001, "0.422"}, {9.9961, 1e-3, "10.0"}, {1662.4, 0.5, "1662"},
                {19.6234, 3.92, "20"},  {4.1737, NAN, "4.17"},     {1662.4, 0, "1662"},    {0, 0.3, "0.0"}};
    char text[64];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_string_equal(
            units_format(rows[k].value, NAN, three_digits_limit(rows[k].value, rows[k].off), "", text, sizeof text),
            rows[k].text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval), cmocka_unit_test(about),        cmocka_unit_test(at_most_three_digits),
        cmocka_unit_test(test_values),   cmocka_unit_test(test_refused), cmocka_unit_test(test_locale),
        cmocka_unit_test(test_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
