/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a field file in a thread while the next steps run, one file at a time. HDF5 is not thread-safe: wait before
 * any other HDF5 call. */
#ifndef PORTAFLOW_FIELD_STORE_H
#define PORTAFLOW_FIELD_STORE_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"
#include "solve/output/stored_files.h"
#include <pthread.h>
#include <stdbool.h>

typedef struct {
    bool busy;
    pthread_t thread;
    char *path;
    fields f;
    const lattice *l;
    char *sum;
    int rc;
} field_store; /* all zero: no file is being written */

/* Starts to write *f to `path`. Takes ownership of path (malloc) and *f, which is empty afterwards, also on failure.
 * Waits for the previous file first. With several ranks, or if no thread starts, the file is complete on return. `sum`
 * is extended by the checksum of the complete file (stored_files_add). Errors: as field_store_wait. */
MUST_CHECK int field_store_start(field_store *s, char *path, const lattice *l, fields *f, char sum[STORED_FILES_SUM]);
/* Waits until the file is complete. Errors: as field_file_write. */
MUST_CHECK int field_store_wait(field_store *s);
#endif
