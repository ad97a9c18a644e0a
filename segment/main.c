/* The program `segment`: options, then segment.h. */
#include "common/base/message.h"
#include "common/base/options.h"
#include "common/base/status.h"
#include "common/base/stop.h"
#include "common/case/case.h"
#include "segment/itk_levelset.h"
#include "segment/segment.h"
#ifdef _OPENMP
#include <omp.h>
#endif

int main(int argc, char **argv) {
    segment_options o = {.argc = argc, .argv = argv};
    const options_entry table[] = {{"case", 0, OPTION_TEXT, &o.case_path, "FILE", "case file", .required = true},
                                   {"out", 0, OPTION_TEXT, &o.out, "DIR",
                                    "folder for lumen.nii.gz, phi.nii.gz, lumen.stl, qc.png, segment.json",
                                    .required = true},
                                   CASE_SET_OPTION(&o.set),
                                   {0}};
    const options_program program = {
        "segment", "--case case.yaml --out DIR [options]",
        "Finds the lumen: from an image and seeds (level-set), from a mask (labels) or from a surface, and writes its "
        "signed distance. Look at qc.png before going on.",
        table, "segment --case patient/case.yaml --out patient/out/segment"};
    bool done = false;
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done) {
        stop_catch();
        message_init("segment", options_verbose());
        itk_levelset_threads(options_threads());
#ifdef _OPENMP
        omp_set_num_threads(options_threads());
#endif
        rc = segment(&o);
    }
    rc = status_finish("segment", rc);
    stop_die();
    return rc;
}
