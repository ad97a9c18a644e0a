/* SPDX-License-Identifier: Apache-2.0 */
#include "common/lattice/lattice_file.h"
#include "common/lattice/lattice_file_parts.h"
#include "common/record/hdf5_util.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };

/* Names and shapes of the arrays, for writing and reading. */
typedef struct {
    const char *name;
    hid_t type;
    int width; /* number of values per row */
    bool per_link;
    void *data;
} array;
enum { ARRAY_COUNT = 8 };

static void list_arrays(const lattice *l, array list[ARRAY_COUNT]) {
    const array all[ARRAY_COUNT] = {
        {"cell", H5T_NATIVE_INT32, 3, false, l->cell},
        {"solid", H5T_NATIVE_UINT16, 1, false, l->solid},
        {"distance_mm", H5T_NATIVE_FLOAT, 1, false, l->distance_mm},
        {"region", H5T_NATIVE_UINT8, 1, false, l->region},
        {"link_cell", H5T_NATIVE_INT32, 1, true, l->link_cell},
        {"link_dir", H5T_NATIVE_UINT8, 1, true, l->link_dir},
        {"link_q", H5T_NATIVE_FLOAT, 1, true, l->link_q},
        {"link_opening", H5T_NATIVE_UINT8, 1, true, l->link_opening},
    };
    memcpy(list, all, sizeof all);
}

static int write_box(hid_t group, const lattice *l) {
    const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int version = VERSION, subcells = LATTICE_SUBCELLS;
    const int periodic[3] = {l->periodic[0], l->periodic[1], l->periodic[2]};
    int rc;
    TRY(hdf5_write_attribute(group, "version", H5T_NATIVE_INT, 0, &version));
    TRY(hdf5_write_attribute(group, "subcells", H5T_NATIVE_INT, 0, &subcells));
    TRY(hdf5_write_attribute(group, "spacing_mm", H5T_NATIVE_DOUBLE, 0, &l->spacing_mm));
    TRY(hdf5_write_attribute(group, "origin_mm", H5T_NATIVE_DOUBLE, 3, l->origin_mm));
    TRY(hdf5_write_attribute(group, "direction", H5T_NATIVE_DOUBLE, 9, direction));
    TRY(hdf5_write_attribute(group, "dims", H5T_NATIVE_INT, 3, l->dims));
    TRY(hdf5_write_attribute(group, "periodic", H5T_NATIVE_INT, 3, periodic));
    TRY(hdf5_write_attribute(group, "directions", H5T_NATIVE_INT, 0, &l->directions));
    TRY(hdf5_write_text(group, "frame", "LPS"));
    TRY(hdf5_write_text(group, "unit", "mm"));
cleanup:
    return rc;
}

/* Writes the cells with a link through opening k, ascending. */
static int write_opening_cells(hid_t group, const lattice *l, int k) {
    int32_t *cell = malloc(((size_t)l->opening[k].n_link + 1) * sizeof *cell);
    hsize_t n = 0;
    if (!cell)
        return fail_memory("the cells of an opening", 4.0 * (double)l->opening[k].n_link);
    for (int64_t i = 0; i < l->n_link; i++)
        if (l->link_opening[i] == k + 1 && (n == 0 || cell[n - 1] != l->link_cell[i]))
            cell[n++] = l->link_cell[i];
    int rc = hdf5_write_array(group, "cells", H5T_NATIVE_INT32, 1, &n, cell);
    free(cell);
    return rc;
}

static int write_opening(hid_t group, const lattice *l, int k) {
    const lattice_opening *o = &l->opening[k];
    hsize_t n = (hsize_t)o->n_link;
    double plane[4] = {o->normal[0], o->normal[1], o->normal[2], 0};
    int rc = OK;
    for (int a = 0; a < 3; a++)
        plane[3] += o->normal[a] * o->centre_mm[a];
    TRY(hdf5_write_text(group, "role", lattice_role_name[o->role]));
    TRY(hdf5_write_attribute(group, "plane", H5T_NATIVE_DOUBLE, 4, plane));
    TRY(hdf5_write_attribute(group, "centre", H5T_NATIVE_DOUBLE, 3, o->centre_mm));
    TRY(hdf5_write_attribute(group, "index", H5T_NATIVE_INT, 0, &k));
    TRY(hdf5_write_attribute(group, "centre_mm", H5T_NATIVE_DOUBLE, 3, o->centre_mm));
    TRY(hdf5_write_attribute(group, "normal", H5T_NATIVE_DOUBLE, 3, o->normal));
    if (vec_dot(o->along, o->along) > 0)
        TRY(hdf5_write_attribute(group, "along", H5T_NATIVE_DOUBLE, 3, o->along));
    if (o->territory_ml > 0)
        TRY(hdf5_write_attribute(group, "territory_ml", H5T_NATIVE_DOUBLE, 0, &o->territory_ml));
    TRY(hdf5_write_attribute(group, "area_mm2", H5T_NATIVE_DOUBLE, 0, &o->area_mm2));
    TRY(hdf5_write_attribute(group, "perimeter_mm", H5T_NATIVE_DOUBLE, 0, &o->perimeter_mm));
    TRY(hdf5_write_attribute(group, "radius_mm", H5T_NATIVE_DOUBLE, 0, &o->radius_mm));
    TRY(write_opening_cells(group, l, k));
    if (o->profile_developed)
        TRY(hdf5_write_array(group, "profile_developed", H5T_NATIVE_FLOAT, 1, &n, o->profile_developed));
    if (o->profile_parabolic)
        TRY(hdf5_write_array(group, "profile_parabolic", H5T_NATIVE_FLOAT, 1, &n, o->profile_parabolic));
cleanup:
    return rc;
}

static int write_openings(hid_t parent, const lattice *l) {
    hid_t all = H5Gcreate2(parent, "opening", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int rc = all < 0 ? hdf5_fail(ERR_OUTPUT, "cannot write the openings into the lattice file: %s", hdf5_reason()) : OK;
    for (int k = 0; k < l->n_opening && rc == OK; k++) {
        hid_t group = H5Gcreate2(all, l->opening[k].name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        rc = group < 0 ? hdf5_fail(ERR_OUTPUT, "cannot write the opening '%s' into the lattice file: %s",
                                   l->opening[k].name, hdf5_reason())
                       : write_opening(group, l, k);
        if (group >= 0)
            H5Gclose(group);
    }
    if (all >= 0)
        H5Gclose(all);
    return rc;
}

static int write_lattice(hid_t group, const char *path, void *data) {
    const lattice *l = data;
    array list[ARRAY_COUNT];
    (void)path;
    list_arrays(l, list);
    int rc = write_box(group, l);
    for (int k = 0; k < ARRAY_COUNT && rc == OK; k++) {
        hsize_t size[2] = {(hsize_t)(list[k].per_link ? l->n_link : l->n_cell), (hsize_t)list[k].width};
        rc = hdf5_write_array(group, list[k].name, list[k].type, list[k].width > 1 ? 2 : 1, size, list[k].data);
    }
    const hsize_t links[1] = {(hsize_t)l->n_link};
    if (rc == OK && l->link_wall)
        rc = hdf5_write_array(group, "link_wall", H5T_NATIVE_UINT8, 1, links, l->link_wall);
    return rc == OK ? write_openings(group, l) : rc;
}

int lattice_file_write(const char *path, const lattice *l) {
    const int rc = lattice_check(l);
    /* the cast drops `const`; write_lattice does not change *l */
    return rc == OK ? hdf5_write_file(path, "lattice", write_lattice, (void *)l) : rc;
}

static int read_box(hid_t group, const char *path, lattice *l) {
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double direction[9];
    int version, subcells, periodic[3], rc;
    TRY(hdf5_read_attribute(group, "version", H5T_NATIVE_INT, 0, &version));
    if (version != VERSION)
        return hdf5_fail(ERR_INPUT,
                         "'%s' is a lattice file of version %d, this program reads version %d; run mesh again", path,
                         version, VERSION);
    TRY(hdf5_read_attribute(group, "subcells", H5T_NATIVE_INT, 0, &subcells));
    TRY(hdf5_read_attribute(group, "spacing_mm", H5T_NATIVE_DOUBLE, 0, &l->spacing_mm));
    TRY(hdf5_read_attribute(group, "origin_mm", H5T_NATIVE_DOUBLE, 3, l->origin_mm));
    TRY(hdf5_read_attribute(group, "direction", H5T_NATIVE_DOUBLE, 9, direction));
    TRY(hdf5_read_attribute(group, "dims", H5T_NATIVE_INT, 3, l->dims));
    TRY(hdf5_read_attribute(group, "periodic", H5T_NATIVE_INT, 3, periodic));
    l->directions = LATTICE_D3Q19;
    if (H5Aexists(group, "directions") > 0)
        TRY(hdf5_read_attribute(group, "directions", H5T_NATIVE_INT, 0, &l->directions));
    if (l->directions != LATTICE_D3Q19 && l->directions != LATTICE_D3Q27)
        return hdf5_fail(ERR_INPUT, "'%s' has %d lattice directions; 19 and 27 are allowed; run mesh again", path,
                         l->directions);
    bool turned = false;
    for (int k = 0; k < 9; k++)
        turned = turned || direction[k] != identity[k];
    if (subcells != LATTICE_SUBCELLS || turned)
        return hdf5_fail(
            ERR_INPUT,
            "'%s' has %d subcells or rotated axes, this program reads %d subcells along the LPS axes; run mesh again",
            path, subcells, LATTICE_SUBCELLS);
    for (int a = 0; a < 3; a++)
        l->periodic[a] = periodic[a] != 0;
cleanup:
    return rc;
}

/* Reads a profile of an opening. If the lattice has no links and `first` is true, the length of this profile sets
 * n_link. */
static int read_profile(hid_t group, const char *name, bool first, lattice_opening *o, float **profile) {
    hsize_t n = 0;
    if (o->role == LATTICE_MOVING_WALL && H5Lexists(group, name, H5P_DEFAULT) <= 0)
        return OK;
    int rc = hdf5_array_size(group, name, 1, &n);
    if (rc != OK)
        return rc;
    o->n_link = first ? (int64_t)n : o->n_link;
    if (n != (hsize_t)o->n_link)
        return hdf5_fail(ERR_INPUT, "the %s of opening '%s' has %llu values, but %lld links; run mesh again", name,
                         o->name, (unsigned long long)n, (long long)o->n_link);
    *profile = calloc((size_t)n + 1, sizeof **profile);
    if (!*profile)
        return fail_memory("the profile of an opening", 4.0 * (double)n);
    return hdf5_read_array(group, name, H5T_NATIVE_FLOAT, 1, &n, *profile);
}

/* Fills the opening that this group describes; its attribute "index" is its position. */
static int read_opening(hid_t group, const char *name, lattice *l) {
    char role[32];
    int index, rc;
    lattice_opening *o = NULL;
    TRY(hdf5_read_attribute(group, "index", H5T_NATIVE_INT, 0, &index));
    TRY(hdf5_read_text(group, "role", role, sizeof role));
    if (index < 0 || index >= l->n_opening || l->opening[index].name[0] != '\0')
        return hdf5_fail(
            ERR_INPUT,
            "the opening '%s' has the index %d, which is used twice or outside the %d openings; run mesh again", name,
            index, l->n_opening);
    o = &l->opening[index];
    memcpy(o->name, name, strnlen(name, sizeof o->name - 1));
    o->role = -1;
    for (int k = 0; k < 3; k++)
        if (strcmp(role, lattice_role_name[k]) == 0)
            o->role = k;
    TRY(hdf5_read_attribute(group, "centre_mm", H5T_NATIVE_DOUBLE, 3, o->centre_mm));
    TRY(hdf5_read_attribute(group, "normal", H5T_NATIVE_DOUBLE, 3, o->normal));
    if (H5Aexists(group, "along") > 0)
        TRY(hdf5_read_attribute(group, "along", H5T_NATIVE_DOUBLE, 3, o->along));
    if (H5Aexists(group, "territory_ml") > 0)
        TRY(hdf5_read_attribute(group, "territory_ml", H5T_NATIVE_DOUBLE, 0, &o->territory_ml));
    TRY(hdf5_read_attribute(group, "area_mm2", H5T_NATIVE_DOUBLE, 0, &o->area_mm2));
    TRY(hdf5_read_attribute(group, "perimeter_mm", H5T_NATIVE_DOUBLE, 0, &o->perimeter_mm));
    TRY(hdf5_read_attribute(group, "radius_mm", H5T_NATIVE_DOUBLE, 0, &o->radius_mm));
    for (int64_t i = 0; i < l->n_link; i++)
        o->n_link += l->link_opening[i] == index + 1;
    TRY(read_profile(group, "profile_developed", l->n_link == 0, o, &o->profile_developed));
    TRY(read_profile(group, "profile_parabolic", false, o, &o->profile_parabolic));
cleanup:
    return rc;
}

static int read_openings(hid_t all, lattice *l) {
    for (hsize_t k = 0; k < (hsize_t)l->n_opening; k++) {
        char name[LATTICE_NAME_MAX];
        ssize_t n = H5Lget_name_by_idx(all, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name, H5P_DEFAULT);
        if (n < 1 || n >= (ssize_t)sizeof name)
            return hdf5_fail(ERR_INPUT,
                             "opening %llu of the lattice file has a name that is empty or longer than %d characters; "
                             "run mesh again",
                             (unsigned long long)k + 1, LATTICE_NAME_MAX - 1);
        hid_t group = H5Gopen2(all, name, H5P_DEFAULT);
        int rc = group < 0 ? hdf5_fail(ERR_INPUT, "the opening '%s' is damaged; run mesh again", name)
                           : read_opening(group, name, l);
        if (group >= 0)
            H5Gclose(group);
        if (rc != OK)
            return rc;
    }
    return OK;
}

static int read_arrays(hid_t group, lattice *l) {
    array list[ARRAY_COUNT];
    list_arrays(l, list);
    int rc = OK;
    for (int k = 0; k < ARRAY_COUNT && rc == OK; k++) {
        hsize_t size[2] = {(hsize_t)(list[k].per_link ? l->n_link : l->n_cell), (hsize_t)list[k].width};
        rc = hdf5_read_array(group, list[k].name, list[k].type, list[k].width > 1 ? 2 : 1, size, list[k].data);
    }
    if (rc == OK && H5Lexists(group, "link_wall", H5P_DEFAULT) > 0) {
        const hsize_t links[1] = {(hsize_t)l->n_link};
        l->link_wall = calloc((size_t)l->n_link + 1, sizeof *l->link_wall);
        rc = l->link_wall ? hdf5_read_array(group, "link_wall", H5T_NATIVE_UINT8, 1, links, l->link_wall)
                          : fail_memory("the walls", (double)l->n_link);
    }
    return rc;
}

int lattice_file_frame(hid_t group, const char *path, lattice *l, int64_t *n_cell, int64_t *n_link) {
    H5G_info_t info;
    hsize_t cells[2], links;
    int rc;
    const hid_t openings = H5Gopen2(group, "opening", H5P_DEFAULT);
    if (openings < 0)
        return hdf5_fail(ERR_INPUT, "'%s' is not a lattice file: it has no group 'lattice/opening'; run mesh again",
                         path);
    TRY(read_box(group, path, l));
    TRY(hdf5_array_size(group, "cell", 2, cells));
    TRY(hdf5_array_size(group, "link_cell", 1, &links));
    if (H5Gget_info(openings, &info) < 0 || info.nlinks > 254 || cells[0] > INT32_MAX || links > 26 * cells[0])
        GIVE_UP(hdf5_fail(ERR_INPUT, "'%s' names more openings, cells or links than a lattice can have; run mesh again",
                          path));
    l->n_opening = (int)info.nlinks;
    *n_cell = (int64_t)cells[0];
    *n_link = (int64_t)links;
cleanup:
    H5Gclose(openings);
    return rc;
}

int lattice_file_openings(hid_t group, lattice *l) {
    const hid_t openings = H5Gopen2(group, "opening", H5P_DEFAULT);
    const int rc = openings >= 0 ? read_openings(openings, l)
                                 : hdf5_fail(ERR_INPUT, "the lattice file has no group 'opening'; run mesh again");
    if (openings >= 0)
        H5Gclose(openings);
    return rc;
}

/* Runs lattice_check and adds the path of the file to its error message. */
static int check_read(const lattice *l, const char *path) {
    char why[400];
    const int rc = lattice_check(l);
    if (rc != ERR_INPUT)
        return rc;
    snprintf(why, sizeof why, "%s", status_message());
    status_clear();
    return fail(ERR_INPUT, "'%s' is damaged: %s", path, why);
}

static int read_lattice(hid_t group, const char *path, void *data) {
    lattice *l = data, box = {0};
    int64_t n_cell, n_link;
    int rc;
    TRY(lattice_file_frame(group, path, &box, &n_cell, &n_link));
    TRY(lattice_create(l, n_cell, n_link, box.n_opening));
    lattice_copy_box(l, &box);
    TRY(read_arrays(group, l));
    TRY(lattice_file_openings(group, l));
    TRY(check_read(l, path));
cleanup:
    return rc;
}

int lattice_file_read(const char *path, lattice *l) {
    memset(l, 0, sizeof *l);
    const int rc = hdf5_read_file(path, "lattice file", "lattice", read_lattice, l);
    if (rc != OK)
        lattice_free(l);
    return rc;
}
