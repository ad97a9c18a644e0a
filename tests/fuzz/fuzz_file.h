/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a fuzz target as a file: one name a process, removed when the next one is written and at the end. */
#ifndef PORTAFLOW_TESTS_FUZZ_FILE_H
#define PORTAFLOW_TESTS_FUZZ_FILE_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char fuzz_path[96];

static inline void fuzz_remove(void) {
    if (fuzz_path[0])
        unlink(fuzz_path);
}

static inline const char *fuzz_file(const uint8_t *data, size_t size, const char *ending) {
    if (!fuzz_path[0])
        atexit(fuzz_remove);
    fuzz_remove();
    snprintf(fuzz_path, sizeof fuzz_path, "/tmp/portaflow-fuzz-%ld%s", (long)getpid(), ending);
    FILE *f = fopen(fuzz_path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
    return fuzz_path;
}

/* A refusal is one of these codes, with a sentence. */
static inline void fuzz_refused(int rc, const char *sentence) {
    enum { INPUT = 3, RESOURCE = 6 };
    if ((rc != INPUT && rc != RESOURCE) || strlen(sentence) < 10) {
        fprintf(stderr, "code %d, '%s'\n", rc, sentence);
        abort();
    }
}
#endif
