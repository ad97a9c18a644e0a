/* In front of every function that returns a status: who ignores it gets a warning, and warnings are errors. */
#ifndef PORTAFLOW_MUST_CHECK_H
#define PORTAFLOW_MUST_CHECK_H

#define MUST_CHECK __attribute__((warn_unused_result))

/* Where nothing more is done about a status (something else has failed already, or a file was only read); say why. Its
 * sentence, when it was the first, stays recorded. */
static inline void status_ignore(int rc) {
    (void)rc;
}
#endif
