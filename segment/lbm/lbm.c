/* See lbm.h. */
#include "segment/lbm/lbm.h"
#include "common/base/status.h"

static const lbm_backend *chosen;

int lbm_choose(int device) {
    chosen = &lbm_cpu;
#ifdef PORTAFLOW_SEGMENT_CUDA
    const int count = device == LBM_CPU ? 0 : lbm_cuda_count();
    if (device == LBM_CUDA && count == 0)
        return fail(ERR_RESOURCE, "--device cuda: no usable NVIDIA GPU or driver was found; take --device cpu");
    if (count > 0)
        chosen = &lbm_cuda;
#else
    if (device == LBM_CUDA)
        return fail(ERR_RESOURCE, "--device cuda: this segment was built without CUDA; take --device cpu");
#endif
    return OK;
}

const lbm_backend *lbm_device(void) {
    if (chosen == NULL && lbm_choose(LBM_AUTO) != OK)
        chosen = &lbm_cpu;
    return chosen;
}
