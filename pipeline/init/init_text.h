/* The text of a new case.yaml. */
#ifndef PORTAFLOW_INIT_TEXT_H
#define PORTAFLOW_INIT_TEXT_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "pipeline/init/init_find.h"

/* `image` is the image of the case ("" when there is none) and v what is known of it (dims[0] 0:
 * nothing). *text is the caller's. Errors: ERR_RESOURCE. */
MUST_CHECK int init_text(const char *image, const volume *v, const find_list *found, char **text);
#endif
