/* SPDX-License-Identifier: Apache-2.0 */
/* Gaps between pieces of a vessel that the image does not show, and tubes that bridge them on request. */
#ifndef PORTAFLOW_SEGMENT_GAP_BRIDGE_H
#define PORTAFLOW_SEGMENT_GAP_BRIDGE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"
#include <cJSON.h>

enum { GAP_BRIDGES_MAX = 4, GAP_BRIDGE_TEXT = 400 };

typedef struct {
    double point_mm[3];  /* LPS: middle of the gap, on the path */
    double length_mm;    /* length of the path outside the lumen */
    double turn_degrees; /* sum of the angles by which the path turns in the gap */
    double radius_mm[2]; /* radius of the vessel at both ends of the tube */
    double radius_95_mm; /* half-width of the 95 % interval of the tube's radius, for a vessel without a stenosis or
                           * occlusion in the gap */
    double signal;       /* mean contrast of the image along the path in the gap over the contrast of the vessel */
} gap_bridge;

typedef struct {
    int n;
    gap_bridge found[GAP_BRIDGES_MAX];
    char refused[GAP_BRIDGE_TEXT]; /* why the shortest remaining gap is not bridged, a clause; "": no gap remains */
} gap_bridges;

/* Bridge the gaps between pieces of the lumen that have a seed or an opening, the shortest gap first.
 *
 * The path is a cubic Hermite curve. It starts in each piece where the vessel has its full width, along the axis of the
 * vessel there. The tube has circular cross-sections. Their radius is interpolated between the radii of circles with
 * the areas of both cross-sections.
 *
 * A gap is bridged if all hold: it is at most 2.5 mean diameters long; the smaller radius is 0.7 of the larger one or
 * more; the path turns by 90 degrees or less in the gap, with a radius of curvature of a diameter (plain bend: 0.75
 * diameters) or more; the image in the gap is not brighter than blood. An end at an opening or at a face of the image
 * has no gap.
 *
 * radius_95_mm: root of the sum of the squares of half the difference of both radii and of a tenth of the mean radius.
 * The image cannot show whether blood flows through the gap.
 *
 * image: as read. phi: signed distance, mm, negative inside. point [n]: LPS, the n_opening openings first, then the
 * seeds. normal [n_opening]: outwards; x NAN: unknown. bridged: created if found->n > 0, a level set of the lumen with
 * the tubes. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_gap_bridge.c */
MUST_CHECK int gap_bridge_find(const volume *image, const volume *phi, const seeds_statistics *seeds, int n,
                               const double (*point)[3], int n_opening, const double (*normal)[3], gap_bridges *found,
                               volume *bridged);
#endif
