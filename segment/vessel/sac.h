/* A widening of the vessel that no tube follows: an aneurysm. */
#ifndef PORTAFLOW_SAC_H
#define PORTAFLOW_SAC_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

/* Where a third of the rays from the tube's middle run on through what is as bright, half of the vessel's radius beyond
 * its wall at least: is it a sac of the vessel, or a neighbour that touches it? It is a sac when
 * - a ball nearly as wide as the vessel before and behind it (0.85 of the radius) rolls from the vessel into it, which
 *   none does through the patch where a round organ touches;
 * - a ball of 1.8 times that radius fits in;
 * - what balls of half that size reach of it is about as bright as the vessel, ends within the image, and is round: no
 *   further than 2.2 of its radii from its middle (with a seed in it this is not asked).
 * It is added to the tube (t->sac, t->found), so that tube_field() counts it. Listed as not taken: what fails by its
 * shape, brightness or end alone, and what only a ball of 0.65 radii reaches, up to four times as wide as the
 * vessel and round, which may be either.
 *
 * image: as for tube_measure. seed [n_seed] LPS mm. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_sac.c */
MUST_CHECK int sac_find(const volume *image, const tube_guess *guess, int n_seed, const double (*seed)[3], tube *t);
#endif
