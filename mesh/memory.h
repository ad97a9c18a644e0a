/* How much memory this process may still take, and what a lattice will need. */
#ifndef PORTAFLOW_MEMORY_H
#define PORTAFLOW_MEMORY_H
#include "mesh/voxelize.h"

/* Bytes free for new processes: the least of what the machine has and what its control group still grants; INFINITY
 * when neither says. */
double memory_available(void);

/* Is there room to voxelize this box? Errors: ERR_RESOURCE with what is needed, what is free, and a spacing that fits.
 */
int memory_check(const voxelize_input *in);
#endif
