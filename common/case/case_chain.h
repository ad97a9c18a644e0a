/* SPDX-License-Identifier: Apache-2.0 */
/* Verification that results of earlier stages may be inputs of a later stage.
 *
 * A stage seals its <stage>.json: checksums of its outputs and inputs, and in "case_parts" the digests of the case for
 * this stage and every earlier stage. A later stage accepts a file only if the record in the same folder is complete,
 * matches the current case, and contains the file's checksum:
 *
 *   TRY(case_chain_open(c, "mesh", in, &record));
 *   TRY(case_chain_accept(c, record, in, "lattice.h5", json));      ... and only then read lattice.h5 */
#ifndef PORTAFLOW_CASE_CHAIN_H
#define PORTAFLOW_CASE_CHAIN_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include <cjson/cJSON.h>

/* Stage name in the record that `mesh --dry-run` writes for `solve --dry-run`. Such a record has the same content as
 * mesh.json, but no stage accepts its lattice for a result. */
#define CASE_CHAIN_DRY_RUN "preview"

#define CASE_CHAIN_WITHOUT_NAMES "case_xxh3_without_names" /* Key of case_digest_without_names in a record */

/* Adds "case_parts" {"segment": "..", .., `stage`: ".."} to the record of a stage (a case with mesh.shape has no
 * segment), and the digest of the stage without names. Errors: ERR_RESOURCE. */
MUST_CHECK int case_chain_add_parts(const case_file *c, const char *stage, cJSON *json);

/* The first stage up to `stage` whose keys of the case differ from the keys in `record`; NULL: none. */
const char *case_chain_changed_part(const case_file *c, const char *stage, const cJSON *record);

/* Opens the record folder/<stage>.json. It must exist, be complete and match this case: the digests of the case, and
 * the checksums of image, labels and surfaces if these files exist here (a machine that only solves has none). The
 * caller frees *record with cJSON_Delete. Errors: ERR_INPUT, ERR_RESOURCE; *record is NULL then. */
MUST_CHECK int case_chain_open(const case_file *c, const char *stage, const char *folder, cJSON **record);

/* Checks that folder/name has the checksum in the outputs of `record`, and adds the file to the inputs of `json`.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int case_chain_accept(const case_file *c, const cJSON *record, const char *folder, const char *name,
                                 cJSON *json);

/* Checks that the stage of `later` read the version of the file `name` written by the stage of `earlier`. Errors:
 * ERR_INPUT. */
MUST_CHECK int case_chain_check_order(const cJSON *earlier, const cJSON *later, const char *name);
#endif
