/* SPDX-License-Identifier: Apache-2.0 */
/* Communication of this process: messages with rank 0, halos, devices. */
#ifndef PORTAFLOW_WIRE_H
#define PORTAFLOW_WIRE_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"
#include "solve/ranks/transport.h"

const transport *wire(void); /* transport of this process; NULL: there is one rank */

/* Send data to another rank and receive data from it. Errors: ERR_RESOURCE if the other rank is lost. */
MUST_CHECK int wire_send(int to, const void *data, size_t bytes);
MUST_CHECK int wire_recv(int from, void *data, size_t bytes);
bool wire_lost(void);              /* true if a rank was lost */
void wire_stepped(double seconds); /* records the duration of a step; a rank that is silent much longer counts as
                                    * lost */
void wire_give_up(int rc);         /* prints the recorded error and terminates all ranks; does not return */
/* Lets the halo of a part exchange values through MPI. direct: each rank has its own GPU and NCCL, so the GPUs exchange
 * the values themselves. */
void wire_halo(halo *h, bool direct);
/* Flags of wire_gpu. WIRE_GPU: this machine has a GPU for each of its ranks; WIRE_NCCL: the NCCL library was found
 * too. */
enum { WIRE_GPU = 1, WIRE_NCCL = 2 };
int32_t wire_gpu(void);
/* Sets *table to the backend `name`. On GPUs, it also selects the GPU of this rank: ranks of a machine use its GPUs in
 * turn. */
MUST_CHECK int wire_device(const char *name, const backend_table **table);
#endif
