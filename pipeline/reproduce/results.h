/* What an item found: text, tables, plots and criteria, written as <item>.md with a CSV per table and a
 * PNG per plot. */
#ifndef PORTAFLOW_RESULTS_H
#define PORTAFLOW_RESULTS_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stddef.h>

enum { RESULTS_PATH_MAX = 4096 };

typedef struct {
    char folder[RESULTS_PATH_MAX]; /* where the files go */
    char item[64];                 /* name of the item as a file name: "verify-poiseuille-pipe" */
    char *md, *csv;                /* text so far, owned */
    size_t md_length, csv_length;
    char table[64];          /* name of the open table, "" when none is */
    int n_checked, n_missed; /* criteria */
    char missed[512];        /* the first missed ones, for the sentence */
    int error;               /* first status that was not OK; later calls do nothing */
} results;

/* Start with a title and the source. The calls below keep the first error for results_write. */
void results_create(results *r, const char *folder, const char *item, const char *title, const char *source);
void results_free(results *r);

void results_text(results *r, const char *format, ...) __attribute__((format(printf, 2, 3))); /* a paragraph */

/* A table: cells are separated by '|' in head and rows; the head names the units. results_row may be called until
 * the next call of another function. Goes into <item>-<name>.csv too. */
void results_table(results *r, const char *name, const char *head);
void results_row(results *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A criterion that was set beforehand: "order of `interpolated`: 1.97 (at least 1.8): met". */
void results_at_least(results *r, const char *what, double value, double limit);
void results_at_most(results *r, const char *what, double value, double limit);

/* A picture beside the text; `file` as returned by plot_write. */
void results_picture(results *r, const char *file, const char *caption);

/* Copy a picture that `post` made to <item>-<name>.png and show it; nothing when it is not there (post without VTK). */
void results_copy_picture(results *r, const char *from, const char *name, const char *caption);

/* Write <folder>/<item>.md. Errors: the first of all calls; ERR_OUTPUT. */
MUST_CHECK int results_write(results *r);
#endif
