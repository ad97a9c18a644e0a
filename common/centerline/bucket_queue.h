/* SPDX-License-Identifier: Apache-2.0 */
/* Priority queue with buckets of equal width (Dial 1969). Keys within a bucket come in order of insertion, so a search
 * corrects a voxel's key again if a smaller key arrives later. With a width of the shortest step no key is final
 * wrongly: a step leads to the next bucket or beyond. */
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

/* Empty the queue; keys start at 0. A zeroed queue is valid. */
void bucket_queue_init(bucket_queue *q, double width);
void bucket_queue_free(bucket_queue *q);
/* Errors: ERR_RESOURCE. A key below the current bucket goes into the current bucket. */
MUST_CHECK int bucket_queue_push(bucket_queue *q, float key, size_t voxel);
bool bucket_queue_pop(bucket_queue *q, bucket_item *item); /* false: empty */
#endif
