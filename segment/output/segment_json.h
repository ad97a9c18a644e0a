/* SPDX-License-Identifier: Apache-2.0 */
/* The object "result" of segment.json. */
#ifndef PORTAFLOW_SEGMENT_SEGMENT_JSON_H
#define PORTAFLOW_SEGMENT_SEGMENT_JSON_H
#include "segment/output/segmentation.h"
#include <cjson/cJSON.h>

/* Create the object, owned by the caller; NULL: out of memory. */
cJSON *segment_json(const segmentation *s);
#endif
