/* SPDX-License-Identifier: Apache-2.0 */
/* The domain as the GPU reads it: 32 consecutive cells (one warp) form a group, and a group is described in few bytes.
 *
 * Neighbours. The 18 or 26 neighbours of a cell are in 9 x-rows: its own and 8 others. Neighbours in one row are
 * consecutive cells. The neighbour of cell c in direction b is therefore cell c + row[r] + e_b.x, where r is the row of
 * direction b. A segment is a sequence of cells with the same 8 numbers row[]. Every group holds the segment of its
 * first lane. Where another segment starts inside the group, a bit of `breaks` is set, and `more` holds this segment.
 * Rows that no cell of a segment needs hold arbitrary values.
 *
 * Walls. A cell with a cut link has a bit in `walls` and an entry in cut[]; bit b of the entry is set if link b is cut.
 * Cells whose neighbours are not consecutive (periodic x, gaps of one cell) are explicit: bit 0 of their entry is set,
 * and explicit_neighbour lists their neighbours.
 *
 * Quadratic walls (D3Q27). An entry of behind[] names the cell whose population the link needs.
 *
 * Cells beyond n_cell fill the last groups. They are cut on all sides and have no links. Cells are in the order of
 * cuda_order.h. Host code only; the device has copies of these arrays. */
#ifndef PORTAFLOW_CUDA_PACK_H
#define PORTAFLOW_CUDA_PACK_H
#include "common/base/must_check.h"
#include "solve/core/heat_links.h"

enum { PACK_LANES = 32, PACK_ROWS = 8, PACK_GROUPS = 4 }; /* the number of groups is a multiple of PACK_GROUPS */

/* Rows in the order +y -y +z -z +y+z -y-z +y-z -y+z. */
typedef struct {
    int32_t row[PACK_ROWS];
} pack_segment;

/* A group of 32 cells, 64 bytes. counts: cut links | partially solid links << 10 | PACK_* flags */
typedef struct {
    pack_segment rows;
    uint32_t breaks, walls; /* bit l: lane l */
    uint32_t more, wall;    /* indices of the group's first entries in more[] and cut[] */
    uint32_t link, counts, partial;
    /* index in rare[] if the group has links through openings or to moving walls, otherwise index of its first explicit
     * cell in explicit_neighbour[] */
    uint32_t rare;
} pack_group;
enum { PACK_THROUGH = 1 << 20, PACK_MOVING = 1 << 21, PACK_EXPLICIT = 1 << 22 };

/* For a group with both openings and explicit cells. opened: index of the group in opened[]; named: index of its first
 * explicit cell in explicit_neighbour. */
typedef struct {
    int32_t opened, named;
} pack_rare;

/* A group with links through openings or to moving walls; 16 bytes. */
typedef struct {
    /* passage: index of its first entry in passage[]; n_passage: number of its entries */
    uint32_t group, passage, n_passage;
    uint32_t number; /* index of this entry in opened[] */
} pack_opened;

/* All links of one group that belong to one opening; each lane handles the links of its own cell. */
typedef struct {
    /* index k of the opening, plus flags: PACK_FLOW, PACK_PRESSURE, or PACK_SITE with or without PACK_SITE_PRESSURE; no
     * flag: moving wall */
    uint32_t opening;
    uint32_t dirs; /* bit a: at least one lane receives direction a through the opening */
    uint32_t row;  /* first row of weight[]; a passage has one row per bit of dirs, ascending; none for PACK_PRESSURE */
    uint32_t links;
    uint32_t in[PACK_LANES]; /* bit a: this lane receives direction a through the opening */
} pack_passage;
enum {
    PACK_OPENING = (1 << 16) - 1,
    PACK_FLOW = 1 << 16,
    PACK_PRESSURE = 1 << 17,
    PACK_SITE = 1 << 18, /* domain_opening.on_site */
    PACK_SITE_PRESSURE = 1 << 19
};

/* Word of a cut link: q in units of 2^-21, minus one (21 bits); lane (5 bits); direction out of the fluid (5 bits); 1
 * for a moving wall (1 bit). Half-way links through openings and to moving walls have no word. */
enum { PACK_LINK_Q = 1 << 21, PACK_LINK_LANE = 21, PACK_LINK_DIR = 26, PACK_LINK_SPECIAL = 31 };
/* Entry of pack.behind for a link without a quadratic rule: a wall with q = 1/2, a wall with a missing cell behind, or
 * a moving wall. */
#define PACK_NO_CELL 0xffffffffu
/* Word of a partially solid link: number of fluid subcells minus one, of the cell (9 bits) and of the neighbour (9
 * bits); lane; incoming direction. */
enum { PACK_PARTIAL_NEIGHBOUR = 9, PACK_PARTIAL_LANE = 18, PACK_PARTIAL_DIR = 23 };

/* A link to a wall of prescribed temperature (pack_heat). link: word of the link; side: index in heat_settings.side. */
typedef struct {
    uint32_t link, side;
} pack_warm;

typedef struct {
    int directions; /* 19 or 27 */
    int64_t n_cell, n_group;
    int64_t reach;     /* largest distance between a cell and a cell that it reads, in groups, rounded up */
    pack_group *group; /* [n_group] */
    int64_t n_more;
    pack_segment *more;
    int64_t n_wall;
    uint32_t *cut;
    int64_t n_link;
    uint32_t *link;
    /* [n_link] on D3Q27, otherwise NULL: cell two cells from the wall for q < 1/2 (domain_behind.third), the next cell
     * for q > 1/2, or PACK_NO_CELL */
    uint32_t *behind;
    int64_t n_rare;
    pack_rare *rare;
    int64_t n_opened;
    pack_opened *opened; /* [n_opened] sorted by group */
    int64_t n_passage;
    pack_passage *passage;
    int64_t n_row;
    int n_pulse; /* domain.n_pulse */
    /* [n_row][1 + n_pulse][32] domain_link.weight and the weights of the pulse profiles, 0 if the lane has no such
     * link */
    float *weight;
    int64_t n_explicit;
    /* [n_explicit][directions - 1] neighbours in direction 1 .. directions - 1; the cell itself where the link is
     * cut */
    int32_t *explicit_neighbour;
    int64_t n_partial;
    uint32_t *partial; /* [n_partial] words of the partly solid links, in the domain's order */
    int64_t n_warm;
    pack_warm *warm; /* [n_warm] heat links; groups count them in place of partially solid links */
} pack;

uint32_t pack_link_word(const domain_link *l);

/* Packs a domain in GPU order. Errors: ERR_RESOURCE. */
MUST_CHECK int pack_create(const domain *d, pack *p);
/* Adds the heat links of a domain with heat to the pack. They use the arrays of the partially solid links, because a
 * domain with heat has no such links. Errors: ERR_RESOURCE. */
MUST_CHECK int pack_heat(const domain *d, const heat_settings *h, pack *p);
int64_t pack_count_warm(const domain *d, const heat_settings *h);
void pack_free(pack *p); /* safe on a zeroed struct */

/* pack_groups: number of groups for n_cell cells. pack_bytes: upper bound of the bytes of a pack on the device.
 * pack_count_openings: lengths of the arrays of openings in a pack. */
int64_t pack_groups(int64_t n_cell);
/* Distances in groups. pack_reach: largest distance between a cell and a cell that it reads. pack_plane: the same
 * distance, but links across periodic boundaries do not count (links longer than a quarter of all cells). */
int64_t pack_reach(const domain *d);
int64_t pack_plane(const domain *d);
double pack_bytes(const domain *d);
void pack_count_openings(const domain *d, int64_t *n_opened, int64_t *n_passage, int64_t *n_row);

/* Neighbour of a cell in direction b, computed as the kernels on the GPU do; -1: cut link. For tests. */
int64_t pack_neighbour(const pack *p, int64_t cell, int b);
#endif
