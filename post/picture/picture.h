/* Which pictures are made, and what stands on them. Drawing is vtk_draw.h's. */
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
    char file[PICTURE_FILE]; /* in the folder of the figures */
    char caption[PICTURE_CAPTION];
} picture_file;

typedef struct {
    const lattice *l;
    const sampler *s;
    const fields *f; /* steady, or the mean over the cycle */
    const wall *w;
    const double *wss_pa;      /* [w->shape.n_point] magnitude of the steady WSS, or TAWSS */
    const double *osi;         /* [..] NULL: steady */
    const double *pressure_pa; /* [..] */
    int n_course;
    const course *course;
    const readouts *r;     /* of the whole, with the instants' */
    const instants *shown; /* instants of the cycle to be drawn one by one; n 0: none */
} picture_input;

/* Draw all of them into `folder` (which exists). `files` [PICTURE_MAX] out. Without a way to draw: *n 0, *reason says
 * why, and OK. Old pictures of the same names are removed first. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int picture_draw_all(const picture_input *in, const char *folder, picture_file *files, int *n,
                                const char **reason);

/* Of the instants: WSS from both sides, speed in the cut along the vessels, velocity through the sections; a page each,
 * one colour bar for all instants of a page. Part of picture_draw_all: adds to `files` and *n.
 * Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int picture_draw_instants(const picture_input *in, const char *folder, picture_file *files, int *n);
void picture_remove_instants(const char *folder);

/* Nice ends and number of intervals for a colour bar over low..high (low is kept when it is 0). */
void picture_range(double low, double high, double *nice_low, double *nice_high, int *intervals);
#endif
