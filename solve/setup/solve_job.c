/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/setup/solve_job.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/provenance.h"
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

void solve_job_free(solve_job *j) {
    /* ignore its error: solve() or an earlier step has reported it */
    status_ignore(field_store_wait(&j->out.behind));
    if (j->march.run.b)
        j->march.run.table->destroy(j->march.run.b);
    if (j->out.monitors)
        fclose(j->out.monitors);
    file_unlock(j->out.lock);
    cJSON_Delete(j->out.json);
    run_result_free(&j->out.result);
    domain_free(&j->vessel.domain);
    boundary_values_free(&j->vessel.openings);
    lattice_free(&j->vessel.lattice);
    lattice_free(&j->vessel.coarse);
    lattice_part_free(&j->vessel.share);
    partition_free(&j->vessel.bricks);
    halo_free(&j->vessel.halo);
    case_free(&j->in.c);
    free(j->in.lattice_path);
    free(j->in.checkpoint_path);
    free(j->in.monitors_path);
    free(j->in.json_path);
    free(j->out.store_time_s);
}

/* Sets march.key: checksum of everything that a checkpoint must share with a run: lattice, physics, boundary
 * conditions, program. Tolerance and step limits are not included. */
void solve_job_key(solve_job *j) {
    enum { SAMPLES = 32 };
    double state[16 + 256] = {0};
    prescribed_value given[BACKEND_GIVEN];
    const int steps = j->march.scale.steps_per_period;
    int n = 0;
    state[n++] = j->march.scale.dt_s;
    state[n++] = j->march.scale.omega_plus;
    state[n++] = j->march.scale.omega_minus;
    state[n++] = j->vessel.openings.rest < 0
                     ? j->vessel.openings.reference_pa
                     : boundary_values_pressure_pa(&j->vessel.openings, j->vessel.openings.rest);
    state[n++] = j->in.c.solve.wall;
    state[n++] = j->in.c.solve.opening;
    state[n++] = j->march.settings.precision;
    for (int a = 0; a < 3; a++)
        state[n++] = j->march.settings.force[a];
    XXH64_hash_t hash = XXH3_64bits(state, sizeof state);
    if (j->vessel.heat.on) {
        const heat_settings *h = &j->vessel.heat.h;
        const double rate[5] = {h->omega_plus, h->omega_minus, h->buoyancy[0], h->buoyancy[1], h->buoyancy[2]};
        hash = XXH3_64bits_withSeed(rate, sizeof rate, hash);
        for (int k = 0; k < h->n_side; k++) {
            const double side[2] = {h->side[k].kind, h->side[k].temperature};
            hash = XXH3_64bits_withSeed(side, sizeof side, hash);
        }
    }
    if (case_is_shear_thinning(&j->in.c)) {
        const double blood[4] = {j->in.c.blood.model, j->in.c.blood.set, j->in.c.blood.hematocrit,
                                 j->march.request.viscosity_pa_s};
        hash = XXH3_64bits_withSeed(blood, sizeof blood, hash);
    }
    if (j->march.settings.porous)
        hash = XXH3_64bits_withSeed(&j->march.porous, sizeof j->march.porous, hash);
    for (int k = 0; k < j->vessel.openings.network.n; k++) {
        const opening_port *p = &j->vessel.openings.network.port[k];
        const double model[4] = {p->behind_pa, p->proximal_pa_s_m3, p->capacitance_m3_pa, p->distal_pa_s_m3};
        hash = XXH3_64bits_withSeed(model, sizeof model, hash);
    }
    for (int k = 0; k < SAMPLES; k++) {
        const long step = (long)steps * k / SAMPLES;
        boundary_values_at(&j->vessel.openings, &j->march.scale, j->march.run.ramp_s,
                           j->march.run.ramp_s + (double)step * j->march.scale.dt_s, given);
        hash = XXH3_64bits_withSeed(given, (size_t)j->vessel.openings.n * sizeof *given, hash);
    }
    snprintf(j->march.key, sizeof j->march.key, "%016llx %s %s", (unsigned long long)hash, j->in.lattice_sum,
             provenance_program());
}
