/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON, with and without a seal: an object that is written and read back the same, or refused with a
 * sentence. */
#include "common/base/status.h"
#include "common/record/json.h"
#include "tests/fuzz/fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file(data, size, ".json");
    cJSON *object = NULL;
    status_clear();
    int rc = json_read(path, &object);
    if (rc != OK)
        fuzz_refused(rc, status_message());
    else if (!object)
        abort();
    cJSON_Delete(object);
    object = NULL;
    status_clear();
    rc = json_read_sealed(path, &object);
    if (rc != OK)
        fuzz_refused(rc, status_message());
    cJSON_Delete(object);
    return 0;
}
