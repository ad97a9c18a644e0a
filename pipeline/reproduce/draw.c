/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/draw.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include <math.h>
#include <stdio.h>

enum { OPTIONS = 16 };

void draw_patient(const study_context *x, const char *folder, const char *const *option) {
    const char *argument[OPTIONS + 3], *drawn = results_format(x->page, "%s/case.yaml", folder);
    char program[FILE_PATH_MAX];
    process_result r;
    int rc = x->page->error, n = 0;
    TRY(rc);
    TRY(process_program("phantom", program, sizeof program));
    if (file_exists(drawn) && !file_exists(program))
        return;
    remove(drawn); /* phantom does not overwrite case.yaml, so an old one is removed */
    for (; n < OPTIONS && option[n]; n++)
        argument[n] = option[n];
    argument[n++] = "--out";
    argument[n++] = folder;
    argument[n] = NULL;
    TRY(process_run_program("phantom", argument, &r));
    TRY(process_check("phantom", &r));
cleanup:
    results_fail(x->page, rc);
}

const char *draw_random(const study_context *x, int seed) {
    const char *option[] = {"--kind", "random", "--seed", results_format(x->page, "%d", seed), "--exact", NULL};
    const char *folder = results_format(x->page, "%s/patient-%02d", x->work, seed);
    draw_patient(x, folder, option);
    return folder;
}

void draw_read_truth(const study_context *x, const char *folder, int n, const char *const *name, double *value) {
    study_table t = {0};
    if (x->page->error == OK)
        results_fail(x->page, study_table_read(results_format(x->page, "%s/truth", folder), "truth.csv", &t));
    for (int k = 0; k < n; k++)
        value[k] = study_table_lookup(&t, "name", name[k], "value");
    study_table_free(&t);
}
