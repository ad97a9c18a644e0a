/* SPDX-License-Identifier: Apache-2.0 */
/* One row per requested box and scheme. */
#include "solve/bench/schemes.h"
#include "common/base/message.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "solve/schemes/geometry.h"
#include "solve/bench/scheme_papers.h"
#include "solve/schemes/scheme_run.h"
#include "solve/bench/scheme_table.h"
#include "solve/core/device.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    bool schemes, check, heat;
    const char *geometry, *only, *paper, *csv;
    double cells, seconds;
    int longest, wall, precision, stride, device;
} schemes_options;

int schemes_asked(int argc, char **argv) {
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--schemes") == 0)
            return 1;
    return 0;
}

static int device_of(const schemes_options *o, const scheme_device **device) {
    const backend_table *table = NULL;
    const int rc = device_choose(o->device, &table);
    *device = &scheme_device_cpu;
#ifdef PORTAFLOW_CUDA
    if (table == &backend_cuda)
        *device = &scheme_device_cuda;
#endif
    return rc;
}

/* --- which schemes ------------------------------------------------------------------------------------------------ */

/* Sets chosen [SCHEME_COUNT] to the ids of the schemes in `list`, in the same order. list NULL: every scheme that
 * supports the wall, and heat if requested. */
static int choose_schemes(const char *list, int wall, bool heat, int chosen[SCHEME_COUNT], int *n) {
    char words[512], *rest = words, *word;
    *n = 0;
    for (int id = 0; !list && id < SCHEME_COUNT; id++)
        if ((wall == SCHEME_BOUNCE || scheme_table[id].partial) && (!heat || scheme_with_heat(id)))
            chosen[(*n)++] = id;
    snprintf(words, sizeof words, "%s", list ? list : "");
    while (list && (word = strsep(&rest, ","))) {
        const int id = scheme_find(word);
        if (id < 0 || *n == SCHEME_COUNT) {
            char names[512] = "";
            for (int k = 0; k < SCHEME_COUNT; k++)
                snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? ", " : "",
                         scheme_table[k].name);
            return fail(
                ERR_USAGE,
                id < 0 ? "--only: unknown scheme '%s'; there are %s"
                       : "--only: the list is too long at '%s', so a scheme is named twice; name each at most once: %s",
                word, names);
        }
        if (wall == SCHEME_PARTIAL && !scheme_table[id].partial)
            return fail(ERR_USAGE, "scheme '%s' does not support partly solid cells; use --wall bounce-back", word);
        if (heat && !scheme_with_heat(id))
            return fail(ERR_USAGE,
                        "scheme '%s' has no variant with two distributions (heat); remove the scheme or --heat", word);
        chosen[(*n)++] = id;
    }
    return OK;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static int run_case(const scheme_paper *p, double cells, const scheme_settings *settings, scheme_results *r) {
    scheme_case c = {0};
    scheme_truth t = {0};
    scheme_settings o = *settings;
    char word[64];
    int chosen[SCHEME_COUNT], dims[3], n = 0, rc = OK;
    o.wall = p->wall;
    o.heat |= p->box && strstr(p->box, SCHEME_HEAT);
    TRY(choose_schemes(p->schemes, p->wall, o.heat, chosen, &n));
    message_info("making %s", p->geometry);
    if (p->box && sscanf(p->box, "%dx%dx%d", &dims[0], &dims[1], &dims[2]) != 3)
        GIVE_UP(fail(ERR_INTERNAL, "the box '%s' is not three numbers as 128x128x128 (error in the program)", p->box));
    TRY(scheme_case_make(p->geometry, cells, p->longest, p->box ? dims : NULL, p->wall, &c));
    TRY(scheme_truth_create(&c, &o, &t));
    for (int k = 0; k < n && r->n < SCHEME_TABLE_ROWS; k++) {
        scheme_table_row *row = &r->row[r->n];
        snprintf(row->geometry, sizeof row->geometry, "%s", p->geometry);
        memcpy(row->dims, c.l.dims, sizeof row->dims);
        if (p->box)
            snprintf(row->box, sizeof row->box, "%s", p->box);
        else
            snprintf(row->box, sizeof row->box, "%dx%dx%d%s", row->dims[0], row->dims[1], row->dims[2],
                     o.heat ? SCHEME_HEAT : "");
        row->cells = (double)c.l.n_cell;
        row->fraction = row->cells / (double)c.n_box;
        row->wall = p->wall;
        TRY(scheme_run(&c, &o, &t, chosen[k], &row->row));
        scheme_table_verdict(&row->row, word);
        message_info("%s %s: %.1f MLUPS, field: %s", row->box, scheme_table[chosen[k]].name, row->row.mlups, word);
        r->n++;
    }
cleanup:
    scheme_truth_free(&t);
    scheme_case_free(&c);
    return rc;
}

static int run_all(const schemes_options *o, const scheme_settings *settings, scheme_results *r) {
    const scheme_paper one = {NULL, NULL, o->geometry, o->longest, o->wall, o->only};
    int found = 0, rc = OK;
    if (!o->paper)
        return run_case(&one, o->cells, settings, r);
    for (int k = 0; k < scheme_paper_count && rc == OK; k++) {
        scheme_paper p = scheme_papers[k];
        if (strcmp(o->paper, "all") != 0 && strcmp(o->paper, p.paper) != 0)
            continue;
        if (o->only)
            p.schemes = o->only;
        found = 1;
        rc = run_case(&p, 0, settings, r);
    }
    return rc == OK && !found ? fail(ERR_USAGE, "unknown table '%s'; possible: all, %s", o->paper, scheme_paper_names())
                              : rc;
}

/* Writes the command line to `text`, without --csv and its path. */
static void command_text(int argc, char **argv, char *text, size_t size) {
    snprintf(text, size, "solve bench");
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--csv") == 0)
            k++;
        else if (strncmp(argv[k], "--csv=", 6) != 0)
            snprintf(text + strlen(text), size - strlen(text), " %s", argv[k]);
}

static int schemes_run(const schemes_options *o, scheme_results *r) {
    int chosen[SCHEME_COUNT], n, failed = 0, rc = OK;
    scheme_settings settings = {.precision = o->precision,
                                .heat = o->heat,
                                .stride = o->stride,
                                .threads = options_threads(),
                                .seconds = o->check ? 0 : o->seconds};
    if (o->stride & (o->stride - 1))
        return fail(ERR_USAGE, "--stride %d is not a power of two; give 32, 64 or 128, for example", o->stride);
    if (o->heat && o->paper)
        return fail(ERR_USAGE,
                    "--heat and --paper exclude each other: the paper's table determines which runs have heat");
    if (o->heat && o->wall != SCHEME_BOUNCE)
        return fail(ERR_USAGE, "--heat does not support partly solid cells; use --wall bounce-back");
    TRY(device_of(o, &settings.device));
    TRY(choose_schemes(o->only, o->paper ? SCHEME_BOUNCE : o->wall, o->heat, chosen, &n));
    settings.device->describe(r->card, sizeof r->card);
    if (!o->check)
        r->copy = settings.device->bandwidth(settings.threads);
    r->paper = o->paper;
    TRY(run_all(o, &settings, r));
    if (!o->check)
        r->copy = fmax(r->copy, settings.device->bandwidth(settings.threads));
    scheme_table_print(r);
    if (o->csv)
        TRY(scheme_table_write(r, o->csv));
    for (int k = 0; k < r->n; k++)
        failed += r->row[k].row.verdict == SCHEME_FAILED;
    if (failed > 0)
        rc = fail(
            ERR_NUMERIC,
            "%d of %d schemes gave a velocity field that differs from the reference solution (error in the program)",
            failed, r->n);
cleanup:
    return rc;
}

int schemes_main(int argc, char **argv) {
    schemes_options o = {.geometry = "portal", .cells = 1e6, .seconds = 0.5, .stride = 64};
    const options_entry table[] = {
        {"schemes", 0, OPTION_FLAG, &o.schemes, NULL,
         "compare the speed of memory schemes: those of the papers and the one of this solver", .required = false},
        {"geometry", 0, OPTION_TEXT, &o.geometry, "NAME",
         "cavity, sphere, eye, pipe, cube or a phantom (default: portal)", .required = false},
        {"cells", 0, OPTION_REAL, &o.cells, "N", "approximate number of cells (default: 1e6)", .low = 1000,
         .high = 2e9},
        {"longest", 0, OPTION_INT, &o.longest, "N", "cells along the longest side of the box, instead of --cells",
         .low = 8, .high = 4096},
        {"paper", 0, OPTION_TEXT, &o.paper, "TABLE",
         "repeat a table of a paper, such as shang2023:table2; all: every table", .required = false},
        {"only", 0, OPTION_TEXT, &o.only, "LIST",
         "names of schemes as in the first column of the table, separated by commas (default: all)", .required = false},
        {"wall", 0, OPTION_CHOICE, &o.wall, "bounce-back|vlbm", "half-way bounce-back, or partly solid cells",
         .required = false},
        {"heat", 0, OPTION_FLAG, &o.heat, NULL,
         "also compute the temperature (a second set of populations), for schemes that store only fluid cells",
         .required = false},
        {"precision", 0, OPTION_CHOICE, &o.precision, "float|double", "number type of the stored populations",
         .required = false},
        {"stride", 0, OPTION_INT, &o.stride, "N", "cells in a block of CSoA, a power of two (default: 64)", .low = 2,
         .high = 65536},
        {"device", 0, OPTION_CHOICE, &o.device, "auto|cpu|cuda", "processor or GPU (auto: a GPU when there is one)",
         .required = false},
        {"seconds", 0, OPTION_REAL, &o.seconds, "S", "duration of each measurement (default: 0.5)", .low = 0.01,
         .high = 600},
        {"check", 0, OPTION_FLAG, &o.check, NULL, "compare the fields, without timing", .required = false},
        {"csv", 0, OPTION_TEXT, &o.csv, "FILE", "write the table as CSV", .required = false},
        {0}};
    const options_program program = {
        "solve bench", "--schemes [options]",
        "Speed of every memory scheme of the papers (how populations are stored and moved) on this machine and "
        "geometry. First the velocity field of each scheme is compared with the reference "
        "solution after some steps. Then the scheme is timed. The box is closed, and a body force drives the flow.",
        table, "solve bench --schemes --geometry shang-portal-1 --longest 294 --csv schemes.csv"};
    bool done = false;
    scheme_results *r = calloc(1, sizeof *r);
    int rc = r ? options_parse(&program, argc, argv, NULL, 0, NULL, &done) : fail_memory("the table", sizeof *r);
    if (rc == OK && !done) {
        message_init("solve bench", options_verbose());
        command_text(argc, argv, r->command, sizeof r->command);
        rc = schemes_run(&o, r);
    }
    free(r);
    return status_finish("solve bench", rc);
}
