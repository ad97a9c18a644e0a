/* The stage: a lumen and the openings of a case to a lattice and its wall. */
#ifndef PORTAFLOW_MESH_H
#define PORTAFLOW_MESH_H
#include "common/base/must_check.h"
#include "mesh/mesh_job.h"
#include "mesh/lumen/lumen.h"

typedef struct {
    int argc; /* of the program, for mesh.json */
    char **argv;
    const char *case_path;
    const char *in;   /* folder with phi.nii.gz; NULL with mesh.shape */
    const char *out;  /* folder for lattice.h5, surface.vtp, mesh.json; made when it is not there */
    options_list set; /* of the case, in place of what its file says: case_read_set */
    bool dry_run; /* find what would be refused, write no result (look.h); above a million cells a coarser lattice */
} mesh_options;

/* Read, build, write. Errors: ERR_INPUT, ERR_RESOURCE, ERR_NUMERIC, ERR_OUTPUT. */
MUST_CHECK int mesh_run(const mesh_options *o);

/* From a case that was read (c, and with a shape nothing else; otherwise phi and image) to lattice and wall. `phi` may
 * be NULL with mesh.shape; its values are let go. For tests. Errors: ERR_INPUT, ERR_RESOURCE, ERR_NUMERIC. */
MUST_CHECK int mesh_build(mesh_job *j, volume *phi);
void mesh_free(mesh_job *j);
#endif
