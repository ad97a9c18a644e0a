/* SPDX-License-Identifier: Apache-2.0 */
/* The program `segment`: command line of the stage, of `segment ends` and of `segment measure`. */
#include "common/base/memory.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/case/case.h"
#include "common/cli/options.h"
#include "common/cli/stop.h"
#include "common/surface/surface.h"
#include "segment/ends/ends_command.h"
#include "segment/engine/front_engine.h"
#include "segment/engine/lbm.h"
#include "segment/output/measure_command.h"
#include "segment/segment.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <string.h>

static void set_threads(void) {
    itk_engine_threads(options_threads());
#ifdef _OPENMP
    omp_set_num_threads(options_threads());
#endif
}

/* The command `segment ends`, used by `pipeline init` for the files of a patient. */
static int ends_main(int argc, char **argv) {
    ends_command_options o = {.unit_mm = 1, .ras = -1};
    int unit = 0, frame = 0;
    bool done = false;
    const options_entry table[] = {
        {"of", 0, OPTION_TEXT, &o.path, "FILE", "image, DICOM folder, mask or surface", .required = true},
        {"series", 0, OPTION_TEXT, &o.series, "UID", "UID of a series, for a DICOM folder with several"},
        {"unit", 0, OPTION_CHOICE, &unit, SURFACE_UNITS, "unit of a surface (default: mm)"},
        {"frame", 0, OPTION_CHOICE, &frame, "file|RAS|LPS",
         "frame of a surface (default: as stated in the file, else LPS)"},
        {0}};
    const options_program program = {"segment ends", "--of FILE [options]",
                                     "Lists, as JSON, the ends of the vessel in a mask or surface, or the structures "
                                     "of an image that look like a vessel: points, normals and radii for openings, "
                                     "points for seeds, and the labels of a mask with names and volumes. RAS, mm.",
                                     table, "segment ends --of patient/images/mask.nii.gz"};
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done) {
        stop_catch_signals();
        message_init("segment", options_verbose());
        set_threads();
        o.unit_mm = surface_units_mm[unit];
        o.ras = frame == 0 ? -1 : frame == 1;
        rc = memory_raise_stack_limit();
        if (rc == OK)
            rc = ends_command_print(&o, stdout);
    }
    rc = status_finish("segment ends", rc);
    stop_end_by_signal();
    return rc;
}

/* The command `segment measure`, used by `pipeline measure`. */
static int measure_main(int argc, char **argv) {
    measure_command_options o = {.unit_mm = 1, .ras = -1};
    int unit = 0, frame = 0;
    bool done = false;
    const options_entry table[] = {
        {"of", 0, OPTION_TEXT, &o.path, "FILE", "mask, surface, or the output folder of segment", .required = true},
        {"out", 0, OPTION_TEXT, &o.out, "DIR", "folder for centerlines.vtp, centerlines.csv, measure.csv, measure.json",
         .required = true},
        {"case", 0, OPTION_TEXT, &o.case_path, "FILE",
         "case file whose openings are the ends of the vessel (default: the ends are found)"},
        {"labels", 0, OPTION_TEXT, &o.labels, "1,2",
         "labels of the vessel in a mask (default: chosen by name or shape)"},
        {"unit", 0, OPTION_CHOICE, &unit, SURFACE_UNITS, "unit of a surface (default: mm)"},
        {"frame", 0, OPTION_CHOICE, &frame, "file|RAS|LPS",
         "frame of a surface (default: as stated in the file, else LPS)"},
        {0}};
    const options_program program = {
        "segment measure", "--of FILE --out DIR [options]",
        "Measures a vessel: centerlines with inscribed spheres, and for each branch length, diameters, areas, "
        "stenosis, "
        "tortuosity, curvature and angles, with the intervals from the uncertainty of the wall. Prints a table.",
        table, "segment measure --of patient/images/mask.nii.gz --out patient/out/measure"};
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done) {
        stop_catch_signals();
        message_init("segment", options_verbose());
        set_threads();
        memory_keep_freed();
        o.unit_mm = surface_units_mm[unit];
        o.ras = frame == 0 ? -1 : frame == 1;
        rc = memory_raise_stack_limit();
        if (rc == OK)
            rc = measure_command_run(&o, stdout);
    }
    rc = status_finish("segment measure", rc);
    stop_end_by_signal();
    return rc;
}

int main(int argc, char **argv) {
    options_move_command_first(argc, argv);
    if (argc > 1 && strcmp(argv[1], "measure") == 0)
        return measure_main(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "ends") == 0)
        return ends_main(argc - 1, argv + 1);
    segment_options o = {.argc = argc, .argv = argv};
    int device = LBM_AUTO;
    const options_entry table[] = {{"case", 0, OPTION_TEXT, &o.case_path, "FILE", "case file", .required = true},
                                   {"out", 0, OPTION_TEXT, &o.out, "DIR",
                                    "folder for lumen.nii.gz, phi.nii.gz, lumen.stl, qc.png, segment.json",
                                    .required = true},
                                   {"device", 0, OPTION_CHOICE, &device, "auto|cpu|cuda",
                                    "where the level set is computed (auto: a GPU if there is one)", .required = false},
                                   CASE_SET_OPTION(&o.set),
                                   {0}};
    const options_program program = {
        "segment", "--case case.yaml --out DIR [options] | ends --of FILE | measure --of FILE --out DIR",
        "Finds the lumen, from an image and seeds (level-set), a mask (labels) or a "
        "surface, and writes its signed distance. Check qc.png before the next stage.",
        table, "segment --case patient/case.yaml --out patient/out/segment"};
    bool done = false;
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done) {
        stop_catch_signals();
        message_init("segment", options_verbose());
        set_threads();
        memory_keep_freed();
        rc = memory_raise_stack_limit();
        if (rc == OK)
            rc = lbm_choose_device(device);
        if (rc == OK)
            rc = segment_run(&o);
        const int ready = lbm_wait_ready(); /* waits for a GPU that is still starting */
        rc = rc == OK ? ready : rc;
    }
    stop_exit(status_finish("segment", rc));
}
