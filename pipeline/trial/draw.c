/* See draw.h. */
#include "pipeline/trial/draw.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include <stdio.h>

enum { OPTIONS = 16 };

int draw_patient(const char *folder, const char *const *option) {
    char program[FILE_PATH_MAX], drawn[FILE_PATH_MAX];
    const char *argument[OPTIONS + 3];
    process_result r;
    int rc = OK, n = 0;
    TRY(file_path(drawn, sizeof drawn, "%s/case.yaml", folder));
    TRY(process_program("phantom", program, sizeof program));
    if (file_exists(drawn) && !file_exists(program))
        return OK;
    remove(drawn); /* phantom changes no case.yaml */
    while (n < OPTIONS && option[n]) {
        argument[n] = option[n];
        n++;
    }
    argument[n++] = "--out";
    argument[n++] = folder;
    argument[n] = NULL;
    TRY(process_beside("phantom", argument, &r));
    TRY(process_check("phantom", &r));
cleanup:
    return rc;
}

int draw_random(const char *work, int seed, char *folder) {
    char number[16];
    const char *option[] = {"--kind", "random", "--seed", number, "--exact", NULL};
    int rc = OK;
    snprintf(number, sizeof number, "%d", seed);
    TRY(file_path(folder, FILE_PATH_MAX, "%s/patient-%02d", work, seed));
    TRY(draw_patient(folder, option));
cleanup:
    return rc;
}
