/* See solve_job.h. */
#include "solve/setup/solve_job.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/provenance.h"
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

void solve_job_free(solve_job *j) {
    status_ignore(field_store_wait(&j->behind)); /* solve() waited for it, or failed before */
    if (j->r.b)
        j->r.table->destroy(j->r.b);
    if (j->monitors)
        fclose(j->monitors);
    file_unlock(j->lock);
    cJSON_Delete(j->json);
    run_result_free(&j->result);
    domain_free(&j->d);
    boundary_values_free(&j->g);
    lattice_free(&j->l);
    lattice_free(&j->coarse);
    lattice_part_free(&j->share);
    partition_free(&j->bricks);
    halo_free(&j->h);
    case_free(&j->c);
    free(j->lattice_path);
    free(j->checkpoint_path);
    free(j->monitors_path);
    free(j->json_path);
    free(j->store_time_s);
}

/* What a checkpoint must agree in to be continued: the lattice, the physics, what the openings do, the program. Not the
 * limits. */
void solve_job_key(solve_job *j) {
    enum { SAMPLES = 32 };
    double state[16 + 256] = {0};
    prescribed_value given[BACKEND_OPENINGS];
    char program[17] = "";
    const int steps = j->s.steps_per_period;
    int n = 0;
    state[n++] = j->s.dt_s;
    state[n++] = j->s.omega_plus;
    state[n++] = j->s.omega_minus;
    state[n++] = j->g.rest < 0 ? j->g.reference_pa : j->g.from[j->g.rest]->pressure_pa;
    state[n++] = j->c.solve.wall;
    state[n++] = j->c.solve.opening;
    state[n++] = j->settings.precision;
    for (int a = 0; a < 3; a++)
        state[n++] = j->settings.force[a];
    XXH64_hash_t hash = XXH3_64bits(state, sizeof state);
    if (j->heat.on) {
        const heat_settings *h = &j->heat.h;
        const double rate[5] = {h->omega_plus, h->omega_minus, h->buoyancy[0], h->buoyancy[1], h->buoyancy[2]};
        hash = XXH3_64bits_withSeed(rate, sizeof rate, hash);
        for (int k = 0; k < h->n_side; k++) {
            const double side[2] = {h->side[k].kind, h->side[k].temperature};
            hash = XXH3_64bits_withSeed(side, sizeof side, hash);
        }
    }
    for (int k = 0; k < SAMPLES; k++) {
        const long step = (long)steps * k / SAMPLES;
        boundary_values_at(&j->g, &j->s, j->r.ramp_s, j->r.ramp_s + (double)step * j->s.dt_s, given);
        hash = XXH3_64bits_withSeed(given, (size_t)j->g.n * sizeof *given, hash);
    }
    if (provenance_checksum("/proc/self/exe", program) != OK)
        status_clear();
    snprintf(j->key, sizeof j->key, "%016llx %s %s", (unsigned long long)hash, j->lattice_sum, program);
}
