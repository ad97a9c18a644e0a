/* What segment leaves in its folder. */
#ifndef PORTAFLOW_SEGMENT_OUTPUT_FILES_H
#define PORTAFLOW_SEGMENT_OUTPUT_FILES_H
#include "common/base/must_check.h"
#include "segment/output/segmentation.h"
#include <cjson/cJSON.h>

enum { OUTPUT_LUMEN, OUTPUT_PHI, OUTPUT_STL, OUTPUT_PICTURE, OUTPUT_JSON, OUTPUT_FILES };
extern const char *const output_files_name[OUTPUT_FILES]; /* in the folder */

/* qc.png alone: of a lumen that is refused, too. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int output_files_picture(const segmentation *j, const char *path);

/* All of them, or none; json: what is known of the run, which becomes segment.json. Errors: ERR_OUTPUT, ERR_RESOURCE.
 */
MUST_CHECK int output_files_write(segmentation *j, char *const path[OUTPUT_FILES], cJSON *json);
#endif
