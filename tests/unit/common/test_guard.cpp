/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever is thrown behind a shim becomes a status and a sentence. */
#include "common/base/guard.h"
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

static int n_wrong;

static void check(int rc, int expected, const char *words) {
    if (rc != expected || strstr(status_message(), words) == nullptr) {
        printf("wrong: %d and '%s', expected %d and '%s'\n", rc, status_message(), expected, words);
        n_wrong++;
    }
    status_clear();
}

int main() {
    check(guard_call("a step", 0, [] { return (int)OK; }), OK, "");
    check(guard_call("a step", 0, [] { return fail(ERR_INPUT, "its own reason"); }), ERR_INPUT, "its own reason");
    check(guard_call("a step", 2048, []() -> int { throw std::bad_alloc(); }), ERR_RESOURCE,
          "not enough memory for a step (2.0 KiB needed); free memory and repeat");
#ifndef __SANITIZE_ADDRESS__ // which ends the program at such a size
    check(guard_call("a step", 0, []() -> int { return (int)std::vector<char>(SIZE_MAX / 4)[0]; }), ERR_RESOURCE,
          "not enough memory for a step");
#endif
    check(guard_call("a step", 0, []() -> int { throw std::runtime_error("broken"); }), ERR_INTERNAL,
          "a step failed: broken");
    check(guard_call("a step", 0, []() -> int { throw 5; }), ERR_INTERNAL,
          "a step failed without giving a reason (error in the program)");
    return n_wrong ? 1 : 0;
}
