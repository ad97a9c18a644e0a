/* The runs of mesh.ladder: which lattices are solved in turn, each from a coarser one's flow; what is kept of them. */
#ifndef PORTAFLOW_GRID_SEQUENCE_H
#define PORTAFLOW_GRID_SEQUENCE_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include <cjson/cJSON.h>

enum { GRID_RUN_NAME = LATTICE_NAME_MAX + 8, GRID_SEQUENCE_RUNS = 260 };

/* One run. */
typedef struct {
    char name[GRID_RUN_NAME]; /* level2, wider, narrower, flow_<opening>, mean; "" of the finest lattice */
    char lattice[64];         /* file in the folder of mesh */
    double spacing_mm;
    double finest_part;       /* the finest lattice's spacing over this one's, */
    double coarsest_part;     /* the coarsest one's over it: all have one collision */
    int opening;              /* of the case, whose flow is changed; -1: none */
    double factor;            /* of its flow, 1 otherwise */
    int start, start_coarser; /* runs whose flow it begins with (start_flow.h); -1: none, from rest */
    const cJSON *of_mesh;     /* its entry in mesh.json; NULL: the finest lattice. Borrowed */
    bool mean;                /* of a pulsatile case: its mean flow, steady, which the finest lattice starts from */
    bool taken;               /* solved by an earlier call (grid_sequence_take) */
    cJSON *result;            /* of its record once it is solved, owned; NULL: not (yet), or it has none */
} grid_run;

typedef struct {
    int n;                            /* 1: the finest lattice alone */
    double cells;                     /* of the finest lattice, as mesh says; NAN: not known */
    grid_run run[GRID_SEQUENCE_RUNS]; /* in the order in which they are solved; the last is the finest lattice's */
} grid_sequence;

/* From the case and result.ladder of mesh.json: levels from the coarsest on, the lumens with a moved wall and the flows
 * that the case gives an error, lowered, both on the coarsest lattice, then the finest. A pulsatile case: its mean flow
 * on the coarsest lattice, then the finest. One with wall vlbm (of first order) and one without mesh.ladder have one
 * run. */
void grid_sequence_plan(const case_file *c, const cJSON *mesh, double finest_mm, grid_sequence *a);
/* The same before mesh has made its lattices: as many as the case asks for, so that their work can be told. */
void grid_sequence_expect(const case_file *c, double finest_mm, grid_sequence *a);
void grid_sequence_free(grid_sequence *a);
/* Time that run k takes over that of the finest lattice's, roughly: cells go with the third power of the spacing, steps
 * with the first, but small lattices are slower a cell and begin with a flow that is further off (measured in the demo:
 * 0.18 to 0.38 where this gives 0.19 to 0.36). */
double grid_sequence_work(const grid_sequence *a, int k);
/* Of a run: the case's for the finest lattice. Of coarser ones, which intervals and starts are made of, ten times that,
 * at most 1e-4: the extrapolated value takes twice the error of level 2, an interval is never below 1 %. With a moved
 * wall or another flow, of which a difference of 10 % and more is taken, a hundred times, at most 5e-4. Of a mean flow
 * 1e-3: cycles are compared to 1 %. Never less than the case's. chosen:
 * the case gives none, and the finest lattice may have a larger one (start_flow_tolerance): three times these. */
double grid_sequence_tolerance(const grid_run *g, double tolerance, bool chosen);

/* What run k, not the finest lattice's, may take (run_settings.share_steps) where that is expected to take
 * `finest_steps`: a third of its updates, half as much where the run that it begins with had not settled, either. */
long grid_sequence_share_steps(const grid_sequence *a, const grid_run *g, double finest_steps);
/* Of a run that had its share and was averaged: time of its means. NaN where it settled after all, or was ended by
 * solve.max_steps before it had a mean. */
double grid_sequence_share_mean_s(const grid_run *g);

/* "fields_level2.vtkhdf"; `ending` without the dot, `stem` "" for the record level2.json. Returns file. */
const char *grid_sequence_file(const grid_run *g, const char *stem, const char *ending, char file[128]);

/* Its flow is solved already, at most to this tolerance, and lies in `folder` as this key wants it: g->result is set.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int grid_sequence_take(const char *folder, const char *key, double tolerance, grid_run *g);

/* Removes what runs of an earlier ladder left in `folder`. */
void grid_sequence_clean(const grid_sequence *a, const case_file *c, const char *folder);

/* result.ladder of solve.json, and the fields of the runs as outputs of `json`: an entry a run that was solved,
 *   {"name", "lattice", "surface", "spacing_mm", "wall_shift_mm", "flow_of", "flow_factor", "result"}
 * Of a mean flow result.mean_flow, one such entry.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int grid_sequence_record(const grid_sequence *a, const case_file *c, const char *folder, cJSON *json,
                                    cJSON *result);
#endif
