/* SPDX-License-Identifier: Apache-2.0 */
/* One patient's results as a row: named values with intervals, flags, state and settings. */
#ifndef PORTAFLOW_RESULTS_ROW_H
#define PORTAFLOW_RESULTS_ROW_H
#include "common/base/must_check.h"
#include "pipeline/run/patient.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* Where a number comes from. */
enum row_origin { ROW_COMPUTED, ROW_FROM_LUMEN, ROW_GIVEN, ROW_MODELLED, ROW_GRADIENT, ROW_CATHETER };
enum { ROW_NAME = 160, ROW_TEXT = 256, ROW_INPUT = 80 };

/* Change of a value by one uncertain input (by_input of readouts.json). */
typedef struct {
    char name[ROW_INPUT]; /* name such as "wall" or "flow PV" */
    double change;        /* change if the input rises by its half-width, in the unit of the value; NaN: unknown */
} row_input;

typedef struct {
    char name[ROW_NAME]; /* name such as "PV flow", "SMV to PV drop" or "PPG" */
    const char *unit;    /* unit such as "mL/s" */
    /* ROW_GIVEN: prescribed by the case; ROW_GRADIENT: portal pressure gradient, modelled; ROW_CATHETER: a gradient
     * that the case gives as measured */
    enum row_origin origin;
    double value, half;   /* value: NaN if not computed; half: half-width of the 95 % interval, NaN if unknown */
    double bound[2];      /* ends of an interval that is not symmetric; both 0: value - half to value + half */
    double lattice_error; /* error of the value by the lattice, estimated for a value without an interval; NaN:
                           * unknown */
    double lattice;       /* half-width from the discretization error; NaN: unknown */
    int n_input;          /* number of uncertain inputs; 0: not listed */
    row_input *input;     /* [n_input] owned */
    bool main;            /* true: terminals show the number, too; false: only the CSV has it */
} row_number;

typedef struct {
    char patient[ROW_TEXT];   /* name of the patient's folder */
    char state[32];           /* state such as "done", "done, case not compared" or "mesh stale" */
    char flags[ROW_TEXT];     /* flags such as "resolution, not converged"; "": none */
    char version[64];         /* version of post that wrote the results */
    char settings[ROW_TEXT];  /* settings of the command line, such as "--set mesh.cells_per_diameter=6"; "": none */
    char unfed[4 * ROW_TEXT]; /* branches that are cut away, with width and place; "": none */
    /* reason why no number may be used: "TOO COARSE" or "NOT CONVERGED"; "": the numbers are usable */
    const char *unusable;
    bool uncompared;     /* true: all stages are done, but the recorded case is unknown (patient.h) */
    double serious;      /* number of warnings that may change a conclusion */
    bool has_intervals;  /* true: one or more numbers have an interval */
    bool wall_unknown;   /* true: the intervals do not include the error of the wall's position */
    bool blood_unknown;  /* true: the intervals do not include an unknown blood model */
    bool inputs_unknown; /* true: the intervals do not include the uncertainty of the inputs */
    bool inputs_only;    /* true: a gradient was solved on one lattice, so its interval includes the inputs only */
    bool inputs_exact;   /* true: inputs other than the resistance of the liver are taken as exact in the intervals */
    bool lost_share;     /* true: a gradient has a liver of which a part gets no portal blood, an assumption */
    bool liver_exact;    /* true: a gradient has an interval in which the resistance of the liver is assumed exact */
    bool stage_assumed;  /* true: a gradient has a liver of a stage that is an assumption (lobule_law.h) */
    /* the liver's part of the portal pressure gradient, mmHg, and permeability of the lobules, m2; NaN: no such model,
     * or several gradients */
    double liver_mmhg, permeability_m2;
    int n;
    row_number *number; /* numbers of the row, owned */
} results_row;

/* Reads DIR/out, for the case with the settings `set` (NULL: the recorded ones). A folder without results gives a row
 * with that state and no error. Errors: ERR_INPUT (no folder, problems of its case.yaml, damaged readouts.json),
 * ERR_RESOURCE. */
MUST_CHECK int results_row_read(const char *dir, const options_list *set, results_row *row);
/* Opens the case with the settings `given`. NULL: with the settings of the recorded results, if any, named in
 * row->settings. The row has no numbers yet. Errors: as patient_open. */
MUST_CHECK int results_row_open_case(const char *dir, const options_list *given, patient *p, results_row *row);
/* Fills the row of a case that results_row_open_case opened. Errors: as results_row_read. */
MUST_CHECK int results_row_fill(const patient *p, results_row *row);
void results_row_free(results_row *row);

/* Sets half, lattice and input of a number from its interval in readouts.json, times `scale`. Errors: ERR_RESOURCE. */
MUST_CHECK int results_row_take_interval(const cJSON *interval, double scale, row_number *number);
/* Half-width of the 95 % interval of the difference of two values with the same uncertain inputs, such as values of
 * one patient before and after a treatment. An input changes both values at once:
 *   U^2 = lattice_a^2 + lattice_b^2 + sum over the inputs (change_b - change_a)^2
 * NaN: the values do not list the same inputs, or a part is unknown. */
double results_row_paired_half(const row_number *a, const row_number *b);

/* The number with this name, NULL: none. */
const row_number *results_row_find(const results_row *row, const char *name);

/* Numbers whose relative difference is at most this are equal: the difference is rounding. */
#define ROW_ROUNDING 1e-4
/* Error that sets the digits of the numbers at [n], which are shown together (NULL: no number). If two different
 * neighbours without intervals would look equal with the digits of the report: their difference, but at least a tenth
 * of the smallest lattice error. Otherwise NaN: each number keeps the digits of the report. */
double results_row_common_error(int n, const row_number *const *at);
/* Formats a number: "12.3", "12.3 +- 0.4", "-". The number of digits follows from the interval or
 * the lattice error, as in the report, or from a finer common error. */
enum { ROW_SHOWN = 64 };
const char *results_row_show(const row_number *number, double common_error, char text[ROW_SHOWN]);
/* Formats two finite numbers and their difference b - a into text[0], text[1], text[2]. If the difference has an
 * interval, all three end at one decimal place, the finest of the three. If not, each number has the digits of the
 * report, or the digits of the difference if they are finer; up to six. The difference is computed from the numbers as
 * shown; up to three more places are shown where rounding would change it. A difference of 0 shows b as a. */
void results_row_show_difference(const row_number *a, const row_number *b, const row_number *difference,
                                 char text[3][ROW_SHOWN]);
/* Formats a value with its half-width and its lattice error, in the way of results_row_show. */
const char *results_row_value(double value, double half, double lattice_error, char text[ROW_SHOWN]);
/* Prints a text as HTML: escapes & < > ". */
void results_row_put_escaped(FILE *to, const char *text);
#endif
