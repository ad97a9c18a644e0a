/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/cells/voxelize.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/context/context.h"
#include "mesh/cells/fluid_cells.h"
#include "mesh/cells/main_piece.h"
#include "mesh/cells/cut_links.h"
#include "mesh/section/developed_profile.h"
#include "mesh/section/cross_section.h"
#include "mesh/cells/thin_walls.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int voxelize_box(voxelize_input *in, const double low_mm[3], const double high_mm[3]) {
    if (!(in->spacing_mm > 0) || !isfinite(in->spacing_mm))
        return fail(ERR_INPUT, "the spacing of the lattice is %g mm; it must be above 0: correct mesh.spacing",
                    in->spacing_mm);
    for (int a = 0; a < 3; a++) {
        const double size = high_mm[a] - low_mm[a], n = size / in->spacing_mm;
        if (!(n > 1e-6) || !(n < 1 << 20))
            return fail(ERR_INPUT,
                        "the box is %g mm (%.0f cells) long on axis %c; allowed are 1 to 1048575 cells; change the box "
                        "or mesh.spacing",
                        size, n, "xyz"[a]);
        const double whole = fabs(n - round(n)) < 1e-6 * fmax(1, n) ? fmax(1, round(n)) : ceil(n);
        if (in->periodic[a] && fabs(n - whole) > 1e-6 * fmax(1, n))
            return fail(ERR_INPUT,
                        "the box is %g mm long on the periodic axis %c, which is %.6g cells of %g mm and not a whole "
                        "number; choose a spacing that divides this length",
                        size, "xyz"[a], n, in -> spacing_mm);
        in->dims[a] = (int)whole;
        in->origin_mm[a] = 0.5 * (low_mm[a] + high_mm[a]) - 0.5 * in->spacing_mm * (whole - 1);
    }
    return OK;
}

static int check_input(const voxelize_input *in) {
    if (!(in->spacing_mm > 0) || in->dims[0] < 1 || in->dims[1] < 1 || in->dims[2] < 1)
        return fail(ERR_INPUT,
                    "the box of the lattice has %d x %d x %d cells of %g mm; all must be above 0: correct mesh.box and "
                    "mesh.spacing",
                    in->dims[0], in->dims[1], in->dims[2], in->spacing_mm);
    if (in->n_opening < 0 || in->n_opening > 254)
        return fail(ERR_INPUT, "the case has %d openings; the limit is 254: remove some", in->n_opening);
    return OK;
}

/* Refuse two openings in one cross-section, because both would cut the same links. */
static int check_merged(const voxelize_input *in, const section *sections) {
    for (int k = 0; k < in->n_opening; k++)
        for (int m = 0; m < in->n_opening; m++) {
            double height_mm;
            if (m != k && section_covers(&sections[k], sections[m].centre_mm, &height_mm) &&
                fabs(height_mm) <= 1.5 * in->spacing_mm)
                return fail(ERR_INPUT, "openings '%s' and '%s' are in the same cross-section; move one of them",
                            in->opening[k].name, in->opening[m].name);
        }
    return OK;
}

static int make_sections(const voxelize_input *in, section **sections) {
    int rc = OK;
    *sections = calloc((size_t)in->n_opening + 1, sizeof **sections);
    if (!*sections)
        return fail_memory("the openings", (double)in->n_opening * sizeof **sections);
    for (int k = 0; k < in->n_opening; k++)
        TRY(section_create(&(*sections)[k], in, &in->opening[k]));
    rc = check_merged(in, *sections);
cleanup:
    return rc;
}

static void free_sections(section *sections, int n) {
    for (int k = 0; sections && k < n; k++)
        section_free(&sections[k]);
    free(sections);
}

/* Copy the kept cells into the lattice; the links are moved, not copied. */
static int fill_lattice(lattice *out, const voxelize_input *in, const fluid_cells *c, const uint8_t *keep,
                        cut_links *l) {
    int64_t n = 0;
    for (int64_t i = 0; i < c->n; i++)
        n += keep[i] != 0;
    const int rc = lattice_create(out, n, 0, in->n_opening);
    int32_t *x = malloc((size_t)in->dims[0] * sizeof *x);
    if (rc != OK || !x) {
        free(x);
        return rc != OK ? rc : fail_memory("a row of cells", 4.0 * in->dims[0]);
    }
    out->spacing_mm = in->spacing_mm;
    memcpy(out->origin_mm, in->origin_mm, sizeof out->origin_mm);
    memcpy(out->dims, in->dims, sizeof out->dims);
    memcpy(out->periodic, in->periodic, sizeof out->periodic);
    out->directions = in->corners ? LATTICE_D3Q27 : LATTICE_D3Q19;
    n = 0;
    for (int z = 0; z < in->dims[2]; z++)
        for (int y = 0; y < in->dims[1]; y++) {
            int64_t first;
            const int count = cell_map_row(&c->map, y, z, x, &first);
            for (int k = 0; k < count; k++) {
                if (!keep[first + k])
                    continue;
                memcpy(out->cell + 3 * n, (const int32_t[3]){x[k], y, z}, 3 * sizeof(int32_t));
                out->solid[n] = c->solid[first + k];
                out->distance_mm[n++] = c->distance_mm[first + k];
            }
        }
    free(x);
    free(out->link_cell);
    free(out->link_dir);
    free(out->link_q);
    free(out->link_opening);
    out->n_link = l->n;
    out->link_cell = l->cell;
    out->link_dir = l->dir;
    out->link_q = l->q;
    out->link_opening = l->opening;
    memset(l, 0, sizeof *l);
    return OK;
}

/* Compute the velocity profiles of opening k at the midpoints of its links, projected along its axis: the solver's
 * half-way rule uses these positions. */
static int fill_profiles(lattice *out, int k, const voxelize_input *in, const section *s) {
    lattice_opening *o = &out->opening[k];
    profile developed = {0};
    int rc = OK;
    o->profile_developed = malloc((size_t)(o->n_link + 1) * sizeof(float));
    o->profile_parabolic = malloc((size_t)(o->n_link + 1) * sizeof(float));
    if (!o->profile_developed || !o->profile_parabolic)
        return fail_memory("the velocity profile of an opening", 8.0 * (double)o->n_link);
    const bool moving = o->role == LATTICE_MOVING_WALL;
    if (!moving)
        TRY(profile_create(&developed, s, in));
    int64_t n = 0;
    for (int64_t i = 0; i < out->n_link; i++) {
        if (out->link_opening[i] != k + 1)
            continue;
        double from[3], p[3], square = 0, ahead = 0;
        lattice_centre_mm(out, out->link_cell[i], from);
        for (int a = 0; a < 3; a++) {
            p[a] = from[a] + 0.5 * out->spacing_mm * lattice_e[out->link_dir[i]][a];
            square += (p[a] - o->centre_mm[a]) * (p[a] - o->centre_mm[a]);
            ahead += (p[a] - o->centre_mm[a]) * o->normal[a];
        }
        square -= ahead * ahead;
        o->profile_developed[n] = moving ? 1 : (float)profile_from(&developed, in, from, p);
        o->profile_parabolic[n++] = moving ? 1 : (float)fmax(0, 2 * (1 - square / (o->radius_mm * o->radius_mm)));
    }
cleanup:
    profile_free(&developed);
    return rc;
}

static int fill_openings(lattice *out, const voxelize_input *in, const section *sections) {
    context_record *const caller = context_current();
    int rc = OK;
#pragma omp parallel for schedule(dynamic, 1) reduction(max : rc)
    for (int k = 0; k < in->n_opening; k++) {
        lattice_opening *o = &out->opening[k];
        memcpy(o->name, in->opening[k].name, sizeof o->name);
        o->name[LATTICE_NAME_MAX - 1] = '\0';
        o->role = in->opening[k].role;
        memcpy(o->centre_mm, sections[k].centre_mm, sizeof o->centre_mm);
        memcpy(o->normal, sections[k].normal, sizeof o->normal);
        const double *along = in->opening[k].along;
        vec_add((const double[3]){0}, vec_dot(along, o->normal) < 0 ? -1 : 1, along, o->along);
        o->area_mm2 = sections[k].area_mm2;
        o->perimeter_mm = sections[k].perimeter_mm;
        o->radius_mm = sqrt(o->area_mm2 / M_PI);
        for (int64_t i = 0; i < out->n_link; i++)
            o->n_link += out->link_opening[i] == k + 1;
        context_record *const before = context_enter(caller);
        const int filled = fill_profiles(out, k, in, &sections[k]);
        rc = filled > rc ? filled : rc;
        (void)context_enter(before);
    }
    return rc == OK ? OK : status_code();
}

/* Axis direction of the lattice closest to the normal. */
static int main_direction(const double normal[3]) {
    int axis = 0;
    for (int a = 1; a < 3; a++)
        axis = fabs(normal[a]) > fabs(normal[axis]) ? a : axis;
    return 2 * axis + (normal[axis] > 0 ? 1 : 2);
}

/* Computes the fluid volume. In the count of cells, a column ends half a cell beyond its last centre. The vessel ends
 * at the plane of the opening, a wall distance q beyond this centre. The volume is corrected by the difference. */
static void fill_report(voxelize_report *report, const lattice *out) {
    double fluid = 0;
    for (int64_t i = 0; i < out->n_cell; i++)
        fluid += LATTICE_SUBCELL_COUNT - out->solid[i];
    for (int64_t i = 0; i < out->n_link; i++) {
        const int k = out->link_opening[i] - 1;
        if (k >= 0 && out->link_dir[i] == main_direction(out->opening[k].normal))
            fluid -= (0.5 - out->link_q[i]) * (LATTICE_SUBCELL_COUNT - out->solid[out->link_cell[i]]);
    }
    report->fluid_volume_mm3 = fluid / LATTICE_SUBCELL_COUNT * pow(out->spacing_mm, 3);
}

int voxelize_orient(const voxelize_input *in, mesh_opening *opening) {
    int rc;
    section *sections = NULL;
    fluid_cells c = {0};
    TRY(check_input(in));
    TRY(make_sections(in, &sections));
    TRY(fluid_cells_create(&c, in));
    TRY(thin_walls_find(&c, in));
    steps_end(in->steps, "thin walls");
    TRY(main_piece_orient(&c, in, sections));
    for (int k = 0; k < in->n_opening; k++)
        memcpy(opening[k].normal, sections[k].normal, sizeof opening[k].normal);
cleanup:
    free_sections(sections, in->n_opening);
    fluid_cells_free(&c);
    return rc;
}

int voxelize(const voxelize_input *in, lattice *out, voxelize_report *report) {
    int rc;
    voxelize_report unused;
    section *sections = NULL;
    fluid_cells c = {0};
    cut_links l = {0};
    uint8_t *keep = NULL;
    report = report ? report : &unused;
    memset(report, 0, sizeof *report);
    memset(out, 0, sizeof *out);
    TRY(check_input(in));
    TRY(make_sections(in, &sections));
    steps_end(in->steps, "openings");
    TRY(fluid_cells_create(&c, in));
    TRY(thin_walls_find(&c, in));
    steps_end(in->steps, "thin walls");
    keep = calloc((size_t)c.n + 1, 1);
    if (!keep) {
        rc = fail_memory("the cells", (double)c.n);
        goto cleanup;
    }
    TRY(main_piece_choose(&c, in, sections, keep, report));
    thin_walls_report(&c, in, keep, report);
    steps_end(in->steps, "connected piece");
    TRY(cut_links_create(&l, &c, in, sections, keep));
    steps_end(in->steps, "links");
    report->n_border = l.n_border;
    memcpy(report->border_mm, l.border_mm, sizeof report->border_mm);
    TRY(fill_lattice(out, in, &c, keep, &l));
    fluid_cells_free(&c);
    TRY(fill_openings(out, in, sections));
    fill_report(report, out);
    steps_end(in->steps, "profiles");
cleanup:
    free_sections(sections, in->n_opening);
    fluid_cells_free(&c);
    cut_links_free(&l);
    free(keep);
    if (rc != OK)
        lattice_free(out);
    return rc;
}

void voxelize_trim(voxelize_input *in, lattice *l, int margin) {
    for (int a = 0; a < 3; a++) {
        int32_t low = INT32_MAX, high = -1;
        for (int64_t i = 0; i < l->n_cell; i++) {
            const int32_t x = l->cell[3 * i + a];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (l->periodic[a] || high < 0)
            continue;
        for (int64_t i = 0; i < l->n_cell; i++)
            l->cell[3 * i + a] += margin - low;
        l->dims[a] = high - low + 1 + 2 * margin;
        l->origin_mm[a] += (low - margin) * l->spacing_mm;
        in->dims[a] = l->dims[a];
        in->origin_mm[a] = l->origin_mm[a];
    }
}
