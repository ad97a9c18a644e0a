/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target over the files of folders: what ctest does with every corpus, under any compiler. Each file is
 * also tried cut short and with single bytes changed, so that a replay is more than a list of old accidents. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 1 << 20, VARIANTS = 64 };

/* A copy of exact size, so that reading beyond its end is seen by the sanitizer. */
static void try_one(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        exit(1);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void try_variants(uint8_t *data, size_t size) {
    uint32_t seed = 12345;
    for (int k = 0; k < VARIANTS && size > 0; k++) {
        seed = seed * 1664525u + 1013904223u;
        size_t at = (seed >> 8) % size;
        uint8_t kept = data[at];
        try_one(data, at);
        data[at] = (uint8_t)(k % 2 ? seed >> 24 : kept ^ 1u << (seed >> 29));
        try_one(data, size);
        data[at] = kept;
    }
}

static int try_file(const char *path) {
    static uint8_t data[INPUT_MAX];
    FILE *f = fopen(path, "rb");
    if (!f)
        return 0;
    size_t size = fread(data, 1, sizeof data, f);
    fclose(f);
    try_one(data, size);
    try_variants(data, size);
    return 1;
}

int main(int argc, char **argv) {
    int n = 0;
    for (int k = 1; k < argc; k++) {
        struct dirent **entry;
        int found = scandir(argv[k], &entry, NULL, NULL);
        for (int e = 0; e < found; e++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[k], entry[e]->d_name);
            if (entry[e]->d_name[0] != '.')
                n += try_file(path);
            free(entry[e]);
        }
        if (found >= 0)
            free(entry);
    }
    printf("%d inputs\n", n);
    return n > 0 ? 0 : 1;
}
