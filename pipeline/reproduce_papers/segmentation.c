/* SPDX-License-Identifier: Apache-2.0 */
/* wang2015:segmentation. The paper segments its carotid artery (CT angiography, 0.4 x 0.4 x 0.45 mm) by a lattice
 * Boltzmann solution of a level set equation. Ours: a phantom carotid in an image of that resolution, level set from
 * one seed per branch without openings, compared with the exact wall; also ITK's filters, and the vessel bounded by its
 * openings. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/image_file/itk_image.h"
#include "common/record/json.h"
#include "pipeline/reproduce/draw.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/run/process.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double voxel_mm[2] = {0.4, 0.45}; /* Voxel size within a slice and between slices, as in the paper */
/* Half length of the compared part; the openings are 35 mm above and below */
static const double end_mm = 33;

typedef struct {
    const char *name, *what;
    const char *file, *engine, *device; /* device NULL: no option --device */
    bool ran;
    double dice, mean_mm, far_mm, shift_mm, volume; /* volume: excess over the true volume, percent */
    double denoising_s, front_s, total_s;
    volume phi;
} way;

/* ---------------------------------------------------------------------------------------------- phantom */

/* Draws the patient: its image, and case.yaml with openings. Copies our case without openings to free.yaml in the same
 * folder. */
static int draw(const study_context *x, double snr, const char *folder) {
    results *r = x->page;
    const double wide = voxel_mm[0] / x->scale, high = voxel_mm[1] / x->scale;
    const char *option[] = {"--kind",    "carotid",
                            "--spacing", results_format(r, "%gx%gx%g", wide, wide, high),
                            "--snr",     results_format(r, "%g", snr),
                            NULL};
    char *text = NULL;
    int rc = OK;
    TRY(file_create_folder(folder));
    draw_patient(x, folder, option);
    TRY(r->error);
    TRY(file_read(study_path(x, "case.yaml"), 1000000, &text, NULL));
    TRY(file_write(results_format(r, "%s/free.yaml", folder), text, strlen(text)));
cleanup:
    free(text);
    return rc;
}

/* ---------------------------------------------------------------------------------------------- truth */

static bool inside(const volume *v, const double at[3]) {
    return volume_contains(v, at) && volume_sample(v, at) < 0;
}

/* Compares phi with the truth: volumes by counting voxels of the truth; distances at the voxels next to the wall, where
 * the truth is exact. */
static void compare(const volume *truth, way *w) {
    double both = 0, ours = 0, theirs = 0, n = 0, at[3];
    const double near = 0.75 * truth->spacing_mm[0];
    for (int k = 0; k < truth->dims[2]; k++)
        for (int j = 0; j < truth->dims[1]; j++)
            for (int i = 0; i < truth->dims[0]; i++) {
                const double exact = (double)truth->value[volume_index(truth, i, j, k)];
                volume_to_lps(truth, (const double[3]){i, j, k}, at);
                if (fabs(at[2]) >= end_mm)
                    continue;
                const bool o = inside(&w->phi, at);
                both += exact < 0 && o, ours += o, theirs += exact < 0;
                if (fabs(exact) > near)
                    continue;
                const double off = volume_sample(&w->phi, at) - exact;
                n++;
                w->shift_mm -= off;
                w->mean_mm += fabs(off);
                w->far_mm = fmax(w->far_mm, fabs(off));
            }
    w->dice = 2 * both / (ours + theirs);
    w->volume = 100 * (ours / theirs - 1);
    w->shift_mm /= n;
    w->mean_mm /= n;
}

/* Mean difference of phi between a and b, near the wall of a. */
static double difference(const way *a, const way *b) {
    double sum = 0, n = 0, at[3];
    const double near = 0.5 * fmin(a->phi.spacing_mm[0], a->phi.spacing_mm[2]);
    for (int k = 0; k < a->phi.dims[2]; k++)
        for (int j = 0; j < a->phi.dims[1]; j++)
            for (int i = 0; i < a->phi.dims[0]; i++) {
                const double phi = (double)a->phi.value[volume_index(&a->phi, i, j, k)];
                volume_to_lps(&a->phi, (const double[3]){i, j, k}, at);
                if (fabs(phi) > near || fabs(at[2]) >= end_mm || !volume_contains(&b->phi, at))
                    continue;
                sum += fabs(phi - volume_sample(&b->phi, at));
                n++;
            }
    return sum / n;
}

/* ---------------------------------------------------------------------------------------------- runs */

static int read_times(const char *path, way *w) {
    cJSON *json = NULL;
    const int rc = json_read(path, &json);
    const cJSON *step, *steps = json_find(json, "result/steps_s");
    w->total_s = 0;
    cJSON_ArrayForEach(step, steps) {
        w->total_s += step->valuedouble;
    }
    w->denoising_s = json_get_number(steps, "denoising");
    w->front_s = json_get_number(steps, "front");
    cJSON_Delete(json);
    return rc;
}

static int run_way(const study_context *x, const char *folder, const volume *truth, way *w) {
    results *page = x->page;
    const char *out = results_format(page, "%s/%s", folder, w->name);
    const char *argument[16] = {"--case", results_format(page, "%s/%s.yaml", folder, w->file), "--out", out,
                                "--set",  results_format(page, "segment.engine=%s", w->engine)};
    process_result r;
    int rc = OK, n = 6;
    if (x->run->threads > 0) {
        argument[n++] = "--threads";
        argument[n++] = results_format(page, "%d", x->run->threads);
    }
    if (w->device != NULL) {
        argument[n++] = "--device";
        argument[n++] = w->device;
    }
    TRY(process_run_program("segment", argument, &r));
    w->ran = r.exit_code == OK;
    if (r.exit_code == ERR_RESOURCE && w->device != NULL && strcmp(w->device, "cuda") == 0)
        goto cleanup; /* without a GPU the table says that there is none */
    TRY(process_check("segment", &r));
    TRY(read_times(results_format(page, "%s/segment.json", out), w));
    TRY(image_read(results_format(page, "%s/phi.nii.gz", out), NULL, &w->phi));
    compare(truth, w);
cleanup:
    return rc;
}

static void row(results *r, double snr, double voxel, const way *w) {
    if (!w->ran)
        results_row(r, "%g|%s|%s|no GPU here|-|-|-|-|-|-|-", snr, w->what, w->device);
    else
        results_row(r, "%g|%s|%s|%.4f|%+.1f|%.3f|%.3f|%+.3f|%.3f|%.2f|%.2f", snr, w->what,
                    strcmp(w->engine, "itk") == 0 ? "cpu" : (w->device ? w->device : "auto"), w->dice, w->volume,
                    w->mean_mm / voxel, w->mean_mm, w->shift_mm, w->far_mm,
                    isnan(w->front_s) ? w->denoising_s : w->denoising_s + w->front_s, w->total_s);
}

static int compute_study(const study_context *x, double snr, double voxel, results *r, double worst[3]) {
    way ways[] = {{"lbm", "front from the seeds, lattice Boltzmann", "free", "lbm", "cpu"},
                  {"lbm-cuda", "front from the seeds, lattice Boltzmann", "free", "lbm", "cuda"},
                  {"itk", "front from the seeds, ITK's filters", "free", "itk", NULL},
                  {"openings", "between seeds and openings", "case", "lbm", "cpu"}};
    enum { WAYS = sizeof ways / sizeof *ways };
    const char *folder = results_format(r, "%s/snr-%g", x->work, snr);
    volume truth = {0};
    int rc = OK;
    TRY(draw(x, snr, folder));
    TRY(image_read(results_format(r, "%s/truth/phi.nii.gz", folder), NULL, &truth));
    for (int k = 0; k < WAYS; k++) {
        TRY(run_way(x, folder, &truth, &ways[k]));
        row(r, snr, voxel, &ways[k]);
        if (!ways[k].ran)
            continue;
        worst[0] = fmin(worst[0], ways[k].dice);
        worst[1] = fmax(worst[1], ways[k].mean_mm / voxel);
    }
    worst[2] = fmax(worst[2], difference(&ways[0], &ways[2]) / voxel);
cleanup:
    for (int k = 0; k < WAYS; k++)
        volume_free(&ways[k].phi);
    volume_free(&truth);
    return rc;
}

int study_segmentation(const study_context *x, results *r) {
    const double snr[] = {8, 20}, voxel = voxel_mm[0] / x->scale;
    double worst[3] = {1, 0, 0};
    int rc = OK;
    results_text(r, "The paper (section 3) segments a carotid artery from CT angiography (0.4 x 0.4 x 0.45 mm) by a "
                    "lattice Boltzmann level set, without accuracy or time.");
    results_text(
        r,
        "Ours: `phantom --kind carotid`, voxels of %.3g x %.3g x %.3g mm, Rician noise, one seed in each branch, "
        "default settings; denoising and level set on a D3Q7 lattice (`segment/LEVEL_SET.md`). Compared with the exact "
        "distance to the wall at the voxels next to it, up to 33 mm above and below the bifurcation.",
        voxel, voxel, voxel_mm[1] / x->scale);
    results_table(r, "errors",
                  "SNR|method|device|Dice|volume (%)|mean distance (voxel)|mean distance (mm)|outwards "
                  "(mm)|farthest (mm)|denoising and front (s)|all of segment (s)");
    for (int k = 0; k < (x->scale < 1 ? 1 : 2); k++) /* a scale below 1 is for tests: only the first run */
        TRY(compute_study(x, snr[k], voxel, r, worst));
    results_text(r, "Times are wall clock, including other load; between seeds and openings there is no level set.");
    results_at_least(r, "Dice, smallest of all runs", worst[0], 0.93);
    results_at_most(r, "mean distance to the exact wall (voxels), largest of all runs", worst[1], 0.25);
    results_at_most(r, "lattice Boltzmann against ITK's geodesic contour: mean difference of phi at the wall (voxels)",
                    worst[2], 0.1);
cleanup:
    return rc;
}
