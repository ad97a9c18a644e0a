/* SPDX-License-Identifier: Apache-2.0 */
/* Bridged gaps in segment.json, key "bridged_gaps". */
#ifndef PORTAFLOW_SEGMENT_GAP_BRIDGE_JSON_H
#define PORTAFLOW_SEGMENT_GAP_BRIDGE_JSON_H
#include "segment/bridge/gap_bridge.h"
#include <cjson/cJSON.h>

cJSON *gap_bridge_json(const gap_bridges *gaps);

/* Reads the gaps of a result; none if the key is missing. */
void gap_bridge_read(const cJSON *result, gap_bridges *gaps);
#endif
