/* Is it a vessel, and the one that the case speaks of? One line in the log, by which a person sees a wrong unit or a
 * wrong image at once. */
#ifndef PORTAFLOW_SEGMENT_PLAUSIBILITY_H
#define PORTAFLOW_SEGMENT_PLAUSIBILITY_H
#include "segment/output/segmentation.h"

/* Says how wide and long the lumen is, and of which part of the body the image says to be. Warns of sizes that no
 * vessel has and of openings whose vessels are not in that part (PV in a HEAD, ICA in an ABDOMEN),
 * and of a mask or surface of which more than a tenth lies outside the image. */
void plausibility_warn(const segmentation *j);
#endif
