/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/openings/territories.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/image_file/itk_image.h"
#include "common/image_file/labels_select.h"
#include "common/record/dicom_head.h"
#include "common/record/provenance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The outlet whose territory has this label; NULL: none. */
static case_opening *find_outlet(const case_file *c, long label) {
    for (int k = 0; k < c->n_opening; k++)
        for (int i = 0; i < c->opening[k].n_territory; i++)
            if (c->opening[k].territory[i] == label)
                return &c->opening[k];
    return NULL;
}

static int check_whole_numbers(const char *path, const volume *v) {
    for (size_t i = 0; i < volume_size(v); i++) {
        const double x = (double)v->value[i];
        if (!(fabs(x - round(x)) <= LABELS_TOLERANCE))
            return fail(ERR_INPUT,
                        "split: '%s' holds %g, which is not a label: an image of territories has whole numbers only",
                        path, x);
    }
    return OK;
}

static int check_label(const char *path, const volume *v, int label) {
    char list[LABELS_TEXT];
    for (size_t i = 0; i < volume_size(v); i++)
        if (lround((double)v->value[i]) == label)
            return OK;
    labels_format_list(path, v, list, sizeof list);
    return fail(ERR_INPUT, "split: '%s' holds no voxel of label %d; it holds %s", path, label, list);
}

/* Adds the volume of each labelled voxel to the territory of its outlet. other_ml: out, volume without an outlet. */
static void count_voxels(case_file *c, const volume *v, double *other_ml) {
    const double voxel_ml = 1e-3 * v->spacing_mm[0] * v->spacing_mm[1] * v->spacing_mm[2];
    *other_ml = 0;
    for (size_t i = 0; i < volume_size(v); i++) {
        const long x = lround((double)v->value[i]);
        if (x == 0)
            continue;
        case_opening *o = find_outlet(c, x);
        *(o ? &o->territory_ml : other_ml) += voxel_ml;
    }
}

int territories_read(case_file *c, cJSON *json) {
    int rc = OK;
    double all_ml = 0, other_ml = 0;
    volume v = {0};
    if (c->split.law != SPLIT_TERRITORY)
        return OK;
    char *path = case_resolve_path(c, c->split.labels_path);
    if (!path)
        return fail_memory("a path", 1);
    TRY(image_read(path, DICOM_HEAD_LABELS, &v));
    TRY(provenance_add_image(json, "territories", path, DICOM_HEAD_LABELS));
    TRY(check_whole_numbers(path, &v));
    for (int k = 0; k < c->n_opening; k++) {
        c->opening[k].territory_ml = 0;
        for (int i = 0; i < c->opening[k].n_territory; i++)
            TRY(check_label(path, &v, c->opening[k].territory[i]));
    }
    count_voxels(c, &v, &other_ml);
    for (int k = 0; k < c->n_opening; k++)
        all_ml += c->opening[k].territory_ml;
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].n_territory > 0)
            message_info("outlet '%s': territory of %.4g mL, %.3g %% of %.4g mL", c->opening[k].name,
                         c->opening[k].territory_ml, 100 * c->opening[k].territory_ml / all_ml, all_ml);
    if (other_ml > 0)
        message_warn("split: %.3g mL of the label image belong to no outlet and do not count; to count them, add "
                     "their labels to the territory of an outlet",
                     other_ml);
cleanup:
    volume_free(&v);
    free(path);
    return rc;
}

void territories_set(const case_file *c, lattice *l) {
    for (int k = 0; k < l->n_opening; k++) {
        const case_opening *o = case_find_opening(c, l->opening[k].name);
        l->opening[k].territory_ml = o && o->n_territory > 0 ? o->territory_ml : 0;
    }
}
