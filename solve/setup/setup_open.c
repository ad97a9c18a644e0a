/* SPDX-License-Identifier: Apache-2.0 */
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

/* Changes the case to the case of one run of the grid sequence. */
static void change_case(const grid_run *g, case_file *c) {
    if (g->opening >= 0) {
        c->opening[g->opening].value *= g->factor;
        c->opening[g->opening].distal_pa += g->pressure_change_pa;
    }
    if (g->split_pressure == SPLIT_MEAN_PRESSURE)
        c->split.mean_pressure_pa += g->pressure_change_pa;
    if (g->split_pressure == SPLIT_DISTAL)
        c->split.distal_pa += g->pressure_change_pa;
    if (g->porous >= 0)
        c->porous[g->porous].permeability_m2 *= g->factor;
    if (g->blood)
        case_take_shear_thinning(c);
    if (g->mean)
        c->solve.mode = MODE_STEADY;
}

int setup_open(solve_job *j, const solve_options *o) {
    int rc;
    char name[128];
    cJSON *mesh = NULL;
    j->in.options = o;
    TRY(case_read_set(o->case_path, &o->set, CASE_WAVEFORMS, &j->in.c));
    case_warn_plausible(&j->in.c);
    case_digest(&j->in.c, "solve", j->in.digest);
    j->in.lattice_path = file_join(o->in, j->in.grid->lattice);
    j->in.checkpoint_path = file_join(o->out, "checkpoint.h5");
    j->in.monitors_path = file_join(o->out, "monitors.csv");
    j->in.json_path =
        file_join(o->out, *j->in.grid->name ? grid_sequence_file(j->in.grid, "", "json", name) : "solve.json");
    j->out.store_time_s = calloc((size_t)j->in.c.solve.stores + 1, sizeof *j->out.store_time_s);
    j->out.json = provenance_start("solve", o->argc, o->argv, j->in.digest);
    if (!j->in.lattice_path || !j->in.checkpoint_path || !j->in.monitors_path || !j->in.json_path ||
        !j->out.store_time_s || !j->out.json)
        GIVE_UP(fail_memory("the file names", 1000));
    TRY(case_chain_add_parts(&j->in.c, "solve", j->out.json));
    if (!file_exists(j->in.lattice_path))
        GIVE_UP(fail(ERR_INPUT, "'%s' is missing; run mesh first", j->in.lattice_path));
    TRY(case_chain_open(&j->in.c, j->in.record, o->in, &mesh));
    if (o->dry_run)
        j->in.asked_mm = json_get_number(json_find(mesh, "result"), "spacing_mm");
    j->in.wall_uncertainty_mm = json_get_number(json_find(mesh, "result"), "wall_uncertainty_mm");
    if (!*j->in.grid->name && j->in.grid->of_mesh) /* The last run continues a coarser level (finest_level.h). Its
                                                    * record names two lattices of mesh: lattice.h5 and the coarser one
                                                    * that it computes on. */
        TRY(case_chain_accept(&j->in.c, mesh, o->in, "lattice.h5", j->out.json));
    TRY(case_chain_accept(&j->in.c, mesh, o->in, j->in.grid->lattice, j->out.json));
    snprintf(j->in.lattice_sum, sizeof j->in.lattice_sum, "%s",
             provenance_recorded_checksum(mesh, "outputs", j->in.grid->lattice, 1));
    change_case(j->in.grid, &j->in.c);
    if (ranks_count() > 1 && j->in.c.solve.heat.on)
        GIVE_UP(fail(ERR_INPUT,
                     "heat (solve.heat) is not computed on several ranks; run this case on one rank (without "
                     "mpirun, without --ranks)"));
    TRY(ranks_count() > 1 ? setup_ranks_read(&j->in, &j->vessel)
                          : lattice_file_read(j->in.lattice_path, &j->vessel.lattice));
    if (o->dry_run || j->in.beside || ranks_number() > 0)
        goto cleanup;
    TRY(file_create_folder(o->out));
    TRY(file_lock(o->out, &j->out.lock));
cleanup:
    cJSON_Delete(mesh);
    return rc;
}
