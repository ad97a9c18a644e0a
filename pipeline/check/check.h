/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline check DIR`: all problems that can be found without running a stage. */
#ifndef PORTAFLOW_CHECK_H
#define PORTAFLOW_CHECK_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdbool.h>

/* Prints the plan of a run on stdout, if there is no problem.
 *   picture  true: also writes DIR/check.html (setup_write_case), if case.yaml has no problem
 * Errors: ERR_INPUT with one line per problem (place, problem, remedy). */
MUST_CHECK int check_patient(const char *dir, const options_list *set, bool picture);
#endif
