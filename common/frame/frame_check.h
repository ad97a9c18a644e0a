/* SPDX-License-Identifier: Apache-2.0 */
/* Checks if the seeds of a case fit another coordinate frame better than `space`. Exchanging RAS and LPS mirrors a
 * point to the other side of the body. Voxel indices read as mm, or mm read as indices, are mostly outside the
 * image. */
#ifndef PORTAFLOW_FRAME_LOOK_H
#define PORTAFLOW_FRAME_LOOK_H
#include "common/case/case.h"
#include "common/image/volume.h"

/* Returns another space (the first of RAS, LPS, voxel), if the seeds look like a vessel there: every seed differs
 * clearly from the image 10 to 14 mm around it, all brighter or all darker. -1: none, or the seeds look like a vessel
 * in the case's space already. One seed alone cannot reveal an exchange of RAS and LPS, unless it is outside the image.
 * `image` has values and may be a part of `whole`, whose geometry defines voxel indices. Test: tests/cli/pipeline.txt,
 * tests/cli/segment.txt */
int frame_check_find(const case_file *c, const volume *image, const volume *whole);

/* Writes a question for the user: "... is 'space: LPS' meant?". The text contains no coordinates. */
enum { FRAME_CHECK_TEXT = 160 };
void frame_check_write_question(const case_file *c, int other, char text[FRAME_CHECK_TEXT]);

#endif
