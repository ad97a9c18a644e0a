/* See surface_nest.h. */
#include "common/surface/surface_nest.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double ray[3] = {0.5411961, 0.3826834, 0.7487573}; /* along no axis and no usual edge */

static int32_t root(int32_t *up, int32_t p) {
    while (up[p] != p)
        p = up[p] = up[up[p]];
    return p;
}

/* Whether the ray from p goes through a triangle. */
static bool crosses(const surface *s, const int32_t *t, const double p[3]) {
    const double *a = s->point_mm + 3 * (size_t)t[0];
    double u[3], v[3], w[3], n[3], m[3];
    vec_add(s->point_mm + 3 * (size_t)t[1], -1, a, u);
    vec_add(s->point_mm + 3 * (size_t)t[2], -1, a, v);
    vec_add(p, -1, a, w);
    vec_cross(ray, v, n);
    const double determinant = vec_dot(u, n);
    if (!(fabs(determinant) > 0))
        return false;
    vec_cross(w, u, m);
    const double along_u = vec_dot(w, n) / determinant, along_v = vec_dot(ray, m) / determinant;
    return along_u >= 0 && along_v >= 0 && along_u + along_v < 1 && vec_dot(v, m) / determinant > 0;
}

static double volume_under(const surface *s, const int32_t *t) {
    const double *o = s->point_mm;
    double p[3][3], n[3];
    for (int k = 0; k < 3; k++)
        vec_add(s->point_mm + 3 * (size_t)t[k], -1, o, p[k]);
    vec_cross(p[1], p[2], n);
    return vec_dot(p[0], n) / 6;
}

typedef struct {
    int32_t *up;      /* [n_point] union-find; the root stands for its piece */
    double *volume;   /* of the piece, at its root */
    double (*box)[6]; /* low and high, likewise */
    bool *odd, *turn;
} pieces;

static void pieces_free(pieces *w) {
    free(w->up);
    free(w->volume);
    free((void *)w->box);
    free(w->odd);
    free(w->turn);
}

static int pieces_find(const surface *s, pieces *w) {
    const size_t n = (size_t)s->n_point + 1;
    *w = (pieces){malloc(n * sizeof *w->up), calloc(n, sizeof *w->volume), malloc(n * sizeof *w->box),
                  calloc(n, sizeof *w->odd), calloc(n, sizeof *w->turn)};
    if (!w->up || !w->volume || !w->box || !w->odd || !w->turn)
        return fail_memory("the pieces of a surface", 62.0 * (double)n);
    for (int32_t p = 0; p < s->n_point; p++)
        w->up[p] = p;
    const int32_t *end = s->triangle + 3 * s->n_triangle;
    for (const int32_t *t = s->triangle; t < end; t += 3)
        for (int k = 1; k < 3; k++)
            w->up[root(w->up, t[k])] = root(w->up, t[0]);
    for (const int32_t *t = s->triangle; t < end; t += 3)
        w->volume[root(w->up, t[0])] += volume_under(s, t);
    for (int64_t p = 0; p < s->n_point; p++)
        for (int a = 0; a < 6; a++)
            w->box[p][a] = a < 3 ? INFINITY : -INFINITY;
    for (int32_t p = 0; p < s->n_point; p++) {
        double *box = w->box[root(w->up, p)];
        for (int a = 0; a < 3; a++) {
            box[a] = fmin(box[a], s->point_mm[3 * (size_t)p + a]);
            box[3 + a] = fmax(box[3 + a], s->point_mm[3 * (size_t)p + a]);
        }
    }
    return OK;
}

/* In how many other pieces the point p of piece `own` lies. */
static int depth(const surface *s, pieces *w, int32_t own, const double p[3]) {
    int n = 0, near = 0;
    for (int32_t k = 0; k < s->n_point; k++) { /* odd: has an odd number of crossings, of those whose box holds p */
        const double *b = w->box[k];
        w->odd[k] = false;
        near += k != own && w->up[k] == k && p[0] > b[0] && p[1] > b[1] && p[2] > b[2] && p[0] < b[3] && p[1] < b[4] &&
                p[2] < b[5];
    }
    if (near == 0)
        return 0;
    for (const int32_t *t = s->triangle; t < s->triangle + 3 * s->n_triangle; t += 3)
        if (root(w->up, t[0]) != own && crosses(s, t, p))
            w->odd[root(w->up, t[0])] = !w->odd[root(w->up, t[0])];
    for (int64_t k = 0; k < s->n_point; k++)
        n += w->odd[k];
    return n;
}

int surface_nest(surface *s, int *turned) {
    pieces w = {0};
    int rc;
    *turned = 0;
    TRY(pieces_find(s, &w));
    for (int32_t p = 0; p < s->n_point; p++) {
        if (root(w.up, p) != p || !(fabs(w.volume[p]) > 0))
            continue;
        const bool hole = depth(s, &w, p, s->point_mm + 3 * (size_t)p) % 2 == 1;
        w.turn[p] = hole ? w.volume[p] > 0 : w.volume[p] < 0;
        *turned += w.turn[p];
    }
    for (int32_t *t = s->triangle; t < s->triangle + 3 * s->n_triangle; t += 3)
        if (w.turn[root(w.up, t[0])]) {
            const int32_t keep = t[1];
            t[1] = t[2];
            t[2] = keep;
        }
cleanup:
    pieces_free(&w);
    return rc;
}
