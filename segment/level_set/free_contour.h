/* Without a tube: the front marches and grows from the seeds to the edges of the image. */
#ifndef PORTAFLOW_SEGMENT_FREE_CONTOUR_H
#define PORTAFLOW_SEGMENT_FREE_CONTOUR_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Starts in the voxels that the seeds reach through the allowed intensities of the denoised image, then grows as a
 * geodesic active contour with the speed g = 1 / (1 + exp((G - beta) / alpha)) of the gradient magnitude G; beta and
 * alpha from the gradients inside the vessel (speed 1) and at its wall (speed 0). level: out, cells, negative inside,
 * within about a cell of the edges; where report->flooded, mm on coarse voxels. typical: gradient at the wall, per
 * cell. Errors: ERR_INPUT, ERR_NUMERIC (the front does not start), ERR_RESOURCE. */
MUST_CHECK int free_contour_find(const volume *image, front *f, volume *level, double *typical);

/* Quantile of g over voxels whose distance to the start's border lies in low..high (voxels). Errors: ERR_RESOURCE. */
MUST_CHECK int free_contour_gradient(const volume *g, const volume *distance, double low, double high, double q,
                                     double *out);
#endif
