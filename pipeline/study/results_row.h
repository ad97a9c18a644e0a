/* One patient's results as a row: named values with intervals, flags, state and settings. */
#ifndef PORTAFLOW_RESULTS_ROW_H
#define PORTAFLOW_RESULTS_ROW_H
#include "common/base/must_check.h"
#include "pipeline/run/patient.h"

enum { ROW_NAME = 160, ROW_TEXT = 256 };

typedef struct {
    char name[ROW_NAME];  /* "PV flow", "SMV to PV drop", "PPG" */
    const char *unit;     /* "mL/s" */
    double value, half;   /* value NaN: not computed; half width of the 95 % interval, NaN: unknown */
    double lattice_error; /* for a value without an interval: error estimate of the lattice; NaN: unknown */
    bool main;            /* also shown on a terminal; other numbers only in the CSV */
} row_number;

typedef struct {
    char patient[ROW_TEXT];  /* name of the folder */
    char state[32];          /* "done", "not converged", "stale", "missing" .. */
    char flags[ROW_TEXT];    /* "resolution, not converged", "": none */
    char version[64];        /* version of post */
    char settings[ROW_TEXT]; /* "--set mesh.cells_per_diameter=6": settings of the command line; "": none */
    const char *unusable;    /* "TOO COARSE", "NOT CONVERGED": no number may be used; "": usable */
    double serious;          /* number of warnings that may change a conclusion */
    bool has_intervals;      /* at least one number has an interval */
    bool wall_unknown;       /* the intervals do not include the error of the wall's position */
    bool inputs_only;        /* a gradient has an interval of the inputs only, since it was solved on one lattice */
    int n;
    row_number *number; /* owned */
} results_row;

/* Reads DIR/out, for the case with the settings `set` (NULL: the recorded ones). A folder without results gives a row
 * with that state and no error. Errors: ERR_INPUT (no folder, problems of its case.yaml, damaged readouts.json),
 * ERR_RESOURCE. */
MUST_CHECK int results_row_read(const char *dir, const options_list *set, results_row *row);
void results_row_free(results_row *row);

/* The number with this name, NULL: none. */
const row_number *results_row_find(const results_row *row, const char *name);

/* Common lattice error of numbers that are shown together, at [n] (NULL: none): the smallest. Where rounding would hide
 * the difference of two neighbours, it is the difference, at least a tenth of the smallest. NaN: unknown. */
double results_row_common_error(int n, const row_number *const *at);
/* Formats a number: "12.3", "12.3 +- 0.4", "-". The number of digits follows from the interval or the common error. */
enum { ROW_SHOWN = 64 };
const char *results_row_show(const row_number *number, double common_error, char text[ROW_SHOWN]);
/* Formats a value with its half-width and lattice error in the same way. */
const char *results_row_value(double value, double half, double lattice_error, char text[ROW_SHOWN]);
#endif
