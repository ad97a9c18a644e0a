/* Checks that the results of one stage are valid inputs of the next.
 *
 * A stage records in its sealed <stage>.json the checksums of its outputs and inputs, and under "case_parts" the
 * digests of the case for every stage up to its own. A later stage reads a file only if the record beside it is
 * complete, was made for the same case, and lists this file:
 *   TRY(case_chain_open(c, "mesh", in, &record));
 *   TRY(case_chain_take(c, record, in, "lattice.h5", json));      then read lattice.h5 */
#ifndef PORTAFLOW_CASE_CHAIN_H
#define PORTAFLOW_CASE_CHAIN_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include <cjson/cJSON.h>

/* Record of `mesh --dry-run` for `solve --dry-run`; no stage uses its lattice. */
#define CASE_CHAIN_LOOK "look"

/* Adds "case_parts" {"segment": "..", .., `stage`: ".."} to the record of a stage (no segment with mesh.shape). Errors:
 * ERR_RESOURCE. */
MUST_CHECK int case_chain_parts(const case_file *c, const char *stage, cJSON *json);

/* Reads folder/<stage>.json and checks that it is complete and belongs to this case: its values, and the image, labels
 * and surfaces that are present. Caller: cJSON_Delete. Errors: ERR_INPUT, ERR_RESOURCE; *record is NULL then. */
MUST_CHECK int case_chain_open(const case_file *c, const char *stage, const char *folder, cJSON **record);

/* Checks that folder/name is the file that the stage of `record` wrote, and adds it to the inputs of `json`. Errors:
 * ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int case_chain_take(const case_file *c, const cJSON *record, const char *folder, const char *name,
                               cJSON *json);

/* Checks that the stage of `later` read the file `name` that the stage of `earlier` wrote. Errors: ERR_INPUT. */
MUST_CHECK int case_chain_follows(const cJSON *earlier, const cJSON *later, const char *name);
#endif
