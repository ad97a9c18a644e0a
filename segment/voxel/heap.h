/* SPDX-License-Identifier: Apache-2.0 */
/* Priority queue of voxels, smallest key first (binary heap). */
#ifndef PORTAFLOW_SEGMENT_HEAP_H
#define PORTAFLOW_SEGMENT_HEAP_H
#include "common/base/must_check.h"
#include <stddef.h>

typedef struct {
    float key;
    size_t voxel;
} heap_item;

typedef struct {
    heap_item *item; /* [n] items of a binary heap, owned; a zeroed struct is an empty heap */
    size_t n, room;
} heap;

MUST_CHECK int heap_push(heap *q, float key, size_t voxel); /* adds a voxel. Errors: ERR_RESOURCE */
/* removes and returns the smallest key; the heap must not be empty */
heap_item heap_pop(heap *q);
void heap_free(heap *q);
#endif
