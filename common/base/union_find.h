/* SPDX-License-Identifier: Apache-2.0 */
/* Disjoint sets of 0 .. n - 1 (union-find). parent[k] leads to the root of the set of k. The root is the smallest
 * element and its own parent. Initially parent[k] = k. */
#ifndef PORTAFLOW_UNION_FIND_H
#define PORTAFLOW_UNION_FIND_H
#include <stdint.h>

/* Root of k. Shortens the path to it (path halving). */
static inline int32_t union_find_root(int32_t *parent, int32_t k) {
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

/* Merge the sets of a and b. */
static inline void union_find_join(int32_t *parent, int32_t a, int32_t b) {
    a = union_find_root(parent, a);
    b = union_find_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}
#endif
