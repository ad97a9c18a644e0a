/* The data of the stage between the case and its files, from the lumen to the lattice and its wall. */
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
    /* SPACING_FLOW: spacing that the flow requires, and the estimated number of its cells */
    double wanted_mm, wanted_cells;
    /* limit of cells: mesh.max_cells, otherwise from the device; the free memory may require fewer */
    double cell_limit;
    bool by_memory, gpu; /* the memory sets the limit; a GPU was found */
} mesh_spacing;

/* All data of the stage. */
typedef struct {
    case_file c;
    volume image; /* geometry for points in voxels */
    lumen l;
    wall_regions regions;
    double low_mm[3], high_mm[3]; /* LPS, box of the vessel */
    opening_plane *placed;        /* [c.n_opening] planes as placed, before extensions */
    mesh_opening *opening;        /* [c.n_opening] planes for the cut */
    voxelize_input in;
    mesh_spacing spacing; /* how in.spacing_mm was chosen */
    lattice lattice;
    potential_flow_result flow; /* potential flow through the lattice, with the largest given flows */
    voxelize_report report;
    wall_surface wall;
    int n_end;
    closed_end *end; /* [n_end] flat ends added by segment */
    /* half-width of the 95 % interval of the wall position, given or measured by segment; NaN: unknown */
    double wall_uncertainty_mm;
    bool dry_run, coarser; /* dry run; its lattice is coarser than the requested lattice */
    double asked_mm;       /* requested spacing */
    steps steps;           /* time of each step */
} mesh_job;

/* Set the box of `in` for in.spacing_mm around low_mm..high_mm. */
MUST_CHECK int mesh_job_box(const mesh_job *j, voxelize_input *in);
/* Memory in bytes for a lattice in this box. */
double mesh_job_memory(const voxelize_input *in, double cells);
#endif
