/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/output/qc_picture.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "segment/checks/leak.h"
#include "common/draw/canvas.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL = 520, GAP = 12, HEAD = 64, FOOT_LINE = 24 };
static const colour background = {18, 20, 24}, panel_ground = {0, 0, 0}, ink = {235, 235, 235}, dim = {150, 155, 165};
static const colour body = {225, 75, 65}, contour = {255, 196, 0}, seed_ink = {64, 220, 255},
                    opening_ink = {130, 255, 130}, red = {255, 90, 80}, doubt = {255, 70, 220};

/* One view: its name, the LPS axes that point right and down, and the letters at its four edges. */
typedef struct {
    const char *name, *body; /* body: caption of the rendered lumen in the same view */
    int right, down, through;
    double right_sign, down_sign;
    double away;         /* 1: the viewer looks along the axis `through`; -1: against the axis */
    const char *edge[4]; /* letters at the edges: left, right, top, bottom */
} plane;
static const plane planes[3] = {
    {"axial", "lumen from the feet", 0, 1, 2, 1, 1, 1, {"R", "L", "A", "P"}},
    {"coronal", "lumen from the front", 0, 2, 1, 1, -1, 1, {"R", "L", "S", "I"}},
    {"sagittal", "lumen from the left", 1, 2, 0, 1, -1, -1, {"A", "P", "S", "I"}},
};

typedef struct {
    double low[3], high[3]; /* corners of the lumen's box, LPS mm */
} box;

typedef struct {
    int x, y; /* top left pixel of the panel, in the picture */
    double mm_per_px;
    double middle[3]; /* point at the centre of the panel, LPS */
} frame;

/* Bounding box of the lumen, LPS. */
static box lumen_box(const volume *phi) {
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < phi->dims[2]; k++)
        for (int j = 0; j < phi->dims[1]; j++)
            for (int i = 0; i < phi->dims[0]; i++) {
                double p[3];
                if (phi->value[volume_index(phi, i, j, k)] >= 0)
                    continue;
                volume_to_lps(phi, (const double[3]){i, j, k}, p);
                for (int a = 0; a < 3; a++) {
                    b.low[a] = fmin(b.low[a], p[a]);
                    b.high[a] = fmax(b.high[a], p[a]);
                }
            }
    return b;
}

/* A frame that shows the whole lumen with a margin; the plane passes through `centre`. */
static frame lumen_frame(const plane *p, const box *b, const double centre[3], int x, int y) {
    frame f = {.x = x, .y = y};
    double width = b->high[p->right] - b->low[p->right], height = b->high[p->down] - b->low[p->down];
    double size = fmax(fmax(width, height) * 1.25, 20);
    for (int a = 0; a < 3; a++)
        f.middle[a] = 0.5 * (b->low[a] + b->high[a]);
    f.middle[p->through] = centre[p->through];
    f.mm_per_px = size / PANEL;
    return f;
}

static void pixel_to_lps(const plane *p, const frame *f, double x, double y, double lps[3]) {
    memcpy(lps, f->middle, 3 * sizeof(double));
    lps[p->right] += p->right_sign * (x + 0.5 - PANEL / 2.0) * f->mm_per_px;
    lps[p->down] += p->down_sign * (y + 0.5 - PANEL / 2.0) * f->mm_per_px;
}

static double phi_at(const volume *phi, const double lps[3]) {
    return volume_contains(phi, lps) ? volume_sample(phi, lps) : 1e3;
}

/* Grey window from the seeds: intensities of vessel and surroundings, widened by half of their contrast and two
 * standard deviations of the noise. */
static void set_seeds_window(const seeds_statistics *s, double *low, double *high) {
    const double spare = 0.5 * fabs(s->inside - s->outside) + 2 * s->noise;
    *low = fmin(s->inside, s->outside) - spare;
    *high = fmax(fmax(s->inside, s->outside) + spare, *low + 1e-6);
}

/* Grey window without seeds: 1st to 99.5th percentile of the image in the lumen's box plus 10 mm. */
static void set_image_window(const volume *image, const box *b, double *low, double *high) {
    enum { SAMPLES = 32 };
    float *value = malloc(sizeof(float) * SAMPLES * SAMPLES * SAMPLES);
    int n = 0;
    *low = 0, *high = 1;
    if (value == NULL)
        return;
    for (int k = 0; k < SAMPLES; k++)
        for (int j = 0; j < SAMPLES; j++)
            for (int i = 0; i < SAMPLES; i++) {
                const int at[3] = {i, j, k};
                double p[3];
                for (int a = 0; a < 3; a++)
                    p[a] = b->low[a] - 10 + (b->high[a] - b->low[a] + 20) * (at[a] + 0.5) / SAMPLES;
                if (volume_contains(image, p))
                    value[n++] = (float)volume_sample(image, p);
            }
    if (n > 0) {
        qsort(value, (size_t)n, sizeof *value, order_float);
        *low = (double)value[n / 100];
        *high = fmax((double)value[n - 1 - n / 200], *low + 1e-6);
    }
    free(value);
}

/* ------------------------------------------------------------------------------------------------- one plane */

static void draw_image(canvas *c, const qc_view *view, const plane *p, const frame *f, const double grey[2]) {
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = 0; y < PANEL; y++)
        for (int x = 0; x < PANEL; x++) {
            double lps[3], g = 0;
            pixel_to_lps(p, f, x, y, lps);
            double phi = phi_at(view->phi, lps);
            if (view->image != NULL && view->image->value != NULL) {
                if (volume_contains(view->image, lps))
                    g = (volume_sample(view->image, lps) - grey[0]) / (grey[1] - grey[0]);
            } else {
                g = phi < 0 ? 0.55 : 0.12;
            }
            unsigned char v = (unsigned char)(255 * fmin(1, fmax(0, g)));
            canvas_blend(c, f->x + x, f->y + y, (colour){v, v, v}, 1);
        }
}

/* Outward normal of phi at a place. */
static void normal_at(const volume *phi, const double at[3], double n[3]) {
    double norm = 1e-12, e = phi->spacing_mm[0];
    for (int a = 0; a < 3; a++) {
        double q[3] = {at[0], at[1], at[2]}, r[3] = {at[0], at[1], at[2]};
        q[a] += e;
        r[a] -= e;
        n[a] = fmin(phi_at(phi, q), 3 * e) - fmin(phi_at(phi, r), 3 * e);
        norm += n[a] * n[a];
    }
    for (int a = 0; a < 3; a++)
        n[a] /= sqrt(norm);
}

/* True where the image has no edge at this place of the wall. Wall on the faces of the image is never doubtful. */
static bool is_doubtful_wall(const qc_view *view, const double at[3], const double n[3]) {
    double out[3];
    for (int a = 0; a < 3; a++)
        out[a] = at[a] + view->phi->spacing_mm[0] * n[a];
    return view->seeds != NULL && view->image != NULL && view->image->value != NULL &&
           volume_contains(view->image, out) && !leak_edge_at(view->image, view->seeds, at, n);
}

/* Draw phi = 0 as an antialiased line of 1.8 pixels; a pixel's distance from it follows from the in-plane slope of
 * phi. */
static void draw_contour(canvas *c, const qc_view *view, const plane *p, const frame *f) {
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = 0; y < PANEL; y++)
        for (int x = 0; x < PANEL; x++) {
            double at[3], right[3], down[3], n[3];
            pixel_to_lps(p, f, x, y, at);
            pixel_to_lps(p, f, x + 1, y, right);
            pixel_to_lps(p, f, x, y + 1, down);
            double v = phi_at(view->phi, at);
            if (fabs(v) > 4 * f->mm_per_px)
                continue;
            double slope = hypot(phi_at(view->phi, right) - v, phi_at(view->phi, down) - v);
            double away = fabs(v) / fmax(slope, 0.2 * f->mm_per_px);
            if (away >= 1.4)
                continue;
            normal_at(view->phi, at, n);
            canvas_blend(c, f->x + x, f->y + y, is_doubtful_wall(view, at, n) ? doubt : contour, fmin(1, 1.4 - away));
        }
}

/* Draw a ring around the point q of the panel, radius in pixels. */
static void draw_ring(canvas *c, const plane *p, const frame *f, const double q[3], double radius, colour ring_ink) {
    double x = p->right_sign * (q[p->right] - f->middle[p->right]) / f->mm_per_px + PANEL / 2.0;
    double y = p->down_sign * (q[p->down] - f->middle[p->down]) / f->mm_per_px + PANEL / 2.0;
    int size = (int)radius + 2;
    for (int j = -size; j <= size; j++)
        for (int i = -size; i <= size; i++)
            if (x + i >= 0 && x + i < PANEL && y + j >= 0 && y + j < PANEL)
                canvas_blend(c, f->x + (int)x + i, f->y + (int)y + j, ring_ink,
                             fmin(1, fmax(0, 1.5 - fabs(hypot(i, j) - radius))));
}

/* Draw the trace of an opening's plane, 9 mm to both sides of the opening's point, and the name of the opening. If the
 * plane is unknown or parallel to the panel, draw a ring instead. */
static int draw_opening(canvas *c, const plane *p, const frame *f, const struct qc_opening *o) {
    const double reach = 9 / f->mm_per_px, u = -o->normal[p->down] * p->down_sign,
                 v = o->normal[p->right] * p->right_sign;
    const double x = p->right_sign * (o->point_mm[p->right] - f->middle[p->right]) / f->mm_per_px + PANEL / 2.0;
    const double y = p->down_sign * (o->point_mm[p->down] - f->middle[p->down]) / f->mm_per_px + PANEL / 2.0;
    const double norm = isnan(o->normal[0]) ? 0 : hypot(u, v);
    if (x < 0 || x >= PANEL || y < 0 || y >= PANEL)
        return OK;
    if (norm < 0.2)
        draw_ring(c, p, f, o->point_mm, 7, opening_ink);
    for (double t = -reach; t <= reach && norm >= 0.2; t += 0.25)
        for (int wide = 0; wide < 2; wide++) {
            const double px = x + t * u / norm + wide * v / norm, py = y + t * v / norm - wide * u / norm;
            if (px >= 0 && px < PANEL && py >= 0 && py < PANEL)
                canvas_blend(c, f->x + (int)px, f->y + (int)py, opening_ink, 0.5);
        }
    return canvas_text(c, f->x + (int)fmin(x + 12, PANEL - 60), f->y + (int)fmin(fmax(y - 20, 30), PANEL - 40), 15, 1,
                       ANCHOR_LEFT, opening_ink, o->name);
}

/* Draw seeds, pouches, losses of signal and bridged gaps (all, or only those near this plane), and the place of the
 * alarm. */
static void draw_marks(canvas *c, const qc_view *view, const plane *p, const frame *f, bool all) {
    for (int s = 0; s < view->n_seed && view->seed_mm != NULL; s++)
        if (all || fabs(view->seed_mm[s][p->through] - f->middle[p->through]) <= 3)
            draw_ring(c, p, f, view->seed_mm[s], 4.5, seed_ink);
    for (int k = 0; k < view->n_pouch; k++) {
        const tube_pouch *o = &view->pouch[k];
        if (all || fabs(o->at_mm[p->through] - f->middle[p->through]) <= o->radius_mm)
            draw_ring(c, p, f, o->at_mm, o->radius_mm / f->mm_per_px + 4, doubt);
    }
    for (int k = 0; view->losses != NULL && k < view->losses->n; k++) {
        const signal_loss *o = &view->losses->found[k];
        if (all || fabs(o->point_mm[p->through] - f->middle[p->through]) <= o->vessel_mm)
            draw_ring(c, p, f, o->point_mm, 1.5 * o->vessel_mm / f->mm_per_px + 4, red);
    }
    for (int k = 0; view->gaps != NULL && k < view->gaps->n; k++) {
        const gap_bridge *o = &view->gaps->found[k];
        if (all || fabs(o->point_mm[p->through] - f->middle[p->through]) <= o->radius_mm[0])
            draw_ring(c, p, f, o->point_mm, (0.5 * o->length_mm + o->radius_mm[0]) / f->mm_per_px + 4, red);
    }
    if (view->alarm_mm != NULL) {
        draw_ring(c, p, f, view->alarm_mm, 18, red);
        draw_ring(c, p, f, view->alarm_mm, 16.5, red);
    }
}

/* The largest of 0.2, 0.5, 1, 2, 5 .. 1000 mm that does not exceed the limit; 0.2 if none does. */
static double scale_bar_mm(double most_mm) {
    static const double nice[] = {1000, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2};
    size_t n = sizeof nice / sizeof nice[0], i = 0;
    while (i + 1 < n && nice[i] > most_mm)
        i++;
    return nice[i];
}

static int draw_labels(canvas *c, const plane *p, const frame *f, const char *name) {
    char text[32];
    double length = scale_bar_mm(PANEL * f->mm_per_px / 4);
    int bar = (int)(length / f->mm_per_px + 0.5), rc = OK, y = f->y + PANEL - 22;
    canvas_fill(c, f->x + 15, y - 1, bar + 2, 6, (colour){0, 0, 0});
    canvas_fill(c, f->x + 16, y, bar, 4, ink);
    snprintf(text, sizeof text, "%g mm", length);
    TRY(canvas_text(c, f->x + 16, y - 32, 17, 0, ANCHOR_LEFT, ink, text));
    TRY(canvas_text(c, f->x + 12, f->y + 10, 20, 1, ANCHOR_LEFT, ink, name));
    TRY(canvas_text(c, f->x + 10, f->y + PANEL / 2 - 12, 20, 1, ANCHOR_LEFT, ink, p->edge[0]));
    TRY(canvas_text(c, f->x + PANEL - 10, f->y + PANEL / 2 - 12, 20, 1, ANCHOR_RIGHT, ink, p->edge[1]));
    TRY(canvas_text(c, f->x + PANEL / 2, f->y + 10, 20, 1, ANCHOR_CENTRE, ink, p->edge[2]));
    TRY(canvas_text(c, f->x + PANEL / 2, f->y + PANEL - 30, 20, 1, ANCHOR_CENTRE, ink, p->edge[3]));
cleanup:
    return rc;
}

/* --------------------------------------------------------------------------------------------- rendered lumen */

/* Returns the view with the largest projected box of the lumen; if two are about equal, the coronal view. */
static const plane *broadest_view(const box *b) {
    int best = 1;
    double most = 0;
    for (int k = 0; k < 3; k++) {
        const plane *p = &planes[k];
        double size = (b->high[p->right] - b->low[p->right]) * (b->high[p->down] - b->low[p->down]);
        best = size > most * (k == 1 ? 0.999 : 1.001) ? k : best;
        most = fmax(most, size);
    }
    return &planes[best];
}

/* Sphere tracing: move `at` along the view to the first point of the lumen; false: no hit. depth: 0 near, 1 far. */
static bool trace_to_lumen(const qc_view *view, const plane *p, const box *b, double at[3], double *depth) {
    double step = 0.5 * view->phi->spacing_mm[0], length = b->high[p->through] - b->low[p->through] + 4 * step;
    double from = p->away > 0 ? b->low[p->through] - 2 * step : b->high[p->through] + 2 * step;
    for (double t = 0; t < length;) {
        at[p->through] = from + p->away * t;
        double value = phi_at(view->phi, at);
        *depth = t / length;
        if (value <= 0)
            return true;
        t += value > 100 ? step : fmax(step, 0.9 * fmin(value, 5));
    }
    return false;
}

/* Render the lumen, lit from the viewer. */
static void draw_rendering(canvas *c, const qc_view *view, const plane *p, const frame *f, const box *b) {
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = 0; y < PANEL; y++)
        for (int x = 0; x < PANEL; x++) {
            double at[3], n[3], depth;
            pixel_to_lps(p, f, x, y, at);
            if (!trace_to_lumen(view, p, b, at, &depth))
                continue;
            normal_at(view->phi, at, n);
            double light = (0.25 + 0.75 * fmax(0, -p->away * n[p->through])) * (1 - 0.35 * depth);
            const colour ground = is_doubtful_wall(view, at, n) ? doubt : body;
            canvas_blend(c, f->x + x, f->y + y,
                         (colour){(unsigned char)(ground.r * light), (unsigned char)(ground.g * light),
                                  (unsigned char)(ground.b * light)},
                         1);
        }
}

/* ------------------------------------------------------------------------------------------------- the picture */

static int draw_texts(canvas *c, const qc_view *view, int y) {
    int rc = OK;
    TRY(canvas_text(c, GAP, 14, 26, 1, ANCHOR_LEFT, ink, view->title));
    if (view->alarm != NULL)
        TRY(canvas_text(c, GAP, 52, 16, 1, ANCHOR_LEFT, red, view->alarm));
    for (int k = 0; k < view->n_line; k++)
        TRY(canvas_text(c, GAP + (k % 2) * (PANEL + GAP), y + (k / 2) * FOOT_LINE, 17, 0, ANCHOR_LEFT, dim,
                        view->line[k]));
cleanup:
    return rc;
}

int qc_write(const char *path, const qc_view *view) {
    canvas c = {0};
    int rc = OK, head = HEAD + (view->alarm != NULL ? 14 : -10);
    int foot = (view->n_line + 1) / 2 * FOOT_LINE + GAP;
    box b = lumen_box(view->phi);
    double grey[2] = {0, 1};
    if (view->seeds != NULL)
        set_seeds_window(view->seeds, &grey[0], &grey[1]);
    else if (view->image != NULL && view->image->value != NULL)
        set_image_window(view->image, &b, &grey[0], &grey[1]);
    TRY(canvas_create(&c, 2 * PANEL + 3 * GAP, head + 2 * PANEL + 2 * GAP + foot, background));
    for (int k = 0; k < 4; k++) {
        const plane *p = k == 3 ? broadest_view(&b) : &planes[k];
        frame f = lumen_frame(p, &b, view->centre_mm, GAP + (k % 2) * (PANEL + GAP), head + (k / 2) * (PANEL + GAP));
        canvas_fill(&c, f.x, f.y, PANEL, PANEL, panel_ground);
        if (k < 3) {
            draw_image(&c, view, p, &f, grey);
            draw_contour(&c, view, p, &f);
        } else {
            draw_rendering(&c, view, p, &f, &b);
        }
        draw_marks(&c, view, p, &f, k == 3);
        for (int o = 0; o < view->n_opening; o++)
            if (k == 3 || fabs(view->opening[o].point_mm[p->through] - f.middle[p->through]) <= 8)
                TRY(draw_opening(&c, p, &f, &view->opening[o]));
        TRY(draw_labels(&c, p, &f, k == 3 ? p->body : p->name));
    }
    TRY(draw_texts(&c, view, head + 2 * (PANEL + GAP)));
    TRY(canvas_write_png(&c, path));
cleanup:
    canvas_free(&c);
    return rc;
}
