/* See setup_open.h. */
#include "solve/setup/setup_open.h"
#include "solve/setup/setup_ranks.h"
#include "common/base/file.h"
#include "common/lattice/lattice_file.h"
#include "common/case/case_chain.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include <stdio.h>
#include <stdlib.h>

int setup_open(solve_job *j, const solve_options *o) {
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
    j->json_path = file_join(o->out, *j->one->name ? grid_sequence_file(j->one, "", "json", name) : "solve.json");
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
    TRY(ranks_count() > 1 ? setup_ranks_read(j) : lattice_file_read(j->lattice_path, &j->l));
    if (o->dry_run || j->beside || ranks_number() > 0)
        goto cleanup;
    TRY(file_make_folder(o->out));
    TRY(file_lock(o->out, &j->lock));
cleanup:
    cJSON_Delete(mesh);
    return rc;
}
