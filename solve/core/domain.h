/* SPDX-License-Identifier: Apache-2.0 */
/* The lattice for the solver: active cells in x-fastest order, source cells of incoming populations, cut links.
 *   interpolated: cells whose centre is in the fluid are active. Every missing neighbour is a cut link with a wall
 *                 distance, and so is a neighbour behind a wall thinner than a cell.
 *   vlbm:         every stored cell is active. Missing neighbours are walls at q = 1/2. Links between cells of
 *                 different solid fraction are partial (solve/BOUNDARY_LINKS.md, eq. 14).
 * A run is a sequence of up to 128 cells with consecutive x in one row. Their neighbours in each direction are
 * consecutive too. The population of direction a comes from x - e_a: lanes low[a] <= lane < high[a] of the run receive
 * it from cell source[a] + lane, and all other lanes have a cut link. These three numbers per direction describe all
 * neighbours of a run. */
#ifndef PORTAFLOW_DOMAIN_H
#define PORTAFLOW_DOMAIN_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "solve/core/halo.h"
#include "solve/kernels/exact_sum.h"
#include "solve/kernels/prescribed_value.h"

enum { DOMAIN_RUN_MAX = 128 };
enum { OPENING_PULSES = 8 }; /* largest number of pulse profiles of an opening */

enum domain_kind { DOMAIN_FLOW, DOMAIN_PRESSURE, DOMAIN_MOVING_WALL }; /* what an opening prescribes */

typedef struct {
    int kind;     /* enum domain_kind, set by domain_create */
    bool on_site; /* as in domain_condition; if true, the normal is a grid axis */
    int64_t n_link;
    double link_flux; /* flow opening: sum over links of 6 w_a (e_a.inward) profile (1 - P), its area in cells^2 */
    double share;     /* sum over the links of the opening of link_share (kernels/link.h), the divisor of eq. 12 */
    /* Half-way flow openings: density deviation in eq. 12 caused by the momentum of a flow of 1 cell^3 per step. It
     * grows with the square of the flow; backend_monitor_make subtracts it. 0 for other openings. */
    double carried;
    /* As `carried`, for a flow that changes by 1 cell^3 per step in each step: 3/2 of the sum over links of |e_a.n|
     * weight, divided by share. run_loop_at_planes adds it. */
    double inertia;
    /* distance along the vessel from the plane of the opening to the point where its pressure acts, cells
     * (domain_openings_setback) */
    double setback;
    double normal[3]; /* unit vector out of the fluid; at a pressure opening the direction of the vessel */
} domain_opening;

/* A cut link; the array is sorted by cell. `dir` points out of the fluid. */
typedef struct {
    int32_t cell;
    uint8_t dir;     /* 1..domain.directions - 1 */
    uint8_t opening; /* 0: wall; k + 1: opening k */
    uint8_t wall;    /* index of the wall (lattice.link_wall), 0 if there is only one */
    float q;         /* wall distance, (0, 1]; 1/2 for half-way rules */
    /* the term D of the link in (1) of solve/BOUNDARY_LINKS.md, divided by the prescribed flow or wall speed; at a
     * pressure opening not used: 1 half-way, 0 on-site */
    float weight;
    int32_t pulse; /* link of a flow opening, if domain.n_pulse > 0: index of its first value in domain.pulse_weight */
} domain_link;

typedef struct {
    int32_t cell;
    uint8_t dir;  /* incoming direction a */
    double theta; /* factor of the partial link, between 0 and 1 (solve/BOUNDARY_LINKS.md, eq. 14) */
} domain_partial;

typedef struct {
    int32_t first, count;
    int32_t source[27];
    int16_t low[27], high[27];
    int32_t link, partial; /* index of this run's first entry in link[] and in partial[] */
    int32_t opening;       /* 1 if a link of the run goes through an opening, else 0 */
} domain_run;

/* The two cells behind cell x of a wall link in direction i: next = x - e_i and third = x - 2 e_i. Both are -1 if one
 * of these cells is missing or a cut link lies between them. */
typedef struct {
    int32_t next, third;
} domain_behind;

typedef struct {
    int directions; /* 19 or 27 */
    int64_t n_cell;
    int32_t *position; /* [n_cell][3] box coordinates */
    int32_t *stored;   /* [n_cell] cell index in the lattice file */
    int dims[3];
    bool periodic[3];
    int64_t n_run;
    domain_run *run; /* [n_run + 1]; the last entry holds n_link and n_partial as its first indices */
    int64_t n_link;
    domain_link *link;
    domain_behind *behind; /* [n_link] the cells behind each link of a quadratic wall; NULL for other walls */
    int64_t n_partial;
    domain_partial *partial;
    float *fluid; /* [n_cell] 1 - P for vlbm; NULL for interpolated (1 everywhere) */
    /* [n_cell + n_halo + DOMAIN_RUN_MAX] porous region of each cell, 0: free blood (core/porous_media.h). NULL: no cell
     * of any rank is in a porous region */
    uint8_t *region;
    int n_opening;
    domain_opening *opening;
    int n_pulse; /* number of pulse profiles of each flow opening (opening_pulse); 0: none */
    int64_t n_pulse_weight;
    float *pulse_weight; /* [links of flow openings][n_pulse] as domain_link.weight, for the pulse profiles */
    /* [n_opening][n_pulse + 1][n_pulse + 1] as domain_opening.carried, for each pair of profiles; index 0: the steady
     * profile. The value of the pair (0, 0) is 0 */
    double *pulse_carried;
    int64_t n_halo;   /* number of halo cells, which follow the n_cell own cells (halo.h); 0 in a whole lattice */
    const halo *part; /* borrowed; NULL: whole lattice */
    /* Part of a lattice: number of each cell [n_cell] and of each partial link [n_partial] in the whole lattice,
     * ascending, and the totals of the whole lattice. NULL in a whole lattice (domain_number). */
    int32_t *number, *partial_number;
    int64_t n_cell_all, n_partial_all;
} domain;

/* domain_cells: number of cells of the whole lattice. domain_number: number of a cell in the whole lattice. */
static inline int64_t domain_cells(const domain *d) {
    return d->number ? d->n_cell_all : d->n_cell;
}
static inline int64_t domain_number(const domain *d, int64_t cell) {
    return d->number ? d->number[cell] : cell;
}

/* Number of prescribed values of a step: one per opening, then n_pulse per opening. domain_pulses: the values of the
 * pulse profiles of opening k; their member is `flow`. */
static inline int domain_given(const domain *d) {
    return d->n_opening * (1 + d->n_pulse);
}
static inline const prescribed_value *domain_pulses(const domain *d, const prescribed_value *given, int k) {
    return given + d->n_opening + k * d->n_pulse;
}
/* The term D of a link through a flow opening. given: prescribed values of the step. */
static inline double domain_inflow(const domain *d, const domain_link *k, const prescribed_value *given) {
    double inflow = k->weight * given[k->opening - 1].flow;
    for (int j = 0; j < d->n_pulse; j++)
        inflow += d->pulse_weight[k->pulse + j] * domain_pulses(d, given, k->opening - 1)[j].flow;
    return inflow;
}

/* Pulse profiles of an opening: functions over its cross-section. The developed profile of a pulsatile flow is the
 * steady developed profile times the flow, plus the sum of the pulse profiles, each times a value that changes with
 * time (boundary/pulse_inlets.h). Node (i, j) is at centre + (i - n/2) step axis[0] + (j - n/2) step axis[1]. */
typedef struct {
    int n_profile;
    int n;                           /* number of nodes along each side of the grid, odd */
    double centre_mm[3], axis[2][3]; /* LPS; the axes are unit vectors across the vessel */
    double step_mm;
    double *ratio;     /* [n_profile][n][n] pulse profile over the steady developed profile, u fastest */
    double *curvature; /* [n_profile][n][n] negative Laplacian of the pulse profile, per mm2 */
} opening_pulse;

/* Interpolated and vlbm: D3Q19. Quadratic: D3Q27, with the same cells and links as interpolated. */
enum { DOMAIN_WALL_INTERPOLATED, DOMAIN_WALL_VLBM, DOMAIN_WALL_QUADRATIC };

typedef struct {
    int kind;           /* enum domain_kind */
    int profile;        /* enum case_profile, for kind FLOW */
    double slip;        /* lattice velocity subtracted from the developed profile to offset the deficit of the
                         * lattice (scale_slip); 0: none */
    bool on_site;       /* Zou-He rule at the cell centres (solve/BOUNDARY_LINKS.md, eq. 13); kinds FLOW and PRESSURE */
    bool heat;          /* true if the temperature is solved */
    double velocity[3]; /* kind MOVING_WALL, in units of prescribed_value.wall_speed */
    const opening_pulse *pulse; /* profile DEVELOPED: pulse profiles, borrowed; NULL: none */
} domain_condition;

/* Checks that the Zou-He rule applies: the unit normal n is a grid axis and the wall is interpolated. Errors:
 * ERR_INPUT. */
MUST_CHECK int domain_on_site_check(const char *name, const double n[3], int wall);

/* Builds the domain of a lattice. condition [l->n_opening]. Errors: ERR_RESOURCE; ERR_INPUT (no active cell, an opening
 * without links, too many cells or links, a damaged lattice, no corner links for D3Q27; an on-site opening that is
 * oblique, shares a cell with another one, or has wall vlbm). */
MUST_CHECK int domain_create(const lattice *l, int wall, const domain_condition *condition, domain *d);
/* Argument of domain_create_part. There, the lattice l holds the cells of a part and the cells around them
 * (lattice_part.h). */
typedef struct {
    const uint8_t *mark;                           /* [l->n_cell] 1: cell of the part; other cells get no links */
    MUST_CHECK int (*sum)(exact_sum *sums, int n); /* sums over all parts; every part must call it (ranks_sums) */
} domain_share;
MUST_CHECK int domain_create_part(const lattice *l, const domain_share *share, int wall,
                                  const domain_condition *condition, domain *d);
void domain_free(domain *d); /* safe on a zeroed struct */

/* True if a link goes through an inlet or outlet; false for walls and moving walls. */
static inline bool domain_through(const domain *d, const domain_link *k) {
    return k->opening && d->opening[k->opening - 1].kind != DOMAIN_MOVING_WALL;
}

/* True if a link goes through an on-site opening. */
static inline bool domain_on_site(const domain *d, const domain_link *k) {
    return k->opening && d->opening[k->opening - 1].on_site;
}

/* Sets neighbour [count] for the cells `first .. first + count - 1`: the cell x - e_a from which f_a comes, or -1 for a
 * cut link. */
void domain_neighbours(const domain *d, int a, int64_t first, int64_t count, int32_t *neighbour);
#endif
