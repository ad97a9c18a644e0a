/* SPDX-License-Identifier: Apache-2.0 */
/* The program `solve`: parses options and calls solve.h, or bench.h for `solve bench`. */
#include "common/base/memory.h"
#include "common/base/message.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "common/cli/stop.h"
#include "common/case/case.h"
#include "solve/bench/bench.h"
#include "solve/ranks/ranks.h"
#include "solve/setup/dry_run.h"
#include "solve/solve.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <string.h>

/* `solve devices`: lists the devices. `pipeline check` calls it for a case that needs a GPU. */
static int devices_main(int argc, char **argv) {
    int device = DEVICE_AUTO;
    bool done = false;
    const options_entry table[] = {{"device", 0, OPTION_CHOICE, &device, "auto|cpu|cuda",
                                    "exit with code 6 if this device is missing", .required = false},
                                   {0}};
    const options_program program = {"solve devices", "[--device auto|cpu|cuda]",
                                     "Lists the devices of this machine on which solve can run, one per line.", table,
                                     "solve devices --device cuda"};
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done)
        rc = solve_devices(device, stdout);
    return status_finish("solve devices", rc);
}

int main(int argc, char **argv) {
    options_move_command_first(argc, argv);
    ranks_hush();
    if (argc > 1 && strcmp(argv[1], "devices") == 0)
        return devices_main(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "bench") == 0)
        return bench_main(argc - 1, argv + 1);
    solve_options o = {.argc = argc, .argv = argv};
    const options_entry table[] = {
        {"case", 0, OPTION_TEXT, &o.case_path, "FILE", "case file", .required = true},
        {"in", 0, OPTION_TEXT, &o.in, "DIR", "folder with lattice.h5 and mesh.json (output of mesh)",
         .required = false},
        {"out", 0, OPTION_TEXT, &o.out, "DIR", "folder for fields.vtkhdf, monitors.csv, solve.json", .required = true},
        {"device", 0, OPTION_CHOICE, &o.device, "auto|cpu|cuda", "device (auto: a GPU if there is one)",
         .required = false},
        {"resume", 0, OPTION_FLAG, &o.resume, NULL, "continue from DIR/checkpoint.h5 if it exists", .required = false},
        {"dry-run", 0, OPTION_FLAG, &o.dry_run, NULL,
         "check the input and estimate the cost, write nothing; --in may be omitted", .required = false},
        CASE_SET_OPTION(&o.set),
        {0}};
    const options_program program = {
        "solve", "--case case.yaml --in DIR --out DIR [options] | bench [options] | devices",
        "Computes blood flow on a lattice (lattice Boltzmann) and writes velocity, pressure and viscous stress. "
        "`solve bench --help`: speed on this machine.",
        table, "solve --case patient/case.yaml --in patient/out/mesh --out patient/out/solve"};
    bool done = false;
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done) {
        stop_catch_signals();
        message_init("solve", options_verbose());
        rc = ranks_open();
        o.threads = ranks_threads(options_threads());
#ifdef _OPENMP
        omp_set_num_threads(o.threads);
#endif
        if (rc == OK)
            rc = memory_raise_stack_limit();
        if (o.dry_run)
            ranks_leave();
        if (rc == OK && o.dry_run)
            rc = ranks_number() > 0 ? OK : dry_run(&o);
        else if (rc == OK)
            rc = solve(&o);
        rc = ranks_settle(rc);
    }
    rc = status_finish("solve", rc);
    if (ranks_launched()) { /* launchers use exit codes and handle signals themselves */
        stop_mark_end();
        return ranks_close(rc);
    }
    stop_end_by_signal();
    return rc;
}
