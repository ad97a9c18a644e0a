/* See probe.h. */
#include "post/probe/probe.h"
#include "post/probe/box_fields.h"
#include "post/probe/probe_points.h"
#include "post/sample/sampler.h"
#include "common/base/vec.h"
#include "common/base/status.h"
#include <stdlib.h>

/* Solid fraction between the cells; 1 where no cell is stored. */
static double solid_at(const sampler *s, const double mm[3]) {
    int64_t cell[8];
    double weight[8], sum = 0;
    if (!sampler_corners(s, mm, cell, weight))
        return 1;
    for (int k = 0; k < 8; k++)
        sum += weight[k] * (cell[k] < 0 ? 1 : s->lattice->solid[cell[k]] / (double)LATTICE_SUBCELL_COUNT);
    return sum;
}

static void write_point(const sampler *s, const fields *f, const double given[3], enum probe_frame frame, FILE *to) {
    double sign = frame == PROBE_RAS ? -1 : 1, mm[3] = {sign * given[0], sign * given[1], given[2]}, u[3];
    sampler_stencil st;
    fprintf(to, "%.9g,%.9g,%.9g,", given[0], given[1], given[2]);
    if (!(solid_at(s, mm) < 0.5) || !sampler_find_value(s, SAMPLER_FLOW, mm, NULL, &st)) {
        fprintf(to, "0,,,,,\n");
        return;
    }
    for (int a = 0; a < 3; a++)
        u[a] = (a < 2 ? sign : 1) * sampler_apply(&st, f->velocity_m_s, 3, a);
    fprintf(to, "1,%.6g,%.6g,%.6g,%.6g,%.6g\n", u[0], u[1], u[2], vec_length(u),
            sampler_apply(&st, f->pressure_pa, 1, 0));
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
    fprintf(to, "x_mm,y_mm,z_mm,inside,velocity_x_m_s,velocity_y_m_s,velocity_z_m_s,speed_m_s,pressure_pa\n");
    for (size_t k = 0; k < p.n; k++)
        write_point(&s, &f, p.mm + 3 * k, frame, to);
    if (ferror(to))
        rc = fail(ERR_OUTPUT, "the values could not be written");
cleanup:
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
    probe_points_free(&p);
    return rc;
}
