/* SPDX-License-Identifier: Apache-2.0 */
/* The program `mesh`: reads the options and calls mesh_run. */
#include "common/base/memory.h"
#include "common/base/message.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "common/cli/stop.h"
#include "common/case/case.h"
#include "mesh/mesh.h"
#ifdef _OPENMP
#include <omp.h>
#endif

int main(int argc, char **argv) {
    mesh_options o = {.argc = argc, .argv = argv};
    const options_entry table[] = {
        {"case", 0, OPTION_TEXT, &o.case_path, "FILE", "case file", .required = true},
        {"in", 0, OPTION_TEXT, &o.in, "DIR",
         "folder of segment with phi.nii.gz and segment.json; not needed with mesh.shape"},
        {"out", 0, OPTION_TEXT, &o.out, "DIR", "folder for lattice.h5, surface.vtp, mesh.json", .required = true},
        {"dry-run", 0, OPTION_FLAG, &o.dry_run, NULL, "check the input, write no result", .required = false},
        CASE_SET_OPTION(&o.set),
        {0}};
    const options_program program = {
        "mesh", "--case case.yaml --in DIR --out DIR [options]",
        "Turns the lumen from segment (or the shape of a test case) into a lattice: cuts it at the openings, counts "
        "the solid part of every cell and finds the wall along every link.",
        table, "mesh --case patient/case.yaml --in patient/out/segment --out patient/out/mesh"};
    bool done = false;
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done) {
        stop_catch_signals();
        message_init("mesh", options_verbose());
#ifdef _OPENMP
        omp_set_num_threads(options_threads());
#endif
        rc = memory_raise_stack_limit();
        if (rc == OK)
            rc = mesh_run(&o);
    }
    rc = status_finish("mesh", rc);
    stop_end_by_signal();
    return rc;
}
