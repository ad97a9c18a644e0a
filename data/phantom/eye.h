/* SPDX-License-Identifier: Apache-2.0 */
/* The anterior segment of an eye: chambers of aqueous humor before and behind the iris, cooled at the cornea. Sizes
 * and properties: SOURCES.md. */
#ifndef PORTAFLOW_EYE_H
#define PORTAFLOW_EYE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/shape.h"

/* the eye in LPS mm; the origin is the centre of the pupil; the cornea faces forward (-y) */
extern const shape eye_shape;

/* Write folder/case.yaml for the exact shape (image NULL) or for the label image. across: cells over the depth of the
 * anterior chamber; 0: the default, 17 cells. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int eye_write_case(const char *folder, const char *image, double across);

/* Make the label image: 1 aqueous humor, 2 cornea, 3 iris, 4 lens, 5 ciliary body, tissue up to 1 mm thick, 0
 * elsewhere. Errors: ERR_RESOURCE. */
MUST_CHECK int eye_labels(const double spacing_mm[3], volume *v);
#endif
