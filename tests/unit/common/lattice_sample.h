/* SPDX-License-Identifier: Apache-2.0 */
/* A small true lattice for tests: a straight square channel of nx x 4 x 4 cells along x, cut by an inlet on the left
 * and an outlet on the right, walls half a cell beyond the outer centres; one column of partly solid cells below it. */
#ifndef PORTAFLOW_TESTS_LATTICE_SAMPLE_H
#define PORTAFLOW_TESTS_LATTICE_SAMPLE_H
#include "common/lattice/lattice.h"

int lattice_sample(lattice *l, int nx);
#endif
