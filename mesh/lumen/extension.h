/* SPDX-License-Identifier: Apache-2.0 */
/* A straight extension beyond an opening: the cross-section continues along the normal and replaces the vessel there.
 *
 * At a height above the plane between 0 and the length of the extension:
 *
 * inside the cross-section or its wall band: the distance equals the distance at the foot point in the plane
 * further out: the old vessel is removed where it is connected with the outer side of the plane */
#ifndef PORTAFLOW_EXTENSION_H
#define PORTAFLOW_EXTENSION_H
#include "common/base/must_check.h"
#include "mesh/section/cross_section.h"

typedef struct {
    section s;
    double length_mm; /* length of the extension, 4 cells beyond the moved plane of the opening */
    double reach_mm;  /* lateral distance from the point of the opening up to which the replaced vessel is removed */
    double low_mm[3]; /* LPS, node 0,0,0 of the map `replaced` */
    double step_mm;
    int dims[3];
    /* [dims[2]][dims[1]][dims[0]] 1: the node or one of its 26 neighbours is in the replaced vessel beyond the plane */
    uint8_t *replaced;
} extension;

/* Create the extension of an opening, whose plane moves by length_mm. `in` is the distance without this extension.
 * Errors: ERR_INPUT (it meets another part of the vessel), ERR_RESOURCE. */
MUST_CHECK int extension_create(extension *t, const voxelize_input *in, const mesh_opening *opening, double length_mm);
void extension_free(extension *t);

/* Signed distance to the wall at a point, mm, of the lumen with its extension. distance_mm: signed distance without the
 * extension. `in` as for extension_create. */
double extension_distance(const extension *t, const voxelize_input *in, const double lps_mm[3], double distance_mm);

/* True if everything within reach_mm of the point is behind the plane, where the extension changes nothing. */
bool extension_is_behind(const extension *t, const double lps_mm[3], double reach_mm);
#endif
