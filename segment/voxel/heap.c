/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/heap.h"
#include "common/base/status.h"
#include <stdlib.h>

int heap_push(heap *q, float key, size_t voxel) {
    if (q->n == q->room) {
        const size_t room = q->room ? 2 * q->room : 4096;
        heap_item *grown = realloc(q->item, room * sizeof *grown);
        if (grown == NULL)
            return fail_memory("paths through the image", (double)room * sizeof *grown);
        q->item = grown;
        q->room = room;
    }
    size_t i = q->n++;
    for (; i > 0 && key < q->item[(i - 1) / 2].key; i = (i - 1) / 2)
        q->item[i] = q->item[(i - 1) / 2];
    q->item[i] = (heap_item){key, voxel};
    return OK;
}

heap_item heap_pop(heap *q) {
    const heap_item top = q->item[0], last = q->item[--q->n];
    size_t i = 0;
    for (size_t child = 1; child < q->n; child = 2 * i + 1) {
        if (child + 1 < q->n && q->item[child + 1].key < q->item[child].key)
            child++;
        if (last.key <= q->item[child].key)
            break;
        q->item[i] = q->item[child];
        i = child;
    }
    q->item[i] = last;
    return top;
}

void heap_free(heap *q) {
    free(q->item);
    *q = (heap){0};
}
