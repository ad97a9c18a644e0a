/* SPDX-License-Identifier: Apache-2.0 */
/* See cuda_backend.h. */
#include "solve/cuda/cuda_backend.h"

int cuda_check(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return OK;
    if (error == cudaErrorMemoryAllocation)
        return fail(ERR_RESOURCE, "the GPU has no memory left for %s; use a larger spacing or --device cpu", what);
    return fail(ERR_RESOURCE, "the GPU failed (%s): %s; try --device cpu", what, cudaGetErrorString(error));
}

size_t cuda_value_bytes(const backend *b) {
    return (size_t)backend_value_bytes(b->settings.precision);
}

size_t cuda_group_values(const backend *b) {
    return 32 * (size_t)backend_slots(&b->settings);
}

int backend_cuda_count(void) {
    int n = 0;
    if (cudaGetDeviceCount(&n) != cudaSuccess)
        n = 0;
    cudaGetLastError();
    return n;
}

/* Address of the populations of `group` in the low or the high place (cuda_backend.h). */
char *cuda_place_of(const backend *b, bool high, uint32_t group) {
    return b->memory + ((size_t)group + (high ? b->layout.shift : 0)) * cuda_group_values(b) * cuda_value_bytes(b);
}

void cuda_range_set(const backend *b, bool from_high, bool to_high, uint32_t begin, uint32_t end, cuda_args *a) {
    const cuda_layout *l = &b->layout;
    const uint32_t first = begin > l->reach ? (begin - l->reach) / PACK_GROUPS * PACK_GROUPS : 0;
    a->first = first;
    a->span = (l->all == l->groups && l->groups - end > l->reach ? end + l->reach : l->all) - first;
    a->begin = begin - first;
    a->end = end - first;
    a->n_group = l->groups - first;
    a->group = b->args.group + 4 * (size_t)first;
    a->region = b->args.region ? b->args.region + 32 * (size_t)first : NULL;
    a->advection = b->args.advection ? b->args.advection + 96 * (size_t)first : NULL;
    a->from = cuda_place_of(b, from_high, first);
    a->to = cuda_place_of(b, to_high, first);
}

cuda_args cuda_state(const backend *b, uint32_t begin, uint32_t end) {
    cuda_args a = b->args;
    cuda_range_set(b, b->high, b->high, begin, end, &a);
    a.given = b->given + (size_t)b->given_last * (size_t)domain_given(b->d);
    return a;
}
