/* The stage: a lumen and the openings of a case to a lattice and its wall. */
#ifndef PORTAFLOW_MESH_H
#define PORTAFLOW_MESH_H
#include "common/case/case.h"
#include <cjson/cJSON.h>
#include "mesh/lumen.h"
#include "mesh/place.h"
#include "mesh/wall_surface.h"

typedef struct {
    int argc; /* of the program, for mesh.json */
    char **argv;
    const char *case_path;
    const char *in;   /* folder with phi.nii.gz; NULL with mesh.shape */
    const char *out;  /* folder for lattice.h5, surface.vtp, mesh.json; made when it is not there */
    options_list set; /* of the case, in place of what its file says: case_read_set */
} mesh_options;

/* Everything between case and files. */
typedef struct {
    case_file c;
    volume image; /* geometry that points in voxels refer to */
    lumen l;
    double low_mm[3], high_mm[3]; /* LPS, box of the vessel */
    placed_opening *placed;       /* [c.n_opening] */
    mesh_opening *opening;        /* [c.n_opening] as they are cut */
    voxelize_input in;
    lattice lattice;
    voxelize_report report;
    wall_surface wall;
} mesh_job;

/* Read, build, write. Errors: ERR_INPUT, ERR_RESOURCE, ERR_NUMERIC, ERR_OUTPUT. */
int mesh(const mesh_options *o);

/* From a case that was read (c, and with a shape nothing else; otherwise phi and image) to lattice and wall. `phi` may
 * be NULL with mesh.shape. For tests. Errors: ERR_INPUT, ERR_RESOURCE, ERR_NUMERIC. */
int mesh_build(mesh_job *j, const volume *phi);
void mesh_free(mesh_job *j);

/* Errors: ERR_INPUT when an opening of a vessel has fewer than 6 cells across (a shape, which may be part of a study
 * of resolution, is only warned of); mesh_report.c */
int mesh_check_cells(const mesh_job *j);
/* Report what was done, and warn: mesh_report.c */
void mesh_tell(const mesh_job *j);
cJSON *mesh_result(const mesh_job *j); /* the object "result" of mesh.json; NULL: no memory */
#endif
