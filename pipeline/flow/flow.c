/* See flow.h. */
#include "pipeline/flow/flow.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/options.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/image/nifti_file.h"
#include "pipeline/flow/phase_contrast.h"
#include "pipeline/run/process.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *phase, *magnitude, *roi, *out, *venc, *period, *range;
} flow_options;

typedef struct {
    volume phase, magnitude, roi;
    uint8_t *mask;
    phase_contrast p;
    phase_background background;
    phase_unwrapped unwrapped;
    double step_s, range[2];
    double *flow_ml_s, *mean_m_s, *peak_m_s; /* [nt] */
    bool turned;                             /* the flow was negative */
} job;

/* "120cm/s" and "120 cm/s". */
static int quantity(const char *text, enum units_kind kind, double *value) {
    char with_blank[80];
    char *end = NULL;
    strtod(text, &end);
    if (end == text || *end == ' ' || strlen(text) > 60)
        return units_parse(text, kind, value);
    snprintf(with_blank, sizeof with_blank, "%.*s %s", (int)(end - text), text, end);
    return units_parse(with_blank, kind, value);
}

/* Same pixels at the same places; times are not compared. */
static int check_slice(const volume *a, const volume *b, const char *what) {
    for (int k = 0; k < 4; k++) {
        const double index[3] = {(k & 1) * (a->dims[0] - 1.0), (k >> 1) * (a->dims[1] - 1.0), 0};
        double p[3], q[3], square = 0;
        volume_to_lps(a, index, p);
        volume_to_lps(b, index, q);
        for (int c = 0; c < 3; c++)
            square += (p[c] - q[c]) * (p[c] - q[c]);
        if (a->dims[0] != b->dims[0] || a->dims[1] != b->dims[1] || sqrt(square) > 0.2 * a->spacing_mm[0])
            return fail(ERR_INPUT,
                        "the %s has %d x %d pixels at another place than the phase's %d x %d; give images of one "
                        "slice",
                        what, b->dims[0], b->dims[1], a->dims[0], a->dims[1]);
    }
    return OK;
}

static int read_roi(const flow_options *o, job *j) {
    const size_t n = (size_t)j->phase.dims[0] * (size_t)j->phase.dims[1];
    double step_s;
    size_t inside = 0;
    int rc;
    TRY(nifti_file_read_cine(o->roi, &j->roi, &step_s));
    TRY(check_slice(&j->phase, &j->roi, "region"));
    if (j->roi.dims[2] != 1)
        GIVE_UP(fail(ERR_INPUT, "'%s' has %d slices or times; give one region in one slice", o->roi, j->roi.dims[2]));
    j->mask = calloc(n + 1, 1);
    if (!j->mask)
        GIVE_UP(fail_memory("the region", (double)n));
    for (size_t k = 0; k < n; k++)
        inside += j->mask[k] = j->roi.value[k] > 0;
    if (inside < 4)
        GIVE_UP(
            fail(ERR_INPUT, "'%s' marks %zu pixels; a vessel has at least 4 (12 and more are good)", o->roi, inside));
    if (inside < 12)
        message_warn("the region has %zu pixels only: its border is a large part of it, and the flow uncertain",
                     inside);
cleanup:
    return rc;
}

static int find_range(const flow_options *o, job *j) {
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < volume_size(&j->phase); k++) {
        low = fmin(low, (double)j->phase.value[k]);
        high = fmax(high, (double)j->phase.value[k]);
    }
    char rest[2];
    if (o->range) {
        if (sscanf(o->range, "%lf,%lf%1s", &j->range[0], &j->range[1], rest) != 2 || !(j->range[1] > j->range[0]))
            return fail(ERR_USAGE, "--range %s: two numbers with a comma between them, the values of -venc and +venc",
                        o->range);
    } else if (!phase_contrast_range(low, high, j->range))
        return fail(ERR_INPUT,
                    "the phase runs from %.4g to %.4g, which is neither -pi..pi nor -4096..4095 nor 0..4095; say with "
                    "--range LOW,HIGH which values are -venc and +venc",
                    low, high);
    message_info("phase %.4g to %.4g is read as -venc to +venc (the image holds %.4g to %.4g)", j->range[0],
                 j->range[1], low, high);
    return OK;
}

static int read_step(const flow_options *o, double in_file_s, job *j) {
    double period_s = NAN;
    int rc = OK;
    j->step_s = in_file_s;
    if (o->period) {
        TRY(quantity(o->period, UNIT_TIME_S, &period_s));
        j->step_s = period_s / j->p.nt;
    }
    if (!(j->step_s > 0))
        GIVE_UP(
            fail(ERR_INPUT, "'%s' does not say how long its cycle is; give the RR interval: --period 850ms", o->phase));
    if (!(j->step_s * j->p.nt > 0.2 && j->step_s * j->p.nt < 3))
        message_warn("a cycle of %.3g s (%d images) is unusual for a heart (0.2 to 3 s); is --period right?",
                     j->step_s * j->p.nt, j->p.nt);
cleanup:
    return rc;
}

static int read_all(const flow_options *o, job *j) {
    double step_s, other_s;
    int rc;
    TRY(nifti_file_read_cine(o->phase, &j->phase, &step_s));
    j->p = (phase_contrast){.nx = j->phase.dims[0],
                            .ny = j->phase.dims[1],
                            .nt = j->phase.dims[2],
                            .pixel_mm2 = j->phase.spacing_mm[0] * j->phase.spacing_mm[1]};
    if (j->p.nt < 3)
        GIVE_UP(fail(ERR_INPUT, "'%s' has %d images over the cycle; at least 3 are needed", o->phase, j->p.nt));
    TRY(quantity(o->venc, UNIT_VELOCITY_M_S, &j->p.venc_m_s));
    if (!(j->p.venc_m_s > 0))
        GIVE_UP(fail(ERR_USAGE, "--venc %s: it must be above 0", o->venc));
    TRY(read_step(o, step_s, j));
    TRY(read_roi(o, j));
    if (o->magnitude) {
        TRY(nifti_file_read_cine(o->magnitude, &j->magnitude, &other_s));
        TRY(check_slice(&j->phase, &j->magnitude, "magnitude"));
        if (j->magnitude.dims[2] != j->p.nt)
            GIVE_UP(fail(ERR_INPUT, "the magnitude has %d images, the phase %d", j->magnitude.dims[2], j->p.nt));
    }
    TRY(find_range(o, j));
cleanup:
    return rc;
}

static int compute(job *j) {
    const size_t n = volume_size(&j->phase), nt = (size_t)j->p.nt;
    double total = 0;
    int rc;
    j->p.velocity = malloc((n + 1) * sizeof *j->p.velocity);
    j->flow_ml_s = malloc((3 * nt + 1) * sizeof *j->flow_ml_s);
    if (!j->p.velocity || !j->flow_ml_s)
        return fail_memory("the velocities", 8.0 * (double)n);
    j->mean_m_s = j->flow_ml_s + nt;
    j->peak_m_s = j->mean_m_s + nt;
    j->p.bright = j->magnitude.value;
    j->p.roi = j->mask;
    const double middle = 0.5 * (j->range[0] + j->range[1]), half = 0.5 * (j->range[1] - j->range[0]);
    for (size_t k = 0; k < n; k++)
        j->p.velocity[k] = ((double)j->phase.value[k] - middle) / half * j->p.venc_m_s;
    TRY(phase_contrast_background(&j->p, &j->background));
    TRY(phase_contrast_unwrap(&j->p, &j->unwrapped));
    phase_contrast_measure(&j->p, j->flow_ml_s, j->mean_m_s, j->peak_m_s);
    for (size_t t = 0; t < nt; t++)
        total += j->flow_ml_s[t];
    j->turned = total < 0;
    for (size_t t = 0; t < 3 * nt && j->turned; t++)
        j->flow_ml_s[t] = -j->flow_ml_s[t];
cleanup:
    return rc;
}

static void tell(const job *j) {
    double total = 0, highest = 0;
    for (int t = 0; t < j->p.nt; t++) {
        total += j->flow_ml_s[t];
        highest = fmax(highest, j->peak_m_s[t]);
    }
    if (j->background.n > 0)
        message_info("background: %.2g cm/s in the region, from %d pixels of still tissue (they differ by %.2g cm/s)",
                     100 * j->background.at_roi_m_s, j->background.n, 100 * j->background.spread_m_s);
    else
        message_warn("the background is not corrected: %s; a few mm/s over the whole region are the rule",
                     j->p.bright ? "too little still tissue was found" : "give --magnitude to find still tissue");
    if (j->unwrapped.changed > 0)
        message_info("aliasing: %d values of the region were moved by 2 venc", j->unwrapped.changed);
    if (j->unwrapped.doubtful > 0)
        message_warn_serious(
            "aliasing could not be resolved in %d pixels of the region; measure with a higher venc than "
            "%.3g cm/s",
            j->unwrapped.doubtful, 100 * j->p.venc_m_s);
    if (j->turned)
        message_info("the flow runs against the slice's normal; it is written as positive");
    printf("%.4g mL/s (%.4g L/min) mean over the cycle of %.3g s, highest velocity %.3g cm/s, area %.3g mm2\n",
           total / j->p.nt, 0.06 * total / j->p.nt, j->step_s * j->p.nt, 100 * highest, phase_contrast_area_mm2(&j->p));
}

static int write_csv(const flow_options *o, const job *j) {
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (!to)
        return fail_memory("the waveform", 4096);
    fprintf(to, "# from phase-contrast MRI, venc %.4g cm/s, area %.5g mm2\n", 100 * j->p.venc_m_s,
            phase_contrast_area_mm2(&j->p));
    fprintf(to, "t_s,flow_ml_s\n");
    for (int t = 0; t < j->p.nt; t++)
        fprintf(to, "%.6g,%.6g\n", t * j->step_s, j->flow_ml_s[t]);
    fprintf(to, "# t_s, mean velocity, highest velocity, cm/s:\n");
    for (int t = 0; t < j->p.nt; t++)
        fprintf(to, "# %.6g, %.4g, %.4g\n", t * j->step_s, 100 * j->mean_m_s[t], 100 * j->peak_m_s[t]);
    int rc = fclose(to) == 0 ? file_write(o->out, text, n) : fail_memory("the waveform", (double)n);
    free(text);
    return rc;
}

/* The curve beside the CSV; where `post` is not in this build there is none. */
static int draw(const flow_options *o, const job *j) {
    char bin[4096], data[4096], png[4096], *text = NULL;
    size_t n = 0;
    process_result r = {0};
    int rc;
    FILE *to = NULL;
    TRY(process_program("post", bin, sizeof bin));
    if (access(bin, X_OK) != 0)
        return OK;
    const int stem = (int)(strlen(o->out) - (file_ends_with(o->out, ".csv") ? 4 : 0));
    TRY(file_path(data, sizeof data, "%.*s-curve.csv", stem, o->out));
    TRY(file_path(png, sizeof png, "%.*s.png", stem, o->out));
    to = open_memstream(&text, &n);
    if (!to)
        return fail_memory("the curve", 4096);
    fprintf(to, "series,style,x,y\n");
    for (int t = 0; t <= j->p.nt; t++)
        fprintf(to, "flow,line,%.6g,%.6g\n", t * j->step_s, j->flow_ml_s[t < j->p.nt ? t : 0]);
    rc = fclose(to) == 0 ? file_write(data, text, n) : fail_memory("the curve", (double)n);
    if (rc == OK) {
        const char *argv[] = {bin,   "plot",    "--data", data,         "--out", png, "--title", "Flow over the cycle",
                              "--x", "time, s", "--y",    "flow, mL/s", NULL};
        rc = process_run(argv, NULL, NULL, 1, &r);
        if (rc == OK && r.exit_code != 0)
            message_warn("the curve was not drawn: %.300s", r.sentence);
        file_discard(data);
    }
    if (rc == OK && r.exit_code == 0)
        printf("picture: %s\n", png);
cleanup:
    free(text);
    return rc;
}

static int run(const flow_options *o) {
    job j = {.step_s = NAN};
    int rc;
    TRY(read_all(o, &j));
    TRY(compute(&j));
    TRY(write_csv(o, &j));
    tell(&j);
    printf("waveform: %s; in the case: flow: {waveform: %s}\n", o->out, o->out);
    TRY(draw(o, &j));
cleanup:
    volume_free(&j.phase);
    volume_free(&j.magnitude);
    volume_free(&j.roi);
    free(j.mask);
    free(j.p.velocity);
    free(j.flow_ml_s);
    return rc;
}

int command_flow(int argc, char **argv) {
    flow_options o = {.out = "flow.csv"};
    bool done = false;
    const options_entry table[] = {
        {"phase", 0, OPTION_TEXT, &o.phase, "FILE", "phase images of one slice over the cycle, NIfTI (x, y, 1, t)",
         .required = true},
        {"magnitude", 0, OPTION_TEXT, &o.magnitude, "FILE", "magnitude of the same, to find still tissue",
         .required = false},
        {"venc", 0, OPTION_TEXT, &o.venc, "V", "velocity of a phase of 180 degrees, 120cm/s", .required = true},
        {"roi", 0, OPTION_TEXT, &o.roi, "FILE", "mask of the vessel in that slice, NIfTI", .required = true},
        {"period", 0, OPTION_TEXT, &o.period, "T", "length of the cycle, 850ms (default: what the file says)",
         .required = false},
        {"range", 0, OPTION_TEXT, &o.range, "LOW,HIGH", "phase values of -venc and +venc (default: found)",
         .required = false},
        {"out", 'o', OPTION_TEXT, &o.out, "FILE", "the waveform; a picture beside it", .required = false},
        {0}};
    const options_program program = {
        "pipeline flow", "--phase FILE --venc V --roi FILE [--magnitude FILE] [--period T] [--out FILE]",
        "Flow over the cycle from 2-D phase-contrast MRI: the background is corrected by still tissue, aliasing "
        "unwrapped or told, and the waveform written for `flow: {waveform: ..}` of a case.",
        table,
        "pipeline flow --phase p.nii.gz --magnitude m.nii.gz --venc 120cm/s --roi mask.nii.gz --out flow/smv.csv"};
    const int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    message_init("pipeline", options_verbose());
    return rc != OK || done ? rc : run(&o);
}
