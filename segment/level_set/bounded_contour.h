/* With a tube: where the front starts in it, and how far from it the wall may lie. */
#ifndef PORTAFLOW_SEGMENT_BOUNDED_CONTOUR_H
#define PORTAFLOW_SEGMENT_BOUNDED_CONTOUR_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Level sets of the tube (vessel_region.h), cells, on the working grid before it is halved. */
typedef struct {
    volume clip;  /* the wall is nowhere beyond this */
    volume field; /* the tube's own wall */
} tube_limits;

/* What is nearer to the vessel than to the nearest tissue round it, close to the tube that was measured there. limits,
 * level: out, level in cells; typical: gradient at the wall, per cell. Errors: ERR_RESOURCE. */
MUST_CHECK int bounded_contour_find(front *f, tube_limits *limits, volume *level, double *typical);

/* After the edges are placed: noise is shrunk towards the tube, and no place of the wall is further from it than it
 * allows. Errors: ERR_RESOURCE. */
MUST_CHECK int bounded_contour_limit(const front *f, tube_limits *limits, volume *level);
void bounded_contour_free(tube_limits *limits);
#endif
