/* The mesh stage: from lumen and openings to lattice and wall surface. */
#ifndef PORTAFLOW_MESH_H
#define PORTAFLOW_MESH_H
#include "common/base/must_check.h"
#include "mesh/mesh_job.h"
#include "mesh/lumen/lumen.h"

typedef struct {
    int argc; /* command line, for mesh.json */
    char **argv;
    const char *case_path;
    const char *in;   /* folder with phi.nii.gz; NULL with mesh.shape */
    const char *out;  /* folder for lattice.h5, surface.vtp, mesh.json; created if missing */
    options_list set; /* case settings of the command line (case_read_set) */
    bool dry_run;     /* check only, no result (mesh_preview.h); above a million cells on a coarser lattice */
} mesh_options;

/* Reads the input, builds and writes. Errors: ERR_INPUT, ERR_RESOURCE, ERR_NUMERIC, ERR_OUTPUT. */
MUST_CHECK int mesh(const mesh_options *o);

/* From a case in j->c (with mesh.shape only that, else also phi and image) to lattice and wall. phi may be NULL with
 * mesh.shape; its values are freed. For tests. Errors: ERR_INPUT, ERR_RESOURCE, ERR_NUMERIC. */
MUST_CHECK int mesh_build(mesh_job *j, volume *phi);
void mesh_free(mesh_job *j);
#endif
