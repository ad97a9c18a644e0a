/* Pieces of a closed surface that lie within others: which side of them is the lumen. */
#ifndef PORTAFLOW_SURFACE_NEST_H
#define PORTAFLOW_SURFACE_NEST_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

/* Turns every piece (triangles that share points) so that its normals point out of the lumen, which is where a line
 * from far away has crossed the surface an odd number of times: a piece within an odd number of others is a hole in
 * it, as surface_to_phi takes it. s: closed; where pieces cross each other, what is turned means nothing
 * (surface_crossing.h). *turned: pieces that were the other way round. Method: crossings of a ray (moller1997). Errors:
 * ERR_RESOURCE. */
MUST_CHECK int surface_nest(surface *s, int *turned);
#endif
