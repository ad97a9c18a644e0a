/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/wall/wall_regions.h"
#include "common/case/case.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/image_file/itk_image.h"
#include "common/record/dicom_head.h"
#include "common/record/provenance.h"
#include "common/surface_vtk/vtk_surface.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits in voxels. surface_reach: largest distance of a surface from the wall that it names (in cells, if cells are
 * larger); label_reach: largest distance of a labelled voxel from the wall; label_step: step of the search for
 * labels. */
static const double surface_reach = 1.5, label_reach = 2.5, label_step = 0.25;
/* a triangle names the wall only if the cosine between their normals exceeds this */
static const double same_way = 0.6;

void wall_regions_free(wall_regions *r) {
    for (int k = 0; r->surface && k < r->n; k++)
        surface_free(&r->surface[k]);
    free(r->surface);
    volume_free(&r->labels);
    memset(r, 0, sizeof *r);
}

static int read_surface(const case_file *c, int k, cJSON *json, surface *s) {
    const case_wall_region *w = &c->wall[k];
    char label[LATTICE_NAME_MAX + 8], *path = case_resolve_path(c, w->surface_path);
    int rc;
    if (!path)
        return fail_memory("a path", FILE_PATH_MAX);
    const int said = surface_read_frame(path, SPACE_RAS, SPACE_LPS), space = w->surface_space >= 0 ? w->surface_space
                                                                             : said >= 0           ? said
                                                                                                   : SPACE_LPS;
    if (w->surface_space < 0 && said < 0)
        message_warn_serious("neither the case nor the surface of wall '%s' states its frame: LPS is assumed; write "
                             "frame: RAS for a surface from VMTK",
                             w->name);
    if (w->surface_space >= 0 && said >= 0 && w->surface_space != said)
        message_warn_serious("wall '%s': the case states the frame %s, its surface file states %s; the frame of the "
                             "case is used: correct the key frame of this wall if the surface is at the wrong place",
                             w->name, w->surface_space == SPACE_RAS ? "RAS" : "LPS", said == SPACE_RAS ? "RAS" : "LPS");
    TRY(surface_read(path, w->surface_unit_mm, space == SPACE_RAS, s));
    snprintf(label, sizeof label, "wall %s", w->name);
    TRY(provenance_add_input(json, label, path));
cleanup:
    free(path);
    return rc;
}

int wall_regions_read(const case_file *c, cJSON *json, wall_regions *r) {
    int rc = OK;
    bool label = false;
    char *path = NULL;
    *r = (wall_regions){.n = c->n_wall};
    r->surface = calloc((size_t)c->n_wall + 1, sizeof *r->surface);
    if (!r->surface)
        return fail_memory("the walls", (double)c->n_wall * sizeof *r->surface);
    for (int k = 0; k < c->n_wall; k++) {
        if (c->wall[k].surface_path)
            TRY(read_surface(c, k, json, &r->surface[k]));
        label |= c->wall[k].label > 0;
    }
    if (!label)
        goto cleanup;
    path = case_resolve_path(c, c->segment.labels_path);
    if (!path)
        GIVE_UP(fail_memory("a path", FILE_PATH_MAX));
    TRY(image_read(path, DICOM_HEAD_LABELS, &r->labels));
    TRY(provenance_add_image(json, "labels", path, DICOM_HEAD_LABELS));
cleanup:
    free(path);
    return rc;
}

/* Point where link k meets the wall. */
static void wall_point(const lattice *l, int64_t k, double p[3]) {
    lattice_centre_mm(l, l->link_cell[k], p);
    for (int a = 0; a < 3; a++)
        p[a] += (double)l->link_q[k] * lattice_e[l->link_dir[k]][a] * l->spacing_mm;
}

static bool outward_normal(const lumen *vessel, const double p[3], double h, double n[3]) {
    double square = 0;
    for (int a = 0; a < 3; a++) {
        double low[3] = {p[0], p[1], p[2]}, high[3] = {p[0], p[1], p[2]};
        low[a] -= h;
        high[a] += h;
        n[a] = lumen_distance(vessel, high) - lumen_distance(vessel, low);
        square += n[a] * n[a];
    }
    for (int a = 0; a < 3 && square > 0; a++)
        n[a] /= sqrt(square);
    return square > 0;
}

static bool is_lumen(const case_file *c, int label) {
    for (int k = 0; k < c->segment.n_label_value; k++)
        if (c->segment.label_value[k] == label)
            return true;
    return c->segment.n_label_value == 0;
}

/* The wall of the case with the label of the first labelled voxel outside the lumen, along the normal; -1: none. */
static int wall_by_label(const case_file *c, const lumen *vessel, const volume *v, const double p[3]) {
    const double voxel = volume_thickest_mm(v);
    double n[3];
    if (!outward_normal(vessel, p, 0.5 * voxel, n))
        return -1;
    for (int step = 0; step * label_step <= label_reach; step++) {
        const double s = step * label_step;
        double q[3], index[3];
        int at[3];
        bool inside = true;
        for (int a = 0; a < 3; a++)
            q[a] = p[a] + s * voxel * n[a];
        volume_to_index(v, q, index);
        for (int a = 0; a < 3; a++) {
            at[a] = (int)lround(index[a]);
            inside = inside && at[a] >= 0 && at[a] < v->dims[a];
        }
        const int label = inside ? (int)lround((double)v->value[volume_index(v, at[0], at[1], at[2])]) : 0;
        for (int k = 0; label > 0 && k < c->n_wall; k++)
            if (c->wall[k].label == label)
                return k;
        if (label > 0 && !is_lumen(c, label))
            return -1; /* the ray meets other tissue, which hides the voxels behind it */
    }
    return -1;
}

/* True if a triangle of a named surface is parallel to the wall at p. A surface may end at an edge of the wall; the
 * wall beyond the edge is not parallel to it and gets no name from it. */
static bool is_along_wall(const lumen *vessel, const surface *s, int64_t triangle, const double p[3], double h) {
    double n[3], own[3];
    surface_triangle_mm2(s, triangle, n);
    return outward_normal(vessel, p, 0.25 * h, own) && fabs(vec_dot(n, own)) > same_way * vec_length(n);
}

/* Set nearest[i] to the wall whose surface is nearest to point i within reach, -1: none. */
static int walls_by_surface(const wall_regions *r, const lumen *vessel, int64_t n, const double *point, double reach,
                            int *nearest) {
    int rc = OK;
    int64_t *triangle = malloc(((size_t)n + 1) * sizeof *triangle);
    double *weight = malloc(((size_t)n + 1) * 3 * sizeof *weight), *away = malloc(((size_t)n + 1) * sizeof *away),
           *least = malloc(((size_t)n + 1) * sizeof *least);
    if (!triangle || !weight || !away || !least)
        GIVE_UP(fail_memory("the points of the wall", 56.0 * (double)n));
    for (int64_t i = 0; i < n; i++) {
        nearest[i] = -1;
        least[i] = reach;
    }
    for (int k = 0; k < r->n; k++) {
        if (r->surface[k].n_triangle == 0)
            continue;
        TRY(surface_closest_points(&r->surface[k], (size_t)n, point, triangle, weight, away));
        for (int64_t i = 0; i < n; i++)
            if (away[i] <= least[i] && is_along_wall(vessel, &r->surface[k], triangle[i], point + 3 * i, reach)) {
                least[i] = away[i];
                nearest[i] = k;
            }
    }
cleanup:
    free(triangle);
    free(weight);
    free(away);
    free(least);
    return rc;
}

static int wall_by_part(const case_file *c, const shape *s, const double p[3]) {
    const int part = shape_part_at(s, p);
    for (int k = 0; k < c->n_wall; k++)
        if (c->wall[k].part && c->wall[k].part_number == part)
            return k;
    return -1;
}

static int report_shares(const case_file *c, const lattice *l) {
    for (int k = 0; k < c->n_wall; k++) {
        int64_t n = 0, all = 0;
        for (int64_t i = 0; i < l->n_link; i++) {
            all += l->link_opening[i] == 0;
            n += l->link_opening[i] == 0 && l->link_wall[i] == k;
        }
        if (n == 0)
            return fail(
                ERR_INPUT,
                "wall '%s' covers no part of the vessel's wall; check its part, surface or label, and the frame",
                c->wall[k].name);
        message_info("wall '%s': %.1f %% of the cut links at the vessel's wall", c->wall[k].name,
                     100.0 * (double)n / (double)all);
    }
    return OK;
}

int wall_regions_set(const case_file *c, const lumen *vessel, const wall_regions *r, lattice *l) {
    int rc = OK, rest = -1;
    double *point = NULL;
    int *nearest = NULL;
    char where[CASE_WHERE];
    if (c->n_wall == 0)
        return OK;
    for (int k = 0; k < c->n_wall; k++)
        rest = case_wall_is_rest(&c->wall[k]) ? k : rest;
    l->link_wall = calloc((size_t)l->n_link + 1, sizeof *l->link_wall);
    point = malloc(((size_t)l->n_link + 1) * 3 * sizeof *point);
    nearest = malloc(((size_t)l->n_link + 1) * sizeof *nearest);
    if (!l->link_wall || !point || !nearest)
        GIVE_UP(fail_memory("the walls", 29.0 * (double)l->n_link));
    for (int64_t i = 0; i < l->n_link; i++)
        wall_point(l, i, point + 3 * i);
    TRY(walls_by_surface(r, vessel, l->n_link, point, surface_reach * fmax(l->spacing_mm, vessel->voxel_mm), nearest));
    for (int64_t i = 0; i < l->n_link; i++) {
        const double *p = point + 3 * i;
        int wall = nearest[i];
        if (l->link_opening[i] != 0)
            continue;
        if (wall < 0 && vessel->is_shape)
            wall = wall_by_part(c, &vessel->shape.shape, p);
        if (wall < 0 && r->labels.value)
            wall = wall_by_label(c, vessel, &r->labels, p);
        if (wall < 0)
            wall = rest;
        if (wall < 0)
            GIVE_UP(fail(ERR_INPUT,
                         "the wall at %s belongs to no entry of 'walls'; add an entry without part, surface and "
                         "label: it covers the rest",
                         case_write_point(c, p, where)));
        l->link_wall[i] = (uint8_t)wall;
    }
    TRY(report_shares(c, l));
cleanup:
    free(point);
    free(nearest);
    return rc;
}
