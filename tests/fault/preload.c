/* SPDX-License-Identifier: Apache-2.0 */
/* A library to preload: the n-th allocation, or the n-th call that writes, fails.
 *
 *   FAULT_MALLOC=n   malloc, calloc, realloc: that call, counted over all threads, returns NULL
 *   FAULT_WRITE=n    write, pwrite, writev, fwrite, fflush, fclose of a file: it and all after it fail with ENOSPC
 *   FAULT_COUNT=FILE at the end: how many there were of each ("<allocations> <writes>")
 * The standard output and error are left alone, so that a program can still say what happened. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static atomic_long allocations, writes;
static atomic_bool begun; /* main() has; what libraries allocate when they are loaded is not ours */
static long fail_allocation, fail_write;
static char count_path[4096];
static pid_t whose; /* a process that it starts counts for itself alone */

__attribute__((constructor)) static void begin(void) {
    const char *m = getenv("FAULT_MALLOC"), *w = getenv("FAULT_WRITE"), *c = getenv("FAULT_COUNT");
    whose = getpid();
    fail_allocation = m ? atol(m) : 0;
    fail_write = w ? atol(w) : 0;
    if (c)
        snprintf(count_path, sizeof count_path, "%s", c);
}

/* A library that is linked into the program itself (the CUDA runtime) begins after `begin`, just before main(). */
typedef int main_function(int, char **, char **);
static main_function *real_main;

static int begun_main(int n, char **argument, char **environment) {
    begun = true;
    return real_main(n, argument, environment);
}

typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
int __libc_start_main(main_function *program, int n, char **argument, void (*first)(void), void (*last)(void),
                      void (*loader_last)(void), void *stack) {
    start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = program;
    return start(begun_main, n, argument, first, last, loader_last, stack);
}

__attribute__((destructor)) static void end(void) {
    FILE *f = count_path[0] && getpid() == whose ? fopen(count_path, "w") : NULL;
    if (f) {
        fprintf(f, "%ld %ld\n", (long)allocations, (long)writes);
        fclose(f);
    }
}

/* A program may leave without its destructors. */
void _exit(int code) {
    end();
    for (;;)
        syscall(SYS_exit_group, code);
}

static bool no_memory(void) {
    const bool now = begun && atomic_fetch_add(&allocations, 1) + 1 == fail_allocation;
    if (now)
        errno = ENOMEM;
    return now;
}

void *malloc(size_t size) {
    return no_memory() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
    return no_memory() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size) {
    return no_memory() ? NULL : __libc_realloc(old, size);
}

static bool disk_full(int fd) {
    if (fd <= STDERR_FILENO || !begun)
        return false;
    const bool now = atomic_fetch_add(&writes, 1) + 1 >= fail_write && fail_write > 0;
    if (now)
        errno = ENOSPC;
    return now;
}

#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t n) {
    return disk_full(fd) ? -1 : REAL(write)(fd, data, n);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at) {
    return disk_full(fd) ? -1 : REAL(pwrite)(fd, data, n, at);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) {
    return disk_full(fd) ? -1 : REAL(pwrite64)(fd, data, n, at);
}

ssize_t writev(int fd, const struct iovec *part, int n) {
    return disk_full(fd) ? -1 : REAL(writev)(fd, part, n);
}

size_t fwrite(const void *data, size_t size, size_t n, FILE *f) {
    return disk_full(fileno(f)) ? 0 : REAL(fwrite)(data, size, n, f);
}

int fflush(FILE *f) {
    return f && disk_full(fileno(f)) ? EOF : REAL(fflush)(f);
}

int fclose(FILE *f) {
    const bool full = disk_full(fileno(f));
    const int rc = REAL(fclose)(f);
    if (full)
        errno = ENOSPC;
    return full ? EOF : rc;
}
