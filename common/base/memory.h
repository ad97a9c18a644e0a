/* How much memory this process may still take. */
#ifndef PORTAFLOW_MEMORY_H
#define PORTAFLOW_MEMORY_H

/* Bytes free for new processes: the least of what the machine has and what its control group still grants; INFINITY
 * when neither says. */
double memory_available(void);
#endif
