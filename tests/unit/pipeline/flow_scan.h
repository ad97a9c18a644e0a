/* SPDX-License-Identifier: Apache-2.0 */
/* A phase-contrast cine in DICOM with a flow that is known: as three makers write it, classic and enhanced. To be
 * included after cmocka.h. */
#ifndef PORTAFLOW_TESTS_FLOW_SCAN_H
#define PORTAFLOW_TESTS_FLOW_SCAN_H
#include "tests/unit/common/dicom_write.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { NX = 26, NY = 24, NT = 8 };
static const double RADIUS = 5.2, CX = 12.3, CY = 11.6, PIXEL_MM = 1.25, PEAK = 0.6;
static const char *const UID = "1.2.826.0.1.99.7";

enum maker { SIEMENS, PHILIPS, GE, UNMARKED };
typedef struct {
    enum maker maker;
    double venc_cm_s, rr_ms;
    const char *venc_name; /* Siemens */
    double z_mm;
    bool mrad; /* Philips: rescaled to mrad instead of cm/s */
} scan;

static double speed(int t, int x, int y) {
    const double r2 = ((x - CX) * (x - CX) + (y - CY) * (y - CY)) / (RADIUS * RADIUS);
    return r2 < 1 ? PEAK * (0.6 + 0.4 * cos(2 * M_PI * t / NT)) * (1 - r2) : 0;
}
static double exact_ml_s(int t) {
    double sum = 0;
    for (int k = 0; k < NX * NY; k++)
        sum += speed(t, k % NX, k / NX) * PIXEL_MM * PIXEL_MM;
    return sum;
}
static double exact_mean_ml_s(void) {
    double sum = 0;
    for (int t = 0; t < NT; t++)
        sum += exact_ml_s(t) / NT;
    return sum;
}

/* The stored value of a velocity: wrapped at venc, scaled as the maker does. */
static int stored(const scan *s, double v_m_s) {
    const double venc = 0.01 * s->venc_cm_s, wrapped = v_m_s - 2 * venc * round(v_m_s / (2 * venc));
    if (s->maker == GE)
        return (int)lround(1000 * wrapped); /* mm/s */
    if (s->maker == PHILIPS)
        return (int)lround((wrapped / venc + 1) / 2 * 4095); /* slope and intercept give cm/s */
    return (int)lround((wrapped / venc + 1) * 2048) & 4095;
}

static void draw_image(const scan *s, bool phase, int t, uint16_t *pixel) {
    for (int k = 0; k < NX * NY; k++)
        pixel[k] = phase ? (uint16_t)stored(s, speed(t, k % NX, k / NX)) : k / NX > 20 ? 3 : 300;
}

static void put_number(buffer *b, unsigned group, unsigned element, const char *vr, double x) {
    char text[40];
    snprintf(text, sizeof text, "%.6g", x);
    put_text(b, group, element, vr, text);
}

/* One image of a classic series. */
static void write_classic(const char *folder, const scan *s, bool phase, int t) {
    static buffer b;
    char text[700];
    uint16_t pixel[NX * NY];
    const bool ge = s->maker == GE;
    b.n = 0;
    snprintf(text, sizeof text, "%s.%d.%d", UID, phase, t);
    put_start(&b, "1.2.840.10008.5.1.4.1.1.4", text);
    put_text(&b, 8, 8, "CS",
             s->maker == SIEMENS ? phase ? "DERIVED\\PRIMARY\\P\\ND" : "ORIGINAL\\PRIMARY\\M\\ND"
             : s->maker == PHILIPS
                 ? phase ? "ORIGINAL\\PRIMARY\\PHASE CONTRAST M\\P\\PCA" : "ORIGINAL\\PRIMARY\\M_FFE\\M\\FFE"
                 : "ORIGINAL\\PRIMARY\\OTHER");
    put_text(&b, 8, 0x60, "CS", "MR");
    put_text(&b, 8, 0x70, "LO",
             s->maker == SIEMENS   ? "SIEMENS"
             : ge                  ? "GE MEDICAL SYSTEMS"
             : s->maker == PHILIPS ? "Philips"
                                   : "X");
    put_text(&b, 0x10, 0x10, "PN", "SECRET^NAME");
    if (s->maker == SIEMENS)
        put_text(&b, 0x18, 0x24, "SH", s->venc_name);
    put_number(&b, 0x18, 0x1060, "DS", 20 + 100 * t);
    if (s->rr_ms > 0)
        put_number(&b, 0x18, 0x1062, "IS", s->rr_ms);
    if (ge) {
        const int16_t venc = (int16_t)(10 * s->venc_cm_s);
        put_text(&b, 0x19, 0x10, "LO", "GEMS_ACQU_01");
        put_element(&b, 0x19, 0x10cc, "SS", &venc, 2);
    }
    put_text(&b, 0x20, 0x0d, "UI", "1.2.3.4");
    snprintf(text, sizeof text, "%s.%d", UID, phase && s->maker != PHILIPS ? 2 : 1); /* Philips: one series for both */
    put_text(&b, 0x20, 0x0e, "UI", text);
    put_number(&b, 0x20, 0x13, "IS", NT - t); /* not the order in time */
    snprintf(text, sizeof text, "-7\\11\\%g", s->z_mm);
    put_text(&b, 0x20, 0x32, "DS", text);
    put_text(&b, 0x20, 0x37, "DS", "0\\1\\0\\0\\0\\-1");
    put_shape(&b, NX, NY, NULL, "1.25\\1.25", ge);
    if (ge) {
        const int16_t least = phase ? -200 : 0;
        put_element(&b, 0x28, 0x106, "SS", &least, 2);
    }
    if (s->maker == PHILIPS && phase) {
        const double half = s->mrad ? 1000 * M_PI : s->venc_cm_s;
        put_number(&b, 0x28, 0x1052, "DS", -half);
        put_number(&b, 0x28, 0x1053, "DS", 2 * half / 4095);
        if (s->mrad)
            put_text(&b, 0x28, 0x1054, "LO", "mrad");
        const float venc[3] = {0, 0, (float)s->venc_cm_s};
        put_text(&b, 0x2001, 0x10, "LO", "Philips Imaging DD 001");
        put_element(&b, 0x2001, 0x101a, "FL", venc, sizeof venc);
    }
    if (s->maker == SIEMENS && phase) {
        put_text(&b, 0x28, 0x1052, "DS", "-4096");
        put_text(&b, 0x28, 0x1053, "DS", "2");
    }
    draw_image(s, phase, t, pixel);
    put_element(&b, 0x7fe0, 0x10, "OW", pixel, sizeof pixel);
    snprintf(text, sizeof text, "%s/%c%g%d.dcm", folder, phase ? 'p' : 'm', s->z_mm, (t * 3) % NT);
    write_file(text, &b);
}

static void sequence(buffer *to, unsigned group, unsigned element, const buffer *content) {
    static buffer item;
    item.n = 0;
    put_item(&item, content);
    put_element(to, group, element, "SQ", item.data, item.n);
}

static void put_fd(buffer *b, unsigned group, unsigned element, int n, const double *x) {
    put_element(b, group, element, "FD", x, 8 * (size_t)n);
}

/* The functional groups of a frame: type, time, velocity encoding, real world values. */
static void put_frame(buffer *to, const scan *s, bool phase, int t, const double direction[3]) {
    static buffer group, inner, deeper;
    const double low = -s->venc_cm_s, time_ms = 15 + 100 * t, slope = 2 * s->venc_cm_s / 4096,
                 intercept = -s->venc_cm_s;
    group.n = inner.n = deeper.n = 0;
    put_text(&inner, 8, 0x9007, "CS", "ORIGINAL\\PRIMARY\\VELOCITY\\NONE");
    put_text(&inner, 8, 0x9208, "CS", phase ? "PHASE" : "MAGNITUDE");
    sequence(&group, 0x18, 0x9226, &inner);
    inner.n = 0;
    put_fd(&inner, 0x20, 0x9070, 1, &s->rr_ms);
    put_fd(&inner, 0x20, 0x9153, 1, &time_ms);
    sequence(&group, 0x18, 0x9118, &inner);
    inner.n = 0;
    put_fd(&inner, 0x18, 0x9090, 3, direction);
    put_fd(&inner, 0x18, 0x9091, 1, &low);
    put_fd(&inner, 0x18, 0x9217, 1, &s->venc_cm_s);
    sequence(&group, 0x18, 0x9197, &inner);
    if (phase) {
        inner.n = 0;
        put_text(&deeper, 8, 0x100, "SH", "cm/s");
        sequence(&inner, 0x40, 0x8ea, &deeper);
        put_fd(&inner, 0x40, 0x9224, 1, &intercept);
        put_fd(&inner, 0x40, 0x9225, 1, &slope);
        sequence(&group, 0x40, 0x9096, &inner);
    }
    put_item(to, &group);
}

static void write_enhanced(const char *path, const scan *s, const double direction[3]) {
    static buffer b, groups, inner, frames;
    static uint16_t pixel[2 * NT * NX * NY];
    char text[16];
    b.n = groups.n = frames.n = inner.n = 0;
    put_start(&b, "1.2.840.10008.5.1.4.1.1.4.1", "1.2.826.0.1.99.8");
    put_text(&b, 8, 0x60, "CS", "MR");
    put_text(&b, 0x10, 0x10, "PN", "SECRET^NAME");
    put_text(&b, 0x20, 0x0d, "UI", "1.2.3.4");
    put_text(&b, 0x20, 0x0e, "UI", UID);
    snprintf(text, sizeof text, "%d", 2 * NT);
    put_shape(&b, NX, NY, text, NULL, false);
    put_text(&inner, 0x20, 0x32, "DS", "-7\\11\\4");
    sequence(&groups, 0x20, 0x9113, &inner);
    inner.n = 0;
    put_text(&inner, 0x20, 0x37, "DS", "0\\1\\0\\0\\0\\-1");
    sequence(&groups, 0x20, 0x9116, &inner);
    inner.n = 0;
    put_text(&inner, 0x28, 0x30, "DS", "1.25\\1.25");
    sequence(&groups, 0x28, 0x9110, &inner);
    sequence(&b, 0x5200, 0x9229, &groups);
    for (int k = 0; k < 2 * NT; k++) { /* magnitude and phase by turns */
        put_frame(&frames, s, k % 2, k / 2, direction);
        draw_image(s, k % 2, k / 2, pixel + k * NX * NY);
    }
    put_element(&b, 0x5200, 0x9230, "SQ", frames.data, frames.n);
    put_element(&b, 0x7fe0, 0x10, "OW", pixel, sizeof pixel);
    write_file(path, &b);
}
#endif
