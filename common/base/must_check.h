/* SPDX-License-Identifier: Apache-2.0 */
/* Marks a function that returns a status: ignoring the result is a warning, and warnings are errors. */
#ifndef PORTAFLOW_MUST_CHECK_H
#define PORTAFLOW_MUST_CHECK_H

#define MUST_CHECK __attribute__((warn_unused_result))

/* Ignore a status on purpose; state the reason at the call. If the status was the first failure, its message stays
 * recorded. */
static inline void status_ignore(int rc) {
    (void)rc;
}
#endif
