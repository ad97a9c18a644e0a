/* SPDX-License-Identifier: Apache-2.0 */
/* The lattice and the settings of the results before a treatment, which the case after it keeps. */
#ifndef PORTAFLOW_TREAT_LATTICE_H
#define PORTAFLOW_TREAT_LATTICE_H
#include "common/base/must_check.h"
#include <cjson/cJSON.h>
#include <stdbool.h>

enum { TREAT_SETTINGS = 4096 };

typedef struct {
    bool known; /* false: the case before the treatment has no lattice, or an outdated one */
    double spacing_mm, low_mm[3], high_mm[3];
    cJSON *openings; /* result/openings of mesh.json, owned; NULL: unknown, or the case has points in voxels */
    bool ras;        /* true: the case has the axes RAS; mesh.json always has LPS */
    /* settings of the command line that the case file does not hold, such as " --fast --set blood.viscosity=4"; "":
     * none. Settings of image, segment and name are left out, because the case after a treatment has none. */
    char settings[TREAT_SETTINGS];
} treat_lattice;

/* Reads mesh.json of the folder, with the settings of its results. low_mm and high_mm are in the space of the case,
 * for space voxel LPS. Errors: ERR_INPUT (problems of the case, damaged mesh.json), ERR_RESOURCE. */
MUST_CHECK int treat_lattice_read(const char *dir, treat_lattice *l);
/* Plane of an opening in the axes of the case. Returns false if it is unknown. */
bool treat_lattice_plane(const treat_lattice *l, const char *opening, double point[3], double normal[3]);
void treat_lattice_free(treat_lattice *l);
#endif
