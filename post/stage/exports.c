/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of work.h: results for other tools: maps on the grid of the image, series with times, curves, a
 * description. */
#include "common/base/status.h"
#include "common/cli/version.h"
#include "common/record/json.h"
#include "post/stage/voxel_maps.h"
#include "post/stage/work.h"
#ifdef POST_HAVE_IMAGE
#include "common/image_file/itk_image.h"
#endif

/* Write the times of wall_NNNN.vtp at the instants, for ParaView. */
static int write_pvd(const out_folder *out, const post_work *p) {
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    for (int k = 0; to && k < p->shown.n; k++)
        fprintf(to, "%s    <DataSet timestep=\"%.9g\" file=\"wall_%04d.vtp\"/>\n%s",
                k ? "" : "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n",
                p->shown.one[k].time_s, p->shown.one[k].stored,
                k + 1 < p->shown.n ? "" : "  </Collection>\n</VTKFile>\n");
    return out_folder_text(out, "wall.pvd", to, &text, &n);
}

/* ParaView up to 5.11 recognizes VTKHDF only by the ending .hdf, later versions also by .vtkhdf. It reads the ending in
 * the name of the series file, not in the names of the field files. */
static const char *const ANY_SERIES = "fields.hdf.series", *const LATER_SERIES = "fields.vtkhdf.series";

/* Write the list of fields with their times as a ParaView series; one entry for a steady flow. */
static int write_series(const out_folder *out, const post_work *p, const char *file) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file-series-version", "1.0");
    cJSON *files = cJSON_AddArrayToObject(object, "files");
    const int n = p->run.n_instant;
    for (int k = 0; k < (n > 0 ? n : 1); k++) {
        char name[SOLUTION_FILE + 16];
        cJSON *one = cJSON_CreateObject();
        snprintf(name, sizeof name, "../solve/%s", n > 0 ? p->run.instant[k].file : p->run.mean_file);
        cJSON_AddStringToObject(one, "name", name);
        json_add_number(one, "time", n > 0 ? p->run.instant[k].time_s : 0);
        cJSON_AddItemToArray(files, one);
    }
    return out_folder_json(out, file, object);
}

/* Write the wall shear stress over the cycle, as plotted in the report. */
static int write_cycle(const out_folder *out, const post_work *p) {
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (to)
        fprintf(to, "time_s,wss_mean_pa,wss_p99_pa,wss_max_pa,usable\n");
    for (int k = 0; to && k < p->run.n_instant && p->instant; k++)
        fprintf(to, "%.9g,%.6g,%.6g,%.6g,%s\n", p->run.instant[k].time_s, p->instant[k].mean, p->instant[k].p99,
                p->instant[k].max, solution_usable_word(&p->run));
    return out_folder_text(out, "cycle.csv", to, &text, &n);
}

/* Writes the description of the folder in the style of BIDS derivatives. The description contains no data of the
 * patient. */
static int write_description(const out_folder *out, const post_work *p) {
    cJSON *d = cJSON_CreateObject(), *by = cJSON_CreateObject(), *data = cJSON_CreateObject();
    cJSON_AddStringToObject(d, "Name", "Portaflow: computed hemodynamics");
    cJSON_AddStringToObject(d, "BIDSVersion", "1.9.0");
    cJSON_AddStringToObject(d, "DatasetType", "derivative");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(d, "GeneratedBy"), by);
    cJSON_AddStringToObject(by, "Name", "Portaflow");
    cJSON_AddStringToObject(by, "Version", PORTAFLOW_VERSION);
    cJSON_AddStringToObject(by, "Description",
                            "lattice Boltzmann flow in a segmented vessel; a research result, not a diagnosis");
    cJSON_AddItemToObject(d, "Frame", cJSON_CreateString("LPS, mm (NIfTI maps carry their own affine)"));
    cJSON_AddItemToObject(d, "Files", data);
    const struct {
        const char *name, *what;
        bool there;
    } file[] = {
        {"readouts.json", "readouts with units", true},
        {"wall.vtp", "wall with shear stress (Pa) and pressure (Pa)", true},
        {"profiles.csv", "means along the vessel", true},
        {"along.csv", "values along each branch, on planes across its centerline", true},
        {"report.html", "the report", true},
        {"speed_m_s.nii.gz", "speed, m/s, 0 outside the lumen", p->c.post.nifti},
        {"velocity_left_m_s.nii.gz", "velocity to the patient's left, m/s", p->c.post.nifti},
        {"velocity_posterior_m_s.nii.gz", "velocity to the back, m/s", p->c.post.nifti},
        {"velocity_superior_m_s.nii.gz", "velocity to the head, m/s", p->c.post.nifti},
        {"pressure_pa.nii.gz", "static pressure, Pa, NaN outside the lumen", p->c.post.nifti},
        {"perfusion.nii.gz", "portal perfusion of the liver, mL/min/mL, modelled, 0 outside", p->liver.liver},
        {"territories.nii.gz", "portal branch that feeds a voxel, see readouts.json", p->liver.liver},
        {"portal_pressure_pa.nii.gz", "pressure of the portal compartment, Pa, modelled, NaN outside", p->liver.liver},
        {"hepatic_pressure_pa.nii.gz", "pressure of the hepatic compartment, Pa, modelled, NaN outside",
         p->liver.liver && p->liver.liver->compartments->n_end > 0},
        {"cycle.csv", "wall shear stress over the cycle", p->run.pulsatile},
        {ANY_SERIES, "fields with their times, for ParaView of any version", true},
        {LATER_SERIES, "fields with their times, for ParaView 5.12 and later", p->run.pulsatile},
        {"wall.pvd", "walls of the instants with their times, for ParaView", p->shown.n > 0}};
    for (size_t k = 0; k < sizeof file / sizeof *file; k++)
        if (file[k].there)
            cJSON_AddStringToObject(data, file[k].name, file[k].what);
    return out_folder_json(out, "dataset_description.json", d);
}

static int write_maps(const out_folder *out, const post_work *p) {
#ifdef POST_HAVE_IMAGE
    static const char *const name[VOXEL_MAPS] = {"velocity_left_m_s.nii.gz", "velocity_posterior_m_s.nii.gz",
                                                 "velocity_superior_m_s.nii.gz", "speed_m_s.nii.gz",
                                                 "pressure_pa.nii.gz"};
    /* grid of the maps: the grid of the image, else of the level set, else (for a shape) the box of the lattice */
    const volume *known = p->image.dims[0] > 0 ? &p->image : p->phi.dims[0] > 0 ? &p->phi : NULL;
    const double h[3] = {p->l.spacing_mm, p->l.spacing_mm, p->l.spacing_mm};
    volume grid = {0}, map[VOXEL_MAPS] = {{.value = NULL}};
    int rc;
    TRY(known ? volume_set_geometry(&grid, known->dims, known->spacing_mm, known->origin_mm, known->direction)
              : volume_set_geometry(&grid, p->l.dims, h, p->l.origin_mm, NULL));
    TRY(voxel_maps(&p->s, &p->f, &grid, map));
    for (int k = 0; k < VOXEL_MAPS; k++) {
        char path[FILE_PATH_MAX];
        TRY(out_folder_path(out, name[k], path));
        TRY(image_write(path, &map[k], IMAGE_FLOAT32));
    }
    for (int k = 0; k < VOXEL_MAPS; k++)
        TRY(out_folder_record(out, name[k]));
cleanup:
    for (int k = 0; k < VOXEL_MAPS; k++)
        volume_free(&map[k]);
    return rc;
#else
    (void)out;
    (void)p;
    return fail(ERR_RESOURCE,
                "post: {nifti: true} needs ITK, which this build does not include; remove it from the case");
#endif
}

int exports_write(const out_folder *out, const post_work *p) {
    int rc;
    TRY(write_description(out, p));
    if (p->shown.n > 0)
        TRY(write_pvd(out, p));
    TRY(write_series(out, p, ANY_SERIES));
    if (p->run.pulsatile) {
        TRY(write_series(out, p, LATER_SERIES));
        TRY(write_cycle(out, p));
    }
    if (p->c.post.nifti)
        TRY(write_maps(out, p));
    TRY(liver_flow_write(out, p));
cleanup:
    return rc;
}
