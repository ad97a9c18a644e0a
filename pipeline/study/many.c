/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/study/many.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include "pipeline/run/stages.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_MAX_LENGTH = 4096, JOBS_MAX = 64 };

typedef struct {
    int n, next;
    many_patient *one;
    const char *const *common;
    char program[PATH_MAX_LENGTH];
    pthread_mutex_t lock;
} pool;

/* Keeps the program's last line, without its name in front. */
static void keep_sentence(const process_result *r, many_patient *one) {
    static const char name[] = "pipeline: ";
    const char *text = r->sentence;
    if (strncmp(text, name, sizeof name - 1) == 0)
        text += sizeof name - 1;
    snprintf(one->sentence, sizeof one->sentence, "%.500s", *text ? text : "it gave no reason");
}

static void run_one(const pool *p, many_patient *one) {
    const char *argv[PROCESS_ARGS_MAX] = {p->program, "run", "--quiet"};
    process_result r = {.exit_code = ERR_RESOURCE};
    int n = 3;
    for (int k = 0; p->common[k] && n + 3 < PROCESS_ARGS_MAX; k++)
        argv[n++] = p->common[k];
    for (int k = 0; k < one->argc && n + 3 < PROCESS_ARGS_MAX; k++)
        argv[n++] = one->argv[k];
    argv[n++] = "--"; /* after "--" the folder's name may begin with '-' */
    argv[n++] = one->dir;
    argv[n] = NULL;
    if (process_run(argv, NULL, NULL, 1, &r) != OK) {
        snprintf(r.sentence, sizeof r.sentence, "%.500s", status_message());
        r.exit_code = ERR_RESOURCE;
        status_clear();
    }
    one->done = true;
    /* a negative exit code means that a signal ended the process */
    one->exit_code = r.exit_code < 0 ? ERR_RESOURCE : r.exit_code;
    one->seconds = r.seconds;
    if (one->exit_code != 0)
        keep_sentence(&r, one);
    if (one->exit_code == 0)
        message_info("%s: done in %.0f s", one->dir, one->seconds);
    else
        message_info("%s: failed with exit code %d: %s", one->dir, one->exit_code, one->sentence);
}

static void *run_worker(void *data) {
    pool *p = data;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        many_patient *one = p->next < p->n && !process_interrupted() ? &p->one[p->next++] : NULL;
        pthread_mutex_unlock(&p->lock);
        if (!one)
            return NULL;
        run_one(p, one);
    }
}

static void print_summary(int n, const many_patient *one) {
    for (int k = 0; k < n; k++) {
        if (!one[k].done)
            printf("%-24s  not started\n", one[k].dir);
        else if (one[k].exit_code == 0)
            printf("%-24s  done          %8.1f s\n", one[k].dir, one[k].seconds);
        else
            printf("%-24s  failed (%d)    %8.1f s  %s\n", one[k].dir, one[k].exit_code, one[k].seconds,
                   one[k].sentence);
    }
}

int many_run(int n, many_patient *one, const char *const *common, int jobs, bool quiet) {
    pthread_t thread[JOBS_MAX];
    pool p = {.n = n, .one = one, .common = common, .lock = PTHREAD_MUTEX_INITIALIZER};
    int rc = OK, started = 0, failed = 0, worst = OK;
    TRY(process_program("pipeline", p.program, sizeof p.program));
    jobs = jobs < n ? jobs : n;
    for (; started < jobs - 1 && started < JOBS_MAX; started++)
        if (pthread_create(&thread[started], NULL, run_worker, &p) != 0)
            break;
    run_worker(&p);
    for (int k = 0; k < started; k++)
        pthread_join(thread[k], NULL);
    for (int k = 0; k < n; k++) {
        failed += !one[k].done || one[k].exit_code != 0;
        worst = one[k].exit_code > worst ? one[k].exit_code : worst;
    }
    if (!quiet)
        print_summary(n, one);
    if (failed > 0)
        rc = fail(worst != OK ? worst : ERR_RESOURCE, "%d of %d patients failed%s", failed, n,
                  process_interrupted() ? " or were not finished: the run was stopped; repeat the command to continue"
                                        : "");
cleanup:
    return rc;
}

int many_add_options(const run_options *o, const char *common[MANY_OPTIONS], char threads[16]) {
    int n = 0;
    if (o->device) {
        common[n++] = "--device";
        common[n++] = o->device;
    }
    if (o->threads > 0) {
        snprintf(threads, 16, "%d", o->threads);
        common[n++] = "--threads";
        common[n++] = threads;
    }
    common[n] = NULL;
    return n;
}

int many_threads_per_job(int threads, int jobs) {
    return threads / jobs > 1 ? threads / jobs : 1;
}

int many_unique(int n, const char *const *dir, const char **unique) {
    int n_unique = 0;
    for (int k = 0; k < n; k++) {
        struct stat this, other;
        bool known = false;
        const bool there = stat(dir[k], &this) == 0;
        for (int m = 0; m < n_unique && there && !known; m++)
            known = stat(unique[m], &other) == 0 && other.st_dev == this.st_dev && other.st_ino == this.st_ino;
        if (!known)
            unique[n_unique++] = dir[k];
    }
    return n_unique;
}

int many_run_patients(int n, const char *const *dir, const run_options *o, int jobs) {
    const char *common[MANY_OPTIONS];
    char threads[16], ranks[16];
    run_options each = *o;
    each.threads = many_threads_per_job(o->threads, jobs < n ? jobs : n);
    int used = many_add_options(&each, common, threads);
    many_patient *one = calloc((size_t)n, sizeof *one);
    const char **unique = calloc((size_t)n, sizeof *unique); // NOLINT(bugprone-sizeof-expression)
    if (!one || !unique) {
        free(one);
        free(unique);
        return fail_memory("the patients", (double)n * sizeof *one);
    }
    common[used++] = "--from";
    common[used++] = stages_table[o->from].name;
    common[used++] = "--to";
    common[used++] = stages_table[o->to].name;
    if (o->force)
        common[used++] = "--force";
    if (o->verbose)
        common[used++] = "--verbose";
    if (o->ranks > 0) {
        snprintf(ranks, sizeof ranks, "%d", o->ranks);
        common[used++] = "--ranks";
        common[used++] = ranks;
    }
    for (int k = 0; k < o->set.n; k++) {
        common[used++] = "--set";
        common[used++] = o->set.word[k];
    }
    common[used] = NULL;
    n = many_unique(n, dir, unique);
    for (int k = 0; k < n; k++)
        one[k].dir = unique[k];
    const int rc = many_run(n, one, common, jobs, o->quiet);
    free(one);
    free(unique);
    return rc;
}
