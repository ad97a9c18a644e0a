/* The stage: a lumen and the openings of a case to a lattice and its wall. */
#ifndef PORTAFLOW_MESH_H
#define PORTAFLOW_MESH_H
#include "common/base/must_check.h"
#include "common/base/steps.h"
#include "common/case/case.h"
#include "common/lattice/potential_flow.h"
#include <cjson/cJSON.h>
#include "mesh/closed_ends.h"
#include "mesh/lumen.h"
#include "mesh/place.h"
#include "mesh/wall_regions.h"
#include "mesh/wall_surface.h"

typedef struct {
    int argc; /* of the program, for mesh.json */
    char **argv;
    const char *case_path;
    const char *in;   /* folder with phi.nii.gz; NULL with mesh.shape */
    const char *out;  /* folder for lattice.h5, surface.vtp, mesh.json; made when it is not there */
    options_list set; /* of the case, in place of what its file says: case_read_set */
    bool dry_run; /* find what would be refused, write no result (look.h); above a million cells a coarser lattice */
} mesh_options;

/* How the spacing was chosen. */
typedef struct {
    enum { SPACING_GIVEN, SPACING_CELLS_ACROSS, SPACING_FLOW } from;
    double wanted_mm, wanted_cells; /* SPACING_FLOW: what the flow asks for, and its cells (an estimate) */
    double most_cells;              /* what is allowed: mesh.max_cells, by the device, or what the free memory holds */
    bool by_memory, gpu;            /* the memory is why; a GPU was found */
} mesh_spacing;

/* Everything between case and files. */
typedef struct {
    case_file c;
    volume image; /* geometry that points in voxels refer to */
    lumen l;
    wall_regions regions;
    double low_mm[3], high_mm[3]; /* LPS, box of the vessel */
    placed_opening *placed;       /* [c.n_opening] */
    mesh_opening *opening;        /* [c.n_opening] as they are cut */
    voxelize_input in;
    mesh_spacing spacing; /* how in.spacing_mm was chosen */
    lattice lattice;
    potential_flow_result flow; /* through the lattice, with the largest given flows */
    voxelize_report report;
    wall_surface wall;
    int n_end;
    closed_end *end;            /* [n_end] as segment closed them */
    double wall_uncertainty_mm; /* half-width of the wall's 95 % interval, given or as segment measured it; or NaN */
    bool dry_run, coarser;      /* as asked; the lattice is one that only looks, not the one that would be made */
    double asked_mm;            /* spacing of the one that would be made */
    steps steps;                /* how long each step took */
} mesh_job;

/* Read, build, write. Errors: ERR_INPUT, ERR_RESOURCE, ERR_NUMERIC, ERR_OUTPUT. */
MUST_CHECK int mesh(const mesh_options *o);

/* From a case that was read (c, and with a shape nothing else; otherwise phi and image) to lattice and wall. `phi` may
 * be NULL with mesh.shape; its values are let go. For tests. Errors: ERR_INPUT, ERR_RESOURCE, ERR_NUMERIC. */
MUST_CHECK int mesh_build(mesh_job *j, volume *phi);
void mesh_free(mesh_job *j);

/* Sets in.spacing_mm and spacing: as given, or as cells_across or the flow ask for. Errors: ERR_INPUT (no opening to
 * count by), ERR_RESOURCE; spacing.c */
MUST_CHECK int mesh_choose_spacing(mesh_job *j);

/* After a lattice and its flow: a finer spacing where the narrowest place has far fewer cells across than were wanted,
 * within the same budget; *again false: the spacing stays. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int mesh_choose_again(mesh_job *j, bool *again);
/* Box of in.spacing_mm round low_mm..high_mm; mesh.c */
MUST_CHECK int mesh_make_box(const mesh_job *j, voxelize_input *in);
/* Memory in bytes that a lattice in this box takes; mesh.c */
double mesh_memory(const voxelize_input *in, double cells);

/* The potential flow through a lattice of the case's openings; flow.known is false where no flow is given. Errors:
 * ERR_RESOURCE, those of a waveform; mesh_flow.c */
MUST_CHECK int mesh_flow(const case_file *c, const lattice *l, potential_flow_result *flow);
/* Tell the narrowest and the fastest place, and warn where the lattice is too coarse for them; mesh_flow.c */
void mesh_flow_tell(const mesh_job *j);
/* "narrowest" and "fastest" into result, null where the flow is not known; mesh_flow.c */
void mesh_flow_json(const mesh_job *j, cJSON *result);
extern const double mesh_few_cells, mesh_fine_cells; /* across: below the first there is a warning */
extern const double mesh_peak_cell_reynolds;         /* above it nothing is accurate */

/* Errors: ERR_INPUT when the cell Reynolds number is one that solve refuses, or an opening of a vessel has fewer than 6
 * cells across (a shape, which may be part of a study of resolution, is only warned of); mesh_report.c */
MUST_CHECK int mesh_check_cells(const mesh_job *j);
/* Report what was done, and warn: mesh_report.c */
void mesh_tell(const mesh_job *j);
cJSON *mesh_result(const mesh_job *j); /* the object "result" of mesh.json; NULL: no memory */
#endif
