/* Any bytes as checkpoint.h5 of a run of eight cells: read whole, or refused with a sentence. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "solve/checkpoint.h"
#include "tests/fuzz/fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CELLS = 8 };

static int take(backend *b, const void *slots, const void *kept) {
    (void)b, (void)kept;
    double sum = 0;
    for (int k = 0; k < 19 * CELLS; k++) /* all of them were filled */
        sum += (double)((const float *)slots)[k];
    return sum == sum ? OK : fail(ERR_INPUT, "the slots hold no numbers");
}

static void read_one(const char *path) {
    const domain d = {.n_cell = CELLS};
    const backend_table table = {.write = take};
    const run_settings r = {.d = &d, .table = &table};
    run_progress p;
    char sum[KEPT_SUM], *folder = file_folder(path);
    status_clear();
    const int rc = checkpoint_read(path, "0123456789abcdef", folder, sum, &r, BACKEND_FLOAT, &p);
    free(folder);
    if (rc != OK)
        fuzz_refused(rc, status_message());
    free((void *)(uintptr_t)p.cycle_velocity);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_one(fuzz_file(data, size, ".h5"));
    return 0;
}
