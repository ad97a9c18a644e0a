/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a quantity of each kind: a finite number, or refused with a sentence. */
#include "common/base/status.h"
#include "common/base/units.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (int kind = UNIT_LENGTH_MM; kind <= UNIT_NONE; kind++) {
        double value = NAN;
        status_clear();
        int rc = units_parse(text, (enum units_kind)kind, &value);
        if (rc == OK ? !isfinite(value) : rc != ERR_INPUT || !isnan(value) || status_message()[0] == '\0')
            abort();
    }
    free(text);
    return 0;
}
