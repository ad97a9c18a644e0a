/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the output folder: each is written whole and recorded in post.json. */
#ifndef PORTAFLOW_POST_STAGE_OUT_FOLDER_H
#define PORTAFLOW_POST_STAGE_OUT_FOLDER_H
#include "common/base/file.h"
#include "common/base/must_check.h"
#include <cjson/cJSON.h>

typedef struct {
    const char *folder;      /* folder of the results */
    const char *case_folder; /* folder to which recorded file names are relative */
    cJSON *record;           /* the record post.json */
} out_folder;

MUST_CHECK int out_folder_path(const out_folder *to, const char *name, char path[FILE_PATH_MAX]);
/* Record a written file as an output. */
MUST_CHECK int out_folder_record(const out_folder *to, const char *name);
/* Write and record a file, and free the content. out_folder_text: *text is the buffer of the stream `from`
 * (open_memstream). out_folder_json: `object`; NULL counts as out of memory. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int out_folder_text(const out_folder *to, const char *name, FILE *from, char **text, const size_t *size);
MUST_CHECK int out_folder_json(const out_folder *to, const char *name, cJSON *object);
#endif
