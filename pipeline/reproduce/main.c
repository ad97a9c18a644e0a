/* SPDX-License-Identifier: Apache-2.0 */
/* The program pipeline-reproduce, started by `pipeline reproduce`. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/cli/options.h"
#include "pipeline/reproduce/reproduce.h"
#include "pipeline/run/process.h"
#include "pipeline/run/stages.h"

enum { WORDS_MAX = 64 };
static const char *const device_name[] = {"auto", "cpu", "cuda"};

static int reproduce(int argc, char **argv) {
    reproduce_options o = {.out = "reproduce", .scale = 1, .jobs = 1};
    bool done = false;
    int device = 0;
    const options_entry table[] = {
        {"list", 'l', OPTION_FLAG, &o.list, NULL, "list every study with its source and cost", .required = false},
        {"out", 'o', OPTION_TEXT, &o.out, "DIR", "folder for the results", .required = false},
        {"scale", 's', OPTION_REAL, &o.scale, "S", "resolution, as a fraction of the full resolution", false, 0.1, 1},
        {"device", 'd', OPTION_CHOICE, &device, "auto|cpu|cuda",
         "device for solve; cpu, cuda: its speed tables are measured again; auto: the stored tables are shown",
         .required = false},
        {"jobs", 'j', OPTION_INT, &o.jobs, "N",
         "cases at the same time (verify:cohort, verify:uncertainty, verify:image-uncertainty, shang2023:stages)",
         .low = 1, .high = 64},
        {0}};
    const options_program program = {"pipeline reproduce", "[--list | NAME...] [--out DIR] [--scale S]",
                                     "Recomputes exact solutions, benchmarks and the papers' tables and figures with "
                                     "the real programs on the case files in data/reproduce: ours next to the "
                                     "reference as CSV, Markdown and PNG. Existing results are not computed again.",
                                     table, "pipeline reproduce verify:poiseuille-pipe --out results --scale 0.5"};
    const char *name[WORDS_MAX];
    int rc = options_parse(&program, argc, argv, name, WORDS_MAX, &o.n_name, &done);
    message_init("pipeline", options_verbose());
    if (rc != OK || done)
        return rc;
    o.name = name;
    o.device = device_name[device];
    o.threads = options_threads();
    o.verbose = options_verbose();
    return reproduce_items(&o);
}

int main(int argc, char **argv) {
    options_move_command_first(argc, argv);
    const int rc = status_finish("pipeline", reproduce(argc, argv));
    process_die_if_interrupted();
    return rc;
}
