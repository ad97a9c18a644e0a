/* The anterior segment of an eye: chambers of aqueous humor before and behind the iris, cooled at the cornea. Sizes and
 * properties, with sources: README.md. */
#ifndef PORTAFLOW_EYE_H
#define PORTAFLOW_EYE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/shape.h"

extern const shape eye_shape; /* LPS mm, centre of the pupil at the origin, the cornea towards the front (-y) */

/* folder/case.yaml: of the exact shape (image NULL), or of the label image, walls by its labels. across: cells over
 * the depth of the anterior chamber, 0: 17. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int eye_write_case(const char *folder, const char *image, double across);

/* Labels at voxels of this width: 1 aqueous humor, 2 cornea, 3 iris, 4 lens, 5 ciliary body, each a millimetre thick
 * at most, 0 elsewhere. Errors: ERR_RESOURCE. */
MUST_CHECK int eye_labels(const double spacing_mm[3], volume *v);
#endif
