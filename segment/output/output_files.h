/* What segment leaves in its folder. */
#ifndef PORTAFLOW_SEGMENT_WRITE_H
#define PORTAFLOW_SEGMENT_WRITE_H
#include "common/base/must_check.h"
#include "segment/output/segmentation.h"
#include <cjson/cJSON.h>

enum { WRITE_LUMEN, WRITE_PHI, WRITE_STL, WRITE_PICTURE, WRITE_JSON, WRITE_FILES };
extern const char *const write_name[WRITE_FILES]; /* in the folder */

/* qc.png alone: of a lumen that is refused, too. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int write_picture(const segment_job *j, const char *path);

/* All of them, or none; json: what is known of the run, which becomes segment.json. Errors: ERR_OUTPUT, ERR_RESOURCE.
 */
MUST_CHECK int write_all(segment_job *j, char *const path[WRITE_FILES], cJSON *json);
#endif
