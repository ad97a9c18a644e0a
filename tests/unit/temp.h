/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for the files of a test, removed when the test program ends. */
#ifndef PORTAFLOW_TESTS_TEMP_H
#define PORTAFLOW_TESTS_TEMP_H
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char temp_root[256];

static int temp_remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk) {
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

static void temp_remove(void) {
    if (temp_root[0])
        nftw(temp_root, temp_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Path of a file of the test; one of four buffers in turn. */
static inline const char *temp_path(const char *name) {
    static char path[4][512];
    static int turn;
    if (!temp_root[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(temp_root, sizeof temp_root, "%.200s/portaflow-test-XXXXXX", base ? base : "/tmp");
        if (!mkdtemp(temp_root))
            abort();
        atexit(temp_remove);
    }
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", temp_root, name);
    return path[turn];
}

static inline const char *temp_write(const char *name, const void *data, size_t size) {
    const char *path = temp_path(name);
    FILE *f = fopen(path, "wb");
    if (!f || (size && fwrite(data, 1, size, f) != size) || fclose(f) != 0)
        abort();
    return path;
}

static inline const char *temp_text(const char *name, const char *text) {
    return temp_write(name, text, strlen(text));
}
#endif
