/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/bench/scheme_table.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const precisions[] = {"float", "double", "half"}; /* indexed by enum backend_precision */
static const char *const walls[] = {"bounce-back", "vlbm"};

void scheme_table_verdict(const scheme_row *row, char text[64]) {
    static const char *const words[] = {"same", "FAILED", "does not fit", "rows too long", "GPU only"};
    snprintf(text, 64, "%s", words[row->verdict]);
    if (row->verdict == SCHEME_FAILED)
        snprintf(text, 64, "FAILED: %.1e away", row->difference);
    if (row->verdict == SCHEME_NO_ROOM)
        snprintf(text, 64, "does not fit: %.0f B needed", row->memory);
}

void scheme_table_print(const scheme_results *r) {
    char text[64];
    printf("card: %s\n", r->card);
    if (r->copy > 0)
        printf("copy: %.0f GB/s, measured in this run\n", r->copy * 1e-9);
    printf("%-15s %-21s %-17s %-11s %-6s %10s %6s %9s %9s %8s %8s %10s %10s  %s\n", "geometry", "box", "scheme", "wall",
           "prec.", "cells", "q", "MLUPS", "B/update", "GB/s", "of copy", "memory MB", "address MB", "field");
    for (int k = 0; k < r->n; k++) {
        const scheme_table_row *t = &r->row[k];
        const double rate = t->row.mlups * t->row.per_update * 1e6;
        scheme_table_verdict(&t->row, text);
        printf("%-15s %-21s %-17s %-11s %-6s %10.0f %6.3f ", t->geometry, t->box, scheme_table[t->row.id].name,
               walls[t->wall], precisions[t->row.precision], t->cells, t->fraction);
        if (t->row.mlups > 0)
            printf("%9.1f %9.1f %8.0f %7.0f%% ", t->row.mlups, t->row.per_update, rate * 1e-9,
                   r->copy > 0 ? 100 * rate / r->copy : 0);
        else
            printf("%9s %9s %8s %8s ", "-", "-", "-", "-");
        printf("%10.1f %10.1f  %s\n", t->row.memory * 1e-6, t->row.addressing * 1e-6, text);
    }
}

static void write_head(const scheme_results *r, FILE *f) {
    char day[32] = "";
    const time_t now = time(NULL);
    struct tm t;
    if (localtime_r(&now, &t))
        strftime(day, sizeof day, "%Y-%m-%d", &t);
    if (r->paper)
        fprintf(f, "# item: %s\n", r->paper);
    fprintf(f, "# card: %s\n# copy: %.0f GB/s, measured in the same run\n# date: %s\n# command: %s\n", r->card,
            r->copy * 1e-9, day, r->command);
    fprintf(f,
            "box,scheme,geometry,nx,ny,nz,addressing,layout,propagation,wall,precision,cells,q,field,MLUPS,box_MLUPS,"
            "bytes_per_update,GB_s,share_of_copy,memory_MB,addressing_MB,populations\n");
}

int scheme_table_write(const scheme_results *r, const char *path) {
    char *text = NULL, word[64];
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return fail_memory("the table", 65536);
    write_head(r, f);
    for (int k = 0; k < r->n; k++) {
        const scheme_table_row *t = &r->row[k];
        const double rate = t->row.mlups * t->row.per_update * 1e6;
        scheme_table_verdict(&t->row, word);
        fprintf(f, "%s,%s,%s,%d,%d,%d,%s,%s,%s,%s,%s,%.0f,%.4f,%s,", t->box, scheme_table[t->row.id].name, t->geometry,
                t->dims[0], t->dims[1], t->dims[2], scheme_addressing_name(t->row.id), scheme_layout_name(t->row.id),
                scheme_propagation_name(t->row.id), walls[t->wall], precisions[t->row.precision], t->cells, t->fraction,
                word);
        if (t->row.mlups > 0)
            fprintf(f, "%.1f,%.1f,%.1f,%.1f,%.3f,", t->row.mlups, t->row.mlups / t->fraction, t->row.per_update,
                    rate * 1e-9, r->copy > 0 ? rate / r->copy : 0);
        else
            fprintf(f, ",,,,,");
        fprintf(f, "%.1f,%.1f,%d\n", t->row.memory * 1e-6, t->row.addressing * 1e-6, scheme_slots(t->row.heat));
    }
    const int rc = fclose(f) == 0 ? file_write(path, text, size) : fail_memory("the table", (double)size);
    free(text);
    return rc;
}
