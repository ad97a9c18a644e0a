/* SPDX-License-Identifier: Apache-2.0 */
#include "common/record/hdf5_seal.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 20, SEAL = 16 };
static const char mark[8] = "PFSEAL1\n";

/* Adds a word to the checksum: multiplication by the 64-bit golden ratio (Fibonacci hashing) and a shift, which spreads
 * every bit. For a given word the new checksum is a bijective function of the old one, so a single changed word always
 * changes the checksum. */
static uint64_t add_word(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t add_block(uint64_t h, const unsigned char *data, size_t n) {
    uint64_t word;
    for (; n >= sizeof word; n -= sizeof word, data += sizeof word) {
        memcpy(&word, data, sizeof word);
        h = add_word(h, le64toh(word));
    }
    if (n > 0) {
        word = 0;
        memcpy(&word, data, n);
        h = add_word(h, le64toh(word));
    }
    return h;
}

/* Checksum of the first `size` bytes of a file. */
static int checksum_file(FILE *f, uint64_t size, uint64_t *sum) {
    unsigned char *block = malloc(BLOCK);
    int rc = block ? OK : fail_memory("a checksum", BLOCK);
    *sum = size;
    rewind(f);
    for (uint64_t remaining = size; remaining > 0 && rc == OK;) {
        size_t n = remaining < BLOCK ? (size_t)remaining : BLOCK;
        if (fread(block, 1, n, f) != n)
            rc = ERR_INPUT;
        *sum = add_block(*sum, block, n);
        remaining -= n;
    }
    free(block);
    return rc;
}

static void encode_seal(uint64_t sum, unsigned char seal[SEAL]) {
    memcpy(seal, mark, sizeof mark);
    for (int b = 0; b < 8; b++)
        seal[8 + b] = (unsigned char)(sum >> (8 * b));
}

/* Size of an open file, bytes; -1 when unknown. */
static int64_t get_file_size(FILE *f) {
    return fseeko(f, 0, SEEK_END) == 0 ? (int64_t)ftello(f) : -1;
}

int hdf5_seal(const char *path, const char *name) {
    unsigned char seal[SEAL];
    uint64_t sum = 0;
    FILE *f = fopen(path, "r+b");
    int64_t size = f ? get_file_size(f) : -1;
    int rc = size >= 0 ? checksum_file(f, (uint64_t)size, &sum) : ERR_OUTPUT;
    encode_seal(sum, seal);
    if (rc == OK && (fseeko(f, 0, SEEK_END) != 0 || fwrite(seal, 1, SEAL, f) != SEAL))
        rc = ERR_OUTPUT;
    if (f && fclose(f) != 0 && rc == OK)
        rc = ERR_OUTPUT;
    return rc == OK ? OK : fail(ERR_OUTPUT, "cannot write '%s': %s", name, errno ? strerror(errno) : "write error");
}

int hdf5_seal_check(const char *path, const char *what) {
    unsigned char wanted[SEAL], found[SEAL] = {0};
    uint64_t sum = 0;
    int rc = file_check(path);
    if (rc != OK)
        return rc;
    FILE *f = fopen(path, "rb");
    int64_t size = f ? get_file_size(f) - SEAL : -1;
    rc = size >= 0 ? checksum_file(f, (uint64_t)size, &sum) : ERR_INPUT;
    if (rc == OK && fread(found, 1, SEAL, f) != SEAL)
        rc = ERR_INPUT;
    if (f)
        fclose(f);
    encode_seal(sum, wanted);
    if (rc == ERR_RESOURCE)
        return rc;
    if (rc != OK || memcmp(found, wanted, SEAL) != 0)
        return fail(ERR_INPUT,
                    "'%s' is not a complete %s: it was cut short, damaged or changed after it was written; run the "
                    "stage that writes it again",
                    path, what);
    return OK;
}
