/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as checkpoint.h5 of a run of eight cells: read whole, or refused with a sentence. */
#include "common/base/status.h"
#include "solve/output/checkpoint.h"
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

static char folder[] = "/tmp/portaflow-fuzz-XXXXXX"; /* with an empty monitors.csv, as for the corpus */

static char monitors[sizeof folder + 16];

static void remove_folder(void) {
    unlink(monitors);
    rmdir(folder);
}

static void make_folder(void) {
    if (!mkdtemp(folder))
        abort();
    atexit(remove_folder);
    snprintf(monitors, sizeof monitors, "%s/monitors.csv", folder);
    FILE *f = fopen(monitors, "wb");
    if (!f || fclose(f) != 0)
        abort();
}

static void read_one(const char *path) {
    const domain d = {.n_cell = CELLS};
    const backend_table table = {.write = take};
    static const boundary_values no_openings;
    const run_settings r = {.d = &d, .g = &no_openings, .table = &table};
    run_progress p;
    run_result result = {0};
    char sum[STORED_FILES_SUM];
    status_clear();
    const int rc = checkpoint_read(path, "0123456789abcdef", folder, sum, &r, BACKEND_FLOAT, &p, &result);
    if (rc != OK)
        fuzz_refused(rc, status_message());
    run_result_free(&result);
    free((void *)(uintptr_t)p.cycle_velocity);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool made;
    if (!made)
        make_folder();
    made = true;
    read_one(fuzz_file(data, size, ".h5"));
    return 0;
}
