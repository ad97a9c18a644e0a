/* SPDX-License-Identifier: Apache-2.0 */
/* Choice and captions of the pictures; vtk_draw.h draws them. */
#ifndef PORTAFLOW_POST_PICTURE_PICTURE_H
#define PORTAFLOW_POST_PICTURE_PICTURE_H
#include "common/base/must_check.h"
#include "post/flow/course.h"
#include "post/readouts/instants.h"
#include "post/readouts/readouts.h"
#include "post/flow/solution.h"
#include "post/wall/wall.h"

enum { PICTURE_MAX = 12, PICTURE_FILE = 32, PICTURE_CAPTION = 512 };

typedef struct {
    char file[PICTURE_FILE]; /* name of the file, in the folder of the figures */
    char caption[PICTURE_CAPTION];
} picture_file;

typedef struct {
    const lattice *l;
    const sampler *s;
    const fields *f; /* fields of the steady flow, or mean fields over the cycle */
    const wall *w;
    const double *wss_pa;      /* [w->shape.n_point] magnitude of the wall shear stress; in a pulsatile flow TAWSS */
    const double *osi;         /* [w->shape.n_point] oscillatory shear index; NULL: the flow is steady */
    const double *pressure_pa; /* [w->shape.n_point] pressure on the wall */
    int n_course;
    const course *course;
    double density_kg_m3;
    const readouts *r;     /* readouts of the run, including its instants */
    const instants *shown; /* instants of the cycle that get pictures; n 0: none */
} picture_input;

/* Title of a picture. If the run must not be used, the title begins with "TOO COARSE: do not use. " or "NOT CONVERGED:
 * do not use. ", because a picture may be copied without its page. Returns `title` or `text`. */
enum { PICTURE_TITLE = 160 };
const char *picture_title(const picture_input *in, const char *title, char text[PICTURE_TITLE]);

/* Draws all pictures into the existing `folder`. files [PICTURE_MAX] out. If this machine cannot draw, sets *n to 0 and
 * *reason to a sentence, and returns OK. Old pictures of the same names are removed first. Errors: ERR_OUTPUT,
 * ERR_RESOURCE. */
MUST_CHECK int picture_draw_all(const picture_input *in, const char *folder, picture_file *files, int *n,
                                const char **reason);

/* Draws the pages of the instants: WSS from both sides, speed in the cut along the vessels, velocity through the
 * sections. Each page has one colour bar. A part of picture_draw_all: appends to `files` and *n. Errors: ERR_OUTPUT,
 * ERR_RESOURCE. */
MUST_CHECK int picture_draw_instants(const picture_input *in, const char *folder, picture_file *files, int *n);
void picture_remove_instants(const char *folder);

/* Chooses round numbers for the ends of a colour bar that covers low .. high, and the number of intervals of the bar.
 * If low is 0, *nice_low is 0. */
void picture_range(double low, double high, double *nice_low, double *nice_high, int *intervals);
#endif
