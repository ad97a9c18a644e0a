/* What `segment ends` says of a file that lies in a patient's folder, for `init`. */
#ifndef PORTAFLOW_ENDS_LOOK_H
#define PORTAFLOW_ENDS_LOOK_H
#include "common/base/must_check.h"
#include <stdbool.h>

enum { LOOK_LABELS = 200, LOOK_ENDS = 24, LOOK_VESSELS = 3, LOOK_WORD = 48, LOOK_LINE = 200 };

typedef struct {
    double point[3], normal[3]; /* RAS, mm; unit, 0: not known */
    double radius_mm, reach_mm; /* to its furthest wall */
    char at[LOOK_WORD];         /* "image border", "open end", "flat end", "vessel end" */
} look_end;

typedef struct {
    double length_mm, radius_mm;
    bool edge; /* its lines lie along the edge of something much wider: of an organ or a bone */
    int n_end, n_hole, n_seed, n_branch; /* at most LOOK_ENDS of each are kept */
    look_end end[LOOK_ENDS], hole[LOOK_ENDS];
    double seed[LOOK_ENDS][3];
    struct look_branch {
        int n;
        double at[LOOK_LINE][3];
    } branch[LOOK_ENDS]; /* middle lines: the first from end to end, the others from their end to where they join */
} look_vessel;

typedef struct {
    int n_label;
    struct {
        int value;
        char name[LOOK_WORD]; /* "" not known */
        double volume_ml;
        bool taken;
    } label[LOOK_LABELS];
    int n_vessel, n_bone; /* what looks like bone is counted and not kept */
    look_vessel vessel[LOOK_VESSELS];
} ends_look_result;

/* bin: folder of the programs. Nothing is found (zeros) where `segment` is missing or refuses the file: it says why
 * itself, and check will. series: of a DICOM folder, or NULL. unit: of a surface, "mm", "cm", "m" or "um", or NULL.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int ends_look(const char *bin, const char *path, const char *series, const char *unit,
                         ends_look_result *out);

/* Every length of *r times `factor`, of places x and y times `turn` as well (-1: RAS to LPS and back). */
void ends_look_scale(ends_look_result *r, double factor, double turn);
#endif
