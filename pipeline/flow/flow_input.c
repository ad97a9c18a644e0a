/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/flow/flow_input.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/dicom/dicom_cine.h"
#include "common/record/dicom_head.h"
#include "common/dicom/itk_dicom.h"
#include "common/image_file/nifti_file.h"
#include "pipeline/flow/phase_scale.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Parses a quantity with or without a space before its unit: "120cm/s", "120 cm/s". */
static int parse_quantity(const char *text, enum units_kind kind, double *value) {
    char with_blank[80];
    char *end = NULL;
    strtod(text, &end);
    if (end == text || *end == ' ' || strlen(text) > 60)
        return units_parse(text, kind, value);
    snprintf(with_blank, sizeof with_blank, "%.*s %s", (int)(end - text), text, end);
    return units_parse(with_blank, kind, value);
}

/* Checks that both images have the same number of pixels, at the same positions within a fifth of a pixel. Times are
 * not compared. */
static int check_slice(const volume *a, const volume *b, const char *what) {
    for (int k = 0; k < 4; k++) {
        const double index[3] = {(k & 1) * (a->dims[0] - 1.0), (k >> 1) * (a->dims[1] - 1.0), 0};
        double p[3], q[3], square = 0;
        volume_to_lps(a, index, p);
        volume_to_lps(b, index, q);
        for (int c = 0; c < 3; c++)
            square += (p[c] - q[c]) * (p[c] - q[c]);
        if (a->dims[0] != b->dims[0] || a->dims[1] != b->dims[1] || sqrt(square) > 0.2 * a->spacing_mm[0])
            return fail(
                ERR_INPUT,
                "the %s (%d x %d pixels) and the phase (%d x %d) differ in size or position; give images of one slice",
                what, b->dims[0], b->dims[1], a->dims[0], a->dims[1]);
    }
    return OK;
}

static int read_roi(const flow_options *o, flow_input *in) {
    const size_t n = (size_t)in->phase.dims[0] * (size_t)in->phase.dims[1];
    double step_s;
    size_t inside = 0;
    int rc;
    TRY(nifti_file_read_cine(o->roi, &in->roi, &step_s));
    TRY(check_slice(&in->phase, &in->roi, "region"));
    if (in->roi.dims[2] != 1)
        GIVE_UP(fail(ERR_INPUT, "'%s' has %d slices or times; give a mask of one slice", o->roi, in->roi.dims[2]));
    in->mask = calloc(n + 1, 1);
    if (!in->mask)
        GIVE_UP(fail_memory("the region", (double)n));
    for (size_t k = 0; k < n; k++)
        inside += in->mask[k] = in->roi.value[k] > 0;
    if (inside < 4)
        GIVE_UP(fail(ERR_INPUT, "'%s' marks %zu pixels; a vessel needs 4 or more (12 or more for a reliable flow)",
                     o->roi, inside));
    if (inside < 12)
        message_warn(
            "the region has only %zu pixels (12 or more for a reliable flow): most are at its border, so the flow is "
            "uncertain; use images of finer resolution",
            inside);
cleanup:
    return rc;
}

/* Refuses values of the region that are not finite. */
static int check_finite(const flow_options *o, const flow_input *in) {
    const size_t nx = (size_t)in->phase.dims[0], n = nx * (size_t)in->phase.dims[1];
    for (size_t k = 0; k < n * (size_t)in->nt; k++)
        if (in->mask[k % n] && !isfinite(in->phase.value[k]))
            return fail(ERR_INPUT,
                        "'%s' has no finite value in the pixel [%zu, %zu] of the region in image %zu of %d; correct "
                        "it, or draw the region without this pixel",
                        o->phase, k % nx, k % n / nx, k / n + 1, in->nt);
    return OK;
}

static void find_limits(const volume *v, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t k = 0; k < volume_size(v); k++) {
        *low = fmin(*low, (double)v->value[k]);
        *high = fmax(*high, (double)v->value[k]);
    }
}

/* Scale from the header of DICOM images: from their unit of velocity or angle, otherwise from the range of values that
 * a pixel can hold. */
static bool scale_of_header(const dicom_cine *c, double venc_m_s, phase_scale *s) {
    const double half = isfinite(c->unit_m_s) ? venc_m_s / c->unit_m_s : c->half_turn;
    if (!isfinite(half))
        return phase_scale_of_limits(c->lowest, c->highest, venc_m_s, s);
    *s = (phase_scale){-half, half, "unit of the images"};
    return true;
}

static int parse_range(const char *text, phase_scale *s) {
    char rest[2];
    if (sscanf(text, "%lf,%lf%1s", &s->low, &s->high, rest) != 2 || !(s->high > s->low) || !isfinite(s->high - s->low))
        return fail(ERR_USAGE,
                    "--range %.80s: give two numbers separated by a comma, the phase values of -venc and +venc", text);
    snprintf(s->unit, sizeof s->unit, "--range");
    return OK;
}

/* Finds the phase values that mean -venc and +venc: from --range, from the header (c, NULL: none), or from the values
 * of the images. */
static int find_range(const flow_options *o, const dicom_cine *c, flow_input *in) {
    char known[400];
    double low, high;
    phase_scale s;
    int rc = OK;
    find_limits(&in->phase, &low, &high);
    if (o->range)
        TRY(parse_range(o->range, &s));
    else if (!(c && scale_of_header(c, in->venc_m_s, &s)) &&
             !phase_scale_of_values(in->phase.value, volume_size(&in->phase), in->venc_m_s, &s)) {
        phase_scale_list(in->venc_m_s, sizeof known, known);
        GIVE_UP(fail(ERR_INPUT,
                     "the phase values go from %.5g to %.5g and fill none of the known ranges for -venc to +venc: %s "
                     "(noise in air fills its range); give the two values that mean -venc and +venc: --range LOW,HIGH",
                     low, high, known));
    }
    const double slack = 0.01 * (s.high - s.low);
    if (low < s.low - slack || high > s.high + slack)
        GIVE_UP(fail(o->range ? ERR_USAGE : ERR_INPUT,
                     "the values of the images go from %.5g to %.5g, but -venc to +venc is %.5g to %.5g (%s); "
                     "correct --venc, or give the two values that mean -venc and +venc: --range LOW,HIGH",
                     low, high, s.low, s.high, s.unit));
    in->range[0] = s.low;
    in->range[1] = s.high;
    message_info(
        "phase values %.5g to %.5g (%s) are taken as -venc to +venc; the values of the images go from %.5g to %.5g",
        s.low, s.high, s.unit, low, high);
cleanup:
    return rc;
}

/* Chooses length and times of the cycle, from --period or from the files. Missing times are spread evenly over the
 * cycle. */
static int choose_cycle(const flow_options *o, double period_s, flow_input *in) {
    int rc = OK;
    in->period_s = period_s;
    if (o->period)
        TRY(parse_quantity(o->period, UNIT_TIME_S, &in->period_s));
    if (!(in->period_s > 0))
        GIVE_UP(fail(ERR_INPUT,
                     "'%s' does not state the length of its cycle; give the RR interval, for example --period 850ms",
                     o->phase));
    if (!in->time_s) {
        in->time_s = malloc((size_t)in->nt * sizeof *in->time_s);
        if (!in->time_s)
            GIVE_UP(fail_memory("the times", 8.0 * in->nt));
        for (int t = 0; t < in->nt; t++)
            in->time_s[t] = in->period_s * t / in->nt;
    }
    const double last = in->time_s[in->nt - 1], step = last / (in->nt - 1);
    if (!(in->period_s > last))
        GIVE_UP(fail(ERR_USAGE, "the cycle of %.4g s ends before the last image, which is at %.4g s; correct --period",
                     in->period_s, last));
    if (in->period_s - last > 2.5 * step)
        message_warn("the images end at %.3g s of a cycle of %.3g s; the gap is interpolated", last + step,
                     in->period_s);
    if (!(in->period_s > 0.2 && in->period_s < 3))
        message_warn("a cycle of %.3g s (%d images) is unusual for a heart (0.2 to 3 s); check --period", in->period_s,
                     in->nt);
cleanup:
    return rc;
}

static int choose_venc(const flow_options *o, double in_file_m_s, flow_input *in) {
    int rc = OK;
    in->venc_m_s = in_file_m_s;
    if (o->venc) {
        TRY(parse_quantity(o->venc, UNIT_VELOCITY_M_S, &in->venc_m_s));
        if (!(in->venc_m_s > 0))
            GIVE_UP(fail(ERR_USAGE, "--venc %s: it must be above 0", o->venc));
        if (fabs(in->venc_m_s - in_file_m_s) > 0.01 * in->venc_m_s)
            message_warn_serious("--venc %.4g cm/s is used, but the images state %.4g cm/s", 100 * in->venc_m_s,
                                 100 * in_file_m_s);
    } else if (!(in->venc_m_s > 0))
        rc = fail(ERR_USAGE, "'%s' does not state its venc; give it: --venc 120cm/s", o->phase);
    else
        message_info("venc %.4g cm/s, from the images", 100 * in->venc_m_s);
cleanup:
    return rc;
}

static bool is_dicom(const char *path) {
    struct stat info;
    return (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) || dicom_head_recognize(path);
}

static int read_dicom(const flow_options *o, flow_input *in) {
    dicom_cine c;
    int rc = dicom_cine_read(o->phase, o->series, o->magnitude ? DICOM_WANT_PHASE : DICOM_WANT_BOTH, &c);
    if (rc != OK)
        return rc;
    in->phase = c.phase;
    in->magnitude = c.magnitude;
    in->time_s = c.time_s;
    in->nt = c.nt;
    if (in->nt < 3)
        return fail(ERR_INPUT,
                    "'%s' has %d phase images over the cycle; at least 3 are needed: give all images of the cycle",
                    o->phase, in->nt);
    message_info("%d phase images%s in '%s'", in->nt,
                 c.magnitude.value ? " and the same number of magnitude images" : "", o->phase);
    TRY(choose_venc(o, c.venc_m_s, in));
    TRY(choose_cycle(o, c.period_s, in));
    TRY(find_range(o, &c, in));
cleanup:
    return rc;
}

static int read_nifti(const flow_options *o, flow_input *in) {
    double step_s;
    int rc;
    TRY(nifti_file_read_cine(o->phase, &in->phase, &step_s));
    in->nt = in->phase.dims[2];
    if (in->nt < 3)
        GIVE_UP(fail(ERR_INPUT, "'%s' has %d images over the cycle; at least 3 are needed", o->phase, in->nt));
    TRY(choose_venc(o, NAN, in));
    TRY(choose_cycle(o, step_s * in->nt, in));
    TRY(find_range(o, NULL, in));
cleanup:
    return rc;
}

static int read_magnitude(const flow_options *o, flow_input *in) {
    double step_s;
    dicom_cine c = {0};
    int rc;
    if (is_dicom(o->magnitude)) {
        TRY(dicom_cine_read(o->magnitude, NULL, DICOM_WANT_MAGNITUDE, &c));
        in->magnitude = c.magnitude;
        c.magnitude.value = NULL;
    } else
        TRY(nifti_file_read_cine(o->magnitude, &in->magnitude, &step_s));
    TRY(check_slice(&in->phase, &in->magnitude, "magnitude"));
    if (in->magnitude.dims[2] != in->nt)
        GIVE_UP(fail(ERR_INPUT, "the magnitude has %d images, the phase has %d; give images of the same times",
                     in->magnitude.dims[2], in->nt));
cleanup:
    dicom_cine_free(&c);
    return rc;
}

int flow_input_read(const flow_options *o, flow_input *in) {
    int rc = is_dicom(o->phase) ? read_dicom(o, in) : read_nifti(o, in);
    if (rc == OK && o->magnitude)
        rc = read_magnitude(o, in);
    if (rc == OK && o->roi)
        rc = read_roi(o, in);
    if (rc == OK && o->roi)
        rc = check_finite(o, in);
    return rc;
}

void flow_input_free(flow_input *in) {
    volume_free(&in->phase);
    volume_free(&in->magnitude);
    volume_free(&in->roi);
    free(in->mask);
    free(in->time_s);
    in->mask = NULL;
    in->time_s = NULL;
}
