/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the device from the option `--device auto|cpu|cuda`, which is the same in every command. */
#ifndef PORTAFLOW_DEVICE_H
#define PORTAFLOW_DEVICE_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"

enum device { DEVICE_AUTO, DEVICE_CPU, DEVICE_CUDA }; /* auto: a GPU if there is one */

/* Sets *table to the backend of the device. Errors: ERR_RESOURCE if a GPU is requested and none is usable. */
MUST_CHECK int device_choose(int device, const backend_table **table);
#endif
