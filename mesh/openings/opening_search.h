/* State of the search for an opening plane: plane so far, direction of the vessel. */
#ifndef PORTAFLOW_OPENING_SEARCH_H
#define PORTAFLOW_OPENING_SEARCH_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "mesh/lumen/lumen.h"
#include "mesh/section/cross_section.h"

typedef struct {
    mesh_opening plane; /* the sign of the normal is still open */
    double area_mm2;    /* of the cross-section */
    double moved_mm;    /* displacement of the plane, to a complete cross-section or to the end */
} opening_plane;

typedef struct {
    const case_file *c;
    const case_opening *asked;
    const lumen *l;
    voxelize_input in; /* coarse, for the search */
    opening_plane *out;
    double radius_mm; /* radius of the ball inscribed in the vessel at the point */
    double way;       /* not 0: the vessel has an oblique end here and continues in this direction along the normal */
    bool ends;        /* the vessel ends near here */
    double axis[3];   /* direction of the vessel if a given plane seems oblique; else 0 */
} opening_search;

/* Signed distance to the wall, mm. */
static inline double opening_search_distance(const opening_search *p, const double point[3]) {
    return p->in.distance(p->in.data, point);
}

/* Cross-section `shift` mm along the normal: area (0: none), and whether it is complete. Errors: ERR_RESOURCE. */
MUST_CHECK int opening_search_section(const opening_search *p, section *s, double shift, double *area, bool *whole);

/* Sets the normal: along the vessel, or as requested; also ends, way and axis. Errors: ERR_INPUT (no direction, or the
 * plane runs along the vessel), ERR_RESOURCE. */
MUST_CHECK int opening_search_normal(opening_search *p);
#endif
