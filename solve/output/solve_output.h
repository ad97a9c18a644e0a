/* What solve writes: fields.vtkhdf, monitors.csv, the "result" of solve.json. */
#ifndef PORTAFLOW_SOLVE_OUTPUT_H
#define PORTAFLOW_SOLVE_OUTPUT_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"
#include "solve/run/run.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* Moments of the backend, or the means of the unsteady steady-state run that has ended (NULL: an instant), as SI fields
 * of the lattice's cells; a stored cell that is not active has velocity 0 and pressure NaN. Errors: ERR_RESOURCE. */
MUST_CHECK int solve_output_fields(const run_settings *r, const lattice *l, double time_s, const run_result *end,
                                   fields *f);

/* Mean of the field files folder/fields_0000.vtkhdf .. written as folder/fields.vtkhdf. Errors: ERR_INPUT,
 * ERR_RESOURCE, ERR_OUTPUT. */
MUST_CHECK int solve_output_mean(const char *folder, const lattice *l, int stores);
void solve_output_store_name(int index, char name[32]); /* "fields_0007.vtkhdf" */

/* monitors.csv: header, then a row per monitor; `resumed`: behind the rows that are there.
 * Errors of both: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int solve_output_monitors_open(const char *path, const case_file *c, const lattice *l, bool resumed,
                                          FILE **file);
MUST_CHECK int solve_output_monitors_row(FILE *file, const run_settings *r, const run_monitor *m);
/* Flow and density of each opening and the balance in *result become their means over the last cycle, by the
 * trapezoidal rule over the rows of monitors.csv (which a resumed run has too); NaN where rows of that cycle are
 * missing. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int solve_output_cycle_mean(const char *path, const run_settings *r, run_result *result);

/* The "result" object: see common/README.md. */
cJSON *solve_output_result(const case_file *c, const lattice *l, const run_settings *r, const run_result *result,
                           const double *store_time_s);

/* The parts that heat adds; output_heat.c. Columns of monitors.csv: temperature_change, heat_balance,
 * `<side>_heat_k_mm3_s`: heat into the fluid through each wall and opening, over density and heat capacity. */
MUST_CHECK int solve_output_temperature(const run_settings *r, fields *f); /* Errors: ERR_RESOURCE, the backend's */
void solve_output_heat_head(FILE *file, const case_file *c, const lattice *l);
void solve_output_heat_row(FILE *file, const run_settings *r, const run_monitor *m);
void solve_output_heat_result(cJSON *object, const case_file *c, const lattice *l, const run_settings *r,
                              const run_result *result);
#endif
