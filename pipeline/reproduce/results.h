/* SPDX-License-Identifier: Apache-2.0 */
/* Results of a study: text, tables, plots and criteria. Written as <study>.md, one CSV per table, one PNG per plot, and
 * <study>-criteria.csv. A table of more than RESULTS_SHOWN cells is only in its CSV, and the page links it. The page
 * ends with the number of criteria met and every missed criterion. */
#ifndef PORTAFLOW_RESULTS_H
#define PORTAFLOW_RESULTS_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stddef.h>

enum { RESULTS_PATH_MAX = 4096, RESULTS_SHOWN = 24 };

typedef struct {
    char folder[RESULTS_PATH_MAX]; /* folder of all output files */
    char study[64];                /* name of the study as a file name: "verify-poiseuille-pipe" */
    char *md, *csv, *criteria;     /* page, numbers and criteria so far, owned */
    char *missed_md;               /* missed criteria so far, as lines of the page, owned */
    size_t md_length, csv_length, criteria_length, missed_md_length;
    char table[64];          /* name of the table that is being written; "": none */
    size_t table_start;      /* position of this table in md */
    const char *no_value;    /* cell of this table in place of NaN: "-" unless changed after results_table */
    int n_row, n_column;     /* numbers of rows and columns that the table named `table` has so far */
    int n_checked, n_missed; /* number of criteria checked, number of criteria missed */
    char missed[512];        /* first missed criteria, for the error message */
    /* first error; after it nothing is added to the page and no file is written, but criteria are still counted */
    int error;
    char **owned; /* [n_owned] texts of results_format */
    int n_owned;
} results;

/* Begins the results with title and source. The functions below keep the first error for results_write. */
void results_create(results *r, const char *folder, const char *study, const char *title, const char *source);
void results_free(results *r);

/* Records an error, unless there is one already; nothing for OK. */
void results_fail(results *r, int rc);

/* Formats a name, title or criterion. The text is valid until results_free; "" without memory, which is an error. */
const char *results_format(results *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

void results_text(results *r, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* adds a paragraph with wrapped lines */

/* Starts a table; cells of head and rows are separated by '|', and the head states units. Rows may follow until another
 * function is called. Also written to <study>-<name>.csv. */
void results_table(results *r, const char *name, const char *head);
void results_row(results *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a criterion. A missed one appears on the page: "order of `interpolated`: 1.7 (at least 1.8): **missed**". */
void results_at_least(results *r, const char *what, double value, double limit);
void results_at_most(results *r, const char *what, double value, double limit);

/* Adds a picture; `file`: path of a PNG in the output folder. */
void results_picture(results *r, const char *file, const char *caption);

/* Copies a picture of `post` to <study>-<name>.png and shows it; nothing if it does not exist (post without VTK). */
void results_copy_picture(results *r, const char *from, const char *name, const char *caption);

/* Ends the page with the criteria and writes the files. Errors: the first error of all calls; ERR_OUTPUT. */
MUST_CHECK int results_write(results *r);
#endif
