/* Synthetic patients that an item draws for itself, by the program `phantom`. */
#ifndef PORTAFLOW_DRAW_H
#define PORTAFLOW_DRAW_H
#include "common/base/must_check.h"

/* The patient in `folder`, drawn anew, also where an earlier run left one: the same options give the same bytes.
 *   option  those of phantom but for --out, NULL-terminated; 16 at most
 * Where phantom is not in this build, the patient that lies there is taken.
 * Errors: ERR_RESOURCE (no phantom and nobody there), those of phantom. */
MUST_CHECK int draw_patient(const char *folder, const char *const *option);

/* Random vessels as an exact shape, of this seed, in <work>/patient-NN. folder: out, FILE_PATH_MAX long.
 * Errors: as draw_patient. */
MUST_CHECK int draw_random(const char *work, int seed, char *folder);

/* Random vessels of the seeds 1 to n, by the work they are: seed[n], most cells first at equally many across the
 * narrowest place. Begun in this order, the last to end is not one of the largest. Errors: as draw_patient. */
MUST_CHECK int draw_by_size(const char *work, int n, int *seed);
#endif
