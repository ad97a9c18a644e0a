/* SPDX-License-Identifier: Apache-2.0 */
/* Area, perimeter, centroid and integrals of a cross-section; see cross_section.h.
 *
 * Every square of nodes is split into two triangles. The fluid part of a triangle ends where the distance, linear along
 * its sides, is zero. Second order in the step. */
#include "mesh/section/cross_section.h"
#include <math.h>
#include <stddef.h>

typedef struct {
    double x, y, value; /* x, y: position in the plane, mm */
    bool on_face;       /* true: the point is on a periodic face of the box, not on the wall */
} corner;

typedef struct {
    double area, moment_x, moment_y, integral, perimeter;
} sums;

typedef struct {
    double x, y, distance, value;
    bool face;
} vertex;

static vertex vertex_of(const section *s, int i, int j, const double *value) {
    const size_t at = (size_t)j * (size_t)s->n + (size_t)i;
    const double d = s->distance_mm[at], tiny = 1e-9 * s->step_mm;
    const double outside = s->node[at] == SECTION_INSIDE ? -fmax(-d, tiny) : fmax(fabs(d), tiny);
    const int middle = s->n / 2;
    return (vertex){(i - middle) * s->step_mm, (j - middle) * s->step_mm, outside, value ? value[at] : 1,
                    s->face[at] != 0};
}

/* Point where the side from p (inside) to q (outside) leaves the fluid. */
static corner find_exit(const vertex *p, const vertex *q, bool weighted) {
    const double t = p->distance / (p->distance - q->distance);
    const double there = weighted && !q->face ? 0 : p->value;
    return (corner){p->x + t * (q->x - p->x), p->y + t * (q->y - p->y), there, q->face};
}

static void add_triangle(sums *out, const corner *a, const corner *b, const corner *c) {
    const double area = 0.5 * fabs((b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x));
    out->area += area;
    out->moment_x += area * (a->x + b->x + c->x) / 3;
    out->moment_y += area * (a->y + b->y + c->y) / 3;
    out->integral += area * (a->value + b->value + c->value) / 3;
}

static void add_clipped(sums *out, const vertex v[3], bool weighted) {
    corner polygon[4], rim[2];
    int n = 0, n_rim = 0;
    for (int k = 0; k < 3; k++) {
        const vertex *p = &v[k], *q = &v[(k + 1) % 3];
        const bool inside = p->distance < 0, next = q->distance < 0;
        if (inside)
            polygon[n++] = (corner){p->x, p->y, p->value, false};
        if (inside != next) {
            polygon[n] = inside ? find_exit(p, q, weighted) : find_exit(q, p, weighted);
            rim[n_rim++] = polygon[n++];
        }
    }
    for (int k = 2; k < n; k++)
        add_triangle(out, &polygon[0], &polygon[k - 1], &polygon[k]);
    if (n_rim == 2 && !(rim[0].on_face && rim[1].on_face))
        out->perimeter += hypot(rim[1].x - rim[0].x, rim[1].y - rim[0].y);
}

static sums add_all(const section *s, const double *value) {
    sums out = {0};
    for (int j = 0; j + 1 < s->n; j++)
        for (int i = 0; i + 1 < s->n; i++) {
            const vertex a = vertex_of(s, i, j, value), b = vertex_of(s, i + 1, j, value);
            const vertex c = vertex_of(s, i + 1, j + 1, value), d = vertex_of(s, i, j + 1, value);
            if (a.distance >= 0 && b.distance >= 0 && c.distance >= 0 && d.distance >= 0)
                continue;
            add_clipped(&out, (const vertex[3]){a, b, c}, value != NULL);
            add_clipped(&out, (const vertex[3]){a, c, d}, value != NULL);
        }
    return out;
}

void section_measure(section *s) {
    const sums all = add_all(s, NULL);
    s->area_mm2 = all.area;
    s->perimeter_mm = all.perimeter;
    for (int k = 0; k < 3; k++)
        s->centre_mm[k] = s->point[k] + (all.moment_x * s->u[k] + all.moment_y * s->v[k]) / all.area;
}

double section_integral(const section *s, const double *value) {
    return add_all(s, value).integral;
}
