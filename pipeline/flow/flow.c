/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/flow/flow.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/waveform/waveform.h"
#include "common/image_file/itk_image.h"
#include "pipeline/flow/flow_input.h"
#include "pipeline/flow/flow_picture.h"
#include "pipeline/flow/flow_uncertainty.h"
#include "pipeline/flow/peak_velocity.h"
#include "pipeline/flow/phase_contrast.h"
#include "pipeline/run/process.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Noise of a pixel, as a fraction of the highest velocity, above which a warning is given. At this noise a steady
 * parabolic flow of 109 pixels and 20 instants appears 1.2 times as fast. */
static const double NOISY_PEAK = 0.2;
/* The highest velocity is undecided if the pixels that wrap at venc raise it by more than this fraction */
static const double OPEN_PEAK = 0.1;

typedef struct {
    flow_input in;
    phase_contrast p;
    phase_background background;
    phase_unwrapped unwrapped;
    double *flow_ml_s, *mean_m_s, *peak_m_s; /* [nt] at each instant: flow, mean velocity, peak velocity */
    double mean_ml_s;                        /* mean of the waveform over the cycle */
    flow_uncertainty uncertainty;            /* of mean_ml_s */
    double highest_m_s;                      /* highest velocity of the cycle */
    peak_velocity_doubt doubt;               /* why highest_m_s may be wrong */
    int n_noise;                             /* number of pixels of the region that are noise */
    double noise_m_s;                        /* standard deviation of a pixel of blood */
    bool reversed;                           /* true: the flow was negative, so its sign was reversed */
} flow_job;

/* Converts phases to velocities. */
static int phases_to_velocities(flow_job *j) {
    const flow_input *in = &j->in;
    const size_t n = volume_size(&in->phase), nt = (size_t)in->nt;
    j->p = (phase_contrast){.nx = in->phase.dims[0],
                            .ny = in->phase.dims[1],
                            .nt = in->nt,
                            .venc_m_s = in->venc_m_s,
                            .pixel_mm2 = in->phase.spacing_mm[0] * in->phase.spacing_mm[1],
                            .bright = in->magnitude.value,
                            .roi = in->mask};
    j->p.velocity = malloc((n + 1) * sizeof *j->p.velocity);
    j->flow_ml_s = malloc((3 * nt + 1) * sizeof *j->flow_ml_s);
    if (!j->p.velocity || !j->flow_ml_s)
        return fail_memory("the velocities", 8.0 * (double)n);
    j->mean_m_s = j->flow_ml_s + nt;
    j->peak_m_s = j->mean_m_s + nt;
    const double middle = 0.5 * (in->range[0] + in->range[1]), half = 0.5 * (in->range[1] - in->range[0]);
    for (size_t k = 0; k < n; k++)
        j->p.velocity[k] = ((double)in->phase.value[k] - middle) / half * in->venc_m_s;
    return OK;
}

/* Computes the mean of the waveform over the cycle, as `solve` and `post` do. */
static int mean_over_cycle(flow_job *j) {
    waveform w;
    const int rc = waveform_create(&w, j->in.nt, j->in.time_s, j->flow_ml_s, j->in.period_s);
    if (rc == OK) {
        j->mean_ml_s = waveform_mean_m3_s(&w);
        waveform_free(&w);
    }
    return rc;
}

static int compute_flow(flow_job *j) {
    const size_t nt = (size_t)j->in.nt;
    int rc;
    TRY(phase_contrast_background(&j->p, &j->background));
    TRY(phase_contrast_unwrap(&j->p, &j->unwrapped));
    TRY(phase_contrast_measure(&j->p, j->flow_ml_s, j->mean_m_s, j->peak_m_s, &j->n_noise, &j->noise_m_s));
    TRY(peak_velocity_find_doubt(&j->p, &j->doubt));
    for (size_t t = 0; t < nt; t++)
        j->highest_m_s = fmax(j->highest_m_s, fabs(j->peak_m_s[t]));
    TRY(mean_over_cycle(j));
    TRY(flow_uncertainty_measure(&j->p, &j->background, &j->uncertainty));
    j->reversed = j->mean_ml_s < 0;
    for (size_t t = 0; t < 3 * nt && j->reversed; t++)
        j->flow_ml_s[t] = -j->flow_ml_s[t];
    j->mean_ml_s = fabs(j->mean_ml_s);
cleanup:
    return rc;
}

/* True if the highest velocity depends on the pixels that wrap at venc. These may be blood or noise. */
static bool is_peak_open(const flow_job *j) {
    return j->doubt.n_wrapped > 0 && j->highest_m_s > (1 + OPEN_PEAK) * j->doubt.without_wrapped_m_s;
}

/* Upper limit of the fraction of noise pixels in the region. Below it, their random velocities change the flow by less
 * than its interval. */
static const double NOISE_PART = 0.05;

/* Reason for which the flow is unreliable, so that its interval would be too narrow. NULL: it is reliable. */
static const char *find_doubt(const flow_job *j) {
    if (j->unwrapped.doubtful > 0)
        return "aliasing could not be resolved";
    if (j->doubt.opposite)
        return "reverse flow, or aliasing that cannot be resolved";
    const bool noisy = j->n_noise > NOISE_PART * phase_contrast_area_mm2(&j->p) / j->p.pixel_mm2;
    return noisy || is_peak_open(j) ? "the region includes pixels of noise or of unresolved aliasing" : NULL;
}

/* Prints the mean flow with its interval and the parts of the interval. */
static void print_mean(const flow_job *j) {
    const flow_uncertainty *u = &j->uncertainty;
    const char *doubt = find_doubt(j);
    const double whole = doubt ? NAN : u->whole;
    char ml_s[48], l_min[48];
    units_format(j->mean_ml_s, whole, NAN, "mL/s " UNITS_PLUS_MINUS, ml_s, sizeof ml_s);
    units_format(0.06 * j->mean_ml_s, 0.06 * whole, NAN, "L/min " UNITS_PLUS_MINUS, l_min, sizeof l_min);
    if (doubt) {
        printf("%s mL/s (%s L/min) mean over the cycle of %.3g s, no interval: %s\n", ml_s, l_min, j->in.period_s,
               doubt);
        return;
    }
    printf("%s (%s) mean over the cycle of %.3g s\n", ml_s, l_min, j->in.period_s);
    printf(UNITS_PLUS_MINUS
           ": 95 %% interval from the outline of the region (%.2g mL/s), the background (%.2g mL/s) and "
           "the noise (%.2g mL/s)\n",
           u->region, u->background, u->noise);
}

static void warn_of_doubt(const flow_job *j) {
    const peak_velocity_doubt *d = &j->doubt;
    const double venc = 100 * j->p.venc_m_s;
    if (is_peak_open(j) && d->without_wrapped_m_s == 0)
        message_warn_serious("all %d pixels of the region that count as blood wrap at venc through the cycle, which "
                             "blood near venc and noise both do: the highest velocity is undecided, up to %.3g cm/s; "
                             "draw the region without noise, or repeat the measurement with a higher venc than %.3g "
                             "cm/s",
                             d->n_wrapped, 100 * j->highest_m_s, venc);
    else if (is_peak_open(j))
        message_warn_serious("%d pixels of the region wrap at venc through the cycle, which blood near venc and noise "
                             "both do: the highest velocity is %.3g cm/s with them and %.3g cm/s without, and the flow "
                             "includes them; draw the region without noise, or repeat the measurement with a higher "
                             "venc than %.3g cm/s",
                             d->n_wrapped, 100 * j->highest_m_s, 100 * d->without_wrapped_m_s, venc);
    else if (d->opposite)
        message_warn_serious(
            "velocities of up to %.3g cm/s against the flow lie beside velocities along it: reverse "
            "flow, or a jet faster than venc whose aliasing cannot be resolved. With aliasing the flow "
            "and the highest velocity are wrong; repeat the measurement with a higher venc than %.3g "
            "cm/s",
            100 * d->reverse_m_s, venc);
}

static void print_peak(const flow_job *j) {
    const double highest = 100 * j->highest_m_s, area = phase_contrast_area_mm2(&j->p);
    if (is_peak_open(j) && j->doubt.without_wrapped_m_s > 0)
        printf("highest velocity undecided: %.3g or %.3g cm/s, area %.3g mm2\n", 100 * j->doubt.without_wrapped_m_s,
               highest, area);
    else if (is_peak_open(j))
        printf("highest velocity undecided, up to %.3g cm/s, area %.3g mm2\n", highest, area);
    else if (j->doubt.opposite && j->highest_m_s > j->p.venc_m_s) /* a value was moved by 2 venc */
        printf("highest velocity undecided: aliasing may be unresolved, area %.3g mm2\n", area);
    else
        printf("highest velocity %.3g cm/s%s, area %.3g mm2\n", highest,
               j->doubt.opposite ? " if nothing is aliased" : "", area);
}

static void print_result(const flow_job *j) {
    double largest_mean = 0;
    const double highest = j->highest_m_s;
    for (int t = 0; t < j->p.nt; t++)
        largest_mean = fmax(largest_mean, j->mean_m_s[t]); /* forward, as most of the flow */
    if (j->background.n > 0)
        message_info("background velocity subtracted: mean %.2g cm/s in the region, fitted to %d pixels of stationary "
                     "tissue (rms %.2g cm/s remains there)",
                     100 * j->background.at_roi_m_s, j->background.n, 100 * j->background.spread_m_s);
    else
        message_warn("the background is not corrected: %s; the velocities may all be wrong by %.2g cm/s, the flow by "
                     "%.2g mL/s",
                     j->p.bright ? "not enough stationary tissue was found"
                                 : "give --magnitude to find stationary tissue",
                     100 * j->uncertainty.background / phase_contrast_area_mm2(&j->p), j->uncertainty.background);
    if (j->unwrapped.changed > 0)
        message_info("aliasing: %d values of the region were moved by 2 venc", j->unwrapped.changed);
    if (j->unwrapped.doubtful > 0)
        message_warn_serious("aliasing could not be resolved in %d pixels of the region; the flow is unreliable; "
                             "repeat the measurement with a higher venc than "
                             "%.3g cm/s",
                             j->unwrapped.doubtful, 100 * j->p.venc_m_s);
    if (j->n_noise > 0)
        message_warn(
            "%d of %.0f pixels of the region change their velocity at random over the cycle (noise, or aliasing "
            "that cannot be resolved): the highest velocity leaves them out, the flow includes them; if they "
            "are noise, draw the region without them",
            j->n_noise, phase_contrast_area_mm2(&j->p) / j->p.pixel_mm2);
    warn_of_doubt(j);
    if (j->noise_m_s > NOISY_PEAK * highest)
        message_warn(
            "the noise of a pixel, %.2g cm/s, is more than %.0f %% of the highest velocity, %.3g cm/s, which may "
            "be too high by a fifth or more; repeat the measurement with a lower venc than %.3g cm/s",
            100 * j->noise_m_s, 100 * NOISY_PEAK, 100 * highest, 100 * j->p.venc_m_s);
    if (highest < largest_mean)
        message_warn_serious(
            "the highest velocity, %.3g cm/s, is below the mean velocity of the region, %.3g cm/s: noise "
            "or aliasing hides the flow; draw the region without noise, or repeat the measurement with "
            "a higher venc than %.3g cm/s",
            100 * highest, 100 * largest_mean, 100 * j->p.venc_m_s);
    if (j->reversed)
        message_info("the flow runs against the slice's normal; its sign is reversed in the output");
    print_mean(j);
    print_peak(j);
}

static int write_csv(const flow_options *o, const flow_job *j) {
    file_text t;
    const int rc = file_text_open(&t, "the waveform");
    if (rc != OK)
        return rc;
    FILE *to = t.to;
    fprintf(to, "# from phase-contrast MRI, venc %.4g cm/s, area %.5g mm2\n", 100 * j->p.venc_m_s,
            phase_contrast_area_mm2(&j->p));
    if (find_doubt(j)) {
        fprintf(to, "# unreliable: %s\n", find_doubt(j));
    } else {
        /* the half-width is rounded up, as print_mean does */
        const double last = pow(10, units_last_place(j->mean_ml_s, j->uncertainty.whole, NAN));
        fprintf(to, "# mean flow %.4g mL/s, 95 %% interval +- %.4g mL/s\n", j->mean_ml_s,
                last * fmax(0, ceil(j->uncertainty.whole / last - 1e-9)));
    }
    fprintf(to, "# rows: %d\n", j->p.nt + 1); /* the number of rows lets a reader detect a truncated file */
    fprintf(to, "t_s,flow_ml_s\n");
    for (int k = 0; k <= j->p.nt; k++) /* row nt closes the cycle with the first value */
        fprintf(to, "%.6g,%.6g\n", k < j->p.nt ? j->in.time_s[k] : j->in.period_s, j->flow_ml_s[k < j->p.nt ? k : 0]);
    fprintf(to, "# t_s, mean velocity, highest velocity%s, cm/s:\n",
            is_peak_open(j) || j->doubt.opposite ? " (uncertain: noise or aliasing)" : "");
    for (int k = 0; k < j->p.nt; k++)
        fprintf(to, "# %.6g, %.4g, %.4g\n", j->in.time_s[k], 100 * j->mean_m_s[k], 100 * j->peak_m_s[k]);
    return file_text_write(&t, OK, o->out);
}

/* Length of the output's name without its extension. */
static int stem_length(const flow_options *o) {
    return (int)(strlen(o->out) - (file_ends_with(o->out, ".csv") ? 4 : 0));
}

/* Draws the curve next to the CSV; not in a build without `post`. */
static int draw_curve(const flow_options *o, const flow_job *j) {
    char bin[4096], data[4096], png[4096];
    file_text text;
    process_result r = {0};
    int rc;
    TRY(process_program("post", bin, sizeof bin));
    if (access(bin, X_OK) != 0)
        return OK;
    TRY(file_path(data, sizeof data, "%.*s-curve.csv", stem_length(o), o->out));
    TRY(file_path(png, sizeof png, "%.*s.png", stem_length(o), o->out));
    TRY(file_text_open(&text, "the curve"));
    fprintf(text.to, "series,style,x,y\n");
    for (int t = 0; t <= j->p.nt; t++)
        fprintf(text.to, "flow,line,%.6g,%.6g\n", t < j->p.nt ? j->in.time_s[t] : j->in.period_s,
                j->flow_ml_s[t < j->p.nt ? t : 0]);
    TRY(file_text_write(&text, OK, data));
    const char *argv[] = {bin,   "plot",    "--data", data,         "--out", png, "--title", "Flow over the cycle",
                          "--x", "time, s", "--y",    "flow, mL/s", NULL};
    rc = process_run(argv, NULL, NULL, 1, &r);
    file_discard(data);
    if (rc == OK && r.exit_code != 0)
        message_warn_serious("the picture of the flow curve was not drawn: %.300s", r.sentence);
    else if (rc == OK)
        printf("picture: %s\n", png);
cleanup:
    return rc;
}

/* Writes the picture of the region on the slice next to the CSV; not in a build without libpng. */
static int draw_region(const flow_options *o, const flow_job *j) {
    char png[4096];
    bool drawn = false;
    int rc;
    TRY(file_path(png, sizeof png, "%.*s-roi.png", stem_length(o), o->out));
    TRY(flow_picture_write(png, &j->p, &drawn));
    if (drawn)
        printf("region on the slice: %s\n", png);
cleanup:
    return rc;
}

/* Writes an image of the slice on which the user draws the region: the mean magnitude over the cycle, or the mean
 * speed. */
static int write_slice(const flow_options *o, const flow_job *j) {
    const flow_input *in = &j->in;
    const size_t n = (size_t)in->phase.dims[0] * (size_t)in->phase.dims[1];
    volume slice = in->phase;
    char path[4096];
    int rc;
    slice.dims[2] = 1;
    slice.value = NULL;
    TRY(file_path(path, sizeof path, "%.*s-slice.nii.gz", stem_length(o), o->out));
    const volume geometry = slice;
    TRY(volume_create_like(&slice, &geometry));
    for (size_t k = 0; k < volume_size(&in->phase); k++)
        slice.value[k % n] +=
            (in->magnitude.value ? in->magnitude.value[k] : (float)(100 * fabs(j->p.velocity[k]))) / (float)in->nt;
    TRY(image_write(path, &slice, IMAGE_FLOAT32));
    printf("slice to draw the vessel on (%s): %s\n", in->magnitude.value ? "magnitude" : "speed, cm/s", path);
    printf("Draw the vessel on it (3D Slicer, ITK-SNAP), save the mask, and repeat with --roi mask.nii.gz\n");
cleanup:
    volume_free(&slice);
    return rc;
}

/* Prints how a case gives this flow: as the waveform, or as its mean with the interval. The path of the waveform is
 * relative to the folder of case.yaml if `out` is inside such a folder. */
static void print_path_in_case(const char *out, const flow_job *j) {
    char whole[PATH_MAX], folder[PATH_MAX], yaml[PATH_MAX + 16];
    const char *name = NULL;
    if (realpath(out, whole)) {
        snprintf(folder, sizeof folder, "%s", whole);
        for (char *end; !name && (end = strrchr(folder, '/'));) {
            *end = 0;
            snprintf(yaml, sizeof yaml, "%s/case.yaml", folder);
            if (file_exists(yaml))
                name = whole + (end - folder) + 1;
        }
    }
    printf("waveform: %s; in the case: flow: {waveform: %s}%s\n", out, name ? name : out,
           name ? "" : " (path relative to the folder of its case.yaml)");
    if (find_doubt(j)) {
        printf("no mean flow for steady flow: the flow is unreliable\n");
        return;
    }
    char mean[48];
    const int place = units_last_place(j->mean_ml_s, j->uncertainty.whole, NAN);
    units_format_at(j->mean_ml_s, NAN, place, "", mean, sizeof mean);
    const double percent = ceil(100 * j->uncertainty.whole / j->mean_ml_s);
    if (j->mean_ml_s > 0 && percent <= 100)
        printf("mean flow with its interval, for steady flow: flow: %s mL/s +- %.0f %%\n", mean, percent);
    else
        printf("no mean flow for steady flow: its interval contains 0\n");
}

static int run_flow(const flow_options *o) {
    flow_job j = {0};
    char *folder = file_folder(o->out);
    int rc = folder ? OK : fail_memory("a path", strlen(o->out));
    TRY(rc);
    TRY(flow_input_read(o, &j.in));
    TRY(file_create_folder(folder));
    TRY(phases_to_velocities(&j));
    if (!o->roi) {
        rc = write_slice(o, &j);
        goto cleanup;
    }
    TRY(compute_flow(&j));
    TRY(write_csv(o, &j));
    print_result(&j);
    print_path_in_case(o->out, &j);
    TRY(draw_curve(o, &j));
    TRY(draw_region(o, &j));
cleanup:
    free(folder);
    flow_input_free(&j.in);
    free(j.p.velocity);
    free(j.flow_ml_s);
    return rc;
}

int command_flow(int argc, char **argv) {
    flow_options o = {.out = "flow.csv"};
    bool done = false;
    const options_entry table[] = {
        {"phase", 0, OPTION_TEXT, &o.phase, "PATH",
         "phase images of one slice over the cycle: DICOM folder or file (may also hold the magnitude), or NIfTI (x, "
         "y, 1, t)",
         .required = true},
        {"magnitude", 0, OPTION_TEXT, &o.magnitude, "PATH",
         "magnitude images of the same slice, to find stationary tissue", .required = false},
        {"series", 0, OPTION_TEXT, &o.series, "UID", "series of the phase images, if a folder holds several",
         .required = false},
        {"venc", 0, OPTION_TEXT, &o.venc, "V", "velocity at a phase of 180 degrees, e.g. 120cm/s (default: from DICOM)",
         .required = false},
        {"roi", 0, OPTION_TEXT, &o.roi, "FILE",
         "mask of the vessel in that slice, NIfTI; without it the slice is written for drawing", .required = false},
        {"period", 0, OPTION_TEXT, &o.period, "T", "length of the cycle, e.g. 850ms (default: from the files)",
         .required = false},
        {"range", 0, OPTION_TEXT, &o.range, "LOW,HIGH", "phase values of -venc and +venc (default: detected)",
         .required = false},
        {"out", 'o', OPTION_TEXT, &o.out, "FILE",
         "output waveform; pictures of the curve and of the region are written next to it", .required = false},
        {0}};
    const options_program program = {
        "pipeline flow", "--phase PATH [--roi FILE] [--magnitude PATH] [--venc V] [--period T] [--out FILE]",
        "Flow over the cycle from 2-D phase-contrast MRI. The background is corrected with stationary tissue, aliasing "
        "is unwrapped or reported, and the waveform is written for `flow: {waveform: ..}` of a case.",
        table, "pipeline flow --phase dicom/ --roi mask.nii.gz --out flow/smv.csv"};
    const int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    message_init("pipeline", options_verbose());
    return rc != OK || done ? rc : run_flow(&o);
}
