/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/vessel_candidates.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/ends/ends_constants.h"
#include "segment/ends/vessel_contact.h"
#include "segment/tube/tube_paths.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double radii_mm[] = {2.5, 4, 6.5};

/* PAIRS: number of pairs of opposite rays. STEPS: length of a ray, mm (steps of 1 mm). SHELL_STEPS: length over which a
 * shell is searched, mm. AROUND: number of points on either side that give the direction of a line. */
enum { PAIRS = 6, STEPS = 18, SHELL_STEPS = 9, AROUND = 3 };

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static int max_int(int a, int b) {
    return a > b ? a : b;
}

/* Largest tubeness over the scales, in units of intensity, with intensities clipped to low..high: air at the skin and
 * bone have more contrast than any vessel and would dominate. */
static int compute_tubeness(const volume *image, double low, double high, volume *out) {
    volume one = {0};
    int rc = OK;
    TRY(volume_create_like(out, image));
    for (int s = 0; s < SCALES; s++) {
        volume_free(&one);
        TRY(volume_create_like(&one, image));
        for (size_t i = 0; i < volume_size(image); i++)
            one.value[i] = fminf((float)high, fmaxf((float)low, image->value[i]));
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
        return fail_memory("the vessel candidates", (double)volume_size(v) * sizeof *x);
    for (size_t i = 0; i < volume_size(v); i++)
        if (within == NULL || within[i])
            x[n++] = v->value[i];
    qsort(x, n, sizeof *x, order_float);
    *out = n > 0 ? (double)x[(size_t)(q * (double)(n - 1))] : 0;
    free(x);
    return OK;
}

/* Mark the body (brighter than air) and find its centroid; *ct: true if the image is in Hounsfield units. */
static int find_body(const volume *image, uint8_t *body, double middle[3], bool *ct) {
    double low, high, n = 0, sum[3] = {0};
    int rc = OK;
    TRY(quantile(image, NULL, 0.02, &low));
    *ct = low < AIR_OR_FAT_HU;
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

/* Removes all cubes within BONE_CUBES of cortical bone from `body`, so that bone does not affect the statistics of
 * tubeness. */
static void exclude_bone(const volume *image, uint8_t *body) {
    const int *n = image->dims;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                const int low = max_int(0, i - BONE_CUBES), high = min_int(n[0] - 1, i + BONE_CUBES);
                const size_t row = (size_t)high - (size_t)low + 1;
                if (!((double)image->value[volume_index(image, i, j, k)] > BRIGHT_HU))
                    continue;
                for (int c = max_int(0, k - BONE_CUBES); c <= min_int(n[2] - 1, k + BONE_CUBES); c++)
                    for (int b = max_int(0, j - BONE_CUBES); b <= min_int(n[1] - 1, j + BONE_CUBES); b++)
                        memset(&body[volume_index(image, low, b, c)], 0, row);
            }
}

void vessel_candidate_free(vessel_candidate *c) {
    volume_free(&c->mask);
    centerline_tree_free(&c->tree);
    *c = (vessel_candidate){.score = 0};
}

/* Total length of the branches that are longer than the spurs made by noise. */
static double branches_mm(const centerline_tree *t) {
    double sum = 0;
    for (int k = 0; k < t->n; k++) {
        double way = 0;
        for (int i = 1; i < t->branch[k].n; i++)
            way += vec_distance(t->branch[k].at_mm[i - 1], t->branch[k].at_mm[i]);
        sum += way > SPUR_MM ? way : 0;
    }
    return sum;
}

/* Score in mm: length of the branches, reduced with the distance from the middle of the body. 0 if the piece is too
 * short or has too many ends. */
static double vessel_score(const centerline_tree *t, const double middle[3]) {
    double n = 0, sum[3] = {0};
    for (int k = 0; k < t->n; k++)
        for (int i = 0; i < t->branch[k].n; i++, n++)
            vec_add(sum, 1, t->branch[k].at_mm[i], sum);
    for (int a = 0; a < 3 && n > 0; a++)
        sum[a] /= n;
    const double away = vec_distance(sum, middle) / NEAR_MM;
    const bool vessel = t->n + 1 <= MOST_ENDS && t->length_mm > LEAST_MM && t->length_mm > END_MM * (t->n + 1);
    return vessel ? branches_mm(t) / (1 + away * away) : 0;
}

static bool masks_overlap(const volume *a, const volume *b) {
    for (size_t i = 0; a->value && b->value && i < volume_size(a); i++)
        if (a->value[i] > 0 && b->value[i] > 0)
            return true;
    return false;
}

/* Median of the image along the centerlines. */
static int median_along(const volume *image, const centerline_tree *t, double *out) {
    int rc = OK, n = 0, all = 0;
    for (int k = 0; k < t->n; k++)
        all += t->branch[k].n;
    volume line = {.dims = {all, 1, 1}, .value = malloc((size_t)(all + 1) * sizeof *line.value)};
    if (line.value == NULL)
        return fail_memory("the vessel candidates", all * (double)sizeof *line.value);
    for (int k = 0; k < t->n; k++)
        for (int i = 0; i < t->branch[k].n; i++)
            line.value[n++] = (float)volume_sample(image, t->branch[k].at_mm[i]);
    rc = quantile(&line, NULL, 0.5, out);
    free(line.value);
    return rc;
}

/* Insert a candidate into `list`, sorted by score. Entries that it overlaps were found at lower limits of tubeness;
 * they stay if their score is better, otherwise they are freed and replaced. */
static void insert_candidate(vessel_candidate *c, vessel_candidate list[VESSEL_CANDIDATES_MAX]) {
    for (int k = 0; k < VESSEL_CANDIDATES_MAX; k++)
        if (list[k].score > SCORE_TOLERANCE * c->score && masks_overlap(&list[k].mask, &c->mask))
            return;
    for (int k = 0; k < VESSEL_CANDIDATES_MAX; k++)
        if (list[k].score > 0 && masks_overlap(&list[k].mask, &c->mask)) {
            vessel_candidate_free(&list[k]);
            memmove(&list[k], &list[k + 1], (size_t)(VESSEL_CANDIDATES_MAX - 1 - k) * sizeof *list);
            list[VESSEL_CANDIDATES_MAX - 1] = (vessel_candidate){.score = 0};
            k--;
        }
    for (int k = 0; k < VESSEL_CANDIDATES_MAX; k++)
        if (list[k].score < c->score) {
            vessel_candidate_free(&list[VESSEL_CANDIDATES_MAX - 1]);
            memmove(&list[k + 1], &list[k], (size_t)(VESSEL_CANDIDATES_MAX - 1 - k) * sizeof *list);
            list[k] = *c;
            *c = (vessel_candidate){.score = 0};
            return;
        }
}

/* Surroundings of the centerlines of a candidate. */
typedef struct {
    /* largest rise of the mean intensity along the rays, as a fraction of the contrast: 0 for a vessel, above 0.35 for
     * marrow in cortical bone */
    double shell;
    /* Fraction of the pairs of opposite rays of which one meets a near edge and the other a far edge or none. Below 0.3
     * for vessels, above 0.3 for lines along the border of an organ. */
    double one_sided;
} candidate_surroundings;

/* Axes across the centerline at its point i. */
static void across_line(const centerline_branch *b, int i, double axis[3][3]) {
    const int from = i > AROUND ? i - AROUND : 0, to = i + AROUND < b->n ? i + AROUND : b->n - 1;
    double d[3];
    vec_add(b->at_mm[to], -1, b->at_mm[from], d);
    if (!vec_normalize(d))
        d[2] = 1;
    vec_axes(d, axis);
}

/* Intensities by distance from the centerline: sum[k] and number n[k] at k mm. */
typedef struct {
    double sum[STEPS + 1], n[STEPS + 1];
} profile;

/* Distance at which the ray falls below `half`; STEPS + 1: never. Adds the ray to `mean`. */
static double trace_ray(const volume *image, const double from[3], const double d[3], double half, profile *mean) {
    double edge = STEPS + 1;
    for (int s = 0; s <= STEPS; s++) {
        double p[3];
        vec_add(from, s, d, p);
        if (!volume_contains(image, p))
            break;
        const double x = volume_sample(image, p);
        mean->sum[s] += x;
        mean->n[s]++;
        if (edge > STEPS && x < half)
            edge = s;
    }
    return edge;
}

/* Measure rays across the centerlines of `t`; `value` is the intensity of the candidate, `tissue` the darker
 * surroundings. */
static candidate_surroundings measure_surroundings(const volume *image, const centerline_tree *t, double tissue,
                                                   double value) {
    profile mean = {{0}, {0}};
    double pairs = 0, one_sided = 0, brightest = value;
    for (int k = 0; k < t->n; k++)
        for (int i = 0; i < t->branch[k].n; i += 2) {
            double axis[3][3];
            across_line(&t->branch[k], i, axis);
            for (int r = 0; r < PAIRS; r++) {
                double edge[2];
                for (int side = 0; side < 2; side++) {
                    const double turn = M_PI * (r / (double)PAIRS + side);
                    double d[3] = {0};
                    vec_add(d, cos(turn), axis[0], d);
                    vec_add(d, sin(turn), axis[1], d);
                    edge[side] = trace_ray(image, t->branch[k].at_mm[i], d, (tissue + value) / 2, &mean);
                }
                pairs++;
                one_sided += fmax(edge[0], edge[1]) > fmax(FAR_EDGE_MM, FAR_EDGE * fmin(edge[0], edge[1]));
            }
        }
    for (int s = 0; s <= SHELL_STEPS; s++)
        brightest = mean.n[s] > 0 ? fmax(brightest, mean.sum[s] / mean.n[s]) : brightest;
    return (candidate_surroundings){value > tissue ? (brightest - value) / (value - tissue) : 0,
                                    pairs > 0 ? one_sided / pairs : 0};
}

/* The resampled image and its statistics. */
typedef struct {
    volume cubes, tubes; /* resampled image, and its tubeness; owned */
    double middle[3];    /* centroid of the body */
    double tissue;       /* median intensity of the body */
    bool ct;             /* true: intensities are in Hounsfield units */
} scene;

/* Adjusts the score by the surroundings. A candidate that is no brighter than most of the body is skin or fat and gets
 * 0. Bone gets a lower score than every vessel. The score falls with the fraction of one-sided rays. */
static int score_surroundings(const scene *s, vessel_candidate *c) {
    double value = 0;
    const int rc = median_along(&s->cubes, &c->tree, &value);
    if (rc != OK || value <= s->tissue) {
        c->score = 0;
        return rc;
    }
    const candidate_surroundings signs = measure_surroundings(&s->cubes, &c->tree, s->tissue, value);
    if (signs.shell > BONE_SHELL || (s->ct && value > SOLID_HU))
        c->look = LOOKS_BONE;
    else if (signs.one_sided > EDGE_ONE_SIDED)
        c->look = LOOKS_EDGE;
    c->score *= (1 - signs.one_sided) * (c->look == LOOKS_BONE ? BONE_SCORE : 1);
    return OK;
}

/* Score the largest pieces above a limit. */
static int score_pieces(const scene *s, double limit, vessel_candidate list[VESSEL_CANDIDATES_MAX]) {
    const volume *tubes = &s->tubes;
    int32_t *label = malloc(volume_size(tubes) * sizeof *label);
    int64_t *size = NULL;
    int rc = OK, all = 0;
    if (label == NULL)
        return fail_memory("the vessel candidates", (double)volume_size(tubes) * sizeof *label);
    TRY(region_label(tubes, limit, INFINITY, label, &all, &size));
    for (int piece = 1; piece <= all && piece <= PIECES && size[piece - 1] >= LEAST_CUBES; piece++) {
        vessel_candidate c = {.score = 0};
        rc = volume_create_like(&c.mask, tubes);
        for (size_t i = 0; rc == OK && i < volume_size(tubes); i++)
            c.mask.value[i] = label[i] == piece;
        if (rc == OK)
            rc = centerline_tree_find(&c.mask, &c.tree);
        c.score = rc == OK ? vessel_score(&c.tree, s->middle) : 0;
        if (c.score > 0)
            rc = score_surroundings(s, &c);
        if (rc == OK && c.score > 0)
            insert_candidate(&c, list);
        vessel_candidate_free(&c);
        if (rc != OK)
            break;
    }
cleanup:
    free(label);
    free(size);
    return rc;
}

/* Finds a tubeness that only vessels exceed. Let s be the STRONG_QUANTILE quantile of the tubeness in the body: *out =
 * s. In a small field of view vessels fill more of the body, and s is too large. This holds if s exceeds t = TOP_PART
 * times the TOP_QUANTILE quantile; then *out = t^2 / s, which is below t. */
static int strong_tubeness(const volume *tubes, const uint8_t *body, double *out) {
    double top = 0;
    int rc = quantile(tubes, body, STRONG_QUANTILE, out);
    if (rc == OK)
        rc = quantile(tubes, body, TOP_QUANTILE, &top);
    if (rc == OK && *out > TOP_PART * top)
        *out = TOP_PART * top * (TOP_PART * top / *out);
    return rc;
}

int vessel_candidates_find(const volume *image, vessel_candidate list[VESSEL_CANDIDATES_MAX], int *n) {
    scene s = {.tissue = 0};
    double strong = 0, box = 1;
    int rc = OK;
    uint8_t *body = NULL;
    *n = 0;
    memset(list, 0, VESSEL_CANDIDATES_MAX * sizeof *list);
    for (int a = 0; a < 3; a++)
        box *= image->dims[a] * image->spacing_mm[a];
    TRY(grid_resample_cubes(image, fmax(CUBE_MM, cbrt(box / MOST_CUBES)), &s.cubes));
    body = malloc(volume_size(&s.cubes));
    if (body == NULL)
        GIVE_UP(fail_memory("the vessel candidates", (double)volume_size(&s.cubes)));
    TRY(find_body(&s.cubes, body, s.middle, &s.ct));
    TRY(quantile(&s.cubes, body, 0.5, &s.tissue));
    TRY(compute_tubeness(&s.cubes, s.tissue, s.ct ? BRIGHT_HU : INFINITY, &s.tubes));
    if (s.ct)
        exclude_bone(&s.cubes, body);
    TRY(strong_tubeness(&s.tubes, body, &strong));
    for (int k = 0; k < LIMITS && strong > 0; k++)
        TRY(score_pieces(&s, strong * FIRST_LIMIT * pow(NEXT_LIMIT, k), list));
    while (*n < VESSEL_CANDIDATES_MAX && list[*n].score > 0)
        (*n)++;
    for (int k = 0; k < *n; k++)
        TRY(vessel_contact_find(&s.cubes, s.tissue, &list[k].tree, list[k].contact_mm, &list[k].n_contact));
cleanup:
    for (int k = 0; k < VESSEL_CANDIDATES_MAX && rc != OK; k++)
        vessel_candidate_free(&list[k]);
    *n = rc == OK ? *n : 0;
    free(body);
    volume_free(&s.cubes);
    volume_free(&s.tubes);
    return rc;
}
