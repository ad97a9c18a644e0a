/* SPDX-License-Identifier: Apache-2.0 */
/* Available and peak memory, stack limit, and reuse of freed memory. */
#ifndef PORTAFLOW_MEMORY_H
#define PORTAFLOW_MEMORY_H
#include "common/base/must_check.h"
#include <stddef.h>

/* Memory available to new allocations, bytes: the minimum of MemAvailable of the machine and the unused part of the
 * control group's memory limit. INFINITY when both are unknown. */
double memory_available(void);

/* Peak resident memory of this process, bytes. */
double memory_peak(void);

/* Raise the stack limit to 8 MB, if allowed, for this thread and later threads: HDF5 and VTK nest calls deeply. Errors:
 * ERR_RESOURCE when the limit stays below 1 MB. */
MUST_CHECK int memory_raise_stack_limit(void);

/* Allocates `size` bytes, aligned to a page; the caller frees them with free(). From 4 MiB on the block is aligned to 2
 * MiB and uses transparent huge pages where the system allows them (always or madvise): scattered accesses then miss
 * the TLB less often. NULL: out of memory. */
void *memory_allocate_large(size_t size);

/* Keep freed blocks of up to 32 MB in the process (glibc only). Programs that allocate arrays of one size repeatedly
 * then avoid mapping and clearing their pages again. The first 512 MB use transparent huge pages where the system
 * allows them (always or madvise). Call once, before large allocations. */
void memory_keep_freed(void);
#endif
