/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/flow/flow_picture.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/draw/canvas.h"
#include <math.h>
#include <stdlib.h>

/* PICTURE: size of the picture in screen pixels; LEAST_PIXEL: smallest size of an image pixel on the screen; MARGIN:
 * smallest margin around the region, in image pixels */
enum { PICTURE = 640, LEAST_PIXEL = 2, MARGIN = 12 };
static const colour OUTLINE = {255, 140, 40};

typedef struct {
    int x, y, wide, high; /* part of the slice that is shown, in image pixels */
    int size;             /* screen pixels per image pixel */
} window;

static bool in_region(const phase_contrast *p, int x, int y) {
    return x >= 0 && y >= 0 && x < p->nx && y < p->ny && p->roi[y * p->nx + x] != 0;
}

/* Window around the region. The margin on each side is as wide as the region, but at least MARGIN pixels. */
static window choose_window(const phase_contrast *p) {
    int low[2] = {p->nx, p->ny}, high[2] = {0, 0};
    for (int y = 0; y < p->ny; y++)
        for (int x = 0; x < p->nx; x++)
            if (in_region(p, x, y)) {
                low[0] = x < low[0] ? x : low[0];
                low[1] = y < low[1] ? y : low[1];
                high[0] = x > high[0] ? x : high[0];
                high[1] = y > high[1] ? y : high[1];
            }
    const int dims[2] = {p->nx, p->ny};
    for (int a = 0; a < 2; a++) {
        const int wide = high[a] - low[a] + 1, margin = wide > MARGIN ? wide : MARGIN;
        low[a] = low[a] > margin ? low[a] - margin : 0;
        high[a] = high[a] + margin < dims[a] ? high[a] + margin : dims[a] - 1;
    }
    window w = {low[0], low[1], high[0] - low[0] + 1, high[1] - low[1] + 1, 0};
    const int larger = w.wide > w.high ? w.wide : w.high;
    w.size = PICTURE / larger > LEAST_PIXEL ? PICTURE / larger : LEAST_PIXEL;
    return w;
}

/* Mean over time of the magnitude, or of the speed without magnitude. */
static double mean_at(const phase_contrast *p, int k) {
    const size_t n = (size_t)p->nx * (size_t)p->ny;
    double sum = 0;
    for (int t = 0; t < p->nt; t++)
        sum += p->bright ? (double)p->bright[(size_t)t * n + (size_t)k] : fabs(p->velocity[(size_t)t * n + (size_t)k]);
    return sum / p->nt;
}

/* Lines between pixels inside and outside the region. */
static void draw_outline(const phase_contrast *p, const window *w, canvas *c) {
    const int thick = w->size >= 12 ? 3 : w->size >= 6 ? 2 : 1;
    for (int y = w->y; y < w->y + w->high; y++)
        for (int x = w->x; x < w->x + w->wide; x++) {
            const int left = (x - w->x) * w->size, top = (y - w->y) * w->size;
            if (!in_region(p, x, y))
                continue;
            if (!in_region(p, x - 1, y))
                canvas_fill(c, left, top, thick, w->size, OUTLINE);
            if (!in_region(p, x + 1, y))
                canvas_fill(c, left + w->size - thick, top, thick, w->size, OUTLINE);
            if (!in_region(p, x, y - 1))
                canvas_fill(c, left, top, w->size, thick, OUTLINE);
            if (!in_region(p, x, y + 1))
                canvas_fill(c, left, top + w->size - thick, w->size, thick, OUTLINE);
        }
}

int flow_picture_write(const char *path, const phase_contrast *p, bool *drawn) {
    const window w = choose_window(p);
    const int n = w.wide * w.high;
    double *value = malloc(2 * (size_t)n * sizeof *value), *sorted = value ? value + n : NULL;
    canvas c = {0};
    int rc = value ? OK : fail_memory("the picture of the region", 16.0 * n);
    TRY(rc);
    TRY(canvas_create(&c, w.wide * w.size, w.high * w.size, (colour){0, 0, 0}));
    for (int k = 0; k < n; k++)
        value[k] = sorted[k] = mean_at(p, (w.y + k / w.wide) * p->nx + w.x + k % w.wide);
    qsort(sorted, (size_t)n, sizeof *sorted, order_double);
    const double white = sorted[(int)(0.98 * (n - 1))];
    for (int k = 0; k < n; k++) {
        const double part = white > 0 ? fmin(fmax(value[k] / white, 0), 1) : 0;
        const unsigned char grey = (unsigned char)lround(255 * part);
        canvas_fill(&c, k % w.wide * w.size, k / w.wide * w.size, w.size, w.size, (colour){grey, grey, grey});
    }
    draw_outline(p, &w, &c);
    TRY(canvas_write_png(&c, path));
    *drawn = true;
cleanup:
    canvas_free(&c);
    free(value);
    return rc;
}
