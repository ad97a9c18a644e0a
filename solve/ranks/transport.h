/* SPDX-License-Identifier: Apache-2.0 */
/* Communication between ranks. All MPI code is behind this table, in the module solve-mpi.so in the folder of the
 * program. The module is loaded only after a start by mpirun or srun, so `solve` itself runs on machines without
 * MPI. */
#ifndef PORTAFLOW_TRANSPORT_H
#define PORTAFLOW_TRANSPORT_H
#include "common/base/must_check.h"
#include "solve/ranks/partition.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Communication functions. Messages go between rank 0 and another rank and arrive in order; only `exchange` is between
 * any ranks. The calls return 0, or -1 if `patient` ended the wait; the caller then reports the error (wire.h). One
 * thread calls them. */
typedef struct {
    int rank, size;
    int local_rank, local_size; /* rank and number of ranks on this machine */
    MUST_CHECK int (*send)(int to, const void *data, size_t bytes);
    MUST_CHECK int (*recv)(int from, void *data, size_t bytes);
    /* Sends to and receives from n peers at once. first_sent, first_received [n + 1]: offset of each peer's data in
     * send and recv, in values of value_bytes */
    MUST_CHECK int (*exchange)(int n, const int32_t *peer, const int64_t *first_sent, const int64_t *first_received,
                               const void *send, void *recv, size_t value_bytes);
    partition_cut cut;         /* graph partitioner; NULL: built without METIS */
    void (*finish)(void);      /* called last, by all ranks */
    void (*give_up)(int code); /* terminates all ranks; does not return */
} transport;

/* Called repeatedly while a call waits, with the waiting time so far; false ends the wait. */
typedef bool (*transport_patient)(double waited_s);

/* True if a launcher started this process as one of several; *rank: its number, otherwise 0. */
bool transport_launched(int *rank);
/* Loads solve-mpi.so and waits for the other ranks. Errors: ERR_RESOURCE (no such file: built without MPI). */
MUST_CHECK int transport_open(transport_patient patient, const transport **t);

/* Name of the function that solve-mpi.so exports, a transport_start. It returns NULL if MPI does not start. */
#define TRANSPORT_SYMBOL "transport_mpi"
typedef const transport *(*transport_start)(transport_patient patient);
#endif
