/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/region.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const volume *v;
    double low, high;
    int32_t *label;
    voxel_list open; /* voxels whose neighbours are not visited yet */
} flood;

static bool may_flood(const flood *f, size_t i) {
    double x = (double)f->v->value[i];
    return f->label[i] == 0 && x >= f->low && x <= f->high;
}

static int push_voxel(flood *f, size_t i, int32_t label) {
    f->label[i] = label;
    return voxel_list_push(&f->open, i);
}

/* Flood `label` from the open voxels until none is open. */
static int flood_label(flood *f, int32_t label, int64_t *count) {
    int rc = OK;
    while (f->open.n > 0 && rc == OK) {
        size_t beside[6];
        const int n = voxel_face_neighbours(f->v, f->open.voxel[--f->open.n], beside);
        (*count)++;
        for (int k = 0; k < n && rc == OK; k++)
            if (may_flood(f, beside[k]))
                rc = push_voxel(f, beside[k], label);
    }
    return rc;
}

typedef struct {
    int64_t size;
    int32_t label;
} ranked;

static int by_size(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    return p->size != q->size ? (p->size < q->size) - (p->size > q->size)
                              : (p->label > q->label) - (p->label < q->label);
}

/* Renumber the regions by size; label 1 is the largest region. */
static int rank_by_size(int32_t *label, size_t n, int n_region, int64_t *size) {
    ranked *r = malloc((size_t)(n_region > 0 ? n_region : 1) * sizeof *r);
    int32_t *to = malloc(((size_t)n_region + 1) * sizeof *to);
    if (r == NULL || to == NULL) {
        free(r);
        free(to);
        return fail_memory("connected regions", n_region * (double)sizeof *r);
    }
    for (int k = 0; k < n_region; k++)
        r[k] = (ranked){size[k], k + 1};
    qsort(r, (size_t)n_region, sizeof *r, by_size);
    to[0] = 0;
    for (int k = 0; k < n_region; k++) {
        to[r[k].label] = k + 1;
        size[k] = r[k].size;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        label[i] = to[label[i]];
    free(r);
    free(to);
    return OK;
}

int region_label(const volume *v, double low, double high, int32_t *label, int *n_region, int64_t **size) {
    flood f = {.v = v, .low = low, .high = high, .label = label};
    size_t n = volume_size(v), room = 0;
    int rc = OK;
    *n_region = 0;
    *size = NULL;
    memset(label, 0, n * sizeof *label);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (!may_flood(&f, i))
            continue;
        if ((size_t)*n_region == room) {
            room = room ? 2 * room : 64;
            int64_t *grown = realloc(*size, room * sizeof *grown);
            if (grown == NULL) {
                rc = fail_memory("connected regions", (double)room * sizeof *grown);
                break;
            }
            *size = grown;
        }
        (*size)[*n_region] = 0;
        rc = push_voxel(&f, i, *n_region + 1);
        if (rc == OK)
            rc = flood_label(&f, *n_region + 1, &(*size)[*n_region]);
        (*n_region)++;
    }
    free(f.open.voxel);
    if (rc == OK)
        rc = rank_by_size(label, n, *n_region, *size);
    if (rc != OK) {
        free(*size);
        *size = NULL;
    }
    return rc;
}

int region_grow(const volume *v, double low, double high, int n_start, const int (*start)[3], uint8_t *mask,
                int64_t *count) {
    size_t n = volume_size(v);
    int32_t *label = calloc(n, sizeof *label);
    flood f = {.v = v, .low = low, .high = high, .label = label};
    int rc = label == NULL ? fail_memory("the region of the seeds", (double)n * sizeof *label) : OK;
    *count = 0;
    for (int s = 0; s < n_start && rc == OK; s++) {
        size_t i = volume_index(v, start[s][0], start[s][1], start[s][2]);
        if (may_flood(&f, i))
            rc = push_voxel(&f, i, 1);
        if (rc == OK)
            rc = flood_label(&f, 1, count);
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < (rc == OK ? n : 0); i++)
        mask[i] = (uint8_t)label[i];
    free(f.open.voxel);
    free(label);
    return rc;
}

/* True if a voxel next to `voxel` is inside. */
static bool is_beside_inside(const volume *level, size_t voxel) {
    size_t beside[6];
    const int n = voxel_face_neighbours(level, voxel, beside);
    for (int k = 0; k < n; k++)
        if (level->value[beside[k]] < 0)
            return true;
    return false;
}

/* Lists the voxels outside that are connected with `start`. *open: they reach the border of the volume, an earlier
 * list, or more than `most` voxels; the list is then not complete. seen: 1 for the voxels of all lists. */
static int list_hole(const volume *level, size_t start, size_t most, uint8_t *seen, voxel_list *list, bool *open) {
    int rc = OK;
    list->n = 0;
    *open = false;
    seen[start] = 1;
    TRY(voxel_list_push(list, start));
    for (size_t at = 0; at < list->n && !*open; at++) {
        size_t beside[6];
        const int n = voxel_face_neighbours(level, list->voxel[at], beside);
        *open = n < 6 || list->n > most;
        for (int k = 0; k < n && !*open; k++) {
            const size_t next = beside[k];
            if (level->value[next] < 0)
                continue;
            bool listed = false;
            for (size_t m = 0; m < list->n && seen[next] && !listed; m++)
                listed = list->voxel[m] == next;
            *open = seen[next] && !listed;
            if (seen[next])
                continue;
            seen[next] = 1;
            TRY(voxel_list_push(list, next));
        }
    }
cleanup:
    return rc;
}

int region_fill_holes(volume *level, double most_mm3, region_holes *filled) {
    const double voxel_mm3 = level->spacing_mm[0] * level->spacing_mm[1] * level->spacing_mm[2];
    const size_t size = volume_size(level), most = (size_t)(most_mm3 / voxel_mm3);
    const float inside = (float)-volume_thinnest_mm(level);
    uint8_t *seen = calloc(size, 1);
    voxel_list list = {0};
    bool open;
    int rc = seen == NULL ? fail_memory("the holes of the lumen", (double)size) : OK;
    *filled = (region_holes){0};
    for (size_t i = 0; i < size && rc == OK; i++) {
        if (seen[i] || level->value[i] < 0 || !is_beside_inside(level, i))
            continue;
        TRY(list_hole(level, i, most, seen, &list, &open));
        if (open)
            continue;
        for (size_t m = 0; m < list.n; m++)
            level->value[list.voxel[m]] = inside;
        filled->n++;
        if ((double)list.n * voxel_mm3 <= filled->largest_mm3)
            continue;
        int at[3];
        filled->largest_mm3 = (double)list.n * voxel_mm3;
        voxel_split(level, i, at);
        volume_to_lps(level, (const double[3]){at[0], at[1], at[2]}, filled->place_mm);
    }
cleanup:
    free(list.voxel);
    free(seen);
    return rc;
}

bool region_bounding_box(const volume *geometry, const uint8_t *mask, grid_box *box) {
    bool any = false;
    for (int k = 0; k < geometry->dims[2]; k++)
        for (int j = 0; j < geometry->dims[1]; j++)
            for (int i = 0; i < geometry->dims[0]; i++) {
                const int at[3] = {i, j, k};
                if (!mask[volume_index(geometry, i, j, k)])
                    continue;
                for (int a = 0; a < 3; a++) {
                    box->low[a] = !any || at[a] < box->low[a] ? at[a] : box->low[a];
                    box->high[a] = !any || at[a] > box->high[a] ? at[a] : box->high[a];
                }
                any = true;
            }
    return any;
}

int32_t region_nearest(const volume *v, const int32_t *label, int32_t wanted, const double at[3], double place[3],
                       double *away) {
    int32_t found = 0;
    *away = INFINITY;
    for (int k = 0; k < v->dims[2]; k++)
        for (int j = 0; j < v->dims[1]; j++)
            for (int i = 0; i < v->dims[0]; i++) {
                const int32_t here = label[volume_index(v, i, j, k)];
                double p[3];
                if (here == 0 || (wanted > 0 && here != wanted))
                    continue;
                volume_to_lps(v, (const double[3]){i, j, k}, p);
                const double d = vec_distance(p, at);
                if (d >= *away)
                    continue;
                *away = d, found = here;
                for (int a = 0; a < 3; a++)
                    place[a] = p[a];
            }
    return found;
}
