/* SPDX-License-Identifier: Apache-2.0 */
/* The cross-section of an opening on a square grid across the vessel, and oscillating developed flow in it:
 *
 *   i w u / nu - lap u = 1 inside, u = 0 on the wall                                                        (1)
 *
 * The wall is where the wall distance of the cells at the opening, fitted along the vessel, is zero. Five-point
 * differences with arms that end on the wall, in symmetric form (Gibou et al. 2002); conjugate gradients without
 * conjugation (van der Vorst and Melissen 1990). Test: tests/unit/solve/test_pulse_inlets.c */
#ifndef PORTAFLOW_PULSE_SECTION_H
#define PORTAFLOW_PULSE_SECTION_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include <complex.h>

typedef struct {
    double centre_mm[3], axis[2][3], step_mm;
    int n;            /* nodes along each side of the grid, odd */
    int n_inside;     /* nodes in the fluid */
    int *node;        /* [n_inside] index of each in the grid */
    int (*beside)[4]; /* [n_inside] neighbours at +u -u +v -v, indices in `node`; -1: the wall */
    double *diagonal; /* [n_inside] diagonal of -step^2 lap */
} pulse_section;

/* Finds the cross-section of opening k. mark [l->n_cell]: 1 for the cells of this rank; NULL: all. Collective; all
 * ranks get the same section. Errors: ERR_RESOURCE, errors of ranks_sums. */
MUST_CHECK int pulse_section_create(const lattice *l, const uint8_t *mark, int k, pulse_section *s);
void pulse_section_free(pulse_section *s); /* safe on a zeroed struct */

/* Solves (1) times step^2. shift: w step^2 / nu; u [n_inside] out. Errors: ERR_RESOURCE, ERR_NUMERIC. */
MUST_CHECK int pulse_section_solve(const pulse_section *s, double shift, double complex *u);
#endif
