/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a waveform file: finite at its knots and in between, or refused with a sentence. */
#include "common/base/status.h"
#include "common/waveform/waveform.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char path[64];
    if (!path[0])
        snprintf(path, sizeof path, "/tmp/portaflow-fuzz-%ld.csv", (long)getpid());
    FILE *f = fopen(path, "wb");
    if (!f)
        return 0;
    fwrite(data, 1, size, f);
    fclose(f);
    waveform w;
    status_clear();
    int rc = waveform_read(path, &w);
    unlink(path);
    if (rc == OK) {
        if (!(w.period_s > 0) || !isfinite(waveform_mean_m3_s(&w)) ||
            !isfinite(waveform_flow_m3_s(&w, 0.37 * w.period_s)))
            abort();
    } else if (rc != ERR_INPUT || status_message()[0] == '\0') {
        abort();
    }
    waveform_free(&w);
    return 0;
}
