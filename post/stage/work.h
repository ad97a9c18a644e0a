/* What the steps of the stage share: inputs, wall, readouts, what was drawn. */
#ifndef PORTAFLOW_POST_STAGE_WORK_H
#define PORTAFLOW_POST_STAGE_WORK_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "common/image/volume.h"
#include "post/flow/course.h"
#include "post/flow/monitors.h"
#include "post/picture/picture.h"
#include "post/readouts/instants.h"
#include "post/report/report.h"
#include "post/stage/out_folder.h"

typedef struct {
    const char *case_path, *in, *out;
    const char *mesh; /* folder of lattice.h5 and surface.vtp; NULL: the folder mesh beside solve's */
    bool no_pictures;
    int argc; /* for post.json */
    char **argv;
    options_list set; /* of the case, in place of what its file says: case_read_set */
} post_options;

typedef struct {
    case_file c;
    char solve_folder[FILE_PATH_MAX], mesh_folder[FILE_PATH_MAX], segment_folder[FILE_PATH_MAX];
    cJSON *stage[REPORT_STAGES];
    lattice l;
    surface lumen;
    solution run;
    fields f; /* steady, or the mean over the cycle */
    sampler s;
    double (*section_point_mm)[3], (*section_normal)[3];
    double coarsest_mm; /* spacing of the coarsest lattice whose readouts are compared; l's without a ladder */
    wall w;
    double *wss, *pressure;    /* [n_point][3], [n_point] of the steady state or the mean */
    double *wss_magnitude;     /* [n_point] of wss */
    double *tawss, *osi, *rrt; /* pulsatile, otherwise NULL */
    wall_statistics *instant;  /* [run.n_instant] magnitude of the WSS at each stored instant; NULL: steady */
    instants shown;            /* those the case asks for */
    int n_course;
    course *course;
    readouts r;
    int n_picture;
    picture_file picture[PICTURE_MAX];
    const char *no_picture;
    monitors monitors;           /* n 0: monitors.csv is not there */
    char qc_path[FILE_PATH_MAX]; /* "": not there */
    volume image, phi;           /* that segment worked on, and its distance; value NULL: not there */
} post_work;

/* inputs.c; p->c is read already. Every file becomes an input of `json`, and is read only when the stage that made
 * it vouches for it and worked on this case. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int inputs_read(const post_options *o, post_work *p, cJSON *json);

/* A file that `stage` must have made; it becomes an input of `json` once it is the one its record names.
 * Errors: as above. */
MUST_CHECK int inputs_take(post_work *p, int stage, const char *name, cJSON *json, char path[FILE_PATH_MAX]);

/* The image and the distance for the report's slices, and segment's picture, where they are there and
 * those that segment read and made; `image` is no input of post, whose numbers do not depend on it. Errors: ERR_INPUT
 * (phi or qc.png is not segment's), ERR_RESOURCE. */
MUST_CHECK int inputs_read_lumen_image(post_work *p, cJSON *json);

/* outputs.c: files of the folder `out` (with figures/). Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int outputs_write(const post_options *o, post_work *p, cJSON *json);

/* exports.c: what other tools open; Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int exports_write(const out_folder *out, const post_work *p);

/* grid_sequence.c: the readouts of the other lattices and lumens of mesh.ladder, and from them p->r.interval and the
 * extrapolated values in p->r; without them notes that say why. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int grid_sequence_form_intervals(post_work *p, cJSON *json);
/* The largest spacing of the ladder's levels. */
double grid_sequence_coarsest_mm(const post_work *p);

/* wall_values.c: the wall of a lattice; f NULL: with its weights, else with *wss_pa and *pressure_pa (wall_of_field). Two
 * cells of spacing_mm and the extension of each opening do not count. Errors: ERR_RESOURCE and those of wall_create. */
MUST_CHECK int wall_values_make(const case_file *c, const sampler *s, const surface *lumen, double spacing_mm,
                                const fields *f, wall *w, double **wss_pa, double **pressure_pa);
/* Warns when more than a hundredth of it has no value. */
void wall_values_warn(const lattice *l, const surface *lumen, const wall *w);
/* Largest speed in the cells. */
double wall_values_highest_speed(const sampler *s, const fields *f);

/* view_values.c: view.html. Errors: as view_page_write. */
MUST_CHECK int view_values_write(const char *path, const report_input *in, const post_work *p);

/* wall_values.c: WSS, TAWSS, OSI, RRT, pressure at the wall, highest velocity. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int wall_values_compute(post_work *p);
#endif
