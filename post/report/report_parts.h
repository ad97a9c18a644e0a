/* What the report is made from, and its parts. */
#ifndef PORTAFLOW_POST_REPORT_REPORT_PARTS_H
#define PORTAFLOW_POST_REPORT_REPORT_PARTS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
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
    int n_picture;
    const picture_file *picture;
    const char *figure_folder;
    const char *no_picture;             /* why there are none, NULL */
    const monitors *monitors;           /* the run row by row; n 0: not there */
    const wall_statistics *wss_instant; /* [solution->n_instant]; NULL: steady */
    const char *qc_path;                /* segment's picture, NULL: not there */
    const volume *image, *phi;          /* that the lumen was found in, and its distance; NULL: not there */
    const cJSON *stage[REPORT_STAGES];  /* <stage>.json of each, NULL: not there; post's own without seconds */
} report_input;

/* Where the lumen comes from: "a lumen found in an image". */
const char *report_lumen(const case_file *c);
/* Lattices that the flow was solved on, the finest first: their spacings (NULL: not wanted); 1 without mesh.ladder. */
enum { LATTICES_MAX = 4 };
int report_lattices(const report_input *in, double spacing_mm[LATTICES_MAX]);

/* A number of *r with what is known of its interval, both times `scale`; to three digits where it has none. unit NULL:
 * none. */
void report_number(html *h, const readouts *r, const double *value, double scale, const char *unit);
/* A sentence where intervals are without their image part, else nothing. */
void report_add_unknown_wall(html *h, const readouts *r);

/* The parts, in the order of the page. */
void report_add_unsteady(html *h, const report_input *in); /* nothing when steady or pulsatile */
void report_add_flags(html *h, const report_input *in);
void report_add_brief(html *h, const report_input *in); /* nothing of a flow that did not converge */
void report_add_lumen(html *h, const report_input *in);
void report_add_cycle(html *h, const report_input *in); /* nothing when steady */
void report_add_run(html *h, const report_input *in);
void report_add_readouts(html *h, const report_input *in);
void report_add_gradients(html *h, const report_input *in);
void report_add_settings(html *h, const report_input *in);
void report_add_quality(html *h, const report_input *in);
void report_add_definitions(html *h, const report_input *in);
#endif
