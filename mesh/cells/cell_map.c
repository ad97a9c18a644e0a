/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/cells/cell_map.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

int cell_map_create(cell_map *m, const int dims[3], const bool periodic[3]) {
    memset(m, 0, sizeof *m);
    memcpy(m->dims, dims, sizeof m->dims);
    memcpy(m->periodic, periodic, sizeof m->periodic);
    m->words_per_row = (dims[0] + 63) / 64;
    const size_t n = (size_t)m->words_per_row * (size_t)dims[1] * (size_t)dims[2];
    m->bits = calloc(n, sizeof *m->bits);
    m->first = calloc(n + 1, sizeof *m->first);
    if (!m->bits || !m->first) {
        cell_map_free(m);
        return fail_memory("the map of the cells", 12.0 * (double)n);
    }
    return OK;
}

void cell_map_free(cell_map *m) {
    free(m->bits);
    free(m->first);
    memset(m, 0, sizeof *m);
}

/* Counts the set bits of x: sums in pairs, fours, bytes (warren2012, 5-1). The compiler's builtin would be a function
 * call on processors without such an instruction. */
static int count_bits(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555U;
    x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
    return (int)(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fU) * 0x0101010101010101U >> 56);
}

int64_t cell_map_number(cell_map *m) {
    const size_t n = (size_t)m->words_per_row * (size_t)m->dims[1] * (size_t)m->dims[2];
    int64_t count = 0;
    for (size_t w = 0; w < n; w++) {
        m->first[w] = (uint32_t)count;
        count += count_bits(m->bits[w]);
    }
    m->first[n] = (uint32_t)count;
    return count;
}

/* Index x in 0..n-1, wrapped if periodic; -1: x is outside. */
static int wrap_index(int x, int n, bool periodic) {
    if (x >= 0 && x < n)
        return x;
    return periodic ? ((x % n) + n) % n : -1;
}

int64_t cell_map_find(const cell_map *m, int x, int y, int z) {
    x = wrap_index(x, m->dims[0], m->periodic[0]);
    y = wrap_index(y, m->dims[1], m->periodic[1]);
    z = wrap_index(z, m->dims[2], m->periodic[2]);
    if (x < 0 || y < 0 || z < 0)
        return -1;
    const int64_t word = ((int64_t)z * m->dims[1] + y) * m->words_per_row + (x >> 6);
    const uint64_t bits = m->bits[word], bit = 1ULL << (x & 63);
    if (!(bits & bit))
        return -1;
    return (int64_t)m->first[word] + count_bits(bits & (bit - 1));
}

int cell_map_row(const cell_map *m, int y, int z, int32_t *x, int64_t *first) {
    const int64_t start = ((int64_t)z * m->dims[1] + y) * m->words_per_row;
    int n = 0;
    *first = m->first[start];
    for (int64_t w = 0; w < m->words_per_row; w++)
        for (uint64_t bits = m->bits[start + w]; bits; bits &= bits - 1)
            x[n++] = (int32_t)(64 * w + __builtin_ctzll(bits));
    return n;
}
