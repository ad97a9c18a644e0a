/* SPDX-License-Identifier: Apache-2.0 */
/* From the signed distance of a caller, or the shape of a case, to a lattice: the stage mesh without its files. */
#include "common/base/status.h"
#include "library/handles.h"
#include "mesh/mesh_build.h"
#include "mesh/mesh_report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VOXELS_LOW = 3, VOXELS_HIGH = 4096 };

struct pf_lumen {
    volume phi; /* signed distance to the wall, mm */
};

static int check_geometry(const int dims[3], const double spacing_mm[3]) {
    for (int a = 0; a < 3; a++) {
        if (dims[a] < VOXELS_LOW || dims[a] > VOXELS_HIGH)
            return fail(ERR_INPUT, "the signed distance has %d voxels along axis %d; it must have %d to %d", dims[a], a,
                        VOXELS_LOW, VOXELS_HIGH);
        if (!(spacing_mm[a] > 0 && isfinite(spacing_mm[a])))
            return fail(ERR_INPUT, "the spacing of the voxels along axis %d is %g mm; it must be above 0", a,
                        spacing_mm[a]);
    }
    return OK;
}

static int check_values(const float *distance_mm, const int dims[3], const double origin_mm[3]) {
    const size_t n = (size_t)dims[0] * (size_t)dims[1] * (size_t)dims[2];
    for (int a = 0; a < 3; a++)
        if (!isfinite(origin_mm[a]))
            return fail(ERR_INPUT, "the origin of axis %d is %g mm; it must be a finite number", a, origin_mm[a]);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(distance_mm[i]))
            return fail(
                ERR_INPUT,
                "the signed distance is %g at index %zu; it must be a finite number in every voxel, such as 1e3 "
                "far outside",
                (double)distance_mm[i], i);
    return OK;
}

static int create_lumen(const float *distance_mm, const int dims[3], const double spacing_mm[3],
                        const double origin_mm[3], pf_lumen **out) {
    pf_lumen *handle = NULL;
    int rc;
    if (!distance_mm || !dims || !spacing_mm || !origin_mm || !out)
        return fail(ERR_USAGE, "pf_lumen_create: an argument is NULL; pass all of them");
    *out = NULL;
    TRY(check_geometry(dims, spacing_mm));
    TRY(check_values(distance_mm, dims, origin_mm));
    handle = calloc(1, sizeof *handle);
    if (!handle)
        GIVE_UP(fail_memory("the lumen", sizeof *handle));
    TRY(volume_create(&handle->phi, dims, spacing_mm, origin_mm, NULL));
    memcpy(handle->phi.value, distance_mm, volume_size(&handle->phi) * sizeof *distance_mm);
    *out = handle;
    handle = NULL;
cleanup:
    pf_lumen_free(handle);
    return rc;
}

pf_status pf_lumen_create(pf_context *context, const float *distance_mm, const int dims[3], const double spacing_mm[3],
                          const double origin_mm[3], pf_lumen **vessel) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, create_lumen(distance_mm, dims, spacing_mm, origin_mm, vessel));
}

void pf_lumen_free(pf_lumen *vessel) {
    if (!vessel)
        return;
    volume_free(&vessel->phi);
    free(vessel);
}

static int check_meshing(const pf_lumen *vessel, const pf_case *c, pf_lattice **out) {
    if (!c || !out)
        return fail(ERR_USAGE, "pf_lattice_create: c or vessel is NULL; pass both");
    *out = NULL;
    if (!vessel && !c->c.mesh.has_shape)
        return fail(ERR_INPUT,
                    "the case has no mesh.shape, so its lattice needs a lumen; create it with pf_lumen_create");
    if (vessel && c->c.mesh.has_shape)
        return fail(ERR_INPUT, "the case has a mesh.shape and a lumen is given; pass NULL for the lumen, or remove "
                               "mesh.shape from the case");
    if (vessel && c->c.space == SPACE_VOXEL)
        return fail(ERR_INPUT, "the case gives its points in voxels of an image (space: voxel), and a lumen has no "
                               "image; give the points in mm, with space: lps or ras");
    if (c->c.split.law == SPLIT_TERRITORY)
        return fail(ERR_INPUT,
                    "the case splits the flow by the territories of a label image (split.labels), which only the "
                    "program mesh can read; read its lattice with pf_lattice_read");
    if (c->c.n_wall > 0)
        return fail(ERR_INPUT,
                    "the case names parts of the wall (walls), whose lattice only the program mesh can make; "
                    "read that lattice with pf_lattice_read");
    return OK;
}

static int create_lattice(const pf_lumen *vessel, const pf_case *c, pf_lattice **out) {
    mesh_job j = {0};
    volume phi = {0};
    pf_lattice *handle = NULL;
    bool is_built;
    int rc;
    TRY(check_meshing(vessel, c, out));
    handle = lattice_allocate();
    if (!handle)
        GIVE_UP(fail_memory("the lattice", sizeof *handle));
    j.c = c->c; /* borrowed */
    j.wall_uncertainty_mm = c->c.mesh.wall_uncertainty_mm;
    steps_start(&j.steps);
    if (vessel) {
        TRY(volume_copy(&phi, &vessel->phi)); /* meshing frees its values */
        j.image = phi;
        j.image.value = NULL;
    }
    TRY(mesh_build_lattice(&j, &phi, &is_built));
    mesh_trim_lattice(&j);
    TRY(mesh_check_cells(&j));
    mesh_warn_of_lattice(&j);
    handle->l = j.lattice;
    j.lattice = (lattice){0};
    *out = handle;
    handle = NULL;
cleanup:
    memset(&j.c, 0, sizeof j.c);
    mesh_free_lattice(&j);
    volume_free(&phi);
    pf_lattice_free(handle);
    return rc;
}

pf_status pf_lattice_create(pf_context *context, const pf_lumen *vessel, const pf_case *c, pf_lattice **out) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, create_lattice(vessel, c, out));
}
