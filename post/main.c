/* SPDX-License-Identifier: Apache-2.0 */
/* The program `post`: reads the options and calls post.h, probe.h or plot.h. */
#include "common/base/file.h"
#include "common/base/memory.h"
#include "common/base/message.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "common/cli/stop.h"
#include "common/case/case.h"
#include "post/plot.h"
#include "post/post.h"
#include "post/probe/probe.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#include <string.h>

static void use_threads(void) {
#ifdef _OPENMP
    omp_set_num_threads(options_threads());
#endif
}

/* Finds the frame of the points from the case. The frame is always reported, because x and y change sign between LPS
 * and RAS. */
static int probe_frame_of(const char *case_path, enum probe_frame *frame) {
    case_file c = {0};
    int rc = case_path ? case_read(case_path, 0, &c) : OK;
    *frame = rc == OK && case_path && c.space == SPACE_RAS ? PROBE_RAS : PROBE_LPS;
    if (rc == OK && case_path && c.space == SPACE_VOXEL)
        rc =
            fail(ERR_INPUT, "the points of '%s' are voxels; give the points in mm, with --frame LPS or RAS", case_path);
    if (rc == OK)
        message_info("points and vectors are taken as %s%s", *frame == PROBE_RAS ? "RAS" : "LPS",
                     case_path ? ", as in the case" : " (choose another frame with --case or --frame)");
    case_free(&c);
    return rc;
}

static int probe_main(int argc, char **argv) {
    const char *fields_path = NULL, *wall_path = NULL, *points_path = NULL, *case_path = NULL;
    int frame = 0;
    bool done = false;
    const options_entry table[] = {
        {"fields", 0, OPTION_TEXT, &fields_path, "FILE", "fields.vtkhdf of solve; gives velocity and pressure",
         .required = false},
        {"wall", 0, OPTION_TEXT, &wall_path, "FILE", "wall.vtp of post, instead of --fields; gives wall shear stress",
         .required = false},
        {"points", 0, OPTION_TEXT, &points_path, "FILE", "CSV with columns x,y,z in mm", .required = true},
        {"frame", 0, OPTION_CHOICE, &frame, "auto|LPS|RAS",
         "frame of the points and vectors; auto: the frame of --case, else LPS", .required = false},
        {"case", 0, OPTION_TEXT, &case_path, "FILE", "case.yaml; its `space` is used", .required = false},
        {0}};
    const options_program program = {
        "post probe", "(--fields FILE | --wall FILE) --points FILE [--case FILE | --frame LPS|RAS]",
        "Velocity and pressure at points, interpolated between the cells, as CSV on stdout. The column `inside` is 1 "
        "in the lumen and 0 outside, where the values are empty. The column `usable` says TOO COARSE or NOT CONVERGED "
        "where no value may be used. With --wall: the wall shear stress at the nearest "
        "point of the wall, and the distance to it.",
        table, "post probe --case case.yaml --fields out/solve/fields.vtkhdf --points points.csv > values.csv"};
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done) {
        message_init("post", options_verbose());
        use_threads();
        enum probe_frame axes = frame == 2 ? PROBE_RAS : PROBE_LPS;
        if (frame == 0)
            rc = probe_frame_of(case_path, &axes);
        if (rc == OK && !fields_path == !wall_path)
            rc = fail(ERR_USAGE, "give either --fields FILE or --wall FILE, not both");
        else if (rc == OK && wall_path && file_ends_with(wall_path, ".vtp"))
            rc = probe_wall_check(wall_path);
        if (rc == OK)
            rc = fields_path ? probe_write(fields_path, points_path, axes, stdout)
                             : probe_wall_write(wall_path, points_path, axes, stdout);
    }
    return status_finish("post probe", rc);
}

int main(int argc, char **argv) {
    options_move_command_first(argc, argv);
    if (argc > 1 && strcmp(argv[1], "probe") == 0)
        return probe_main(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "plot") == 0)
        return status_finish("post plot", plot_main(argc - 1, argv + 1));
    post_options o = {.argc = argc, .argv = argv};
    const options_entry table[] = {
        {"case", 0, OPTION_TEXT, &o.case_path, "FILE", "case file", .required = true},
        {"in", 0, OPTION_TEXT, &o.in, "DIR", "folder of solve, or the folder with solve/ and mesh/ in it",
         .required = true},
        {"out", 0, OPTION_TEXT, &o.out, "DIR",
         "folder for readouts.json, wall.vtp, profiles.csv, figures/, report.html", .required = true},
        {"mesh", 0, OPTION_TEXT, &o.mesh, "DIR", "folder with lattice.h5 and surface.vtp (default: mesh next to solve)",
         .required = false},
        {"no-pictures", 0, OPTION_FLAG, &o.no_pictures, NULL, "draw nothing", .required = false},
        CASE_SET_OPTION(&o.set),
        {0}};
    const options_program program = {
        "post", "--case case.yaml --in DIR --out DIR [options] | probe [options] | plot [options]",
        "Reads flow, pressure, wall shear stress and the portal pressure gradient from the computed fields and writes "
        "a report with pictures. `post probe --help`: values at points; `post plot --help`: curves as a picture.",
        table, "post --case patient/case.yaml --in patient/out/solve --out patient/out/post"};
    bool done = false;
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done) {
        stop_catch_signals();
        message_init("post", options_verbose());
        use_threads();
        rc = memory_raise_stack_limit();
        if (rc == OK)
            rc = post_stage_run(&o);
    }
    rc = status_finish("post", rc);
    stop_end_by_signal();
    return rc;
}
