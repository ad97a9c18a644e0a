/* See output_files.h. */
#include "segment/output/output_files.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/image_file/itk_image.h"
#include "common/record/provenance.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/output/qc.h"
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

int output_files_picture(const segmentation *j, const char *path) {
    static const char *const method_words[] = {"level set", "mask", "surface"};
    char title[256], alarm[LEAK_TEXT + 64], line[SUMMARY_LINES][SUMMARY_LINE];
    const char *lines[SUMMARY_LINES];
    snprintf(title, sizeof title, "%s: lumen from %s", j->c.name != NULL ? j->c.name : "case",
             method_words[j->c.segment.method]);
    snprintf(alarm, sizeof alarm, "REFUSED: %.*s", (int)strcspn(j->why, ";"), j->why);
    segment_messages_summary(j, line);
    for (int k = 0; k < SUMMARY_LINES; k++)
        lines[k] = line[k];
    qc_view view = {.image = &j->image,
                    .phi = &j->phi,
                    .n_seed = j->seed_mm != NULL ? j->c.segment.n_seed : 0,
                    .seed_mm = (const double(*)[3])j->seed_mm,
                    .title = title,
                    .n_line = SUMMARY_LINES - (line[SUMMARY_LINES - 1][0] == 0),
                    .line = lines,
                    .alarm = j->why[0] ? alarm : NULL};
    /* a leak is looked at where it is, or from where it started */
    bool placed = j->why[0] && !isnan(j->leak.place_mm[0]);
    const double *centre = j->why[0] && j->seed_mm != NULL ? j->seed_mm[0] : j->measured.centre_mm;
    const level_set_report *r = &j->level_set;
    view.n_pouch = r->n_pouch;
    view.pouch = r->pouch;
    for (int k = view.n_pouch - 1; k >= 0 && !j->why[0]; k--) /* the first that may be an aneurysm is looked at */
        centre = r->pouch[k].narrow ? r->pouch[k].at_mm : centre;
    memcpy(view.centre_mm, placed ? j->leak.place_mm : centre, sizeof view.centre_mm);
    view.alarm_mm = placed ? j->leak.place_mm : NULL;
    view.seeds = j->c.segment.method == METHOD_LEVEL_SET ? &j->level_set.seeds : NULL;
    struct qc_opening *openings = picture_openings(j);
    view.n_opening = openings != NULL ? j->n_placed : 0;
    view.opening = openings;
    const int rc = qc_write(path, &view);
    free(openings);
    return rc;
}

/* 1 where the centre of a voxel is in the lumen; the voxels are those of the mask, else the image, else phi. */
static int write_lumen(const segmentation *j, const char *path) {
    volume lumen = {0};
    const volume *reference = j->mask.value != NULL ? &j->mask : (j->image.value != NULL ? &j->whole : NULL);
    grid_box box;
    int rc = volume_create_like(&lumen, reference != NULL ? reference : &j->phi);
    grid_box_of(&lumen, &j->phi, &box);
#pragma omp parallel for schedule(static)
    for (int k = box.low[2]; k <= (rc == OK ? box.high[2] : -1); k++)
        for (int y = box.low[1]; y <= box.high[1]; y++)
            for (int x = box.low[0]; x <= box.high[0]; x++) {
                double p[3];
                volume_to_lps(&lumen, (const double[3]){x, y, k}, p);
                bool in = volume_contains(&j->phi, p) && volume_sample(&j->phi, p) < 0;
                lumen.value[volume_index(&lumen, x, y, k)] = in;
            }
    if (rc == OK)
        rc = image_write(path, &lumen, IMAGE_UINT8);
    volume_free(&lumen);
    return rc;
}

/* Each file on a thread of its own: most of every one runs on one thread or waits for the disk. */
typedef struct {
    const segmentation *job;
    const char *path;
    int (*write)(const segmentation *job, const char *path);
    int threads, rc;
    bool beside; /* on a thread, not joined yet */
    pthread_t thread;
} writer;

static int write_phi(const segmentation *j, const char *path) {
    return image_write(path, &j->phi, IMAGE_FLOAT32);
}

static int write_stl(const segmentation *j, const char *path) {
    return surface_write(path, &j->wall, 0, NULL);
}

static void *write_one(void *data) {
    writer *w = data;
#ifdef _OPENMP
    omp_set_num_threads(w->threads); /* a new thread's own */
#endif
    w->rc = w->write(w->job, w->path);
    return NULL;
}

/* All files but the record. */
static int write_files(const segmentation *j, char *const path[OUTPUT_FILES]) {
    static int (*const write[OUTPUT_JSON])(const segmentation *,
                                           const char *) = {[OUTPUT_LUMEN] = write_lumen,
                                                            [OUTPUT_PHI] = write_phi,
                                                            [OUTPUT_STL] = write_stl,
                                                            [OUTPUT_PICTURE] = output_files_picture};
    writer all[OUTPUT_JSON];
    int rc = OK, threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    for (int k = OUTPUT_JSON - 1; k >= 0; k--) { /* the picture first, it takes longest; one of them here */
        all[k] = (writer){.job = j, .path = path[k], .write = write[k], .threads = threads};
        all[k].beside = k > 0 && pthread_create(&all[k].thread, NULL, write_one, &all[k]) == 0;
        if (!all[k].beside)
            write_one(&all[k]);
    }
    for (int k = 0; k < OUTPUT_JSON; k++) {
        if (all[k].beside)
            pthread_join(all[k].thread, NULL);
        rc = rc == OK ? all[k].rc : rc;
    }
    return rc != OK && status_code() != OK ? status_code() : rc; /* several failed: the sentence is that of the first */
}

int output_files_write(segmentation *j, char *const path[OUTPUT_FILES], cJSON *json) {
    int rc = OK;
    file_together();
    TRY(write_files(j, path));
    for (int k = 0; k < OUTPUT_JSON; k++)
        TRY(provenance_output(json, j->c.folder, path[k]));
    steps_end(&j->steps, "pictures and files");
    cJSON *result = segment_json(j);
    if (result == NULL || !cJSON_AddItemToObject(json, "result", result)) {
        rc = fail_memory("segment.json", 1);
        goto cleanup;
    }
    TRY(provenance_write(json, path[OUTPUT_JSON]));
cleanup:
    return file_apart(rc);
}
