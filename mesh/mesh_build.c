/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/mesh_build.h"
#include "mesh/mesh_flow.h"
#include "mesh/mesh_spacing.h"
#include "common/base/memory.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int trim_margin = 2;        /* Layers of cells around the fluid that stay in the box of the lattice */
static const double preview_cells = 1e6; /* Upper limit of the cells of the lattice of a dry run */

/* Create the signed distance to the wall from mesh.shape or from `phi`, and set the box of the vessel. */
static int make_lumen(mesh_job *j, volume *phi) {
    j->l.is_shape = j->c.mesh.has_shape;
    if (j->l.is_shape) {
        j->l.shape.shape = j->c.mesh.shape;
        for (int a = 0; a < 3; a++) {
            j->low_mm[a] = j->c.mesh.box_low_mm[a];
            j->high_mm[a] = j->c.mesh.box_high_mm[a];
            j->l.shape.periodic[a] = j->c.mesh.periodic[a];
            j->l.shape.period_mm[a] = j->high_mm[a] - j->low_mm[a];
        }
        return shape_grid_create(&j->l.shape.grid, &j->l.shape.shape, j->low_mm, j->high_mm);
    }
    int rc = phi_field_create(&j->l.phi, phi);
    if (rc != OK)
        return rc;
    j->l.voxel_mm = volume_thickest_mm(phi);
    rc = j->l.wall.n_triangle > 0 ? lumen_use_surface(&j->l) : OK;
    if (rc != OK)
        return rc;
    memcpy(j->low_mm, j->l.phi.low_mm, sizeof j->low_mm);
    memcpy(j->high_mm, j->l.phi.high_mm, sizeof j->high_mm);
    message_debug("level set: the gradient is 1, as of a distance, in %.1f %% of the voxels%s", 100 * j->l.phi.quality,
                  j->l.phi.redistanced ? "; it was redistanced" : "");
    return OK;
}

static int place_all(mesh_job *j) {
    int rc = OK;
    j->placed = calloc((size_t)j->c.n_opening + 1, sizeof *j->placed);
    j->opening = calloc((size_t)j->c.n_opening + 1, sizeof *j->opening);
    if (!j->placed || !j->opening)
        return fail_memory("the openings", (double)j->c.n_opening * sizeof *j->placed);
    for (int k = 0; k < j->c.n_opening; k++) {
        TRY(opening_plane_place(&j->c, k, &j->image, &j->l, j->low_mm, j->high_mm, &j->placed[k]));
        j->opening[k] = j->placed[k].plane;
    }
cleanup:
    return rc;
}

/* Check that memory suffices to voxelize this box. Errors: ERR_RESOURCE with the memory needed, the free memory, and a
 * spacing that fits. */
static int check_memory(const voxelize_input *in) {
    const double cells = voxelize_estimate_cells(in), need = mesh_job_memory(in, cells), available = memory_available();
    if (need <= 0.9 * available && cells < 2e9)
        return OK;
    const double factor = fmax(cbrt(need / (0.9 * available)), cbrt(cells / 2e9));
    return fail(ERR_RESOURCE,
                "the lattice would have about %.3g million cells of %.3g mm and need %.3g GB, but %.3g GB are free; "
                "use a spacing of %.3g mm or more",
                cells / 1e6, in->spacing_mm, need / 1e9, available / 1e9, 1.05 * factor * in->spacing_mm);
}

/* Add the straight extensions and enlarge the box. First turns the normals outwards, since an extension follows its
 * normal. */
static int extend_all(mesh_job *j) {
    int rc = OK, count = 0;
    for (int k = 0; k < j->c.n_opening; k++)
        count += j->c.opening[k].extension_mm > 0;
    if (count == 0)
        return OK;
    TRY(voxelize_orient(&j->in, j->opening));
    for (int k = 0; k < j->c.n_opening; k++) {
        const double length = j->c.opening[k].extension_mm;
        if (!(length > 0))
            continue;
        TRY(lumen_extend(&j->l, &j->in, &j->opening[k], length));
        const double reach = j->l.extension[j->l.n_extension - 1].s.extent_mm + 4 * j->in.spacing_mm;
        for (int a = 0; a < 3; a++) {
            j->low_mm[a] = fmin(j->low_mm[a], j->opening[k].point_mm[a] - reach);
            j->high_mm[a] = fmax(j->high_mm[a], j->opening[k].point_mm[a] + reach);
        }
    }
    TRY(mesh_job_box(j, &j->in));
    TRY(check_memory(&j->in));
cleanup:
    return rc;
}

/* Coarsens the lattice of a dry run to preview_cells or fewer; the size of the finer lattice was checked before. A
 * periodic box must contain whole cells and is not coarsened. No lattice is built then, and *is_checkable is false. */
static int coarsen_preview(mesh_job *j, bool *is_checkable) {
    int rc = OK;
    *is_checkable = true;
    j->asked_mm = j->in.spacing_mm;
    while (rc == OK && *is_checkable && voxelize_estimate_cells(&j->in) > preview_cells) {
        j->coarser = true;
        j->in.spacing_mm *= 1.1;
        *is_checkable = !j->in.periodic[0] && !j->in.periodic[1] && !j->in.periodic[2];
        if (*is_checkable)
            rc = mesh_job_box(j, &j->in);
    }
    return rc;
}

/* Compute the potential flow through the lattice. For the coarser lattice of a dry run, convert the results to the
 * requested spacing. */
static int compute_flow(mesh_job *j) {
    const int rc = mesh_flow(&j->c, &j->lattice, &j->flow);
    potential_flow_section *at[] = {&j->flow.narrowest, &j->flow.fastest};
    for (int k = 0; rc == OK && j->coarser && k < 2; k++) {
        at[k]->cells_per_diameter *= j->lattice.spacing_mm / j->asked_mm;
        at[k]->peak_cell_reynolds *= j->asked_mm / j->lattice.spacing_mm;
    }
    return rc;
}

/* Build the lattice and its flow. If the minimum cross-section of this flow is much smaller than on the coarse lattices
 * (for example because a web was thinner than their cells), build the lattice again with a finer spacing. */
static int build_lattice(mesh_job *j) {
    int rc;
    bool again = true;
    for (int round = 0; again; round++) {
        if (j->l.exact) /* cache cubes of up to 0.9 cells: one cube serves most subcells of a cell */
            surface_distance_set_near(j->l.exact, 0.9 * j->in.spacing_mm);
        if (j->l.n_extension == 0)
            TRY(extend_all(j));
        TRY(voxelize(&j->in, &j->lattice, &j->report));
        again = false;
        TRY(compute_flow(j));
        steps_end(&j->steps, "potential flow");
        if (round < 2 && !j->coarser)
            TRY(mesh_choose_again(j, &again));
        if (!again)
            break;
        lattice_free(&j->lattice);
        TRY(mesh_job_box(j, &j->in));
        TRY(check_memory(&j->in));
    }
cleanup:
    return rc;
}

int mesh_build_lattice(mesh_job *j, volume *phi, bool *is_built) {
    int rc;
    *is_built = false;
    TRY(make_lumen(j, phi));
    steps_end(&j->steps, "distance");
    j->in.distance = lumen_distance;
    j->in.solid = lumen_solid;
    j->in.slope = lumen_slope;
    j->in.data = &j->l;
    j->in.steepness = lumen_steepness(&j->l);
    j->in.corners = case_uses_cumulants(&j->c);
    j->in.progress = j->shows_progress;
    j->in.steps = &j->steps;
    j->in.turn_openings = true;
    for (int a = 0; a < 3; a++)
        j->in.periodic[a] = j->l.is_shape && j->c.mesh.periodic[a];
    TRY(place_all(j));
    steps_end(&j->steps, "openings");
    j->in.n_opening = j->c.n_opening;
    j->in.opening = j->opening;
    TRY(mesh_choose_spacing(j));
    steps_end(&j->steps, "spacing");
    TRY(mesh_job_box(j, &j->in));
    TRY(check_memory(&j->in));
    *is_built = true;
    if (j->dry_run)
        TRY(coarsen_preview(j, is_built));
    if (*is_built)
        TRY(build_lattice(j));
cleanup:
    return rc;
}

void mesh_trim_lattice(mesh_job *j) {
    if (!j->l.is_shape)
        voxelize_trim(&j->in, &j->lattice, trim_margin);
}

void mesh_free_lattice(mesh_job *j) {
    case_free(&j->c);
    volume_free(&j->image);
    lumen_free(&j->l);
    lattice_free(&j->lattice);
    free(j->placed);
    free(j->opening);
    free(j->end);
}
