/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of bandwidth.h. */
extern "C" {
#include "solve/schemes/bandwidth.h"
}
#include <cuda_runtime.h>
#include <math.h>

static __global__ void fill(float4 *to, size_t n) {
    const size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const float x = (float)(k * 2654435761u % 1000003u);
    if (k < n)
        to[k] = make_float4(x, x + 0.25f, -x, 1 / (x + 1));
}

static __global__ void copy(float4 *to, const float4 *from, size_t n) {
    const size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (k < n)
        to[k] = from[k];
}

double bandwidth_copy_cuda(void) {
    const size_t n = (size_t)1 << 26; /* 2^26 values, 1 GiB */
    const unsigned blocks = (unsigned)(n / 256);
    float4 *a = NULL, *b = NULL;
    cudaEvent_t start = NULL, stop = NULL;
    double best = 0;
    if (cudaMalloc(&a, n * sizeof *a) == cudaSuccess && cudaMalloc(&b, n * sizeof *b) == cudaSuccess &&
        cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&stop) == cudaSuccess) {
        fill<<<blocks, 256>>>(a, n);
        for (int k = 0; k < 12; k++) { /* alternate the driver's copy and the kernel copy() */
            float ms = 0;
            cudaEventRecord(start);
            if (k & 1)
                copy<<<blocks, 256>>>(b, a, n);
            else
                cudaMemcpyAsync(b, a, n * sizeof *a, cudaMemcpyDeviceToDevice);
            cudaEventRecord(stop);
            if (cudaEventSynchronize(stop) == cudaSuccess && cudaEventElapsedTime(&ms, start, stop) == cudaSuccess &&
                ms > 0)
                best = fmax(best, 2.0 * n * sizeof *a / (1e-3 * ms));
        }
    }
    if (start)
        cudaEventDestroy(start);
    if (stop)
        cudaEventDestroy(stop);
    cudaFree(a);
    cudaFree(b);
    cudaGetLastError();
    return best;
}
