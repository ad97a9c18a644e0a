/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the cases of a study in several processes. Results are in the folders of the cases; the study itself then
 * finds them up to date. */
#ifndef PORTAFLOW_WORKERS_H
#define PORTAFLOW_WORKERS_H
#include "common/base/must_check.h"

/* Calls work(data, k) for k = 0 .. n - 1 in this order, in up to `jobs` (1 or more) worker processes. The workers end
 * when the calling process ends; their output is in <folder>/worker-<number>.log. A failed case stops neither its
 * worker nor the others; the study reports it when it reaches the case. GPUs in CUDA_VISIBLE_DEVICES (0,1) are assigned
 * in turn. Errors: ERR_RESOURCE (no process, a worker was killed), ERR_OUTPUT (a log). */
MUST_CHECK int workers_run(int jobs, int n, int (*work)(void *data, int k), void *data, const char *folder);
#endif
