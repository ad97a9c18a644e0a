/* One computed case of an item: a case file from data/reproduce with some values set, run by the real programs. */
#ifndef PORTAFLOW_TRIAL_H
#define PORTAFLOW_TRIAL_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "pipeline/run/run_patient.h"
#include <cjson/cJSON.h>
#include <stdbool.h>

enum { TRIAL_PATH_MAX = 4096 };

typedef struct {
    char folder[TRIAL_PATH_MAX]; /* the patient folder of this case */
    options_list set;            /* what differs from its case.yaml, owned */
    bool pictures;               /* post draws them, too; false: it takes a sixth of the time for a small case */
    int error;                   /* first status that was not OK; later calls do nothing */
} trial;

/* Copy <source>/case.yaml and the flow/ beside it. `name` is the folder of the case under `folder`. */
void trial_create(trial *t, const char *source, const char *folder, const char *name);
void trial_free(trial *t);

/* Another value for a key of the case, as `pipeline run --set KEY=VALUE`:
 * trial_set(t, "openings.IN.point", "[0, 0, %g]", z). A problem with it is trial_run's. */
void trial_set(trial *t, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Run the stages up to `to`; what is up to date is not computed again. Errors: as run_patient, with the case's folder
 * in the sentence. */
MUST_CHECK int trial_run(trial *t, const run_options *base, int to);

/* A JSON file under out/ ("solve/solve.json", "post/readouts.json"); the caller frees with cJSON_Delete.
 * Errors: ERR_INPUT. */
MUST_CHECK int trial_result(const trial *t, const char *file, cJSON **object);

/* One number of it: "pressure_drops/0/value_pa" is a path of keys and indices. Errors: ERR_INPUT; ERR_NUMERIC when it
 * is null or not there. */
MUST_CHECK int trial_number(const trial *t, const char *file, const char *path, double *value);

/* One text of it, "" when there is none. Errors: ERR_INPUT. */
MUST_CHECK int trial_text(const trial *t, const char *file, const char *path, size_t size, char *text);

/* Values of the computed field at points, by `post probe`.
 *   point_mm     [n][3] LPS
 *   velocity_m_s [n][3] out, pressure_pa [n] out (either may be NULL); NaN outside the lumen
 * Errors: as post probe; ERR_INTERNAL when it gives another number of rows. */
MUST_CHECK int trial_probe_instant(const trial *t, int instant, int n, const double (*point_mm)[3],
                                   double (*velocity_m_s)[3],
                                   double *pressure_pa); /* of a pulsatile run: stored instant 0.. of the last cycle */
MUST_CHECK int trial_probe(const trial *t, int n, const double (*point_mm)[3], double (*velocity_m_s)[3],
                           double *pressure_pa);

/* Wall shear stress at points of the wall, as `post` (run before) found it; NaN where it has none.
 * Errors: as trial_probe. */
MUST_CHECK int trial_probe_wall(const trial *t, int n, const double (*point_mm)[3], double (*wss_pa)[3]);
#endif
