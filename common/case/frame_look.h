/* Detects seeds in another frame than the case states. Exchanging RAS and LPS moves a point to the other side of the
 * body; voxel indices read as mm, or the reverse, usually lie outside the image. */
#ifndef PORTAFLOW_FRAME_LOOK_H
#define PORTAFLOW_FRAME_LOOK_H
#include "common/case/case.h"
#include "common/image/volume.h"

/* First of RAS, LPS and voxel in which every seed differs clearly from its surroundings 10 to 14 mm away, all brighter
 * or all darker, although this fails in `space`; -1: none. Uses the image only. A single seed suffices for RAS against
 * LPS only if it lies outside the image. image: with values, may be a part; whole: geometry for voxel indices. Test:
 * tests/cli/pipeline.txt, tests/cli/segment.txt */
int frame_look_other(const case_file *c, const volume *image, const volume *whole);

/* Text "is 'space: LPS' meant?" with the observation, for that space; without a position. */
enum { FRAME_LOOK_TEXT = 160 };
void frame_look_ask(const case_file *c, int other, char text[FRAME_LOOK_TEXT]);

#endif
