/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the solids of an STL text file with several solids: "solid inlet .. endsolid inlet, solid wall ..". */
#ifndef PORTAFLOW_SURFACE_SOLIDS_H
#define PORTAFLOW_SURFACE_SOLIDS_H
#include "common/base/must_check.h"

enum { SURFACE_SOLID_NAME = 40 };

typedef struct {
    /* name from its first letter or digit to the next blank; characters other than ASCII letters, digits and - become
     * _ */
    char name[SURFACE_SOLID_NAME];
    /* centre: centroid of the solid's triangles; area: their sum; both in the unit and frame of the file */
    double centre[3], area;
} surface_solid;

/* Reads the named solids. *list [*n]: owned by the caller; empty unless the file has two or more named solids (a single
 * name may identify the patient). Errors: ERR_RESOURCE; an unreadable file gives an empty list. */
MUST_CHECK int surface_solids_read(const char *path, int *n, surface_solid **list);
#endif
