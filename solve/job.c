/* See job.h: what is read, and what the run is known by. */
#include "solve/job.h"
#include "common/base/file.h"
#include "common/lattice/lattice_file.h"
#include "common/case/case_chain.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

void job_free(job *j) {
    status_ignore(store_wait(&j->behind)); /* solve() waited for it, or failed before */
    if (j->r.b)
        j->r.table->destroy(j->r.b);
    if (j->monitors)
        fclose(j->monitors);
    file_unlock(j->lock);
    cJSON_Delete(j->json);
    run_result_free(&j->result);
    domain_free(&j->d);
    driving_free(&j->g);
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

int job_open(job *j, const solve_options *o) {
    int rc;
    char name[128];
    cJSON *mesh = NULL;
    j->o = o;
    TRY(case_read_set(o->case_path, &o->set, CASE_WAVEFORMS, &j->c));
    case_warn_plausible(&j->c);
    case_digest(&j->c, "solve", j->digest);
    j->lattice_path = file_join(o->in, j->one->lattice);
    j->checkpoint_path = file_join(o->out, "checkpoint.h5");
    j->monitors_path = file_join(o->out, "monitors.csv");
    j->json_path = file_join(o->out, *j->one->name ? ladder_file(j->one, "", "json", name) : "solve.json");
    j->store_time_s = calloc((size_t)j->c.solve.stores + 1, sizeof *j->store_time_s);
    j->json = provenance_start("solve", o->argc, o->argv, j->digest);
    if (!j->lattice_path || !j->checkpoint_path || !j->monitors_path || !j->json_path || !j->store_time_s || !j->json)
        GIVE_UP(fail_memory("the file names", 1000));
    TRY(case_chain_parts(&j->c, "solve", j->json));
    if (!file_exists(j->lattice_path))
        GIVE_UP(fail(ERR_INPUT, "'%s' is missing; run mesh first", j->lattice_path));
    TRY(case_chain_open(&j->c, j->record, o->in, &mesh));
    if (o->dry_run)
        j->asked_mm = json_get(json_find(mesh, "result"), "spacing_mm");
    TRY(case_chain_take(&j->c, mesh, o->in, j->one->lattice, j->json));
    snprintf(j->lattice_sum, sizeof j->lattice_sum, "%s", provenance_recorded(mesh, "outputs", j->one->lattice, 1));
    if (j->one->opening >= 0) /* from here on it is another case */
        j->c.opening[j->one->opening].value *= j->one->factor;
    if (j->one->mean)
        j->c.solve.mode = MODE_STEADY;
    if (ranks_count() > 1 && j->c.solve.heat.on)
        GIVE_UP(fail(ERR_INPUT, "heat (solve.heat) is not computed on several ranks; run this case on one (without "
                                "mpirun, without --ranks)"));
    TRY(ranks_count() > 1 ? job_part_read(j) : lattice_file_read(j->lattice_path, &j->l));
    if (o->dry_run || j->beside || ranks_number() > 0)
        goto cleanup;
    TRY(file_make_folder(o->out));
    TRY(file_lock(o->out, &j->lock));
cleanup:
    cJSON_Delete(mesh);
    return rc;
}

/* What a checkpoint must agree in to be continued: the lattice, the physics, what the openings do, the program. Not the
 * limits. */
void job_key(job *j) {
    enum { SAMPLES = 32 };
    double state[16 + 256] = {0}, value[256];
    char program[17] = "";
    const int steps = j->s.steps_per_period;
    int n = 0;
    state[n++] = j->s.dt_s;
    state[n++] = j->s.omega_plus;
    state[n++] = j->s.omega_minus;
    state[n++] = j->g.rest < 0 ? j->g.reference_pa : j->g.from[j->g.rest]->value;
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
        driving_values(&j->g, &j->s, j->r.ramp_s, j->r.ramp_s + (double)step * j->s.dt_s, value);
        hash = XXH3_64bits_withSeed(value, (size_t)j->g.n * sizeof *value, hash);
    }
    if (provenance_checksum("/proc/self/exe", program) != OK)
        status_clear();
    snprintf(j->key, sizeof j->key, "%016llx %s %s", (unsigned long long)hash, j->lattice_sum, program);
}
