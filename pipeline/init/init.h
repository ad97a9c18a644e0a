/* `pipeline init DIR`: look at what lies there and write a case.yaml to fill in. */
#ifndef PORTAFLOW_INIT_H
#define PORTAFLOW_INIT_H
#include "common/base/must_check.h"

/* `image`: path of the image or DICOM folder, NULL: the first one found in DIR. `series`: of a DICOM folder with
 * several, its UID or words of its description; NULL: chosen (series.h). Names on stdout what was found.
 * A case.yaml that is there is left as it is; the page then shows its points.
 * Errors: ERR_INPUT when `image` or `series` is not there, ERR_OUTPUT (also: there is a case.yaml of which no page can
 * be made). */
MUST_CHECK int init_patient(const char *dir, const char *image, const char *series);
#endif
