/* SPDX-License-Identifier: Apache-2.0 */
/* The stages from an image to a report, in one table. */
#ifndef PORTAFLOW_STAGES_H
#define PORTAFLOW_STAGES_H
#include "common/case/case.h"
#include <stdbool.h>

enum { STAGE_SEGMENT, STAGE_MESH, STAGE_SOLVE, STAGE_POST, STAGE_COUNT };
enum { STAGE_FILES_MAX = 8 };

/* File names are relative to the patient's out/ folder. */
typedef struct {
    /* name of the stage; also the name of the program, of the folder under out/, and of <name>.json */
    const char *name;
    const char *purpose;                /* one line for the help and the status */
    const char *in;                     /* folder for --in; NULL: the stage has no such option */
    const char *out;                    /* folder for --out */
    const char *needs[STAGE_FILES_MAX]; /* input files, NULL-terminated */
    const char *makes[STAGE_FILES_MAX]; /* output files, NULL-terminated */
    const char *checkpoint;             /* file from which --resume continues a stopped run; NULL: none */
    bool takes_device;                  /* true: the stage accepts --device */
    bool takes_ranks;                   /* true: the stage can run under mpirun */
} stage;

extern const stage stages_table[STAGE_COUNT];

/* Index of the stage, -1: unknown name. */
int stages_find(const char *name);

/* True if the case needs the stage. An analytic lumen (mesh: {shape: ...}) replaces segment. */
bool stages_is_wanted(const case_file *c, int stage_index);

/* True if the stage needs this file in this case (segment's phi is not needed with an analytic lumen). */
bool stages_needs_file(const case_file *c, int stage_index, const char *file);

/* The stage that writes a file, -1: none. */
int stages_find_maker(const char *file);
#endif
