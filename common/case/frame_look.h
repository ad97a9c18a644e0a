/* Are the seeds of a case in another frame than it says? Where RAS and LPS are exchanged a point turns to the other
 * side of the body; voxel indices taken for mm, or mm for indices, mostly lie outside the image. */
#ifndef PORTAFLOW_FRAME_LOOK_H
#define PORTAFLOW_FRAME_LOOK_H
#include "common/case/case.h"
#include "common/image/volume.h"

/* The first of RAS, LPS and voxel indices in which every seed stands out of what is 10 to 14 mm round it, all brighter
 * or all darker, when as `space` says not every one does; -1: none. By the image alone. A single seed is not enough for
 * RAS and LPS exchanged unless it lies outside the image. `image` with its values, or a part of the one whose geometry
 * is `whole`, which voxel indices count. Test: tests/cli/pipeline.txt, tests/cli/segment.txt */
int frame_look_other(const case_file *c, const volume *image, const volume *whole);

/* "is 'space: LPS' meant?" with what was seen, of that other space. The words do not say where: a literal's length. */
enum { FRAME_LOOK_TEXT = 160 };
void frame_look_ask(const case_file *c, int other, char text[FRAME_LOOK_TEXT]);

#endif
