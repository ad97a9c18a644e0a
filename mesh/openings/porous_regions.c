/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/openings/porous_regions.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/image_file/itk_image.h"
#include "common/record/dicom_head.h"
#include "common/record/provenance.h"
#include <math.h>
#include <stdlib.h>

int porous_regions_read(const case_file *c, cJSON *json, volume *labels) {
    bool needed = false;
    int rc;
    for (int k = 0; k < c->n_porous; k++)
        needed = needed || c->porous[k].shape == POROUS_LABEL;
    if (!needed)
        return OK;
    char *path = case_resolve_path(c, c->segment.labels_path);
    if (!path)
        return fail_memory("a path", FILE_PATH_MAX);
    TRY(image_read(path, DICOM_HEAD_LABELS, labels));
    TRY(provenance_add_image(json, "porous labels", path, DICOM_HEAD_LABELS));
cleanup:
    free(path);
    return rc;
}

/* Label of the voxel that contains a point; 0 outside the image. */
static int label_at(const volume *labels, const double p[3]) {
    double index[3];
    int at[3];
    volume_to_index(labels, p, index);
    for (int a = 0; a < 3; a++) {
        at[a] = (int)lround(index[a]);
        if (at[a] < 0 || at[a] >= labels->dims[a])
            return 0;
    }
    return (int)lround((double)labels->value[volume_index(labels, at[0], at[1], at[2])]);
}

static bool in_cylinder(const double a[3], const double b[3], double radius, const double p[3]) {
    double along[3], from[3];
    for (int i = 0; i < 3; i++) {
        along[i] = b[i] - a[i];
        from[i] = p[i] - a[i];
    }
    const double part = vec_dot(from, along) / vec_dot(along, along);
    return part >= 0 && part <= 1 && vec_dot(from, from) - part * part * vec_dot(along, along) <= radius * radius;
}

/* a, b: points of the region, p: a point; LPS mm. The faces of a box are along the LPS axes. */
static bool is_inside(const case_porous *region, const volume *labels, const double a[3], const double b[3],
                      const double p[3]) {
    bool inside = true;
    switch ((enum case_porous_shape)region->shape) {
    case POROUS_SPHERE:
        return vec_distance(a, p) <= region->radius_mm;
    case POROUS_CYLINDER:
        return in_cylinder(a, b, region->radius_mm, p);
    case POROUS_BOX:
        for (int i = 0; i < 3; i++)
            inside = inside && p[i] >= fmin(a[i], b[i]) && p[i] <= fmax(a[i], b[i]);
        return inside;
    case POROUS_LABEL:
        return label_at(labels, p) == region->label;
    }
    return false;
}

static int check_openings(const case_file *c, const lattice *l) {
    for (int64_t m = 0; m < l->n_link; m++) {
        const int k = l->region[l->link_cell[m]] - 1;
        if (k >= 0 && l->link_opening[m] > 0)
            return fail(ERR_INPUT,
                        "porous region '%s' reaches opening '%s', where the boundary conditions are those of free "
                        "blood; make the region smaller, or lengthen the vessel with the key extension of the opening",
                        c->porous[k].name, l->opening[l->link_opening[m] - 1].name);
    }
    return OK;
}

int porous_regions_set(const case_file *c, const volume *image, const volume *labels, lattice *l) {
    for (int k = c->n_porous - 1; k >= 0; k--) { /* backwards, so that the first of two regions holds */
        const case_porous *region = &c->porous[k];
        double a[3], b[3];
        int64_t n = 0;
        case_point_lps(c, region->a, image, a);
        case_point_lps(c, region->b, image, b);
        for (int64_t i = 0; i < l->n_cell; i++) {
            double p[3];
            lattice_centre_mm(l, i, p);
            if (!is_inside(region, labels, a, b, p))
                continue;
            l->region[i] = (uint8_t)(k + 1);
            n += l->distance_mm[i] < 0;
        }
        if (n == 0)
            return fail(ERR_INPUT,
                        "porous region '%s' contains no cell of the lumen (cells of %.3g mm); correct its place or "
                        "size in the key porous",
                        region->name, l->spacing_mm);
    }
    return check_openings(c, l);
}

double porous_regions_ml(const lattice *l, int k) {
    double n = 0;
    for (int64_t i = 0; i < l->n_cell; i++)
        n += l->region[i] == k + 1 ? lattice_fluid_part(l, i) : 0;
    return 1e-3 * n * pow(l->spacing_mm, 3);
}
