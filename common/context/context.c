/* SPDX-License-Identifier: Apache-2.0 */
#include "common/context/context.h"
#include <stddef.h>

static _Thread_local context_record *current;

context_record *context_enter(context_record *next) {
    context_record *previous = current;
    current = next;
    return previous;
}

context_record *context_current(void) {
    return current;
}
