/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/checks/parallel_vessel.h"
#include "common/base/status.h"
#include "segment/checks/checks_constants.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Number of the piece of core that contains a seed, or of the nearest piece within radius_mm; 0: none. */
static int32_t piece_at(const volume *phi, const int32_t *label, const double seed[3], double radius_mm) {
    double index[3], least = INFINITY;
    int low[3], high[3];
    int32_t best = 0;
    volume_to_index(phi, seed, index);
    for (int a = 0; a < 3; a++) {
        const double reach = radius_mm / phi->spacing_mm[a];
        low[a] = (int)fmax(0, floor(index[a] - reach));
        high[a] = (int)fmin(phi->dims[a] - 1, ceil(index[a] + reach));
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                const int at[3] = {i, j, k};
                const int32_t piece = label[volume_index(phi, i, j, k)];
                double far = 0;
                for (int a = 0; a < 3; a++)
                    far += pow((at[a] - index[a]) * phi->spacing_mm[a], 2);
                if (piece > 0 && far < least)
                    best = piece, least = far;
            }
    return best;
}

/* Fraction of the voxels of piece p within reach_mm of the seeded pieces. Sets place_mm to the voxel of p nearest to
 * the seeded pieces. */
static double along_part(const volume *phi, const int32_t *label, int32_t p, int64_t size, const volume *away,
                         double reach_mm, double place_mm[3]) {
    int64_t near = 0;
    float least = INFINITY;
    for (int k = 0; k < phi->dims[2]; k++)
        for (int j = 0; j < phi->dims[1]; j++)
            for (int i = 0; i < phi->dims[0]; i++) {
                const size_t v = volume_index(phi, i, j, k);
                if (label[v] != p)
                    continue;
                near += (double)away->value[v] < reach_mm;
                if (away->value[v] < least)
                    volume_to_lps(phi, (const double[3]){i, j, k}, place_mm);
                least = fminf(least, away->value[v]);
            }
    return (double)near / (double)size;
}

/* Compute the distance map to the seeded pieces; *n_core: number of voxels of all pieces. */
static int away_from_seeds(const volume *phi, const int32_t *label, const uint8_t *seeded, double limit_mm,
                           int64_t *n_core, volume *away) {
    const size_t total = volume_size(phi);
    volume mask = {0};
    int rc = OK;
    *n_core = 0;
    TRY(volume_create_like(&mask, phi));
    for (size_t v = 0; v < total; v++) {
        mask.value[v] = label[v] > 0 && seeded[label[v]];
        *n_core += label[v] > 0;
    }
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, limit_mm, away));
cleanup:
    volume_free(&mask);
    return rc;
}

int parallel_vessel_find(const volume *phi, int n, const double (*seed)[3], double radius_mm, parallel_vessel *out) {
    const size_t total = volume_size(phi);
    const double reach = NEAR_CORE * radius_mm;
    int32_t *label = malloc(total * sizeof *label);
    uint8_t *seeded = NULL;
    int64_t *size = NULL, n_core = 0;
    int n_piece = 0, n_seeded = 0, rc = OK;
    volume away = {0};
    *out = (parallel_vessel){.place_mm = {NAN, NAN, NAN}};
    if (label == NULL)
        GIVE_UP(fail_memory("the vessels next to this one", (double)total * sizeof *label));
    TRY(region_label(phi, -INFINITY, -CORE_PART * radius_mm, label, &n_piece, &size));
    seeded = calloc((size_t)n_piece + 1, 1);
    if (seeded == NULL)
        GIVE_UP(fail_memory("the vessels next to this one", n_piece));
    for (int k = 0; k < n; k++)
        seeded[piece_at(phi, label, seed[k], radius_mm)] = 1;
    seeded[0] = 0;
    for (int p = 1; p <= n_piece; p++)
        n_seeded += seeded[p];
    if (n_seeded == 0 || n_seeded == n_piece)
        goto cleanup;
    TRY(away_from_seeds(phi, label, seeded, 1.1 * reach, &n_core, &away));
    for (int p = 1; p <= n_piece; p++) { /* the largest piece has number 1 */
        double place[3];
        if ((double)size[p - 1] < MIN_CORE * (double)n_core)
            break;
        if (seeded[p] || along_part(phi, label, p, size[p - 1], &away, reach, place) < MIN_ALONG)
            continue;
        *out = (parallel_vessel){(double)size[p - 1] / (double)n_core, {place[0], place[1], place[2]}};
        break;
    }
cleanup:
    volume_free(&away);
    free(seeded);
    free(size);
    free(label);
    return rc;
}
