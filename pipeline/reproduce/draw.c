/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/draw.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include "pipeline/reproduce/speed_table.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    remove(drawn); /* phantom does not overwrite case.yaml, so an old one is removed */
    while (n < OPTIONS && option[n]) {
        argument[n] = option[n];
        n++;
    }
    argument[n++] = "--out";
    argument[n++] = folder;
    argument[n] = NULL;
    TRY(process_run_program("phantom", argument, &r));
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

/* Reads a number proportional to the work for a drawn patient from truth.csv: lumen volume divided by the cube of the
 * smallest radius. */
static int size_of(const char *patient, double *size) {
    char truth[FILE_PATH_MAX];
    speed_table t = {0};
    double volume = NAN, radius = NAN;
    int rc = OK;
    TRY(file_path(truth, sizeof truth, "%s/truth", patient));
    TRY(speed_table_read(truth, "truth.csv", &t));
    for (int row = 0; row < t.n_row; row++) {
        const char *name = speed_table_word(&t, row, "name");
        if (strcmp(name, "drawn_volume") == 0)
            volume = speed_table_number(&t, row, "value");
        else if (strcmp(name, "narrowest_radius") == 0)
            radius = speed_table_number(&t, row, "value");
    }
    *size = volume / (radius * radius * radius);
    if (!(*size > 0))
        rc = fail(ERR_INPUT, "'%s/truth.csv' has no row drawn_volume or narrowest_radius; remove its folder and repeat",
                  truth);
cleanup:
    speed_table_free(&t);
    return rc;
}

typedef struct {
    int seed;
    double size;
} sized;

static int larger_first(const void *a, const void *b) {
    const sized *x = a, *y = b;
    return (y->size > x->size) - (y->size < x->size);
}

int draw_by_size(const char *work, int n, int *seed) {
    char patient[FILE_PATH_MAX];
    int rc = OK;
    sized *all = calloc((size_t)n, sizeof *all);
    if (!all)
        return fail_memory("seeds", (size_t)n * sizeof *all);
    for (int k = 0; k < n; k++) {
        all[k].seed = k + 1;
        TRY(draw_random(work, k + 1, patient));
        TRY(size_of(patient, &all[k].size));
    }
    qsort(all, (size_t)n, sizeof *all, larger_first);
    for (int k = 0; k < n; k++)
        seed[k] = all[k].seed;
cleanup:
    free(all);
    return rc;
}
