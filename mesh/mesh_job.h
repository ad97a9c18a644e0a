/* State of the stage from case to files: lumen, lattice, wall. */
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

/* Reason for the spacing. */
typedef struct {
    enum { SPACING_GIVEN, SPACING_CELLS_ACROSS, SPACING_FLOW } from;
    double wanted_mm, wanted_cells; /* SPACING_FLOW: spacing for the flow, and estimated cells */
    double most_cells;              /* limit of cells: mesh.max_cells, by device, or by free memory */
    bool by_memory, gpu;            /* limited by memory; a GPU was found */
} mesh_spacing;

/* All data between case and files. */
typedef struct {
    case_file c;
    volume image; /* geometry for points in voxels */
    lumen l;
    wall_regions regions;
    double low_mm[3], high_mm[3]; /* LPS, box of the vessel */
    opening_plane *placed;        /* [c.n_opening] */
    mesh_opening *opening;        /* [c.n_opening] final planes */
    voxelize_input in;
    mesh_spacing spacing; /* reason for in.spacing_mm */
    lattice lattice;
    potential_flow_result flow; /* through the lattice, with the largest prescribed flows */
    voxelize_report report;
    wall_surface wall;
    int n_end;
    closed_end *end; /* [n_end] ends closed by segment */
    /* half-width of the 95 % interval of the wall position, given or measured by segment; NaN: unknown */
    double wall_uncertainty_mm;
    bool dry_run, coarser; /* dry_run: as requested; coarser: the lattice is coarser than the one to compute */
    double asked_mm;       /* spacing of the lattice to compute */
    steps steps;           /* duration of each step */
} mesh_job;

/* Sets a box with in.spacing_mm around low_mm..high_mm. */
MUST_CHECK int mesh_job_box(const mesh_job *j, voxelize_input *in);
/* Estimated memory of a lattice in this box, bytes. */
double mesh_job_memory(const voxelize_input *in, double cells);
#endif
