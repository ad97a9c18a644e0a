/* SPDX-License-Identifier: Apache-2.0 */
/* Union-find over the points. */
#include "common/surface/surface_pieces.h"
#include "common/base/status.h"
#include "common/base/union_find.h"
#include "common/base/vec.h"
#include <stdlib.h>

/* Signed volume of the tetrahedron of a triangle and the first point of the surface. */
static double volume_under(const surface *s, const int32_t *t) {
    double p[3][3], n[3];
    for (int k = 0; k < 3; k++)
        vec_add(s->point_mm + 3 * (size_t)t[k], -1, s->point_mm, p[k]);
    vec_cross(p[1], p[2], n);
    return vec_dot(p[0], n) / 6;
}

int surface_pieces_find(const surface *s, surface_pieces *w) {
    const size_t n = (size_t)s->n_point + 1;
    const int32_t *end = s->triangle + 3 * s->n_triangle;
    *w = (surface_pieces){malloc(n * sizeof *w->of), calloc(n, sizeof *w->volume_mm3), 0, malloc(n * sizeof *w->name)};
    if (!w->of || !w->volume_mm3 || !w->name)
        return fail_memory("the pieces of a surface", 16.0 * (double)n);
    for (int32_t p = 0; p < s->n_point; p++)
        w->of[p] = p;
    for (const int32_t *t = s->triangle; t < end; t += 3)
        for (int k = 1; k < 3; k++)
            w->of[union_find_root(w->of, t[k])] = union_find_root(w->of, t[0]);
    for (int32_t p = 0; p < s->n_point; p++) {
        w->of[p] = union_find_root(w->of, p);
        if (w->of[p] == p)
            w->name[w->n++] = p;
    }
    for (const int32_t *t = s->triangle; t < end; t += 3)
        w->volume_mm3[w->of[t[0]]] += volume_under(s, t);
    return OK;
}

void surface_pieces_free(surface_pieces *w) {
    free(w->of);
    free(w->volume_mm3);
    free(w->name);
    *w = (surface_pieces){0};
}
