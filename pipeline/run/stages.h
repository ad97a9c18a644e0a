/* The stages between an image and a report: one table. */
#ifndef PORTAFLOW_STAGES_H
#define PORTAFLOW_STAGES_H
#include "common/case/case.h"
#include <stdbool.h>

enum { STAGE_SEGMENT, STAGE_MESH, STAGE_SOLVE, STAGE_POST, STAGE_COUNT };
enum { STAGE_FILES_MAX = 8 };

/* Files are named from the patient's out/ folder. */
typedef struct {
    const char *name;                   /* also the program, the folder under out/ and <name>.json */
    const char *purpose;                /* for the help and the status */
    const char *in;                     /* folder given as --in, NULL: none */
    const char *out;                    /* folder given as --out */
    const char *needs[STAGE_FILES_MAX]; /* what must be there before it starts, NULL ends */
    const char *makes[STAGE_FILES_MAX]; /* what is there afterwards, NULL ends */
    const char *checkpoint;             /* from which a stopped run continues with --resume, NULL: none */
    bool takes_device;                  /* has --device */
    bool takes_ranks;                   /* runs under mpirun */
} stage;

extern const stage stages_table[STAGE_COUNT];

/* Index of the stage, -1 when there is none of that name. */
int stages_find(const char *name);

/* An analytic lumen in the case (mesh: {shape: ...}) takes the place of segment's result. */
bool stages_is_wanted(const case_file *c, int stage_index);

/* Whether the stage needs this file in this case (segment's phi is not needed with an analytic lumen). */
bool stages_needs_file(const case_file *c, int stage_index, const char *file);

/* The stage that makes a file, -1 when none does. */
int stages_find_maker(const char *file);
#endif
