#include "common/message.h"
#include "common/options.h"
#include "common/status.h"
#include "bench/bench.h"
#include "solve.h"
#include <string.h>

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "bench") == 0)
        return bench_main(argc - 1, argv + 1);
    solve_options o = {.argc = argc, .argv = argv};
    const options_entry table[] = {
        {"case", 0, OPTION_TEXT, &o.case_path, "FILE", "case file", .required = true},
        {"in", 0, OPTION_TEXT, &o.in, "DIR", "folder with lattice.h5 (made by mesh)", .required = true},
        {"out", 0, OPTION_TEXT, &o.out, "DIR", "folder for fields.vtkhdf, monitors.csv, solve.json", .required = true},
        {"device", 0, OPTION_CHOICE, &o.device, "auto|cpu|cuda", "where to run (auto: a GPU when there is one)",
         .required = false},
        {"resume", 0, OPTION_FLAG, &o.resume, NULL, "go on from DIR/checkpoint.h5 when it is there", .required = false},
        {0}};
    const options_program program = {
        "solve", "--case case.yaml --in DIR --out DIR [options] | bench [options]",
        "Solves the flow of blood on a lattice (lattice Boltzmann, D3Q19) and writes velocity, pressure and viscous "
        "stress. `solve bench --help`: speed on this machine.",
        table, "solve --case patient/case.yaml --in patient/out/mesh --out patient/out/solve"};
    bool done = false;
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done) {
        message_init("solve", options_verbose());
        o.threads = options_threads();
        rc = solve(&o);
    }
    return status_finish("solve", rc);
}
