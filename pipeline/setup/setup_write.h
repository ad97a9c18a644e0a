/* What goes onto the page of `init`: the image and a mask on the same grid, or the mask alone. */
#ifndef PORTAFLOW_SETUP_WRITE_H
#define PORTAFLOW_SETUP_WRITE_H
#include "common/base/must_check.h"
#include "pipeline/inspect/case_choice.h"
#include "pipeline/run/patient.h"
#include <stdbool.h>

/* setup.html at `path` of the image in `dir` that was chosen (without one, of the mask), with the mask, and with the
 * ends found at it (without a mask also seeds) as points to take or remove. An image that cannot be read is no error
 * (*written false, `check` says why); so is a build without ITK. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int setup_write(const char *path, const char *dir, const case_choice *choice, bool *written);

/* The same page of a case as it is: its seeds, openings with what is given there and, once mesh has made them, their
 * cuts with arrows and diameters, sections, the lumen where there is a mask or a result. text: of its file, to be
 * changed on the page, where everything but seeds, openings and sections is kept as it stands; NULL: to look at only.
 * Errors: as setup_write. */
MUST_CHECK int setup_write_case(const char *path, const patient *p, const char *text, bool *written);
#endif
