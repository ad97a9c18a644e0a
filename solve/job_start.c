/* See job.h: a run of mesh.ladder begins with the flow of coarser ones. */
#include "solve/job.h"
#include "common/base/status.h"
#include "solve/checkpoint.h"
#include "solve/start.h"
#include <math.h>
#include <stdlib.h>

int job_start(job *j, run_progress *from, bool *started) {
    start_flow flow[2] = {{{0}}};
    state_fields f = {0};
    double value[256] = {0};
    void *slots = NULL, *kept = NULL;
    int rc;
    TRY(start_flows(j->o->in, j->o->out, j->all, j->one, flow));
    if (flow[0].l.n_cell == 0)
        goto cleanup;
    TRY(checkpoint_buffers(&j->d, backend_slots(&j->settings), j->c.solve.precision, &slots, &kept));
    TRY(start_state(&flow[0], flow[1].l.n_cell ? &flow[1] : NULL, &j->l, &j->d, &j->s, j->g.reference_pa, &f));
    const double gain = start_gain(j->all->run[j->one->start].result, &j->s);
    driving_values(&j->g, &j->s, j->r.ramp_s, j->r.ramp_s, value);
    state_slots(&j->d, &j->settings, &f, value, gain, slots, kept);
    TRY(j->r.table->write(j->r.b, slots, kept));
    *from = (run_progress){.cycle_change = NAN,
                           .cycle_change_before = NAN,
                           .pace = 1,
                           .dt_s = j->s.dt_s,
                           .target = j->s.velocity,
                           .change = 1,
                           .balance = 1,
                           .time_s = j->r.ramp_s,
                           .gain = gain,
                           .gain_before = gain};
    for (int64_t c = 0; c < j->d.n_cell; c++)
        from->kept += f.density[c];
    *started = true;
cleanup:
    start_free(&flow[0]);
    start_free(&flow[1]);
    state_fields_free(&f);
    free(slots);
    free(kept);
    return rc;
}
