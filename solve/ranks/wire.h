/* How ranks reach each other: messages with rank 0, halos, devices. */
#ifndef PORTAFLOW_WIRE_H
#define PORTAFLOW_WIRE_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"
#include "solve/ranks/transport.h"

const transport *wire(void); /* of this process, NULL: alone */

/* All fail with ERR_RESOURCE when the other rank is lost. */
MUST_CHECK int wire_send(int to, const void *data, size_t bytes);
MUST_CHECK int wire_recv(int from, void *data, size_t bytes);
bool wire_lost(void);              /* whether one of them did */
void wire_stepped(double seconds); /* how long steps took, to know when a rank is lost */
void wire_give_up(int rc);         /* says what is recorded and ends all ranks; does not return */
/* Lets the halo of a part that computes here exchange through MPI; direct: every rank has a GPU of its own and NCCL, so
 * that they exchange by themselves. */
void wire_halo(halo *h, bool direct);
/* What this machine has for each of its ranks, of WIRE_GPU and WIRE_NCCL. */
enum { WIRE_GPU = 1, WIRE_NCCL = 2 }; /* a GPU; the library by which GPUs exchange, too */
int32_t wire_gpu(void);
/* A device for this rank: the local ones in turn. */
MUST_CHECK int wire_device(const char *name, const backend_table **table);
#endif
