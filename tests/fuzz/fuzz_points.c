/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the CSV files of post: probe points, and the monitors of a run. Finite numbers, or refused with a
 * sentence. */
#include "common/base/status.h"
#include "post/flow/monitors.h"
#include "post/probe/probe_points.h"
#include "tests/fuzz/fuzz_file.h"
#include "tests/unit/common/lattice_sample.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_points(const char *path) {
    probe_points p = {0};
    status_clear();
    const int rc = probe_points_read(path, &p);
    if (rc != OK)
        fuzz_refused(rc, status_message());
    for (size_t i = 0; rc == OK && i < 3 * p.n; i++)
        if (!isfinite(p.mm[i]))
            abort();
    probe_points_free(&p);
}

static void read_monitors(const char *path) {
    static lattice sample;
    double flow[8], pressure[8];
    monitors m = {0};
    if (!sample.cell && lattice_sample(&sample, 4) != OK)
        abort();
    status_clear();
    const int rc = monitors_read(path, &sample, &m);
    if (rc != OK)
        fuzz_refused(rc, status_message());
    for (int k = 1; rc == OK && k < m.n; k++)
        if (!(m.time_s[k] > m.time_s[k - 1]))
            abort();
    if (rc == OK)
        monitors_at(&m, 0.1, flow, pressure);
    monitors_free(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file(data, size, ".csv");
    read_points(path);
    read_monitors(path);
    return 0;
}
