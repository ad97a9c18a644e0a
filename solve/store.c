/* See store.h: one thread that writes and is joined before the next one. */
#include "solve/store.h"
#include "common/base/status.h"
#include "solve/rank_files.h"
#include "solve/ranks/ranks.h"
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static void *write_behind(void *data) {
    store *s = data;
    s->rc = field_file_write_ranks(s->path, s->l, &s->f, rank_files_fields());
    if (s->rc == OK && ranks_number() == 0)
        s->rc = kept_store(s->path, s->sum);
    return NULL;
}

static void *write_alone(void *data) {
#ifdef _OPENMP
    omp_set_num_threads(1); /* the others compute */
#endif
    return write_behind(data);
}

static int finish(store *s) {
    const int rc = s->rc;
    fields_free(&s->f);
    free(s->path);
    *s = (store){0};
    return rc;
}

int store_wait(store *s) {
    if (!s->busy)
        return OK;
    pthread_join(s->thread, NULL);
    return finish(s);
}

int store_start(store *s, char *path, const lattice *l, fields *f, char sum[KEPT_SUM]) {
    const int rc = store_wait(s);
    *s = (store){.path = path, .f = *f, .l = l, .sum = sum, .rc = rc};
    *f = (fields){0};
    if (rc != OK)
        return finish(s);
    s->busy = ranks_count() == 1 && pthread_create(&s->thread, NULL, write_alone, s) == 0;
    if (s->busy)
        return OK;
    write_behind(s);
    return finish(s);
}
