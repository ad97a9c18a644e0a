/* SPDX-License-Identifier: Apache-2.0 */
#include "post/picture/straightened.h"
#include "common/base/file.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/draw/canvas.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 960, BORDER = 20, HEAD = 44, GAP = 10, FOOT = 40, STRIP_MOST = 360, STRIP_LEAST = 60 };
/* half-width of a picture: SIDE_RADII times the largest radius of the lumen, but no less than this radius plus
 * SIDE_MM */
static const double SIDE_RADII = 2.5, SIDE_MM = 6;
static const double SMOOTH_RADII = 1; /* half-width of the moving average of the path, in radii of the lumen; chosen */
static const colour ground = {18, 20, 24}, ink = {235, 235, 235}, contour = {255, 176, 0};

/* The path from opening to opening, with points one pixel apart. */
typedef struct {
    int n;
    double (*at_mm)[3];
    double (*axis)[2][3];
    double radius_mm, length_mm; /* radius_mm: largest radius of the lumen on the path */
    double mm_per_pixel, half_mm;
} straight_path;

static void path_free(straight_path *p) {
    free(p->at_mm);
    free(p->axis);
    memset(p, 0, sizeof *p);
}

static void tangent_at(int n, const double (*at_mm)[3], int k, double tangent[3]) {
    vec_add(at_mm[k + 1 < n ? k + 1 : k], -1, at_mm[k > 0 ? k - 1 : k], tangent);
    if (!vec_normalize(tangent))
        tangent[0] = 1;
}

/* Reflects v at the plane perpendicular to d. */
static void reflect(const double d[3], double v[3]) {
    const double square = vec_dot(d, d);
    if (square > 0)
        vec_add(v, -2 * vec_dot(d, v) / square, d, v);
}

void straightened_frames(int n, const double (*at_mm)[3], double (*axis)[2][3]) {
    double tangent[3], first[3][3];
    tangent_at(n, at_mm, 0, tangent);
    vec_axes(tangent, first);
    memcpy(axis[0][0], first[0], sizeof first[0]);
    memcpy(axis[0][1], first[1], sizeof first[1]);
    for (int k = 0; k + 1 < n; k++) {
        double step[3], along[3], next[3], turn[3], u[3];
        memcpy(u, axis[k][0], sizeof u);
        tangent_at(n, at_mm, k, along);
        tangent_at(n, at_mm, k + 1, next);
        vec_add(at_mm[k + 1], -1, at_mm[k], step);
        reflect(step, u);
        reflect(step, along);
        vec_add(next, -1, along, turn);
        reflect(turn, u);
        vec_add(u, -vec_dot(u, next), next, u);
        if (!vec_normalize(u))
            memcpy(u, axis[k][0], sizeof u);
        memcpy(axis[k + 1][0], u, sizeof u);
        vec_cross(next, u, axis[k + 1][1]);
    }
}

/* ------------------------------------------------------------------------------------------------------- the path */

/* Interpolates a polyline at equal distances of step_mm. arc [n]: arc length at each point of the polyline. */
static void resample(int n, const double (*from)[3], const double *arc, int m, double step_mm, double (*to)[3]) {
    for (int k = 0, i = 0; k < m; k++) {
        const double s = fmin(k * step_mm, arc[n - 1]);
        while (i + 2 < n && arc[i + 1] < s)
            i++;
        const double length = arc[i + 1] - arc[i], part = length > 0 ? (s - arc[i]) / length : 0;
        for (int a = 0; a < 3; a++)
            to[k][a] = (1 - part) * from[i][a] + part * from[i + 1][a];
    }
}

/* Moving average over up to `half` points to both sides, fewer near the ends. */
static void smooth(int n, int half, const double (*from)[3], double (*to)[3]) {
    for (int k = 0; k < n; k++) {
        const int room = k < n - 1 - k ? k : n - 1 - k, m = half < room ? half : room;
        for (int a = 0; a < 3; a++) {
            double sum = 0;
            for (int i = k - m; i <= k + m; i++)
                sum += from[i][a];
            to[k][a] = sum / (2 * m + 1);
        }
    }
}

static int make_path(int n, const double (*raw)[3], double radius_mm, straight_path *p) {
    double *arc = malloc((size_t)n * sizeof *arc);
    double(*even)[3] = NULL;
    int rc = OK;
    if (arc == NULL)
        return fail_memory("a straightened picture", 8.0 * n);
    arc[0] = 0;
    for (int k = 1; k < n; k++)
        arc[k] = arc[k - 1] + vec_distance(raw[k], raw[k - 1]);
    p->length_mm = arc[n - 1];
    p->radius_mm = radius_mm;
    p->half_mm = fmax(SIDE_RADII * radius_mm, radius_mm + SIDE_MM);
    p->mm_per_pixel = fmax(p->length_mm / (WIDTH - 2 * BORDER), 2 * p->half_mm / STRIP_MOST);
    p->n = (int)(p->length_mm / p->mm_per_pixel) + 1;
    p->at_mm = calloc((size_t)p->n, sizeof *p->at_mm);
    p->axis = calloc((size_t)p->n, sizeof *p->axis);
    even = calloc((size_t)p->n, sizeof *even);
    if (!p->at_mm || !p->axis || !even)
        GIVE_UP(fail_memory("a straightened picture", 96.0 * p->n));
    resample(n, raw, arc, p->n, p->mm_per_pixel, even);
    smooth(p->n, (int)(SMOOTH_RADII * radius_mm / p->mm_per_pixel), (const double(*)[3])even, p->at_mm);
    straightened_frames(p->n, (const double(*)[3])p->at_mm, p->axis);
cleanup:
    free(arc);
    free(even);
    return rc;
}

/* ---------------------------------------------------------------------------------------------------- the picture */

static void pixel_place(const straight_path *p, int plane, int height, double column, double row, double lps[3]) {
    int k = (int)column;
    k = k < 0 ? 0 : k < p->n ? k : p->n - 1;
    vec_add(p->at_mm[k], (height / 2.0 - 0.5 - row) * p->mm_per_pixel, p->axis[k][plane], lps);
}

static bool is_inside(const volume *phi, const double lps[3]) {
    return volume_contains(phi, lps) && volume_sample(phi, lps) < 0;
}

static int draw_strip(canvas *c, const straight_path *p, const volume *image, const volume *phi, int plane, int y,
                      int height) {
    const size_t n = (size_t)p->n * (size_t)height;
    float *value = malloc(n * sizeof *value), *sorted = malloc(n * sizeof *sorted);
    const int left = (WIDTH - p->n) / 2;
    size_t m = 0;
    int rc = OK;
    if (!value || !sorted)
        GIVE_UP(fail_memory("a straightened picture", 8.0 * (double)n));
    for (size_t k = 0; k < n; k++) {
        double lps[3];
        pixel_place(p, plane, height, (double)(k % (size_t)p->n), (double)(k / (size_t)p->n), lps);
        value[k] = volume_contains(image, lps) ? (float)volume_sample(image, lps) : NAN;
        if (isfinite(value[k]))
            sorted[m++] = value[k];
    }
    qsort(sorted, m, sizeof *sorted, order_float);
    const float low = m ? sorted[m / 100] : 0, high = m ? sorted[m - 1 - m / 100] : 1;
    for (size_t k = 0; k < n; k++) {
        const int column = (int)(k % (size_t)p->n), row = (int)(k / (size_t)p->n);
        const float grey = 255 * (value[k] - low) / (high > low ? high - low : 1);
        const unsigned char g = isfinite(grey) ? (unsigned char)fminf(fmaxf(grey, 0), 255) : 0;
        double here[3], right[3], below[3];
        canvas_fill(c, left + column, y + row, 1, 1, (colour){g, g, g});
        pixel_place(p, plane, height, column, row, here);
        pixel_place(p, plane, height, column + 1, row, right);
        pixel_place(p, plane, height, column, row + 1, below);
        const bool inside = is_inside(phi, here);
        if (inside != is_inside(phi, right) || inside != is_inside(phi, below))
            canvas_blend(c, left + column, y + row, contour, 0.9);
    }
cleanup:
    free(value);
    free(sorted);
    return rc;
}

/* A round length of up to `most` mm for the scale bar. */
static double bar_length(double most) {
    const double decade = pow(10, floor(log10(most))), part = most / decade;
    return decade * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

static int draw_path(const straight_path *p, const volume *image, const volume *phi, const char *from, const char *to,
                     const char *path) {
    canvas c = {0};
    char text[160];
    int height = (int)(2 * p->half_mm / p->mm_per_pixel), rc;
    height = height < STRIP_LEAST ? STRIP_LEAST : height;
    const int foot = HEAD + 2 * height + GAP, left = (WIDTH - p->n) / 2;
    const double bar_mm = bar_length(120 * p->mm_per_pixel);
    TRY(canvas_create(&c, WIDTH, foot + FOOT, ground));
    snprintf(text, sizeof text, "%.63s to %.63s, straightened", from, to);
    TRY(canvas_text(&c, left, 12, 16, 1, ANCHOR_LEFT, ink, text));
    snprintf(text, sizeof text, "%.0f mm", p->length_mm);
    TRY(canvas_text(&c, left + p->n, 14, 14, 0, ANCHOR_RIGHT, ink, text));
    for (int plane = 0; plane < 2; plane++)
        TRY(draw_strip(&c, p, image, phi, plane, HEAD + plane * (height + GAP), height));
    canvas_fill(&c, left, foot + 14, (int)lround(bar_mm / p->mm_per_pixel), 4, ink);
    snprintf(text, sizeof text, "%g mm", bar_mm);
    TRY(canvas_text(&c, left + (int)lround(bar_mm / p->mm_per_pixel) + 8, foot + 8, 14, 0, ANCHOR_LEFT, ink, text));
    TRY(canvas_write_png(&c, path));
cleanup:
    canvas_free(&c);
    return rc;
}

static int draw_one(const volume *image, const volume *phi, const lattice *l, const vessel_branches *b,
                    const int pair[2], int number, const char *folder, picture_file *file, int *n_file) {
    straight_path p = {0};
    double(*raw)[3] = NULL, radius_mm = 0;
    char *path = NULL;
    int n = 0, rc;
    snprintf(file->file, sizeof file->file, "straightened_%d.png", number);
    path = file_join(folder, file->file);
    if (path == NULL)
        return fail_memory("a path", FILE_PATH_MAX);
    file_discard(path);
    TRY(branches_path(b, l, pair[0], pair[1], &n, &raw, &radius_mm));
    if (n < 3 || !(radius_mm > 0))
        goto cleanup;
    const char *from = l->opening[pair[0]].name, *to = l->opening[pair[1]].name;
    TRY(make_path(n, (const double(*)[3])raw, radius_mm, &p));
    TRY(draw_path(&p, image, phi, from, to, path));
    snprintf(file->caption, sizeof file->caption,
             "The image straightened along the centerline from %s to %s, in two planes at right angles, with the wall "
             "that was found. Lengths and widths have the same scale. Directions turn with the vessel; angles and "
             "bends are not shown.",
             from, to);
    ++*n_file;
cleanup:
    path_free(&p);
    free(raw);
    free(path);
    return rc;
}

int straightened_draw(const volume *image, const volume *phi, const lattice *l, const vessel_branches *b, int n,
                      const int (*path)[2], const char *folder, picture_file *file, int *n_file) {
    int rc = OK;
    *n_file = 0;
    for (int k = 0; k < n && k < STRAIGHTENED_MAX; k++)
        TRY(draw_one(image, phi, l, b, path[k], k + 1, folder, &file[*n_file], n_file));
cleanup:
    return rc;
}
