/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts frames into runs of equal series, kind and slice, and chooses a run. */
#include "common/dicom/dicom_cine.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 12 };
/* Frames with smaller differences of time or position count as simultaneous or as in the same plane */
static const double same_time_ms = 0.05, same_place_mm = 0.05;

static bool same_slice(const dicom_frame *a, const dicom_frame *b) {
    double square = 0;
    for (int c = 0; c < 3; c++)
        square +=
            (a->plane.position_mm[c] - b->plane.position_mm[c]) * (a->plane.position_mm[c] - b->plane.position_mm[c]);
    return dicom_stack_same_geometry(&a->plane, &b->plane) && square < same_place_mm * same_place_mm;
}

static bool same_run(const dicom_frame *a, const dicom_frame *b) {
    return a->kind == b->kind && strcmp(a->series, b->series) == 0 && strcmp(a->type, b->type) == 0 && same_slice(a, b);
}

/* Compare by kind, series, image type, position and time. Frames with equal or unknown times are compared by
 * `order`. */
static int compare_frames(const void *x, const void *y) {
    const dicom_frame *a = x, *b = y;
    int c = (int)a->kind - (int)b->kind;
    c = c ? c : strcmp(a->series, b->series);
    c = c ? c : strcmp(a->type, b->type);
    for (int k = 0; c == 0 && k < 3; k++) {
        const double d = a->plane.position_mm[k] - b->plane.position_mm[k];
        c = fabs(d) < same_place_mm ? 0 : d > 0 ? 1 : -1;
    }
    if (c == 0 && isfinite(a->time_ms) && isfinite(b->time_ms) && fabs(a->time_ms - b->time_ms) > same_time_ms)
        c = a->time_ms > b->time_ms ? 1 : -1;
    return c ? c : a->order - b->order;
}

/* Some anonymization tools give every image its own series. Join such images into one series. */
static void join_single(int n, dicom_frame *frame) {
    bool alone = n > 2;
    for (int i = 1; i < n && alone; i++)
        for (int j = 0; j < i && alone; j++)
            alone = strcmp(frame[i].series, frame[j].series) != 0;
    for (int i = 1; i < n && alone; i++)
        memcpy(frame[i].series, frame[0].series, sizeof frame[0].series);
}

static int run_length(int n, const dicom_frame *frame, int from) {
    int k = 1;
    while (from + k < n && same_run(&frame[from], &frame[from + k]))
        k++;
    return k;
}

/* Fail because there are several runs of phase images; the message lists them. */
static int fail_several_phases(const char *name, int n, const dicom_frame *frame, const char *series) {
    char text[LISTED * 160 + 1] = "";
    int places = 0, listed = 0;
    for (int i = 0; i < n; i += run_length(n, frame, i)) {
        const dicom_frame *f = &frame[i];
        if (f->kind != DICOM_PHASE || f->in_plane || (series && strcmp(f->series, series) != 0))
            continue;
        places++;
        if (listed < LISTED) {
            snprintf(text + strlen(text), sizeof text - strlen(text), "\n  %s  %d images at %.1f, %.1f, %.1f mm",
                     f->series, run_length(n, frame, i), f->plane.position_mm[0], f->plane.position_mm[1],
                     f->plane.position_mm[2]);
            listed++;
        }
    }
    if (series)
        return fail(ERR_INPUT, "series '%s' in '%s' holds phase images of %d slices; give the files of one slice:%s",
                    series, name, places, text);
    return fail(ERR_INPUT, "'%s' holds %d series of phase images; name one with --series UID:%s", name, places, text);
}

static int fail_no_images(const char *name, int n, const dicom_frame *frame, enum dicom_want want, const char *series) {
    const char *what = want == DICOM_WANT_MAGNITUDE ? "magnitude" : "phase";
    int unmarked = 0, in_plane = 0;
    for (int i = 0; i < n; i++) {
        unmarked += frame[i].kind == DICOM_UNMARKED;
        in_plane += frame[i].kind == DICOM_PHASE && frame[i].in_plane;
    }
    if (in_plane)
        return fail(ERR_INPUT,
                    "the phase images in '%s' measure a velocity within the slice; the flow through a vessel needs the "
                    "series that is encoded through the slice",
                    name);
    if (series)
        return fail(ERR_INPUT, "'%s' holds no %s images of series '%s'; name another series or folder", name, what,
                    series);
    if (unmarked)
        return fail(ERR_INPUT,
                    "the %d images in '%s' are not marked as phase or magnitude; put the two kinds into separate "
                    "folders and give --phase FOLDER --magnitude FOLDER",
                    unmarked, name);
    return fail(ERR_INPUT,
                "'%s' holds no %s images of phase-contrast MRI, but %d other images; give the folder of the "
                "phase-contrast series",
                name, what, n);
}

/* Index of the first frame of the only run of through-plane phase images; -1: no run, -2: several runs. */
static int find_only_phase(int n, const dicom_frame *frame, const char *series) {
    int found = -1;
    for (int i = 0; i < n; i += run_length(n, frame, i))
        if (frame[i].kind == DICOM_PHASE && !frame[i].in_plane && (!series || strcmp(frame[i].series, series) == 0))
            found = found == -1 ? i : -2;
    return found;
}

/* Index of the first frame of a run of magnitude images; -1: none. With phase >= 0 the run must show the same slice as
 * frame `phase` and have nt images. Images of the tissue (M, M_FFE) are preferred to images computed from the flow
 * (M_PCA, PHASE CONTRAST M). */
static int find_magnitude(int n, const dicom_frame *frame, int phase, int nt) {
    int found = -1;
    for (int i = 0; i < n; i += run_length(n, frame, i)) {
        if (frame[i].kind != DICOM_MAGNITUDE)
            continue;
        if (phase >= 0 && (!same_slice(&frame[i], &frame[phase]) || run_length(n, frame, i) != nt))
            continue;
        if (found < 0 || (strstr(frame[found].type, "PC") && !strstr(frame[i].type, "PC")))
            found = i;
    }
    return found;
}

static int read_times(const char *name, const dicom_frame *f, dicom_cine *c) {
    bool known = true;
    for (int t = 0; t < c->nt; t++)
        known = known && isfinite(f[t].time_ms);
    known = known && c->nt > 1 && f[c->nt - 1].time_ms - f[0].time_ms > same_time_ms;
    for (int t = 1; t < c->nt && known; t++)
        if (f[t].time_ms - f[t - 1].time_ms < same_time_ms)
            return fail(ERR_INPUT,
                        "'%s' holds two images of one slice at %.1f ms of the cycle (%s and %s); give the files of one "
                        "measurement",
                        name, f[t].time_ms, f[t - 1].plane.file, f[t].plane.file);
    c->period_s = NAN;
    if (!known)
        return OK;
    c->time_s = malloc((size_t)c->nt * sizeof *c->time_s);
    if (!c->time_s)
        return fail_memory("the times", 8.0 * c->nt);
    for (int t = 0; t < c->nt; t++)
        c->time_s[t] = 1e-3 * (f[t].time_ms - f[0].time_ms);
    const double last = c->time_s[c->nt - 1], step = last / (c->nt - 1);
    c->rr = 1e-3 * f[0].rr_ms > last + 0.2 * step;
    c->period_s = c->rr ? 1e-3 * f[0].rr_ms : last + step;
    return OK;
}

static int read_velocity_scale(const char *name, const dicom_frame *f, dicom_cine *c) {
    for (int t = 0; t < c->nt; t++)
        if (!isfinite(f[t].plane.slope) || !isfinite(f[t].plane.intercept))
            return fail(
                ERR_INPUT,
                "'%s': RescaleSlope or RescaleIntercept is not a number, or the slope is 0; export the series again",
                f[t].plane.file);
    for (int t = 1; t < c->nt; t++)
        if (fabs(f[t].venc_cm_s - f[0].venc_cm_s) > 0.01 * f[0].venc_cm_s || f[t].plane.slope * f[0].plane.slope <= 0)
            return fail(ERR_INPUT,
                        "the phase images in '%s' have more than one venc or scale (%s: %g cm/s, %s: %g cm/s); give "
                        "the files of one measurement",
                        name, f[0].plane.file, f[0].venc_cm_s, f[t].plane.file, f[t].venc_cm_s);
    c->venc_m_s = 0.01 * f[0].venc_cm_s;
    c->unit_m_s = f[0].unit_m_s;
    c->half_turn = f[0].half_turn;
    c->lowest = f[0].lowest;
    c->highest = f[0].highest;
    return OK;
}

static int slice_geometry(const char *name, const dicom_frame *f, int nt, volume *v) {
    const dicom_plane *p = &f->plane;
    if (!p->placed)
        return fail(ERR_INPUT, "'%s' in '%s' has no position, orientation or pixel spacing; export the series again",
                    p->file, name);
    const double *a = p->row, *b = p->column, spacing_mm[3] = {p->spacing_mm[0], p->spacing_mm[1], 1};
    const double direction[9] = {a[0], b[0], a[1] * b[2] - a[2] * b[1], a[1], b[1], a[2] * b[0] - a[0] * b[2],
                                 a[2], b[2], a[0] * b[1] - a[1] * b[0]};
    const int dims[3] = {p->columns, p->rows, nt};
    return volume_set_geometry(v, dims, spacing_mm, p->position_mm, direction);
}

int dicom_cine_arrange(const char *name, int n, dicom_frame *frame, enum dicom_want want, const char *series,
                       dicom_cine *c, int first[2]) {
    const enum dicom_kind wanted = want == DICOM_WANT_MAGNITUDE ? DICOM_MAGNITUDE : DICOM_PHASE;
    int rc;
    *c = (dicom_cine){.period_s = NAN, .venc_m_s = NAN, .unit_m_s = NAN, .half_turn = NAN};
    for (int i = 0; i < n && want != DICOM_WANT_BOTH; i++)
        frame[i].kind = frame[i].kind == DICOM_UNMARKED ? wanted : frame[i].kind;
    join_single(n, frame);
    qsort(frame, (size_t)n, sizeof *frame, compare_frames);
    const int start = wanted == DICOM_PHASE ? find_only_phase(n, frame, series) : find_magnitude(n, frame, -1, 0);
    if (start < 0)
        return start == -1 ? fail_no_images(name, n, frame, want, series) : fail_several_phases(name, n, frame, series);
    c->nt = run_length(n, frame, start);
    first[0] = wanted == DICOM_PHASE ? start : -1;
    first[1] = wanted == DICOM_MAGNITUDE ? start
               : want == DICOM_WANT_BOTH ? find_magnitude(n, frame, start, c->nt)
                                         : -1;
    TRY(slice_geometry(name, &frame[start], c->nt, &c->phase));
    c->magnitude = c->phase;
    TRY(read_times(name, &frame[start], c));
    if (wanted == DICOM_PHASE)
        TRY(read_velocity_scale(name, &frame[start], c));
cleanup:
    return rc;
}

void dicom_cine_free(dicom_cine *c) {
    free(c->time_s);
    volume_free(&c->phase);
    volume_free(&c->magnitude);
    c->time_s = NULL;
}
