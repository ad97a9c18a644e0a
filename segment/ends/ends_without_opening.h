/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of the vessel without an opening. No blood flows there, which looks like a thrombosis in the results. */
#ifndef PORTAFLOW_SEGMENT_ENDS_WITHOUT_OPENING_H
#define PORTAFLOW_SEGMENT_ENDS_WITHOUT_OPENING_H
#include "common/base/must_check.h"
#include "segment/ends/centerline_ends.h"

enum { ENDS_WITHOUT_OPENING_MAX = 66 };

/* Find the ends of the lumen without an opening. phi: mm, negative inside (sampled at up to 300,000 places). opening
 * [n] LPS mm: an end belongs to an opening within five radii of the end (flat vessel: 25), since the lumen extends
 * three radii beyond an opening. A sac with a neck (an aneurysm) is not an end. end [ENDS_WITHOUT_OPENING_MAX] out,
 * *n_end of them set. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_centerline_tree.c */
MUST_CHECK int ends_without_opening(const volume *phi, int n, const double (*opening)[3], int *n_end,
                                    centerline_end *end);

/* Mask of the lumen (phi < 0) on every n-th voxel, n the smallest number that gives up to `most` samples. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int ends_without_opening_mask(const volume *phi, double most, volume *mask);
#endif
