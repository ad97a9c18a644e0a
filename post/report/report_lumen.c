/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of report_parts.h: the image with the contour of the lumen, as a whole and at every opening and
 * section. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/order.h"
#include "common/base/vec.h"
#include "post/report/report_parts.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 96, HEADER = 54, PALETTE = 1024 };

/* A square patch across the vessel; right and up are directions on the page. */
typedef struct {
    double centre_mm[3], right[3], up[3], half_mm;
} patch;

/* Choose the directions of the page. Up is towards the head, or towards the front if the vessel is along the body axis;
 * right is towards the patient's left. */
static void patch_axes(const double normal[3], patch *p) {
    const double head[3] = {0, 0, 1}, front[3] = {0, -1, 0};
    const double *wish = fabs(normal[2]) < 0.8 ? head : front;
    for (int a = 0; a < 3; a++)
        p->up[a] = wish[a] - vec_dot(wish, normal) * normal[a];
    vec_normalize(p->up);
    vec_cross(p->up, normal, p->right);
    vec_normalize(p->right);
    const double sign = fabs(p->right[0]) > 1e-6 ? p->right[0] : p->right[1];
    for (int a = 0; a < 3; a++)
        p->right[a] *= sign < 0 ? -1 : 1;
}

static void patch_point(const patch *p, double column, double row, double lps[3]) {
    const double x = (2 * column / (SIDE - 1) - 1) * p->half_mm, y = (1 - 2 * row / (SIDE - 1)) * p->half_mm;
    for (int a = 0; a < 3; a++)
        lps[a] = p->centre_mm[a] + x * p->right[a] + y * p->up[a];
}

static const char *direction_letter(const double direction[3], double sign) {
    static const char *const name[3][2] = {{"R", "L"}, {"A", "P"}, {"I", "S"}};
    int a = 0;
    for (int k = 1; k < 3; k++)
        a = fabs(direction[k]) > fabs(direction[a]) ? k : a;
    return name[a][sign * direction[a] > 0];
}

static void put32(uint8_t *to, uint32_t value) {
    for (int k = 0; k < 4; k++)
        to[k] = (uint8_t)(value >> 8 * k);
}

/* Draw the image on the patch as an 8-bit grey BMP; black outside the image. */
static void draw_image(html *h, const volume *image, const patch *p) {
    static uint8_t file[HEADER + PALETTE + SIDE * SIDE];
    float value[SIDE * SIDE], sorted[SIDE * SIDE];
    int n = 0;
    for (int k = 0; k < SIDE * SIDE; k++) {
        double lps[3];
        const int row = k / SIDE;
        patch_point(p, k % SIDE, row, lps);
        value[k] = volume_contains(image, lps) ? (float)volume_sample(image, lps) : NAN;
        if (isfinite(value[k]))
            sorted[n++] = value[k];
    }
    qsort(sorted, (size_t)n, sizeof *sorted, order_float);
    const float low = n ? sorted[n / 100] : 0, high = n ? sorted[n - 1 - n / 100] : 1;
    memset(file, 0, sizeof file);
    file[0] = 'B';
    file[1] = 'M';
    put32(file + 2, sizeof file);
    put32(file + 10, HEADER + PALETTE);
    put32(file + 14, 40);
    put32(file + 18, SIDE);
    put32(file + 22, SIDE);
    file[26] = 1;
    file[28] = 8;
    for (int k = 0; k < 256; k++)
        memset(file + HEADER + 4 * k, k, 3);
    for (int k = 0; k < SIDE * SIDE; k++) { /* the rows of a BMP run from bottom to top */
        const float grey = 255 * (value[k] - low) / (high > low ? high - low : 1);
        const int row = SIDE - 1 - k / SIDE;
        file[HEADER + PALETTE + row * SIDE + k % SIDE] = isfinite(grey) ? (uint8_t)fminf(fmaxf(grey, 0), 255) : 0;
    }
    html_add(h, "<image width=\"%d\" height=\"%d\" preserveAspectRatio=\"none\" href=\"data:image/bmp;base64,", SIDE,
             SIDE);
    html_base64(h, file, sizeof file);
    html_add(h, "\"/>");
}

/* Zero crossing on the edge from a to b, 0..1. */
static double zero_crossing(double a, double b) {
    return a / (a - b);
}

/* Draws the contour phi = 0 in the squares of the patch (marching squares; a saddle gives two lines). */
static void draw_contour(html *h, const volume *phi, const patch *p) {
    static double d[SIDE * SIDE];
    for (int k = 0; k < SIDE * SIDE; k++) {
        double lps[3];
        const int row = k / SIDE;
        patch_point(p, k % SIDE, row, lps);
        d[k] = volume_contains(phi, lps) ? volume_sample(phi, lps) : 1;
        d[k] = d[k] == 0 ? 1e-9 : d[k];
    }
    html_add(h, "<path fill=\"none\" stroke=\"#ffb000\" stroke-width=\"1.2\" d=\"");
    for (int j = 0; j + 1 < SIDE; j++)
        for (int i = 0; i + 1 < SIDE; i++) {
            const double v[4] = {d[j * SIDE + i], d[j * SIDE + i + 1], d[(j + 1) * SIDE + i + 1],
                                 d[(j + 1) * SIDE + i]};
            const double corner[5][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}, {i, j}};
            double at[4][2];
            int n = 0;
            for (int e = 0; e < 4; e++) {
                if ((v[e] < 0) == (v[(e + 1) % 4] < 0))
                    continue;
                const double t = zero_crossing(v[e], v[(e + 1) % 4]);
                for (int a = 0; a < 2; a++)
                    at[n][a] = corner[e][a] + t * (corner[e + 1][a] - corner[e][a]) + 0.5;
                n++;
            }
            for (int k = 0; k + 1 < n; k += 2)
                html_add(h, "M%.1f %.1fL%.1f %.1f", at[k][0], at[k][1], at[k + 1][0], at[k + 1][1]);
        }
    html_add(h, "\"/>");
}

static void draw_patch(html *h, const report_input *in, const char *name, const double centre_mm[3],
                       const double normal[3], double area_mm2) {
    const double radius_mm = sqrt(area_mm2 / M_PI);
    patch p = {.half_mm = fmax(2.5 * radius_mm, radius_mm + 6)};
    if (!(area_mm2 > 0))
        return;
    memcpy(p.centre_mm, centre_mm, sizeof p.centre_mm);
    patch_axes(normal, &p);
    html_add(h, "<figure class=\"slice\"><svg viewBox=\"0 0 %d %d\" width=\"100%%\" role=\"img\">", SIDE, SIDE);
    draw_image(h, in->image, &p);
    if (in->phi)
        draw_contour(h, in->phi, &p);
    const struct {
        int x, y;
        const char *text;
    } mark[] = {{SIDE / 2, 8, direction_letter(p.up, 1)},
                {SIDE / 2, SIDE - 2, direction_letter(p.up, -1)},
                {4, SIDE / 2, direction_letter(p.right, -1)},
                {SIDE - 4, SIDE / 2, direction_letter(p.right, 1)}};
    for (int k = 0; k < 4; k++)
        html_add(h, "<text x=\"%d\" y=\"%d\" font-size=\"7\" fill=\"#fff\" text-anchor=\"middle\">%s</text>", mark[k].x,
                 mark[k].y, mark[k].text);
    const double bar = 0.5 * SIDE / p.half_mm * 5; /* length of a scale bar of 5 mm */
    html_add(h, "<path d=\"M4 %d h%.1f\" stroke=\"#fff\" stroke-width=\"1.5\"/></svg><figcaption>", SIDE - 4, bar);
    html_escape(h, name);
    html_add(h, ", &#8960;&nbsp;%.1f&nbsp;mm</figcaption></figure>", 2 * radius_mm);
}

void report_add_lumen(html *h, const report_input *in) {
    if (!in->qc_path && !in->image)
        return;
    html_add(h, "<h2>The lumen in the image</h2>\n");
    if (in->qc_path) {
        html_add(h, "<figure><img class=\"dark\" alt=\"The image with the lumen\" src=\"");
        html_png(h, in->qc_path);
        html_add(h, "\"><figcaption>Three planes through the widest part with the wall that was found, and the whole "
                    "lumen. Every number of this report depends on this wall.</figcaption></figure>\n");
    }
    if (!in->image)
        return;
    html_add(h, "<p class=\"small\">The image across the vessel at every opening and section, with the wall; the bar "
                "is 5&nbsp;mm long, letters are directions in the patient, &#8960; is the diameter of a circle of "
                "equal area.</p><div class=\"slices\">");
    for (int k = 0; k < in->l->n_opening; k++) {
        const lattice_opening *o = &in->l->opening[k];
        if (o->role != LATTICE_MOVING_WALL)
            draw_patch(h, in, o->name, o->centre_mm, o->normal, o->area_mm2);
    }
    for (int k = 0; k < in->r->n_section; k++) {
        const flow_section *s = &in->r->section[k];
        draw_patch(h, in, in->r->place[in->r->n_opening + k].name, s->centroid_mm, s->normal, s->area_mm2);
    }
    html_add(h, "</div>\n");
    for (int k = 0; k < in->n_straightened; k++) {
        char *path = file_join(in->figure_folder, in->straightened[k].file);
        html_add(h, "<figure><img class=\"dark\" alt=\"The image along the vessel\" src=\"");
        html_png(h, path ? path : "");
        html_text(h, "\"><figcaption>", in->straightened[k].caption, "</figcaption></figure>\n");
        free(path);
    }
}
