/* A field file that is written while the next steps run, one at a time: HDF5 knows one thread only, so whoever wants to
 * call it meanwhile waits first. */
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
} field_store; /* zeroed: nothing is being written */

/* Takes over path (from malloc) and *f, which is empty afterwards, also on failure. Waits for the file before it; of
 * several ranks and where no thread can be had, for this one too. `sum`, once the file is there, is that with it
 * (stored_files_add). Errors: those of field_store_wait. */
MUST_CHECK int field_store_start(field_store *s, char *path, const lattice *l, fields *f, char sum[STORED_FILES_SUM]);
/* Until the file is complete. Errors: those of field_file_write. */
MUST_CHECK int field_store_wait(field_store *s);
#endif
