/* SPDX-License-Identifier: Apache-2.0 */
/* Files in the patient's folder that a new case uses. */
#ifndef PORTAFLOW_CASE_CHOICE_H
#define PORTAFLOW_CASE_CHOICE_H
#include "pipeline/inspect/markups.h"
#include "pipeline/inspect/patient_files.h"
#include "pipeline/inspect/vessel_ends.h"

enum { CASE_CHOICE_SERIES = 72, CASE_CHOICE_NAME = 200 };

/* Paths ("": none), and the vessels and points found in them. */
typedef struct {
    char image[FILES_PATH_MAX], mask[FILES_PATH_MAX], surface[FILES_PATH_MAX], series[CASE_CHOICE_SERIES];
    char name[CASE_CHOICE_NAME]; /* name of the case: the name of its folder */
    char liver[FILES_PATH_MAX];  /* mask of the liver, a file next to the mask of the vessel */
    int liver_label;             /* label of the liver in the mask of the vessel; 0: none */
    const char *unit, *frame;    /* unit and frame of the surface; frame NULL: unknown, so the user must set it */
    bool unit_sure;              /* true: with exactly one of mm, cm, m and um the surface has the size of a vessel */
    markups points;              /* points that the user has placed in 3D Slicer */
    vessel_ends ends;            /* ends of the vessel; for a surface whose file names no frame with x y z as in the
                                  * file */
} case_choice;
#endif
