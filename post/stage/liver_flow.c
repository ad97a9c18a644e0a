/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of work.h: the compartments of the liver, fed by the computed flows of the outlets, and their maps
 * on the grid of the label image. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/base/vec.h"
#include "common/record/provenance.h"
#include "post/sample/piece.h"
#include "post/stage/work.h"
#ifdef POST_HAVE_IMAGE
#include "common/image_file/itk_image.h"
#include "common/image_file/label_names.h"
#include "common/image_file/labels_select.h"
#include "common/record/dicom_head.h"
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef POST_HAVE_IMAGE
enum { LABELS_MOST = 64 };
static const double VOLUME_ERROR = 0.05; /* 95 % half-width of the volume of a segmented liver, relative; assumed */

/* Finds the portal branches: outlets in the lumen of the portal vein. flow_given [n_opening] out. *why: reason why the
 * model has no value; NULL: it has one. */
static int find_branches(post_work *p, const case_readout *o, int *opening, const char **why) {
    const lattice *l = &p->l;
    int32_t *label = malloc((size_t)l->n_cell * sizeof *label);
    int n_piece, portal = -1, cava = -1, n = 0, rc = OK;
    if (!label)
        return fail_memory("the pieces of the lumen", 4.0 * (double)l->n_cell);
    TRY(piece_label(&p->s, label, &n_piece));
    for (int k = 0; k < l->n_opening; k++) {
        portal = strcmp(l->opening[k].name, o->portal) == 0 ? piece_of_opening(&p->s, label, k) : portal;
        cava = o->cava && strcmp(l->opening[k].name, o->cava) == 0 ? piece_of_opening(&p->s, label, k) : cava;
    }
    for (int k = 0; k < p->c.n_section; k++) {
        const int piece = piece_of_point(&p->s, label, p->section_point_mm[k]);
        portal = strcmp(p->c.section[k].name, o->portal) == 0 ? piece : portal;
        cava = o->cava && strcmp(p->c.section[k].name, o->cava) == 0 ? piece : cava;
    }
    *why = cava >= 0 && cava == portal ? "portal vein and cava are in one piece of lumen" : NULL;
    for (int k = 0; k < l->n_opening && !*why; k++) {
        const case_opening *given = case_find_opening(&p->c, l->opening[k].name);
        if (!given || !case_opening_feeds(o, given) || piece_of_opening(&p->s, label, k) != portal)
            continue;
        opening[n++] = k;
        if (!(p->run.flow_ml_s[k] > 0))
            *why = "the flow of an outlet is not known or not positive";
    }
    *why = *why ? *why : n == 0 ? "the portal vein has no outlet" : NULL;
    p->liver.n_branch = *why ? 0 : n;
cleanup:
    free(label);
    return rc;
}

static int check_distance(const char *what, const char *name, double off_mm) {
    return off_mm <= LIVER_END_MM ? OK : fail(ERR_INPUT, LIVER_END_FAR, what, name, off_mm, LIVER_END_MM);
}

static int place_branches(post_work *p, const int *opening) {
    perfusion *f = &p->liver;
    for (int e = 0; e < f->n_branch; e++) {
        const lattice_opening *o = &p->l.opening[opening[e]];
        perfusion_part *b = &f->branch[e];
        *b = (perfusion_part){.value = e + 1, .flow_ml_s = p->run.flow_ml_s[opening[e]]};
        snprintf(b->name, sizeof b->name, "%s", o->name);
        vec_add(o->centre_mm, -case_find_opening(&p->c, o->name)->extension_mm, o->normal, b->end_mm);
        const double off_mm = compartments_add_end(&f->g, b->end_mm, 1e-6 * b->flow_ml_s, f->share + e * f->g.n);
        if (check_distance("outlet", b->name, off_mm) != OK)
            return ERR_INPUT;
    }
    return OK;
}

static int place_veins(post_work *p, double *sink) {
    const case_compartments *c = p->liver.liver->compartments;
    volume image = {0};
    int rc = OK;
    if (p->c.space == SPACE_VOXEL)
        TRY(inputs_read_geometry(p, &image));
    for (int e = 0; e < c->n_end; e++) {
        const char *name = c->end[e].opening;
        char number[16];
        double lps_mm[3];
        case_point_lps(&p->c, c->end[e].point, p->c.space == SPACE_VOXEL ? &image : NULL, lps_mm);
        for (int k = 0; k < p->l.n_opening; k++)
            if (name && strcmp(p->l.opening[k].name, name) == 0)
                memcpy(lps_mm, p->l.opening[k].centre_mm, sizeof lps_mm);
        snprintf(number, sizeof number, "%d", e + 1);
        TRY(check_distance("hepatic vein", number, compartments_hold_end(&p->liver.g, lps_mm, &p->liver.law, sink)));
    }
cleanup:
    volume_free(&image);
    return rc;
}

/* The law of the compartments, from the lobule law with the measured volume. *error: of the resistance. */
static void set_law(perfusion *f, case_readout *o, double *error) {
    const case_compartments *c = o->compartments;
    const double viscosity = o->lobules.viscosity_pa_s.value;
    o->lobules.volume_ml = (lobule_quantity){1e-3 * f->g.all_mm3, VOLUME_ERROR * 1e-3 * f->g.all_mm3};
    o->lobules_given[LOBULE_VOLUME] = true;
    f->lobules_pa_s_m3 = lobule_resistance(&o->lobules, error);
    f->law = (compartments_law){1 / (f->lobules_pa_s_m3 * 1e-9 * f->g.all_mm3),
                                {c->permeability_m2[0].value / viscosity,
                                 (1 - o->lobules.arterial_share.value) * c->permeability_m2[1].value / viscosity}};
}

/* Forms the values of the whole liver and of its branches. */
static void sum_cells(perfusion *f, const double *source) {
    double inflow = 0, power = 0, mean[2] = {0, 0}, exchange = 0;
    for (int64_t i = 0; i < f->g.n; i++) {
        const double flow = compartments_exchange(&f->g, &f->law, f->pressure_pa, i);
        inflow += source[i];
        power += source[i] * f->pressure_pa[i];
        exchange += flow;
        for (int k = 0; k < 2; k++)
            mean[k] += f->pressure_pa[k * f->g.n + i] * f->g.volume_mm3[i] / f->g.all_mm3;
        for (int e = 0; e < f->n_branch; e++)
            f->branch[e].volume_ml += 1e-3 * f->share[e * f->g.n + i] * f->g.volume_mm3[i];
    }
    f->flow_ml_s = 1e6 * exchange;
    f->balance = exchange / inflow - 1;
    f->portal_loss_pa = power / inflow - mean[0];
    f->hepatic_loss_pa = mean[1];
}

/* Sets the resistance of the readout: the mean pressure of the portal ends over the flow Q, which is the sum of the
 * resistance of the lobules and the losses of both compartments over Q. A loss is proportional to mu / k, so its
 * half-width is the loss times the relative half-widths of mu and k, combined as the root of the sum of squares. */
static void set_resistance(const perfusion *f, case_readout *o, double lobules_error) {
    const case_compartments *c = o->compartments;
    const double viscosity = o->lobules.viscosity_pa_s.error / o->lobules.viscosity_pa_s.value;
    const double loss_pa[2] = {f->portal_loss_pa, f->hepatic_loss_pa};
    o->liver_resistance = f->lobules_pa_s_m3;
    o->liver_error = lobules_error;
    for (int k = 0; k < 2; k++) {
        const double resistance = 1e6 * loss_pa[k] / f->flow_ml_s;
        const double part = hypot(viscosity, c->permeability_m2[k].error / c->permeability_m2[k].value);
        o->liver_resistance += resistance;
        o->liver_error = hypot(o->liver_error, part * resistance);
    }
}

static int solve_liver(post_work *p, case_readout *o, const int *opening) {
    perfusion *f = &p->liver;
    const size_t n = (size_t)f->g.n, n_branch = (size_t)f->n_branch;
    double *source = calloc(n, sizeof *source), *sink = calloc(n, sizeof *sink), error;
    int rc = OK;
    f->branch = calloc(n_branch, sizeof *f->branch);
    f->pressure_pa = calloc(2 * n, sizeof *f->pressure_pa);
    f->share = calloc(n_branch * n, sizeof *f->share);
    if (!source || !sink || !f->branch || !f->pressure_pa || !f->share)
        GIVE_UP(fail_memory("the compartments of the liver", 8.0 * (double)((n_branch + 4) * n)));
    set_law(f, o, &error);
    TRY(place_branches(p, opening));
    TRY(place_veins(p, sink));
    for (size_t i = 0; i < n_branch * n; i++)
        source[i % n] += f->share[i];
    TRY(compartments_solve(&f->g, &f->law, source, o->compartments->n_end > 0 ? sink : NULL, f->pressure_pa));
    for (int e = 0; e < f->n_branch; e++)
        for (size_t i = 0; i < n; i++)
            f->branch[e].pressure_pa +=
                f->share[(size_t)e * n + i] * f->pressure_pa[i] / (1e-6 * f->branch[e].flow_ml_s);
    TRY(compartments_divide(&f->g, &f->law, f->pressure_pa, f->n_branch, f->share));
    sum_cells(f, source);
    set_resistance(f, o, error);
cleanup:
    free(source);
    free(sink);
    return rc;
}

/* Adds volume and flow of each voxel to its label. */
static int sum_labels(perfusion *f, const char *path, const volume *labels) {
    const double voxel_ml = 1e-3 * labels->spacing_mm[0] * labels->spacing_mm[1] * labels->spacing_mm[2];
    label_name name[LABELS_MOST];
    f->label = calloc(LABELS_MOST, sizeof *f->label);
    if (!f->label)
        return fail_memory("the labels of the liver", 0);
    size_t at = 0;
    for (int k = 0; k < labels->dims[2]; k++)
        for (int j = 0; j < labels->dims[1]; j++)
            for (int i = 0; i < labels->dims[0]; i++, at++) {
                const int64_t cell = liver_grid_of_voxel(&f->g, i, j, k);
                const int value = cell < 0 ? 0 : (int)lround((double)labels->value[at]);
                int m = 0;
                while (m < f->n_label && f->label[m].value != value)
                    m++;
                if (cell < 0 || m == LABELS_MOST)
                    continue;
                if (m == f->n_label)
                    f->label[f->n_label++] = (perfusion_part){.value = value, .pressure_pa = NAN};
                f->label[m].volume_ml += voxel_ml;
                f->label[m].flow_ml_s += perfusion_of_cell(f, cell) * voxel_ml / 60;
            }
    const int n_name = label_names_read(path, LABELS_MOST, name);
    for (int m = 0; m < f->n_label; m++)
        for (int k = 0; k < n_name; k++)
            if (name[k].value == f->label[m].value)
                snprintf(f->label[m].name, sizeof f->label[m].name, "%s", name[k].name);
    f->n_label = f->n_label > 1 ? f->n_label : 0;
    return OK;
}

int liver_flow_compute(post_work *p, cJSON *json) {
    case_readout *o = case_find_compartments(&p->c);
    int *opening = calloc((size_t)p->l.n_opening + 1, sizeof *opening), rc = OK;
    const char *why = NULL;
    volume labels = {0}, mask = {0};
    char *path = o ? case_resolve_path(&p->c, o->compartments->labels_path) : NULL;
    if (!o)
        goto cleanup;
    if (!opening || !path)
        GIVE_UP(fail_memory("the liver", 0));
    TRY(find_branches(p, o, opening, &why));
    if (why) {
        message_warn("liver: {model: compartments} has no value: %s", why);
        goto cleanup;
    }
    TRY(image_read(path, DICOM_HEAD_LABELS, &labels));
    TRY(provenance_add_image(json, "liver", path, DICOM_HEAD_LABELS));
    TRY(volume_copy(&mask, &labels));
    TRY(labels_select(path, &mask, o->compartments->n_label, o->compartments->label));
    TRY(liver_grid_create(&mask, LIVER_CELLS, &p->liver.g));
    p->liver.liver = o;
    TRY(solve_liver(p, o, opening));
    TRY(sum_labels(&p->liver, path, &labels));
    if (p->liver.g.lost_mm3 > 0.01 * p->liver.g.all_mm3)
        message_warn("liver: %.3g mL of its label are not connected with the rest and are left out; correct the label",
                     1e-3 * p->liver.g.lost_mm3);
    message_info("liver: %.4g mL in %lld cells, portal perfusion %.3g mL/min/mL, modelled", 1e-3 * p->liver.g.all_mm3,
                 (long long)p->liver.g.n, perfusion_ml_min_ml(p->liver.flow_ml_s, 1e-3 * p->liver.g.all_mm3));
cleanup:
    volume_free(&labels);
    volume_free(&mask);
    free(opening);
    free(path);
    return rc;
}

enum { MAP_PERFUSION, MAP_TERRITORY, MAP_PORTAL, MAP_HEPATIC };

/* Value of a cell in a map. */
static double map_value(const perfusion *f, int map, int64_t cell) {
    const int64_t field = map == MAP_HEPATIC ? f->g.n : 0;
    return map == MAP_PERFUSION   ? perfusion_of_cell(f, cell)
           : map == MAP_TERRITORY ? f->branch[perfusion_branch_of_cell(f, cell)].value
                                  : f->liver->compartments->hepatic_pa + f->pressure_pa[field + cell];
}

int liver_flow_write(const out_folder *out, const post_work *p) {
    static const char *const name[] = {"perfusion.nii.gz", "territories.nii.gz", "portal_pressure_pa.nii.gz",
                                       "hepatic_pressure_pa.nii.gz"};
    const perfusion *f = &p->liver;
    volume map = {0};
    char path[FILE_PATH_MAX];
    int rc = OK;
    for (int m = MAP_PERFUSION; m <= MAP_HEPATIC; m++) {
        const bool written = f->liver && (m != MAP_HEPATIC || f->liver->compartments->n_end > 0);
        TRY(out_folder_path(out, name[m], path));
        file_discard(path);
        if (!written)
            continue;
        if (!map.value)
            TRY(volume_create_like(&map, &f->g.image));
        size_t at = 0;
        for (int k = 0; k < map.dims[2]; k++)
            for (int j = 0; j < map.dims[1]; j++)
                for (int i = 0; i < map.dims[0]; i++) {
                    const int64_t cell = liver_grid_of_voxel(&f->g, i, j, k);
                    map.value[at++] = (float)(cell >= 0 ? map_value(f, m, cell) : m < MAP_PORTAL ? 0 : NAN);
                }
        TRY(image_write(path, &map, m == MAP_TERRITORY ? IMAGE_UINT8 : IMAGE_FLOAT32));
        TRY(out_folder_record(out, name[m]));
    }
cleanup:
    volume_free(&map);
    return rc;
}
#else
int liver_flow_compute(post_work *p, cJSON *json) {
    (void)json;
    return case_find_compartments(&p->c)
               ? fail(ERR_RESOURCE, "liver: {model: compartments} needs ITK, which this build "
                                    "does not include; use model: lobules")
               : OK;
}
int liver_flow_write(const out_folder *out, const post_work *p) {
    (void)out;
    (void)p;
    return OK;
}
#endif
