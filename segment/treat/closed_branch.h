/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of the lumen that a treatment made by closing a branch. */
#ifndef PORTAFLOW_SEGMENT_CLOSED_BRANCH_H
#define PORTAFLOW_SEGMENT_CLOSED_BRANCH_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/ends/centerline_ends.h"

/* A disc that closes a branch. */
typedef struct {
    double at_mm[3], thick_mm, radius_mm; /* centre (LPS), thickness, radius of the vessel there; thick_mm 0: none */
} closed_disc;

/* Finds the disc that closed the branch of each end: the end is the stump at the disc, or lies in a piece of lumen that
 * touches the disc and has no opening. closed_by [n_end] out: index of the disc, -1: none. phi: mm, negative inside.
 * opening [n]: LPS. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_treat.c */
MUST_CHECK int closed_branch_find(const volume *phi, int n_disc, const closed_disc *disc, int n,
                                  const double (*opening)[3], int n_end, const centerline_end *end, int *closed_by);
#endif
