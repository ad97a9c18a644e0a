/* SPDX-License-Identifier: Apache-2.0 */
/* Narrow places of a lumen where the vessel loses signal, such as bends in a time-of-flight MRA. */
#ifndef PORTAFLOW_SEGMENT_SIGNAL_LOSS_H
#define PORTAFLOW_SEGMENT_SIGNAL_LOSS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"

enum { SIGNAL_LOSS_MAX = 16 };

typedef struct {
    double point_mm[3]; /* LPS: narrowest place */
    double length_mm;   /* length of the narrow stretch along the vessel */
    int opening;        /* opening from which along_mm counts; -1: from the end of the vessel at end_mm */
    double end_mm[3];   /* LPS: end of the branch */
    double along_mm;    /* distance, along the vessel, of the narrowest place from that opening or end */
    double radius_mm;   /* smallest radius of the lumen in the stretch */
    double vessel_mm;   /* smaller of the vessel's radii before and behind the stretch */
    double signal;      /* contrast in the stretch over the contrast of the vessel before or behind */
    bool one_side;      /* `signal` is the contrast at one side of the lumen, where the vessel would be */
} signal_loss;

typedef struct {
    int n, unlisted; /* n: number of listed stretches; unlisted: number of stretches for which the list had no room */
    signal_loss found[SIGNAL_LOSS_MAX];
} signal_losses;

/* Find stretches of the lumen that are narrow although the image there is as wide as the vessel. All must hold:
 * - the radius is below 0.7 of the vessel's radius before and behind, which is 1.5 voxels or more;
 * - the contrast in the middle is below 0.85 of the vessel's contrast before or behind;
 * - the image falls to half of this weaker contrast only beyond 0.7 of the vessel's radius and 1.3 radii of the lumen
 *   (median over rays across the vessel).
 * A true stenosis misses the last condition: its bright lumen is narrow in the image, too.
 *
 * Loss on one side, where the middle of the lumen has the full contrast: the vessel's cross-section without the loss is
 * a disc of the vessel's radius, its centre on a cubic curve between the whole vessel before and behind. The part of
 * the disc 1.25 voxels (longest side) or more outside the lumen is brighter than the tissue around by 0.15 of the
 * vessel's contrast or more (medians). A plaque has the contrast of tissue: -0.05 to 0.04 in 39 cross-sections of
 * 16 random phantoms with eccentric stenoses. A loss to 0.3 of the contrast gives 0.30 to 0.37.
 *
 * image: as read. phi: signed distance, mm, negative inside. opening [n_opening] LPS. bridged: if not NULL and anything
 * is found, created as the smaller of phi and the distance to a tube along each stretch; its radius is interpolated
 * between the ends of the stretch, its center is the center of the image's signal. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_signal_loss.c */
MUST_CHECK int signal_loss_find(const volume *image, const volume *phi, const seeds_statistics *seeds, int n_opening,
                                const double (*opening)[3], signal_losses *out, volume *bridged);
#endif
