/* SPDX-License-Identifier: Apache-2.0 */
/* The input of the report, and its parts. */
#ifndef PORTAFLOW_POST_REPORT_REPORT_PARTS_H
#define PORTAFLOW_POST_REPORT_REPORT_PARTS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "post/flow/along.h"
#include "post/flow/course.h"
#include "post/flow/monitors.h"
#include "common/draw/html.h"
#include "post/picture/picture.h"
#include "post/readouts/readouts.h"
#include <cjson/cJSON.h>

enum { REPORT_SEGMENT, REPORT_MESH, REPORT_SOLVE, REPORT_POST, REPORT_STAGES };

typedef struct {
    const case_file *c;
    const lattice *l;
    const readouts *r;
    const wall *w;
    int n_course;
    const course *course;
    const vessel_branches *branches;
    const along_values *along; /* values along the branches */
    int n_picture;
    const picture_file *picture;
    int n_straightened;
    const picture_file *straightened; /* the image along the centerlines */
    const char *figure_folder;
    const char *no_picture;   /* reason why there are no pictures; NULL: there are pictures */
    const monitors *monitors; /* monitors of the run; n = 0: the case has no monitors */
    /* [solution->n_instant] wall shear stress at each instant; NULL: the flow is steady */
    const wall_statistics *wss_instant;
    const char *qc_path;               /* path of the picture that segment drew; NULL: none */
    const volume *image, *phi;         /* input image of segment, and its level set; value NULL: none */
    const cJSON *stage[REPORT_STAGES]; /* record of each stage; NULL: none. The record of post has no duration yet. */
} report_input;

/* Source of the lumen in words, such as "a lumen found in an image". */
const char *report_lumen(const case_file *c);
/* Number of lattices on which the flow was solved (1 without mesh.grid_levels), and their spacings, finest first. The
 * array of the spacings may be NULL. */
enum { LATTICES_MAX = 4 };
int report_lattices(const report_input *in, double spacing_mm[LATTICES_MAX]);

/* Write a value of *r and its interval, both multiplied by `scale`. A value without interval gets the digits that
 * readouts_off allows. unit NULL: no unit. */
void report_number(html *h, const readouts *r, const double *value, double scale, const char *unit);
/* Write a sentence if intervals lack the segmentation part, else nothing. */
void report_add_unknown_wall(html *h, const readouts *r);
/* Statement whether the intervals include an unknown blood model, such as "the intervals include the difference to
 * shear-thinning blood". */
const char *report_unknown_blood(const readouts *r);

/* Functions that add the parts of the page, in the order of the page */
/* adds the section about unsteady flow; empty for a steady or pulsatile flow */
void report_add_unsteady(html *h, const report_input *in);
void report_add_flags(html *h, const report_input *in);
void report_add_brief(html *h, const report_input *in); /* adds the short summary; empty if the flow did not converge */
void report_add_lumen(html *h, const report_input *in);
void report_add_vessel(html *h, const report_input *in); /* empty without the table of segment */
void report_add_cycle(html *h, const report_input *in);  /* adds the section about the cycle; empty for a steady flow */
void report_add_along(html *h, const report_input *in);  /* adds curves along the branches; empty without values */
void report_add_run(html *h, const report_input *in);
void report_add_readouts(html *h, const report_input *in);
void report_add_gradients(html *h, const report_input *in);
void report_add_liver(html *h,
                      const report_input *in); /* adds the perfusion of the liver; empty without compartments */
void report_add_settings(html *h, const report_input *in);
void report_add_quality(html *h, const report_input *in);
void report_add_definitions(html *h, const report_input *in);
/* Adds "flow of SMV: textbook value (Burkart 1993), NOT MEASURED" as a line of its own if the case has flows that init
 * proposed; else nothing. opening: adds only the flow of this opening, without its name; NULL: all openings. */
void report_add_unmeasured(html *h, const case_file *c, const case_opening *opening);
#endif
