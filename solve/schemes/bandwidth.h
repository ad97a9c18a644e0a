/* SPDX-License-Identifier: Apache-2.0 */
/* Copy bandwidth of this machine's memory, the reference for all speeds. */
#ifndef PORTAFLOW_BENCH_BANDWIDTH_H
#define PORTAFLOW_BENCH_BANDWIDTH_H

/* Measures b[i] = a[i] over 2 x 256 MB with `threads` threads, best of several; bytes read plus bytes written per
 * second. 0 if there is not enough memory. */
double bandwidth_copy(int threads);

/* Copy bandwidth of GPU memory in bytes per second, measured with 2 x 1 GiB of non-zero numbers; 0: not measured. */
double bandwidth_copy_cuda(void);
#endif
