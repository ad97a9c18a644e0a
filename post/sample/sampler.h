/* SPDX-License-Identifier: Apache-2.0 */
/* Values between the cells of a lattice, up to the wall.
 *
 * A stencil holds the weights of the cells around a point: value = sum_k weight[k] f[cell[k]]. It is a moving
 * least-squares fit (fit.h) over the cells within 2.3 or 3 spacings in the same piece of lumen: quadratic if the cells
 * allow it, else linear or constant in very narrow parts. The error is second-order or better up to the wall. A vessel
 * behind a thin wall is excluded. */
#ifndef PORTAFLOW_POST_SAMPLE_SAMPLER_H
#define PORTAFLOW_POST_SAMPLE_SAMPLER_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice.h"
#include <stdbool.h>

enum { SAMPLER_MAX = 224 };

enum sampler_kind {
    SAMPLER_DISTANCE, /* samples are all stored cells; for distance_mm and solid */
    SAMPLER_FLOW,     /* samples are active cells, extrapolated to the wall; for pressure and stress */
    SAMPLER_NO_SLIP   /* samples are active cells, and zero where links meet the wall; for velocity */
};

typedef struct {
    const lattice *lattice; /* the lattice, borrowed */
    lattice_rows rows;
    uint8_t *active;     /* [n_cell] 1: the centre of the cell is in the fluid, and the solver has a value there */
    uint8_t *web;        /* [n_cell] 1: a wall cuts a step from the cell to another active cell */
    int64_t *link_start; /* [n_cell + 1] first entry of each cell in the arrays link_* */
} sampler;

typedef struct {
    int n, terms;              /* n: number of cells; terms: number of terms of the fitted polynomial; 0: no fit was
                                * possible */
    int32_t cell[SAMPLER_MAX]; /* indices of the cells. Points of the wall are not listed, because their value is 0 */
    double weight[SAMPLER_MAX];
    double gradient[SAMPLER_MAX][3]; /* weight of each cell in the gradient, 1/mm */
} sampler_stencil;

/* The polynomial of one field at a point. */
typedef struct {
    double value, gradient[3]; /* value in the unit of the field; its gradient per mm */
    double hessian[6];         /* second derivatives xx yy zz xy xz yz per mm2; 0 if the fit is not quadratic */
} sampler_form;

/* Prepares the sampler. f marks the cells with values (finite pressure). f NULL: every cell with its centre in the
 * fluid has values. The lattice must outlive the sampler. Errors: ERR_RESOURCE, ERR_INPUT (no active cell). */
MUST_CHECK int sampler_create(sampler *s, const lattice *l, const fields *f);
void sampler_free(sampler *s); /* safe on a zeroed struct */

/* Finds the stencil for a point. anchor_mm: the fit uses the connected piece of lumen nearest to this position; NULL:
 * nearest to point_mm. For a point on the wall, pass an anchor one cell further inside. Returns 1; 0: no cell is close
 * enough. */
int sampler_find(const sampler *s, enum sampler_kind kind, const double point_mm[3], const double *anchor_mm,
                 sampler_stencil *out);
/* Does the same as sampler_find, without weights for the gradient. */
int sampler_find_value(const sampler *s, enum sampler_kind kind, const double point_mm[3], const double *anchor_mm,
                       sampler_stencil *out);
/* Finds the polynomial of one field [n_cell], which is 0 at points of the wall. This is cheaper than a stencil with all
 * weights. */
int sampler_find_form(const sampler *s, enum sampler_kind kind, const double point_mm[3], const double *anchor_mm,
                      const float *field, sampler_form *out);

/* Finds a linear fit for pressure and its gradient. It uses only active cells at least depth_cells from the wall,
 * because the pressure of a coarse lattice is rough next to the wall. Returns 1; 0: too few cells for a gradient. */
int sampler_find_core(const sampler *s, double depth_cells, const double point_mm[3], sampler_stencil *out);
int sampler_core_form(const sampler *s, double depth_cells, const double point_mm[3], const float *field,
                      sampler_form *out);

/* True if the wall cuts the step from a cell in direction 1..18. Across a wall thinner than a cell, the step would lead
 * to a cell behind the wall. */
static inline int sampler_walled(const sampler *s, int64_t cell, int dir) {
    for (int64_t k = s->link_start[cell]; k < s->link_start[cell + 1]; k++)
        if (s->lattice->link_dir[k] == dir)
            return s->lattice->link_opening[k] == 0;
    return 0;
}

/* The eight cells around a point (-1: not stored) and their trilinear weights; false: outside the box. */
bool sampler_corners(const sampler *s, const double point_mm[3], int64_t cell[8], double weight[8]);

/* Index of the stored cell whose cube contains the point, -1: none. */
int64_t sampler_cell(const sampler *s, const double point_mm[3]);

/* True if the cell that contains the point is in a porous region (lattice.region). */
bool sampler_is_porous(const sampler *s, const double point_mm[3]);

/* Signed distance to the wall, mm, negative in the fluid, and its gradient (may be NULL). INFINITY far from the lumen,
 * or beyond an opening or a periodic face. 0 where the fit is negative, but the cell of the point holds no fluid. */
double sampler_distance_mm(const sampler *s, const double point_mm[3], double gradient[3]);

/* Returns 1 if the point is up to 1.5 spacings behind the plane of an opening, within 1.5 radii + 2 spacings of its
 * axis. Beyond this distance the vessel has no stored cells. *opening: index of the opening (may be NULL). */
int sampler_beyond_opening(const lattice *l, const double point_mm[3], int *opening);

double sampler_apply(const sampler_stencil *st, const float *value, int components, int component);
/* Velocity (m/s, zero outside) and pressure (Pa, NaN outside). Returns 1 inside the lumen, 0 outside. */
int sampler_flow(const sampler *s, const fields *f, const double point_mm[3], double velocity_m_s[3],
                 double *pressure_pa);
#endif
