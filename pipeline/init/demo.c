/* SPDX-License-Identifier: Apache-2.0 */
/* Implements demo.h. */
#include "pipeline/init/demo.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include <stdlib.h>

enum { EXAMPLE_BYTES = 1 << 20 };

/* The case is written last, because a folder with a case.yaml counts as complete. */
static const char *const example_file[] = {"flow/smv.csv", "flow/sv.csv", "case.yaml"};

static int copy_file(const char *folder, const char *name, const char *dir) {
    char from[FILE_PATH_MAX], to[FILE_PATH_MAX], *text = NULL;
    size_t size = 0;
    int rc = OK;
    TRY(file_path(from, sizeof from, "%s/%s", folder, name));
    TRY(file_path(to, sizeof to, "%s/%s", dir, name));
    if (file_exists(to))
        return OK;
    TRY(file_read(from, EXAMPLE_BYTES, &text, &size));
    TRY(file_write(to, text, size));
cleanup:
    free(text);
    return rc;
}

static int draw_image(const char *dir) {
    const char *const argument[] = {"--kind", "portal", "--out",  dir,   "--keep-case", "--spacing", "1x1x1.5",
                                    "--snr",  "15",     "--bias", "0.2", "--seed",      "1",         NULL};
    process_result r;
    const int rc = process_run_program("phantom", argument, &r);
    return rc != OK ? rc : process_check("phantom", &r);
}

int demo_run(const char *dir, const run_options *o) {
    char example[FILE_PATH_MAX], image[FILE_PATH_MAX], case_path[FILE_PATH_MAX], flow[FILE_PATH_MAX];
    int rc = OK;
    TRY(process_data("portal-demo", example, sizeof example));
    TRY(file_path(image, sizeof image, "%s/images/portal.nii.gz", dir));
    TRY(file_path(case_path, sizeof case_path, "%s/case.yaml", dir));
    TRY(file_path(flow, sizeof flow, "%s/flow", dir));
    if (file_exists(case_path) && !file_exists(image))
        GIVE_UP(fail(ERR_INPUT,
                     "'%s' is the folder of another patient: it has a case.yaml, but not the image of the "
                     "demo; give a new folder",
                     dir));
    TRY(file_create_folder(flow));
    if (!file_exists(image))
        TRY(draw_image(dir));
    for (size_t k = 0; k < sizeof example_file / sizeof *example_file; k++)
        TRY(copy_file(example, example_file[k], dir));
    TRY(run_patient(dir, o));
cleanup:
    return rc;
}
