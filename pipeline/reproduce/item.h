/* An item of `pipeline reproduce`, a study. To add one: README.md of this folder. */
#ifndef PORTAFLOW_ITEM_H
#define PORTAFLOW_ITEM_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/results.h"
#include "pipeline/run/run_patient.h"

typedef struct {
    const char *name;   /* "verify:womersley" */
    const char *source; /* data/reproduce/<name>: the case files */
    const char *work;   /* where the computed cases go: <out>/cases/<name> */
    double scale;       /* 0.1 to 1: resolution as a fraction of the full one */
    const run_options *run;
    int jobs; /* cases at a time, where the item takes it (verify:cohort, -uncertainty, -image-uncertainty) */
} item_context;

typedef struct {
    const char *name; /* "verify:poiseuille-pipe", with '-' for ':' the file name */
    const char *title;
    const char *source;                            /* what the reference is */
    const char *cost;                              /* at scale 1: time on 2 CPU cores / on a GPU */
    int (*run)(const item_context *x, results *r); /* NULL: not yet, or what `cost` says */
    bool solved_elsewhere;                         /* takes --to: solutions may come from another machine */
} item;

extern const item items_table[];
extern const int items_count;

/* Another name for an item: a figure or table of a paper that the item holds among others. */
typedef struct {
    const char *name, *item;
    const char *where; /* which of the item's tables and pictures */
} item_alias;

extern const item_alias aliases_table[];
extern const int aliases_count;

/* Errors of all: those of the stages (run.h), ERR_INPUT with the file of a reference, ERR_RESOURCE; those of writing
 * the results are kept for results_write. */
MUST_CHECK int item_poiseuille_pipe(const item_context *x, results *r);
MUST_CHECK int item_poiseuille_channel(const item_context *x, results *r);
MUST_CHECK int item_inlet_profile(const item_context *x, results *r);
MUST_CHECK int inlet_section(const item_context *x, results *r); /* part of it */
MUST_CHECK int item_hepatic(const item_context *x, results *r);
MUST_CHECK int item_dean(const item_context *x, results *r);
MUST_CHECK int item_speed(const item_context *x, results *r);
MUST_CHECK int item_segmentation(const item_context *x, results *r);
MUST_CHECK int item_carotid(const item_context *x, results *r);
MUST_CHECK int item_shang_pipe(const item_context *x, results *r);
MUST_CHECK int item_portal(const item_context *x, results *r);
MUST_CHECK int item_stenosis(const item_context *x, results *r);
MUST_CHECK int item_cohort(const item_context *x, results *r);
MUST_CHECK int item_fda_nozzle(const item_context *x, results *r);
MUST_CHECK int item_unsteady_nozzle(const item_context *x, results *r);
MUST_CHECK int item_uncertainty(const item_context *x, results *r);
MUST_CHECK int item_image_uncertainty(const item_context *x, results *r);
MUST_CHECK int item_cavity(const item_context *x, results *r);
MUST_CHECK int item_eye(const item_context *x, results *r);
MUST_CHECK int item_heat_exact(const item_context *x, results *r);
MUST_CHECK int item_heated_cavity(const item_context *x, results *r);
MUST_CHECK int item_sphere(const item_context *x, results *r);
MUST_CHECK int item_womersley(const item_context *x, results *r);
#endif
