/* See post.h: the results for other tools: maps on the image's grid, series with times, curves, a description. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/cli/version.h"
#include "common/record/json.h"
#include "post/post.h"
#include "post/voxel_maps.h"
#ifdef POST_HAVE_IMAGE
#include "common/image_file/itk_image.h"
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *out_path(const post_options *o, const char *name) {
    return file_join(o->out, name);
}

static int write_text(const post_options *o, const char *name, FILE *from, char **text, const size_t *n) {
    char *path = out_path(o, name);
    int rc = fclose(from) == 0 && path ? OK : fail_memory(name, (double)*n);
    if (rc == OK)
        rc = file_write(path, *text, *n);
    free(path);
    free(*text);
    *text = NULL;
    return rc;
}

/* wall_NNNN.vtp of the instants with their times, for ParaView. */
static int write_pvd(const post_options *o, const post_work *p) {
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (!to)
        return fail_memory("wall.pvd", 4096);
    fprintf(to, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n");
    for (int k = 0; k < p->shown.n; k++)
        fprintf(to, "    <DataSet timestep=\"%.9g\" file=\"wall_%04d.vtp\"/>\n", p->shown.one[k].time_s,
                p->shown.one[k].stored);
    fprintf(to, "  </Collection>\n</VTKFile>\n");
    return write_text(o, "wall.pvd", to, &text, &n);
}

/* ParaView knows VTKHDF by the ending .hdf up to 5.11, by .vtkhdf as well later; the name of the list counts, not that
 * of the fields in it. */
static const char *const ANY_SERIES = "fields.hdf.series", *const LATER_SERIES = "fields.vtkhdf.series";

static void add_field(cJSON *files, const char *file, double time_s) {
    char name[SOLUTION_FILE + 16];
    cJSON *one = cJSON_CreateObject();
    snprintf(name, sizeof name, "../solve/%s", file);
    cJSON_AddStringToObject(one, "name", name);
    json_number(one, "time", time_s);
    cJSON_AddItemToArray(files, one);
}

/* The fields, with their times where there are several, as ParaView reads a series. */
static int write_series(const post_options *o, const post_work *p, const char *file) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file-series-version", "1.0");
    cJSON *files = cJSON_AddArrayToObject(object, "files");
    for (int k = 0; k < p->run.n_instant; k++)
        add_field(files, p->run.instant[k].file, p->run.instant[k].time_s);
    if (p->run.n_instant == 0)
        add_field(files, p->run.mean_file, 0);
    char *path = out_path(o, file);
    const int rc = path && object ? json_write(path, object) : fail_memory(file, 4096);
    free(path);
    cJSON_Delete(object);
    return rc;
}

/* What the report draws over the cycle. */
static int write_cycle(const post_options *o, const post_work *p) {
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (!to)
        return fail_memory("cycle.csv", 4096);
    fprintf(to, "time_s,wss_mean_pa,wss_p99_pa,wss_max_pa\n");
    for (int k = 0; k < p->run.n_instant && p->instant; k++)
        fprintf(to, "%.9g,%.6g,%.6g,%.6g\n", p->run.instant[k].time_s, p->instant[k].mean, p->instant[k].p99,
                p->instant[k].max);
    return write_text(o, "cycle.csv", to, &text, &n);
}

/* In the manner of BIDS derivatives; nothing of it tells of a patient. */
static int write_description(const post_options *o, const post_work *p) {
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
    } file[] = {{"readouts.json", "readouts with units", true},
                {"wall.vtp", "wall with shear stress (Pa) and pressure (Pa)", true},
                {"profiles.csv", "means along the vessel", true},
                {"report.html", "the report", true},
                {"speed_m_s.nii.gz", "speed, m/s, 0 outside the lumen", p->c.post.nifti},
                {"velocity_left_m_s.nii.gz", "velocity to the patient's left, m/s", p->c.post.nifti},
                {"velocity_posterior_m_s.nii.gz", "velocity to the back, m/s", p->c.post.nifti},
                {"velocity_superior_m_s.nii.gz", "velocity to the head, m/s", p->c.post.nifti},
                {"pressure_pa.nii.gz", "static pressure, Pa, NaN outside the lumen", p->c.post.nifti},
                {"cycle.csv", "wall shear stress over the cycle", p->run.pulsatile},
                {ANY_SERIES, "fields with their times, for ParaView of any version", true},
                {LATER_SERIES, "the same, for ParaView 5.12 and later", p->run.pulsatile},
                {"wall.pvd", "walls of the instants with their times, for ParaView", p->shown.n > 0}};
    for (size_t k = 0; k < sizeof file / sizeof *file; k++)
        if (file[k].there)
            cJSON_AddStringToObject(data, file[k].name, file[k].what);
    char *path = out_path(o, "dataset_description.json");
    const int rc = path && d ? json_write(path, d) : fail_memory("dataset_description.json", 4096);
    free(path);
    cJSON_Delete(d);
    return rc;
}

#ifdef POST_HAVE_IMAGE
static const char *const MAP[VOXEL_MAPS] = {"velocity_left_m_s.nii.gz", "velocity_posterior_m_s.nii.gz",
                                            "velocity_superior_m_s.nii.gz", "speed_m_s.nii.gz", "pressure_pa.nii.gz"};

/* The grid: the image's, that of the distance where the image is not there, the lattice's box for a shape. */
static int find_grid(const post_work *p, volume *grid) {
    const volume *known = p->image.dims[0] > 0 ? &p->image : p->phi.dims[0] > 0 ? &p->phi : NULL;
    const double h[3] = {p->l.spacing_mm, p->l.spacing_mm, p->l.spacing_mm};
    return known ? volume_set_geometry(grid, known->dims, known->spacing_mm, known->origin_mm, known->direction)
                 : volume_set_geometry(grid, p->l.dims, h, p->l.origin_mm, NULL);
}

static int write_maps(const post_options *o, const post_work *p) {
    volume grid = {0}, map[VOXEL_MAPS] = {{.value = NULL}};
    int rc;
    TRY(find_grid(p, &grid));
    TRY(voxel_maps(&p->s, &p->f, &grid, map));
    for (int k = 0; k < VOXEL_MAPS; k++) {
        char *path = out_path(o, MAP[k]);
        rc = path ? image_write(path, &map[k], IMAGE_FLOAT32) : fail_memory("a path", FILE_PATH_MAX);
        free(path);
        if (rc != OK)
            goto cleanup;
    }
cleanup:
    for (int k = 0; k < VOXEL_MAPS; k++)
        volume_free(&map[k]);
    return rc;
}
#else
static int write_maps(const post_options *o, const post_work *p) {
    (void)o;
    (void)p;
    return fail(ERR_RESOURCE, "post: {nifti: true} needs ITK, which this build is without; remove it from the case");
}
#endif

int post_exports_write(const post_options *o, const post_work *p, int (*record)(void *data, const char *name),
                       void *data) {
    int rc;
    TRY(write_description(o, p));
    TRY(record(data, "dataset_description.json"));
    if (p->shown.n > 0) {
        TRY(write_pvd(o, p));
        TRY(record(data, "wall.pvd"));
    }
    TRY(write_series(o, p, ANY_SERIES));
    TRY(record(data, ANY_SERIES));
    if (p->run.pulsatile) {
        TRY(write_series(o, p, LATER_SERIES));
        TRY(record(data, LATER_SERIES));
        TRY(write_cycle(o, p));
        TRY(record(data, "cycle.csv"));
    }
    if (p->c.post.nifti) {
        TRY(write_maps(o, p));
#ifdef POST_HAVE_IMAGE
        for (int k = 0; k < VOXEL_MAPS; k++)
            TRY(record(data, MAP[k]));
#endif
    }
cleanup:
    return rc;
}
