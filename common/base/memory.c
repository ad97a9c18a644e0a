/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/memory.h"
#include "common/base/status.h"
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* MemAvailable of /proc/meminfo, bytes. */
static double machine_available(void) {
    FILE *f = fopen("/proc/meminfo", "r");
    char line[256];
    double kilobytes = INFINITY;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1)
            break;
    if (f)
        fclose(f);
    return kilobytes * 1024;
}

/* Read a number from a file of the control group (cgroup); INFINITY when the file says "max" (no limit). */
static double group_number(const char *path) {
    FILE *f = fopen(path, "r");
    double value = INFINITY;
    if (f && fscanf(f, "%lf", &value) != 1)
        value = INFINITY;
    if (f)
        fclose(f);
    return value;
}

double memory_available(void) {
    const double limit = group_number("/sys/fs/cgroup/memory.max");
    const double used = group_number("/sys/fs/cgroup/memory.current");
    const double granted = isfinite(limit) && isfinite(used) ? fmax(0, limit - used) : INFINITY;
    return fmin(machine_available(), granted);
}

double memory_peak(void) {
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0 ? 1024.0 * (double)used.ru_maxrss : 0;
}

int memory_raise_stack_limit(void) {
    const rlim_t wanted = 8 << 20, least = 1 << 20;
    struct rlimit limit;
    pthread_attr_t threads;
    /* the stack is large enough; RLIM_INFINITY is the largest limit */
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= wanted)
        return OK;
    const rlim_t had = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    if (setrlimit(RLIMIT_STACK, &limit) != 0)
        limit.rlim_cur = had;
    if (limit.rlim_cur < least)
        return fail(ERR_RESOURCE,
                    "the stack is limited to %llu kB, at least %llu kB are needed; raise it: ulimit -s 8192",
                    (unsigned long long)limit.rlim_cur / 1024, (unsigned long long)least / 1024);
    if (pthread_attr_init(&threads) == 0) {
        if (pthread_attr_setstacksize(&threads, wanted) == 0)
            pthread_setattr_default_np(&threads); /* best effort: an error is ignored */
        pthread_attr_destroy(&threads);
    }
    return OK;
}

void *memory_allocate_large(size_t size) {
    const size_t huge = (size_t)2 << 20, align = size >= 2 * huge ? huge : 4096;
    const size_t whole = (size + align - 1) / align * align;
    void *block = aligned_alloc(align, whole > 0 ? whole : align);
#ifdef MADV_HUGEPAGE
    if (block != NULL && align == huge)
        madvise(block, whole, MADV_HUGEPAGE); /* best effort: an error is ignored */
#endif
    return block;
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* Request pages of 2 MiB for the first `size` bytes of the heap, which gives fewer page faults. A page fault takes at
 * least as long as filling 4 KiB. Best effort. */
static void request_large_pages(size_t size) {
    const uintptr_t page = (uintptr_t)2 << 20;
    mallopt(M_MMAP_MAX, 0); /* M_MMAP_MAX 0: malloc extends the heap also for large blocks */
    void *heap = malloc(size);
    const uintptr_t first = ((uintptr_t)heap + page - 1) / page * page;
    if (heap != NULL)
        madvise((void *)first, ((uintptr_t)heap + size - first) / page * page, MADV_HUGEPAGE);
    free(heap);                 /* the heap keeps the freed memory, whose pages are still untouched */
    mallopt(M_MMAP_MAX, 65536); /* back to glibc's default */
}

void memory_keep_freed(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    request_large_pages((size_t)512 << 20);
}
#else
void memory_keep_freed(void) {}
#endif
