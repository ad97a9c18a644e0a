/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface/surface_orient_pieces.h"
#include "common/base/status.h"
#include "common/surface/surface_pieces.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Direction of the rays, parallel to no axis and to no typical edge */
static const double ray[3] = {0.5411961, 0.3826834, 0.7487573};

/* True if the ray from p intersects triangle t. */
static bool ray_crosses(const surface *s, int64_t t, const double p[3]) {
    double uv[2];
    int sign;
    return surface_line_meets(s, t, p, ray, uv, &sign) > 0 && uv[0] >= 0 && uv[1] >= 0 && uv[0] + uv[1] < 1;
}

typedef struct {
    surface_pieces all;
    /* [n_point] bounding box of each piece, stored at the index of the point that identifies the piece; `odd` and
     * `turn` are stored at the same index */
    double (*box)[6];
    bool *odd, *turn;
} nest;

static void nest_free(nest *w) {
    surface_pieces_free(&w->all);
    free((void *)w->box);
    free(w->odd);
    free(w->turn);
}

static int nest_create(const surface *s, nest *w) {
    const size_t n = (size_t)s->n_point + 1;
    int rc;
    TRY(surface_pieces_find(s, &w->all));
    w->box = malloc(n * sizeof *w->box);
    w->odd = calloc(n, sizeof *w->odd);
    w->turn = calloc(n, sizeof *w->turn);
    if (!w->box || !w->odd || !w->turn)
        GIVE_UP(fail_memory("the pieces of a surface", 50.0 * (double)n));
    for (int64_t p = 0; p < s->n_point; p++)
        for (int a = 0; a < 6; a++)
            w->box[p][a] = a < 3 ? INFINITY : -INFINITY;
    for (int32_t p = 0; p < s->n_point; p++) {
        double *box = w->box[w->all.of[p]];
        for (int a = 0; a < 3; a++) {
            box[a] = fmin(box[a], s->point_mm[3 * (size_t)p + a]);
            box[3 + a] = fmax(box[3 + a], s->point_mm[3 * (size_t)p + a]);
        }
    }
cleanup:
    return rc;
}

/* True if the bounding box of a piece other than `own` contains p. */
static bool is_near(const nest *w, int32_t own, const double p[3]) {
    for (int32_t k = 0; k < w->all.n; k++) {
        const double *b = w->box[w->all.name[k]];
        if (w->all.name[k] != own && p[0] > b[0] && p[1] > b[1] && p[2] > b[2] && p[0] < b[3] && p[1] < b[4] &&
            p[2] < b[5])
            return true;
    }
    return false;
}

/* Number of other pieces that contain the point p of piece `own`. */
static int nesting_depth(const surface *s, nest *w, int32_t own, const double p[3]) {
    int n = 0;
    if (!is_near(w, own, p))
        return 0;
    for (int32_t k = 0; k < w->all.n; k++)
        w->odd[w->all.name[k]] = false; /* odd[]: true if the ray has crossed this piece an odd number of times */
    for (int64_t t = 0; t < s->n_triangle; t++) {
        const int32_t piece = w->all.of[s->triangle[3 * t]];
        if (piece != own && ray_crosses(s, t, p))
            w->odd[piece] = !w->odd[piece];
    }
    for (int32_t k = 0; k < w->all.n; k++)
        n += w->odd[w->all.name[k]];
    return n;
}

int surface_orient_pieces(surface *s, int *turned) {
    nest w = {0};
    int rc;
    *turned = 0;
    TRY(nest_create(s, &w));
    for (int32_t k = 0; k < w.all.n; k++) {
        const int32_t p = w.all.name[k];
        const double volume = w.all.volume_mm3[p];
        if (!(fabs(volume) > 0))
            continue;
        const bool hole = nesting_depth(s, &w, p, s->point_mm + 3 * (size_t)p) % 2 == 1;
        w.turn[p] = hole ? volume > 0 : volume < 0;
        *turned += w.turn[p];
    }
    for (int32_t *t = s->triangle; t < s->triangle + 3 * s->n_triangle; t += 3)
        if (w.turn[w.all.of[t[0]]]) {
            const int32_t keep = t[1];
            t[1] = t[2];
            t[2] = keep;
        }
cleanup:
    nest_free(&w);
    return rc;
}
