/* SPDX-License-Identifier: Apache-2.0 */
/* One computed case of a study: a case file of data/reproduce with changed settings, run by the real programs. */
#ifndef PORTAFLOW_STUDY_CASE_H
#define PORTAFLOW_STUDY_CASE_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "pipeline/reproduce/study.h"
#include <cjson/cJSON.h>
#include <stdbool.h>

enum { STUDY_CASE_PATH_MAX = 4096 };

typedef struct {
    const study_context *x;
    char folder[STUDY_CASE_PATH_MAX]; /* patient folder of this case */
    options_list set;                 /* settings that differ from the case file, owned */
    /* true: post draws its pictures; without them a small case takes a sixth of the time */
    bool pictures;
} study_case;

/* All calls below record an error on the page of the study; after an error they do nothing, and numbers are NaN. */

/* Copies <source>/case.yaml and flow/ into the folder of the case, x->work/<name>; `format`: the name. */
void study_case_open(study_case *t, const study_context *x, const char *source, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void study_case_close(study_case *t);

/* Changes a key of the case, as `pipeline run --set KEY=VALUE`: study_case_set(t, "openings.IN.point", "[0, 0, %g]",
 * z). */
void study_case_set(study_case *t, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Runs the stages up to `to` that are not up to date. */
void study_case_run(study_case *t, int to);
/* The same with options other than the options of the study. Errors are returned, not recorded: as run_patient. */
MUST_CHECK int study_case_try(const study_case *t, const run_options *base, int to);

/* Reads a JSON file below out/ ("solve/solve.json", "post/readouts.json"); caller frees with cJSON_Delete. NULL after
 * an error. */
cJSON *study_case_json(const study_case *t, const char *file);

/* One number of a JSON file below out/; "pressure_drops/0/value_pa" is a path of keys and indices. An error if it is
 * null or missing. study_case_readout reads post/readouts.json, study_case_solved the result in solve/solve.json. */
double study_case_number(const study_case *t, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
double study_case_readout(const study_case *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
double study_case_solved(const study_case *t, const char *key);

/* Values of the computed field at points, by `post probe`.
 *   instant      stored instant of the last cycle of a pulsatile run, from 0
 *   point_mm     [n][3] LPS
 *   velocity_m_s [n][3] out, pressure_pa [n] out (either may be NULL); NaN outside the lumen */
void study_case_probe_instant(const study_case *t, int instant, int n, double (*point_mm)[3], double (*velocity_m_s)[3],
                              double *pressure_pa);
void study_case_probe(const study_case *t, int n, double (*point_mm)[3], double (*velocity_m_s)[3],
                      double *pressure_pa);

/* Wall shear stress at points of the wall, from the results of `post`, which must have run; NaN where post has no
 * value. */
void study_case_probe_wall(const study_case *t, int n, double (*point_mm)[3], double (*wss_pa)[3]);

/* Shows a picture of `post` on the page, as <study>-<name>.png; nothing if it does not exist (post without VTK). */
void study_case_picture(const study_case *t, const char *figure, const char *name, const char *caption);
#endif
