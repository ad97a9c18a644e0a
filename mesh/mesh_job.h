/* All that the stage knows between the case and its files, from the lumen to the lattice and its wall. */
#ifndef PORTAFLOW_MESH_JOB_H
#define PORTAFLOW_MESH_JOB_H
#include "common/base/must_check.h"
#include "common/base/steps.h"
#include "common/case/case.h"
#include "common/lattice/potential_flow.h"
#include "mesh/cells/voxelize.h"
#include "mesh/lumen/lumen.h"
#include "mesh/openings/closed_ends.h"
#include "mesh/openings/opening_plane.h"
#include "mesh/wall/wall_regions.h"
#include "mesh/wall/wall_surface.h"

/* How the spacing was chosen. */
typedef struct {
    enum { SPACING_GIVEN, SPACING_CELLS_ACROSS, SPACING_FLOW } from;
    double wanted_mm, wanted_cells; /* SPACING_FLOW: what the flow asks for, and its cells (an estimate) */
    double cell_limit;              /* what is allowed: mesh.max_cells, by the device, or what the free memory holds */
    bool by_memory, gpu;            /* the memory is why; a GPU was found */
} mesh_spacing;

/* Everything between case and files. */
typedef struct {
    case_file c;
    volume image; /* geometry that points in voxels refer to */
    lumen l;
    wall_regions regions;
    double low_mm[3], high_mm[3]; /* LPS, box of the vessel */
    opening_plane *placed;        /* [c.n_opening] */
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

/* Box of in.spacing_mm round low_mm..high_mm. */
MUST_CHECK int mesh_job_box(const mesh_job *j, voxelize_input *in);
/* Memory in bytes that a lattice in this box takes. */
double mesh_job_memory(const voxelize_input *in, double cells);
#endif
