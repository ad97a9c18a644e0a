/* SPDX-License-Identifier: Apache-2.0 */
/* Openings in unconnected parts of the lumen: no blood can flow between them. */
#ifndef PORTAFLOW_SEGMENT_DISCONNECTION_H
#define PORTAFLOW_SEGMENT_DISCONNECTION_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    int opening[2];     /* indices of the first two openings that are not connected; -1: all are connected */
    double place_mm[3]; /* middle of the gap between the two parts, LPS */
    double gap_mm;
} disconnection;

/* Find the first two openings in unconnected parts of the lumen. phi: mm, negative inside. opening [n]: LPS, mm; each
 * is assigned to the nearest part of the lumen; openings farther than most_mm from all parts are ignored. Errors:
 * ERR_RESOURCE. Test: tests/unit/segment/test_segment_disconnection.c */
MUST_CHECK int disconnection_find(const volume *phi, int n, const double (*opening)[3], double most_mm,
                                  disconnection *out);
#endif
