/* SPDX-License-Identifier: Apache-2.0 */
/* Measured results as one table: text on stdout, CSV in a file. */
#ifndef PORTAFLOW_BENCH_SCHEME_TABLE_H
#define PORTAFLOW_BENCH_SCHEME_TABLE_H
#include "common/base/must_check.h"
#include "solve/schemes/scheme_run.h"

enum { SCHEME_TABLE_ROWS = 512 };

typedef struct {
    /* box: size in cells, such as 132x143x174, as the paper prints it; without a paper the size of the lattice */
    char box[32], geometry[64];
    int dims[3];
    double cells, fraction; /* cells: number of fluid cells; fraction: fluid cells divided by all cells of the box */
    int wall;
    scheme_row row;
} scheme_table_row;

typedef struct {
    const char *paper; /* table of the paper, such as "shang2023:table2"; NULL: none */
    char command[512], card[256];
    double copy; /* memory copy bandwidth of the device, bytes per second; 0: not measured */
    int n;
    scheme_table_row row[SCHEME_TABLE_ROWS];
} scheme_results;

/* writes a verdict, such as "same" or "does not fit: 21 B needed" */
void scheme_table_verdict(const scheme_row *row, char text[64]);
void scheme_table_print(const scheme_results *r);
/* Writes the table as CSV. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int scheme_table_write(const scheme_results *r, const char *path);
#endif
