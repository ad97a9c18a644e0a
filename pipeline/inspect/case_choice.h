/* What a new case takes of the files in a patient's folder. */
#ifndef PORTAFLOW_CASE_CHOICE_H
#define PORTAFLOW_CASE_CHOICE_H
#include "pipeline/inspect/markups.h"
#include "pipeline/inspect/patient_files.h"
#include "pipeline/inspect/vessel_ends.h"

enum { CASE_CHOICE_SERIES = 72 };

/* "" for nothing, and what was found at it. */
typedef struct {
    char image[FILES_PATH_MAX], mask[FILES_PATH_MAX], surface[FILES_PATH_MAX], series[CASE_CHOICE_SERIES];
    const char *unit, *frame; /* of the surface; frame NULL: only the user knows */
    bool unit_sure;           /* no vessel in the others of mm, cm, m */
    markups points;           /* that the user placed in 3D Slicer */
    vessel_ends ends;         /* of a surface of unknown frame: in the file's own, x y z as they stand in it */
} case_choice;
#endif
