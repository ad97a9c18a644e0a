/* SPDX-License-Identifier: Apache-2.0 */
/* One computed case of a study: a case file of data/reproduce with changed settings, run by the real programs. */
#ifndef PORTAFLOW_STUDY_CASE_H
#define PORTAFLOW_STUDY_CASE_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "pipeline/run/run_patient.h"
#include <cjson/cJSON.h>
#include <stdbool.h>

enum { STUDY_CASE_PATH_MAX = 4096 };

typedef struct {
    char folder[STUDY_CASE_PATH_MAX]; /* patient folder of this case */
    options_list set;                 /* settings that differ from the case file, owned */
    /* true: post draws its pictures; without them a small case takes a sixth of the time */
    bool pictures;
    int error; /* first status other than OK; after it all calls do nothing */
} study_case;

/* Copies <source>/case.yaml and flow/. `name`: folder of the case below `folder`. */
void study_case_create(study_case *t, const char *source, const char *folder, const char *name);
void study_case_free(study_case *t);

/* Changes a key of the case, as `pipeline run --set KEY=VALUE`: study_case_set(t, "openings.IN.point", "[0, 0, %g]",
 * z). study_case_run reports errors. */
void study_case_set(study_case *t, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Runs the stages up to `to` that are not up to date. Errors: as run_patient, with the case's folder in the message. */
MUST_CHECK int study_case_run(study_case *t, const run_options *base, int to);

/* Reads a JSON file below out/ ("solve/solve.json", "post/readouts.json"); caller frees with cJSON_Delete. Errors:
 * ERR_INPUT. */
MUST_CHECK int study_case_result(const study_case *t, const char *file, cJSON **object);

/* One number of a JSON file: "pressure_drops/0/value_pa" is a path of keys and indices. Errors: ERR_INPUT; ERR_NUMERIC
 * if it is null or missing. */
MUST_CHECK int study_case_number(const study_case *t, const char *file, const char *path, double *value);

/* One text of a JSON file, "" if missing. Errors: ERR_INPUT. */
MUST_CHECK int study_case_text(const study_case *t, const char *file, const char *path, size_t size, char *text);

/* Values of the computed field at points, by `post probe`.
 *   instant      stored instant of the last cycle of a pulsatile run, from 0
 *   point_mm     [n][3] LPS
 *   velocity_m_s [n][3] out, pressure_pa [n] out (either may be NULL); NaN outside the lumen
 * Errors: as post probe; ERR_INTERNAL if the number of rows differs. */
MUST_CHECK int study_case_probe_instant(const study_case *t, int instant, int n, const double (*point_mm)[3],
                                        double (*velocity_m_s)[3], double *pressure_pa);
MUST_CHECK int study_case_probe(const study_case *t, int n, const double (*point_mm)[3], double (*velocity_m_s)[3],
                                double *pressure_pa);

/* Wall shear stress at points of the wall, from the results of `post`, which must have run; NaN where post has no
 * value. Errors: as study_case_probe. */
MUST_CHECK int study_case_probe_wall(const study_case *t, int n, const double (*point_mm)[3], double (*wss_pa)[3]);
#endif
