/* SPDX-License-Identifier: Apache-2.0 */
/* Convert C++ exceptions to status codes. Every C++ function called from C wraps its body in guard_call(). */
#ifndef PORTAFLOW_GUARD_H
#define PORTAFLOW_GUARD_H
#include "common/base/status.h"
#include <exception>
#include <new>

/* Run `body`, which returns a status. `what` names the work for the message: "smoothing a surface". Errors: errors of
 * `body`; ERR_RESOURCE for std::bad_alloc (`bytes` needed, 0: unknown); ERR_INTERNAL for any other exception. */
template <class F> int guard_call(const char *what, double bytes, F body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return fail_memory(what, bytes);
    } catch (const std::exception &e) {
        return fail(ERR_INTERNAL, "%s failed: %s", what, e.what());
    } catch (...) {
        return fail(ERR_INTERNAL, "%s failed without giving a reason (error in the program)", what);
    }
}
#endif
