/* SPDX-License-Identifier: Apache-2.0 */
#include "common/lattice/lattice_stretch.h"
#include "common/base/status.h"
#include "common/lattice/lattice_file_parts.h"
#include "common/record/hdf5_rows.h"
#include "common/record/hdf5_util.h"
#include <stdlib.h>
#include <string.h>

enum { CELL, SOLID, DISTANCE, REGION, LINK_CELL, LINK_DIR, LINK_Q, LINK_OPENING, LINK_WALL, ARRAYS, PIECE = 1 << 17 };
static const char *const name[ARRAYS] = {"cell",     "solid",  "distance_mm",  "region",   "link_cell",
                                         "link_dir", "link_q", "link_opening", "link_wall"};

typedef struct {
    /* `most`: upper limit of the cells per piece; link_at: first link that `work` has not received */
    int64_t most, n_cell, n_link, link_at;
    lattice_stretch_work *work;
    void *data;
    lattice *frame;     /* box and openings of the file; profiles exist only while the file is read */
    lattice now;        /* the piece that is passed to `work` */
    int64_t room;       /* number of links for which memory is allocated */
    int64_t count[256]; /* numbers of links in all earlier pieces: [0] to walls, [k + 1] through opening k */
    int64_t before;     /* box index of the cell that was read last */
    hid_t set[ARRAYS];
} stretch_reader;

static int read_rows(stretch_reader *r, int what, hid_t type, int64_t first, int64_t n, void *to) {
    const hsize_t from[2] = {(hsize_t)first, 0}, count[2] = {(hsize_t)n, 3};
    return n > 0 ? hdf5_rows_read(r->set[what], type, what == CELL ? 2 : 1, from, count, to) : OK;
}

/* Frees the current piece, except its profiles, which point into the frame. */
static void free_piece(stretch_reader *r) {
    for (int k = 0; k < r->now.n_opening; k++)
        r->now.opening[k].profile_developed = r->now.opening[k].profile_parabolic = NULL;
    lattice_free(&r->now);
}

/* Makes room for n links and keeps the contents of link_cell. */
static int reserve_links(stretch_reader *r, int64_t n) {
    lattice *l = &r->now;
    if (n <= r->room)
        return OK;
    n += n / 2;
    void *cell = realloc(l->link_cell, (size_t)n * sizeof *l->link_cell);
    l->link_cell = cell ? cell : l->link_cell;
    void *dir = realloc(l->link_dir, (size_t)n * sizeof *l->link_dir);
    l->link_dir = dir ? dir : l->link_dir;
    void *q = realloc(l->link_q, (size_t)n * sizeof *l->link_q);
    l->link_q = q ? q : l->link_q;
    void *opening = realloc(l->link_opening, (size_t)n * sizeof *l->link_opening);
    l->link_opening = opening ? opening : l->link_opening;
    void *wall = r->set[LINK_WALL] >= 0 ? realloc(l->link_wall, (size_t)n * sizeof *l->link_wall) : cell;
    if (r->set[LINK_WALL] >= 0)
        l->link_wall = wall ? wall : l->link_wall;
    if (!cell || !dir || !q || !opening || !wall)
        return fail_memory("the links of the lattice", 11.0 * (double)n);
    r->room = n;
    return OK;
}

/* Finds the links of the cells `first .. end - 1`. These links begin at link_at. */
static int find_links(stretch_reader *r, int64_t first, int64_t end) {
    lattice *l = &r->now;
    int rc = OK;
    l->n_link = 0;
    for (bool done = false; !done && r->link_at + l->n_link < r->n_link;) {
        const int64_t left = r->n_link - r->link_at - l->n_link, n = left < PIECE ? left : PIECE;
        TRY(reserve_links(r, l->n_link + n));
        TRY(read_rows(r, LINK_CELL, H5T_NATIVE_INT32, r->link_at + l->n_link, n, l->link_cell + l->n_link));
        for (int64_t k = 0; k < n && !done; k++)
            if (l->link_cell[l->n_link] < end)
                l->n_link++;
            else
                done = true;
    }
    for (int64_t k = 0; k < l->n_link; k++)
        l->link_cell[k] -= (int32_t)first;
cleanup:
    return rc;
}

/* Sets the openings of the piece. The profile of an opening points to the values for its links in this piece. count[k +
 * 1]: number of links of opening k in the piece. */
static int set_openings(stretch_reader *r, const int64_t *count) {
    for (int k = 0; k < r->frame->n_opening; k++) {
        const lattice_opening *from = &r->frame->opening[k];
        lattice_opening *o = &r->now.opening[k];
        *o = *from;
        o->n_link = count[k + 1];
        if (from->profile_developed && r->count[k + 1] + o->n_link > from->n_link)
            return fail(ERR_INPUT,
                        "opening '%s' of the lattice has profiles for %lld links, but has more links; run mesh again",
                        from->name, (long long)from->n_link);
        o->profile_developed = from->profile_developed ? from->profile_developed + r->count[k + 1] : NULL;
        o->profile_parabolic = from->profile_parabolic ? from->profile_parabolic + r->count[k + 1] : NULL;
    }
    return OK;
}

static int check_order(stretch_reader *r) {
    const lattice *l = &r->now;
    const int32_t *a = l->cell, *b = l->cell + 3 * (l->n_cell - 1);
    const int64_t begin = ((int64_t)a[2] * l->dims[1] + a[1]) * l->dims[0] + a[0];
    if (begin <= r->before)
        return fail(ERR_INPUT, "the cells of the lattice are out of order or stored twice; run mesh again");
    r->before = ((int64_t)b[2] * l->dims[1] + b[1]) * l->dims[0] + b[0];
    return OK;
}

static int read_stretch(stretch_reader *r, int64_t first, int64_t n) {
    lattice *l = &r->now;
    int64_t count[256] = {0};
    int rc;
    l->n_cell = n;
    TRY(read_rows(r, CELL, H5T_NATIVE_INT32, first, n, l->cell));
    TRY(read_rows(r, SOLID, H5T_NATIVE_UINT16, first, n, l->solid));
    TRY(read_rows(r, DISTANCE, H5T_NATIVE_FLOAT, first, n, l->distance_mm));
    TRY(read_rows(r, REGION, H5T_NATIVE_UINT8, first, n, l->region));
    TRY(find_links(r, first, first + n));
    TRY(read_rows(r, LINK_DIR, H5T_NATIVE_UINT8, r->link_at, l->n_link, l->link_dir));
    TRY(read_rows(r, LINK_Q, H5T_NATIVE_FLOAT, r->link_at, l->n_link, l->link_q));
    TRY(read_rows(r, LINK_OPENING, H5T_NATIVE_UINT8, r->link_at, l->n_link, l->link_opening));
    if (l->link_wall)
        TRY(read_rows(r, LINK_WALL, H5T_NATIVE_UINT8, r->link_at, l->n_link, l->link_wall));
    TRY(lattice_check_stretch(l, count));
    TRY(check_order(r));
    TRY(set_openings(r, count));
    TRY(r->work(r->data, l, first));
    r->link_at += l->n_link;
    for (int k = 0; k < 256; k++)
        r->count[k] += count[k];
cleanup:
    return rc;
}

static int open_sets(stretch_reader *r, hid_t group) {
    const hsize_t cells[2] = {(hsize_t)r->n_cell, 3}, links[1] = {(hsize_t)r->n_link};
    int rc = OK;
    for (int k = 0; k < ARRAYS && rc == OK; k++)
        if (k != LINK_WALL || H5Lexists(group, name[k], H5P_DEFAULT) > 0)
            rc = hdf5_rows_open(group, name[k], k == CELL ? 2 : 1, k < LINK_CELL ? cells : links, &r->set[k]);
    return rc;
}

static int read_all(hid_t group, const char *path, void *data) {
    stretch_reader *r = data;
    lattice *f = r->frame;
    int rc;
    TRY(lattice_file_frame(group, path, f, &r->n_cell, &r->n_link));
    f->opening = calloc((size_t)f->n_opening + 1, sizeof *f->opening);
    if (!f->opening)
        GIVE_UP(fail_memory("the openings", 1e5));
    TRY(lattice_file_openings(group, f));
    if (!r->work)
        goto cleanup;
    TRY(open_sets(r, group));
    r->most = r->most < r->n_cell ? r->most : r->n_cell;
    TRY(lattice_create(&r->now, r->most, 0, f->n_opening));
    lattice_copy_box(&r->now, f);
    for (int64_t first = 0; first < r->n_cell; first += r->most)
        TRY(read_stretch(r, first, r->n_cell - first < r->most ? r->n_cell - first : r->most));
    for (int k = 0; k < f->n_opening; k++)
        if (!f->opening[k].profile_developed)
            f->opening[k].n_link = r->count[k + 1];
    TRY(r->n_cell > 0 && r->link_at == r->n_link
            ? lattice_check_openings(f, r->count)
            : hdf5_fail(ERR_INPUT, "'%s' has no cells, or links without a cell; run mesh again", path));
cleanup:
    for (int k = 0; k < ARRAYS; k++)
        status_ignore(hdf5_rows_close(r->set[k], name[k])); /* an error on closing is ignored, because the file was
                                                             * only read */
    return rc;
}

int lattice_stretches_read(const char *path, int64_t most, lattice *frame, int64_t *n_cell, lattice_stretch_work *work,
                           void *data) {
    stretch_reader r = {.most = most, .work = work, .data = data, .frame = frame, .before = -1};
    for (int k = 0; k < ARRAYS; k++)
        r.set[k] = -1;
    *frame = (lattice){0};
    const int rc = hdf5_read_file(path, "lattice file", "lattice", read_all, &r);
    free_piece(&r);
    for (int k = 0; k < frame->n_opening && frame->opening; k++) {
        free(frame->opening[k].profile_developed);
        free(frame->opening[k].profile_parabolic);
        frame->opening[k].profile_developed = frame->opening[k].profile_parabolic = NULL;
    }
    if (n_cell)
        *n_cell = r.n_cell;
    if (rc != OK)
        lattice_free(frame);
    return rc;
}
