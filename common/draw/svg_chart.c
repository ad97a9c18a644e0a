/* SPDX-License-Identifier: Apache-2.0 */
#include "common/draw/svg_chart.h"
#include <math.h>

enum { WIDTH = 640, HEIGHT = 240, LEFT = 64, RIGHT = 12, TOP = 10, BOTTOM = 42, POINTS = 400 };
static const char *const COLOUR[] = {"#1f5fa8", "#c8501e", "#2a8a3e", "#7a3e9d", "#111111", "#b08a00"};
static const char *const DASH[] = {"", "6 3", "2 3"};

typedef struct {
    double low[2], high[2];
    bool log_y;
} scale;

static double of_y(const scale *s, double y) {
    return s->log_y ? (y > 0 ? log10(y) : NAN) : y;
}

static double pixel_x(const scale *s, double x) {
    return LEFT + (x - s->low[0]) / (s->high[0] - s->low[0]) * (WIDTH - LEFT - RIGHT);
}

static double pixel_y(const scale *s, double y) {
    return TOP + (s->high[1] - y) / (s->high[1] - s->low[1]) * (HEIGHT - TOP - BOTTOM);
}

static bool find_scale(const svg_chart *c, scale *s) {
    *s = (scale){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}, c->log_y};
    int points = 0;
    for (int k = 0; k < c->n; k++)
        for (int i = 0; i < c->curve[k].n; i++) {
            const double x = c->curve[k].x[i], y = of_y(s, c->curve[k].y[i]);
            if (!isfinite(x) || !isfinite(y))
                continue;
            s->low[0] = fmin(s->low[0], x);
            s->high[0] = fmax(s->high[0], x);
            s->low[1] = fmin(s->low[1], y);
            s->high[1] = fmax(s->high[1], y);
            points++;
        }
    if (points < 2 || !(s->high[0] > s->low[0]))
        return false;
    const double room = fmax(0.05 * (s->high[1] - s->low[1]), 1e-3 * fmax(fabs(s->high[1]), 1e-9));
    s->low[1] -= s->low[1] == 0 ? 0 : room;
    s->high[1] += room;
    return true;
}

/* Tick distance of 1, 2 or 5 times a power of ten, for four to eight ticks. */
static double tick_distance(double range) {
    const double decade = pow(10, floor(log10(range / 4)));
    const double part = range / 4 / decade;
    return decade * (part < 2 ? 1 : part < 5 ? 2 : 5);
}

static void add_axes(html *h, const svg_chart *c, const scale *s) {
    for (int axis = 0; axis < 2; axis++) {
        double step = tick_distance(s->high[axis] - s->low[axis]);
        if (axis == 1 && s->log_y)
            step = fmax(1, round(step));
        for (long k = lround(ceil(s->low[axis] / step)); (double)k * step <= s->high[axis] + 1e-9 * step; k++) {
            const double value = (double)k * step;
            const double x = axis ? LEFT : pixel_x(s, value), y = axis ? pixel_y(s, value) : HEIGHT - BOTTOM;
            html_add(h, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", x, y,
                     axis ? WIDTH - RIGHT : x, axis ? y : TOP);
            html_add(h, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" text-anchor=\"%s\">", axis ? x - 5 : x,
                     axis ? y + 4 : y + 15, axis ? "end" : "middle");
            if (axis && s->log_y)
                html_add(h, "1e%.0f</text>", value);
            else
                html_add(h, "%.4g</text>", value);
        }
    }
    html_add(h, "<text x=\"%d\" y=\"%d\" font-size=\"12\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
             HEIGHT - 8);
    html_escape(h, c->x_label);
    html_add(h, "</text><text transform=\"translate(13 %d) rotate(-90)\" font-size=\"12\" text-anchor=\"middle\">",
             (TOP + HEIGHT - BOTTOM) / 2);
    html_escape(h, c->y_label);
    html_add(h, "</text>");
}

/* Draws every n-th point and the last point, up to about POINTS points. */
static void add_curve(html *h, const svg_chart *c, const scale *s, int k) {
    const int n = c->curve[k].n, every = n / POINTS + 1;
    bool pen = false;
    html_add(h, "<path fill=\"none\" stroke-width=\"1.6\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"", COLOUR[k % 6],
             DASH[k / 6 % 3]);
    for (int i = 0; i < n; i += i + every < n || i == n - 1 ? every : n - 1 - i) {
        const double y = of_y(s, c->curve[k].y[i]);
        if (isfinite(y) && isfinite(c->curve[k].x[i]))
            html_add(h, "%s%.1f %.1f", pen ? "L" : "M", pixel_x(s, c->curve[k].x[i]), pixel_y(s, y));
        pen = isfinite(y);
    }
    html_add(h, "\"/>");
}

static void add_legend(html *h, const svg_chart *c) {
    if (c->n < 2)
        return;
    html_add(h, "<p class=\"legend\">");
    for (int k = 0; k < c->n; k++) {
        html_add(h,
                 "<span><svg width=\"26\" height=\"8\"><path d=\"M0 4h26\" stroke=\"%s\" stroke-width=\"2\" "
                 "stroke-dasharray=\"%s\"/></svg> ",
                 COLOUR[k % 6], DASH[k / 6 % 3]);
        html_escape(h, c->curve[k].name);
        html_add(h, "</span> ");
    }
    html_add(h, "</p>");
}

void svg_chart_add(html *h, const svg_chart *c) {
    scale s;
    if (!find_scale(c, &s))
        return;
    html_add(h, "<figure class=\"chart\"><svg viewBox=\"0 0 %d %d\" width=\"100%%\" role=\"img\" aria-label=\"", WIDTH,
             HEIGHT);
    html_escape(h, c->title);
    html_add(h, "\">");
    add_axes(h, c, &s);
    for (int k = 0; k < c->n; k++)
        add_curve(h, c, &s, k);
    html_add(h, "</svg>");
    add_legend(h, c);
    html_add(h, "<figcaption>");
    html_escape(h, c->title);
    html_add(h, "</figcaption></figure>\n");
}
