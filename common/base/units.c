/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/units.h"
#include "common/base/status.h"
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    enum units_kind kind;
    const char *name;
    double factor; /* value in the unit of the kind = number * factor + add */
    double add;
} unit;

/* cmH2O: 98.0665 Pa (water of 1000 kg/m3 under standard gravity). */
static const unit table[] = {
    {UNIT_LENGTH_MM, "mm", 1},
    {UNIT_LENGTH_MM, "cm", 10},
    {UNIT_LENGTH_MM, "m", 1000},
    {UNIT_LENGTH_MM, "um", 1e-3},
    {UNIT_TIME_S, "s", 1},
    {UNIT_TIME_S, "ms", 1e-3},
    {UNIT_TIME_S, "min", 60},
    {UNIT_VELOCITY_M_S, "m/s", 1},
    {UNIT_VELOCITY_M_S, "cm/s", 1e-2},
    {UNIT_VELOCITY_M_S, "mm/s", 1e-3},
    {UNIT_FLOW_M3_S, "m3/s", 1},
    {UNIT_FLOW_M3_S, "mL/s", 1e-6},
    {UNIT_FLOW_M3_S, "ml/s", 1e-6},
    {UNIT_FLOW_M3_S, "mL/min", 1e-6 / 60},
    {UNIT_FLOW_M3_S, "ml/min", 1e-6 / 60},
    {UNIT_FLOW_M3_S, "L/min", 1e-3 / 60},
    {UNIT_FLOW_M3_S, "l/min", 1e-3 / 60},
    {UNIT_FLOW_M3_S, "L/s", 1e-3},
    {UNIT_FLOW_M3_S, "mm3/s", 1e-9},
    {UNIT_FLOW_M3_S, "cm3/s", 1e-6},
    {UNIT_PRESSURE_PA, "Pa", 1},
    {UNIT_PRESSURE_PA, "kPa", 1000},
    {UNIT_PRESSURE_PA, "mmHg", UNITS_PA_PER_MMHG},
    {UNIT_PRESSURE_PA, "cmH2O", 98.0665},
    {UNIT_DENSITY_KG_M3, "kg/m3", 1},
    {UNIT_DENSITY_KG_M3, "g/cm3", 1000},
    {UNIT_DENSITY_KG_M3, "g/mL", 1000},
    {UNIT_VISCOSITY_PA_S, "Pa s", 1},
    {UNIT_VISCOSITY_PA_S, "mPa s", 1e-3},
    {UNIT_VISCOSITY_PA_S, "cP", 1e-3},
    {UNIT_RESISTANCE, "mmHg min/L", UNITS_PA_S_M3_PER_MMHG_MIN_L},
    {UNIT_RESISTANCE, "Pa s/m3", 1},
    {UNIT_RESISTANCE, "dyn s/cm5", 1e5},
    {UNIT_CAPACITANCE, "mL/mmHg", 1e-6 / UNITS_PA_PER_MMHG},
    {UNIT_CAPACITANCE, "m3/Pa", 1},
    {UNIT_CAPACITANCE, "cm5/dyn", 1e-5},
    {UNIT_PERMEABILITY_M2, "m2", 1},
    {UNIT_PERMEABILITY_M2, "um2", 1e-12},
    {UNIT_SHARE, "%", 1e-2},
    {UNIT_ACCELERATION_M_S2, "m/s2", 1},
    {UNIT_ANGLE_DEG, "deg", 1},
    {UNIT_ANGLE_DEG, "rad", 180 / M_PI},
    {UNIT_VOLUME_ML, "mL", 1},
    {UNIT_VOLUME_ML, "ml", 1},
    {UNIT_VOLUME_ML, "L", 1000},
    {UNIT_VOLUME_ML, "cm3", 1},
    {UNIT_VOLUME_ML, "mm3", 1e-3},
    {UNIT_TEMPERATURE_C, "degC", 1},
    {UNIT_TEMPERATURE_C, "K", 1, -273.15},
    {UNIT_DIFFUSIVITY_M2_S, "m2/s", 1},
    {UNIT_DIFFUSIVITY_M2_S, "mm2/s", 1e-6},
    {UNIT_EXPANSION_1_K, "1/K", 1},
};
/* LEAST_PLACE: numbers that end at a smaller decimal place are written with an exponent */
enum { UNIT_COUNT = sizeof table / sizeof table[0], NUMBER_MAX = 100, LEAST_PLACE = -15 };

static const char *const unit_names[] = {
    [UNIT_LENGTH_MM] = "mm, cm, m, um",
    [UNIT_TIME_S] = "s, ms, min",
    [UNIT_VELOCITY_M_S] = "m/s, cm/s, mm/s",
    [UNIT_FLOW_M3_S] = "L/min, mL/min, mL/s, L/s, cm3/s, mm3/s, m3/s",
    [UNIT_PRESSURE_PA] = "mmHg, Pa, kPa, cmH2O",
    [UNIT_DENSITY_KG_M3] = "kg/m3, g/cm3, g/mL",
    [UNIT_VISCOSITY_PA_S] = "mPa s, Pa s, cP",
    [UNIT_RESISTANCE] = "mmHg min/L, Pa s/m3, dyn s/cm5",
    [UNIT_CAPACITANCE] = "mL/mmHg, m3/Pa, cm5/dyn",
    [UNIT_SHARE] = "%",
    [UNIT_ACCELERATION_M_S2] = "m/s2",
    [UNIT_ANGLE_DEG] = "deg, rad",
    [UNIT_VOLUME_ML] = "mL, L, cm3, mm3",
    [UNIT_TEMPERATURE_C] = "degC, K",
    [UNIT_DIFFUSIVITY_M2_S] = "m2/s, mm2/s",
    [UNIT_EXPANSION_1_K] = "1/K",
    [UNIT_PERMEABILITY_M2] = "m2, um2",
    [UNIT_NONE] = "no unit",
};

const char *units_list(enum units_kind kind) {
    return (unsigned)kind <= UNIT_NONE ? unit_names[kind] : "";
}

/* Length of [+-] digits [. digits] [e [+-] digits] at the start of text; 0 when there is no number. */
static size_t number_length(const char *text) {
    const char *p = text;
    int digits = 0;
    if (*p == '+' || *p == '-')
        p++;
    for (; isdigit((unsigned char)*p); p++)
        digits++;
    if (*p == '.')
        for (p++; isdigit((unsigned char)*p); p++)
            digits++;
    if (digits == 0)
        return 0;
    if (*p == 'e' || *p == 'E') {
        const char *exponent = p + 1;
        if (*exponent == '+' || *exponent == '-')
            exponent++;
        if (isdigit((unsigned char)*exponent))
            for (p = exponent; isdigit((unsigned char)*p);)
                p++;
    }
    return (size_t)(p - text);
}

/* Compare two units; a run of blanks counts as one blank. */
static bool same_unit(const char *text, const char *name) {
    while (*text && *name) {
        if (*name == ' ' && isblank((unsigned char)*text)) {
            while (isblank((unsigned char)*text))
                text++;
            name++;
        } else if (*text++ != *name++) {
            return false;
        }
    }
    while (isblank((unsigned char)*text))
        text++;
    return *text == '\0' && *name == '\0';
}

static const unit *find_unit(const char *text, enum units_kind kind) {
    for (int k = 0; k < UNIT_COUNT; k++)
        if (table[k].kind == kind && same_unit(text, table[k].name))
            return &table[k];
    return NULL;
}

static locale_t c_locale;

static void open_c_locale(void) {
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* strtod in the C locale, independent of the program's locale. The caller has checked the digits. */
static double to_double(const char *text) {
    static pthread_once_t opened = PTHREAD_ONCE_INIT;
    pthread_once(&opened, open_c_locale);
    return c_locale ? strtod_l(text, NULL, c_locale) : strtod(text, NULL);
}

/* Write the message to `reason`; returns ERR_INPUT. */
static int refuse_text(char reason[UNITS_REASON_MAX], const char *format, ...) __attribute__((format(printf, 2, 3)));
static int refuse_text(char reason[UNITS_REASON_MAX], const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(reason, UNITS_REASON_MAX, format, args);
    va_end(args);
    return ERR_INPUT;
}

static int not_a_number(const char *text, enum units_kind kind, char reason[UNITS_REASON_MAX]) {
    const char *unit_text = kind == UNIT_NONE ? "" : " with a unit";
    if (strchr(text, ','))
        return refuse_text(reason, "'%.80s' is not a number%s: the decimal sign is '.', not ','", text, unit_text);
    if (kind == UNIT_NONE)
        return refuse_text(reason, "'%.80s' is not a number", text);
    return refuse_text(reason, "'%.80s' is not a number with a unit (%s)", text, units_list(kind));
}

/* Parse `rest`, the part of `text` after the number: blanks and a unit of the kind. */
static int parse_unit(const char *text, const char *rest, enum units_kind kind, unit *found,
                      char reason[UNITS_REASON_MAX]) {
    const char *name = rest;
    while (isblank((unsigned char)*name))
        name++;
    *found = (unit){.factor = 1};
    if (*name == ',')
        return not_a_number(text, kind, reason);
    if (kind == UNIT_NONE)
        return *name == '\0' ? OK : refuse_text(reason, "'%.80s' is not a bare number: write it without a unit", text);
    if (*name == '\0')
        return refuse_text(reason, "'%.80s' has no unit: write one of %s", text, units_list(kind));
    const unit *u = find_unit(name, kind);
    if (!u)
        return refuse_text(reason, "'%.80s' has the unit '%.40s': write one of %s", text, name, units_list(kind));
    if (name == rest)
        return refuse_text(reason, "'%.80s' has no blank between number and unit: write '%.*s %s'", text,
                           (int)(rest - text < 40 ? rest - text : 40), text, u->name);
    *found = *u;
    return OK;
}

int units_check(const char *text, enum units_kind kind, double *value, char reason[UNITS_REASON_MAX]) {
    unit found;
    char digits[NUMBER_MAX + 1];
    while (isblank((unsigned char)*text))
        text++;
    size_t n = number_length(text);
    if (n == 0)
        return not_a_number(text, kind, reason);
    if (n > NUMBER_MAX)
        return refuse_text(reason, "'%.20s...' has %zu characters, a number must not have more than %d", text, n,
                           NUMBER_MAX);
    if (parse_unit(text, text + n, kind, &found, reason) != OK)
        return ERR_INPUT;
    memcpy(digits, text, n);
    digits[n] = '\0';
    errno = 0;
    double number = to_double(digits);
    if (errno == ERANGE || !isfinite(number * found.factor))
        return refuse_text(reason, "'%.80s' is too %s for a number", text, fabs(number) < 1 ? "small" : "large");
    *value = number * found.factor + found.add;
    return OK;
}

int units_parse(const char *text, enum units_kind kind, double *value) {
    char reason[UNITS_REASON_MAX];
    int rc = units_check(text, kind, value, reason);
    return rc == OK ? OK : fail(rc, "%s", reason);
}

double units_pa_to_mmhg(double pressure_pa) {
    return pressure_pa / UNITS_PA_PER_MMHG;
}

double units_round_down(double value) {
    const double digit = pow(10, floor(log10(value)) - 1);
    return floor(value / digit * 1.002) * digit;
}

/* Print `value` rounded to a multiple of 10^place. */
static void round_to_place(double value, int place, char *text, size_t size) {
    const double last = pow(10, place), rounded = last * round(value / last);
    snprintf(text, size, "%.*f", place < 0 ? -place : 0, rounded == 0 ? 0 : rounded);
}

/* True if a half-width or uncertainty is known and not only rounding of the input. */
static bool counts(double half_width, double value) {
    return isfinite(half_width) && half_width > 1e-6 * fabs(value);
}

int units_last_place(double value, double half_width, double uncertainty) {
    const double error = counts(half_width, value) ? half_width : uncertainty;
    if (counts(error, value)) {
        const int first = (int)floor(log10(error));
        return error / pow(10, first) < 2.95 ? first - 1 : first;
    }
    return value == 0 ? 0 : (int)fmin(floor(log10(fabs(value) * 1000 / 999.5)) - 2, 0);
}

const char *units_format_bounds(double value, double low, double high, char *text, size_t size) {
    const int place = units_last_place(value, fmin(value - low, high - value), NAN), digits = place < 0 ? -place : 0;
    const double last = pow(10, place);
    char number[40];
    round_to_place(value, place, number, sizeof number);
    snprintf(text, size, "%s (%.*f to %.*f)", number, digits, last * floor(low / last + 1e-9), digits,
             last * ceil(high / last - 1e-9));
    return text;
}

const char *units_format_at(double value, double half_width, int place, const char *sign, char *text, size_t size) {
    const double last = pow(10, place);
    char number[40];
    round_to_place(value, place, number, sizeof number);
    if (counts(half_width, value))
        snprintf(text, size, "%s %s %.*f", number, sign, place < 0 ? -place : 0, last * ceil(half_width / last - 1e-9));
    else
        snprintf(text, size, "%s", number);
    return text;
}

const char *units_format(double value, double half_width, double uncertainty, const char *sign, char *text,
                         size_t size) {
    const bool known = counts(half_width, value) || counts(uncertainty, value);
    if (!isfinite(value))
        snprintf(text, size, "not computed");
    else if (known && units_last_place(value, half_width, uncertainty) < LEAST_PLACE)
        snprintf(text, size, counts(half_width, value) ? "%.2e %s %.1e" : "%.2e", value, sign, half_width);
    else if (known || value == 0 || (fabs(value) >= 1e-4 && fabs(value) < 1e6))
        units_format_at(value, half_width, units_last_place(value, half_width, uncertainty), sign, text, size);
    else
        snprintf(text, size, "%.2e", value);
    return text;
}
