/* Are the seeds of a case in the other frame? Where RAS and LPS are exchanged a point turns to the other side of the
 * body. */
#ifndef PIPELINE_INIT_FRAME_LOOK_H
#define PIPELINE_INIT_FRAME_LOOK_H
#include "common/case/case.h"
#include "common/image/volume.h"

/* True when not every seed stands out of what is 10 to 14 mm round it, and with x and y turned every one of them does,
 * all brighter or all darker. By the image alone; two seeds at least, not for voxel indices. `image` with its values.
 * Test: tests/cli/pipeline.txt */
bool frame_look_exchanged(const case_file *c, const volume *image);

#endif
