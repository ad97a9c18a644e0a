/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/cells/main_piece.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "mesh/cells/fluid_pieces.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of openings that a piece touches from inside. t: index of the piece's first entry in the sorted list of
 * touches. *missing: first opening that the piece does not touch from inside, or -1. */
static int count_openings(const fluid_pieces *p, size_t t, int *missing) {
    const int32_t root = p->touches[t].cell;
    int count = 0, expected = 0;
    *missing = -1;
    for (; t < p->n_touch && p->touches[t].cell == root && p->touches[t].inner; t++) {
        if (count > 0 && p->touches[t - 1].opening == p->touches[t].opening)
            continue;
        if (p->touches[t].opening != expected && *missing < 0)
            *missing = expected;
        expected = p->touches[t].opening + 1;
        count++;
    }
    if (*missing < 0 && expected < p->in->n_opening)
        *missing = expected;
    return count;
}

/* Returns an opening whose plane closes the vessel in front of the plane of opening `missing`; -1: none. First choice:
 * the nearest opening that touches both the piece `kept` and a piece at `missing`. If no cell lies between the two
 * planes: an opening whose plane covers the centre of `missing`, is less than two diameters in front of it, and has a
 * normal within 45 degrees of the normal of `missing`. */
static int closed_before(const fluid_pieces *p, int32_t kept, int missing) {
    const double *at = p->sections[missing].centre_mm;
    bool reached[256] = {false};
    double least_mm = INFINITY;
    int nearest = -1;
    for (size_t t = 0; t < p->n_touch; t++)
        reached[p->touches[t].opening] |= p->touches[t].cell == kept;
    for (size_t t = 0, first = 0; t < p->n_touch; t++) { /* all touches of a piece follow one another in the list */
        first = p->touches[t].cell == p->touches[first].cell ? first : t;
        for (size_t i = first; p->touches[t].opening == missing && p->touches[t].cell != kept && i < p->n_touch &&
                               p->touches[i].cell == p->touches[t].cell;
             i++) {
            const int k = p->touches[i].opening;
            const double apart_mm = vec_distance(p->sections[k].centre_mm, at);
            if (k != missing && reached[k] && apart_mm < least_mm) {
                least_mm = apart_mm;
                nearest = k;
            }
        }
    }
    for (int k = 0; k < p->in->n_opening && nearest < 0; k++) {
        const section *s = &p->sections[k];
        double before_mm;
        if (k != missing && section_covers(s, at, &before_mm) && before_mm > 0 &&
            before_mm < 4 * sqrt(s->area_mm2 / M_PI) && vec_dot(s->normal, p->sections[missing].normal) > cos(M_PI / 4))
            nearest = k;
    }
    return nearest;
}

static int fail_unreached(const fluid_pieces *p, int32_t kept, int reached, int missing) {
    const mesh_opening *o = &p->in->opening[missing];
    const int closing = reached == 0 ? -1 : closed_before(p, kept, missing);
    if (closing >= 0)
        return fail(
            ERR_INPUT,
            "opening '%s' is %.2g mm beyond opening '%s', which already closes the vessel: remove or move one of them",
            o->name, vec_distance(p->sections[missing].centre_mm, p->sections[closing].centre_mm),
            p->in->opening[closing].name);
    if (reached == 0)
        return fail(ERR_INPUT,
                    "no fluid cell touches opening '%s' from inside; check that its normal points out of the vessel, "
                    "or write normal: auto",
                    o->name);
    return fail(ERR_INPUT,
                "the lumen inside opening '%s' is not connected with the other openings. Causes: an interruption, a "
                "lumen narrower than one cell (%.3g mm), another vessel (needs its own case), or a normal that points "
                "into the vessel; check the segmentation there",
                o->name, p->in->spacing_mm);
}

/* Find the root of the piece to keep. Errors: as main_piece_choose. */
static int choose_root(const fluid_pieces *p, int32_t *root) {
    const int32_t *size = p->size;
    int best = -1, best_missing = 0;
    *root = -1;
    if (p->in->n_opening == 0) {
        for (int64_t i = 0; i < p->c->n; i++)
            if (size[i] > 0 && (*root < 0 || size[i] > size[*root]))
                *root = (int32_t)i;
        return *root >= 0 ? OK
                          : fail(ERR_INPUT, "no cell of the box is in the vessel; check mesh.box and mesh.spacing");
    }
    for (size_t t = 0; t < p->n_touch; t++) {
        int missing;
        if (t > 0 && p->touches[t].cell == p->touches[t - 1].cell)
            continue;
        const int count = count_openings(p, t, &missing);
        const int32_t piece = p->touches[t].cell;
        if (count > best || (count == best && size[piece] > size[*root])) {
            best = count;
            best_missing = missing;
            *root = piece;
        }
    }
    return best == p->in->n_opening ? OK : fail_unreached(p, *root, best < 0 ? 0 : best, best_missing);
}

static void report_pieces(const fluid_pieces *p, int32_t kept, voxelize_report *report) {
    const int32_t *size = p->size;
    report->n_component = 0;
    report->n_dropped = report->n_beyond = 0;
    for (int64_t i = 0; i < p->c->n; i++) {
        report->n_component += size[i] > 0;
        report->n_dropped += i == kept ? 0 : size[i];
    }
    int32_t before = -1;
    for (size_t t = 0; t < p->n_touch; t++) {
        const touch *now = &p->touches[t];
        if (now->inner || now->cell == kept || now->cell == before)
            continue;
        before = now->cell;
        report->n_beyond += size[before];
    }
}

static uint8_t read_mark(const uint8_t *keep, int64_t cell) {
    uint8_t mark;
#pragma omp atomic read
    mark = keep[cell];
    return mark;
}

/* True if a partly solid cell has a link to a neighbour that no opening cuts, and keep[] of this neighbour is 1 ..
 * `most`. */
static bool has_kept_neighbour(const fluid_pieces *p, const uint8_t *keep, int most, const int32_t at[3]) {
    double centre[3], to_mm[3], q;
    fluid_cells_centre(p->in, at[0], at[1], at[2], centre);
    const bool near = section_any_near(p->in, p->sections, centre);
    for (int dir = 1; dir < 19; dir++) {
        const int8_t *e = lattice_e[dir];
        const int64_t other = cell_map_find(&p->c->map, at[0] + e[0], at[1] + e[1], at[2] + e[2]);
        const int mark = other < 0 ? 0 : read_mark(keep, other);
        if (mark == 0 || mark > most)
            continue;
        for (int a = 0; a < 3; a++)
            to_mm[a] = centre[a] + p->in->spacing_mm * e[a];
        if (!near || (section_first_cut(p->in, p->sections, centre, to_mm, &q) < 0 &&
                      section_first_cut(p->in, p->sections, to_mm, centre, &q) < 0))
            return true;
    }
    return false;
}

/* Keep the partly solid cells of a plane that have a kept neighbour. */
static void keep_plane(const fluid_pieces *p, uint8_t *keep, int mark, int z, int32_t *x) {
    for (int y = 0; y < p->in->dims[1]; y++) {
        int64_t first;
        const int n = cell_map_row(&p->c->map, y, z, x, &first);
        for (int k = 0; k < n; k++)
            if (p->parent[first + k] < 0 && read_mark(keep, first + k) == 0 &&
                has_kept_neighbour(p, keep, mark - 1, (const int32_t[3]){x[k], y, z})) {
#pragma omp atomic write
                keep[first + k] = (uint8_t)mark;
            }
    }
}

/* Keeps partly solid cells near the fluid in two passes. Pass 1: partly solid neighbours of cells with a fluid centre
 * get mark 2. Pass 2: partly solid neighbours of cells with mark 2 get mark 3, because a cell with fluid only in a
 * corner may be two steps from a fluid centre. Marks of the same pass are ignored, so that the order of the threads has
 * no effect. */
static int keep_partial(const fluid_pieces *p, uint8_t *keep) {
    int bad = OK;
#pragma omp parallel
    {
        int32_t *x = malloc((size_t)p->in->dims[0] * sizeof *x);
        if (!x) {
            const int mine = fail_memory("a row of cells", 4.0 * p->in->dims[0]);
#pragma omp critical(mesh_component_status)
            bad = mine;
        }
        for (int mark = 2; mark <= 3; mark++)
#pragma omp for schedule(dynamic, 8)
            for (int z = 0; z < p->in->dims[2]; z++)
                if (x)
                    keep_plane(p, keep, mark, z, x);
        free(x);
    }
    return bad;
}

/* Set side[k] to the sides of opening k that a piece touches: bit 0 inner, bit 1 outer. t: first entry of the piece in
 * the sorted touches. Returns the number of openings that the piece touches. */
static int piece_sides(const fluid_pieces *p, size_t t, uint8_t *side) {
    const int32_t root = p->touches[t].cell;
    int count = 0;
    memset(side, 0, (size_t)p->in->n_opening);
    for (; t < p->n_touch && p->touches[t].cell == root; t++) {
        count += side[p->touches[t].opening] == 0;
        side[p->touches[t].opening] |= p->touches[t].inner ? 1 : 2;
    }
    return count;
}

/* Turn the normals as main_piece_orient does, from the pieces in `p`; sets *turned if a normal was turned. */
static int turn_normals(const fluid_pieces *p, section *sections, bool *turned) {
    int rc = OK, best = 0;
    size_t best_touch = 0;
    uint8_t side[256];
    for (size_t t = 0; t < p->n_touch; t++) {
        if (t > 0 && p->touches[t].cell == p->touches[t - 1].cell)
            continue;
        const int count = piece_sides(p, t, side);
        if (count > best || (count == best && p->size[p->touches[t].cell] > p->size[p->touches[best_touch].cell])) {
            best = count;
            best_touch = t;
        }
    }
    if (best == 0)
        return fail(ERR_INPUT,
                    "no cell of the lattice has fluid at opening '%s': a spacing of %.3g mm does not resolve the "
                    "vessel; use a smaller spacing",
                    p->in->opening[0].name, p->in->spacing_mm);
    piece_sides(p, best_touch, side);
    for (int k = 0; k < p->in->n_opening; k++) {
        if (side[k] == 0)
            rc = fail_unreached(p, p->touches[best_touch].cell, best, k);
        else if (side[k] == 3)
            rc = fail(
                ERR_INPUT,
                "the plane of opening '%s' does not cut the vessel in two: the lumen in front of the plane and behind "
                "it is also connected elsewhere; move the opening to an end of the vessel; if a second vessel is less "
                "than a cell away, so that the two are one lumen, separate them in the mask or surface",
                p->in->opening[k].name);
        for (int a = 0; a < 3 && side[k] == 2; a++)
            sections[k].normal[a] = -sections[k].normal[a];
        *turned = *turned || side[k] == 2;
    }
    return rc;
}

int main_piece_orient(const fluid_cells *c, const voxelize_input *in, section *sections) {
    int rc;
    bool turned = false;
    fluid_pieces p;
    TRY(fluid_pieces_create(&p, c, in, sections));
    rc = turn_normals(&p, sections, &turned);
cleanup:
    fluid_pieces_free(&p);
    return rc;
}

int main_piece_choose(const fluid_cells *c, const voxelize_input *in, section *sections, uint8_t *keep,
                      voxelize_report *report) {
    int rc;
    int32_t root;
    bool turned = false;
    fluid_pieces p;
    TRY(fluid_pieces_create(&p, c, in, sections));
    if (in->turn_openings && in->n_opening > 0)
        TRY(turn_normals(&p, sections, &turned));
    if (turned) { /* planes with new normals cut other links, so the pieces must be found again */
        fluid_pieces_free(&p);
        TRY(fluid_pieces_create(&p, c, in, sections));
    }
    TRY(choose_root(&p, &root));
    report_pieces(&p, root, report);
    for (int64_t i = 0; i < c->n; i++)
        keep[i] = p.parent[i] == root;
    rc = keep_partial(&p, keep);
cleanup:
    fluid_pieces_free(&p);
    return rc;
}
