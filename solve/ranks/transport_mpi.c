/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of transport.h: the only file that uses MPI, a module of its own. An MPI error terminates all
 * ranks with MPI's message. */
#include "solve/ranks/transport.h"
#include <mpi.h>
#ifdef PORTAFLOW_METIS
#include <metis.h>
#endif
#include <sched.h>
#include <stdlib.h>
#include <time.h>

const transport *transport_mpi(transport_patient patient);

/* PIECE: bytes per message; SPINS: number of polls before the thread yields */
enum { PIECE = 1 << 28, SPINS = 2000, TAG = 1 };
static const double SOON_S = 5e-3; /* Upper limit of a wait without sleep, in seconds */

static transport_patient still_patient;
static transport table;

/* Waits for all n requests; sleeps during long waits, because another rank may need the processor. */
static int wait_all(int n, MPI_Request *request) {
    const struct timespec nap = {0, 50000};
    const double begin = MPI_Wtime();
    int done = 0;
    for (long looks = 1;; looks++) {
        MPI_Testall(n, request, &done, MPI_STATUSES_IGNORE);
        if (done)
            return 0;
        if (looks % SPINS != 0)
            continue;
        const double waited = MPI_Wtime() - begin;
        if (!still_patient(waited))
            return -1;
        if (waited > SOON_S) {
            nanosleep(&nap, NULL);
            looks = SPINS - 1; /* after a sleep, polls once before the next sleep */
        } else
            sched_yield();
    }
}

/* wait_all waits for the requests: NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker) */
static int pass_pieces(int other, char *data, size_t bytes, bool out) {
    for (size_t at = 0; at < bytes;) {
        const size_t n = bytes - at < PIECE ? bytes - at : PIECE;
        MPI_Request request;
        if (out)
            MPI_Isend(data + at, (int)n, MPI_BYTE, other, TAG, MPI_COMM_WORLD, &request);
        else
            MPI_Irecv(data + at, (int)n, MPI_BYTE, other, TAG, MPI_COMM_WORLD, &request);
        if (wait_all(1, &request) != 0)
            return -1;
        at += n;
    }
    return 0;
}

/* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */

static int mpi_send(int to, const void *data, size_t bytes) {
    return pass_pieces(to, (char *)data, bytes, true);
}

static int mpi_recv(int from, void *data, size_t bytes) {
    return pass_pieces(from, data, bytes, false);
}

static int mpi_exchange(int n, const int32_t *peer, const int64_t *first_sent, const int64_t *first_received,
                        const void *send, void *recv, size_t value_bytes) {
    static MPI_Request *request;
    static int room;
    if (2 * n > room) {
        request = realloc(request, 2 * (size_t)n * sizeof(MPI_Request)); // NOLINT(bugprone-suspicious-realloc-usage)
        if (!request)
            MPI_Abort(MPI_COMM_WORLD, 6);
        room = 2 * n;
    }
    for (int k = 0; k < n; k++) {
        const char *from = (const char *)send + (size_t)first_sent[k] * value_bytes;
        char *to = (char *)recv + (size_t)first_received[k] * value_bytes;
        const size_t out = (size_t)(first_sent[k + 1] - first_sent[k]) * value_bytes,
                     in = (size_t)(first_received[k + 1] - first_received[k]) * value_bytes;
        MPI_Irecv(to, (int)in, MPI_BYTE, peer[k], TAG + 1, MPI_COMM_WORLD, &request[k]);
        MPI_Isend(from, (int)out, MPI_BYTE, peer[k], TAG + 1, MPI_COMM_WORLD, &request[n + k]);
    }
    return wait_all(2 * n, request);
}

static void mpi_finish(void) {
    MPI_Finalize();
}

static void mpi_give_up(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    _Exit(code);
}

#ifdef PORTAFLOW_METIS
_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS must have 32-bit indices");

static int metis_cut(int32_t n, const int32_t *first, const int32_t *to, const int32_t *links, const int32_t *cells,
                     int parts, int32_t *owner) {
    enum { RECURSIVE = 8 }; /* largest number of parts for which METIS recommends recursive bisection */
    idx_t constraints = 1, wanted = parts, cut = 0, options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_UFACTOR] = 5; /* imbalance of 0.5 % */
    return (parts <= RECURSIVE ? METIS_PartGraphRecursive : METIS_PartGraphKway)(
               &n, &constraints, (idx_t *)first, (idx_t *)to, (idx_t *)cells, NULL, (idx_t *)links, &wanted, NULL, NULL,
               options, &cut, owner) == METIS_OK
               ? 0
               : -1;
}
#endif

const transport *transport_mpi(transport_patient patient) {
    int given = 0;
    MPI_Comm here;
    still_patient = patient;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
        return NULL;
    table = (transport){
        .send = mpi_send, .recv = mpi_recv, .exchange = mpi_exchange, .finish = mpi_finish, .give_up = mpi_give_up};
#ifdef PORTAFLOW_METIS
    table.cut = metis_cut;
#endif
    MPI_Comm_rank(MPI_COMM_WORLD, &table.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &table.size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &table.local_rank);
    MPI_Comm_size(here, &table.local_size);
    MPI_Comm_free(&here);
    return &table;
}
