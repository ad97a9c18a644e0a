/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities with units, parsed strictly: "0.6 L/min", "3.5 mPa s", "0 mmHg", "1060 kg/m3", "4.0 mmHg min/L".
 *
 * A quantity is a number in C notation with '.' (no ','), blanks and a unit, with nothing after the unit. A missing or
 * wrong unit is refused with the list of allowed units. NaN and infinity are refused. */
#ifndef PORTAFLOW_UNITS_H
#define PORTAFLOW_UNITS_H
#include "common/base/must_check.h"
#include <stddef.h>

enum units_kind {
    UNIT_LENGTH_MM,         /* m, cm, mm, um; stored in mm */
    UNIT_TIME_S,            /* s, ms, min; stored in s */
    UNIT_VELOCITY_M_S,      /* m/s, cm/s, mm/s; stored in m/s */
    UNIT_FLOW_M3_S,         /* m3/s, mL/s, ml/s, mL/min, L/min, ...; stored in m3/s */
    UNIT_PRESSURE_PA,       /* Pa, kPa, mmHg, cmH2O; stored in Pa */
    UNIT_DENSITY_KG_M3,     /* kg/m3, g/cm3, g/mL; stored in kg/m3 */
    UNIT_VISCOSITY_PA_S,    /* dynamic viscosity in Pa s, mPa s, cP; stored in Pa s */
    UNIT_RESISTANCE,        /* mmHg min/L, Pa s/m3, dyn s/cm5; stored in Pa s/m3 */
    UNIT_CAPACITANCE,       /* mL/mmHg, m3/Pa, cm5/dyn; stored in m3/Pa */
    UNIT_SHARE,             /* %; stored as a fraction */
    UNIT_ACCELERATION_M_S2, /* m/s2 */
    UNIT_ANGLE_DEG,         /* deg, rad; stored in deg */
    UNIT_VOLUME_ML,         /* mL, ml, L, cm3, mm3; stored in mL */
    UNIT_TEMPERATURE_C,     /* degC, K; stored in degC */
    UNIT_DIFFUSIVITY_M2_S,  /* m2/s, mm2/s; stored in m2/s */
    UNIT_EXPANSION_1_K,     /* 1/K */
    UNIT_PERMEABILITY_M2,   /* m2, um2; stored in m2 */
    UNIT_NONE               /* a number without unit */
};

#define UNITS_PA_PER_MMHG            133.322387415
#define UNITS_PA_S_M3_PER_MMHG_MIN_L (UNITS_PA_PER_MMHG * 60e3)

/* Parse to the unit of the kind. Errors: ERR_INPUT; the message quotes the text and lists the allowed units. */
MUST_CHECK int units_parse(const char *text, enum units_kind kind, double *value);

/* As units_parse, with the message in `reason` instead of fail(). On error *value is unchanged. Errors: ERR_INPUT. */
enum { UNITS_REASON_MAX = 400 };
MUST_CHECK int units_check(const char *text, enum units_kind kind, double *value, char reason[UNITS_REASON_MAX]);

double units_pa_to_mmhg(double pressure_pa);
/* Round a positive value down to two digits. A value up to 0.2 % below a two-digit number is rounded to this number.
 * For messages such as "a spacing of 0.34 mm or less". */
double units_round_down(double value);
const char *units_list(enum units_kind kind); /* names of the units for messages, such as "m, cm, mm, um" */
/* Formats a value for terminal, tables and pages, with its interval if known, else with its significant digits:
 *
 * half_width > 0: "19.6 +- 0.4", with `sign` for "+-". The half-width has two digits, or one digit if it starts with 3
 * to 9; the value ends at the same decimal place.
 * else uncertainty > 0: "20" for 19.6 with uncertainty 3.9: the value ends where it would beside this half-width.
 * else: three digits, "19.6", "20.0"; all digits before the point are shown, "1662".
 *
 * half_width or uncertainty NaN or infinite: unknown. value NaN or infinite: "not computed". Returns text. */
#define UNITS_PLUS_MINUS "\302\261"
const char *units_format(double value, double half_width, double uncertainty, const char *sign, char *text,
                         size_t size);
/* Formats a finite value with an interval low to high that is not symmetric: "24 (10 to 60)". All end at the decimal
 * place of units_format() with the shorter side as half-width; low is rounded down, high up. Returns text. */
const char *units_format_bounds(double value, double low, double high, char *text, size_t size);
/* Decimal place at which units_format() ends a finite value: 10^place is the unit of its last digit. */
int units_last_place(double value, double half_width, double uncertainty);
/* Formats a finite value as units_format(), but rounds value and half-width to multiples of 10^place; the half-width is
 * rounded up. Returns text. */
const char *units_format_at(double value, double half_width, int place, const char *sign, char *text, size_t size);
#endif
