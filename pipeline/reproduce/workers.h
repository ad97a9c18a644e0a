/* The cases of an item in several processes at a time. Their results lie in their folders: the item goes through them
 * once more by itself, and finds them up to date. */
#ifndef PORTAFLOW_WORKERS_H
#define PORTAFLOW_WORKERS_H
#include "common/base/must_check.h"

/* work(data, k) for k = 0 .. n - 1, in this order, `jobs` (at least 1) of them at a time, each in a process of its own,
 * which dies with us; what it says is in <folder>/worker-<number>.log. A piece that fails ends neither its worker nor
 * the others: it fails again, and is heard, when the item comes to it. Of several GPUs in
 * CUDA_VISIBLE_DEVICES (0,1) each worker takes one, in turn.
 * Errors: ERR_RESOURCE (no process, a worker was killed), ERR_OUTPUT (a log). */
MUST_CHECK int workers_run(int jobs, int n, int (*work)(void *data, int k), void *data, const char *folder);
#endif
