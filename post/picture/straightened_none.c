/* SPDX-License-Identifier: Apache-2.0 */
/* Implements straightened.h for a build without libpng. */
#include "common/base/status.h"
#include "post/picture/straightened.h"

int straightened_draw(const volume *image, const volume *phi, const lattice *l, const vessel_branches *b, int n,
                      const int (*path)[2], const char *folder, picture_file *file, int *n_file) {
    (void)image;
    (void)phi;
    (void)l;
    (void)b;
    (void)n;
    (void)path;
    (void)folder;
    (void)file;
    *n_file = 0;
    return OK;
}
