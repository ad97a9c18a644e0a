/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/ends_command.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/image_file/itk_image.h"
#include "common/image_file/labels_select.h"
#include "common/record/json.h"
#include "common/surface/surface_orient_pieces.h"
#include "common/surface/surface_pieces.h"
#include "common/surface_vtk/surface_close.h"
#include "common/surface_vtk/surface_hollow.h"
#include "common/surface/surface_solids.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/checks/image_fill.h"
#include "segment/ends/caps.h"
#include "segment/ends/centerline_ends.h"
#include "segment/ends/ends_constants.h"
#include "segment/ends/flat_ends.h"
#include "segment/ends/label_list.h"
#include "segment/ends/vessel_candidates.h"
#include "segment/import/given_surface.h"
#include "segment/voxel/region.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_place(cJSON *to, const char *key, const double lps[3]) {
    const double ras[3] = {-lps[0], -lps[1], lps[2]};
    double rounded[3];
    for (int a = 0; a < 3; a++)
        rounded[a] = round(1000 * ras[a]) / 1000 + 0.0; /* + 0.0 turns -0 into 0 */
    if (key != NULL)
        json_add_numbers(to, key, 3, rounded);
    else
        cJSON_AddItemToArray(to, cJSON_CreateDoubleArray(rounded, 3));
}

static void add_end(cJSON *ends, const centerline_end *e, double reach_mm, const char *at, const char *name) {
    cJSON *o = cJSON_CreateObject();
    add_place(o, "point", e->point_mm);
    if (e->vague)
        cJSON_AddNullToObject(o, "normal");
    else
        add_place(o, "normal", e->normal);
    json_add_number(o, "radius_mm", round(100 * e->radius_mm) / 100);
    json_add_number(o, "reach_mm", round(100 * reach_mm) / 100);
    cJSON_AddStringToObject(o, "at", at);
    if (name[0])
        cJSON_AddStringToObject(o, "name", name);
    cJSON_AddItemToArray(ends, o);
}

/* Add a seed in the middle of each branch, away from its junction. */
static void add_seeds(cJSON *vessel, const centerline_tree *t) {
    cJSON *seeds = cJSON_AddArrayToObject(vessel, "seeds");
    for (int k = 0; k < t->n; k++) {
        const centerline_branch *b = &t->branch[k];
        add_place(seeds, NULL, b->at_mm[b->n / 2]);
    }
}

/* Add the branches of the tree, with a point every LINE_STEP_MM. */
static void add_branches(cJSON *vessel, const centerline_tree *t) {
    cJSON *branches = cJSON_AddArrayToObject(vessel, "branches");
    for (int k = 0; k < t->n; k++) {
        const centerline_branch *b = &t->branch[k];
        cJSON *line = cJSON_CreateArray();
        for (int i = 0, last = -1; i < b->n; i++)
            if (last < 0 || i == b->n - 1 || vec_distance(b->at_mm[i], b->at_mm[last]) >= LINE_STEP_MM) {
                add_place(line, NULL, b->at_mm[i]);
                last = i;
            }
        cJSON_AddItemToArray(branches, line);
    }
}

/* An end found in the surface itself, which is more accurate than the end of the centerline tree. */
typedef struct {
    centerline_end end;
    double centre_mm[3], reach_mm;
    char name[SURFACE_SOLID_NAME]; /* name of the solid in the file; "": none */
    bool hole, flat, certain;      /* hole: in an open surface; flat, certain: as in flat_ends.h */
} known_end;

static bool is_same(const centerline_end *e, const known_end *k) {
    return vec_distance(e->point_mm, k->end.point_mm) < ONE_END_RADII * fmax(e->radius_mm, k->end.radius_mm) ||
           vec_distance(e->tip_mm, k->centre_mm) < k->reach_mm + e->radius_mm;
}

/* Radius of the vessel at the nearest centerline point. */
static double radius_at(const centerline_tree *t, const double p[3]) {
    double nearest = INFINITY, radius = 0;
    for (int k = 0; k < t->n; k++)
        for (int i = 0; i < t->branch[k].n; i++) {
            const double away = vec_distance(t->branch[k].at_mm[i], p);
            radius = away < nearest ? t->branch[k].radius_mm[i] : radius;
            nearest = fmin(nearest, away);
        }
    return radius;
}

/* A hole is an end if it has the rim of a flat end or is not much narrower than the vessel; otherwise triangles are
 * missing. A flat patch is an end if it is certain, or if it matches an end of the tree that is not much wider and has
 * no other match (`found`). Otherwise it is a facet. */
static bool is_end(const known_end *k, const centerline_tree *t, int n, const centerline_end *end, const bool *found) {
    if (k->hole)
        return k->flat || k->end.radius_mm > LEAST_END_RADIUS * radius_at(t, k->centre_mm);
    if (k->certain)
        return true;
    for (int i = 0; i < n; i++)
        if (!found[i] && is_same(&end[i], k) && k->end.radius_mm > LEAST_END_RADIUS * end[i].radius_mm)
            return true;
    return false;
}

/* n: number of ends without a reliable direction, in all vessels; `of`: number of all ends. */
typedef struct {
    int n, of;
    double radius_mm; /* smallest radius of all vessels with such an end */
} vague_ends;

static void count_vague(vague_ends *v, int n, int of, double radius_mm) {
    v->radius_mm = n > 0 && !(v->n > 0 && v->radius_mm < radius_mm) ? radius_mm : v->radius_mm;
    v->n += n;
    v->of += of;
}

static void warn_vague(const vague_ends *v, const double spacing_mm[3]) {
    if (v->n > 0)
        message_warn("slices %.2g mm apart show too little of a vessel %.2g mm in radius to find its direction: %d of "
                     "%d ends are listed without a normal; give these normals by hand, or use thinner slices",
                     fmax(spacing_mm[0], fmax(spacing_mm[1], spacing_mm[2])), v->radius_mm, v->n, v->of);
}

/* Append one vessel to the list. Where known ends lie inside the vessel's mask, they replace the ends found by the
 * tree. */
static int add_vessel(cJSON *vessels, const volume *mask, const centerline_tree *t, int n_known, const known_end *known,
                      vague_ends *all) {
    cJSON *o = cJSON_CreateObject();
    centerline_end end[ENDS_MAX];
    const int n = centerline_ends_find(t, mask, end);
    if (o == NULL || !cJSON_AddItemToArray(vessels, o))
        return fail_memory("the ends of the vessel", 1);
    json_add_number(o, "length_mm", round(10 * centerline_ends_length_mm(t, n, end)) / 10);
    json_add_number(o, "radius_mm", round(100 * t->radius_mm) / 100);
    cJSON *ends = cJSON_AddArrayToObject(o, "ends");
    cJSON *holes = cJSON_AddArrayToObject(o, "holes");
    bool found[ENDS_MAX] = {false};
    for (int pass = 0; pass < 2; pass++) { /* pass 0 uses holes and certain ends, pass 1 all others */
        bool also[ENDS_MAX] = {false};
        for (int k = 0; k < n_known; k++) {
            if ((known[k].hole || known[k].certain) != (pass == 0) || !voxel_is_in_mask(mask, known[k].end.point_mm))
                continue;
            if (!is_end(&known[k], t, n, end, found)) {
                if (known[k].hole)
                    add_end(holes, &known[k].end, known[k].reach_mm, "hole", "");
                continue;
            }
            add_end(ends, &known[k].end, known[k].reach_mm, known[k].hole ? "open end" : "flat end", known[k].name);
            for (int i = 0; i < n; i++)
                also[i] = also[i] || is_same(&end[i], &known[k]);
        }
        for (int i = 0; i < n; i++)
            found[i] = found[i] || also[i];
    }
    int vague = 0;
    for (int k = 0; k < n; k++) {
        if (found[k])
            continue;
        add_end(ends, &end[k], end[k].radius_mm, end[k].border ? "image border" : "vessel end", "");
        vague += end[k].vague;
    }
    count_vague(all, vague, n, t->radius_mm);
    add_seeds(o, t);
    add_branches(o, t);
    return OK;
}

/* Append every piece of the mask that is large enough, the largest first. `mask` is overwritten with the last piece. */
static int add_pieces(cJSON *vessels, volume *mask, int n_known, const known_end *known) {
    const size_t size = volume_size(mask);
    int32_t *label = malloc(size * sizeof *label);
    int64_t *voxels = NULL;
    vague_ends vague = {0};
    int rc = OK, n = 0;
    if (label == NULL)
        return fail_memory("the pieces of the vessel", (double)size * sizeof *label);
    TRY(region_label(mask, 0.5, INFINITY, label, &n, &voxels));
    for (int piece = 1; rc == OK && piece <= n; piece++) {
        centerline_tree t = {0};
        if ((double)voxels[piece - 1] < LEAST_PIECE * (double)voxels[0])
            break;
        for (size_t i = 0; i < size; i++)
            mask->value[i] = label[i] == piece;
        rc = centerline_tree_find(mask, &t);
        if (rc == OK)
            rc = add_vessel(vessels, mask, &t, n_known, known, &vague);
        centerline_tree_free(&t);
    }
    warn_vague(&vague, mask->spacing_mm);
cleanup:
    free(label);
    free(voxels);
    return rc;
}

/* --------------------------------------------------------------------------------------- ends of a surface */

static int surface_mask(const surface *wall, volume *mask) {
    double low[3], high[3], box = 1;
    int dims[3], rc = OK;
    surface_bounds(wall, low, high);
    for (int a = 0; a < 3; a++)
        box *= high[a] - low[a];
    const double h = cbrt(box / SURFACE_VOXELS);
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

static known_end known_end_of(const cap *l, bool hole) {
    known_end e = {.reach_mm = l->reach_mm, .hole = hole, .flat = !hole, .certain = l->certain};
    memcpy(e.centre_mm, l->centre_mm, sizeof e.centre_mm);
    memcpy(e.end.normal, l->normal, sizeof e.end.normal);
    e.end.radius_mm = sqrt(l->area_mm2 / M_PI);
    vec_add(e.centre_mm, -CAP_INSET * e.end.radius_mm, e.end.normal, e.end.point_mm);
    return e;
}

/* Lists the ends of the surface itself, which are closed holes and flat ends. An end that is both is listed as a
 * hole. */
static int surface_ends(const surface *wall, int filled, int *n, known_end known[ENDS_MAX], int *rings) {
    cap *hole = NULL, *flat = NULL;
    int n_hole = 0, n_flat = 0, rc = OK;
    *n = 0;
    TRY(caps_from_holes(wall, filled, &n_hole, &hole));
    TRY(flat_ends_find(wall, &n_flat, &flat, rings));
    for (int k = 0; k < n_hole && *n < ENDS_MAX; k++)
        known[(*n)++] = known_end_of(&hole[k], true);
    for (int k = 0; k < n_flat && *n < ENDS_MAX; k++) {
        bool both = false;
        for (int i = 0; i < n_hole && i < ENDS_MAX; i++)
            if (vec_distance(flat[k].centre_mm, hole[i].centre_mm) < ONE_PLACE * hole[i].reach_mm)
                both = known[i].flat = true;
        if (!both)
            known[(*n)++] = known_end_of(&flat[k], false);
    }
cleanup:
    free(hole);
    free(flat);
    return rc;
}

/* Names each end by the solid of the file that has the same place and area. */
static int name_ends(const ends_command_options *o, int ras, int n, known_end *known) {
    surface_solid *solid = NULL;
    int n_solid = 0;
    const int rc = surface_solids_read(o->path, &n_solid, &solid);
    const double scale[3] = {ras ? -o->unit_mm : o->unit_mm, ras ? -o->unit_mm : o->unit_mm, o->unit_mm};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n_solid; i++) {
            double at[3];
            for (int a = 0; a < 3; a++)
                at[a] = scale[a] * solid[i].centre[a];
            const double area = solid[i].area * o->unit_mm * o->unit_mm;
            const double end = M_PI * known[k].end.radius_mm * known[k].end.radius_mm;
            if (vec_distance(at, known[k].centre_mm) < ONE_PLACE * known[k].reach_mm &&
                fabs(log(area / end)) < log(SOLID_AREA))
                memcpy(known[k].name, solid[i].name, sizeof known[k].name);
        }
    free(solid);
    return rc;
}

static bool has_name(int n, const known_end *known, const char *name) {
    bool found = false;
    for (int k = 0; k < n && !found; k++)
        found = strcmp(known[k].name, name) == 0;
    return found;
}

/* Numbers ends of the same name, because openings have different names: "cap-1", "cap-2". Skips numbers that another
 * end has in its name. */
static void number_equal_names(int n, known_end *known) {
    for (int k = 0; k < n; k++) {
        char name[sizeof known[k].name], numbered[sizeof known[k].name];
        int number = 0;
        memcpy(name, known[k].name, sizeof name);
        if (!name[0] || !has_name(n - k - 1, known + k + 1, name))
            continue;
        for (int i = k; i < n; i++)
            if (strcmp(known[i].name, name) == 0) {
                do
                    snprintf(numbered, sizeof numbered, "%.27s-%d", name, ++number);
                while (has_name(n, known, numbered));
                memcpy(known[i].name, numbered, sizeof numbered);
            }
    }
}

/* True if a cavity has much of the volume and the length of the piece around it: the piece is then two closed
 * shells. */
static int has_long_cavity(const surface *wall, bool *hollow) {
    surface_pieces pieces;
    double low[3], high[3], whole = surface_volume_mm3(wall);
    int rc = OK;
    *hollow = false;
    surface_bounds(wall, low, high);
    const double length = vec_distance(low, high);
    TRY(surface_pieces_find(wall, &pieces));
    for (int32_t k = 0; k < pieces.n && !*hollow; k++) {
        double from[3] = {INFINITY, INFINITY, INFINITY}, to[3] = {-INFINITY, -INFINITY, -INFINITY};
        const double cavity = -pieces.volume_mm3[pieces.name[k]];
        if (!(cavity > HOLLOW_PART * (whole + cavity)))
            continue;
        for (int64_t p = 0; p < wall->n_point; p++)
            for (int a = 0; a < 3 && pieces.of[p] == pieces.name[k]; a++) {
                from[a] = fmin(from[a], wall->point_mm[3 * p + a]);
                to[a] = fmax(to[a], wall->point_mm[3 * p + a]);
            }
        *hollow = vec_distance(from, to) > HOLLOW_LENGTH * length;
    }
cleanup:
    surface_pieces_free(&pieces);
    return rc;
}

/* Warns if `check` will refuse the surface because of its parts (given_surface_check_parts). This is no error here, so
 * that the ends are still listed. *hollow: true, without a warning, if the surface is a hollow wall; `pipeline init`
 * then proposes no openings. */
static int warn_parts(const char *path, const surface *wall, bool *hollow) {
    const int rc = given_surface_check_parts(path, wall);
    if (rc != ERR_INPUT)
        return rc;
    *hollow = surface_is_hollow(wall);
    if (!*hollow)
        message_warn_serious("%s", status_message());
    status_clear();
    return OK;
}

static int add_surface(const ends_command_options *o, cJSON *root, cJSON *vessels) {
    const int said = surface_stated_frame(o->path, 1, 0), ras = o->ras >= 0 ? o->ras : (said >= 0 ? said : 0);
    int rc = OK, filled = 0, n = 0, rings = 0, turned = 0;
    bool hollow = false;
    surface wall = {0};
    volume mask = {0};
    known_end known[ENDS_MAX];
    TRY(surface_read(o->path, o->unit_mm, ras, &wall));
    TRY(surface_close(o->path, &wall, &filled));
    TRY(surface_orient_pieces(&wall, &turned));
    TRY(surface_ends(&wall, filled, &n, known, &rings));
    TRY(name_ends(o, ras, n, known));
    number_equal_names(n, known);
    TRY(has_long_cavity(&wall, &hollow));
    if (!hollow && rings == 0)
        TRY(warn_parts(o->path, &wall, &hollow));
    cJSON_AddBoolToObject(root, "hollow", hollow || rings > 0);
    TRY(surface_mask(&wall, &mask));
    TRY(add_pieces(vessels, &mask, n, known));
cleanup:
    volume_free(&mask);
    surface_free(&wall);
    return rc;
}

/* ----------------------------------------------------------------------------- ends of a mask or an image */

static int add_mask(const char *path, volume *v, cJSON *root, cJSON *vessels) {
    label_list list = {0};
    int rc = OK;
    TRY(label_list_read(path, v, &list));
    TRY(label_list_choose_vessel(&list, v));
    cJSON *labels = cJSON_AddArrayToObject(root, "labels");
    for (int k = 0; k < list.n; k++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddNumberToObject(one, "value", list.label[k].value);
        cJSON_AddItemToObject(one, "name",
                              list.label[k].name[0] ? cJSON_CreateString(list.label[k].name) : cJSON_CreateNull());
        json_add_number(one, "volume_ml", list.label[k].volume_ml);
        cJSON_AddBoolToObject(one, "taken", list.label[k].taken);
        cJSON_AddItemToArray(labels, one);
    }
    if (!label_list_to_mask(&list, v)) /* no label is known to be a vessel */
        goto cleanup;
    TRY(add_pieces(vessels, v, 0, NULL));
cleanup:
    return rc;
}

/* Adds the places where the candidate's vessel touches another one. */
static void add_contacts(cJSON *vessel, const vessel_candidate *c) {
    cJSON *contacts = cJSON_AddArrayToObject(vessel, "contacts");
    for (int k = 0; k < c->n_contact; k++)
        add_place(contacts, NULL, c->contact_mm[k]);
}

static int add_image(volume *v, cJSON *vessels) {
    static const char *const word[] = {"vessel", "edge", "bone"};
    vessel_candidate list[VESSEL_CANDIDATES_MAX];
    vague_ends vague = {0};
    int n = 0, rc = vessel_candidates_find(v, list, &n);
    for (int k = 0; k < n; k++) {
        if (rc == OK)
            rc = add_vessel(vessels, &list[k].mask, &list[k].tree, 0, NULL, &vague);
        if (rc == OK) {
            cJSON_AddStringToObject(cJSON_GetArrayItem(vessels, k), "looks_like", word[list[k].look]);
            add_contacts(cJSON_GetArrayItem(vessels, k), &list[k]);
        }
        vessel_candidate_free(&list[k]);
    }
    warn_vague(&vague, v->spacing_mm);
    return rc;
}

static bool is_surface(const char *path) {
    static const char *const ending[] = {".stl", ".vtp", ".ply", ".vtk", NULL};
    for (int k = 0; ending[k] != NULL; k++)
        if (file_ends_with(path, ending[k]))
            return true;
    return false;
}

int ends_command_print(const ends_command_options *o, FILE *to) {
    cJSON *root = cJSON_CreateObject(), *vessels = cJSON_CreateArray();
    const char *kind = "surface";
    char *text = NULL;
    volume v = {0};
    image_fill fill = {0};
    float padding;
    int rc = OK;
    if (root == NULL || vessels == NULL)
        GIVE_UP(fail_memory("the ends of the vessel", 1));
    if (is_surface(o->path)) {
        TRY(add_surface(o, root, vessels));
    } else {
        TRY(image_read_padded(o->path, o->series, &v, &padding));
        TRY(image_fill_replace_padding(&v, padding, 0, NULL, &fill));
        kind = labels_recognize(&v) ? "mask" : "image";
        if (strcmp(kind, "mask") == 0)
            TRY(add_mask(o->path, &v, root, vessels));
        else
            TRY(add_image(&v, vessels));
    }
    cJSON_AddStringToObject(root, "kind", kind);
    cJSON_AddStringToObject(root, "space", "RAS");
    cJSON_AddItemToObject(root, "vessels", vessels);
    vessels = NULL;
    text = cJSON_Print(root);
    if (text == NULL)
        GIVE_UP(fail_memory("the ends of the vessel", 1));
    if (fprintf(to, "%s\n", text) < 0 || fflush(to) != 0)
        rc = fail(ERR_OUTPUT, "cannot write to the standard output; check that the disk is not full");
cleanup:
    free(text);
    cJSON_Delete(root);
    cJSON_Delete(vessels);
    image_fill_free(&fill);
    volume_free(&v);
    return rc;
}
