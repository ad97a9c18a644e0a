/* Damages a file: mutate FILE SEED REGION REGIONS [seal]
 *
 * One change, drawn from SEED, begins in part REGION of the REGIONS equal parts of the file: a bit, a byte, a run of
 * bytes, a digit of a number, a piece cut out or put in, the end cut off, or bytes behind it. With "seal" the file
 * (JSON or HDF5) gets a right seal again, as if another program had written it. Prints what was done. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/hdf5_seal.h"
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { RUN_MAX = 64, HDF5_SEAL = 16, JSON_SEAL = 20 };

static uint64_t state;

static size_t draw(size_t n) { /* 0 .. n - 1 (splitmix64, Steele et al. 2014) */
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return n > 0 ? (size_t)((z ^ z >> 31) % n) : 0;
}

/* Another digit in place of the next one at or after `at`; false when there is none. */
static bool change_digit(char *data, size_t n, size_t at) {
    while (at < n && !isdigit((unsigned char)data[at]))
        at++;
    if (at == n)
        return false;
    data[at] = (char)('0' + (data[at] - '0' + 1 + (int)draw(9)) % 10);
    printf("digit at %zu", at);
    return true;
}

/* data has room for RUN_MAX more bytes; returns the new size. */
static size_t change(char *data, size_t n, size_t at) {
    const size_t kind = draw(8), left = n - at, run = 1 + draw(left < RUN_MAX ? left : RUN_MAX);
    if (kind < 3 && change_digit(data, n, at))
        return n;
    switch (kind) {
    case 4:
        printf("%zu random bytes at %zu", run, at);
        for (size_t k = 0; k < run; k++)
            data[at + k] = (char)(data[at + k] ^ (1 + (int)draw(255)));
        return n;
    case 5:
        printf("%zu bytes cut out at %zu", run, at);
        memmove(data + at, data + at + run, left - run);
        return n - run;
    case 6:
        printf("%zu bytes doubled at %zu", run, at);
        memmove(data + at + run, data + at, left);
        return n + run;
    case 7:
        printf("cut short at %zu", at);
        return at;
    default:
        printf("bit at %zu", at);
        data[at] = (char)(data[at] ^ 1 << draw(8));
        return n;
    }
}

/* The JSON seal is 16 hex digits before the last "\"\n}\n" (common/record/json.c). */
static void seal_json(char *data, size_t n) {
    char hex[17];
    if (n < JSON_SEAL)
        return;
    memset(data + n - JSON_SEAL, '0', 16);
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)XXH3_64bits(data, n));
    memcpy(data + n - JSON_SEAL, hex, 16);
}

int main(int argc, char **argv) {
    char *data = NULL, *larger;
    size_t n = 0;
    int rc = OK;
    if (argc < 5)
        return status_finish("mutate", fail(ERR_USAGE, "mutate FILE SEED REGION REGIONS [seal]"));
    const char *path = argv[1];
    const size_t region = strtoul(argv[3], NULL, 10), regions = strtoul(argv[4], NULL, 10);
    const bool json = file_ends_with(path, ".json"),
               hdf5 = file_ends_with(path, ".h5") || file_ends_with(path, ".vtkhdf");
    const bool seal = argc > 5 && (json || hdf5);
    state = strtoull(argv[2], NULL, 10);
    TRY(file_read(path, (size_t)1 << 30, &data, &n));
    larger = realloc(data, n + 2 * RUN_MAX);
    if (!larger || n < 64 || region >= regions)
        GIVE_UP(fail(ERR_USAGE, "'%s' cannot be damaged so", path));
    data = larger;
    const size_t fixed = seal ? (json ? JSON_SEAL + 12 : HDF5_SEAL) : 0, body = n - fixed;
    const size_t low = body * region / regions, high = body * (region + 1) / regions;
    const size_t now = change(data, body, low + draw(high - low));
    if (seal && json) {
        char tail[JSON_SEAL + 12 + 1];
        snprintf(tail, sizeof tail, ",\n\t\"seal\":\t\"%016d\"\n}\n", 0);
        memcpy(data + now, tail, strlen(tail)); // NOLINT(bugprone-not-null-terminated-result): bytes of a file
        n = now + strlen(tail);
        seal_json(data, n);
    } else {
        n = now;
    }
    printf("\n");
    unlink(path); /* it may be a link to the clean file */
    TRY(file_write(path, data, n));
    if (seal && hdf5)
        TRY(hdf5_seal(path));
cleanup:
    free(data); // file_read leaves NULL when it fails: NOLINT(clang-analyzer-unix.Malloc)
    return status_finish("mutate", rc);
}
