/* From the openings of a case to planes: points into the lumen, normals along the vessel, cross-sections that are
 * whole. */
#ifndef PORTAFLOW_PLACE_H
#define PORTAFLOW_PLACE_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "mesh/lumen.h"

typedef struct {
    mesh_opening plane; /* the sign of the normal is not yet settled */
    double area_mm2;    /* of the cross-section */
    double moved_mm;    /* how far the plane was moved, to a whole cross-section or to the end */
} placed_opening;

/* Place opening k of the case. low_mm, high_mm: box of the vessel (LPS). image: the geometry points in voxels refer to.
 * Moves and oblique planes are reported as warnings. Errors: ERR_INPUT, naming the opening; ERR_RESOURCE. */
MUST_CHECK int place_opening(const case_file *c, int k, const volume *image, const lumen *l, const double low_mm[3],
                             const double high_mm[3], placed_opening *out);
#endif
