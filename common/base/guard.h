// What C++ throws becomes a status: round the body of every function of the shims, whose callers are C.
#ifndef PORTAFLOW_GUARD_H
#define PORTAFLOW_GUARD_H
#include "common/base/status.h"
#include <exception>
#include <new>

// Runs `body`, which returns a status. `what` it does is in the sentence: "smoothing a surface".
// Errors: those of `body`; ERR_RESOURCE without memory (`bytes` needed, 0: not known); ERR_INTERNAL for anything else.
template <class F> int guard(const char *what, double bytes, F body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return fail_memory(what, bytes);
    } catch (const std::exception &e) {
        return fail(ERR_INTERNAL, "%s failed: %s", what, e.what());
    } catch (...) {
        return fail(ERR_INTERNAL, "%s failed without giving a reason", what);
    }
}
#endif
