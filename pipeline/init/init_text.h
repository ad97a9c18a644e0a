/* The text of a new case.yaml. */
#ifndef PORTAFLOW_INIT_TEXT_H
#define PORTAFLOW_INIT_TEXT_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "pipeline/init/ends_look.h"
#include "pipeline/init/init_find.h"
#include "pipeline/init/markups.h"

enum { INIT_SERIES_MAX = 72 };

/* What the new case takes of what lies there, "" for nothing; and what was found at it. */
typedef struct {
    char image[FIND_PATH_MAX], mask[FIND_PATH_MAX], surface[FIND_PATH_MAX], series[INIT_SERIES_MAX];
    const char *unit, *frame; /* of the surface; frame NULL: only the user knows */
    bool unit_sure;           /* no vessel in the others of mm, cm, m */
    markups points;           /* that the user placed in 3D Slicer */
    ends_look_result ends;    /* of a surface of unknown frame: in the file's own, x y z as they stand in it */
} init_choice;

/* v: what is known of the image (dims[0] 0: nothing). *text is the caller's. Errors: ERR_RESOURCE. */
MUST_CHECK int init_text(const init_choice *choice, const volume *v, const find_list *found, char **text);
#endif
