/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/output/output_files.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/image_file/itk_image.h"
#include "common/record/provenance.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/ends/cross_section_normal.h"
#include "segment/output/qc_picture.h"
#include "segment/output/segment_json.h"
#include "segment/voxel/grid.h"
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const output_files_name[OUTPUT_FILES] = {"lumen.nii.gz", "phi.nii.gz", "lumen.stl", "qc.png",
                                                     "segment.json"};

/* List the openings [n_placed] for the picture. Caller frees; NULL: no openings or out of memory. */
static struct qc_opening *picture_openings(const segmentation *s) {
    const int n = s->given.n_placed;
    struct qc_opening *list = n > 0 ? calloc((size_t)n, sizeof *list) : NULL;
    for (int k = 0; k < n && list != NULL; k++) {
        list[k].name = s->c.opening[k].name;
        memcpy(list[k].point_mm, s->given.opening_mm[k], sizeof list[k].point_mm);
        memcpy(list[k].normal, s->given.opening_normal[k], sizeof list[k].normal);
    }
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < n; k++) /* an automatic normal is computed here; without a vessel it stays NAN */
        if (list != NULL && isnan(list[k].normal[0]) &&
            !cross_section_normal(&s->lumen.phi, list[k].point_mm, list[k].normal))
            list[k].normal[0] = NAN;
    return list;
}

int output_files_write_picture(const segmentation *s, const char *path) {
    static const char *const method_words[] = {"level set", "mask", "surface", "treatment"};
    char title[256], alarm[LEAK_TEXT + 64], line[SUMMARY_LINES][SUMMARY_LINE];
    const char *lines[SUMMARY_LINES];
    snprintf(title, sizeof title, "%s: lumen from %s", s->c.name != NULL ? s->c.name : "case",
             method_words[s->c.segment.method]);
    snprintf(alarm, sizeof alarm, "REFUSED: %.*s", (int)strcspn(s->found.refused, ";"), s->found.refused);
    segmentation_summary(s, line);
    for (int k = 0; k < SUMMARY_LINES; k++)
        lines[k] = line[k];
    qc_view view = {.image = &s->given.image,
                    .phi = &s->lumen.phi,
                    .n_seed = s->given.seed_mm != NULL ? s->c.segment.n_seed : 0,
                    .seed_mm = (const double(*)[3])s->given.seed_mm,
                    .title = title,
                    .n_line = SUMMARY_LINES - (line[SUMMARY_LINES - 1][0] == 0),
                    .line = lines,
                    .alarm = s->found.refused[0] ? alarm : NULL};
    /* the planes pass through the leak or, if the place of the leak is unknown, through the first seed */
    bool placed = s->found.refused[0] && !isnan(s->found.leak.place_mm[0]);
    const double *centre =
        s->found.refused[0] && s->given.seed_mm != NULL ? s->given.seed_mm[0] : s->lumen.measured.centre_mm;
    const level_set_report *r = &s->level_set;
    view.n_pouch = r->n_pouch;
    view.pouch = r->pouch;
    view.losses = &s->found.losses;
    view.gaps = &s->found.gaps;
    if (s->found.losses.n > 0 && !s->found.refused[0])
        centre = s->found.losses.found[0].point_mm;
    if (s->found.gaps.n > 0 && !s->found.refused[0])
        centre = s->found.gaps.found[0].point_mm;
    /* the planes pass through the first structure that may be an aneurysm, else through the first loss of signal */
    for (int k = view.n_pouch - 1; k >= 0 && !s->found.refused[0]; k--)
        centre = r->pouch[k].narrow ? r->pouch[k].at_mm : centre;
    memcpy(view.centre_mm, placed ? s->found.leak.place_mm : centre, sizeof view.centre_mm);
    view.alarm_mm = placed ? s->found.leak.place_mm : NULL;
    view.seeds = s->c.segment.method == METHOD_LEVEL_SET ? &s->level_set.seeds : NULL;
    struct qc_opening *openings = picture_openings(s);
    view.n_opening = openings != NULL ? s->given.n_placed : 0;
    view.opening = openings;
    const int rc = qc_write(path, &view);
    free(openings);
    return rc;
}

/* Writes 1 for each voxel whose centre is in the lumen. The voxel grid comes from the mask; without a mask from the
 * image; otherwise from phi. */
static int write_lumen(const segmentation *s, const char *path) {
    volume lumen = {0};
    const volume *reference =
        s->given.mask.value != NULL ? &s->given.mask : (s->given.image.value != NULL ? &s->given.whole : NULL);
    grid_box box;
    int rc = volume_create_like(&lumen, reference != NULL ? reference : &s->lumen.phi);
    grid_box_overlap(&lumen, &s->lumen.phi, &box);
#pragma omp parallel for schedule(static)
    for (int k = box.low[2]; k <= (rc == OK ? box.high[2] : -1); k++)
        for (int y = box.low[1]; y <= box.high[1]; y++)
            for (int x = box.low[0]; x <= box.high[0]; x++) {
                double p[3];
                volume_to_lps(&lumen, (const double[3]){x, y, k}, p);
                bool in = volume_contains(&s->lumen.phi, p) && volume_sample(&s->lumen.phi, p) < 0;
                lumen.value[volume_index(&lumen, x, y, k)] = in;
            }
    if (rc == OK)
        rc = image_write(path, &lumen, IMAGE_UINT8);
    volume_free(&lumen);
    return rc;
}

/* One writer for each file, in its own thread, because writers spend their time in serial code and on the disk. */
typedef struct {
    const segmentation *s;
    const char *path;
    int (*write)(const segmentation *s, const char *path);
    int threads, rc;
    bool in_thread; /* true: the writer runs in a thread that is not joined yet */
    pthread_t thread;
} writer;

static int write_phi(const segmentation *s, const char *path) {
    return image_write(path, &s->lumen.phi, IMAGE_FLOAT32);
}

static int write_stl(const segmentation *s, const char *path) {
    return surface_write(path, &s->lumen.wall, 0, NULL);
}

static void *run_writer(void *data) {
    writer *w = data;
#ifdef _OPENMP
    omp_set_num_threads(w->threads); /* set again, since OpenMP settings belong to a thread */
#endif
    w->rc = w->write(w->s, w->path);
    return NULL;
}

/* Write all files except segment.json. */
static int write_files(const segmentation *s, char *const path[OUTPUT_FILES]) {
    static int (*const write[OUTPUT_JSON])(const segmentation *,
                                           const char *) = {[OUTPUT_LUMEN] = write_lumen,
                                                            [OUTPUT_PHI] = write_phi,
                                                            [OUTPUT_STL] = write_stl,
                                                            [OUTPUT_PICTURE] = output_files_write_picture};
    writer all[OUTPUT_JSON];
    int rc = OK, threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    /* qc.png starts first, because it takes longest; this thread writes the last file */
    for (int k = OUTPUT_JSON - 1; k >= 0; k--) {
        all[k] = (writer){.s = s, .path = path[k], .write = write[k], .threads = threads};
        all[k].in_thread = k > 0 && pthread_create(&all[k].thread, NULL, run_writer, &all[k]) == 0;
        if (!all[k].in_thread)
            run_writer(&all[k]);
    }
    for (int k = 0; k < OUTPUT_JSON; k++) {
        if (all[k].in_thread)
            pthread_join(all[k].thread, NULL);
        rc = rc == OK ? all[k].rc : rc;
    }
    /* if several writers failed, return the code that belongs to the recorded message */
    return rc != OK && status_code() != OK ? status_code() : rc;
}

int output_files_write(segmentation *s, char *const path[OUTPUT_FILES], cJSON *json) {
    int rc = OK;
    file_group_begin();
    TRY(write_files(s, path));
    for (int k = 0; k < OUTPUT_JSON; k++)
        TRY(provenance_add_output(json, s->c.folder, path[k]));
    steps_end(&s->steps, "pictures and files");
    cJSON *result = segment_json(s);
    if (result == NULL || !cJSON_AddItemToObject(json, "result", result)) {
        rc = fail_memory("segment.json", 1);
        goto cleanup;
    }
    TRY(provenance_write(json, path[OUTPUT_JSON]));
cleanup:
    return file_group_end(rc);
}
