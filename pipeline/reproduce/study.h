/* The studies of `pipeline reproduce`. How to add one: README.md of this folder. */
#ifndef PORTAFLOW_STUDY_H
#define PORTAFLOW_STUDY_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/results.h"
#include "pipeline/run/run_patient.h"

typedef struct {
    const char *name;   /* name of the study: "verify:womersley" */
    const char *source; /* data/reproduce/<name>: case files */
    const char *work;   /* folder of the computed cases: <out>/cases/<name> */
    double scale;       /* 0.1 to 1: resolution relative to the full study */
    const run_options *run;
    int jobs; /* parallel cases (verify:cohort, -uncertainty, -image-uncertainty) */
} study_context;

typedef struct {
    const char *name; /* "verify:poiseuille-pipe", with '-' for ':' the file name */
    const char *title;
    const char *source;                             /* source of the reference */
    const char *cost;                               /* time at scale 1, on 2 CPU cores / on a GPU */
    int (*run)(const study_context *x, results *r); /* NULL: not implemented, or the unit test that `cost` names */
    bool solved_elsewhere;                          /* supports --to: solutions may come from another machine */
} study;

extern const study studies_table[];
extern const int studies_count;

/* Another name for a study: a figure or table of the paper that the study also repeats. */
typedef struct {
    const char *name, *study;
    const char *where; /* pictures and tables of the study that show it: "picture -figure8b" */
} study_alias;

extern const study_alias aliases_table[];
extern const int aliases_count;

/* Errors of all studies: errors of the stages (run.h), ERR_INPUT with the file of a reference, ERR_RESOURCE. Errors of
 * writing are returned by results_write. */
MUST_CHECK int study_poiseuille_pipe(const study_context *x, results *r);
MUST_CHECK int study_poiseuille_channel(const study_context *x, results *r);
MUST_CHECK int study_inlet_profile(const study_context *x, results *r);
MUST_CHECK int inlet_section(const study_context *x, results *r); /* part of study_inlet_profile */
MUST_CHECK int study_hepatic(const study_context *x, results *r);
MUST_CHECK int study_dean(const study_context *x, results *r);
MUST_CHECK int study_speed(const study_context *x, results *r);
MUST_CHECK int study_segmentation(const study_context *x, results *r);
MUST_CHECK int study_carotid(const study_context *x, results *r);
MUST_CHECK int study_shang_pipe(const study_context *x, results *r);
MUST_CHECK int study_portal(const study_context *x, results *r);
MUST_CHECK int study_stenosis(const study_context *x, results *r);
MUST_CHECK int study_cohort(const study_context *x, results *r);
MUST_CHECK int study_fda_nozzle(const study_context *x, results *r);
MUST_CHECK int study_unsteady_nozzle(const study_context *x, results *r);
MUST_CHECK int study_uncertainty(const study_context *x, results *r);
MUST_CHECK int study_image_uncertainty(const study_context *x, results *r);
MUST_CHECK int study_cavity(const study_context *x, results *r);
MUST_CHECK int study_eye(const study_context *x, results *r);
MUST_CHECK int study_heat_exact(const study_context *x, results *r);
MUST_CHECK int study_heated_cavity(const study_context *x, results *r);
MUST_CHECK int study_sphere(const study_context *x, results *r);
MUST_CHECK int study_womersley(const study_context *x, results *r);
#endif
