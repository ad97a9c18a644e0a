/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a case file: read or refused with a sentence; then every stage's digest, and freed. */
#include "common/case/case.h"
#include "common/base/status.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const stages[] = {"segment", "mesh", "solve", "post"};
    case_file c;
    char hex[17];
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    for (size_t k = 0; k < size; k++)
        text[k] = (char)data[k];
    text[size] = '\0';
    status_clear();
    int rc = case_read_text(text, size, "fuzz/case.yaml", 0, &c);
    free(text);
    if (rc == OK) {
        if (!c.name || !c.path || !c.folder || status_message()[0])
            abort();
        for (int k = 0; k < c.n_opening; k++)
            if (!c.opening[k].name || c.opening[k].role < 0 || c.opening[k].condition < 0)
                abort();
        for (int k = 0; k < 4; k++)
            case_digest(&c, stages[k], hex);
    } else if (rc != ERR_INPUT || status_message()[0] == '\0') {
        abort();
    }
    case_free(&c);
    return 0;
}
