/* Openings between which the lumen is cut: no blood can flow from one to the other. */
#ifndef PORTAFLOW_SEGMENT_DISCONNECTION_H
#define PORTAFLOW_SEGMENT_DISCONNECTION_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    int opening[2];     /* the first two that are not connected; -1: all are */
    double place_mm[3]; /* LPS, the middle of the gap between their parts of the lumen */
    double gap_mm;
} disconnection;

/* phi: mm, negative inside. opening [n] LPS mm: each belongs to the part of the lumen whose voxel is nearest, those
 * farther than most_mm from any to none and are left out. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_disconnection.c */
MUST_CHECK int disconnection_find(const volume *phi, int n, const double (*opening)[3], double most_mm,
                                  disconnection *out);
#endif
