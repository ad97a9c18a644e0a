/* `pipeline check DIR`: everything that can be found wrong without running a stage. */
#ifndef PORTAFLOW_CHECK_H
#define PORTAFLOW_CHECK_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdbool.h>

/* Prints what a run would do, on stdout, when all is well. picture: DIR/check.html shows the case (setup_write_case),
 * where its text is free of problems.
 * Errors: ERR_INPUT with one line per problem (place, what, remedy). */
MUST_CHECK int check_patient(const char *dir, const options_list *set, bool picture);
#endif
