/* `solve bench --schemes`: the papers' memory schemes beside ours, on this machine. */
#ifndef PORTAFLOW_BENCH_SCHEMES_H
#define PORTAFLOW_BENCH_SCHEMES_H
#include "common/base/must_check.h"

/* Whether the arguments ask for it. */
int schemes_asked(int argc, char **argv);
/* As bench_main. Errors: also ERR_NUMERIC when a scheme gives another field than the textbook. */
MUST_CHECK int schemes_main(int argc, char **argv);
#endif
