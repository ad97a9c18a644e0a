/* SPDX-License-Identifier: Apache-2.0 */
/* Makes blood equally bright where unmixed contrast agent causes two intensities next to each other in one vessel. */
#ifndef PORTAFLOW_CONTRAST_LAYERS_H
#define PORTAFLOW_CONTRAST_LAYERS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

/* Scale blood in layers to one intensity. A tube measured in the brighter layer treats the darker layer as tissue.
 * Then, in the cross-section (image averaged along the vessel), the region above the middle between vessel and tissue
 * is not round: it lacks the darker layer. The region above a lower level has both layers and is round. Roundness:
 * area^2 / (2 pi J), J the polar second moment of area about the centroid; 1 for a disc, 0.78 for a half disc, 0.67 for
 * two equal discs.
 *
 * If this holds at six nodes or more (1.5 radii) and at half of the nodes of a run, blood within the round regions is
 * scaled to `inside`: its difference to the tissue is multiplied by (inside - tissue) / (local blood - tissue). Local
 * blood is a Gaussian mean over these regions. Levels below a fifth of the contrast are ignored: a clot is darker. t:
 * measured in `image` times sign (bright vessel). inside: intensity at the seeds, times sign. wide_mm: radius at the
 * widest seed. image: in and out. length_mm: out, length of the layers; 0: image and place_mm are unchanged. place_mm:
 * LPS, middle of the first stretch. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_layers.c */
MUST_CHECK int contrast_layers_even(const tube *t, double sign, double inside, double wide_mm, volume *image,
                                    double *length_mm, double place_mm[3]);
#endif
