/* See store.h: one thread that writes and is joined before the next one. */
#include "solve/store.h"
#include "common/base/status.h"
#include <stdlib.h>

static void *write_behind(void *data) {
    store *s = data;
    s->rc = field_file_write(s->path, s->l, &s->f);
    if (s->rc == OK)
        s->rc = kept_store(s->path, s->sum);
    return NULL;
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
    s->busy = pthread_create(&s->thread, NULL, write_behind, s) == 0;
    if (s->busy)
        return OK;
    write_behind(s);
    return finish(s);
}
