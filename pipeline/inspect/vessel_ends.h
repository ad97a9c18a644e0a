/* What `segment ends` says of a file that lies in a patient's folder, for `init`. */
#ifndef PORTAFLOW_VESSEL_ENDS_H
#define PORTAFLOW_VESSEL_ENDS_H
#include "common/base/must_check.h"
#include <stdbool.h>

enum { ENDS_LABELS = 200, ENDS_MAX = 24, ENDS_VESSELS = 3, ENDS_WORD = 48, ENDS_LINE = 200 };

typedef struct {
    double point[3], normal[3]; /* RAS, mm; unit, 0: not known */
    double radius_mm, reach_mm; /* to its furthest wall */
    char at[ENDS_WORD];         /* "image border", "open end", "flat end", "vessel end" */
} vessel_end;

typedef struct {
    double length_mm, radius_mm;
    bool edge; /* its lines lie along the edge of something much wider: of an organ or a bone */
    int n_end, n_hole, n_seed, n_branch; /* at most ENDS_MAX of each are kept */
    vessel_end end[ENDS_MAX], hole[ENDS_MAX];
    double seed[ENDS_MAX][3];
    struct found_branch {
        int n;
        double at[ENDS_LINE][3];
    } branch[ENDS_MAX]; /* middle lines: the first from end to end, the others from their end to where they join */
} found_vessel;

typedef struct {
    int n_label;
    struct {
        int value;
        char name[ENDS_WORD]; /* "" not known */
        double volume_ml;
        bool taken;
    } label[ENDS_LABELS];
    int n_vessel, n_bone; /* what looks like bone is counted and not kept */
    found_vessel vessel[ENDS_VESSELS];
} vessel_ends;

/* bin: folder of the programs. Nothing is found (zeros) where `segment` is missing or refuses the file: it says why
 * itself, and check will. series: of a DICOM folder, or NULL. unit: of a surface, "mm", "cm", "m" or "um", or NULL.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_ends_find(const char *bin, const char *path, const char *series, const char *unit,
                                vessel_ends *out);

/* Every length of *r times `factor`, of places x and y times `turn` as well (-1: RAS to LPS and back). */
void vessel_ends_scale(vessel_ends *r, double factor, double turn);
#endif
