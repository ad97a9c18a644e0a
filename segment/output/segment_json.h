/* What segment.json and the picture say about a lumen. */
#ifndef PORTAFLOW_SEGMENT_RESULT_H
#define PORTAFLOW_SEGMENT_RESULT_H
#include "segment/output/segmentation.h"
#include "segment/output/qc.h"
#include <cjson/cJSON.h>

/* The object "result"; NULL: no memory. */
cJSON *result_json(const segment_job *j);

enum { RESULT_LINES = 5, RESULT_LINE = 160 };
void result_lines(const segment_job *j, char line[RESULT_LINES][RESULT_LINE]); /* the last one may be empty */
void result_tell(const segment_job *j); /* the same as messages, and what the user should know as warnings */

/* Openings [j->n_placed] as the picture draws them, the caller's to free; NULL without any or without memory for it. */
struct qc_opening *result_openings(const segment_job *j);
#endif
