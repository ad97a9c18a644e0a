/* See image_look.h. */
#include "pipeline/init/image_look.h"
#include "common/image/itk_image.h"
#include <stdlib.h>
#include <string.h>

int image_look(const char *path, const char *series, bool pixels, volume *v, bool *seen) {
    memset(v, 0, sizeof *v);
    *seen = true;
    int rc = pixels ? image_read(path, series, v) : image_read_geometry(path, series, v);
    free(v->value);
    v->value = NULL;
    return rc;
}
