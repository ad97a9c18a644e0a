/* SPDX-License-Identifier: Apache-2.0 */
/* Included before all else in the build for coverage: a process that leaves by _exit (readers run in one of their own)
 * writes its counts, too. */
#include <unistd.h>
#ifdef __cplusplus
extern "C"
#endif
    void
    __gcov_dump(void);
#define _exit(code) (__gcov_dump(), _exit(code))
