/* One patient's results as a row: named numbers with their intervals, how far they can be trusted, what made them. */
#ifndef PORTAFLOW_RESULTS_ROW_H
#define PORTAFLOW_RESULTS_ROW_H
#include "common/base/must_check.h"
#include "pipeline/run/patient.h"

enum { ROW_NAME = 160, ROW_TEXT = 256 };

typedef struct {
    char name[ROW_NAME]; /* "PV flow", "SMV to PV drop", "PPG" */
    const char *unit;    /* "mL/s" */
    double value, half;  /* NaN: not computed; half width of the 95 % interval, NaN: none was made */
    double lattice_error;          /* without an interval: how far the lattice may put it off; NaN: not known */
    bool main;           /* shown on a terminal, too; the rest is for the CSV */
} row_number;

typedef struct {
    char patient[ROW_TEXT];  /* name of the folder */
    char state[32];          /* "done", "not converged", "stale", "missing" .. */
    char flags[ROW_TEXT];    /* "resolution, not converged", "" when there is nothing to say */
    char version[64];        /* of post */
    char settings[ROW_TEXT]; /* "--set mesh.cells_across=6": given on the command line when it was made; "": none */
    double serious;          /* warnings that may change a conclusion */
    bool has_intervals;      /* of one number at least */
    bool wall_unknown;       /* intervals hold nothing of how well the wall is known */
    int n;
    row_number *number; /* owned */
} results_row;

/* What lies in DIR/out, of the case with these settings (NULL: those with which it was made). A folder without results
 * is a row that says so, and no error.
 * Errors: ERR_INPUT (no folder, problems of its case.yaml, readouts.json is damaged), ERR_RESOURCE. */
MUST_CHECK int results_row_read(const char *dir, const options_list *set, results_row *row);
void results_row_free(results_row *row);

/* The number of that name, NULL when the row has none. */
const row_number *results_row_find(const results_row *row, const char *name);

/* "12.3", "12.3 +- 0.4", "-"; digits follow from the interval, or from how far it may be off. */
enum { ROW_SHOWN = 64 };
const char *results_row_show(const row_number *number, char text[ROW_SHOWN]);
/* The same of any number. */
const char *results_row_value(double value, double half, double lattice_error, char text[ROW_SHOWN]);
#endif
