/* The pressure drops that a computed case reads out, with their intervals. */
#ifndef PORTAFLOW_DROPS_H
#define PORTAFLOW_DROPS_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/trial.h"

enum { DROPS_MAX = 12, DROPS_NAME = 48 };

/* In the order of the case's readouts. */
typedef struct {
    int n;
    char what[DROPS_MAX][DROPS_NAME]; /* "IN to OUT" */
    double value_pa[DROPS_MAX];       /* as shown: extrapolated where there are several lattices */
    double finest_pa[DROPS_MAX];      /* on the finest lattice */
    double total_pa[DROPS_MAX];       /* half-width of the interval, and of its parts; NaN: none */
    double lattice_pa[DROPS_MAX], image_pa[DROPS_MAX];
} drops;

/* From out/post/readouts.json; the first DROPS_MAX of them. Errors: ERR_INPUT. */
MUST_CHECK int drops_read(const trial *t, drops *d);

/* The largest one, 0 when there is none. */
int drops_largest(const drops *d);
#endif
