/* What is printed at the end of a run. */
#ifndef PORTAFLOW_SUMMARY_H
#define PORTAFLOW_SUMMARY_H
#include "common/base/must_check.h"
#include <cjson/cJSON.h>
#include "pipeline/run/patient.h"
#include "pipeline/run/stages.h"

enum summary_state { SUMMARY_NOT_REQUESTED, SUMMARY_NOT_NEEDED, SUMMARY_SKIPPED, SUMMARY_RAN };

typedef struct {
    struct {
        int state;
        double seconds;
    } stage[STAGE_COUNT];
} summary;

/* Times, the main readouts (when post is up to date) and where the report lies, on stdout.
 * Errors: ERR_INPUT when readouts.json cannot be read. */
MUST_CHECK int summary_print(const patient *p, const summary *s);

/* What is known of an interval of readouts.json ("uncertainty" of a value): its total, else that of the parts which
 * could be made; NaN without the lattice's. */
double summary_half_width(const cJSON *uncertainty);
/* Of object[key] what object[what] says ("uncertainty", "may_be_off"): that of the key, or of the object's one value;
 * NULL: nothing. */
const cJSON *summary_find(const cJSON *object, const char *what, const char *key);

/* Narrowest and fastest place of the vessel, as mesh found them, on stdout; nothing when mesh is not up to date or the
 * flow was not known. Errors: ERR_INPUT when mesh.json cannot be read. */
MUST_CHECK int summary_print_places(const patient *p);
#endif
