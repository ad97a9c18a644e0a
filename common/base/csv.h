/* SPDX-License-Identifier: Apache-2.0 */
/* CSV file, read line by line.
 *
 * A line ends with '\n'. A byte order mark and white space around lines and fields are removed. Empty lines are
 * skipped. A line that begins with '#' is a comment. Fields are separated by ','. A field that begins with '"' ends at
 * the next '"' and may contain ','. */
#ifndef PORTAFLOW_CSV_H
#define PORTAFLOW_CSV_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stddef.h>

/* number of fields that a row may have; enough for monitors.csv with the maximum number of openings */
enum { CSV_FIELDS_MAX = 520 };

typedef struct {
    const char *path; /* name of the file, borrowed */
    int line;         /* number of the current line, from 1 */
    /* number of fields of the row; 0: the line is a comment. Fields beyond CSV_FIELDS_MAX are counted, but not
     * stored */
    int n;
    bool whole; /* the current line ends with '\n'; false only for the last line */
    /* fields of the row, pointing into `text`; for a comment field[0] is the text after '#' */
    char *field[CSV_FIELDS_MAX];
    char *text, *rest; /* text: the whole file, owned; rest: the part of `text` that is not yet read */
} csv;

/* Read the file, up to `limit` bytes. Always call csv_close afterwards. Errors: as file_read; ERR_INPUT when the
 * file is not text. */
MUST_CHECK int csv_open(csv *c, const char *path, size_t limit);
bool csv_next(csv *c); /* read the next row or comment; false at the end */
void csv_close(csv *c);

/* Field k as a number: digits, decimal point '.', exponent. csv_number gives NaN for an empty field or "nan";
 * csv_finite refuses both. Errors: ERR_INPUT as "<path>:<line>: ...". */
MUST_CHECK int csv_number(const csv *c, int k, double *value);
MUST_CHECK int csv_finite(const csv *c, int k, double *value);

/* Digits after the decimal point of field k; 0 without a point, -1 with an exponent. A last line without '\n' was cut
 * inside a number if this number has fewer digits than the numbers before it. Without points, or with differing numbers
 * of digits, a cut cannot be detected. */
int csv_decimals(const csv *c, int k);
#endif
