/* SPDX-License-Identifier: Apache-2.0 */
/* Priority queue with buckets of equal width (Dial 1969). Keys within one bucket are not sorted: they come in the order
 * of insertion. A search therefore inserts a voxel again if it finds a smaller key, and skips the older entry. With the
 * shortest step as width, every step from a voxel leads to the next bucket or beyond, so keys of earlier buckets are
 * final. */
#ifndef PORTAFLOW_BUCKET_QUEUE_H
#define PORTAFLOW_BUCKET_QUEUE_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    float key;
    size_t voxel;
} bucket_item;

typedef struct {
    bucket_item *item;
    size_t n, room, head;
} bucket;

typedef struct {
    double width;
    bucket *list; /* [n_bucket] owned */
    size_t n_bucket, current;
} bucket_queue;

/* Empties the queue. Keys start at 0. Also valid for a zeroed queue. */
void bucket_queue_init(bucket_queue *q, double width);
void bucket_queue_free(bucket_queue *q);
/* Inserts a voxel. A key below the current bucket goes into the current bucket. Errors: ERR_RESOURCE. */
MUST_CHECK int bucket_queue_push(bucket_queue *q, float key, size_t voxel);
bool bucket_queue_pop(bucket_queue *q, bucket_item *item); /* false: empty */
#endif
