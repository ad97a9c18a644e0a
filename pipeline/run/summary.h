/* SPDX-License-Identifier: Apache-2.0 */
/* The summary at the end of a run. */
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

/* Prints on stdout the times, the main readouts (if post is up to date) and the path of the report. Errors: ERR_INPUT
 * when readouts.json cannot be read. */
MUST_CHECK int summary_print(const patient *p, const summary *s);

/* Half width of an interval of readouts.json ("uncertainty" of a value): root sum of squares of the known parts. NaN:
 * none. */
double summary_half_width(const cJSON *uncertainty);
/* Ends of the interval of value_mmhg of a gradient or term in readouts.json. False: it is symmetric or unknown. */
bool summary_bounds(const cJSON *object, double bound[2]);
/* Finds the interval of a value in an object of readouts.json. what: "uncertainty" or "error_bound"; key: name of the
 * value. Returns object[what][key], or object[what] if the object has one value only; NULL: absent. */
const cJSON *summary_find(const cJSON *object, const char *what, const char *key);

/* Prints the minimum cross-section and the cross-section of maximum velocity, as mesh found them. Nothing if mesh is
 * not up to date or the flow is unknown. Errors: ERR_INPUT when mesh.json cannot be read. */
MUST_CHECK int summary_print_places(const patient *p);
#endif
