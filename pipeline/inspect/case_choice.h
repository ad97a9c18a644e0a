/* Files in the patient's folder that a new case uses. */
#ifndef PORTAFLOW_CASE_CHOICE_H
#define PORTAFLOW_CASE_CHOICE_H
#include "pipeline/inspect/markups.h"
#include "pipeline/inspect/patient_files.h"
#include "pipeline/inspect/vessel_ends.h"

enum { CASE_CHOICE_SERIES = 72 };

/* Paths ("": none), and the vessels and points found in them. */
typedef struct {
    char image[FILES_PATH_MAX], mask[FILES_PATH_MAX], surface[FILES_PATH_MAX], series[CASE_CHOICE_SERIES];
    const char *unit, *frame; /* unit and frame of the surface; frame NULL: unknown, the user must set it */
    bool unit_sure;           /* of mm, cm, m and um exactly this unit gives the size of a vessel */
    markups points;           /* placed in 3D Slicer */
    vessel_ends ends;         /* for a surface of unknown frame: x y z as in the file */
} case_choice;
#endif
