/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/bench/bench.h"
#include "solve/schemes/bandwidth.h"
#include "common/base/clock.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "solve/schemes/geometry.h"
#include "solve/bench/schemes.h"
#include "solve/core/device.h"
#include "solve/core/half.h"
#include "solve/ranks/part.h"
#include "solve/ranks/ranks.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const char *geometry, *csv;
    double cells, seconds;
    int wall, precision, longest, device, slabs, lattice;
    bool heat, shear_thinning;
} bench_options;

/* A row of the table: flow alone, flow and temperature, or flow of shear-thinning blood. */
typedef struct {
    int slots; /* populations per cell: 19, 26 with heat, 27 with cumulants */
    bool heat, shear_thinning;
    double rate;    /* cell updates per second */
    double needed;  /* memory, bytes */
    int64_t values; /* largest number of values that a rank sends per step (ranks_values) */
    char device[160];
} bench_row;

enum { LATTICE_19, LATTICE_27 }; /* values of --lattice */

static void slot_set(void *slots, int precision, size_t k, double value) {
    if (precision == BACKEND_DOUBLE)
        ((double *)slots)[k] = value;
    else if (precision == BACKEND_HALF)
        ((uint16_t *)slots)[k] = half_from_float((float)value * HALF_UNIT);
    else
        ((float *)slots)[k] = (float)value;
}

/* Fills every slot with a small random deviation from the rest state, because timings on zeros are not
 * representative. */
static int fill_with_noise(const backend_table *table, backend *b, const domain *d, const bench_row *row,
                           int precision) {
    const int n_slot = row->slots;
    const size_t n = (size_t)n_slot * (size_t)d->n_cell;
    void *slots = malloc(n * 8), *kept = calloc((size_t)d->n_partial + 1, 8);
    unsigned seed = 1;
    int rc = OK;
    if (!slots || !kept)
        GIVE_UP(fail_memory("the populations", (double)n * 8));
    for (size_t k = 0; k < n; k++) {
        seed = seed * 1664525u + 1013904223u;
        slot_set(slots, precision, k, 1e-3 * ((double)(seed >> 8) / 8388608.0 - 1.0));
    }
    for (int64_t k = 0; k < d->n_link; k++) { /* the slot of a cut link is set in proportion to its wall distance q,
                                               * as in a flow that is at rest at the wall */
        const size_t back = (size_t)lattice_opposite(d->link[k].dir), cell = (size_t)d->link[k].cell;
        slot_set(slots, precision, back * (size_t)d->n_cell + cell, 1e-3 * d->link[k].q);
        if (row->heat && back < 7)
            slot_set(slots, precision, (19 + back) * (size_t)d->n_cell + cell, 1e-3 * d->link[k].q);
    }
    rc = table->write(b, slots, kept);
cleanup:
    free(slots);
    free(kept);
    return rc;
}

static int wait_for(const backend_table *table, backend *b) {
    if (ranks_count() > 1)
        return ranks_wait(b);
#ifdef PORTAFLOW_CUDA
    if (table == &backend_cuda)
        return backend_cuda_wait(b);
#endif
    return table ? OK : ERR_INTERNAL;
}

/* Measures the rate of the fastest batch of steps, in cell updates per second. */
static int measure_rate(const backend_table *table, backend *b, const domain *d, double seconds, double *rate) {
    enum { BATCH = 64 };
    backend_monitor m = {0};
    double flow[GEOMETRY_CONDITIONS] = {0}, density[GEOMETRY_CONDITIONS] = {0};
    prescribed_value given[BATCH * GEOMETRY_CONDITIONS] = {0};
    const int batch = table == &backend_cpu ? 8 : BATCH;
    int rc;
    m.flow = flow;
    m.density = density;
    for (int k = 0; k < BATCH; k++)
        for (int o = 0; o < d->n_opening; o++)
            if (d->opening[o].kind == DOMAIN_FLOW)
                given[k * d->n_opening + o].flow = 1e-3 * d->opening[o].link_flux;
    TRY(table->step(b, batch, given));
    TRY(table->monitor(b, &m));
    int batches = 1;
    *rate = 0;
    for (double total = 0; total < seconds;) {
        const double start = clock_s();
        for (int k = 0; k < batches; k++)
            TRY(table->step(b, batch, given));
        TRY(wait_for(table, b));
        double spent = clock_s() - start;
        TRY(ranks_largest(&spent));
        *rate = fmax(*rate, (double)d->n_cell * batch * batches / spent);
        total += spent;
        if (spent < 0.1 * seconds)
            batches *= 2;
    }
    TRY(table->monitor(b, &m));
    if (m.bad_cell >= 0)
        rc = fail(
            ERR_NUMERIC,
            "the flow of the benchmark diverged, which is an error in the program: please report it with this command");
cleanup:
    return rc;
}

static double measure_bandwidth(const backend_table *table) {
#ifdef PORTAFLOW_CUDA
    if (table == &backend_cuda)
        return bandwidth_copy_cuda();
#endif
    return table == &backend_cpu ? bandwidth_copy(options_threads()) : 0;
}

/* Prints the table, and writes it as CSV with --csv. */
static int print_report(const bench_options *o, const bench_row *row, int n_row, const geometry *g, const domain *d,
                        double copy) {
    static const char *const precisions[] = {"float", "double", "half"};
    const char *const wall = o->lattice == LATTICE_27      ? "quadratic"
                             : o->wall == DOMAIN_WALL_VLBM ? "vlbm"
                                                           : "interpolated";
    const char *const ours = o->lattice == LATTICE_27 ? "ours-d3q27" : "ours";
    const char *const precision = precisions[o->precision];
    const double q = lattice_fluid_fraction(&g->l), cells = (double)d->n_cell;
    char text[2048];
    int n = snprintf(
        text, sizeof text,
        "# device: %s\n# copy: %.1f GB/s, measured in the same run\n"
        "geometry,scheme,wall,precision,cells,q,MLUPS,bytes_per_update,GB_s,share_of_copy,memory_MB,ranks,values\n",
        row->device, copy * 1e-9);
    printf("%-12s %-9s %-12s %10s %6s %8s %8s %8s %8s %8s\n", "geometry", "precision", "wall", "cells", "q", "MLUPS",
           "B/update", "GB/s", "copy GB/s", "of limit");
    for (const bench_row *r = row; r < row + n_row; r++) {
        /* each population is read once and written once */
        const double bytes = 2.0 * r->slots * backend_value_bytes(o->precision), moved = r->rate * bytes;
        printf("%-12s %-9s %-12s %10.0f %6.3f %8.1f %8.0f %8.1f %9.1f %7.0f%%%s\n", o->geometry, precision, wall, cells,
               q, r->rate * 1e-6, bytes, moved * 1e-9, copy * 1e-9, 100 * moved / copy,
               r->heat             ? "  with heat"
               : r->shear_thinning ? "  shear-thinning"
                                   : "");
        n += snprintf(text + n, sizeof text - (size_t)n, "%s,%s,%s,%s,%.0f,%.4f,%.1f,%.0f,%.1f,%.4f,%.1f,%d,%lld\n",
                      o->geometry,
                      r->heat             ? "ours-heat"
                      : r->shear_thinning ? "ours-shear-thinning"
                                          : ours,
                      wall, precision, cells, q, r->rate * 1e-6, bytes, moved * 1e-9, moved / copy, r->needed * 1e-6,
                      ranks_count(), (long long)r->values);
    }
    printf("device: %s; %.1f B of memory per cell", row->device, row->needed / cells);
    if (o->heat)
        printf(" (with heat %.1f)", row[1].needed / cells);
    printf("; runs of %.1f cells in a row, %.2f cut and %.2f partly solid links per cell\n", cells / (double)d->n_run,
           (double)d->n_link / cells, (double)d->n_partial / cells);
    return o->csv && ranks_number() == 0 ? file_write(o->csv, text, (size_t)n) : OK;
}

/* Heat settings of the benchmark: buoyancy, walls of one temperature, inlets of another temperature, outlets with free
 * temperature. */
static heat_settings heat_of(const domain *d) {
    const double diffusivity = 0.1 / 0.71;
    heat_settings h = {.omega_plus = 1 / (0.5 + 0.25 / (4 * diffusivity)),
                       .omega_minus = 1 / (0.5 + 4 * diffusivity),
                       .buoyancy = {0, 0, 1e-4},
                       .n_wall = 1,
                       .n_side = 1 + d->n_opening,
                       .side = {{HEAT_GIVEN, 1e-3}}};
    for (int k = 0; k < d->n_opening; k++)
        h.side[1 + k].kind = d->opening[k].kind == DOMAIN_FLOW ? HEAT_GIVEN : HEAT_FREE;
    return h;
}

/* Measures one row of the table. d: this rank's part of the lattice; all: the whole lattice; h: NULL without heat;
 * viscosity: NULL if constant. */
static int bench_one(const bench_options *o, const backend_table *table, const domain *d, const domain *all,
                     const heat_settings *h, const viscosity_table *viscosity, bench_row *row) {
    const backend_settings settings = {.omega_plus = 1 / 0.6,
                                       .omega_minus = 1 / (0.5 + 3.0 / 16.0 / 0.1),
                                       .precision = o->precision,
                                       .threads = ranks_threads(options_threads()),
                                       .forced = h != NULL,
                                       .cumulant = o->lattice == LATTICE_27,
                                       .advection_rate = o->lattice == LATTICE_27 ? 1 : 0,
                                       .heat = h,
                                       .viscosity = viscosity};
    backend *b = NULL;
    double available;
    int rc;
    row->slots = backend_slots(&settings);
    row->heat = h != NULL;
    row->shear_thinning = viscosity != NULL;
    table->memory(d, &settings, &row->needed, &available);
    TRY(table->create(d, &settings, &b));
    TRY(fill_with_noise(table, b, d, row, o->precision));
    TRY(measure_rate(table, b, all, o->seconds, &row->rate));
    row->needed *= (double)all->n_cell / (double)d->n_cell;
    row->values = ranks_values();
    snprintf(row->device, sizeof row->device, "%s", table->device(b));
cleanup:
    if (b)
        table->destroy(b);
    return rc;
}

/* Creates this rank's part of a lattice that every rank has built; with one rank *p remains empty. */
static int cut_own_part(const domain *d, part *p) {
    uint16_t *owner = NULL;
    int32_t *local = NULL;
    int rc = OK;
    if (ranks_count() == 1)
        return OK;
    owner = malloc((size_t)d->n_cell * sizeof *owner);
    local = malloc((size_t)d->n_cell * sizeof *local);
    if (!owner || !local)
        GIVE_UP(fail_memory("the parts of the ranks", 6.0 * (double)d->n_cell));
    TRY(partition_make(d, ranks_count(), ranks_cut(), owner));
    TRY(ranks_share(owner, (size_t)d->n_cell * sizeof *owner));
    TRY(part_create(d, owner, ranks_number(), local, p));
    TRY(ranks_connect(p));
    TRY(ranks_say(&p->d));
cleanup:
    free(owner);
    free(local);
    return rc;
}

/* Measures the row of shear-thinning blood, in a lattice of 0.45 mm with steps of 2 ms. d: this rank's part of the
 * lattice; all: the whole lattice. */
static int bench_shear_thinning(const bench_options *o, const backend_table *table, const domain *d, const domain *all,
                                bench_row *row) {
    const viscosity_law law = viscosity_law_of(VISCOSITY_CARREAU_YASUDA, VISCOSITY_ABRAHAM, 0);
    viscosity_table *viscosity = malloc(sizeof *viscosity);
    if (!viscosity)
        return fail_memory("the table of the viscosity", sizeof *viscosity);
    viscosity_table_fill(&law, 1060, 0.45e-3, 2e-3, viscosity);
    const int rc = bench_one(o, table, d, all, NULL, viscosity, row);
    free(viscosity);
    return rc;
}

/* Refuses combinations of options that solve does not support. */
static int options_check(const bench_options *o) {
    if (o->heat && ranks_count() > 1)
        return fail(ERR_INPUT, "--heat runs on one rank only; remove it, or use one rank");
    if (o->heat && (o->precision == BACKEND_HALF || o->wall == DOMAIN_WALL_VLBM))
        return fail(ERR_USAGE, "--heat needs --precision float or double and --wall interpolated, as solve does");
    if (o->lattice == LATTICE_27 && (o->heat || o->precision == BACKEND_HALF || o->wall == DOMAIN_WALL_VLBM))
        return fail(ERR_USAGE,
                    "--lattice d3q27 needs --precision float or double and --wall interpolated, and has no --heat");
    if (o->shear_thinning && (o->precision == BACKEND_HALF || o->wall == DOMAIN_WALL_VLBM))
        return fail(ERR_USAGE, "--shear-thinning needs --precision float or double and --wall interpolated");
    return OK;
}

static int bench_ours(const bench_options *o) {
    geometry g = {0};
    domain d = {0};
    bench_row row[3] = {{0}};
    int n_row = 1;
    const backend_table *table = NULL, *device = NULL;
    part p = {0};
    int rc;
    TRY(options_check(o));
    TRY(device_choose(o->device, &device));
    table = device;
    TRY(ranks_device(DEVICE_CUDA, &table)); /* with DEVICE_CUDA, ranks that share a GPU stay on the GPU */
#ifdef PORTAFLOW_CUDA
    backend_cuda_slabs(o->slabs);
#endif
    message_info("making %s", o->geometry);
    TRY(geometry_make(o->geometry, o->cells, o->longest, o->lattice == LATTICE_27, &g));
    TRY(domain_create(&g.l, o->lattice == LATTICE_27 ? DOMAIN_WALL_QUADRATIC : o->wall, g.condition, &d));
    const heat_settings heat = heat_of(&d);
    const double before = ranks_count() * measure_bandwidth(device);
    TRY(cut_own_part(&d, &p));
    const domain *own = ranks_count() > 1 ? &p.d : &d;
    TRY(bench_one(o, table, own, &d, NULL, NULL, &row[0]));
    if (o->heat)
        TRY(bench_one(o, table, own, &d, &heat, NULL, &row[n_row++]));
    if (o->shear_thinning)
        TRY(bench_shear_thinning(o, table, own, &d, &row[n_row++]));
    const double copy = fmax(before, ranks_count() * measure_bandwidth(device));
    TRY(print_report(o, row, n_row, &g, &d, copy));
cleanup:
    part_free(&p);
    domain_free(&d);
    geometry_free(&g);
    return rc;
}

int bench_main(int argc, char **argv) {
    if (schemes_asked(argc, argv))
        return schemes_main(argc, argv);
    bench_options o = {.geometry = "portal", .cells = 1e6, .seconds = 3};
    ranks_hush();
    const options_entry table[] = {
        {"geometry", 0, OPTION_TEXT, &o.geometry, "NAME",
         "shape of the vessel: name of a phantom, pipe or cube (default: portal)", .required = false},
        {"cells", 0, OPTION_REAL, &o.cells, "N", "approximate number of cells (default: 1e6)", .low = 1000,
         .high = 2e9},
        {"longest", 0, OPTION_INT, &o.longest, "N", "cells along the longest side of the box, instead of --cells",
         .low = 8, .high = 4096},
        {"wall", 0, OPTION_CHOICE, &o.wall, "interpolated|vlbm",
         "wall: interpolated bounce-back, or partly solid cells (vlbm)", .required = false},
        {"lattice", 0, OPTION_CHOICE, &o.lattice, "d3q19|d3q27",
         "velocity directions of a cell; d3q27 uses cumulant collisions and quadratic wall interpolation",
         .required = false},
        {"precision", 0, OPTION_CHOICE, &o.precision, "float|double|half", "number type of the stored populations",
         .required = false},
        {"device", 0, OPTION_CHOICE, &o.device, "auto|cpu|cuda", "processor or GPU (auto: a GPU when there is one)",
         .required = false},
        {"slabs", 0, OPTION_INT, &o.slabs, "N",
         "GPU: number of slabs that are updated in turn; 1 stores the lattice twice, 2 or more store it once with some "
         "spare memory (default: automatic)",
         .low = 0, .high = 16},
        {"heat", 0, OPTION_FLAG, &o.heat, NULL, "also measure with the temperature (a second set of populations)",
         .required = false},
        {"shear-thinning", 0, OPTION_FLAG, &o.shear_thinning, NULL, "also measure with shear-thinning blood",
         .required = false},
        {"seconds", 0, OPTION_REAL, &o.seconds, "S", "duration of the measurement (default: 3)", .low = 0.1,
         .high = 600},
        {"csv", 0, OPTION_TEXT, &o.csv, "FILE", "write the table as CSV", .required = false},
        {0}};
    const options_program program = {
        "solve bench", "[options]",
        "Speed of the cell update alone on this machine: million cell updates per second (MLUPS), bytes each update "
        "must move, and the part of the copy bandwidth (measured in the same run) that it uses.",
        table, "solve bench --geometry portal --cells 1e6 --threads 2"};
    bool done = false;
    int rc = options_parse(&program, argc, argv, NULL, 0, NULL, &done);
    if (rc == OK && !done) {
        message_init("solve bench", options_verbose());
        rc = ranks_open();
        if (rc == OK)
            rc = bench_ours(&o);
        rc = ranks_settle(rc);
    }
    rc = status_finish("solve bench", rc);
    return ranks_close(rc);
}
