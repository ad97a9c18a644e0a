/* SPDX-License-Identifier: Apache-2.0 */
/* Files written by solve: fields.vtkhdf, monitors.csv, and "result" in solve.json. */
#ifndef PORTAFLOW_SOLVE_OUTPUT_H
#define PORTAFLOW_SOLVE_OUTPUT_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"
#include "solve/run/run.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* Computes the fields in SI units at the lattice's cells: the means if `result` belongs to an averaged run,
 * otherwise the moments of the backend. Stored cells that are not active have velocity 0 and pressure NaN. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int solve_output_fields(const run_settings *r, const lattice *l, double time_s, const run_result *result,
                                   fields *f);

/* Writes folder/fields.vtkhdf: the mean of the stored instants folder/fields_0000.vtkhdf .. Errors: ERR_INPUT,
 * ERR_RESOURCE, ERR_OUTPUT. */
MUST_CHECK int solve_output_mean(const char *folder, const lattice *l, int stores);
void solve_output_store_name(int index, char name[32]); /* name of stored fields, such as "fields_0007.vtkhdf" */

/* solve_output_monitors_open writes the header of monitors.csv (`resumed`: appends to the file),
 * solve_output_monitors_row one row. Errors of both: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int solve_output_monitors_open(const char *path, const case_file *c, const lattice *l, bool resumed,
                                          FILE **file);
MUST_CHECK int solve_output_monitors_row(FILE *file, const run_settings *r, const run_progress *p,
                                         const run_monitor *m);
/* Replaces flow and density of each opening, and the balance, in *result by their means over the last cycle:
 * trapezoidal rule over the rows of monitors.csv. NaN if rows of that cycle are missing. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int solve_output_cycle_mean(const char *path, const run_settings *r, run_result *result);

/* Forms the "result" object of solve.json: see common/README.md. */
cJSON *solve_output_result(const case_file *c, const lattice *l, const run_settings *r, const run_result *result,
                           const double *store_time_s);

/* Output of heat (heat_output.c). Columns of monitors.csv: temperature_change, heat_balance, and per wall and opening
 * `<side>_heat_k_mm3_s`, the heat flux into the fluid over density and heat capacity. */
MUST_CHECK int solve_output_temperature(const run_settings *r, fields *f);
void solve_output_heat_head(FILE *file, const case_file *c, const lattice *l);
void solve_output_heat_row(FILE *file, const run_settings *r, const run_monitor *m);
void solve_output_heat_result(cJSON *object, const case_file *c, const lattice *l, const run_settings *r,
                              const run_result *result);
#endif
