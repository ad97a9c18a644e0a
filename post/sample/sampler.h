/* Values between the cells of a lattice, right up to the wall.
 *
 * A stencil holds the weights of the cells round a point: value = sum_k weight[k] f[cell[k]]. It is a moving
 * least-squares fit (fit.h) over the cells within 2.3 or 3 spacings that belong to the same piece of lumen: quadratic
 * where the cells allow it, linear or constant in the narrowest places, so that the error is of second order or better
 * up to and on the wall. A vessel on the other side of a thin wall does not take part. */
#ifndef PORTAFLOW_POST_SAMPLE_SAMPLER_H
#define PORTAFLOW_POST_SAMPLE_SAMPLER_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice.h"
#include <stdbool.h>

enum { SAMPLER_MAX = 224 };

enum sampler_kind {
    SAMPLER_DISTANCE, /* every stored cell: geometry (distance_mm, solid) */
    SAMPLER_FLOW,     /* active cells: pressure and stress, extrapolated to the wall */
    SAMPLER_NO_SLIP   /* active cells, and zero at the points where links meet the wall: velocity */
};

typedef struct {
    const lattice *lattice; /* borrowed */
    lattice_rows rows;
    uint8_t *active;     /* [n_cell] 1: the centre is in the fluid and the solver had a value there */
    uint8_t *web;        /* [n_cell] 1: a wall cuts a step to another active cell */
    int64_t *link_start; /* [n_cell + 1] first entry of link_* of each cell */
} sampler;

typedef struct {
    int n, terms;              /* terms: of the polynomial that was fitted, 0 when there was none */
    int32_t cell[SAMPLER_MAX]; /* the points of the wall are left out: their value is 0 */
    double weight[SAMPLER_MAX];
    double gradient[SAMPLER_MAX][3]; /* 1/mm */
} sampler_stencil;

/* The polynomial of one field at a point. */
typedef struct {
    double value, gradient[3]; /* the field's unit, and that a mm */
    double hessian[6];         /* a mm2, second derivatives xx yy zz xy xz yz; 0 where the fit is not quadratic */
} sampler_form;

/* `f` says where the solver had values (finite pressure); NULL: every cell whose centre is in the fluid. The lattice
 * must outlive the sampler. Errors: ERR_RESOURCE, ERR_INPUT (no active cell). */
MUST_CHECK int sampler_create(sampler *s, const lattice *l, const fields *f);
void sampler_free(sampler *s); /* safe on a zeroed struct */

/* Stencil for a point. `anchor_mm`: the fit uses the piece of lumen nearest to this point (NULL: to the point itself);
 * for a point of the wall give one a cell further in. Returns 1, or 0 when no cell lies within reach. */
int sampler_find(const sampler *s, enum sampler_kind kind, const double point_mm[3], const double *anchor_mm,
                 sampler_stencil *out);
/* The same weights without the gradient's. */
int sampler_find_value(const sampler *s, enum sampler_kind kind, const double point_mm[3], const double *anchor_mm,
                       sampler_stencil *out);
/* The polynomial itself, of field [n_cell] (zero at the points of the wall): less work than the weights of all that. */
int sampler_find_form(const sampler *s, enum sampler_kind kind, const double point_mm[3], const double *anchor_mm,
                      const float *field, sampler_form *out);

/* A linear fit for pressure and its gradient from the active cells at least depth_cells away from the wall: next to the
 * wall the pressure of a coarse lattice is rough. Returns 1, or 0 when there are too few for a gradient. */
int sampler_find_core(const sampler *s, double depth_cells, const double point_mm[3], sampler_stencil *out);
int sampler_core_form(const sampler *s, double depth_cells, const double point_mm[3], const float *field,
                      sampler_form *out);

/* Does the wall cut the step from a cell in a direction, 1..18? Where it is thinner than a cell, the step leads to a
 * cell behind it. */
static inline int sampler_walled(const sampler *s, int64_t cell, int dir) {
    for (int64_t k = s->link_start[cell]; k < s->link_start[cell + 1]; k++)
        if (s->lattice->link_dir[k] == dir)
            return s->lattice->link_opening[k] == 0;
    return 0;
}

/* The eight cells round a point (-1: not stored) and their weights, linear in each direction; false: outside the box. */
bool sampler_corners(const sampler *s, const double point_mm[3], int64_t cell[8], double weight[8]);

/* Index of the stored cell whose cube holds the point, -1: none. */
int64_t sampler_cell(const sampler *s, const double point_mm[3]);

/* Signed distance to the wall, mm, negative in the fluid, and its gradient (NULL: not wanted). INFINITY when the point
 * is not near the lumen, or beyond an opening or a face where the box repeats. */
double sampler_distance_mm(const sampler *s, const double point_mm[3], double gradient[3]);

/* 1 when the point lies behind the plane of an opening, within 1.5 spacings of its disc (further out no cell of that
 * vessel is stored). *opening: which (NULL: not wanted). */
int sampler_beyond_opening(const lattice *l, const double point_mm[3], int *opening);

double sampler_apply(const sampler_stencil *st, const float *value, int components, int component);
/* Velocity (m/s, zero outside) and pressure (Pa, NaN outside). Returns 1 inside the lumen, 0 outside. */
int sampler_flow(const sampler *s, const fields *f, const double point_mm[3], double velocity_m_s[3],
                 double *pressure_pa);
#endif
