/* SPDX-License-Identifier: Apache-2.0 */
/* Implements setup_write.h for a build that reads no images. */
#include "common/base/status.h"
#include "pipeline/setup/setup_write.h"

int setup_write(const char *path, const char *dir, const case_choice *choice, bool *written) {
    (void)path;
    (void)dir;
    (void)choice;
    *written = false;
    return OK;
}

int setup_write_case(const char *path, const patient *p, const char *text, bool *written) {
    (void)path;
    (void)p;
    (void)text;
    *written = false;
    return OK;
}

bool setup_reads_images(void) {
    return false;
}
