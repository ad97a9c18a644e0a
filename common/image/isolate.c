/* SPDX-License-Identifier: Apache-2.0 */
/* The child sends a header (struct answer) and then the voxels through a pipe. */
#include "common/image/isolate.h"
#include "common/base/status.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

typedef struct {
    int rc;
    char message[8192];
    volume geometry;
    bool has_value;
} answer;

static bool send_all(int fd, const void *data, size_t size) {
    const char *p = data;
    while (size > 0) {
        ssize_t n = write(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static bool receive_all(int fd, void *data, size_t size) {
    char *p = data;
    while (size > 0) {
        ssize_t n = read(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static void silence_output(void) {
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (int s = 1; s < 32; s++) /* handlers of the parent, such as sanitizer handlers, must not run in the child */
        if (s == SIGABRT || s == SIGSEGV || s == SIGBUS || s == SIGFPE || s == SIGILL)
            signal(s, SIG_DFL);
}

void isolate_limit_memory(double bytes) {
    unsigned long pages[6] = {0};
    FILE *f = fopen("/proc/self/statm", "r");
    if (f == NULL)
        return;
    int n = fscanf(f, "%lu %lu %lu %lu %lu %lu", &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]);
    fclose(f);
    double limit = (double)pages[5] * (double)sysconf(_SC_PAGESIZE) + bytes;
    struct rlimit data;
    if (n == 6 && getrlimit(RLIMIT_DATA, &data) == 0 && limit < (double)data.rlim_max) {
        data.rlim_cur = (rlim_t)limit;
        setrlimit(RLIMIT_DATA, &data);
    }
}

static _Noreturn void run_child(int fd, int (*read)(void *, char *, volume *), void *argument, char *note) {
    static answer a;
    silence_output();
#ifdef _OPENMP
    omp_set_num_threads(1); /* fork does not copy threads, so a parallel loop would wait for ever */
#endif
    status_clear();
    a.rc = read(argument, note, &a.geometry);
    strncpy(a.message, status_message(), sizeof a.message - 1);
    a.has_value = a.rc == OK && a.geometry.value != NULL;
    bool sent = send_all(fd, &a, sizeof a);
    if (sent && a.has_value)
        sent = send_all(fd, a.geometry.value, volume_size(&a.geometry) * sizeof(float));
    _exit(sent ? 0 : 1);
}

static int receive_answer(int fd, const char *name, const char *note, volume *out) {
    answer *a = malloc(sizeof *a);
    int rc = OK;
    if (a == NULL)
        return fail_memory("an image", sizeof *a);
    if (!receive_all(fd, a, sizeof *a)) {
        rc = fail(ERR_INPUT, "'%s' is damaged: its reader stopped%s%.*s%s; replace or remove the file", name,
                  note[0] ? " at '" : "", ISOLATE_NOTE, note, note[0] ? "'" : "");
    } else if (a->rc != OK) {
        a->message[sizeof a->message - 1] = 0;
        rc = fail(a->rc, "%s", a->message);
    } else if (!a->has_value) {
        *out = a->geometry;
        out->value = NULL;
    } else {
        rc = volume_create_like(out, &a->geometry);
        if (rc == OK && !receive_all(fd, out->value, volume_size(out) * sizeof(float)))
            rc = fail(ERR_RESOURCE,
                      "reading '%s' failed: its process ended early; free memory, or give a smaller image", name);
    }
    free(a);
    if (rc != OK)
        volume_free(out);
    return rc;
}

int isolate_read(const char *name, int (*read)(void *argument, char note[ISOLATE_NOTE], volume *out), void *argument,
                 volume *out) {
    int ends[2], rc = OK;
    memset(out, 0, sizeof *out);
    char *note = mmap(NULL, ISOLATE_NOTE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (note == MAP_FAILED)
        return fail_memory("reading an image", ISOLATE_NOTE);
    if (pipe(ends) != 0) {
        munmap(note, ISOLATE_NOTE);
        return fail(ERR_RESOURCE, "cannot read '%s': %s", name, strerror(errno));
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        run_child(ends[1], read, argument, note);
    }
    close(ends[1]);
    if (pid < 0) {
        rc = fail(ERR_RESOURCE, "cannot read '%s': %s", name, strerror(errno));
    } else {
        rc = receive_answer(ends[0], name, note, out);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    close(ends[0]);
    munmap(note, ISOLATE_NOTE);
    return rc;
}
