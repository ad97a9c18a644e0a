/* SPDX-License-Identifier: Apache-2.0 */
#include "common/liver/liver_grid.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_ML = 100, MOST_ML = 10000; /* as the key volume of model: lobules */
static const double MOST_LOST = 0.05;                /* part of the liver that may be left out */

void liver_grid_free(liver_grid *g) {
    free(g->inside);
    free(g->number);
    free(g->at);
    free(g->volume_mm3);
    free(g->other);
    free(g->area_mm2);
    memset(g, 0, sizeof *g);
}

static size_t block_of(const liver_grid *g, int i, int j, int k) {
    return ((size_t)(k / g->factor[2]) * (size_t)g->dims[1] + (size_t)(j / g->factor[1])) * (size_t)g->dims[0] +
           (size_t)(i / g->factor[0]);
}

int64_t liver_grid_of_voxel(const liver_grid *g, int i, int j, int k) {
    return g->inside[volume_index(&g->image, i, j, k)] ? g->number[block_of(g, i, j, k)] : -1;
}

/* Size of the cells: cubes as far as the voxels allow. */
static int choose_blocks(const volume *mask, int cells, liver_grid *g) {
    size_t count = 0;
    double voxel_mm3 = 1;
    g->inside = malloc(volume_size(mask));
    if (!g->inside)
        return fail_memory("the mask of the liver", (double)volume_size(mask));
    for (size_t i = 0; i < volume_size(mask); i++) {
        g->inside[i] = mask->value[i] != 0;
        count += g->inside[i];
    }
    if (count == 0)
        return fail(ERR_INPUT, "the label of the liver has no voxel; check the label and the file");
    for (int a = 0; a < 3; a++)
        voxel_mm3 *= mask->spacing_mm[a];
    const double size_mm = cbrt((double)count * voxel_mm3 / cells);
    for (int a = 0; a < 3; a++) {
        g->factor[a] = (int)fmax(1, ceil(size_mm / mask->spacing_mm[a] - 0.25));
        g->dims[a] = (mask->dims[a] + g->factor[a] - 1) / g->factor[a];
        g->spacing_mm[a] = g->factor[a] * mask->spacing_mm[a];
    }
    return volume_set_geometry(&g->image, mask->dims, mask->spacing_mm, mask->origin_mm, mask->direction);
}

/* Numbers the blocks with liver voxels. */
static int number_blocks(const volume *mask, liver_grid *g) {
    const size_t blocks = (size_t)g->dims[0] * (size_t)g->dims[1] * (size_t)g->dims[2];
    g->number = malloc(blocks * sizeof *g->number);
    if (!g->number)
        return fail_memory("the cells of the liver", 4.0 * (double)blocks);
    memset(g->number, -1, blocks * sizeof *g->number);
    g->n = 0;
    for (int k = 0; k < mask->dims[2]; k++)
        for (int j = 0; j < mask->dims[1]; j++)
            for (int i = 0; i < mask->dims[0]; i++) {
                int32_t *number = &g->number[block_of(g, i, j, k)];
                if (mask->value[volume_index(mask, i, j, k)] != 0 && *number < 0)
                    *number = (int32_t)g->n++;
            }
    const size_t n = (size_t)g->n + 1;
    g->at = malloc(n * sizeof *g->at);
    g->volume_mm3 = calloc(n, sizeof *g->volume_mm3);
    g->other = malloc(n * sizeof *g->other);
    g->area_mm2 = calloc(n, sizeof *g->area_mm2);
    if (!g->at || !g->volume_mm3 || !g->other || !g->area_mm2)
        return fail_memory("the cells of the liver", 80.0 * (double)n);
    memset(g->other, -1, n * sizeof *g->other);
    return OK;
}

/* Adds a voxel to its cell, and its faces to the faces of the cell. */
static void add_voxel(const volume *mask, liver_grid *g, const int at[3], double voxel_mm3) {
    const int32_t cell = g->number[block_of(g, at[0], at[1], at[2])];
    g->volume_mm3[cell] += voxel_mm3;
    for (int a = 0; a < 3; a++)
        g->at[cell][a] = at[a] / g->factor[a];
    for (int a = 0; a < 3; a++) {
        int next[3] = {at[0], at[1], at[2]};
        if (++next[a] >= mask->dims[a] || next[a] % g->factor[a] != 0 ||
            mask->value[volume_index(mask, next[0], next[1], next[2])] == 0)
            continue;
        const int32_t other = g->number[block_of(g, next[0], next[1], next[2])];
        const float face_mm2 = (float)(voxel_mm3 / mask->spacing_mm[a]);
        g->other[cell][2 * a + 1] = other;
        g->other[other][2 * a] = cell;
        g->area_mm2[cell][2 * a + 1] += face_mm2;
        g->area_mm2[other][2 * a] += face_mm2;
    }
}

/* Numbers the connected parts: part [n] out. Returns the part with the largest volume. */
static int32_t find_largest_part(const liver_grid *g, int32_t *part, int32_t *stack) {
    double largest_mm3 = -1;
    int32_t largest = 0, n_part = 0;
    memset(part, -1, (size_t)g->n * sizeof *part);
    for (int64_t i = 0; i < g->n; i++) {
        double mm3 = 0;
        int64_t n = 0;
        if (part[i] >= 0)
            continue;
        part[i] = n_part;
        stack[n++] = (int32_t)i;
        while (n > 0) {
            const int32_t cell = stack[--n];
            mm3 += g->volume_mm3[cell];
            for (int f = 0; f < 6; f++) {
                const int32_t other = g->other[cell][f];
                if (other >= 0 && part[other] < 0) {
                    part[other] = n_part;
                    stack[n++] = other;
                }
            }
        }
        if (mm3 > largest_mm3) {
            largest_mm3 = mm3;
            largest = n_part;
        }
        n_part++;
    }
    return largest;
}

/* Keeps the largest connected part and renumbers its cells. */
static int keep_largest_part(liver_grid *g) {
    const size_t blocks = (size_t)g->dims[0] * (size_t)g->dims[1] * (size_t)g->dims[2], n = (size_t)g->n;
    int32_t *part = malloc((n + 1) * sizeof *part), *now = malloc((n + 1) * sizeof *now);
    int64_t kept = 0;
    int rc = OK;
    if (!part || !now)
        GIVE_UP(fail_memory("the parts of the liver", 8.0 * (double)n));
    const int32_t largest = find_largest_part(g, part, now);
    for (size_t i = 0; i < n; i++) {
        *(part[i] == largest ? &g->all_mm3 : &g->lost_mm3) += g->volume_mm3[i];
        now[i] = part[i] == largest ? (int32_t)kept++ : -1;
    }
    for (size_t i = 0; i < n; i++) {
        if (now[i] < 0)
            continue;
        memmove(g->at[now[i]], g->at[i], sizeof *g->at);
        memmove(g->area_mm2[now[i]], g->area_mm2[i], sizeof *g->area_mm2);
        g->volume_mm3[now[i]] = g->volume_mm3[i];
        for (int f = 0; f < 6; f++) /* a neighbour belongs to the same part */
            g->other[now[i]][f] = g->other[i][f] < 0 ? -1 : now[g->other[i][f]];
    }
    for (size_t b = 0; b < blocks; b++)
        g->number[b] = g->number[b] < 0 ? -1 : now[g->number[b]];
    g->n = kept;
cleanup:
    free(part);
    free(now);
    return rc;
}

int liver_grid_create(const volume *mask, int cells, liver_grid *g) {
    int rc;
    memset(g, 0, sizeof *g);
    TRY(choose_blocks(mask, cells, g));
    TRY(number_blocks(mask, g));
    const double voxel_mm3 = mask->spacing_mm[0] * mask->spacing_mm[1] * mask->spacing_mm[2];
    for (int k = 0; k < mask->dims[2]; k++)
        for (int j = 0; j < mask->dims[1]; j++)
            for (int i = 0; i < mask->dims[0]; i++)
                if (mask->value[volume_index(mask, i, j, k)] != 0)
                    add_voxel(mask, g, (const int[3]){i, j, k}, voxel_mm3);
    TRY(keep_largest_part(g));
cleanup:
    if (rc != OK)
        liver_grid_free(g);
    return rc;
}

/* Index in the image of the centre of a cell. */
static double centre_index(const liver_grid *g, int64_t cell, int a) {
    return (g->at[cell][a] + 0.5) * g->factor[a] - 0.5;
}

void liver_grid_centre(const liver_grid *g, int64_t cell, double lps_mm[3]) {
    const double index[3] = {centre_index(g, cell, 0), centre_index(g, cell, 1), centre_index(g, cell, 2)};
    volume_to_lps(&g->image, index, lps_mm);
}

int64_t liver_grid_nearest(const liver_grid *g, const double lps_mm[3], double *distance_mm) {
    double index[3], least = INFINITY;
    int64_t nearest = -1;
    volume_to_index(&g->image, lps_mm, index);
    for (int64_t i = 0; i < g->n; i++) {
        double centre = 0, face = 0;
        for (int a = 0; a < 3; a++) {
            const double off_mm = fabs(index[a] - centre_index(g, i, a)) * g->image.spacing_mm[a];
            centre += off_mm * off_mm;
            face += pow(fmax(off_mm - 0.5 * g->spacing_mm[a], 0), 2);
        }
        if (centre < least) {
            least = centre;
            nearest = i;
            *distance_mm = sqrt(face);
        }
    }
    return nearest;
}

int liver_grid_check(const liver_grid *g) {
    const double all_ml = 1e-3 * (g->all_mm3 + g->lost_mm3), lost_ml = 1e-3 * g->lost_mm3;
    if (all_ml < LEAST_ML || all_ml > MOST_ML)
        return fail(ERR_INPUT, "the label of the liver has %.3g L, but a liver has %g to %g L; %s", 1e-3 * all_ml,
                    1e-3 * LEAST_ML, 1e-3 * MOST_ML,
                    all_ml > MOST_ML ? "give the labels of the liver as labels: values"
                                     : "check the label and the voxel size of the file");
    if (lost_ml > MOST_LOST * all_ml)
        return fail(ERR_INPUT,
                    "the label of the liver is in pieces: %.3g of its %.3g mL are not connected with the largest one, "
                    "and at most %g %% may be; join or remove the pieces in the label",
                    lost_ml, all_ml, 100 * MOST_LOST);
    return OK;
}

int liver_grid_check_distance(const char *what, const char *name, double off_mm) {
    return off_mm <= LIVER_END_MM ? OK
                                  : fail(ERR_INPUT,
                                         "%s '%s' is %.3g mm from the label of the liver, and must be within %g mm; "
                                         "correct the label or the point; an outlet to other organs needs collateral: "
                                         "true",
                                         what, name, off_mm, LIVER_END_MM);
}
