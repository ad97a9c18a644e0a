/* SPDX-License-Identifier: Apache-2.0 */
/* Data that the steps of the stage share: inputs, wall, readouts, pictures. */
#ifndef PORTAFLOW_POST_STAGE_WORK_H
#define PORTAFLOW_POST_STAGE_WORK_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "common/image/volume.h"
#include "post/flow/along.h"
#include "post/flow/course.h"
#include "post/flow/monitors.h"
#include "post/picture/picture.h"
#include "post/picture/straightened.h"
#include "post/readouts/instants.h"
#include "post/report/report.h"
#include "post/stage/out_folder.h"

typedef struct {
    const char *case_path, *in, *out;
    const char *mesh; /* folder of lattice.h5 and surface.vtp; NULL: folder "mesh" next to the folder of solve */
    bool no_pictures;
    int argc; /* argc, argv: command line, for post.json */
    char **argv;
    options_list set; /* values that replace entries of the case file (case_read_set) */
} post_options;

typedef struct {
    case_file c;
    char solve_folder[FILE_PATH_MAX], mesh_folder[FILE_PATH_MAX], segment_folder[FILE_PATH_MAX];
    cJSON *stage[REPORT_STAGES];
    lattice l;
    surface lumen;
    solution run;
    fields f; /* fields of the steady flow, or mean fields over the cycle */
    sampler s;
    double (*section_point_mm)[3], (*section_normal)[3];
    /* spacing of the coarsest lattice of the grid sequence; without a sequence the spacing of `l` */
    double coarsest_mm;
    wall w;
    double *wss, *pressure;    /* wss [n_point][3] and pressure [n_point] on the wall, of the steady or the mean flow */
    double *wss_magnitude;     /* [n_point] magnitude of wss */
    double *tawss, *osi, *rrt; /* for a pulsatile flow: [n_point] TAWSS, OSI, relative residence time; otherwise NULL */
    /* [run.n_instant] statistics of the wall shear stress at each stored instant; NULL: the flow is steady */
    wall_statistics *instant;
    instants shown; /* instants that the case requests */
    int n_course;
    course *course;
    vessel_branches branches;
    along_values along;
    readouts r;
    perfusion liver; /* the label of the liver and its compartments; liver.liver NULL: no compartments */
    int n_picture;
    picture_file picture[PICTURE_MAX];
    const char *no_picture;
    int n_straightened;
    picture_file straightened[STRAIGHTENED_MAX]; /* the image along the centerlines */
    monitors monitors;                           /* monitors of the run; n 0: there is no monitors.csv */
    char qc_path[FILE_PATH_MAX];                 /* path of the picture that segment drew; "": none */
    volume image, phi;                           /* input image of segment, and its level set; value NULL: none */
} post_work;

/* inputs.c: read all inputs; p->c must be set. Every file becomes an input of `json`. A file is read only if the record
 * of its stage belongs to this case and lists the file with the checksum that it has now. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int inputs_read(const post_options *o, post_work *p, cJSON *json);

/* Checks by the record of `stage` that this stage wrote the file, and adds the file to the inputs of `json`. Errors:
 * ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int inputs_take(post_work *p, int stage, const char *name, cJSON *json, char path[FILE_PATH_MAX]);

/* inputs.c: read the geometry of the image, for points of a case in voxel space. Errors: as image_read_geometry. */
MUST_CHECK int inputs_read_geometry(const post_work *p, volume *image);

/* Read the image and the level set for the slices of the report, and the picture of segment, if they exist and are
 * unchanged. `image` is no recorded input, since the readouts do not depend on it. Errors: ERR_INPUT (phi or qc.png is
 * not from segment), ERR_RESOURCE. */
MUST_CHECK int inputs_read_lumen_image(post_work *p, cJSON *json);

/* outputs.c: write the files of the folder `out` (with figures/). Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int outputs_write(const post_options *o, post_work *p, cJSON *json);

/* liver_flow.c: measures the liver of a label image, solves its compartments and sets the resistance of the readout.
 * Compartments without a value: warns and leaves the resistance NaN. The label image becomes an input of `json`.
 * Errors: ERR_INPUT (label, an end far from the liver), ERR_NUMERIC, ERR_RESOURCE. */
MUST_CHECK int liver_flow_compute(post_work *p, cJSON *json);
/* liver_flow.c: warns, also in the notes of the readouts, if the liver starts at a pressure above the pressure of an
 * outlet. Errors: ERR_RESOURCE. */
MUST_CHECK int liver_flow_compare(post_work *p);
/* liver_flow.c: write the maps of the liver on the grid of its label image. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int liver_flow_write(const out_folder *out, const post_work *p);

/* exports.c: write the files for other tools. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int exports_write(const out_folder *out, const post_work *p);

/* readout_intervals.c: computes the readouts of the other runs of mesh.grid_levels: coarser lattices, and lumens with
 * the wall moved by its uncertainty. Sets p->r.interval and the extrapolated values in p->r. If there are no other
 * runs, adds a note with the reason. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int grid_sequence_form_intervals(post_work *p, cJSON *json);
/* Largest spacing of the grid sequence. */
double grid_sequence_coarsest_mm(const post_work *p);

/* wall_values.c: makes the wall of a lattice. f NULL: the wall stores its sampling weights, for wall_apply. f not NULL:
 * computes *wss_pa and *pressure_pa of this field instead (wall_create_for_field). Statistics exclude extensions, and
 * the wall within two cells of an opening, with cells of spacing_mm. Errors: ERR_RESOURCE, errors of wall_create. */
MUST_CHECK int wall_values_make(const case_file *c, const sampler *s, const surface *lumen, double spacing_mm,
                                const fields *f, wall *w, double **wss_pa, double **pressure_pa);
/* Warns if more than 1 % of the wall area has no value. */
void wall_values_warn(const lattice *l, const surface *lumen, const wall *w);
/* Largest speed in the cells, m/s. */
double wall_values_highest_speed(const sampler *s, const fields *f);

/* view_values.c: write view.html. Errors: as view_page_write. */
MUST_CHECK int view_values_write(const char *path, const report_input *in, const post_work *p);

/* wall_values.c: compute WSS, TAWSS, OSI, RRT and pressure on the wall, and the highest velocity. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int wall_values_compute(post_work *p);
#endif
