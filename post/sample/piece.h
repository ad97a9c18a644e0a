/* SPDX-License-Identifier: Apache-2.0 */
/* The connected pieces of the lumen. */
#ifndef PORTAFLOW_POST_SAMPLE_PIECE_H
#define PORTAFLOW_POST_SAMPLE_PIECE_H
#include "common/base/must_check.h"
#include "post/sample/sampler.h"

/* Number the pieces. label [n_cell] out: number of the piece of each active cell, from 0; -1 for other cells. *n:
 * number of pieces. Errors: ERR_RESOURCE. */
MUST_CHECK int piece_label(const sampler *s, int32_t *label, int *n);
/* Number of the piece that contains an opening (its first cell) or a point (its nearest active cell); -1: none. */
int piece_of_opening(const sampler *s, const int32_t *label, int opening);
int piece_of_point(const sampler *s, const int32_t *label, const double point_mm[3]);
#endif
