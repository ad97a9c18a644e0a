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
#include <string.h>

enum { POROUS_MAX = UINT8_MAX };

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
    TRY(provenance_add_image(json, "labels", path, DICOM_HEAD_LABELS));
cleanup:
    free(path);
    return rc;
}

static bool is_lumen(const case_file *c, int label) {
    bool found = c->segment.n_label_value == 0 && label != 0;
    for (int k = 0; k < c->segment.n_label_value; k++)
        found = found || c->segment.label_value[k] == label;
    return found;
}

/* Label of a voxel; 0 outside the image. */
static int label_of_voxel(const volume *labels, const int at[3]) {
    for (int a = 0; a < 3; a++)
        if (at[a] < 0 || at[a] >= labels->dims[a])
            return 0;
    return (int)lround((double)labels->value[volume_index(labels, at[0], at[1], at[2])]);
}

/* Label of the lumen at a point: the label of its voxel, otherwise of the nearest voxel of the lumen within two voxels
 * along each axis; 0: none. The smooth wall of the lumen encloses parts of voxels that have no label of the lumen. As
 * free blood, these parts would let blood pass beside the region. */
static int label_at(const case_file *c, const volume *labels, const double p[3]) {
    enum { REACH = 2, WIDTH = 2 * REACH + 1 };
    double index[3], least = INFINITY;
    int own[3], nearest = 0;
    volume_to_index(labels, p, index);
    for (int a = 0; a < 3; a++)
        own[a] = (int)lround(index[a]);
    const int label = label_of_voxel(labels, own);
    if (is_lumen(c, label))
        return label;
    for (int m = 0; m < WIDTH * WIDTH * WIDTH; m++) {
        const int step[3] = {m % WIDTH - REACH, m / WIDTH % WIDTH - REACH, m / WIDTH / WIDTH - REACH};
        int at[3];
        double square = 0;
        for (int a = 0; a < 3; a++) {
            const double mm = (own[a] + step[a] - index[a]) * labels->spacing_mm[a];
            at[a] = own[a] + step[a];
            square += mm * mm;
        }
        const int other = square < least ? label_of_voxel(labels, at) : 0;
        if (is_lumen(c, other)) {
            least = square;
            nearest = other;
        }
    }
    return nearest;
}

static double cylinder_mm(const double a[3], const double b[3], double radius, const double p[3]) {
    double along[3], from[3];
    for (int i = 0; i < 3; i++) {
        along[i] = b[i] - a[i];
        from[i] = p[i] - a[i];
    }
    const double length = vec_length(along), height = vec_dot(from, along) / length;
    const double across = sqrt(fmax(vec_dot(from, from) - height * height, 0)) - radius;
    return fmax(across, fmax(-height, height - length));
}

/* Distance to an ellipsoid by its level and its gradient: exact sign, second-order error near the wall. */
static double ellipsoid_mm(const double centre[3], const double half[3], const double p[3]) {
    double level = 0, gradient = 0;
    for (int i = 0; i < 3; i++) {
        const double q = (p[i] - centre[i]) / half[i];
        level += q * q;
        gradient += q * q / (half[i] * half[i]);
    }
    level = sqrt(level);
    return gradient > 0 ? (level - 1) * level / sqrt(gradient) : -INFINITY;
}

/* Place of a region: its points in LPS mm, and the label image. */
typedef struct {
    const case_file *c;
    const case_porous *region;
    const volume *labels;
    double a[3], b[3];
} region_place;

static region_place place_of(const case_file *c, int k, const volume *image, const volume *labels) {
    region_place r = {.c = c, .region = &c->porous[k], .labels = labels};
    case_point_lps(c, r.region->a, image, r.a);
    case_point_lps(c, r.region->b, image, r.b);
    return r;
}

/* Signed distance to a region in mm, negative inside; p in LPS mm. Outside near an edge of a box or a cylinder it is a
 * lower bound; for an ellipsoid it is approximate. A label has no distance: 0 inside, 1 outside. The edges of a box are
 * along the LPS axes. */
static double region_mm(const region_place *r, const double p[3]) {
    double most = -INFINITY;
    switch ((enum case_porous_shape)r->region->shape) {
    case POROUS_SPHERE:
        return vec_distance(r->a, p) - r->region->radius_mm;
    case POROUS_CYLINDER:
        return cylinder_mm(r->a, r->b, r->region->radius_mm, p);
    case POROUS_BOX:
        for (int i = 0; i < 3; i++)
            most = fmax(most, fmax(fmin(r->a[i], r->b[i]) - p[i], p[i] - fmax(r->a[i], r->b[i])));
        return most;
    case POROUS_ELLIPSOID:
        return ellipsoid_mm(r->a, r->region->half_mm, p);
    case POROUS_LABEL:
        return label_at(r->c, r->labels, p) == r->region->label ? 0 : 1;
    }
    return INFINITY;
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

/* Fails for region k, which has no cell of its own in the lumen, and says why. r: places of all regions. */
static int fail_empty(const lattice *l, const region_place *r, int k) {
    for (int64_t i = 0; i < l->n_cell; i++) {
        double p[3];
        lattice_centre_mm(l, i, p);
        if (l->distance_mm[i] < 0 && region_mm(&r[k], p) <= 0)
            return fail(ERR_INPUT,
                        "porous region '%s' has no cell of its own: region '%s', which stands before it in the key "
                        "porous, covers it; remove one of the two, or write '%s' first",
                        r[k].region->name, r[l->region[i] - 1].region->name, r[k].region->name);
    }
    return fail(ERR_INPUT, "porous region '%s' contains no cell of the lumen (cells of %.3g mm); correct its %s",
                r[k].region->name, l->spacing_mm,
                r[k].region->shape == POROUS_LABEL ? "label, which segment.labels.values must contain, too"
                                                   : "place or size in the key porous");
}

int porous_regions_set(const case_file *c, const volume *image, const volume *labels, lattice *l) {
    region_place r[POROUS_MAX];
    int64_t cells[POROUS_MAX + 1] = {0};
    memset(r, 0, sizeof r);
    for (int k = 0; k < c->n_porous; k++)
        r[k] = place_of(c, k, image, labels);
    for (int64_t i = 0; i < l->n_cell && c->n_porous > 0; i++) {
        double p[3];
        int k = 0;
        lattice_centre_mm(l, i, p);
        while (k < c->n_porous && region_mm(&r[k], p) > 0) /* the first of two regions holds */
            k++;
        if (k == c->n_porous)
            continue;
        l->region[i] = (uint8_t)(k + 1);
        cells[k] += l->distance_mm[i] < 0;
    }
    for (int k = 0; k < c->n_porous; k++)
        if (cells[k] == 0)
            return fail_empty(l, r, k);
    return check_openings(c, l);
}

/* Part of a cube that is in a region. Exact for a face of the region parallel to a face of the cube. */
static double part_inside(const region_place *r, const double centre[3], double width_mm) {
    const double mm = region_mm(r, centre);
    if (r->region->shape == POROUS_LABEL)
        return mm <= 0;
    return fmin(fmax(0.5 - mm / width_mm, 0), 1);
}

double porous_regions_exact_ml(const case_file *c, const volume *image, const volume *labels, const lattice *l, int k) {
    enum { PARTS = 4 };
    region_place r[POROUS_MAX];
    const double h = l->spacing_mm;
    double sum = 0;
    memset(r, 0, sizeof r);
    for (int j = 0; j <= k; j++)
        r[j] = place_of(c, j, image, labels);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i < l->n_cell; i++) {
        double centre[3];
        lattice_centre_mm(l, i, centre);
        const double fluid_part = lattice_fluid_part(l, i);
        if (fluid_part <= 0 || (r[k].region->shape != POROUS_LABEL && region_mm(&r[k], centre) > 1.5 * h))
            continue; /* the cell is outside */
        for (int m = 0; m < PARTS * PARTS * PARTS; m++) {
            const int at[3] = {m % PARTS, m / PARTS % PARTS, m / PARTS / PARTS};
            double p[3];
            for (int a = 0; a < 3; a++)
                p[a] = centre[a] + h * ((at[a] + 0.5) / PARTS - 0.5);
            double part = part_inside(&r[k], p, h / PARTS);
            for (int j = 0; j < k && part > 0; j++)
                part *= 1 - part_inside(&r[j], p, h / PARTS);
            sum += part * fluid_part / (PARTS * PARTS * PARTS);
        }
    }
    return 1e-3 * sum * h * h * h;
}

double porous_regions_ml(const lattice *l, int k) {
    double n = 0;
    for (int64_t i = 0; i < l->n_cell; i++)
        n += l->region[i] == k + 1 ? lattice_fluid_part(l, i) : 0;
    return 1e-3 * n * pow(l->spacing_mm, 3);
}
