/* What segment.json says about a lumen. */
#ifndef PORTAFLOW_SEGMENT_SEGMENT_JSON_H
#define PORTAFLOW_SEGMENT_SEGMENT_JSON_H
#include "segment/output/segmentation.h"
#include <cjson/cJSON.h>

/* The object "result"; NULL: no memory. */
cJSON *segment_json(const segmentation *s);
#endif
