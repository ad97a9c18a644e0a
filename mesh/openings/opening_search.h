/* An opening while its plane is being found: the plane so far, and the direction of the vessel there. */
#ifndef PORTAFLOW_OPENING_SEARCH_H
#define PORTAFLOW_OPENING_SEARCH_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "mesh/lumen/lumen.h"
#include "mesh/section/cross_section.h"

typedef struct {
    mesh_opening plane; /* the sign of the normal is not yet settled */
    double area_mm2;    /* of the cross-section */
    double moved_mm;    /* how far the plane was moved, to a whole cross-section or to the end */
} opening_plane;

typedef struct {
    const case_file *c;
    const case_opening *asked;
    const lumen *l;
    voxelize_input in; /* coarse, for looking */
    opening_plane *out;
    double radius_mm; /* of the ball that fits into the vessel at the point */
    double way;     /* above or below 0: the vessel ends here, cut at an angle, and goes on this way along the normal */
    bool ends;      /* the vessel ends near here */
    double axis[3]; /* the vessel's direction, where a given plane seems to cut it obliquely; else 0 */
} opening_search;

/* Signed distance to the wall, mm. */
static inline double opening_search_distance(const opening_search *p, const double point[3]) {
    return p->in.distance(p->in.data, point);
}

/* The cross-section `shift` mm along the normal: its area, 0 when there is none, and whether it is whole.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int opening_search_section(const opening_search *p, section *s, double shift, double *area, bool *whole);

/* Normal along the vessel, or the one that was asked for. Sets ends, way and axis, too.
 * Errors: ERR_INPUT (no direction, or the plane runs along the vessel), ERR_RESOURCE. */
MUST_CHECK int opening_search_normal(opening_search *p);
#endif
