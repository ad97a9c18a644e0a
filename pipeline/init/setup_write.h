/* What goes onto the page of `init`: the image, and a mask on the same grid. */
#ifndef PORTAFLOW_SETUP_WRITE_H
#define PORTAFLOW_SETUP_WRITE_H
#include "common/base/must_check.h"
#include "pipeline/init/init_text.h"
#include <stdbool.h>

/* setup.html at `path` of the image in `dir` that was chosen, with the mask and the ends found at it (of a mask or a
 * surface). An image that cannot be read is
 * no error (*written false, `check` says why); so is a build without ITK. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int setup_write(const char *path, const char *dir, const init_choice *choice, bool *written);
#endif
