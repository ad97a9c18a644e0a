/* SPDX-License-Identifier: Apache-2.0 */
/* Implements picture.h for a build without EGL. */
#include "post/picture/picture.h"
#include "common/base/status.h"

int picture_draw_all(const picture_input *in, const char *folder, picture_file *files, int *n, const char **reason) {
    (void)in;
    (void)folder;
    (void)files;
    *n = 0;
    *reason = "post was built without EGL";
    return OK;
}
