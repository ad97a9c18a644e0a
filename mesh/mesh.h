/* SPDX-License-Identifier: Apache-2.0 */
/* The stage `mesh`: from a lumen and the openings of a case to a lattice and its wall. */
#ifndef PORTAFLOW_MESH_H
#define PORTAFLOW_MESH_H
#include "common/base/must_check.h"
#include "mesh/mesh_job.h"
#include "mesh/lumen/lumen.h"

typedef struct {
    int argc; /* argc, argv: command line of the program, for mesh.json */
    char **argv;
    const char *case_path;
    const char *in;   /* folder with phi.nii.gz; NULL: the case has mesh.shape */
    const char *out;  /* folder for lattice.h5, surface.vtp and mesh.json; created if it does not exist */
    options_list set; /* values that replace entries of the case file (case_read_set) */
    /* true: check the input and write only a preview (mesh_preview.h), coarsened if the lattice has more than a million
     * cells */
    bool dry_run;
} mesh_options;

/* Run the stage: read the case and the lumen, build the lattice and its wall, write the files. Errors: ERR_INPUT,
 * ERR_RESOURCE, ERR_NUMERIC, ERR_OUTPUT. */
MUST_CHECK int mesh_run(const mesh_options *o);

/* Build lattice and wall from a case in j->c. Without mesh.shape also `phi` and j->image are needed; the values of phi
 * are freed. `phi` may be NULL with mesh.shape. For tests. Errors: ERR_INPUT, ERR_RESOURCE, ERR_NUMERIC. */
MUST_CHECK int mesh_build(mesh_job *j, volume *phi);
void mesh_free(mesh_job *j);
#endif
