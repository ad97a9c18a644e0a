/* SPDX-License-Identifier: Apache-2.0 */
/* The lattice: cells that contain fluid, their solid fraction, and the links that the wall or an opening cuts.
 *
 * cell     one cube of the lattice, spacing_mm wide; velocity and pressure are at its centre
 * link     the step from a cell to one of its 26 neighbours
 * wall     the vessel's surface
 * opening  a plane where blood enters or leaves
 * cut      a link is cut when the wall or an opening lies between the two cell centres
 *
 *      P     P     P     P   :         O  cell, centre in the fluid: distance_mm < 0
 *   ~~~x~~~~~x~~~~~x~~~~~x~~~:~~       P  cell, centre in the wall, some subcells in the fluid: solid < 512
 *      |     |     |     |   :         ~  wall      :  plane of opening k
 *      O-----O-----O-----O---+->       -  link from cell to cell: not stored, populations stream along it
 *      |     |     |     |   :         x  link cut by the wall:       link_opening 0,     link_q = Ox / OP
 *      O-----O-----O-----O---+->       +  link cut by the opening:    link_opening k + 1, link_q = O+ / OO
 *
 * The 26 links of a cell, by direction (0: the cell itself); x to the right, y up. D3Q19 has directions 1..18:
 *
 *           z + 1              z               z - 1
 *         26  15  19       10  3  7          24  17  21
 *         14   5  11        2  0  1          12   6  13
 *         22  18  23        8  4  9          20  16  25
 *
 * A cell has one memory slot for each population. Where a link is cut, the slot of the opposite direction
 * holds the population that returns over the link (solve/kernels/link.h).
 *
 * Order of the cells: by box index (z * dims[1] + y) * dims[0] + x, ascending.
 * Centre of cell c in LPS mm: origin_mm + spacing_mm * cell[c]. The axes of the box are the LPS axes.
 *
 * Stored cells: all cells with one fluid subcell or more (solid < 512) on the inner side of every opening, in one
 * connected component. Stored links, sorted by (link_cell, link_dir), the direction pointing out of the fluid:
 *   - Wall: from every stored cell with its centre in the fluid (distance_mm < 0), in every direction whose neighbour
 *     centre is not in the fluid. link_opening 0, link_q the wall distance in units of the link, (0, 1].
 *   - Wall thinner than a cell between two fluid centres: from both cells, each with its own link_q.
 *   - Opening: from every stored cell (partly solid cells too), in every direction whose neighbour centre is beyond
 *     the opening plane and inside its disc. link_opening k + 1, link_q the distance of the plane, (0, 1].
 *
 * When wall and opening both cut a link, the opening wins if its plane comes first. A moving wall wins unless the link
 * ends where the moving wall meets a wall at rest. With periodic[a] the box wraps in axis a. */
#ifndef PORTAFLOW_LATTICE_H
#define PORTAFLOW_LATTICE_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { LATTICE_SUBCELLS = 8, LATTICE_SUBCELL_COUNT = 512, LATTICE_NAME_MAX = 64 };

/* Directions in the order used everywhere (files too): 0 rest, then pairs: opposite(a) = a odd ? a + 1 : a - 1.
 *   1,2 +-x  3,4 +-y  5,6 +-z  7,8 +-(x+y)  9,10 +-(x-y)  11,12 +-(x+z)  13,14 +-(x-z)  15,16 +-(y+z)  17,18 +-(y-z)
 *   19,20 +-(x+y+z)  21,22 +-(x+y-z)  23,24 +-(x-y+z)  25,26 +-(x-y-z)      (corners; D3Q19 ends before them) */
enum { LATTICE_D3Q19 = 19, LATTICE_D3Q27 = 27 };
extern const int8_t lattice_e[LATTICE_D3Q27][3];
static inline int lattice_opposite(int a) {
    return a == 0 ? 0 : ((a & 1) ? a + 1 : a - 1);
}

enum lattice_role { LATTICE_INLET, LATTICE_OUTLET, LATTICE_MOVING_WALL };
/* names of the roles in files: "inlet", "outlet", "moving_wall" */
extern const char *const lattice_role_name[LATTICE_MOVING_WALL + 1];

#define LATTICE_PROFILE_MIN (-2.0)

/* One opening. Its links are the entries of link_* with link_opening == index + 1, in file order. */
typedef struct {
    char name[LATTICE_NAME_MAX];
    int role;            /* enum lattice_role */
    double centre_mm[3]; /* LPS, centroid of the cross-section */
    double normal[3];    /* unit vector out of the fluid */
    double area_mm2;     /* area of the cross-section as cut from the surface, not counted in cells */
    double perimeter_mm;
    double radius_mm; /* radius of the circle of the same area */
    int64_t n_link;
    /* [n_link] developed profile at the middle of each link, projected along the axis: Poisson solution of the real
     * cross-section with mean 1. Where a middle is outside the wall, the profile continues as the negative mirror
     * image, >= LATTICE_PROFILE_MIN. */
    float *profile_developed;
    double profile_peak; /* largest value of profile_developed of all ranks; 0: this lattice has all links */
    /* [n_link] parabolic profile max(0, 2 (1 - r^2/R^2)); r: distance from the centre, R: radius */
    float *profile_parabolic;
    /* unit vector along the vessel, out of the fluid, if the plane cuts the vessel obliquely; otherwise 0 */
    double along[3];
    double territory_ml; /* volume of the tissue that the outlet supplies (`split: territory`); 0: not given */
} lattice_opening;

typedef struct {
    double spacing_mm;
    double origin_mm[3]; /* LPS, centre of cell 0,0,0 of the box */
    int dims[3];
    bool periodic[3];
    int directions; /* 27, or 19: no cut link is stored in directions 19..26 */
    int64_t n_cell;
    int32_t *cell;      /* [n_cell][3] coordinates of each cell in the box */
    uint16_t *solid;    /* [n_cell] number of solid subcells, 0 to 511; P = solid / 512 */
    float *distance_mm; /* [n_cell] signed distance of the centre to the wall, negative in the fluid */
    uint8_t *region;    /* [n_cell] porous region of each cell, 1 + its index in the case; 0: none */
    int64_t n_link;
    int32_t *link_cell;    /* [n_link] index into cell */
    uint8_t *link_dir;     /* [n_link] 1..directions - 1, pointing out of the fluid */
    float *link_q;         /* [n_link] distance from the cell centre to the cut in units of the link, (0, 1] */
    uint8_t *link_opening; /* [n_link] what the link crosses: 0 the wall, k + 1 opening k */
    uint8_t *link_wall;    /* [n_link] index of the wall in the case; 0 at an opening. NULL: the case has one wall */
    int n_opening;
    lattice_opening *opening; /* [n_opening] openings */
} lattice;

/* Allocates zeroed arrays of these sizes, all owned by the lattice; the openings' profiles stay NULL, and directions is
 * 19. Errors: ERR_RESOURCE. */
MUST_CHECK int lattice_create(lattice *l, int64_t n_cell, int64_t n_link, int n_opening);
void lattice_free(lattice *l); /* safe on a zeroed struct and twice */
/* Copies spacing, origin, dims, periodic and directions. */
void lattice_copy_box(lattice *l, const lattice *from);

/* Checks order, ranges, duplicates and openings, and that all links start at stored cells. Every step out of a fluid
 * centre must reach a stored fluid centre or be cut by a link; a wall between two fluid centres must cut the step from
 * both. Errors: ERR_INPUT with the first problem, ERR_RESOURCE. */
MUST_CHECK int lattice_check(const lattice *l);
/* As lattice_check, for consecutive cells of a file with their links (lattice_stretch.h), without the checks that need
 * neighbours or openings. count [256]: the number of links to walls (0) and through each opening (k + 1) is added. */
MUST_CHECK int lattice_check_stretch(const lattice *l, int64_t *count);
/* Checks the openings. count: as in lattice_check_stretch, for the whole lattice. */
MUST_CHECK int lattice_check_openings(const lattice *l, const int64_t *count);

/* True for a valid name of an opening or section: 1 to 63 of A-Z a-z 0-9 _ - . with a letter or digit first. The name
 * becomes an HDF5 group, a CSV column and a JSON key. */
bool lattice_name_valid(const char *name);

/* Row table for finding cells by box coordinates. */
typedef struct {
    const lattice *lattice;
    int64_t *row; /* [dims[1] * dims[2] + 1] first cell of each row along x */
} lattice_rows;
/* finds the rows of cells of a lattice. Errors: ERR_RESOURCE */
MUST_CHECK int lattice_rows_create(lattice_rows *r, const lattice *l);
void lattice_rows_free(lattice_rows *r);
/* Row of cells at y, z (wrapped where periodic), -1 outside the box. lattice_rows_lower: first cell of the row at x or
 * above (row[row + 1]: none). */
int64_t lattice_rows_row(const lattice_rows *r, int y, int z);
int64_t lattice_rows_lower(const lattice_rows *r, int64_t row, int x);
/* Index of the cell at these box coordinates (wrapped where periodic), -1: none. */
int64_t lattice_rows_find(const lattice_rows *r, int x, int y, int z);

void lattice_centre_mm(const lattice *l, int64_t cell, double lps_mm[3]);
/* Largest value of the developed profile over the links of the whole opening (2 in a circle); 1 without a profile. */
double lattice_profile_peak(const lattice_opening *o);
/* Fluid fraction of a stored cell, (0, 1]. */
static inline double lattice_fluid_part(const lattice *l, int64_t cell) {
    return 1 - l->solid[cell] / (double)LATTICE_SUBCELL_COUNT;
}
/* Stored cells / cells of the box (fluid fraction q in the lattice Boltzmann literature). */
double lattice_fluid_fraction(const lattice *l);
#ifdef __cplusplus
}
#endif
#endif
