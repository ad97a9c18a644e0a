/* SPDX-License-Identifier: Apache-2.0 */
/* See bucket_queue.h. */
#include "common/centerline/bucket_queue.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

void bucket_queue_init(bucket_queue *q, double width) {
    for (size_t k = 0; k < q->n_bucket; k++)
        q->list[k].n = q->list[k].head = 0;
    q->width = width;
    q->current = 0;
}

void bucket_queue_free(bucket_queue *q) {
    for (size_t k = 0; k < q->n_bucket; k++)
        free(q->list[k].item);
    free(q->list);
    memset(q, 0, sizeof *q);
}

static int add_buckets(bucket_queue *q, size_t n) {
    n += n / 2 + 64;
    bucket *list = realloc(q->list, n * sizeof *list);
    if (list == NULL)
        return fail_memory("a queue of voxels", (double)n * sizeof *list);
    memset(list + q->n_bucket, 0, (n - q->n_bucket) * sizeof *list);
    q->list = list;
    q->n_bucket = n;
    return OK;
}

int bucket_queue_push(bucket_queue *q, float key, size_t voxel) {
    size_t k = (size_t)((double)key / q->width);
    int rc = OK;
    k = k < q->current ? q->current : k;
    if (k >= q->n_bucket && (rc = add_buckets(q, k + 1)) != OK)
        return rc;
    bucket *b = &q->list[k];
    if (b->n == b->room) {
        b->room = b->room > 0 ? 2 * b->room : 256;
        bucket_item *item = realloc(b->item, b->room * sizeof *item);
        if (item == NULL)
            return fail_memory("a queue of voxels", (double)b->room * sizeof *item);
        b->item = item;
    }
    b->item[b->n++] = (bucket_item){key, voxel};
    return OK;
}

bool bucket_queue_pop(bucket_queue *q, bucket_item *item) {
    for (; q->current < q->n_bucket; q->current++) {
        bucket *b = &q->list[q->current];
        if (b->head < b->n) {
            *item = b->item[b->head++];
            if (b->head == b->n)
                b->head = b->n = 0;
            return true;
        }
    }
    return false;
}
