/* SPDX-License-Identifier: Apache-2.0 */
/* The result files of segment. */
#ifndef PORTAFLOW_SEGMENT_OUTPUT_FILES_H
#define PORTAFLOW_SEGMENT_OUTPUT_FILES_H
#include "common/base/must_check.h"
#include "segment/output/segmentation.h"
#include <cjson/cJSON.h>

enum { OUTPUT_LUMEN, OUTPUT_PHI, OUTPUT_STL, OUTPUT_PICTURE, OUTPUT_JSON, OUTPUT_FILES };
extern const char *const output_files_name[OUTPUT_FILES]; /* file names, relative to the output folder */

/* Write qc.png only; used for a refused lumen, too. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int output_files_write_picture(const segmentation *j, const char *path);

/* Write all result files, or none if one fails. json: record of the run; the object "result" is added and the record
 * becomes segment.json. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int output_files_write(segmentation *j, char *const path[OUTPUT_FILES], cJSON *json);
#endif
