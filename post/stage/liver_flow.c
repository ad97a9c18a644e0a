/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of work.h: the compartments of the liver, fed by the computed flows of the outlets, and their maps
 * on the grid of the label image. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/base/vec.h"
#include "common/liver/liver_volume.h"
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

/* Finds the portal branches: outlets in the lumen of the portal vein. opening [n_opening] out. Sets no_value of the
 * compartments if the flow into the liver is not known. */
static int find_branches(post_work *p, const case_readout *o, int *opening) {
    const lattice *l = &p->l;
    char *no_value = o->compartments->no_value;
    int32_t *label = malloc((size_t)l->n_cell * sizeof *label);
    int n_piece, portal = -1, n = 0, rc = OK;
    if (!label)
        return fail_memory("the pieces of the lumen", 4.0 * (double)l->n_cell);
    TRY(piece_label(&p->s, label, &n_piece));
    for (int k = 0; k < l->n_opening; k++)
        portal = strcmp(l->opening[k].name, o->portal) == 0 ? piece_of_opening(&p->s, label, k) : portal;
    for (int k = 0; k < p->c.n_section; k++)
        portal = strcmp(p->c.section[k].name, o->portal) == 0 ? piece_of_point(&p->s, label, p->section_point_mm[k])
                                                              : portal;
    for (int k = 0; k < l->n_opening && !no_value[0]; k++) {
        const case_opening *given = case_find_opening(&p->c, l->opening[k].name);
        const double flow_ml_s = p->run.flow_ml_s[k];
        if (!given || !case_opening_feeds(o, given) || piece_of_opening(&p->s, label, k) != portal)
            continue;
        opening[n++] = k;
        if (!(flow_ml_s > 0))
            snprintf(no_value, CASE_NO_LIVER, "the flow of the outlet '%.60s' is %s", given->name,
                     isfinite(flow_ml_s) ? "not outwards" : "not known");
    }
    if (n == 0)
        snprintf(no_value, CASE_NO_LIVER,
                 "no outlet to the liver is in the lumen of '%.40s'; check the keys portal and collateral", o->portal);
    p->liver.n_branch = no_value[0] ? 0 : n;
cleanup:
    free(label);
    return rc;
}

/* Places the ends of the portal branches. */
static int place_branches(post_work *p, const int *opening) {
    perfusion *f = &p->liver;
    for (int e = 0; e < f->n_branch; e++) {
        const lattice_opening *o = &p->l.opening[opening[e]];
        perfusion_part *b = &f->branch[e];
        *b = (perfusion_part){.value = e + 1, .flow_ml_s = p->run.flow_ml_s[opening[e]]};
        snprintf(b->name, sizeof b->name, "%s", o->name);
        vec_add(o->centre_mm, -case_find_opening(&p->c, o->name)->extension_mm, o->normal, b->end_mm);
        liver_grid_nearest(&f->g, b->end_mm, &b->off_mm);
        if (liver_grid_check_distance("outlet", b->name, b->off_mm) != OK)
            return ERR_INPUT;
    }
    return OK;
}

/* Places the ends of the hepatic veins: end_mm [n_end] out. */
static int place_veins(post_work *p, double (*end_mm)[3]) {
    const case_compartments *c = p->liver.liver->compartments;
    volume image = {0};
    int rc = OK;
    if (p->c.space == SPACE_VOXEL && c->n_end > 0)
        TRY(inputs_read_geometry(p, &image));
    for (int e = 0; e < c->n_end; e++) {
        char number[16];
        double off_mm = NAN;
        case_point_lps(&p->c, c->end[e], p->c.space == SPACE_VOXEL ? &image : NULL, end_mm[e]);
        liver_grid_nearest(&p->liver.g, end_mm[e], &off_mm);
        snprintf(number, sizeof number, "%d", e + 1);
        TRY(liver_grid_check_distance("hepatic vein", number, off_mm));
    }
cleanup:
    volume_free(&image);
    return rc;
}

/* Sets the exchange of the compartments from the lobule law. */
static void set_law(perfusion *f, const case_readout *o) {
    const case_compartments *c = o->compartments;
    const double viscosity = o->lobules.viscosity_pa_s.value;
    f->lobules_pa_s_m3 = lobule_resistance(&o->lobules, &(double){0});
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

/* Sets the resistance of the readout: the mean pressure of the portal ends over the flow. */
static void set_resistance(const perfusion *f, case_readout *o, double end_error) {
    const double loss[2] = {1e6 * f->portal_loss_pa / f->flow_ml_s, 1e6 * f->hepatic_loss_pa / f->flow_ml_s};
    o->liver_resistance =
        compartments_resistance(&o->lobules, o->compartments->permeability_m2, loss, end_error, &o->liver_error);
}

/* Solves for one radius of the ends. Sets the inflow of each branch (share) and the pressures. *resistance: mean
 * pressure of the portal ends over the flow, Pa s/m3. */
static int solve_once(perfusion *f, double radius_mm, const double (*vein_mm)[3], double *source, double *sink,
                      double *resistance) {
    const size_t n = (size_t)f->g.n;
    const int n_vein = f->liver->compartments->n_end;
    double power = 0, inflow = 0;
    memset(source, 0, n * sizeof *source);
    memset(sink, 0, n * sizeof *sink);
    memset(f->share, 0, (size_t)f->n_branch * n * sizeof *f->share);
    for (int e = 0; e < f->n_branch; e++) {
        double *own = f->share + (size_t)e * n;
        compartments_add_end(&f->g, f->branch[e].end_mm, radius_mm, 1e-6 * f->branch[e].flow_ml_s, own);
        for (size_t i = 0; i < n; i++)
            source[i] += own[i];
    }
    for (int e = 0; e < n_vein; e++)
        compartments_hold_end(&f->g, vein_mm[e], radius_mm, &f->law, sink);
    const int rc = compartments_solve(&f->g, &f->law, source, n_vein > 0 ? sink : NULL, f->pressure_pa);
    for (size_t i = 0; i < n; i++) {
        power += source[i] * f->pressure_pa[i];
        inflow += source[i];
    }
    *resistance = power / (inflow * inflow);
    return rc;
}

static int solve_liver(post_work *p, case_readout *o, const int *opening) {
    static const double radius_mm[] = {COMPARTMENTS_END_LOW_MM, COMPARTMENTS_END_HIGH_MM, COMPARTMENTS_END_MM};
    perfusion *f = &p->liver;
    const size_t n = (size_t)f->g.n, n_branch = (size_t)f->n_branch;
    double *source = calloc(n, sizeof *source), *sink = calloc(n, sizeof *sink), resistance[3];
    double(*vein_mm)[3] = calloc((size_t)o->compartments->n_end + 1, sizeof *vein_mm);
    int rc = OK;
    f->branch = calloc(n_branch, sizeof *f->branch);
    f->pressure_pa = calloc(2 * n, sizeof *f->pressure_pa);
    f->share = calloc(n_branch * n, sizeof *f->share);
    if (!source || !sink || !vein_mm || !f->branch || !f->pressure_pa || !f->share)
        GIVE_UP(fail_memory("the compartments of the liver", 8.0 * (double)((n_branch + 4) * n)));
    set_law(f, o);
    TRY(place_branches(p, opening));
    TRY(place_veins(p, vein_mm));
    for (int k = 0; k < 3; k++)
        TRY(solve_once(f, radius_mm[k], (const double(*)[3])vein_mm, source, sink, &resistance[k]));
    for (int e = 0; e < f->n_branch; e++)
        for (size_t i = 0; i < n; i++)
            f->branch[e].pressure_pa +=
                f->share[(size_t)e * n + i] * f->pressure_pa[i] / (1e-6 * f->branch[e].flow_ml_s);
    TRY(compartments_divide(&f->g, &f->law, f->pressure_pa, f->n_branch, f->share));
    sum_cells(f, source);
    set_resistance(f, o, 0.5 * (resistance[1] - resistance[0]));
cleanup:
    free(source);
    free(sink);
    free(vein_mm);
    return rc;
}

/* True for results for others (pipeline export): the names of labels are free text, so they stay out. */
static bool is_anonymous(const post_work *p) {
    return strcmp(p->c.name, "anonymous") == 0;
}

/* Writes the names of the labels. */
static void name_labels(perfusion *f, const char *path, bool anonymous) {
    label_name name[LABELS_MOST];
    const int n_name = anonymous ? 0 : label_names_read(path, LABELS_MOST, name);
    for (int m = 0; m < f->n_label; m++) {
        perfusion_part *l = &f->label[m];
        if (anonymous)
            snprintf(l->name, sizeof l->name, "label %d", l->value);
        for (int k = 0; k < n_name; k++)
            if (name[k].value == l->value)
                snprintf(l->name, sizeof l->name, "%s", name[k].name);
    }
}

/* Adds volume and flow of each voxel to its label, and forms the mean portal pressure of each label. */
static int sum_labels(perfusion *f, const char *path, const volume *labels, bool anonymous) {
    const double voxel_ml = 1e-3 * labels->spacing_mm[0] * labels->spacing_mm[1] * labels->spacing_mm[2];
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
                if (cell < 0)
                    continue;
                if (m == LABELS_MOST)
                    return fail(
                        ERR_INPUT,
                        "the liver has more than %d labels; give a mask of the liver with its lobes or segments",
                        LABELS_MOST);
                if (m == f->n_label)
                    f->label[f->n_label++] = (perfusion_part){.value = value};
                f->label[m].volume_ml += voxel_ml;
                f->label[m].flow_ml_s += perfusion_of_cell(f, cell) * voxel_ml / 60;
                f->label[m].pressure_pa += f->pressure_pa[cell] * voxel_ml;
            }
    for (int m = 0; m < f->n_label; m++)
        f->label[m].pressure_pa /= f->label[m].volume_ml;
    name_labels(f, path, anonymous);
    f->n_label = f->n_label > 1 ? f->n_label : 0;
    return OK;
}

/* Warns that all labels count as the liver, where the case gives no values: another organ may be among them. path:
 * NULL: without their names. */
static void tell_labels(const char *path, const volume *labels) {
    char text[LABELS_TEXT];
    if (labels_format_list(path, labels, text, sizeof text) > 1)
        message_warn("liver: the labels %s together count as the liver; if one is another organ, give the labels "
                     "of the liver: labels: {path: .., values: [..]}",
                     text);
}

/* Measures the volume of the liver, and warns where it may be wrong. Sets the volume of the lobules. */
static void measure_volume(const liver_grid *g, case_readout *o) {
    char doubt[LIVER_VOLUME_DOUBTS][LIVER_VOLUME_TEXT];
    const liver_volume v = liver_volume_measure(g);
    o->lobules.volume_ml = v.ml;
    o->lobules_given[LOBULE_VOLUME] = true;
    const int n = liver_volume_find_doubts(&v, doubt);
    for (int k = 0; k < n; k++)
        message_warn_serious("liver: %s", doubt[k]);
    if (g->lost_mm3 > 0.01 * g->all_mm3)
        message_warn("liver: %.3g mL of its label are not connected with the rest and are left out; correct the label",
                     1e-3 * g->lost_mm3);
    message_info("liver: %.4g mL +- %.2g %% from the label image", o->lobules.volume_ml.value,
                 100 * o->lobules.volume_ml.error / o->lobules.volume_ml.value);
}

int liver_flow_compute(post_work *p, cJSON *json) {
    case_readout *o = case_find_liver_labels(&p->c);
    int *opening = calloc((size_t)p->l.n_opening + 1, sizeof *opening), rc = OK;
    volume labels = {0}, mask = {0};
    char *path = o ? case_resolve_path(&p->c, o->liver_labels.path) : NULL;
    if (!o)
        goto cleanup;
    if (!opening || !path)
        GIVE_UP(fail_memory("the liver", 0));
    if (o->compartments)
        TRY(find_branches(p, o, opening));
    if (o->compartments && o->compartments->no_value[0]) {
        message_warn("liver: {model: compartments} has no value: %s", o->compartments->no_value);
        goto cleanup;
    }
    TRY(image_read(path, DICOM_HEAD_LABELS, &labels));
    TRY(provenance_add_image(json, "liver", path, DICOM_HEAD_LABELS));
    if (o->liver_labels.n == 0)
        tell_labels(is_anonymous(p) ? NULL : path, &labels);
    TRY(volume_copy(&mask, &labels));
    TRY(labels_select(path, &mask, o->liver_labels.n, o->liver_labels.value));
    TRY(liver_grid_create(&mask, LIVER_CELLS, &p->liver.g));
    TRY(liver_grid_check(&p->liver.g));
    measure_volume(&p->liver.g, o);
    if (!o->compartments) {
        case_take_lobules(o, &o->lobules);
        case_warn_liver(&p->c, o);
        goto cleanup;
    }
    p->liver.liver = o;
    TRY(solve_liver(p, o, opening));
    case_warn_liver(&p->c, o);
    TRY(sum_labels(&p->liver, path, &labels, is_anonymous(p)));
    message_info("liver: %lld blocks of voxels, portal perfusion %.3g mL/min/mL, modelled", (long long)p->liver.g.n,
                 perfusion_ml_min_ml(p->liver.flow_ml_s, 1e-3 * p->liver.g.all_mm3));
cleanup:
    volume_free(&labels);
    volume_free(&mask);
    free(opening);
    free(path);
    return rc;
}

int liver_flow_compare(post_work *p) {
    const place *lowest = NULL;
    for (int e = 0; e < p->liver.n_branch; e++) {
        const place *o = readout_place_find(p->r.n_opening, p->r.place, p->liver.branch[e].name);
        if (o && o->pressure_pa < p->liver.liver->compartments->hepatic_pa &&
            (!lowest || o->pressure_pa < lowest->pressure_pa))
            lowest = o;
    }
    if (!lowest)
        return OK;
    const double hepatic_mmhg = units_pa_to_mmhg(p->liver.liver->compartments->hepatic_pa);
    message_warn("hepatic_pressure, %.3g mmHg, is above the computed pressure at the outlet '%s', %.3g mmHg; do not "
                 "compare pressures in the vessel with those in the liver",
                 hepatic_mmhg, lowest->name, units_pa_to_mmhg(lowest->pressure_pa));
    return notes_add(&p->r.notes,
                     "hepatic_pressure, %.3g mmHg, is above the computed pressure at the outlet '%s', %.3g mmHg, so "
                     "pressures in the vessel and in the liver are not comparable",
                     hepatic_mmhg, lowest->name, units_pa_to_mmhg(lowest->pressure_pa));
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
                    const bool unknown = m >= MAP_PORTAL || (m == MAP_PERFUSION && f->g.inside[at]);
                    map.value[at++] = (float)(cell >= 0 ? map_value(f, m, cell) : unknown ? NAN : 0);
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
    return case_find_liver_labels(&p->c)
               ? fail(ERR_RESOURCE, "liver: labels needs ITK, which this build does not include; use model: lobules "
                                    "with volume")
               : OK;
}
int liver_flow_compare(post_work *p) {
    (void)p;
    return OK;
}
int liver_flow_write(const out_folder *out, const post_work *p) {
    (void)out;
    (void)p;
    return OK;
}
#endif
