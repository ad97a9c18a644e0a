/* SPDX-License-Identifier: Apache-2.0 */
#include "common/liver/liver_volume.h"
#include <math.h>
#include <stdio.h>

static const double LEAST_L = 0.3, MOST_L = 4;

static bool is_liver(const liver_grid *g, const int at[3]) {
    for (int a = 0; a < 3; a++)
        if (at[a] < 0 || at[a] >= g->image.dims[a])
            return false;
    return liver_grid_of_voxel(g, at[0], at[1], at[2]) >= 0;
}

static bool is_at_surface(const liver_grid *g, const int at[3]) {
    for (int a = 0; a < 3; a++)
        for (int step = -1; step <= 1; step += 2) {
            int next[3] = {at[0], at[1], at[2]};
            next[a] += step;
            if (next[a] >= 0 && next[a] < g->image.dims[a] && !is_liver(g, next))
                return true;
        }
    return false;
}

/* Cross-section of the liver in a slice across an axis, mm2. */
static double cross_section_mm2(const liver_grid *g, int axis, int slice) {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    int at[3];
    int64_t n = 0;
    at[axis] = slice;
    for (at[c] = 0; at[c] < g->image.dims[c]; at[c]++)
        for (at[b] = 0; at[b] < g->image.dims[b]; at[b]++)
            n += is_liver(g, at);
    return (double)n * g->image.spacing_mm[b] * g->image.spacing_mm[c];
}

/* Finds the largest cut by the border of the image. */
static void find_cut(const liver_grid *g, liver_volume *v) {
    v->cut_axis = -1;
    for (int a = 0; a < 3; a++) {
        const int last = g->image.dims[a] - 1;
        const double border_mm2 = fmax(cross_section_mm2(g, a, 0), cross_section_mm2(g, a, last));
        double largest_mm2 = 0;
        for (int slice = 0; slice <= last && border_mm2 > v->cut_mm2; slice++)
            largest_mm2 = fmax(largest_mm2, cross_section_mm2(g, a, slice));
        if (border_mm2 > v->cut_mm2 && border_mm2 > 4 * g->image.spacing_mm[a] * sqrt(M_PI * largest_mm2)) {
            v->cut_axis = a;
            v->cut_mm2 = border_mm2;
        }
    }
}

liver_volume liver_volume_measure(const liver_grid *g) {
    const int *dims = g->image.dims;
    const double voxel_ml = 1e-3 * g->image.spacing_mm[0] * g->image.spacing_mm[1] * g->image.spacing_mm[2];
    liver_volume v = {.ml.value = 1e-3 * g->all_mm3};
    int64_t n_surface = 0;
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                const int at[3] = {i, j, k};
                n_surface += is_liver(g, at) && is_at_surface(g, at);
            }
    v.ml.error = fmax(0.5 * (double)n_surface * voxel_ml, LIVER_VOLUME_ERROR * v.ml.value);
    find_cut(g, &v);
    return v;
}

int liver_volume_find_doubts(const liver_volume *v, char text[LIVER_VOLUME_DOUBTS][LIVER_VOLUME_TEXT]) {
    const double all_l = 1e-3 * v->ml.value;
    int n = 0;
    if (v->cut_axis >= 0)
        snprintf(text[n++], LIVER_VOLUME_TEXT,
                 "the border of the image cuts the label of the liver: %.3g cm2 lie in the first or last slice along "
                 "the image's axis %d, so the volume, %.3g L, is too small and the resistance too large; give a label "
                 "of the whole liver",
                 1e-2 * v->cut_mm2, v->cut_axis + 1, all_l);
    if (all_l < LEAST_L || all_l > MOST_L)
        snprintf(text[n++], LIVER_VOLUME_TEXT,
                 "the label of the liver has %.3g L, outside %g to %g L; check that it holds the whole liver and "
                 "nothing else, and the voxel size of the file",
                 all_l, LEAST_L, MOST_L);
    return n;
}
