/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline flow`: the flow over the cycle from phase-contrast MRI, as a waveform for `flow: {waveform: ..}`. */
#ifndef PORTAFLOW_PIPELINE_FLOW_H
#define PORTAFLOW_PIPELINE_FLOW_H
#include "common/base/must_check.h"

/* Runs the command; argv[0] is "flow". Errors: ERR_USAGE, ERR_INPUT (inconsistent files, no region, unknown range of
 * phases), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int command_flow(int argc, char **argv);
#endif
