/* SPDX-License-Identifier: Apache-2.0 */
/* The studies of `pipeline reproduce`. How to add one: README.md of this folder. */
#ifndef PORTAFLOW_STUDY_H
#define PORTAFLOW_STUDY_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/results.h"
#include "pipeline/reproduce/study_table.h"
#include "pipeline/run/run_patient.h"

typedef struct {
    const char *name;   /* name of the study: "verify:womersley" */
    const char *source; /* folder of the case files: data/reproduce/<name> */
    const char *work;   /* folder of the computed cases: <out>/cases/<name> */
    double scale;       /* resolution relative to the full study, 0.1 to 1 */
    const run_options *run;
    /* number of cases computed in parallel (verify:cohort, -uncertainty, -image-uncertainty, shang2023:stages) */
    int jobs;
    results *page; /* page of the study, with the first error of all its calls */
} study_context;

/* Path of a file or folder of the case files; valid as long as the page. */
const char *study_path(const study_context *x, const char *name);
/* Returns the first error of the page and clears it, for a worker that continues with the next case. */
MUST_CHECK int study_take_error(const study_context *x);
/* As study_table_read_numbers, from the folder of the case files. Returns false after an error, which the page keeps.
 */
bool study_read_numbers(const study_context *x, const char *name, int n_column, study_table *t);

typedef struct {
    const char *name; /* name such as "verify:poiseuille-pipe"; with '-' for ':' it is the file name */
    const char *title;
    const char *source; /* publication or solution that gives the reference */
    /* minutes with scale 1 on 2 CPU cores and on a GPU; negative: not measured; 0: speeds, which are kept */
    double cpu_min, gpu_min;
    /* NULL: done by a unit test */
    int (*run)(const study_context *x, results *r);
    const char *unit_test; /* of a study without `run` */
} study;

extern const study studies_table[];
extern const int studies_count;

/* Another name for a study: a figure or table of a paper that the study also repeats. */
typedef struct {
    const char *name, *study;
    const char *where; /* pictures and tables of the study that correspond to this figure or table, such as "picture
                        * -figure8b" */
} study_alias;

extern const study_alias aliases_table[];
extern const int aliases_count;

/* Functions of the studies. Errors of all: errors of the stages (run_patient.h), ERR_INPUT with the file of a
 * reference, ERR_RESOURCE. Errors of writing are returned by results_write. */
MUST_CHECK int study_poiseuille_pipe(const study_context *x, results *r);
MUST_CHECK int study_poiseuille_channel(const study_context *x, results *r);
MUST_CHECK int study_inlet_profile(const study_context *x, results *r);
MUST_CHECK int study_hepatic(const study_context *x, results *r);
MUST_CHECK int study_porous_liver(const study_context *x, results *r);
MUST_CHECK int study_dean(const study_context *x, results *r);
MUST_CHECK int study_portal_tips(const study_context *x, results *r);
MUST_CHECK int study_speed(const study_context *x, results *r);
MUST_CHECK int study_segmentation(const study_context *x, results *r);
MUST_CHECK int study_carotid(const study_context *x, results *r);
MUST_CHECK int study_shang_pipe(const study_context *x, results *r);
MUST_CHECK int study_portal(const study_context *x, results *r);
MUST_CHECK int study_stenosis(const study_context *x, results *r);
MUST_CHECK int study_cohort(const study_context *x, results *r);
MUST_CHECK int study_fda_nozzle(const study_context *x, results *r);
MUST_CHECK int study_unsteady_nozzle(const study_context *x, results *r);
MUST_CHECK int study_stages(const study_context *x, results *r);
MUST_CHECK int study_uncertainty(const study_context *x, results *r);
MUST_CHECK int study_image_uncertainty(const study_context *x, results *r);
MUST_CHECK int study_cavity(const study_context *x, results *r);
MUST_CHECK int study_eye(const study_context *x, results *r);
MUST_CHECK int study_heat_exact(const study_context *x, results *r);
MUST_CHECK int study_heated_cavity(const study_context *x, results *r);
MUST_CHECK int study_sphere(const study_context *x, results *r);
MUST_CHECK int study_womersley(const study_context *x, results *r);
#endif
