/* Points that were placed in 3D Slicer: its files *.mrk.json and *.fcsv, each of which names its frame. */
#ifndef PORTAFLOW_MARKUPS_H
#define PORTAFLOW_MARKUPS_H
#include "common/base/must_check.h"
#include <stdbool.h>

enum { MARKUPS_MAX = 64, MARKUPS_NAME = 64 };

typedef struct {
    int n;
    struct {
        char name[MARKUPS_NAME]; /* as a case takes it: what is no letter, digit, '_', '-' or '.' is '_' */
        double ras_mm[3];
    } point[MARKUPS_MAX];
} markups;

bool markups_is(const char *path); /* by its ending */

/* Appends the points of a file. Errors: ERR_INPUT (no such file, or one without LPS or RAS as its frame, not in mm, of
 * curves, planes or regions, or with points beyond MARKUPS_MAX), ERR_RESOURCE; nothing is added then. */
MUST_CHECK int markups_add(const char *path, markups *to);

bool markups_is_seed(const char *name); /* it begins with "seed" */
#endif
