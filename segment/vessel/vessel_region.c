/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/vessel/vessel_region.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/voxel/region.h"
#include "segment/vessel/narrow_neck_sac.h"
#include "segment/vessel/sac.h"
#include "segment/tube/tube_axis.h"
#include "segment/vessel/vessel_paths.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double reading = 0.17; /* Variance of linear interpolation, in voxels^2 */
static const double slack_radii = 0.4, slack_voxels = 1.2;
/* Lower limit of the darkening that is allowed inside the tube (prior_of), as a fraction of the contrast */
static const double prior = 0.3;
/* Logarithm of the prior odds, 1000 to 1, that a place inside belongs to the vessel */
static const double log_odds = 7;
/* Upper limit of the darkening that is allowed inside the tube (prior_of), in multiples of the contrast */
static const double most_prior = 3;
/* Fractions of the rays that meet the wall: prior_of has full weight above well_seen, and none below hardly_seen,
 * because no ray meets a wall behind the end of a vessel */
static const double hardly_seen = 0.4, well_seen = 0.6;
/* Upper limit of slice thickness over voxel width; above it a profile shows only partial volume */
static const double thick_slices = 3;
static const double touching =
    0.1; /* A neighbouring vessel is cut off beyond this distance from the tube's wall, in radii */
/* Radius of the narrow side branches that are searched for, in radii at the seeds; at least a voxel */
static const double narrow_side = 0.35;
static const double map_mm = 6, map_sigma_mm = 8;

static double slack_of(const tube_node *t, const volume *v) {
    // every branch has nodes: NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    return fmax(slack_radii * t->radius_mm, slack_voxels * volume_thinnest_mm(v));
}

void vessel_region_blur(const volume *image, double point_variance, double out[3]) {
    const double thin = volume_thinnest_mm(image);
    const double thick = volume_thickest_mm(image);
    for (int a = 0; a < 3; a++) /* averaging over a voxel's width adds a variance of 1/12 */
        out[a] = thick > thick_slices * thin
                     ? 0
                     : image->spacing_mm[a] * image->spacing_mm[a] / 12 +
                           (VESSEL_PATHS_SMOOTH * VESSEL_PATHS_SMOOTH + reading + point_variance) * thin * thin;
}

/* A single seed has no path: use a short straight piece along the vessel. */
static int path_through(const volume *bright, const tube_guess *guess, const double seed[3], paths *p) {
    paths_branch *b = calloc(1, sizeof *b);
    if (b == NULL)
        return fail_memory("a path", sizeof *b);
    *p = (paths){1, b};
    *b = (paths_branch){.n = 2, .at_mm = malloc(2 * sizeof *b->at_mm), .opening = -1, .root = true};
    return b->at_mm != NULL ? tube_axis(bright, guess, seed, b->at_mm) : fail_memory("a path", sizeof *b->at_mm);
}

int vessel_region_find(const volume *image, const seeds_statistics *seeds, double sign, double threshold, int n,
                       const double (*seed)[3], const vessel_region_openings *o, side_list *sides, tube *out) {
    int rc = OK, total = n + o->n_opening, *opening = malloc((size_t)total * sizeof *opening);
    double(*point)[3] = malloc((size_t)total * sizeof *point);
    volume bright = {0}, cost = {0};
    paths p = {0};
    const bool fixed = !isnan(threshold) && threshold < seeds->inside;
    const double inside = seeds->inside, outside = fixed ? 2 * threshold - inside : seeds->outside;
    tube_guess guess = {sqrt(seeds->narrow_mm * seeds->radius_mm),
                        inside,
                        outside,
                        inside - outside,
                        fixed,
                        o->n_opening,
                        o->normal,
                        {0}};
    vessel_region_blur(image, seeds_point_variance(seeds), guess.blur_mm2);
    if (opening == NULL || point == NULL) {
        rc = fail_memory("the seeds", total * (double)sizeof *point);
        goto cleanup;
    }
    for (int k = 0; k < total; k++) {
        opening[k] = k < n ? -1 : k - n;
        memcpy(point[k], k < n ? seed[k] : o->point[k - n], sizeof *point);
    }
    TRY(vessel_paths_bright(image, sign, INFINITY, NAN, &bright));
    TRY(vessel_paths_cost(&bright, inside, seeds->outside, seeds->narrow_mm, seeds->radius_mm, &cost));
    if (total > 1) {
        TRY(vessel_paths_measure(&bright, &cost, &guess, n, total, (const double(*)[3])point, opening, out));
        TRY(vessel_paths_beside_bone(image, &bright, seeds, sign, &guess, n, total, (const double(*)[3])point, opening,
                                     &cost, out));
    } else {
        TRY(path_through(&bright, &guess, seed[0], &p));
        TRY(tube_measure(&bright, &p, &guess, VESSEL_PATHS_BEYOND, out));
        TRY(sac_find(&bright, &guess, n, seed, out));
    }
    TRY(vessel_paths_add_narrow(&bright, inside, seeds->outside,
                                fmax(narrow_side * seeds->narrow_mm, volume_thinnest_mm(image)), &cost));
    TRY(side_branches_find(&bright, &cost, &guess, out, sides));
    TRY(narrow_neck_sac_find(&bright, out));
    for (int k = 0; k < out->n_piece; k++)
        for (int i = out->first[k]; i < out->first[k + 1]; i += 8)
            message_debug("vessel %d at %.1f %.1f %.1f: radius %.2f mm, intensity %.4g, next tissue %.4g, wall seen by "
                          "%.0f %% of the rays",
                          k + 1, out->node[i].at_mm[0], out->node[i].at_mm[1], out->node[i].at_mm[2],
                          out->node[i].radius_mm, sign * out->node[i].inside, sign * out->node[i].outside,
                          100 * out->node[i].seen);
cleanup:
    free(opening);
    free(point);
    volume_free(&bright);
    volume_free(&cost);
    paths_free(&p);
    return rc;
}

/* Enlarge the box until it contains a ball. */
static void add_ball(const volume *image, const double at_mm[3], double reach, grid_box *box) {
    double index[3];
    volume_to_index(image, at_mm, index);
    for (int a = 0; a < 3; a++) {
        const double far = reach / image->spacing_mm[a];
        box->low[a] = (int)fmin(box->low[a], fmax(0, floor(index[a] - far)));
        box->high[a] = (int)fmax(box->high[a], fmin(image->dims[a] - 1, ceil(index[a] + far)));
    }
}

void vessel_region_box(const tube *t, const volume *image, grid_box *box) {
    for (int a = 0; a < 3; a++) {
        box->low[a] = image->dims[a];
        box->high[a] = -1;
    }
    for (int i = 0; i < t->n; i++)
        add_ball(image, t->node[i].at_mm, 1.6 * t->node[i].radius_mm + slack_of(&t->node[i], image), box);
    for (int k = 0; k < t->n_found; k++)
        if (t->found[k].taken)
            add_ball(image, t->found[k].at_mm, t->found[k].far_mm + slack_of(&t->node[t->sac_node], image), box);
}

int vessel_region_maps(const tube *t, const volume *image, volume *inside, volume *outside) {
    int dims[3], rc = OK;
    for (int a = 0; a < 3; a++)
        dims[a] = (int)fmax(2, ceil(image->dims[a] * image->spacing_mm[a] / map_mm) + 1);
    TRY(volume_create(inside, dims, (const double[3]){map_mm, map_mm, map_mm}, image->origin_mm, image->direction));
    TRY(volume_create_like(outside, inside));
#pragma omp parallel for schedule(static)
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                double p[3], sum[2] = {0}, total = 0, least = INFINITY;
                const size_t at = volume_index(inside, i, j, k);
                volume_to_lps(inside, (const double[3]){i, j, k}, p);
                /* weights are relative to the weight of the nearest node, which therefore never vanishes */
                for (int pass = 0; pass < 2; pass++)
                    for (int n = 0; n < t->n; n++) {
                        double square = 0;
                        for (int a = 0; a < 3; a++)
                            square += (p[a] - t->node[n].at_mm[a]) * (p[a] - t->node[n].at_mm[a]);
                        least = fmin(least, square);
                        if (pass == 0 || square - least > 20 * map_sigma_mm * map_sigma_mm)
                            continue;
                        const double w = exp(-(square - least) / (2 * map_sigma_mm * map_sigma_mm));
                        total += w;
                        sum[0] += w * t->node[n].inside;
                        sum[1] += w * t->node[n].outside;
                    }
                inside->value[at] = (float)(sum[0] / total);
                outside->value[at] = (float)(sum[1] / total);
            }
cleanup:
    return rc;
}

/* -------------------------------------------------------------------------------------- space around the tube */

/* Marks neighbours that touch the vessel: bright voxels beyond the slack, and all bright voxels connected with them,
 * down to the tube's wall. mask: 1 there. work: as v. */
static int find_touching(const tube *t, const volume *v, const volume *field, const int32_t *nearest, double middle,
                         volume *work, uint8_t *mask) {
    const size_t n = volume_size(v);
    int64_t count = 0;
    int rc = OK, n_start = 0, room = 0, (*start)[3] = NULL;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const tube_node *at = nearest[i] >= 0 ? &t->node[nearest[i]] : NULL;
        const bool near = at != NULL && (double)field->value[i] > touching * at->radius_mm &&
                          (double)field->value[i] < slack_of(at, v);
        work->value[i] = near && (double)v->value[i] > middle;
    }
    for (int k = 1; k + 1 < v->dims[2] && rc == OK; k++)
        for (int j = 1; j + 1 < v->dims[1] && rc == OK; j++)
            for (int i = 1; i + 1 < v->dims[0]; i++) {
                const size_t at = volume_index(v, i, j, k);
                const size_t step[3] = {1, (size_t)v->dims[0], (size_t)v->dims[0] * (size_t)v->dims[1]};
                bool outer = false;
                if (work->value[at] <= 0)
                    continue;
                const double slack = slack_of(&t->node[nearest[at]], v);
                for (int a = 0; a < 3 && !outer; a++)
                    for (int s = 0; s < 2 && !outer; s++) {
                        const size_t to = s ? at + step[a] : at - step[a];
                        outer = nearest[to] >= 0 && (double)field->value[to] >= slack && (double)v->value[to] > middle;
                    }
                if (!outer)
                    continue;
                if (n_start == room) {
                    room = room ? 2 * room : 256;
                    int(*grown)[3] = realloc(start, (size_t)room * sizeof *grown);
                    if (grown == NULL) {
                        rc = fail_memory("structures that touch the vessel", room * (double)sizeof *grown);
                        break;
                    }
                    start = grown;
                }
                start[n_start][0] = i, start[n_start][1] = j, start[n_start][2] = k;
                n_start++;
            }
    if (rc == OK)
        rc = region_grow(work, 0.5, 2, n_start, (const int(*)[3])start, mask, &count);
    free(start);
    return rc;
}

int vessel_region_band(const tube *t, const volume *v, volume *band) {
    const double thin = volume_thinnest_mm(v);
    double slack = 0;
    for (int i = 0; i < t->n; i++)
        slack = fmax(slack, slack_of(&t->node[i], v));
    int rc = volume_create_like(band, v);
    if (rc == OK)
        rc = tube_field(t, slack + 4 * thin, band, NULL);
    const size_t n = rc == OK ? volume_size(v) : 0;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) /* the distance becomes 0 in the tube and within the slack around it */
        band->value[i] = (float)fmax(0, ((double)band->value[i] - slack) / thin);
    return rc;
}

/* Nearest voxels of the nodes, which are inside the vessel. */
static int node_voxels(const tube *t, const volume *v, int (**out)[3]) {
    *out = malloc((size_t)(t->n + 1) * sizeof **out);
    if (*out == NULL)
        return fail_memory("the tubes", t->n * (double)sizeof **out);
    for (int i = 0; i < t->n; i++) {
        double index[3];
        volume_to_index(v, t->node[i].at_mm, index);
        for (int a = 0; a < 3; a++)
            (*out)[i][a] = (int)fmin(v->dims[a] - 1, fmax(0, floor(index[a] + 0.5)));
    }
    return OK;
}

/* A place half a radius inside the tube's wall may be darker than the middle between vessel and tissue by this fraction
 * of the contrast. Bayes' rule: log odds of the vessel times (noise / contrast)^2. */
static double prior_of(double noise_per_contrast) {
    return fmin(most_prior, fmax(prior, log_odds * noise_per_contrast * noise_per_contrast));
}

int vessel_region_limits(const tube *t, const volume *v, double inside, double outside, double noise, double most,
                         volume *start, volume *clip, volume *field) {
    const size_t n = volume_size(v);
    const double middle = 0.5 * (inside + outside), thin = volume_thinnest_mm(v),
                 leaning = prior_of(noise / (inside - outside));
    int rc = OK, (*at)[3] = NULL;
    int64_t count = 0;
    int32_t *nearest = malloc(n * sizeof *nearest);
    uint8_t *mask = calloc(n, 1);
    if (nearest == NULL || mask == NULL) {
        rc = fail_memory("the tubes", (double)n * sizeof *nearest);
        goto cleanup;
    }
    double far = 4 * thin;
    for (int i = 0; i < t->n; i++)
        far = fmax(far, slack_of(&t->node[i], v) + 4 * thin);
    TRY(volume_create_like(field, v));
    TRY(volume_create_like(start, v));
    TRY(volume_create_like(clip, v));
    TRY(tube_field(t, far, field, nearest));
    TRY(find_touching(t, v, field, nearest, middle, start, mask));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        clip->value[i] = mask[i];
    const double sigma = 1.5;
    TRY(grid_smooth(clip, (const double[3]){sigma, sigma, sigma}));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const double d = (double)field->value[i];
        start->value[i] = 0;
        if (nearest[i] < 0 || t->node[nearest[i]].lost) {
            clip->value[i] = (float)far;
            continue;
        }
        const tube_node *near = &t->node[nearest[i]];
        const double patch = fmin(1, 3 * (double)clip->value[i]), slack = slack_of(near, v) * (1 - patch);
        const double lean = fmax(-1, fmin(1, d / (0.5 * near->radius_mm)));
        const double sure = fmin(1, fmax(0, (near->seen - hardly_seen) / (well_seen - hardly_seen)));
        clip->value[i] = (float)(d - slack);
        start->value[i] =
            ((double)v->value[i] - middle) / (inside - outside) - (prior + sure * (leaning - prior)) * lean > 0 &&
            d < slack && (double)v->value[i] <= most;
    }
    TRY(node_voxels(t, v, &at));
    TRY(region_grow(start, 0.5, 2, t->n, (const int(*)[3])at, mask, &count));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        start->value[i] = mask[i];
cleanup:
    free(nearest);
    free(mask);
    free(at);
    return rc;
}
