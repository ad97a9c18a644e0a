/* SPDX-License-Identifier: Apache-2.0 */
#include "post/probe/probe.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/surface_vtk/vtk_surface.h"
#include "post/probe/box_fields.h"
#include "post/probe/probe_points.h"
#include "post/sample/sampler.h"
#include <math.h>
#include <stdlib.h>

/* Usability of the run of a record, as in profiles.csv: "yes", "TOO COARSE" or "NOT CONVERGED"; "unknown" without a
 * record. name: file name of the record, in the folder of `path`; block: object of the record with the verdict. */
static const char *usable_word(const char *path, const char *name, const char *block) {
    char record_path[FILE_PATH_MAX];
    const char *word = "unknown";
    char *folder = file_folder(path);
    cJSON *record = NULL;
    if (folder && file_path(record_path, sizeof record_path, "%s/%s", folder, name) == OK && file_exists(record_path) &&
        json_read(record_path, &record) == OK) {
        const cJSON *o = cJSON_GetObjectItemCaseSensitive(record, block);
        if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(o, "converged")))
            word = "NOT CONVERGED";
        else if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "too_coarse")))
            word = "TOO COARSE";
        else if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(o, "too_coarse")))
            word = "yes";
    }
    status_clear();
    cJSON_Delete(record);
    free(folder);
    return word;
}

/* Solid fraction at a point, interpolated between cells; 1 where no cell is stored. */
static double solid_at(const sampler *s, const double mm[3]) {
    int64_t cell[8];
    double weight[8], sum = 0;
    if (!sampler_corners(s, mm, cell, weight))
        return 1;
    for (int k = 0; k < 8; k++)
        sum += weight[k] * (cell[k] < 0 ? 1 : s->lattice->solid[cell[k]] / (double)LATTICE_SUBCELL_COUNT);
    return sum;
}

static void write_point(const sampler *s, const fields *f, const double given[3], enum probe_frame frame,
                        const char *usable, FILE *to) {
    double sign = frame == PROBE_RAS ? -1 : 1, mm[3] = {sign * given[0], sign * given[1], given[2]}, u[3];
    sampler_stencil st;
    fprintf(to, "%.9g,%.9g,%.9g,", given[0], given[1], given[2]);
    if (!(solid_at(s, mm) < 0.5) || !sampler_find_value(s, SAMPLER_FLOW, mm, NULL, &st)) {
        fprintf(to, "0,,,,,,%s\n", usable);
        return;
    }
    for (int a = 0; a < 3; a++)
        u[a] = (a < 2 ? sign : 1) * sampler_apply(&st, f->velocity_m_s, 3, a);
    fprintf(to, "1,%.6g,%.6g,%.6g,%.6g,%.6g,%s\n", u[0], u[1], u[2], vec_length(u),
            sampler_apply(&st, f->pressure_pa, 1, 0), usable);
}

int probe_write(const char *fields_path, const char *points_path, enum probe_frame frame, FILE *to) {
    probe_points p = {0};
    lattice l = {0};
    fields f = {0};
    sampler s = {0};
    int rc;
    TRY(probe_points_read(points_path, &p));
    TRY(box_fields_read(fields_path, &l, &f));
    TRY(sampler_create(&s, &l, &f));
    fprintf(to, "x_mm,y_mm,z_mm,inside,velocity_x_m_s,velocity_y_m_s,velocity_z_m_s,speed_m_s,pressure_pa,usable\n");
    const char *usable = usable_word(fields_path, "solve.json", "result");
    for (size_t k = 0; k < p.n; k++)
        write_point(&s, &f, p.mm + 3 * k, frame, usable, to);
    if (ferror(to))
        rc =
            fail(ERR_OUTPUT, "the values could not be written to the standard output; check that the disk is not full");
cleanup:
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
    probe_points_free(&p);
    return rc;
}

/* Nearest point on the wall: its triangle, weights of the corners, and distance from the given point. */
typedef struct {
    int64_t triangle;
    const double *weight;
    double distance_mm;
} wall_place;

static void write_wall_point(const surface *s, const double *wss_pa, const double given[3], const wall_place *at,
                             double sign, const char *usable, FILE *to) {
    double value[3] = {0};
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++)
            value[a] += (a < 2 ? sign : 1) * at->weight[k] * wss_pa[3 * (int64_t)s->triangle[3 * at->triangle + k] + a];
    fprintf(to, "%.9g,%.9g,%.9g,%.6g,", given[0], given[1], given[2], at->distance_mm);
    if (isfinite(value[0] + value[1] + value[2]))
        fprintf(to, "%.6g,%.6g,%.6g,%.6g,%s\n", value[0], value[1], value[2], vec_length(value), usable);
    else
        fprintf(to, ",,,,%s\n", usable);
}

/* Write a row per point. sign: factor of x and y, -1 for points in RAS. */
static int write_points(const surface *s, const double *wss_pa, const probe_points *p, double sign, const char *usable,
                        FILE *to) {
    int rc = OK;
    double *lps = malloc(3 * p->n * sizeof *lps), *weight = malloc(3 * p->n * sizeof *weight);
    double *distance_mm = malloc(p->n * sizeof *distance_mm);
    int64_t *triangle = malloc(p->n * sizeof *triangle);
    if (!lps || !weight || !distance_mm || !triangle)
        GIVE_UP(fail_memory("the points", 64.0 * (double)p->n));
    for (size_t k = 0; k < 3 * p->n; k++)
        lps[k] = (k % 3 < 2 ? sign : 1) * p->mm[k];
    TRY(surface_closest_points(s, p->n, lps, triangle, weight, distance_mm));
    for (size_t k = 0; k < p->n; k++) {
        const wall_place at = {triangle[k], weight + 3 * k, distance_mm[k]};
        write_wall_point(s, wss_pa, p->mm + 3 * k, &at, sign, usable, to);
    }
cleanup:
    free(lps);
    free(weight);
    free(distance_mm);
    free(triangle);
    return rc;
}

int probe_wall_check(const char *wall_path) {
    return provenance_check_output(wall_path, "post", NULL);
}

int probe_wall_write(const char *wall_path, const char *points_path, enum probe_frame frame, FILE *to) {
    probe_points p = {0};
    surface s = {0};
    double *wss_pa = NULL;
    int rc;
    TRY(probe_points_read(points_path, &p));
    TRY(surface_read_array(wall_path, "wss_vector_pa", 3, &s, &wss_pa));
    fprintf(to, "x_mm,y_mm,z_mm,distance_mm,wss_x_pa,wss_y_pa,wss_z_pa,wss_pa,usable\n");
    const char *usable = usable_word(wall_path, "readouts.json", "solve");
    TRY(write_points(&s, wss_pa, &p, frame == PROBE_RAS ? -1 : 1, usable, to));
    if (ferror(to))
        rc =
            fail(ERR_OUTPUT, "the values could not be written to the standard output; check that the disk is not full");
cleanup:
    free(wss_pa);
    surface_free(&s);
    probe_points_free(&p);
    return rc;
}
