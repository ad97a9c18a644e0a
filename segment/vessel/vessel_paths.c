/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/vessel/vessel_paths.h"
#include "common/base/status.h"
#include "segment/tube/tube_paths.h"
#include "segment/vessel/sac.h"
#include "segment/voxel/grid.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A voxel is not blood if it exceeds the vessel's intensity both by much_brighter contrasts and by noise_brighter
 * standard deviations of the noise. If only the darkened image gives the cost, brighter_alone replaces
 * much_brighter. */
static const double much_brighter = 1.9, brighter_alone = 0.7, noise_brighter = 4;
/* A path without a visible wall over this length, in radii, has left the vessel */
static const double lost_radii = 1.5;
static const double path_radii = 1 / 3.5;  /* Width of a voxel of the cost grid, in radii */
static const double floor_of_cost = 0.005; /* 1 / floor_of_cost is the cost of a voxel without a vessel */

int vessel_paths_bright(const volume *image, double sign, double most, double dark, volume *out) {
    const double thin = volume_thinnest_mm(image);
    double sigma[3];
    int rc = volume_create_like(out, image);
    const size_t n = rc == OK ? volume_size(image) : 0;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const double x = sign * (double)image->value[i];
        out->value[i] = (float)(x > most ? dark : x);
    }
    for (int a = 0; a < 3; a++)
        sigma[a] = VESSEL_PATHS_SMOOTH * thin / image->spacing_mm[a];
    return rc == OK ? grid_smooth(out, sigma) : rc;
}

/* Likeness to the vessel's intensity: 1 at this intensity, 0 at the tissue's intensity, falling again above the
 * vessel's. */
static double as_bright(const volume *grid, size_t voxel, double inside, double outside) {
    const double part = ((double)grid->value[voxel] - outside) / (inside - outside);
    return fmin(part, 2 - part);
}

/* Lowers the cost in the middle of tubes of one radius. grid: the image, of the geometry of `cost`. Errors:
 * ERR_RESOURCE. */
static int lower_cost(const volume *grid, double inside, double outside, double radius_mm, volume *cost) {
    const size_t n = volume_size(grid);
    volume tubeness = {0};
    int rc = OK;
    uint8_t *wanted = malloc(n);
    if (wanted == NULL) {
        rc = fail_memory("the paths between seeds and openings", (double)n);
        goto cleanup;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) /* other intensities are no vessel, whatever their shape */
        wanted[i] = as_bright(grid, i, inside, outside) > 0;
    TRY(volume_copy(&tubeness, grid));
    TRY(paths_tubeness(&tubeness, radius_mm, inside - outside, false, wanted));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const double even = as_bright(grid, i, inside, outside);
        /* the tubeness of a tube along an axis is about 0.35; the full score starts at 0.3 */
        const double tube_part = fmin(1, (double)tubeness.value[i] / 0.3);
        const double score = tube_part * fmin(1, fmax(0, even));
        cost->value[i] = fminf(cost->value[i], (float)(1 / (floor_of_cost + score * score)));
    }
cleanup:
    free(wanted);
    volume_free(&tubeness);
    return rc;
}

int vessel_paths_cost(const volume *bright, double inside, double outside, double narrow_mm, double wide_mm,
                      volume *cost) {
    int rc = OK;
    volume grid = {0};
    const int scales = wide_mm > 1.3 * narrow_mm ? 3 : 1;
    TRY(grid_resample_cubes(bright, fmax(path_radii * narrow_mm, 0.8 * volume_thinnest_mm(bright)), &grid));
    TRY(volume_create_like(cost, &grid));
    for (size_t i = 0; i < volume_size(cost); i++)
        cost->value[i] = INFINITY;
    for (int s = 0; s < scales; s++)
        TRY(lower_cost(&grid, inside, outside,
                       narrow_mm * pow(wide_mm / narrow_mm, scales > 1 ? s / (scales - 1.0) : 0.5), cost));
cleanup:
    volume_free(&grid);
    return rc;
}

int vessel_paths_add_narrow(const volume *bright, double inside, double outside, double radius_mm, volume *cost) {
    volume grid = {0};
    int rc = OK;
    TRY(grid_resample_cubes(bright, cost->spacing_mm[0], &grid));
    TRY(lower_cost(&grid, inside, outside, radius_mm, cost));
cleanup:
    volume_free(&grid);
    return rc;
}

/* Computes the cost of paths through the image with bright material darkened. In the image itself a vessel next to bone
 * is no ridge. cost: in, cost of the image; out, the smaller of the old and the new cost, or the new cost if `alone` is
 * true. `alone` also lowers the brightness above which material is darkened, because the blur around bone is as bright
 * as blood. *any: true if there is bright material; false: cost is unchanged. */
static int darkened_cost(const volume *image, const seeds_statistics *seeds, double sign, double inside, double outside,
                         bool alone, volume *cost, bool *any) {
    const double most =
        inside + fmax((alone ? brighter_alone : much_brighter) * (inside - outside), noise_brighter * seeds->noise);
    volume bright = {0}, without = {0};
    size_t n = volume_size(image), count = 0;
    int rc = OK;
#pragma omp parallel for schedule(static) reduction(+ : count)
    for (size_t i = 0; i < n; i++)
        count += sign * (double)image->value[i] > most;
    *any = count > 0;
    if (count == 0)
        return OK;
    TRY(vessel_paths_bright(image, sign, most, seeds->outside, &bright));
    TRY(vessel_paths_cost(&bright, inside, seeds->outside, seeds->narrow_mm, seeds->radius_mm, &without));
    n = volume_size(cost);
    for (size_t i = 0; i < n; i++)
        cost->value[i] = alone ? without.value[i] : fminf(cost->value[i], without.value[i]);
cleanup:
    volume_free(&bright);
    volume_free(&without);
    return rc;
}

int vessel_paths_measure(const volume *bright, const volume *cost, const tube_guess *guess, int n_seed, int total,
                         const double (*point)[3], const int *opening, tube *out) {
    paths p = {0};
    int rc = OK;
    TRY(paths_find(cost, total, point, opening, &p));
    TRY(tube_measure(bright, &p, guess, VESSEL_PATHS_BEYOND, out));
    TRY(sac_find(bright, guess, n_seed, point, out)); /* the first points are the seeds */
cleanup:
    paths_free(&p);
    return rc;
}

int vessel_paths_beside_bone(const volume *image, const volume *bright, const seeds_statistics *seeds, double sign,
                             const tube_guess *guess, int n_seed, int total, const double (*point)[3],
                             const int *opening, volume *cost, tube *out) {
    double place[3];
    bool any = false;
    int rc = OK;
    volume other = {0};
    tube next = {0};
    for (int alone = 0; alone < 2 && tube_longest_unseen(out, true, place) >= lost_radii; alone++) {
        TRY(volume_copy(&other, cost));
        TRY(darkened_cost(image, seeds, sign, guess->inside, guess->outside, alone > 0, &other, &any));
        if (any)
            TRY(vessel_paths_measure(bright, &other, guess, n_seed, total, point, opening, &next));
        if (any && (alone == 0 || tube_longest_unseen(&next, true, place) < tube_longest_unseen(out, true, place))) {
            const tube swap = *out;
            const volume worse = *cost;
            *out = next, next = swap;
            *cost = other, other = worse;
        }
        tube_free(&next);
        volume_free(&other);
    }
cleanup:
    tube_free(&next);
    volume_free(&other);
    return rc;
}
