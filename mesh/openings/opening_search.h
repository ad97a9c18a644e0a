/* SPDX-License-Identifier: Apache-2.0 */
/* State of the search for the plane of an opening: the plane, and the direction of the vessel there. */
#ifndef PORTAFLOW_OPENING_SEARCH_H
#define PORTAFLOW_OPENING_SEARCH_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "mesh/lumen/lumen.h"
#include "mesh/section/cross_section.h"

typedef struct {
    mesh_opening plane; /* plane of the opening; the sign of its normal is not final */
    double area_mm2;    /* area of the cross-section in this plane */
    /* distance by which the plane was moved from the given place to a whole cross-section or to the end of the
     * vessel */
    double moved_mm;
} opening_plane;

typedef struct {
    const case_file *c;
    const case_opening *requested;
    const lumen *l;
    voxelize_input in; /* lumen in a box with a coarse spacing, used only for the search */
    opening_plane *out;
    double radius_mm; /* radius of the largest ball in the vessel at the point */
    /* near an end that is cut at an angle: the sign tells whether the vessel continues along (> 0) or against (< 0) the
     * normal; 0: no such end is near */
    double way;
    bool ends;      /* true: the vessel ends near the point */
    double axis[3]; /* direction of the vessel, if a given plane seems to cut it obliquely; otherwise 0 */
} opening_search;

/* Signed distance to the wall, mm. */
static inline double opening_search_distance(const opening_search *p, const double point[3]) {
    return p->in.distance(p->in.data, point);
}

/* Measure the cross-section `shift` mm along the normal. *area: its area, 0 if there is no fluid; *whole: whether it is
 * closed within the grid. Errors: ERR_RESOURCE. */
MUST_CHECK int opening_search_section(const opening_search *p, section *s, double shift, double *area, bool *whole);

/* Find the normal along the vessel, or check the given normal. Also sets ends, way and axis. Errors: ERR_INPUT (no
 * direction, or the plane is along the vessel), ERR_RESOURCE. */
MUST_CHECK int opening_search_normal(opening_search *p);
#endif
