/* See probe.h. */
#include "post/probe/probe_points.h"
#include "post/probe/probe.h"
#include "common/base/file.h"
#include "common/base/vec.h"
#include "common/base/status.h"
#include "common/record/provenance.h"
#include "common/surface_vtk/vtk_surface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of a place in a triangle of the wall, and of the point it was looked for at */
typedef struct {
    int64_t triangle;
    const double *weight;
    double distance_mm;
} wall_place;

static void write_point(const surface *s, const double *wss_pa, const double given[3], const wall_place *at,
                        double sign, FILE *to) {
    double value[3] = {0};
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++)
            value[a] += (a < 2 ? sign : 1) * at->weight[k] * wss_pa[3 * (int64_t)s->triangle[3 * at->triangle + k] + a];
    fprintf(to, "%.9g,%.9g,%.9g,%.6g,", given[0], given[1], given[2], at->distance_mm);
    if (isfinite(value[0] + value[1] + value[2]))
        fprintf(to, "%.6g,%.6g,%.6g,%.6g\n", value[0], value[1], value[2], vec_length(value));
    else
        fprintf(to, ",,,\n");
}

/* sign: of x and y, -1 when the points are in RAS */
static int write_points(const surface *s, const double *wss_pa, const probe_points *p, double sign, FILE *to) {
    int rc = OK;
    double *lps = malloc(3 * p->n * sizeof *lps), *weight = malloc(3 * p->n * sizeof *weight);
    double *distance_mm = malloc(p->n * sizeof *distance_mm);
    int64_t *triangle = malloc(p->n * sizeof *triangle);
    if (!lps || !weight || !distance_mm || !triangle) {
        rc = fail_memory("the points", 64.0 * (double)p->n);
        goto cleanup;
    }
    for (size_t k = 0; k < 3 * p->n; k++)
        lps[k] = (k % 3 < 2 ? sign : 1) * p->mm[k];
    TRY(surface_closest(s, p->n, lps, triangle, weight, distance_mm));
    for (size_t k = 0; k < p->n; k++) {
        const wall_place at = {triangle[k], weight + 3 * k, distance_mm[k]};
        write_point(s, wss_pa, p->mm + 3 * k, &at, sign, to);
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
    fprintf(to, "x_mm,y_mm,z_mm,distance_mm,wss_x_pa,wss_y_pa,wss_z_pa,wss_pa\n");
    TRY(write_points(&s, wss_pa, &p, frame == PROBE_RAS ? -1 : 1, to));
    if (ferror(to))
        rc = fail(ERR_OUTPUT, "the values could not be written");
cleanup:
    free(wss_pa);
    surface_free(&s);
    probe_points_free(&p);
    return rc;
}
