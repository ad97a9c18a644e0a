/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the stage `mesh`: case, lumen, openings, lattice and wall. */
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
    enum { SPACING_GIVEN, SPACING_CELLS_ACROSS, SPACING_FLOW, SPACING_BEFORE } from; /* BEFORE: mesh.before */
    /* for SPACING_FLOW: spacing that the flow requires, and estimated number of cells at this spacing */
    double wanted_mm, wanted_cells;
    /* upper limit of the number of cells: mesh.max_cells, or the default for a CPU or a GPU; free memory may require
     * fewer */
    double cell_limit;
    bool by_memory, gpu; /* by_memory: free memory limits the lattice more than cell_limit; gpu: a GPU was found */
    bool beyond_limit;   /* true: the lattice exceeds cell_limit, because a coarser one would give no usable result */
} mesh_spacing;

/* All data of the stage `mesh`. */
typedef struct {
    case_file c;
    volume image; /* geometry of the image, needed for points in voxels */
    lumen l;
    wall_regions regions;
    volume porous_labels;         /* label image of porous regions; empty if the case needs none */
    double low_mm[3], high_mm[3]; /* corners of the box around the vessel, LPS */
    opening_plane *placed;        /* [c.n_opening] planes at the openings, before extensions */
    mesh_opening *opening;        /* [c.n_opening] planes that cut the lattice: moved to the ends of the extensions */
    voxelize_input in;
    mesh_spacing spacing; /* how in.spacing_mm was chosen */
    lattice lattice;
    potential_flow_result flow; /* potential flow through the lattice, with the largest given flows */
    voxelize_report report;
    wall_surface wall;
    int n_end;
    closed_end *end; /* [n_end] flat ends and holes of the lumen that segment has found (closed_ends.h) */
    /* half-width of the 95 % interval of the wall position, given or measured by segment; NaN: unknown */
    double wall_uncertainty_mm;
    /* dry_run: as in mesh_options; coarser: the preview lattice is coarser than the requested one */
    bool dry_run, coarser;
    double asked_mm;     /* requested spacing, before a dry run coarsens the lattice */
    steps steps;         /* wall-clock time of each step */
    bool shows_progress; /* true: progress bars; false for a caller with other threads that mesh */
} mesh_job;

/* Set the box of `in` (dims, origin_mm): cells of in->spacing_mm that cover low_mm..high_mm of the job. Errors: as
 * voxelize_box. */
MUST_CHECK int mesh_job_box(const mesh_job *j, voxelize_input *in);
/* Estimated memory in bytes for building a lattice of `cells` cells in the box of `in`. */
double mesh_job_memory(const voxelize_input *in, double cells);
#endif
