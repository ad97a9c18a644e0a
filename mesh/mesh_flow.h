/* SPDX-License-Identifier: Apache-2.0 */
/* The minimum and the fastest cross-section of the potential flow through the lattice, and whether the lattice resolves
 * them. */
#ifndef PORTAFLOW_MESH_FLOW_H
#define PORTAFLOW_MESH_FLOW_H
#include "common/lattice/resolution.h"
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* Compute the potential flow through a lattice with the openings of the case; flow.known is false if no flow is given.
 * Errors: ERR_RESOURCE, errors of a waveform */
MUST_CHECK int mesh_flow(const case_file *c, const lattice *l, potential_flow_result *flow);
/* Report the minimum and the fastest cross-section, and warn if the lattice is too coarse for them */
void mesh_flow_tell(const mesh_job *j);
/* Write into result: "spacing_from"; "narrowest" and "fastest", null without a known flow; "error_bound", the relative
 * error that the warning about the resolution states, null if it states none */
void mesh_flow_json(const mesh_job *j, cJSON *result);
resolution_limits mesh_flow_limits(const mesh_job *j); /* limits for the collision of the case */
#endif
