/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fault/damage.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum { RUN_MAX = DAMAGE_ROOM / 2, HDF5_SEAL = 16, JSON_SEAL = 20 };

enum { WHAT = 80 };

static uint64_t state;

static size_t draw(size_t n) { /* 0 .. n - 1 (splitmix64, Steele et al. 2014) */
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return n > 0 ? (size_t)((z ^ z >> 31) % n) : 0;
}

/* Another digit in place of the next one at or after `at`; false when there is none. */
static bool change_digit(char *data, size_t n, size_t at, char *what) {
    while (at < n && !isdigit((unsigned char)data[at]))
        at++;
    if (at == n)
        return false;
    data[at] = (char)('0' + (data[at] - '0' + 1 + (int)draw(9)) % 10);
    snprintf(what, WHAT, "digit at %zu", at);
    return true;
}

/* data has room for RUN_MAX more bytes; returns the new size. */
static size_t change(char *data, size_t n, size_t at, char *what) {
    const size_t kind = draw(8), left = n - at, run = 1 + draw(left < RUN_MAX ? left : RUN_MAX);
    if (kind < 3 && change_digit(data, n, at, what))
        return n;
    switch (kind) {
    case 4:
        snprintf(what, WHAT, "%zu random bytes at %zu", run, at);
        for (size_t k = 0; k < run; k++)
            data[at + k] = (char)(data[at + k] ^ (1 + (int)draw(255)));
        return n;
    case 5:
        snprintf(what, WHAT, "%zu bytes cut out at %zu", run, at);
        memmove(data + at, data + at + run, left - run);
        return n - run;
    case 6:
        snprintf(what, WHAT, "%zu bytes doubled at %zu", run, at);
        memmove(data + at + run, data + at, left);
        return n + run;
    case 7:
        snprintf(what, WHAT, "cut short at %zu", at);
        return at;
    default:
        snprintf(what, WHAT, "bit at %zu", at);
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

size_t damage(char *data, size_t n, uint64_t seed, size_t region, size_t regions, bool sealed_json, bool sealed_hdf5,
              char what[80]) {
    if (n < DAMAGE_ROOM / 2 || region >= regions)
        return 0;
    state = seed;
    const size_t fixed = sealed_json ? JSON_SEAL + 12 : sealed_hdf5 ? HDF5_SEAL : 0, body = n - fixed;
    const size_t low = body * region / regions, high = body * (region + 1) / regions;
    const size_t now = change(data, body, low + draw(high - low), what);
    if (!sealed_json)
        return now;
    char tail[JSON_SEAL + 12 + 1];
    snprintf(tail, sizeof tail, ",\n\t\"seal\":\t\"%016d\"\n}\n", 0);
    memcpy(data + now, tail, strlen(tail)); // NOLINT(bugprone-not-null-terminated-result): bytes of a file
    seal_json(data, now + strlen(tail));
    return now + strlen(tail);
}
