/* How much memory this process may still take, and took. */
#ifndef PORTAFLOW_MEMORY_H
#define PORTAFLOW_MEMORY_H
#include "common/base/must_check.h"

/* Bytes free for new processes: the least of what the machine has and what its control group still grants; INFINITY
 * when neither says. */
double memory_available(void);

/* Bytes that this process held at most so far. */
double memory_peak(void);

/* Makes room for deep calls (HDF5, VTK) where the stack is limited to less than 8 MB, for this thread and those to
 * come, as far as the system lets it. Errors: ERR_RESOURCE when less than 1 MB is left. */
MUST_CHECK int memory_stack(void);

/* What is freed stays with this process and is handed out again (blocks up to 32 MB; glibc only): for a program that
 * makes and frees arrays of one size many times, which would each be mapped and cleared page by page anew. The first
 * 512 MB come in large pages where the system has them (transparent huge pages: always or madvise). Call it once,
 * before anything large is allocated. */
void memory_keep(void);
#endif
