/* What place.c knows of an opening while it is placed, and the direction of the vessel there (placing.c). */
#ifndef PORTAFLOW_PLACING_H
#define PORTAFLOW_PLACING_H
#include "mesh/place.h"
#include "mesh/section.h"

typedef struct {
    const case_file *c;
    const case_opening *asked;
    const lumen *l;
    voxelize_input in; /* coarse, for looking */
    placed_opening *out;
    double radius_mm; /* of the ball that fits into the vessel at the point */
    double way;     /* above or below 0: the vessel ends here, cut at an angle, and goes on this way along the normal */
    bool ends;      /* the vessel ends near here */
    double axis[3]; /* the vessel's direction, where a given plane seems to cut it obliquely; else 0 */
} placing;

/* Signed distance to the wall, mm. */
static inline double placing_distance(const placing *p, const double point[3]) {
    return p->in.distance(p->in.data, point);
}

/* The cross-section `shift` mm along the normal: its area, 0 when there is none, and whether it is whole.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int placing_look(const placing *p, section *s, double shift, double *area, bool *whole);

/* Normal along the vessel, or the one that was asked for. Sets ends, way and axis, too.
 * Errors: ERR_INPUT (no direction, or the plane runs along the vessel), ERR_RESOURCE. */
MUST_CHECK int placing_normal(placing *p);
#endif
