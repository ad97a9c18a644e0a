/* A CSV file, line by line.
 *
 * Lines end with '\n'; a byte order mark and blanks at the ends of a line and of its fields are dropped. Empty lines
 * are passed over; a line that begins with '#' is a comment. Fields are separated by ','; one that begins with '"' ends
 * with it and may hold ','. */
#ifndef PORTAFLOW_CSV_H
#define PORTAFLOW_CSV_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stddef.h>

enum { CSV_FIELDS_MAX = 520 }; /* monitors.csv of as many openings as a lattice may have */

typedef struct {
    const char *path;            /* borrowed */
    int line;                    /* of the row at hand, from 1 */
    int n;                       /* fields of it, 0: a comment; more than CSV_FIELDS_MAX: the rest is not kept */
    bool whole;                  /* the line ends with '\n' */
    char *field[CSV_FIELDS_MAX]; /* in `text`, as they stand; of a comment field[0] is what follows '#' and blanks */
    char *text, *rest;           /* owned */
} csv;

/* Reads the file, at most `limit` bytes; csv_close in any case. Errors: those of file_read, ERR_INPUT when
 * it is no text. */
MUST_CHECK int csv_open(csv *c, const char *path, size_t limit);
bool csv_next(csv *c); /* the next row or comment; false at the end */
void csv_close(csv *c);

/* Field k as a number: digits, a decimal point '.', an exponent. csv_number: NaN when it is empty or "nan"; csv_finite
 * takes numbers alone. Errors: ERR_INPUT as "<path>:<line>: ...". */
MUST_CHECK int csv_number(const csv *c, int k, double *value);
MUST_CHECK int csv_finite(const csv *c, int k, double *value);

/* Digits behind the point of field k, 0 without one, -1 where it has an exponent. A last line without its end is cut
 * within a number where that has fewer than the numbers before it; where those have no point, or not all as many,
 * nobody can say. */
int csv_decimals(const csv *c, int k);
#endif
