/* Where it is computed: what `--device auto|cpu|cuda` means, in every command. */
#ifndef PORTAFLOW_DEVICE_H
#define PORTAFLOW_DEVICE_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"

enum device { DEVICE_AUTO, DEVICE_CPU, DEVICE_CUDA }; /* auto: a GPU when there is one */

/* Errors: ERR_RESOURCE when a GPU is asked for and there is none. */
MUST_CHECK int device_choose(int device, const backend_table **table);
#endif
