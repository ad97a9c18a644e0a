/* See ends.h. */
#include "segment/ends/ends.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/image/itk_image.h"
#include "common/image/labels_select.h"
#include "common/record/json.h"
#include "common/surface/surface_close.h"
#include "common/surface/vtk_surface.h"
#include "segment/ends/candidates.h"
#include "segment/ends/label_list.h"
#include "segment/ends/lids.h"
#include "segment/ends/tree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENDS_MAX = 80 };
static const double grid_voxels = 3e6; /* of a surface's box */
static const double lid_inset = 0.5;   /* radii */
static const double line_step_mm = 3;
static const double one_end_radii = 2.5; /* the tree's end at an open end is that end */

static void add_place(cJSON *to, const char *key, const double lps[3]) {
    const double ras[3] = {-lps[0], -lps[1], lps[2]};
    double rounded[3];
    for (int a = 0; a < 3; a++)
        rounded[a] = round(1000 * ras[a]) / 1000 + 0.0; /* no -0 */
    if (key != NULL)
        json_numbers(to, key, 3, rounded);
    else
        cJSON_AddItemToArray(to, cJSON_CreateDoubleArray(rounded, 3));
}

static void add_end(cJSON *ends, const tree_end *e, const char *at) {
    cJSON *o = cJSON_CreateObject();
    add_place(o, "point", e->point_mm);
    add_place(o, "normal", e->normal);
    json_number(o, "radius_mm", round(100 * e->radius_mm) / 100);
    cJSON_AddStringToObject(o, "at", at);
    cJSON_AddItemToArray(ends, o);
}

/* In the middle of each branch, away from where it joins. */
static void add_seeds(cJSON *vessel, const tree *t) {
    cJSON *seeds = cJSON_AddArrayToObject(vessel, "seeds");
    for (int k = 0; k < t->n; k++) {
        const tree_branch *b = &t->branch[k];
        add_place(seeds, NULL, b->at_mm[b->n / 2]);
    }
}

/* The middle lines, as they lie in the tree; of every branch a point each line_step_mm. */
static void add_branches(cJSON *vessel, const tree *t) {
    cJSON *branches = cJSON_AddArrayToObject(vessel, "branches");
    for (int k = 0; k < t->n; k++) {
        const tree_branch *b = &t->branch[k];
        cJSON *line = cJSON_CreateArray();
        for (int i = 0, last = -1; i < b->n; i++)
            if (last < 0 || i == b->n - 1 || vec_distance(b->at_mm[i], b->at_mm[last]) >= line_step_mm) {
                add_place(line, NULL, b->at_mm[i]);
                last = i;
            }
        cJSON_AddItemToArray(branches, line);
    }
}

/* One vessel; open [n_open]: ends that are known better than by the tree. */
static int add_vessel(cJSON *vessels, const volume *mask, const tree *t, int n_open, const tree_end *open) {
    cJSON *o = cJSON_CreateObject();
    tree_end end[ENDS_MAX];
    const int n = tree_ends(t, mask, end);
    if (o == NULL || !cJSON_AddItemToArray(vessels, o))
        return fail_memory("the ends of the vessel", 1);
    json_number(o, "length_mm", round(10 * t->length_mm) / 10);
    json_number(o, "radius_mm", round(100 * t->radius_mm) / 100);
    cJSON *ends = cJSON_AddArrayToObject(o, "ends");
    for (int k = 0; k < n_open; k++)
        add_end(ends, &open[k], "open end");
    for (int k = 0; k < n; k++) {
        bool known = false;
        for (int m = 0; m < n_open; m++)
            known = known || vec_distance(end[k].point_mm, open[m].point_mm) <
                                 one_end_radii * fmax(end[k].radius_mm, open[m].radius_mm);
        if (!known)
            add_end(ends, &end[k], end[k].border ? "image border" : "vessel end");
    }
    add_seeds(o, t);
    add_branches(o, t);
    return OK;
}

/* ---------------------------------------------------------------------------------------------- surface */

static int surface_mask(const surface *wall, volume *mask) {
    double low[3], high[3], box = 1;
    int dims[3], rc = OK;
    surface_bounds(wall, low, high);
    for (int a = 0; a < 3; a++)
        box *= high[a] - low[a];
    const double h = cbrt(box / grid_voxels);
    for (int a = 0; a < 3; a++) {
        dims[a] = (int)ceil((high[a] - low[a]) / h) + 6;
        low[a] -= 3 * h;
    }
    TRY(volume_create(mask, dims, (const double[3]){h, h, h}, low, NULL));
    TRY(surface_to_phi(wall, 2 * h, mask));
    for (size_t i = 0; i < volume_size(mask); i++)
        mask->value[i] = mask->value[i] < 0;
cleanup:
    return rc;
}

static int of_surface(const ends_options *o, cJSON *vessels) {
    const int said = surface_frame(o->path, 1, 0), ras = o->ras >= 0 ? o->ras : (said >= 0 ? said : 0);
    int rc = OK, filled = 0, n_lid = 0;
    surface wall = {0};
    volume mask = {0};
    tree t = {0};
    lid *lids = NULL;
    tree_end open[ENDS_MAX];
    TRY(surface_read(o->path, o->unit_mm, ras, &wall));
    TRY(surface_close(o->path, &wall, &filled));
    TRY(lids_of_holes(&wall, filled, &n_lid, &lids));
    n_lid = n_lid < ENDS_MAX ? n_lid : ENDS_MAX;
    for (int k = 0; k < n_lid; k++) {
        open[k] = (tree_end){.radius_mm = sqrt(lids[k].area_mm2 / M_PI)};
        memcpy(open[k].normal, lids[k].normal, sizeof open[k].normal);
        vec_add(lids[k].centre_mm, -lid_inset * open[k].radius_mm, lids[k].normal, open[k].point_mm);
    }
    TRY(surface_mask(&wall, &mask));
    TRY(tree_find(&mask, &t));
    TRY(add_vessel(vessels, &mask, &t, n_lid, open));
cleanup:
    free(lids);
    tree_free(&t);
    volume_free(&mask);
    surface_free(&wall);
    return rc;
}

/* ---------------------------------------------------------------------------------------------- mask and image */

static int of_mask(const char *path, volume *v, cJSON *root, cJSON *vessels) {
    label_list list = {0};
    tree t = {0};
    int rc = OK;
    TRY(label_list_make(path, v, &list));
    TRY(label_list_choose(&list, v));
    cJSON *labels = cJSON_AddArrayToObject(root, "labels");
    for (int k = 0; k < list.n; k++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddNumberToObject(one, "value", list.label[k].value);
        cJSON_AddItemToObject(one, "name",
                              list.label[k].name[0] ? cJSON_CreateString(list.label[k].name) : cJSON_CreateNull());
        json_number(one, "volume_ml", list.label[k].volume_ml);
        cJSON_AddBoolToObject(one, "taken", list.label[k].taken);
        cJSON_AddItemToArray(labels, one);
    }
    if (!label_list_mask(&list, v)) /* which one the vessel is, nobody says */
        goto cleanup;
    TRY(tree_find(v, &t));
    TRY(add_vessel(vessels, v, &t, 0, NULL));
cleanup:
    tree_free(&t);
    return rc;
}

static int of_image(volume *v, cJSON *vessels) {
    volume mask[CANDIDATES_MAX] = {{{0}}};
    int n = 0, rc = candidates_find(v, mask, &n);
    for (int k = 0; k < n; k++) {
        tree t = {0};
        if (rc == OK)
            rc = tree_find(&mask[k], &t);
        if (rc == OK)
            rc = add_vessel(vessels, &mask[k], &t, 0, NULL);
        tree_free(&t);
        volume_free(&mask[k]);
    }
    return rc;
}

static bool is_surface(const char *path) {
    static const char *const ending[] = {".stl", ".vtp", ".ply", ".vtk", NULL};
    for (int k = 0; ending[k] != NULL; k++)
        if (file_ends_with(path, ending[k]))
            return true;
    return false;
}

int ends_print(const ends_options *o, FILE *to) {
    cJSON *root = cJSON_CreateObject(), *vessels = cJSON_CreateArray();
    const char *kind = "surface";
    char *text = NULL;
    volume v = {0};
    int rc = OK;
    if (root == NULL || vessels == NULL)
        GIVE_UP(fail_memory("the ends of the vessel", 1));
    if (is_surface(o->path)) {
        TRY(of_surface(o, vessels));
    } else {
        TRY(image_read(o->path, o->series, &v));
        kind = labels_recognize(&v) ? "mask" : "image";
        if (strcmp(kind, "mask") == 0)
            TRY(of_mask(o->path, &v, root, vessels));
        else
            TRY(of_image(&v, vessels));
    }
    cJSON_AddStringToObject(root, "kind", kind);
    cJSON_AddStringToObject(root, "space", "RAS");
    cJSON_AddItemToObject(root, "vessels", vessels);
    vessels = NULL;
    text = cJSON_Print(root);
    if (text == NULL)
        GIVE_UP(fail_memory("the ends of the vessel", 1));
    if (fprintf(to, "%s\n", text) < 0 || fflush(to) != 0)
        rc = fail(ERR_OUTPUT, "cannot write to stdout");
cleanup:
    free(text);
    cJSON_Delete(root);
    cJSON_Delete(vessels);
    volume_free(&v);
    return rc;
}
