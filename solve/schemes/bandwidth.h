/* Copy bandwidth of this machine's memory, to judge every speed by. */
#ifndef PORTAFLOW_BENCH_BANDWIDTH_H
#define PORTAFLOW_BENCH_BANDWIDTH_H

/* b[i] = a[i] over 2 x 256 MB with `threads` threads, best of several, bytes read plus bytes written per second.
 * 0 when there is no memory for it. */
double bandwidth_copy(int threads);

/* The same in the GPU's memory, 2 x 1 GiB of numbers that are not zero. */
double bandwidth_copy_cuda(void);
#endif
