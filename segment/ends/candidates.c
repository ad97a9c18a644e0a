/* See candidates.h. */
#include "segment/ends/candidates.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/grid.h"
#include "segment/vessel/paths.h"
#include "segment/voxel/region.h"
#include "segment/ends/tree.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double radii_mm[] = {2.5, 4, 6.5};
static const double cube_mm = 1.2, most_cubes = 6e6;
static const double strong_quantile = 0.99;               /* of the tubeness in the body */
static const double first_limit = 0.5, next_limit = 1.25; /* of that: vessels that touch part at one of them */
static const double end_mm = 12;                          /* of length for each end: less is no vessel */
static const double least_mm = 40, near_mm = 90;          /* from the middle of the body: twice as far counts less */
enum { SCALES = 3, PIECES = 8, LIMITS = 8, MOST_ENDS = 16, LEAST_VOXELS = 100 };

/* The largest tubeness of the scales, in units of intensity. */
static int tubeness(const volume *image, volume *out) {
    volume one = {0};
    int rc = OK;
    TRY(volume_create_like(out, image));
    for (int s = 0; s < SCALES; s++) {
        volume_free(&one);
        TRY(volume_create_like(&one, image));
        memcpy(one.value, image->value, volume_size(image) * sizeof *image->value);
        TRY(paths_tubeness(&one, radii_mm[s], 1, true, NULL));
        for (size_t i = 0; i < volume_size(out); i++)
            out->value[i] = fmaxf(out->value[i], one.value[i]);
    }
cleanup:
    volume_free(&one);
    return rc;
}

static int quantile(const volume *v, const uint8_t *within, double q, double *out) {
    size_t n = 0;
    float *x = malloc(volume_size(v) * sizeof *x);
    if (x == NULL)
        return fail_memory("what looks like a vessel", (double)volume_size(v) * sizeof *x);
    for (size_t i = 0; i < volume_size(v); i++)
        if (within == NULL || within[i])
            x[n++] = v->value[i];
    qsort(x, n, sizeof *x, order_float);
    *out = n > 0 ? (double)x[(size_t)(q * (double)(n - 1))] : 0;
    free(x);
    return OK;
}

/* What is brighter than air, and its middle. */
static int find_body(const volume *image, uint8_t *body, double middle[3]) {
    double low, high, n = 0, sum[3] = {0};
    int rc = OK;
    TRY(quantile(image, NULL, 0.02, &low));
    TRY(quantile(image, NULL, 0.9, &high));
    for (int k = 0; k < image->dims[2]; k++)
        for (int j = 0; j < image->dims[1]; j++)
            for (int i = 0; i < image->dims[0]; i++) {
                const size_t at = volume_index(image, i, j, k);
                double p[3];
                body[at] = (double)image->value[at] > low + 0.1 * (high - low);
                if (!body[at])
                    continue;
                volume_to_lps(image, (const double[3]){i, j, k}, p);
                vec_add(sum, 1, p, sum);
                n++;
            }
    for (int a = 0; a < 3; a++)
        middle[a] = n > 0 ? sum[a] / n : 0;
cleanup:
    return rc;
}

/* One piece of one limit. */
typedef struct {
    volume mask; /* owned */
    double worth;
} candidate;

/* Length, less where it is far from the middle of the body; 0: too short, or with so many ends that it is no vessel. */
static double worth(const tree *t, const double middle[3]) {
    double n = 0, sum[3] = {0};
    for (int k = 0; k < t->n; k++)
        for (int i = 0; i < t->branch[k].n; i++, n++)
            vec_add(sum, 1, t->branch[k].at_mm[i], sum);
    for (int a = 0; a < 3 && n > 0; a++)
        sum[a] /= n;
    const double away = vec_distance(sum, middle) / near_mm;
    const bool vessel = t->n + 1 <= MOST_ENDS && t->length_mm > least_mm && t->length_mm > end_mm * (t->n + 1);
    return vessel ? t->length_mm / (1 + away * away) : 0;
}

static bool overlap(const volume *a, const volume *b) {
    for (size_t i = 0; a->value && b->value && i < volume_size(a); i++)
        if (a->value[i] > 0 && b->value[i] > 0)
            return true;
    return false;
}

/* What the image holds along the middle lines, the middle value. */
static int usual_value(const volume *image, const tree *t, double *out) {
    int rc = OK, n = 0, all = 0;
    for (int k = 0; k < t->n; k++)
        all += t->branch[k].n;
    volume line = {.dims = {all, 1, 1}, .value = malloc((size_t)(all + 1) * sizeof *line.value)};
    if (line.value == NULL)
        return fail_memory("what looks like a vessel", all * (double)sizeof *line.value);
    for (int k = 0; k < t->n; k++)
        for (int i = 0; i < t->branch[k].n; i++)
            line.value[n++] = (float)volume_sample(image, t->branch[k].at_mm[i]);
    rc = quantile(&line, NULL, 0.5, out);
    free(line.value);
    return rc;
}

/* Into the list of the best, which do not overlap; what it replaces is freed. *list is in the order of worth. */
static void enter(candidate *c, candidate list[CANDIDATES_MAX]) {
    for (int k = 0; k < CANDIDATES_MAX; k++)
        if (list[k].worth > c->worth && overlap(&list[k].mask, &c->mask))
            return;
    for (int k = 0; k < CANDIDATES_MAX; k++)
        if (list[k].worth > 0 && list[k].worth <= c->worth && overlap(&list[k].mask, &c->mask)) {
            volume_free(&list[k].mask);
            memmove(&list[k], &list[k + 1], (size_t)(CANDIDATES_MAX - 1 - k) * sizeof *list);
            list[CANDIDATES_MAX - 1] = (candidate){{{0}}, 0};
            k--;
        }
    for (int k = 0; k < CANDIDATES_MAX; k++)
        if (list[k].worth < c->worth) {
            volume_free(&list[CANDIDATES_MAX - 1].mask);
            memmove(&list[k + 1], &list[k], (size_t)(CANDIDATES_MAX - 1 - k) * sizeof *list);
            list[k] = *c;
            *c = (candidate){{{0}}, 0};
            return;
        }
}

/* What is looked for in. */
typedef struct {
    volume cubes, tubes; /* the image and its tubeness, owned */
    double middle[3];    /* of the body */
    double tissue;       /* half of the body is darker */
} scene;

/* The largest pieces above a limit, each with its worth. What is no brighter than most of the body is the skin, or fat
 * between two darker tissues: against air these are tubes as well as a vessel is. */
static int look_at(const scene *s, double limit, candidate list[CANDIDATES_MAX]) {
    const volume *tubes = &s->tubes;
    int32_t *label = malloc(volume_size(tubes) * sizeof *label);
    int64_t *size = NULL;
    int rc = OK, all = 0;
    if (label == NULL)
        return fail_memory("what looks like a vessel", (double)volume_size(tubes) * sizeof *label);
    TRY(region_label(tubes, limit, INFINITY, label, &all, &size));
    for (int piece = 1; piece <= all && piece <= PIECES && size[piece - 1] >= LEAST_VOXELS; piece++) {
        candidate c = {{{0}}, 0};
        tree t = {0};
        rc = volume_create_like(&c.mask, tubes);
        for (size_t i = 0; rc == OK && i < volume_size(tubes); i++)
            c.mask.value[i] = label[i] == piece;
        if (rc == OK)
            rc = tree_find(&c.mask, &t);
        double value = 0;
        c.worth = rc == OK ? worth(&t, s->middle) : 0;
        if (c.worth > 0)
            rc = usual_value(&s->cubes, &t, &value);
        if (rc == OK && c.worth > 0 && value > s->tissue)
            enter(&c, list);
        tree_free(&t);
        volume_free(&c.mask);
        if (rc != OK)
            break;
    }
cleanup:
    free(label);
    free(size);
    return rc;
}

int candidates_find(const volume *image, volume mask[CANDIDATES_MAX], int *n) {
    scene s = {.tissue = 0};
    candidate list[CANDIDATES_MAX] = {{{{0}}, 0}};
    double strong = 0, box = 1;
    int rc = OK;
    uint8_t *body = NULL;
    *n = 0;
    for (int a = 0; a < 3; a++)
        box *= image->dims[a] * image->spacing_mm[a];
    TRY(grid_cubes(image, fmax(cube_mm, cbrt(box / most_cubes)), &s.cubes));
    body = malloc(volume_size(&s.cubes));
    if (body == NULL)
        GIVE_UP(fail_memory("what looks like a vessel", (double)volume_size(&s.cubes)));
    TRY(find_body(&s.cubes, body, s.middle));
    TRY(quantile(&s.cubes, body, 0.5, &s.tissue));
    TRY(tubeness(&s.cubes, &s.tubes));
    TRY(quantile(&s.tubes, body, strong_quantile, &strong));
    for (int k = 0; k < LIMITS && strong > 0; k++)
        TRY(look_at(&s, strong * first_limit * pow(next_limit, k), list));
    for (int k = 0; k < CANDIDATES_MAX && list[k].worth > 0; k++) {
        mask[(*n)++] = list[k].mask;
        list[k] = (candidate){{{0}}, 0};
    }
cleanup:
    for (int k = 0; k < CANDIDATES_MAX; k++)
        volume_free(&list[k].mask);
    free(body);
    volume_free(&s.cubes);
    volume_free(&s.tubes);
    return rc;
}
