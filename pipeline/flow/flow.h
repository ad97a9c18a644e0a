/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline flow`: the flow over the cycle from phase-contrast MRI, as a waveform for `flow: {waveform: ..}`. */
#ifndef PORTAFLOW_PIPELINE_FLOW_H
#define PORTAFLOW_PIPELINE_FLOW_H
#include "common/base/must_check.h"

/* Runs the command; argv[0] is "flow". Without a region (--roi) it only writes the slice for drawing one. Errors:
 * ERR_USAGE (a bad option, unknown venc), ERR_INPUT (inconsistent files, a region of fewer than 4 pixels, unknown cycle
 * or range of phases), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int command_flow(int argc, char **argv);
#endif
