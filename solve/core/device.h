/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the device from the option `--device auto|cpu|cuda`, which is the same in every command. */
#ifndef PORTAFLOW_DEVICE_H
#define PORTAFLOW_DEVICE_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"

enum device { DEVICE_AUTO, DEVICE_CPU, DEVICE_CUDA }; /* auto: a GPU if there is one */

/* Sets *table to the backend of the device. Errors: ERR_RESOURCE if a GPU is requested and none is usable. */
MUST_CHECK int device_choose(int device, const backend_table **table);
int device_count_gpus(void); /* number of usable GPUs; 0 in a build without CUDA */
/* With a table of a GPU: GPU `number`, 0 to device_count_gpus() - 1, computes the following calls of this thread.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int device_select_gpu(const backend_table *table, int number);
#endif
