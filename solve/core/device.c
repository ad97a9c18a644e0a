/* SPDX-License-Identifier: Apache-2.0 */
/* See device.h. */
#include "solve/core/device.h"
#include "common/base/status.h"

int device_choose(int device, const backend_table **table) {
    *table = &backend_cpu;
#ifdef PORTAFLOW_CUDA
    const int count = backend_cuda_count();
    if (device == DEVICE_CUDA && count == 0)
        return fail(ERR_RESOURCE, "--device cuda: no usable NVIDIA GPU or driver was found; use --device cpu");
    if (device != DEVICE_CPU && count > 0)
        *table = &backend_cuda;
#else
    if (device == DEVICE_CUDA)
        return fail(ERR_RESOURCE, "--device cuda: this solve was built without CUDA; use --device cpu");
#endif
    return OK;
}

int device_count_gpus(void) {
#ifdef PORTAFLOW_CUDA
    return backend_cuda_count();
#else
    return 0;
#endif
}

int device_select_gpu(const backend_table *table, int number) {
#ifdef PORTAFLOW_CUDA
    if (table == &backend_cuda)
        return backend_cuda_use(number);
#endif
    (void)table;
    (void)number;
    return OK;
}
