/* SPDX-License-Identifier: Apache-2.0 */
/* Finds widenings of the vessel that a tube does not follow: aneurysms. */
#ifndef PORTAFLOW_SAC_H
#define PORTAFLOW_SAC_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

/* Finds sacs, which the tube does not follow. Tested are places where a third of the rays from the centerline are on
 * average as bright as the vessel between 1.15 and 1.7 vessel radii from it. Such a place is a sac if
 *
 * - a ball of 0.85 vessel radii rolls into it from the vessel, which the contact patch of a round organ prevents;
 * - a ball of 1.8 vessel radii fits into it; the radius of the largest such ball is the sac radius;
 * - the region that balls of half the sac radius reach is about as bright as the vessel and ends within the image;
 * - that region is round, within 2.2 sac radii of its centre (not tested if a seed lies in it).
 *
 * A sac is added to the tube (t->sac, t->found), so tube_field() includes it. Listed only, with taken = false:
 * structures that fail by shape, brightness or border alone, and round structures up to four vessel radii that only a
 * ball of 0.65 radii enters. image: as for tube_measure. seed [n_seed]: LPS, mm. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_sac.c */
MUST_CHECK int sac_find(const volume *image, const tube_guess *guess, int n_seed, const double (*seed)[3], tube *t);
#endif
