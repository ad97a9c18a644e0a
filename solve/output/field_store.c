/* SPDX-License-Identifier: Apache-2.0 */
/* The file is written by a thread. The thread is joined before the next file starts. */
#include "solve/output/field_store.h"
#include "common/base/status.h"
#include "solve/output/rank_files.h"
#include "solve/ranks/ranks.h"
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static void *write_behind(void *data) {
    field_store *s = data;
    s->rc = field_file_write_ranks(s->path, s->l, &s->f, rank_files_fields());
    if (s->rc == OK && ranks_number() == 0)
        s->rc = stored_files_add(s->path, s->sum);
    return NULL;
}

static void *write_alone(void *data) {
#ifdef _OPENMP
    omp_set_num_threads(1); /* one thread, because all others compute the next steps */
#endif
    return write_behind(data);
}

static int finish_write(field_store *s) {
    const int rc = s->rc;
    fields_free(&s->f);
    free(s->path);
    *s = (field_store){0};
    return rc;
}

int field_store_wait(field_store *s) {
    if (!s->busy)
        return OK;
    pthread_join(s->thread, NULL);
    return finish_write(s);
}

int field_store_start(field_store *s, char *path, const lattice *l, fields *f, char sum[STORED_FILES_SUM]) {
    const int rc = field_store_wait(s);
    *s = (field_store){.path = path, .f = *f, .l = l, .sum = sum, .rc = rc};
    *f = (fields){0};
    if (rc != OK)
        return finish_write(s);
    s->busy = ranks_count() == 1 && pthread_create(&s->thread, NULL, write_alone, s) == 0;
    if (s->busy)
        return OK;
    write_behind(s);
    return finish_write(s);
}
