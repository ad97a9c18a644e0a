/* See distance.h. */
#include "segment/voxel/distance.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/surface/vtk_surface.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    float x, y, z; /* index of a wall point */
} point;

enum { SIDE = 8, PART = SIDE * SIDE * SIDE };

/* What the voxels of a cube of SIDE know. */
typedef struct {
    point nearest[PART]; /* wall point; x NAN: none yet */
    bool done[PART];
} part;

/* Voxels are taken in the order of their distance, in steps of half a voxel; each passes its wall point on once. */
typedef struct {
    volume *phi;
    int along[3];       /* cubes of the box */
    part **part;        /* [cubes] NULL: far from the wall, none of its voxels knows anything */
    voxel_list *bucket; /* [n_bucket] by |distance| */
    size_t size;
    int n_bucket;
    double step_mm, outside_mm;
    int rc;
} spread;

static part **part_of(const spread *s, const int at[3]) {
    return &s->part[((size_t)(at[2] / SIDE) * (size_t)s->along[1] + (size_t)(at[1] / SIDE)) * (size_t)s->along[0] +
                    (size_t)(at[0] / SIDE)];
}

static int place_in_part(const int at[3]) {
    return (at[2] % SIDE * SIDE + at[1] % SIDE) * SIDE + at[0] % SIDE;
}

/* The wall point that a voxel knows, NULL: none. */
static const point *known(const spread *s, const int at[3]) {
    const part *p = *part_of(s, at);
    const point *q = p ? &p->nearest[place_in_part(at)] : NULL;
    return q && !isnan(q->x) ? q : NULL;
}

static void learn(spread *s, const int at[3], const point *q) {
    part **p = part_of(s, at);
    if (!*p) {
        *p = calloc(1, sizeof **p);
        if (!*p) {
            s->rc = fail_memory("the distance to the wall", sizeof **p);
            return;
        }
        for (int k = 0; k < PART; k++)
            (*p)->nearest[k].x = NAN;
    }
    (*p)->nearest[place_in_part(at)] = *q;
}

static double distance_mm(const volume *v, const int at[3], const point *q) {
    double dx = (at[0] - (double)q->x) * v->spacing_mm[0], dy = (at[1] - (double)q->y) * v->spacing_mm[1];
    double dz = (at[2] - (double)q->z) * v->spacing_mm[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static void push(spread *s, size_t voxel, double distance) {
    int k = (int)fmin(distance / s->step_mm, s->n_bucket - 1);
    if (s->rc == OK)
        s->rc = voxel_list_push(&s->bucket[k], voxel);
}

/* Central (one-sided at the border) differences of phi along the axes, per mm. */
static void gradient(const volume *v, const int at[3], double g[3]) {
    for (int a = 0; a < 3; a++) {
        int low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
        low[a] -= at[a] > 0;
        high[a] += at[a] < v->dims[a] - 1;
        double d = (high[a] - low[a]) * v->spacing_mm[a];
        g[a] = d > 0 ? ((double)v->value[volume_index(v, high[0], high[1], high[2])] -
                        (double)v->value[volume_index(v, low[0], low[1], low[2])]) /
                           d
                     : 0;
    }
}

/* Voxels next to the wall: the wall point is phi along the gradient away. */
static void start(spread *s, double start_mm) {
    const volume *v = s->phi;
    for (size_t i = 0; i < s->size && s->rc == OK; i++) {
        int at[3];
        double g[3], f = (double)v->value[i];
        if (fabs(f) > start_mm)
            continue;
        voxel_split(v, i, at);
        gradient(v, at, g);
        double norm = vec_length(g);
        if (norm < 0.7) /* two walls meet here: the exact value stays, nothing is passed on */
            continue;
        const point q = {(float)(at[0] - f * g[0] / norm / v->spacing_mm[0]),
                         (float)(at[1] - f * g[1] / norm / v->spacing_mm[1]),
                         (float)(at[2] - f * g[2] / norm / v->spacing_mm[2])};
        learn(s, at, &q);
        push(s, i, fabs(f));
    }
}

/* Offer a wall point to one voxel. Values within `exact_mm` stay, but the voxel passes the point on. */
static void offer(spread *s, const point *q, const int at[3], double exact_mm) {
    volume *v = s->phi;
    const size_t i = volume_index(v, at[0], at[1], at[2]);
    const part *p = *part_of(s, at);
    if (p && p->done[place_in_part(at)])
        return;
    double old = (double)v->value[i], d = distance_mm(v, at, q);
    const bool exact = fabs(old) <= exact_mm;
    if (old > 0 && d > s->outside_mm)
        return;
    const point *before = known(s, at);
    if (before && d >= (exact ? distance_mm(v, at, before) : fabs(old)) - 1e-6)
        return;
    learn(s, at, q);
    if (!exact)
        v->value[i] = (float)(old < 0 ? -d : d);
    push(s, i, d);
}

static void pass_on(spread *s, size_t voxel, double exact_mm) {
    const volume *v = s->phi;
    int at[3];
    voxel_split(v, voxel, at);
    part *own = *part_of(s, at);
    const point q = own->nearest[place_in_part(at)];
    if (own->done[place_in_part(at)])
        return;
    own->done[place_in_part(at)] = true;
    for (int n = 0; n < 27; n++) {
        int to[3] = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
        bool in = n != 13;
        for (int a = 0; a < 3; a++)
            in = in && to[a] >= 0 && to[a] < v->dims[a];
        if (in)
            offer(s, &q, to, exact_mm);
    }
}

static int run(spread *s, double exact_mm) {
    for (int k = 0; k < s->n_bucket && s->rc == OK; k++) {
        for (size_t i = 0; i < s->bucket[k].n && s->rc == OK; i++) /* n may grow meanwhile */
            pass_on(s, s->bucket[k].voxel[i], exact_mm);
        free(s->bucket[k].voxel);
        s->bucket[k] = (voxel_list){0};
    }
    return s->rc;
}

/* The farthest a voxel can be from the wall: the diagonal. */
static double diagonal_mm(const volume *v) {
    double sum = 0;
    for (int a = 0; a < 3; a++)
        sum += v->dims[a] * v->spacing_mm[a] * v->dims[a] * v->spacing_mm[a];
    return sqrt(sum);
}

/* Where nothing came to, it is as far outside as is looked at. */
static void fill_outside(const spread *s, double band_mm) {
    volume *v = s->phi;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < s->size; i++) {
        int at[3];
        if ((double)v->value[i] < 0.999 * band_mm)
            continue;
        voxel_split(v, i, at);
        if (!known(s, at))
            v->value[i] = (float)s->outside_mm;
    }
}

int distance_from_surface(const surface *wall, double outside_mm, volume *phi) {
    int rc = OK;
    double h = fmax(phi->spacing_mm[0], fmax(phi->spacing_mm[1], phi->spacing_mm[2]));
    double band = 2.5 * h;
    size_t n_part = 1;
    spread s = {.phi = phi, .size = volume_size(phi), .outside_mm = fmax(outside_mm, band), .step_mm = 0.5 * h};
    for (int a = 0; a < 3; a++) {
        s.along[a] = (phi->dims[a] + SIDE - 1) / SIDE;
        n_part *= (size_t)s.along[a];
    }
    s.n_bucket = (int)(diagonal_mm(phi) / s.step_mm) + 2;
    s.part = calloc(n_part, sizeof(part *));
    s.bucket = calloc((size_t)s.n_bucket, sizeof *s.bucket);
    if (s.part == NULL || s.bucket == NULL) {
        rc = fail_memory("the distance to the wall", (double)n_part * sizeof(part *));
        goto cleanup;
    }
    TRY(surface_to_phi(wall, band, phi));
    start(&s, 1.4 * h);
    TRY(run(&s, 0.999 * band));
    fill_outside(&s, band);
cleanup:
    for (int k = 0; s.bucket != NULL && k < s.n_bucket; k++)
        free(s.bucket[k].voxel);
    for (size_t k = 0; s.part != NULL && k < n_part; k++)
        free(s.part[k]);
    free(s.part);
    free(s.bucket);
    return rc;
}

int distance_rebuild(const volume *level, int margin, surface *wall, volume *phi) {
    int rc = OK;
    grid_box box = {{0, 0, 0}, {0, 0, 0}};
    TRY(surface_from_phi(level, wall));
    if (wall->n_triangle == 0) {
        rc = fail(ERR_NUMERIC, "nothing is left of the vessel: there is no wall");
        goto cleanup;
    }
    for (int64_t i = 0; i < wall->n_point; i++) {
        double index[3];
        volume_to_index(level, wall->point_mm + 3 * i, index);
        for (int a = 0; a < 3; a++) {
            int low = (int)floor(index[a]), high = (int)ceil(index[a]);
            box.low[a] = i == 0 || low < box.low[a] ? low : box.low[a];
            box.high[a] = i == 0 || high > box.high[a] ? high : box.high[a];
        }
    }
    grid_box_grow(&box, (int[3]){margin, margin, margin}, NULL);
    TRY(grid_crop(level, &box, 1, phi));
    TRY(distance_from_surface(wall, margin * phi->spacing_mm[0], phi));
cleanup:
    return rc;
}
