/* SPDX-License-Identifier: Apache-2.0 */
/* Case numbers go through a pipe, and each free worker reads the next one. */
#include "pipeline/reproduce/workers.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS_MAX = 64 };

/* Selects the GPU of a worker; workers get the GPUs in CUDA_VISIBLE_DEVICES in turn. */
static void take_gpu(int number) {
    const char *all = getenv("CUDA_VISIBLE_DEVICES");
    char one[64];
    int n = 1;
    if (!all || !strchr(all, ','))
        return;
    for (const char *c = all; *c; c++)
        n += *c == ',';
    for (int k = number % n; k > 0; k--)
        all = strchr(all, ',') + 1;
    snprintf(one, sizeof one, "%.*s", (int)strcspn(all, ","), all);
    setenv("CUDA_VISIBLE_DEVICES", one, 1);
}

/* Computes the cases whose numbers arrive through the pipe `from`, with output to `log`. Does not return. */
static void worker(int number, int from, int log, int (*work)(void *data, int k), void *data) {
    int k;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    take_gpu(number);
    dup2(log, STDERR_FILENO);
    dup2(log, STDOUT_FILENO);
    while (!process_interrupted() && read(from, &k, sizeof k) == sizeof k) {
        if (work(data, k) != OK)
            message_info("%s", status_message());
        status_clear();
    }
    process_die_if_interrupted();
    _exit(OK);
}

static int start(int number, int from, const char *folder, int (*work)(void *data, int k), void *data, pid_t *pid) {
    char path[FILE_PATH_MAX];
    int rc = OK, log = -1;
    TRY(file_path(path, sizeof path, "%s/worker-%d.log", folder, number));
    log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (log < 0)
        GIVE_UP(fail(ERR_OUTPUT, "cannot write '%s': %s", path, strerror(errno)));
    *pid = fork();
    if (*pid == 0)
        worker(number, from, log, work, data);
    if (*pid < 0)
        rc = fail(ERR_RESOURCE, "cannot start a process: %s; use fewer --jobs", strerror(errno));
cleanup:
    if (log >= 0)
        close(log);
    return rc;
}

int workers_run(int jobs, int n, int (*work)(void *data, int k), void *data, const char *folder) {
    pid_t pid[WORKERS_MAX];
    int ends[2] = {-1, -1}, started = 0, rc = OK, how;
    TRY(file_create_folder(folder));
    if (pipe(ends) != 0)
        GIVE_UP(fail(ERR_RESOURCE, "cannot start a process: %s; use fewer --jobs", strerror(errno)));
    for (int k = 0; k < n; k++) /* never blocks, since a pipe holds 16,000 numbers */
        if (write(ends[1], &k, sizeof k) != sizeof k)
            GIVE_UP(fail(ERR_RESOURCE, "cannot pass the numbers of the cases to the workers: %s; repeat without --jobs",
                         strerror(errno)));
    close(ends[1]);
    ends[1] = -1;
    fflush(NULL);
    for (; started < jobs && started < n && started < WORKERS_MAX; started++)
        TRY(start(started + 1, ends[0], folder, work, data, &pid[started]));
cleanup:
    for (int k = 0; k < started; k++)
        if (waitpid(pid[k], &how, 0) == pid[k] && how != 0 && rc == OK)
            rc = fail(ERR_RESOURCE, "worker %d ended early; its log: '%s/worker-%d.log'", k + 1, folder, k + 1);
    for (int k = 0; k < 2; k++)
        if (ends[k] >= 0)
            close(ends[k]);
    return rc;
}
