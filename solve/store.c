/* See store.h: one thread that writes and is joined before the next one. */
#include "solve/store.h"
#include "common/base/status.h"
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static void *write_behind(void *data) {
    store *s = data;
    s->rc = field_file_write(s->path, s->l, &s->f);
    if (s->rc == OK)
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
    s->busy = pthread_create(&s->thread, NULL, write_alone, s) == 0;
    if (s->busy)
        return OK;
    write_behind(s);
    return finish(s);
}
