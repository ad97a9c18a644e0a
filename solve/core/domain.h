/* The lattice as the solver sees it: active cells in x-fastest order, where each population comes from, cut links.
 *
 * `interpolated`: the cells whose centre is in the fluid; every missing neighbour is a cut link with its wall distance,
 * and so is one behind a wall thinner than a cell.
 * `vlbm`: every stored cell; missing neighbours are walls at q = 1/2, links between cells of different solid fraction
 * are partial (kernels/link.h).
 *
 * A run is a stretch of cells with consecutive x in one row, short enough for a stack buffer, whose neighbours in each
 * direction are consecutive too: for direction a (incoming, from x - e_a) the lanes low[a] <= lane < high[a] come from
 * cell source[a] + lane; the other lanes are cut links. So 18 integers describe up to 128 cells. */
#ifndef PORTAFLOW_DOMAIN_H
#define PORTAFLOW_DOMAIN_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "solve/core/halo.h"
#include "solve/kernels/exact_sum.h"
#include "solve/kernels/prescribed_value.h"

enum { DOMAIN_RUN_MAX = 128 };

enum domain_kind { DOMAIN_FLOW, DOMAIN_PRESSURE, DOMAIN_MOVING_WALL }; /* what an opening prescribes */

typedef struct {
    int kind;     /* enum domain_kind, set by domain_create from the caller's table */
    bool on_site; /* as in domain_condition; its normal is one of the axes then */
    int64_t n_link;
    double link_flux; /* sum over links of 6 w_a (e_a.inward) profile (1 - P): the opening's area in cells^2 */
    double share;     /* sum over links of link_share (kernels/link.h) */
    double carried;   /* FLOW, not on_site: 3 times the momentum through it beside the pressure's, over the share, of a
                         flow of 1 (that of another goes with its square); else 0 */
    double setback;   /* cells along the vessel from the opening's plane to where, inside of it on the whole, its
                         pressure is: domain_openings.c */
    double normal[3]; /* out of the fluid; where a pressure is given, the vessel's direction */
} domain_opening;

/* Sorted by cell. `dir` points out of the fluid. */
typedef struct {
    int32_t cell;
    uint8_t dir;     /* 1..18 */
    uint8_t opening; /* 0 wall, k + 1 */
    uint8_t wall;    /* which (lattice.link_wall), 0 where there is one alone */
    float q;         /* (0, 1]; 1/2 where the rule is half-way */
    float weight;    /* D = weight times the flow (FLOW), the wall's speed (MOVING_WALL) that is prescribed
                        (kernels/prescribed_value.h, kernels/link.h); 0 where a pressure is on_site */
} domain_link;

typedef struct {
    int32_t cell;
    uint8_t dir;  /* incoming direction a */
    double theta; /* (0, 1) */
} domain_partial;

typedef struct {
    int32_t first, count;
    int32_t source[19];
    int16_t low[19], high[19];
    int32_t link, partial; /* first entry of link[] and partial[] with a cell of this run */
    int32_t opening;       /* 1 when one of its links leads through an opening */
} domain_run;

typedef struct {
    int64_t n_cell;
    int32_t *position; /* [n_cell][3] box coordinates */
    int32_t *stored;   /* [n_cell] index in the lattice file's cells */
    int dims[3];
    bool periodic[3];
    int64_t n_run;
    domain_run *run; /* [n_run + 1], the last one closes link and partial */
    int64_t n_link;
    domain_link *link;
    int64_t n_partial;
    domain_partial *partial;
    float *fluid; /* [n_cell] 1 - P for vlbm, NULL for interpolated (1) */
    int n_opening;
    domain_opening *opening;
    int64_t n_halo;   /* of a part of a lattice: cells behind n_cell that runs lead to (halo.h) */
    const halo *part; /* NULL: the whole lattice; borrowed */
    /* Of a part: numbers [n_cell], [n_partial] of its cells and partial links in the whole, ascending, and how many
     * there are. NULL: it is the whole (domain_number). */
    int32_t *number, *partial_number;
    int64_t n_cell_all, n_partial_all;
} domain;

/* Cells of the whole lattice, and number of a cell there. */
static inline int64_t domain_cells(const domain *d) {
    return d->number ? d->n_cell_all : d->n_cell;
}
static inline int64_t domain_number(const domain *d, int64_t cell) {
    return d->number ? d->number[cell] : cell;
}

enum { DOMAIN_WALL_INTERPOLATED, DOMAIN_WALL_VLBM };

typedef struct {
    int kind;           /* enum domain_kind */
    int profile;        /* enum case_profile (kind FLOW) */
    double slip;        /* scale_slip, taken off the developed profile; 0: none */
    bool on_site;       /* Zou and He's rule at the centres of the cells (kernels/link.h); kinds FLOW and PRESSURE */
    bool heat;          /* there is a temperature */
    double velocity[3]; /* kind MOVING_WALL, in the unit that is given in each step (prescribed_value.wall_speed) */
} domain_condition;

/* Whether Zou and He's rule, which knows one velocity and one direction for all links of a cell, can be that of this
 * opening: normal n (unit length) along the grid. Errors: ERR_INPUT. */
MUST_CHECK int domain_on_site_check(const char *name, const double n[3], int wall);

/* condition [l->n_opening]. Errors: ERR_RESOURCE, ERR_INPUT (no active cell, opening without links, more than 2^31 - 1
 * cells; an opening on_site that does not stand along the grid or shares a cell with another one, or wall vlbm). */
MUST_CHECK int domain_create(const lattice *l, int wall, const domain_condition *condition, domain *d);
/* The same of a lattice that holds a part and what is around it (lattice_part.h): cells of another mark than 1 get no
 * links. sum: openings are those of the whole (ranks_sums); condition and errors as above, those of sum. */
typedef struct {
    const uint8_t *mark;                           /* [l->n_cell] */
    MUST_CHECK int (*sum)(exact_sum *sums, int n); /* of all parts */
} domain_share;
MUST_CHECK int domain_create_part(const lattice *l, const domain_share *share, int wall,
                                  const domain_condition *condition, domain *d);
void domain_free(domain *d); /* safe on a zeroed struct */

/* Whether a link leads through an inlet or outlet; those of walls, moving ones too, do not. */
static inline bool domain_through(const domain *d, const domain_link *k) {
    return k->opening && d->opening[k->opening - 1].kind != DOMAIN_MOVING_WALL;
}

/* Whether a link leads through an opening whose rule is on_site. */
static inline bool domain_on_site(const domain *d, const domain_link *k) {
    return k->opening && d->opening[k->opening - 1].on_site;
}

/* Cell that f_a comes from (x - e_a), -1 for a cut link: [count] for cells first.. of one direction. */
void domain_neighbours(const domain *d, int a, int64_t first, int64_t count, int32_t *neighbour);
#endif
