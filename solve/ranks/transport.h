/* How ranks talk to each other. All of MPI is behind this table, in solve-mpi.so beside the program, which is opened
 * only where mpirun or srun has started several of us: `solve` itself runs on machines without MPI. */
#ifndef PORTAFLOW_TRANSPORT_H
#define PORTAFLOW_TRANSPORT_H
#include "common/base/must_check.h"
#include "solve/ranks/partition.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All messages are between rank 0 and another one, in the order in which they were sent, but for exchange. The calls
 * return 0, or -1 when `patient` said that waiting is no longer worth it (whoever called says so: wire.h). One thread
 * calls them. */
typedef struct {
    int rank, size;
    int local_rank, local_size; /* of this machine */
    MUST_CHECK int (*send)(int to, const void *data, size_t bytes);
    MUST_CHECK int (*recv)(int from, void *data, size_t bytes);
    /* To and from every peer [n] at once; first [n + 1] values, of value_bytes. */
    MUST_CHECK int (*exchange)(int n, const int32_t *peer, const int64_t *first, const void *send, void *recv,
                               size_t value_bytes);
    partition_cut cut;         /* NULL: built without METIS */
    void (*finish)(void);      /* all ranks call it; the last call */
    void (*give_up)(int code); /* ends all ranks, does not return */
} transport;

/* Asked now and then by a call that waits, with the time it has waited. */
typedef bool (*transport_patient)(double waited_s);

/* Whether a launcher started this process as one of several; its number is *rank (0 otherwise). */
bool transport_launched(int *rank);
/* Opens solve-mpi.so and waits for the other ranks. Errors: ERR_RESOURCE (no such file: built without MPI). */
MUST_CHECK int transport_open(transport_patient patient, const transport **t);

/* What solve-mpi.so exports under that name; NULL: MPI does not start. */
#define TRANSPORT_SYMBOL "transport_mpi"
typedef const transport *(*transport_start)(transport_patient patient);
#endif
