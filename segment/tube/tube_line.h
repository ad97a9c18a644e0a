/* Lines of points that a tube's pieces are made of. Used by tube.c alone. */
#ifndef PORTAFLOW_TUBE_LINE_H
#define PORTAFLOW_TUBE_LINE_H
#include "common/base/must_check.h"
#include "segment/tube/paths.h"
#include <stdbool.h>

typedef struct {
    int n, end[2];   /* the openings at its ends, -1 none */
    bool leaf[2];    /* nothing goes on there */
    double (*at)[3]; /* [n] LPS mm, owned */
} line;

/* Errors of all functions here: ERR_RESOURCE. */
MUST_CHECK int line_append(line *l, const double (*at)[3], int n, bool backwards);

/* The other way round. */
void line_turn(line *l);

/* Paths that end where another one starts go on in it; two that end in the root are one. Each becomes a line, l
 * [p->n]; lines taken up by others are left with n = 0. */
MUST_CHECK int line_join(const paths *p, line *l);

/* Moving average over +- reach points; the ends stay. */
MUST_CHECK int line_smooth(line *l, int reach, int times);

/* The same line in equal steps of about `step` mm. */
MUST_CHECK int line_resample(line *l, double step);

/* Straight on beyond an end by n steps, along normal where that is near the direction of the last back_steps points
 * (x NAN: along them). */
MUST_CHECK int line_extend(line *l, int end, int n, double step, int back_steps, const double normal[3]);
#endif
