/* What segment.json and the picture say about a lumen. */
#ifndef PORTAFLOW_SEGMENT_SEGMENT_JSON_H
#define PORTAFLOW_SEGMENT_SEGMENT_JSON_H
#include "segment/output/segmentation.h"
#include "segment/output/qc.h"
#include <cjson/cJSON.h>

/* The object "result"; NULL: no memory. */
cJSON *segment_json(const segmentation *j);

enum { SUMMARY_LINES = 5, SUMMARY_LINE = 160 };
void segment_messages_summary(const segmentation *j,
                              char line[SUMMARY_LINES][SUMMARY_LINE]); /* the last one may be empty */
void segment_messages_print(
    const segmentation *j); /* the same as messages, and what the user should know as warnings */

/* Openings [j->n_placed] as the picture draws them, the caller's to free; NULL without any or without memory for it. */
struct qc_opening *picture_openings(const segmentation *j);
#endif
