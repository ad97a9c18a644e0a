/* The stages' results as each other's inputs.
 *
 * A stage vouches for its files in its sealed <stage>.json: their checksums, those of what it read, and under
 * "case_parts" the digest of every stage's part of the case up to its own. A later stage takes a file only when the
 * record beside it is whole, was made for the case that it was itself given, and the file is the one recorded there:
 *
 *   TRY(case_chain_open(c, "mesh", in, &record));
 *   TRY(case_chain_take(c, record, in, "lattice.h5", json));      ... and only then is lattice.h5 read */
#ifndef PORTAFLOW_CASE_CHAIN_H
#define PORTAFLOW_CASE_CHAIN_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include <cjson/cJSON.h>

/* The record that `mesh --dry-run` leaves for `solve --dry-run`: mesh's, but no stage takes its lattice. */
#define CASE_CHAIN_LOOK "look"

/* Adds "case_parts" {"segment": "..", .., `stage`: ".."} to the record of a stage (a case with mesh.shape has no
 * segment). Errors: ERR_RESOURCE. */
MUST_CHECK int case_chain_parts(const case_file *c, const char *stage, cJSON *json);

/* folder/<stage>.json, which must be there, whole and of this case: made from its words, and from the image, labels and
 * surfaces that it names, where these are here (a machine that only solves has none). Caller: cJSON_Delete.
 * Errors: ERR_INPUT, ERR_RESOURCE; *record is NULL then. */
MUST_CHECK int case_chain_open(const case_file *c, const char *stage, const char *folder, cJSON **record);

/* folder/name is the file that the stage of `record` recorded as its output; it becomes an input of `json`.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int case_chain_take(const case_file *c, const cJSON *record, const char *folder, const char *name,
                               cJSON *json);

/* The stage of `later` read the very file `name` that the stage of `earlier` made. Errors: ERR_INPUT. */
MUST_CHECK int case_chain_follows(const cJSON *earlier, const cJSON *later, const char *name);
#endif
