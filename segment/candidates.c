/* See candidates.h. */
#include "segment/candidates.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/grid.h"
#include "segment/paths.h"
#include "segment/region.h"
#include "segment/tree.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double radii_mm[] = {2.5, 4, 6.5};
static const double cube_mm = 1.2, most_cubes = 6e6;
static const double strong_quantile = 0.99, weak_part = 0.5; /* of the tubeness in the body: a vessel's begins here */
static const double least_mm = 40, near_mm = 90;             /* from the middle of the body: twice as far counts less */
enum { SCALES = 3, PIECES = 12 };

/* The largest tubeness of the scales, in units of intensity. */
static int tubeness(const volume *image, volume *out) {
    volume one = {0};
    int rc = OK;
    TRY(volume_create_like(out, image));
    for (int s = 0; s < SCALES; s++) {
        volume_free(&one);
        TRY(volume_create_like(&one, image));
        memcpy(one.value, image->value, volume_size(image) * sizeof *image->value);
        TRY(paths_tubeness(&one, radii_mm[s], 1));
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

/* Pieces above the weak limit that hold something above the strong one, the largest first. */
static int pieces(const volume *tubes, double strong, double weak, volume mask[PIECES], int *n) {
    int32_t *label = malloc(volume_size(tubes) * sizeof *label);
    int64_t *size = NULL;
    int rc = OK, all = 0;
    *n = 0;
    if (label == NULL)
        return fail_memory("what looks like a vessel", (double)volume_size(tubes) * sizeof *label);
    TRY(region_label(tubes, weak, INFINITY, label, &all, &size));
    for (int piece = 1; piece <= all && *n < PIECES; piece++) {
        volume *to = &mask[*n];
        bool holds = false;
        for (size_t i = 0; i < volume_size(tubes) && !holds; i++)
            holds = label[i] == piece && (double)tubes->value[i] > strong;
        if (!holds)
            continue;
        TRY(volume_create_like(to, tubes));
        (*n)++;
        for (size_t i = 0; i < volume_size(tubes); i++)
            to->value[i] = label[i] == piece;
    }
cleanup:
    free(label);
    free(size);
    return rc;
}

/* Length, less where it is far from the middle of the body; 0: too short. */
static double worth(const tree *t, const double middle[3]) {
    double n = 0, sum[3] = {0};
    for (int k = 0; k < t->n; k++)
        for (int i = 0; i < t->branch[k].n; i++, n++)
            vec_add(sum, 1, t->branch[k].at_mm[i], sum);
    for (int a = 0; a < 3 && n > 0; a++)
        sum[a] /= n;
    const double away = vec_distance(sum, middle) / near_mm;
    return t->length_mm > least_mm ? t->length_mm / (1 + away * away) : 0;
}

/* The best ones to the front of mask; the others are freed. */
static int keep_best(int all, volume mask[PIECES], const double middle[3], volume out[CANDIDATES_MAX], int *n) {
    double value[PIECES] = {0};
    int rc = OK;
    for (int k = 0; k < all && rc == OK; k++) {
        tree t = {0};
        rc = tree_find(&mask[k], &t);
        value[k] = rc == OK ? worth(&t, middle) : 0;
        tree_free(&t);
    }
    for (*n = 0; *n < CANDIDATES_MAX && rc == OK;) {
        int best = 0;
        for (int k = 1; k < all; k++)
            best = value[k] > value[best] ? k : best;
        if (all == 0 || value[best] <= 0)
            break;
        value[best] = 0;
        out[(*n)++] = mask[best];
        mask[best] = (volume){{0}};
    }
    for (int k = 0; k < all; k++)
        volume_free(&mask[k]);
    return rc;
}

int candidates_find(const volume *image, volume mask[CANDIDATES_MAX], int *n) {
    volume cubes = {0}, tubes = {0}, piece[PIECES] = {{{0}}};
    double middle[3], strong = 0, box = 1;
    int rc = OK, all = 0;
    uint8_t *body = NULL;
    *n = 0;
    for (int a = 0; a < 3; a++)
        box *= image->dims[a] * image->spacing_mm[a];
    TRY(grid_cubes(image, fmax(cube_mm, cbrt(box / most_cubes)), &cubes));
    body = malloc(volume_size(&cubes));
    if (body == NULL)
        GIVE_UP(fail_memory("what looks like a vessel", (double)volume_size(&cubes)));
    TRY(find_body(&cubes, body, middle));
    TRY(tubeness(&cubes, &tubes));
    TRY(quantile(&tubes, body, strong_quantile, &strong));
    if (strong > 0)
        TRY(pieces(&tubes, strong, weak_part * strong, piece, &all));
    rc = keep_best(all, piece, middle, mask, n);
    all = 0;
cleanup:
    for (int k = 0; k < all; k++)
        volume_free(&piece[k]);
    free(body);
    volume_free(&cubes);
    volume_free(&tubes);
    return rc;
}
