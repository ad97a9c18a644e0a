/* SPDX-License-Identifier: Apache-2.0 */
/* Result of `segment ends` for a file in a patient's folder, for `init`. */
#ifndef PORTAFLOW_VESSEL_ENDS_H
#define PORTAFLOW_VESSEL_ENDS_H
#include "common/base/must_check.h"
#include <stdbool.h>

enum { ENDS_LABELS = 200, ENDS_MAX = 24, ENDS_VESSELS = 3, ENDS_WORD = 48, ENDS_LINE = 200 };

typedef struct {
    double point[3], normal[3]; /* position in RAS mm; unit normal, 0 if unknown */
    double radius_mm, reach_mm; /* radius of the end, and distance from its centre to the farthest wall point */
    char name[ENDS_WORD];       /* name of its solid in an STL file; "": none */
    char at[ENDS_WORD];         /* kind of the end: "image border", "open end", "flat end" or "vessel end" */
} vessel_end;

typedef struct {
    double length_mm, radius_mm;
    /* true: the centerlines follow the edge of something much wider, such as an organ or a bone */
    bool edge;
    int n_end, n_hole, n_seed, n_branch, n_contact; /* number of entries below, up to ENDS_MAX each */
    vessel_end end[ENDS_MAX], hole[ENDS_MAX];
    double seed[ENDS_MAX][3], contact[ENDS_MAX][3]; /* contact: narrow lumen where two vessels seem joined */
    struct found_branch {
        int n;
        double at[ENDS_LINE][3];
    } branch[ENDS_MAX]; /* centerlines. The first one connects two ends; every further one connects an end with a
                         * junction */
} found_vessel;

typedef struct {
    int n_label;
    struct {
        int value;
        char name[ENDS_WORD]; /* name of the label; "": unknown */
        double volume_ml;
        bool chosen;
    } label[ENDS_LABELS];
    bool hollow;          /* true: the surface is a wall between an outer and an inner surface */
    int n_vessel, n_bone; /* n_bone: number of candidates that were removed because they look like bone */
    found_vessel vessel[ENDS_VESSELS];
} vessel_ends;

/* Runs `segment ends`. The result is empty (zeros) if `segment` is missing or refuses the file; `check` reports why.
 *   bin     folder of the programs
 *   series  of a DICOM folder, or NULL
 *   unit    of a surface, "mm", "cm", "m" or "um", or NULL
 * Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_ends_find(const char *bin, const char *path, const char *series, const char *unit,
                                vessel_ends *out);

/* Multiplies every length of *r by `factor`, and x and y of every point also by `turn` (-1: between RAS and LPS). */
void vessel_ends_scale(vessel_ends *r, double factor, double turn);
#endif
