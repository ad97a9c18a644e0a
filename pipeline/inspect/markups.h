/* SPDX-License-Identifier: Apache-2.0 */
/* Points placed in 3D Slicer: files *.mrk.json and *.fcsv, each with its frame. */
#ifndef PORTAFLOW_MARKUPS_H
#define PORTAFLOW_MARKUPS_H
#include "common/base/must_check.h"
#include <stdbool.h>

enum { MARKUPS_MAX = 64, MARKUPS_NAME = 64 };

typedef struct {
    int n;
    struct {
        /* name as a case accepts it; '_' replaces all characters but letters, digits, '_', '-' and '.' */
        char name[MARKUPS_NAME];
        double ras_mm[3];
    } point[MARKUPS_MAX];
} markups;

bool markups_is(const char *path); /* true if the file extension is .mrk.json or .fcsv */

/* Appends the points of a file; nothing is added on an error. Errors: ERR_INPUT (no such file; frame other than LPS or
 * RAS; not in mm; curves, planes or regions; more than MARKUPS_MAX points), ERR_RESOURCE. */
MUST_CHECK int markups_add(const char *path, markups *to);

bool markups_is_seed(const char *name); /* true if the name begins with "seed" */
#endif
