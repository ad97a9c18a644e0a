/* SPDX-License-Identifier: Apache-2.0 */
/* Implements flow.h for a build that reads no images. */
#include "common/base/status.h"
#include "pipeline/flow/flow.h"

int command_flow(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return fail(ERR_RESOURCE, "pipeline flow was built without ITK and reads no images; use a build with ITK");
}
