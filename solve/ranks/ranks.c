/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/ranks/ranks.h"
#include "common/base/status.h"
#include "common/cli/stop.h"
#include "solve/ranks/wire.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A launcher that loses a rank sends SIGTERM to the other ranks, and SIGKILL a second later. A rank that has got
 * SIGTERM and waits longer than both LOST_S and LOST_TIMES the longest step assumes that another rank is lost. */
static const double LOST_S = 0.4, LOST_TIMES = 2;

static const transport *ours;
static double longest_s; /* duration of the longest step so far */
static bool alone;       /* true after ranks_leave */
static bool told;        /* true: a rank failed, and all ranks have got its error */

const transport *wire(void) {
    return ours;
}

static bool keeps_waiting(double waited_s) {
    return ranks_number() > 0 || stop_requested_signal() != SIGTERM || waited_s < fmax(LOST_S, LOST_TIMES * longest_s);
}

void ranks_hush(void) {
    int rank;
    if (transport_launched(&rank) && rank > 0 &&
        (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        status_ignore(OK); /* ignore an error: this rank then prints as rank 0 does */
}

int ranks_open(void) {
    int rank;
    if (!transport_launched(&rank))
        return OK;
    const int rc = transport_open(keeps_waiting, &ours);
    if (rc == OK && rank > 0)
        stop_defer_signals(true); /* signals wait on other ranks, because rank 0 decides when to stop */
    return rc;
}

int ranks_number(void) {
    return ours ? ours->rank : 0;
}

int ranks_count(void) {
    return ours && !alone ? ours->size : 1;
}

bool ranks_launched(void) {
    return ours != NULL;
}

int ranks_threads(int threads) {
    const long here = sysconf(_SC_NPROCESSORS_ONLN);
    const long most = ours && here > ours->local_size ? here / ours->local_size : ours ? 1 : threads;
    return threads < most ? threads : (int)most;
}

void ranks_leave(void) {
    alone = true;
}

/* Status that ranks send to each other. */
typedef struct {
    int32_t rc;
    char sentence[1024];
} status_of;

static int first_failure(int rc) {
    for (int r = 1; r < ours->size; r++) {
        status_of its;
        const int got = wire_recv(r, &its, sizeof its);
        if (got != OK)
            return got;
        if (rc == OK && its.rc != OK)
            rc = fail(its.rc, "rank %d: %s", r, its.sentence);
    }
    return rc;
}

static int exchange_status(int mine) {
    status_of s = {.rc = mine};
    int rc;
    if (wire_lost())
        return mine != OK ? mine : ERR_RESOURCE;
    if (ours->rank == 0) {
        s.rc = first_failure(mine);
        if (wire_lost())
            return s.rc;
        snprintf(s.sentence, sizeof s.sentence, "%s", status_message());
        for (int r = 1; r < ours->size; r++)
            TRY(wire_send(r, &s, sizeof s));
        return s.rc;
    }
    snprintf(s.sentence, sizeof s.sentence, "%s", status_message());
    TRY(wire_send(0, &s, sizeof s));
    TRY(wire_recv(0, &s, sizeof s));
    rc = s.rc != OK && mine == OK ? fail(s.rc, "%s", s.sentence) : s.rc;
cleanup:
    return rc;
}

int ranks_agree(int rc) {
    if (ranks_count() == 1 || (rc != OK && told))
        return rc;
    rc = exchange_status(rc);
    told = rc != OK;
    return rc;
}

int ranks_settle(int rc) {
    rc = ranks_agree(rc);
    told = false;
    return rc;
}

int ranks_share(void *data, size_t bytes) {
    int rc = OK;
    if (ranks_count() == 1)
        return OK;
    TRY(ranks_agree(OK));
    for (int r = 1; r < ours->size && ours->rank == 0; r++)
        TRY(wire_send(r, data, bytes));
    if (ours->rank > 0)
        TRY(wire_recv(0, data, bytes));
cleanup:
    return rc;
}

int ranks_join(void *data, size_t bytes, void (*join)(void *all, const void *more, size_t bytes)) {
    void *more = NULL;
    int rc = OK;
    if (ranks_count() == 1)
        return OK;
    more = malloc(bytes + 1);
    if (!more)
        return fail_memory("data that all ranks share", (double)bytes);
    TRY(ranks_agree(OK));
    if (ours->rank > 0) {
        TRY(wire_send(0, data, bytes));
        TRY(wire_recv(0, data, bytes));
        goto cleanup;
    }
    for (int r = 1; r < ours->size; r++) {
        TRY(wire_recv(r, more, bytes));
        join(data, more, bytes);
    }
    for (int r = 1; r < ours->size; r++)
        TRY(wire_send(r, data, bytes));
cleanup:
    free(more);
    return rc;
}

static void join_sums(void *all, const void *more, size_t bytes) {
    for (size_t k = 0; k < bytes / sizeof(exact_sum); k++)
        exact_sum_join((exact_sum *)all + k, (const exact_sum *)more + k);
}

int ranks_sums(exact_sum *sums, int n) {
    return ranks_join(sums, (size_t)n * sizeof *sums, join_sums);
}

static void join_largest(void *all, const void *more, size_t bytes) {
    double *a = all;
    const double *b = more;
    (void)bytes;
    *a = fmax(*a, *b);
}

int ranks_largest(double *value) {
    return ranks_join(value, sizeof *value, join_largest);
}

static void join_total(void *all, const void *more, size_t bytes) {
    (void)bytes;
    *(int64_t *)all += *(const int64_t *)more;
}

int ranks_total(int64_t *n) {
    return ranks_join(n, sizeof *n, join_total);
}

int ranks_gather(const void *data, size_t bytes, ranks_take *take, void *to) {
    void *more = NULL;
    uint64_t n = bytes;
    int rc = OK;
    if (ranks_count() == 1)
        return take(to, data, bytes);
    TRY(ranks_agree(OK));
    if (ours->rank > 0) {
        TRY(wire_send(0, &n, sizeof n));
        TRY(wire_send(0, data, bytes));
        goto cleanup;
    }
    rc = take(to, data, bytes);
    /* every rank executes this loop, even after an error, because the other ranks wait for its data */
    for (int r = 1; r < ours->size; r++) {
        const int taken = rc;
        TRY(wire_recv(r, &n, sizeof n));
        free(more);
        more = malloc(n + 1);
        if (!more)
            wire_give_up(fail_memory("the data of a rank", (double)n));
        TRY(wire_recv(r, more, n));
        rc = taken == OK ? take(to, more, n) : taken;
    }
cleanup:
    free(more);
    return rc;
}

partition_cut ranks_cut(void) {
    return ours ? ours->cut : NULL;
}

void wire_stepped(double seconds) {
    longest_s = fmax(longest_s, seconds);
}

void wire_give_up(int rc) {
    if (ours->rank == 0)
        fprintf(stderr, "solve: %s\n", status_message());
    ours->give_up(rc);
}

int ranks_close(int rc) {
    if (!ours)
        return rc;
    if (wire_lost())
        ours->give_up(rc);
    ours->finish();
    return rc;
}
