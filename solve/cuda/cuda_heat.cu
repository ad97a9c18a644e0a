/* SPDX-License-Identifier: Apache-2.0 */
/* Heat on the GPU: links to walls of prescribed temperature, and the sums of a monitor; see cuda_backend.h. */
#include "solve/cuda/cuda_backend.h"
#include <string.h>

static size_t sums_of(const backend *b) {
    return 3 * ((size_t)BACKEND_HEAT + (size_t)b->settings.heat->n_side);
}

double cuda_heat_bytes(const domain *d, const backend_settings *s) {
    if (!s->heat)
        return 0;
    return (double)pack_count_warm(d, s->heat) * sizeof(pack_warm) + 4.0 * 32 * (double)pack_groups(d->n_cell) +
           (double)s->heat->n_side * (sizeof(heat_side) + 3 * sizeof(int64_t));
}

int cuda_heat_create(backend *b, const domain *ordered, pack *p) {
    const heat_settings *h = b->settings.heat;
    cuda_heat *to = &b->args.heat;
    void *link = NULL, *side = NULL;
    int rc = OK;
    if (!h)
        return OK;
    TRY(pack_heat(ordered, h, p));
    CUDA_TRY(cudaMalloc(&link, ((size_t)p->n_warm + 1) * sizeof *p->warm), "the links that conduct heat");
    to->link = (const pack_warm *)link;
    CUDA_TRY(cudaMemcpy(link, p->warm, (size_t)p->n_warm * sizeof *p->warm, cudaMemcpyHostToDevice),
             "the links that conduct heat");
    CUDA_TRY(cudaMalloc(&side, sizeof h->side), "the walls' temperatures");
    to->side = (const heat_side *)side;
    CUDA_TRY(cudaMemcpy(side, h->side, sizeof h->side, cudaMemcpyHostToDevice), "the walls' temperatures");
    CUDA_TRY(cudaMalloc((void **)&b->monitor.heat_sums, sums_of(b) * sizeof(int64_t)), "the monitor sums");
    CUDA_TRY(cudaMallocHost((void **)&b->heat_host, sums_of(b) * sizeof(int64_t)), "pinned memory");
    CUDA_TRY(cudaMalloc((void **)&b->monitor.theta_old, 32 * (size_t)p->n_group * sizeof(float)), "the temperatures");
    CUDA_TRY(cudaMemset(b->monitor.theta_old, 0, 32 * (size_t)p->n_group * sizeof(float)), "the temperatures");
    to->n_wall = (uint32_t)h->n_wall;
    to->omega_plus = h->omega_plus;
    to->omega_minus = h->omega_minus;
    memcpy(to->buoyancy, h->buoyancy, sizeof to->buoyancy);
cleanup:
    return rc;
}

void cuda_heat_destroy(backend *b) {
    cudaFree((void *)b->args.heat.link);
    cudaFree((void *)b->args.heat.side);
    cudaFree(b->monitor.heat_sums);
    cudaFree(b->monitor.theta_old);
    cudaFreeHost(b->heat_host);
}

int cuda_heat_begin(backend *b) {
    if (!b->settings.heat)
        return OK;
    return cuda_check(cudaMemsetAsync(b->monitor.heat_sums, 0, sums_of(b) * sizeof(int64_t), b->stream[0]),
                      "the monitor sums");
}

int cuda_heat_end(backend *b) {
    if (!b->settings.heat)
        return OK;
    return cuda_check(cudaMemcpyAsync(b->heat_host, b->monitor.heat_sums, sums_of(b) * sizeof(int64_t),
                                      cudaMemcpyDeviceToHost, b->stream[0]),
                      "the monitor sums");
}

void cuda_heat_monitor(const backend *b, backend_monitor *m) {
    const heat_settings *h = b->settings.heat;
    double sums[BACKEND_HEAT + HEAT_SIDES];
    if (!h)
        return;
    backend_sums_value(BACKEND_HEAT + h->n_side, (const exact_sum *)b->heat_host, sums);
    backend_heat_make(h, sums, b->seen, m);
}
