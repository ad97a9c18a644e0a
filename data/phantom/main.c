/* SPDX-License-Identifier: Apache-2.0 */
/* phantom: synthetic patients with a known truth. */
#include "common/base/file.h"
#include "common/image_file/itk_image.h"
#include "common/base/message.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "data/phantom/eye.h"
#include "data/phantom/phantom_patient.h"
#include "data/phantom/scan.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static int kind;
static const char *out, *spacing;
static double scale = 1, margin = NAN, turn, blur = 1, bias = NAN, snr = NAN, cells;
static int seed = 1, scanner_index = -1;
static int blood = VISCOSITY_NEWTONIAN;
static bool dark, pulsatile, keep_case, no_truth, exact;

static const options_entry table[] = {
    {"kind", 'k', OPTION_CHOICE, &kind,
     "portal|hepatic-portal|tube|curved|stenosis|carotid|shang-pipe|shang-portal-1|shang-portal-2|shang-portal-3|"
     "random|eye",
     "vessels to draw; eye: the chambers of an eye as a label image, with a case of natural convection",
     .required = true},
    {"out", 'o', OPTION_TEXT, &out, "DIR", "folder of the patient", .required = true},
    {"spacing", 0, OPTION_TEXT, &spacing, "MM",
     "voxel size in mm, one number or three as 1x1x1.5 (default: 1x1x1.5; with --scanner its voxel size; with --kind "
     "random a sixth of the smallest opening's diameter)",
     .required = false},
    {"scanner", 's', OPTION_CHOICE, &scanner_index, "ct-portal|mr-t2|mr-ssfp|mr-dixon",
     "kind portal: a random patient (by --seed) as seen by this scanner, with organs that touch the vein; not with "
     "--snr, --dark",
     .required = false},
    {"snr", 0, OPTION_REAL, &snr, "X", "signal of blood over standard deviation of the noise, 0: no noise (default 20)",
     .low = 0, .high = 1e6},
    {"bias", 0, OPTION_REAL, &bias, "X",
     "coil sensitivity from exp(-X) to exp(X) (default: 0.2; with --scanner its value)", .low = 0, .high = 2},
    {"blur", 0, OPTION_REAL, &blur, "X", "point spread, full width at half maximum in voxels (default 1)", .low = 0,
     .high = 10},
    {"dark", 0, OPTION_FLAG, &dark, NULL, "black blood instead of bright blood", .required = false},
    {"rotate", 0, OPTION_REAL, &turn, "DEG", "oblique slices: rotation of the image grid (default 0)", .low = -180,
     .high = 180},
    {"margin", 0, OPTION_REAL, &margin, "MM",
     "distance from the vessels to the image border (default: 18; with --scanner 35)", .low = 0, .high = 200},
    {"scale", 0, OPTION_REAL, &scale, "X", "scale factor of the vessels (default 1)", .low = 0.05, .high = 20},
    {"seed", 0, OPTION_INT, &seed, "N",
     "random seed of the noise and the coil position; with --scanner or kind random also of the vessels. The same "
     "seed gives the same files (default 1)",
     .low = 0, .high = 2e9},
    {"cells", 0, OPTION_REAL, &cells, "N", "cells_per_diameter in case.yaml (default 16)", .low = 4, .high = 200},
    {"pulsatile", 0, OPTION_FLAG, &pulsatile, NULL, "case.yaml with waveforms instead of mean flows",
     .required = false},
    {"blood", 0, OPTION_CHOICE, &blood, VISCOSITY_MODELS,
     "model of blood in case.yaml (default newtonian); unknown: not with --pulsatile", .required = false},
    {"keep-case", 0, OPTION_FLAG, &keep_case, NULL, "do not overwrite case.yaml and flow/ in the folder",
     .required = false},
    {"exact", 0, OPTION_FLAG, &exact, NULL, "no image: case.yaml holds the exact shape (mesh.shape)",
     .required = false},
    {"no-truth", 0, OPTION_FLAG, &no_truth, NULL, "write no truth/ folder", .required = false},
    {0}};

static const options_program program = {
    "phantom", "--kind KIND --out DIR [options]",
    "Writes a synthetic patient: an MR-like image (images/), case.yaml with waveforms (flow/), and the exact truth "
    "(truth/: mask, signed distance in mm, centreline, volume and opening areas).",
    table, "phantom --kind portal --out patient --snr 15 && pipeline run patient"};

enum { KIND_EYE = PHANTOM_KINDS }; /* number of "eye" in the option --kind; follows the kinds of phantom.h */

/* Parse a voxel size, "1.5" or "1x1x1.5". */
static int spacing_parse(const char *text, double mm[3]) {
    char copy[64], *save = NULL;
    int n = 0;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return fail(ERR_USAGE, "--spacing has more than 63 characters; write one number or three as 1x1x1.5");
    for (char *word = strtok_r(copy, "x", &save); word; word = strtok_r(NULL, "x", &save), n++)
        if (n == 3 || units_parse(word, UNIT_NONE, &mm[n]) != OK || !(mm[n] >= 0.05 && mm[n] <= 20)) {
            status_clear();
            return fail(ERR_USAGE, "--spacing '%s' must be one number or three as 1x1x1.5, each from 0.05 to 20 mm",
                        text);
        }
    if (n == 1)
        mm[1] = mm[2] = mm[0];
    else if (n != 3)
        return fail(ERR_USAGE, "--spacing '%s' has %d numbers; write one, or three as 1x1x1.5", text, n);
    return OK;
}

static int write_image_file(const char *folder, const char *name, const volume *v, enum image_type type) {
    char *path = file_join(folder, name);
    int rc = path ? image_write(path, v, type) : fail_memory("a path", 0);
    free(path);
    return rc;
}

static int make_folder(const char *folder, const char *name) {
    char *path = file_join(folder, name);
    int rc = path ? file_create_folder(path) : fail_memory("a path", 0);
    free(path);
    return rc;
}

/* Refuse an existing case.yaml before anything is written. */
static int check_case(void) {
    char *path = file_join(out, "case.yaml");
    int rc = OK;
    if (!path)
        return fail_memory("a path", 0);
    if (!keep_case && file_exists(path))
        rc = fail(ERR_USAGE, "'%s' exists already; give --keep-case to keep it, or another folder", path);
    free(path);
    return rc;
}

static int write_truth(const phantom *p, volume *v) {
    int rc = OK;
    volume mask = {0};
    TRY(make_folder(out, "truth"));
    TRY(volume_create_like(&mask, v));
    scan_phi(p, v);
    scan_mask(v, &mask);
    TRY(write_image_file(out, "truth/phi.nii.gz", v, IMAGE_FLOAT32));
    TRY(write_image_file(out, "truth/mask.nii.gz", &mask, IMAGE_UINT8));
    TRY(patient_write_truth(p, true, out));
cleanup:
    volume_free(&mask);
    return rc;
}

static int write_image(const phantom *p, const scan_settings *settings, const char *name) {
    int rc = OK;
    volume v = {0};
    TRY(scan_grid(p, settings, &v));
    message_info("image of %d x %d x %d voxels, %g x %g x %g mm", v.dims[0], v.dims[1], v.dims[2], v.spacing_mm[0],
                 v.spacing_mm[1], v.spacing_mm[2]);
    TRY(make_folder(out, "images"));
    TRY(scan_image(p, settings, &v));
    TRY(write_image_file(out, name, &v, IMAGE_FLOAT32));
    if (!no_truth)
        TRY(write_truth(p, &v));
cleanup:
    volume_free(&v);
    return rc;
}

/* Write truth/case.yaml: the same flow through the exact shape, so `pipeline run DIR/truth` needs no image. */
static int write_exact_case(const phantom *p) {
    const patient_settings settings = {NULL, cells, pulsatile, blood};
    char *truth = file_join(out, "truth");
    int rc = truth ? OK : fail_memory("a path", 0);
    TRY(rc);
    TRY(patient_write_flow(p, truth));
    TRY(patient_write_case(p, &settings, truth));
cleanup:
    free(truth);
    return rc;
}

static int write_patient(const phantom *p, const scan_settings *settings) {
    int rc = OK;
    char image[64];
    snprintf(image, sizeof image, "images/%s.nii.gz", phantom_name(p->kind));
    const patient_settings patient = {exact ? NULL : image, cells, pulsatile, blood};
    TRY(check_case());
    TRY(file_create_folder(out));
    if (!exact)
        TRY(write_image(p, settings, image));
    else if (!no_truth)
        TRY(patient_write_truth(p, false, out));
    if (!keep_case) {
        TRY(patient_write_flow(p, out));
        TRY(patient_write_case(p, &patient, out));
    }
    if (!keep_case && !exact && !no_truth)
        TRY(write_exact_case(p));
    message_info("wrote '%s' to '%s'", phantom_name(p->kind), out);
cleanup:
    return rc;
}

static int write_eye(void) {
    double spacing_mm[3] = {0.1, 0.1, 0.1};
    volume v = {0};
    char *truth = file_join(out, "truth");
    int rc = truth ? OK : fail_memory("a path", 0);
    TRY(rc);
    if (scanner_index >= 0 || !isnan(snr) || dark || turn != 0 || pulsatile || scale != 1 ||
        blood != VISCOSITY_NEWTONIAN)
        GIVE_UP(fail(ERR_USAGE, "--kind eye takes --spacing, --cells, --exact, --keep-case and --no-truth only"));
    if (spacing)
        TRY(spacing_parse(spacing, spacing_mm));
    TRY(check_case());
    TRY(file_create_folder(out));
    if (!exact) {
        TRY(make_folder(out, "images"));
        TRY(eye_labels(spacing_mm, &v));
        TRY(write_image_file(out, "images/eye.nii.gz", &v, IMAGE_UINT8));
    }
    if (!keep_case)
        TRY(eye_write_case(out, exact ? NULL : "images/eye.nii.gz", cells));
    if (!keep_case && !exact && !no_truth)
        TRY(eye_write_case(truth, NULL, cells));
    message_info("wrote 'eye' to '%s'", out);
cleanup:
    volume_free(&v);
    free(truth);
    return rc;
}

/* Read the settings from the options; defaults come from the scanner if one is given. */
static int read_settings(scan_settings *settings) {
    const scanner *s = scanner_get(scanner_index);
    if (s && (kind != PHANTOM_PORTAL || exact))
        return fail(ERR_USAGE, "--scanner %s applies to --kind portal with an image only", s->name);
    if (s && (!isnan(snr) || dark))
        return fail(ERR_USAGE, "--scanner %s has its own noise and blood; remove --snr and --dark", s->name);
    *settings = (scan_settings){.margin_mm = isnan(margin) ? (s ? 35 : 18) : margin,
                                .rotate_deg = turn,
                                .blur = blur,
                                .bias = isnan(bias) ? (s ? s->bias : 0.2) : bias,
                                .snr = isnan(snr) ? 20 : snr,
                                .dark = dark,
                                .seed = (uint64_t)seed,
                                .scanner = s};
    if (!s || spacing)
        return spacing_parse(spacing ? spacing : "1x1x1.5", settings->spacing_mm);
    memcpy(settings->spacing_mm, s->spacing_mm, sizeof settings->spacing_mm);
    return OK;
}

/* Choose the default spacing for a random patient, whose vessels may have any size: a sixth of the smallest opening's
 * diameter. */
static void adapt_to_random_patient(const phantom *p, scan_settings *settings) {
    double narrowest = INFINITY;
    for (int i = 0; i < p->n_opening; i++)
        narrowest = fmin(narrowest, p->opening[i].radius_mm);
    if (p->kind != PHANTOM_RANDOM)
        return;
    for (int k = 0; k < 3 && !spacing; k++)
        settings->spacing_mm[k] = fmax(0.05, floor(100 * narrowest / 3) / 100);
    if (isnan(margin))
        settings->margin_mm = 12 * settings->spacing_mm[0];
}

int main(int argc, char **argv) {
    static phantom p;
    int rc = OK;
    bool done = false;
    scan_settings settings = {0};
    TRY(options_parse(&program, argc, argv, NULL, 0, NULL, &done));
    if (done)
        goto cleanup;
    message_init("phantom", options_verbose());
#ifdef _OPENMP
    omp_set_num_threads(options_threads());
#endif
    if (pulsatile && blood == VISCOSITY_UNKNOWN)
        GIVE_UP(fail(ERR_USAGE, "--blood unknown is for steady flow only; remove --pulsatile or name a model"));
    if (kind == KIND_EYE) {
        rc = write_eye();
        goto cleanup;
    }
    TRY(read_settings(&settings));
    if (settings.scanner)
        TRY(abdomen_patient(settings.seed, scale, &p));
    else
        TRY(phantom_make_seeded(kind, settings.seed, scale, &p));
    adapt_to_random_patient(&p, &settings);
    TRY(write_patient(&p, &settings));
cleanup:
    return status_finish("phantom", rc);
}
