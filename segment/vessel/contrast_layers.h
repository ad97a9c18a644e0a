/* Blood of different brightness side by side in one vessel: contrast that two inflows have not mixed yet. */
#ifndef PORTAFLOW_CONTRAST_LAYERS_H
#define PORTAFLOW_CONTRAST_LAYERS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

/* A tube that was measured in the brighter layer takes the darker one for tissue. Such a cross-section (image averaged
 * along the vessel) is not round above the middle between vessel and tissue, and round above a lower level, where the
 * darker layer belongs to it. How round: area^2 / (2 pi J), J the polar second moment of area about the centroid; 1 for
 * a disc, 0.78 for half of one, 0.67 for two equal discs that touch. Where that holds along two radii, blood within the
 * round sections is made as bright everywhere as `inside`: the image times (inside - tissue) / (blood nearby - tissue)
 * about the tissue's intensity, blood nearby a Gaussian mean over the sections.
 *
 * t: measured in `image` times sign (bright vessel). inside: intensity of the vessel at the seeds, times sign. wide_mm:
 * radius at the widest seed. image: in and out. length_mm: out, of what lies in layers, place_mm (LPS) the middle of
 * its first stretch; 0: the image is as it was, place_mm, too. A level less than a fifth of the contrast above the
 * tissue does not count: a clot is darker than that.
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_layers.c */
MUST_CHECK int contrast_layers_even(const tube *t, double sign, double inside, double wide_mm, volume *image, double *length_mm,
                           double place_mm[3]);
#endif
