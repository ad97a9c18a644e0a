/* What the stages would refuse, found by asking them. */
#ifndef PORTAFLOW_DRY_RUN_STAGES_H
#define PORTAFLOW_DRY_RUN_STAGES_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "pipeline/run/patient.h"

/* What `solve --dry-run` says of the case alone. set: of the command line. Errors: its exit code and sentence,
 * ERR_RESOURCE. */
MUST_CHECK int dry_run_stages_of_case(const patient *p, const options_list *set);

/* The lumen, where it is known without a front (an analytic shape, a mask, a surface, a result of segment that is up to
 * date), `mesh --dry-run` on it, and `solve --dry-run` on that lattice, or of the case alone where there is none;
 * results that are up to date are taken as they are. What is made lies in a folder of its own under TMPDIR, which is
 * removed. Every warning of these stages is given once, as is each serious one of a result that is up to date; *told:
 * those of solve on a lattice are among them; *cells: of the finest lattice to compute, NaN: not known.
 * Errors: what the stage refused, its exit code and sentence; ERR_RESOURCE. */
MUST_CHECK int dry_run_stages(const patient *p, const options_list *set, bool *told, double *cells);
#endif
