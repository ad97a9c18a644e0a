/* See ranks.h: who is there, and what rank 0 tells the others. */
#include "solve/ranks/ranks.h"
#include "common/base/status.h"
#include "common/base/stop.h"
#include "solve/ranks/wire.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* A launcher that has lost a rank sends SIGTERM to the others, and SIGKILL a second later. Who has got it and waits
 * for longer than this, and than several times the longest steps so far, waits for a rank that is no more. */
static const double LOST_S = 0.4, LOST_TIMES = 2;

static const transport *ours;
static double longest_s; /* that steps took */
static bool astray;      /* ranks are in the middle of something that rank 0 gave up */

const transport *wire(void) {
    return ours;
}

static bool patient(double waited_s) {
    return ranks_number() > 0 || stop_asked() != SIGTERM || waited_s < fmax(LOST_S, LOST_TIMES * longest_s);
}

void ranks_hush(void) {
    int rank;
    if (transport_launched(&rank) && rank > 0 &&
        (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        status_ignore(OK); /* then they are heard */
}

int ranks_open(void) {
    int rank;
    if (!transport_launched(&rank))
        return OK;
    const int rc = transport_open(patient, &ours);
    if (rc == OK && rank > 0)
        stop_defer(true); /* rank 0 says when it is time to end */
    return rc;
}

int ranks_number(void) {
    return ours ? ours->rank : 0;
}

int ranks_count(void) {
    return ours ? ours->size : 1;
}

int ranks_threads(int threads) {
    const long here = sysconf(_SC_NPROCESSORS_ONLN);
    const long most = ours && here > ours->local_size ? here / ours->local_size : ours ? 1 : threads;
    return threads < most ? threads : (int)most;
}

int wire_tell(const wire_command *c) {
    int rc = OK;
    for (int r = 1; r < ours->size && rc == OK; r++)
        rc = wire_send(r, c, sizeof *c);
    return rc;
}

int wire_answers(int mine) {
    int rc = mine;
    for (int r = 1; r < ours->size; r++) {
        wire_answer a;
        const int got = wire_recv(r, &a, sizeof a);
        if (got != OK)
            return got;
        if (rc == OK && a.rc != OK)
            rc = fail(a.rc, "rank %d: %s", r, a.sentence);
    }
    return rc;
}

int wire_gpus(int32_t *all) {
    int rc;
    *all = wire_gpu();
    TRY(wire_tell(&(wire_command){.what = WIRE_GPUS}));
    for (int r = 1; r < ours->size; r++) {
        int32_t own = 0;
        TRY(wire_recv(r, &own, sizeof own));
        *all &= own;
    }
cleanup:
    return rc;
}

void wire_astray(int rc) {
    astray |= rc != OK;
}

void wire_stepped(double seconds) {
    longest_s = fmax(longest_s, seconds);
}

int ranks_close(int rc) {
    if (!ours)
        return rc;
    if (astray || wire_tell(&(wire_command){.what = WIRE_END, .number = rc}) != OK)
        ours->give_up(rc);
    ours->finish();
    return rc;
}
