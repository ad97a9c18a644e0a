/* SPDX-License-Identifier: Apache-2.0 */
/* The same cases on every device: fields and monitors against the CPU, checkpoints from one to the other, mass.
 *
 *   test_backend          the CPU with two threads against one; with a GPU also that, with two lattices and with one
 *   test_backend --short  fewer steps (under compute-sanitizer)
 *   test_backend --heat   the cases with heat alone, with --short behind it fewer steps
 *   test_backend --corners  the cases on D3Q27 alone, likewise
 *   test_backend --shear-thinning  those of shear-thinning blood alone, likewise
 *
 * A plain program without a test library, so that it also builds on a GPU machine that has only compilers. */
#include "tests/backend/backend_check.h"
#include "common/base/status.h"
#include "common/base/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int first_case, last_case = CASE_ALL, steps_float = 1000, steps_double = 200;

/* A box comes to rest, so it runs for a few steps only. */
static bool is_box(int kind) {
    return kind == CASE_BOX || kind == CASE_WARM_BOX || kind == CASE_CORNER_BOX;
}

static backend *start(const backend_case *c, const test_device *t) {
    backend *b;
    backend_settings s = c->settings;
    s.threads = t->threads;
#ifdef PORTAFLOW_CUDA
    backend_cuda_slabs(t->slabs);
#endif
    case_must(t->table->create(&c->d, &s, &b));
    case_fill(c, t->table, b);
    return b;
}

/* In uneven batches, as a run with monitors has them. */
static void advance(const backend_case *c, const test_device *t, backend *b, int from, int to,
                    const prescribed_value *given) {
    static const int batches[] = {2, 64, 130, 6};
    for (int k = 0; from < to; k++) {
        int n = batches[k % 4];
        n = n < to - from ? n : to - from;
        case_must(t->table->step(b, n, given + (int64_t)from * domain_given(&c->d)));
        from += n;
    }
}

static const test_device reference = {"cpu", &backend_cpu, 1, 0};

/* A run, with the change since the middle in its monitor. */
static case_fields run(const backend_case *c, const test_device *t, int steps, const prescribed_value *given) {
    backend *b = start(c, t);
    case_fields middle;
    backend_monitor m = case_monitor(&middle);
    advance(c, t, b, 0, steps / 4 * 2, given);
    case_must(t->table->monitor(b, &m));
    t->table->set_mass_correction(b, 1e-7);
    t->table->set_outlets(b, true); /* where pressure_rate is below 1 */
    advance(c, t, b, steps / 4 * 2, steps, given);
    case_fields f = case_read(c, t->table, b);
    t->table->destroy(b);
    return f;
}

/* variant: float, double, float regularized; viscosity: of shear-thinning blood, or NULL; porous: drags, or NULL. */
static void agree(int kind, int variant, const viscosity_table *viscosity, const porous_media *porous, const char *name,
                  const test_device *devices, int n) {
    const int precision = variant == 1 ? BACKEND_DOUBLE : BACKEND_FLOAT;
    backend_case c = case_make(kind, precision, variant == 2);
    c.settings.pressure_rate = variant == 2 ? 0.05 : 0;
    c.settings.viscosity = viscosity;
    c.settings.porous = porous;
    if (porous)
        case_make_porous(&c.d);
    c.name = name ? name : c.name;
    const int steps = is_box(kind) ? 40 : variant == 1 ? steps_double : steps_float;
    prescribed_value *given = case_prescribed(&c, steps);
    case_fields r = run(&c, &reference, steps, given);
    for (int k = 0; k < n; k++) {
        case_fields f = run(&c, &devices[k], steps, given);
        compare(&c, &devices[k], &f, &r, variant == 1 ? 5e-6 : 2e-5, variant == 2 ? "regularized" : "fields");
        case_fields_free(&f);
    }
    case_fields_free(&r);
    free(given);
    case_free(&c);
}

static void agreement(const test_device *devices, int n) {
    for (int kind = first_case; kind < last_case; kind++)
        for (int variant = 0; variant < 3; variant++)
            agree(kind, variant, NULL, NULL, NULL, devices, n);
}

/* Shear-thinning blood, with both lattices. */
static void shear_thinning(const test_device *devices, int n) {
    static const struct {
        int kind;
        const char *name;
    } flow[] = {{CASE_TUBE, "tube, thinning"},         {CASE_TUBE_OUT, "flow out, thinning"},
                {CASE_TUBE_SHORT, "short, thinning"},  {CASE_PIPE, "pipe, thinning"},
                {CASE_CORNER_TUBE, "D3Q27, thinning"}, {CASE_CORNER_PIPE, "D3Q27 pipe, thinning"}};
    const viscosity_law law = viscosity_law_of(VISCOSITY_CARREAU_YASUDA, VISCOSITY_ABRAHAM, 0);
    viscosity_table *table = malloc(sizeof *table);
    if (!table)
        abort();
    viscosity_table_fill(&law, 1060, 1e-3, 5e-3, table);
    for (size_t k = 0; k < sizeof flow / sizeof *flow; k++)
        for (int variant = 0; variant < 3; variant++)
            agree(flow[k].kind, variant, table, NULL, flow[k].name, devices, n);
    free(table);
}

/* Porous regions, weak and strong, with both lattices. */
static void porous_regions(const test_device *devices, int n) {
    static const struct {
        int kind;
        const char *name;
    } flow[] = {{CASE_TUBE, "tube, porous"},         {CASE_TUBE_OUT, "flow out, porous"},
                {CASE_PIPE, "pipe, porous"},         {CASE_TUBE_VLBM, "vlbm, porous"},
                {CASE_CORNER_TUBE, "D3Q27, porous"}, {CASE_CORNER_PIPE, "D3Q27 pipe, porous"}};
    static const porous_media media = {.drag = {0, 0.05, 8}};
    for (size_t k = 0; k < sizeof flow / sizeof *flow; k++)
        for (int variant = 0; variant < 3; variant++)
            agree(flow[k].kind, variant, NULL, &media, flow[k].name, devices, n);
}

/* One half on the first device, the other on the second, against one device all the way. */
static void resume(const test_device *devices, int n) {
    for (int kind = first_case; kind < last_case; kind++)
        for (int pair = 0; pair < 2 * n; pair++) {
            const test_device *first = pair % 2 ? &devices[pair / 2] : &reference;
            const test_device *second = pair % 2 ? &reference : &devices[pair / 2];
            backend_case c = case_make(kind, BACKEND_FLOAT, false);
            const int steps = is_box(kind) ? 40 : steps_float / 2;
            prescribed_value *given = case_prescribed(&c, steps);
            float *slots = malloc((size_t)backend_slots(&c.settings) * 4 * (size_t)c.d.n_cell),
                  *kept = malloc(4 * (size_t)c.d.n_partial + 4);
            backend *b = start(&c, first);
            advance(&c, first, b, 0, steps / 4 * 2, given);
            case_must(first->table->read(b, slots, kept));
            first->table->destroy(b);
            b = start(&c, second);
            case_must(second->table->write(b, slots, kept));
            case_fields middle;
            backend_monitor m = case_monitor(&middle);
            case_must(second->table->step(b, 0, given + (int64_t)(steps / 4 * 2 - 1) * domain_given(&c.d)));
            case_must(second->table->monitor(b, &m));
            second->table->set_mass_correction(b, 1e-7);
            advance(&c, second, b, steps / 4 * 2, steps, given);
            case_fields f = case_read(&c, second->table, b), r = run(&c, &reference, steps, given);
            compare(&c, &devices[pair / 2], &f, &r, 2e-5,
                    pair % 2 ? "checkpoint to the cpu" : "checkpoint from the cpu");
            second->table->destroy(b);
            case_fields_free(&f);
            case_fields_free(&r);
            free(slots);
            free(kept);
            free(given);
            case_free(&c);
        }
}

/* Some cells are what all of them are, bit by bit; another choice, and the same again. */
static void sampled(const test_device *t, const backend_case *c, backend *b) {
    case_fields f = case_read(c, t->table, b);
    int64_t *cell = malloc((size_t)c->d.n_cell * sizeof *cell);
    float *value = malloc(4 * (size_t)c->d.n_cell * sizeof *value);
    for (int turn = 0; turn < 3; turn++) {
        const int every = turn < 2 ? 7 : 5;
        int64_t n = 0, wrong = 0;
        for (int64_t at = every - 1; at < c->d.n_cell; at += every)
            cell[n++] = at;
        case_must(t->table->sample(b, n, cell, value));
        for (int64_t k = 0; k < n; k++)
            for (int a = 0; a < 4; a++)
                wrong += value[4 * k + a] != (a < 3 ? f.velocity[3 * cell[k] + a] : f.density[cell[k]]);
        check(n > 0 && wrong == 0, t->name, c->name, "cells of the flow", (double)wrong, 0);
    }
    free(cell);
    free(value);
    case_fields_free(&f);
}

/* What is written is read back, bit by bit. */
static void round_trip_of(const test_device *t, int kind) {
    backend_case c = case_make(kind, BACKEND_FLOAT, false);
    const size_t n = (size_t)backend_slots(&c.settings) * (size_t)c.d.n_cell, k = (size_t)c.d.n_partial;
    float *a = malloc(4 * n), *h = malloc(4 * n), *kept_a = malloc(4 * k + 4), *kept_h = malloc(4 * k + 4);
    prescribed_value *given = case_prescribed(&c, 10);
    backend *b = start(&c, t);
    case_must(t->table->step(b, 10, given));
    case_must(t->table->read(b, a, kept_a));
    case_must(t->table->write(b, a, kept_a));
    case_must(t->table->read(b, h, kept_h));
    const double slots = case_difference(h, a, (int64_t)n), kept = case_difference(kept_h, kept_a, (int64_t)k);
    check(slots == 0, t->name, c.name, "slots read again", slots, 0);
    check(kept == 0, t->name, c.name, "kept values read again", kept, 0);
    sampled(t, &c, b);
    t->table->destroy(b);
    free(a);
    free(h);
    free(kept_a);
    free(kept_h);
    free(given);
    case_free(&c);
}

static void round_trip(const test_device *t) {
    for (int kind = first_case; kind < last_case; kind++)
        round_trip_of(t, kind);
}

/* A kept state is that state again; half of two is half of their slots, kept values and flows; steps go on from it. */
static void mixed(const test_device *t) {
    for (int kind = first_case; kind < last_case; kind++) {
        backend_case c = case_make(kind, BACKEND_FLOAT, false);
        const size_t n = (size_t)backend_slots(&c.settings) * (size_t)c.d.n_cell, k = (size_t)c.d.n_partial;
        float *slots[3], *kept[3];
        prescribed_value *given = case_prescribed(&c, 30);
        backend *b = start(&c, t);
        for (int i = 0; i < 3; i++) {
            slots[i] = malloc(4 * n);
            kept[i] = malloc(4 * k + 4);
        }
        case_must(t->table->step(b, 10, given));
        case_must(t->table->read(b, slots[0], kept[0]));
        case_must(t->table->keep(b, 0));
        case_must(t->table->step(b, 20, given + 10L * domain_given(&c.d)));
        case_must(t->table->read(b, slots[1], kept[1]));
        case_must(t->table->keep(b, 5));
        case_must(t->table->combine(b, (const double[BACKEND_PLACES]){[0] = 1}));
        case_must(t->table->read(b, slots[2], kept[2]));
        const double again = case_difference(slots[2], slots[0], (int64_t)n);
        check(again < 2e-7, t->name, c.name, "slots of a kept state", again, 2e-7);
        case_must(t->table->combine(b, (const double[BACKEND_PLACES]){[0] = 0.5, [5] = 0.5}));
        case_must(t->table->read(b, slots[2], kept[2]));
        for (size_t i = 0; i < n; i++)
            slots[0][i] = 0.5F * (slots[0][i] + slots[1][i]);
        for (size_t i = 0; i < k; i++)
            kept[0][i] = 0.5F * (kept[0][i] + kept[1][i]);
        const double half = case_difference(slots[2], slots[0], (int64_t)n);
        const double part = case_difference(kept[2], kept[0], (int64_t)k);
        check(half < 1e-6, t->name, c.name, "slots of two states", half, 1e-6);
        check(part < 1e-6, t->name, c.name, "kept values of two states", part, 1e-6);
        case_must(t->table->step(b, 2, given + 28L * domain_given(&c.d)));
        t->table->destroy(b);
        for (int i = 0; i < 3; i++) {
            free(slots[i]);
            free(kept[i]);
        }
        free(given);
        case_free(&c);
    }
}

/* Half-way walls keep the mass; the mass correction of the wall links is what it says, weighted with the fluid of their
 * cells. */
static void conservation(const test_device *t) {
    static const int closed[] = {CASE_SOLIDS, CASE_BOX, CASE_CORNER_BOX};
    for (int k = 0; k < 6; k++) {
        backend_case c = case_make(closed[k / 2], BACKEND_DOUBLE, false);
        const double mass_correction = k % 2 ? 1e-6 : 0;
        prescribed_value *given = case_prescribed(&c, steps_double);
        double flow[8], density[8], links = 0;
        backend_monitor m = {.flow = flow, .density = density};
        for (int64_t n = 0; n < c.d.n_link; n++) {
            links += c.d.fluid ? (double)c.d.fluid[c.d.link[n].cell] : 1.0;
            c.d.link[n].q = 0.5f;
        }
        backend *b = start(&c, t);
        t->table->set_mass_correction(b, mass_correction);
        case_must(t->table->step(b, 2, given));
        case_must(t->table->monitor(b, &m));
        const double before = m.mass;
        advance(&c, t, b, 2, steps_double, given);
        case_must(t->table->monitor(b, &m));
        const double drift =
            fabs(m.mass - before - mass_correction * links * (steps_double - 2)) / ((double)c.d.n_cell * c.size);
        check(drift < 1e-10, t->name, c.name, k % 2 ? "mass with its correction" : "mass", drift, 1e-10);
        t->table->destroy(b);
        free(given);
        case_free(&c);
    }
}

/* A lattice that the device has no room for is refused before anything is taken, with what to do. */
static void too_large(const test_device *t) {
    domain d = {0};
    backend_settings s = {.omega_plus = 1, .omega_minus = 1, .precision = BACKEND_FLOAT, .threads = 1};
    backend *b = NULL;
    double needed, available;
    d.n_cell = 1000000;
    t->table->memory(&d, &s, &needed, &available);
    check(available > 0, t->name, "too large", "memory available", available, 0);
    if (t->table == &backend_cpu) /* pages that hold copies of files are free, too */
        check(fabs(available / memory_available() - 1) < 0.05, t->name, "too large", "memory available", available,
              memory_available());
    d.n_cell = (int64_t)(3e6 * available / needed);
    status_clear();
    const int rc = t->table->create(&d, &s, &b);
    check(rc == ERR_RESOURCE && !b, t->name, "too large", "refused", rc, ERR_RESOURCE);
    check(strstr(status_message(), "larger by") != NULL, t->name, "too large", status_message(), 0, 0);
    printf("%s, too large: %s\n", t->name, status_message());
    status_clear();
}

/* A cell that is not a number is found and named. */
static void divergence(const test_device *t) {
    backend_case c = case_make(CASE_TUBE, BACKEND_FLOAT, false);
    const size_t n = (size_t)c.d.n_cell;
    float *slots = calloc(19 * n, 4), kept = 0;
    double flow[8], density[8];
    backend_monitor m = {.flow = flow, .density = density};
    backend *b = start(&c, t);
    slots[n / 2] = NAN;
    case_must(t->table->write(b, slots, &kept));
    case_must(t->table->step(b, 0, (prescribed_value[2]){{0}}));
    case_must(t->table->monitor(b, &m));
    check(m.bad_cell == (int64_t)n / 2, t->name, c.name, "the bad cell", (double)m.bad_cell, floor(0.5 * (double)n));
    t->table->destroy(b);
    free(slots);
    case_free(&c);
}

#ifdef PORTAFLOW_CUDA
/* Cumulants with 16-bit storage or on-site openings are refused with a sentence that names the setting. */
static void refused(const test_device *t) {
    for (int k = 0; k < 2; k++) {
        backend_case c = case_make(CASE_CORNER_TUBE, k ? BACKEND_FLOAT : BACKEND_HALF, false);
        backend *b = NULL;
        c.d.opening[0].on_site = k;
        const int rc = t->table->create(&c.d, &c.settings, &b);
        check(rc == ERR_RESOURCE && !b, t->name, c.name, "refused", rc, ERR_RESOURCE);
        check(strstr(status_message(), "collision cumulant") != NULL, t->name, c.name, status_message(), 0, 0);
        status_clear();
        case_free(&c);
    }
}

/* 16-bit storage against float, both collisions: the driven pipe (velocity, wall stress), the tube (pressure drop). */
static void half_precision(const test_device *t) {
    static const int kinds[] = {CASE_PIPE, CASE_TUBE, CASE_PIPE, CASE_TUBE};
    for (int k = 0; k < 4; k++) {
        case_fields f[2];
        backend_case c[2];
        for (int half = 0; half < 2; half++) {
            c[half] = case_make(kinds[k], half ? BACKEND_HALF : BACKEND_FLOAT, k > 1);
            c[half].size = 1e-6;
            prescribed_value *given = case_prescribed(&c[half], steps_float);
            f[half] = run(&c[half], t, steps_float, given);
            free(given);
        }
        const int64_t n = c[0].d.n_cell;
        const double velocity = case_difference(f[1].velocity, f[0].velocity, 3 * n);
        const double stress = case_difference(f[1].stress, f[0].stress, 6 * n);
        printf("16 bits%s, %-18s velocity differs by %.2g, stress by %.2g", k > 1 ? ", regularized" : "", c[0].name,
               velocity, stress);
        check(velocity < 1e-2, t->name, c[0].name, "velocity in 16 bits", velocity, 1e-2);
        check(stress < 5e-2, t->name, c[0].name, "stress in 16 bits", stress, 5e-2);
        if (kinds[k] == CASE_TUBE) {
            const double drop = f[0].opening_density[0] - f[0].opening_density[1];
            const double error = fabs(f[1].opening_density[0] - f[1].opening_density[1] - drop) / fabs(drop);
            printf(", pressure drop by %.2g", error);
            check(error < 2e-2, t->name, c[0].name, "pressure drop in 16 bits", error, 2e-2);
        }
        printf("\n");
        for (int half = 0; half < 2; half++) {
            case_fields_free(&f[half]);
            case_free(&c[half]);
        }
    }
}

static int64_t differences(const float *a, const float *b, int64_t n) {
    int64_t differ = 0;
    for (int64_t k = 0; k < n; k++)
        differ += !(a[k] == b[k]);
    return differ;
}

/* One lattice in slabs and two give the same bits. */
static void in_place(int kind, int slabs, int steps) {
    const test_device one = {"cuda, in place", &backend_cuda, 1, slabs},
                      two = {"cuda, two lattices", &backend_cuda, 1, 1};
    backend_case c = case_make(kind, BACKEND_FLOAT, false);
    prescribed_value *given = case_prescribed(&c, steps);
    double needed[2], available;
    case_fields a = run(&c, &two, steps, given);
    backend_cuda.memory(&c.d, &c.settings, &needed[0], &available);
    case_fields b = run(&c, &one, steps, given);
    backend_cuda.memory(&c.d, &c.settings, &needed[1], &available);
    const int64_t differ = differences(a.velocity, b.velocity, 3 * c.d.n_cell) +
                           differences(a.density, b.density, c.d.n_cell) +
                           differences(a.stress, b.stress, 6 * c.d.n_cell);
    check(differ == 0, one.name, c.name, "values that differ", (double)differ, 0);
    check(a.monitor.entered == b.monitor.entered && a.monitor.change == b.monitor.change, one.name, c.name,
          "monitors that differ", fabs(a.monitor.entered - b.monitor.entered), 0);
    if (kind == CASE_TUBE || kind == CASE_LARGE || kind == CASE_CORNER_TUBE ||
        kind == CASE_CORNER_LARGE) /* that it was not two lattices again */
        check(needed[1] < needed[0], one.name, c.name, "memory", needed[1], needed[0]);
    case_fields_free(&a);
    case_fields_free(&b);
    free(given);
    case_free(&c);
}
#endif

int main(int argc, char **argv) {
    test_device devices[3] = {{"cpu, 2 threads", &backend_cpu, 2, 0}};
    int n = 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1 && strcmp(argv[1], "--heat") == 0) {
        first_case = CASE_WARM_SLAB;
        last_case = CASE_CORNER_TUBE;
        steps_float = 300;
    }
    const bool shear_only = argc > 1 && strcmp(argv[1], "--shear-thinning") == 0;
    const bool porous_only = argc > 1 && strcmp(argv[1], "--porous") == 0;
    if (argc > 1 && strcmp(argv[1], "--corners") == 0)
        first_case = CASE_CORNER_TUBE;
    if (argc > 1 && strcmp(argv[argc - 1], "--short") == 0) {
        steps_float = 24;
        steps_double = 12;
    }
#ifdef PORTAFLOW_CUDA
    if (backend_cuda_count() > 0) {
        devices[n++] = (test_device){"cuda, 5 slabs", &backend_cuda, 1, 5};
        devices[n++] = (test_device){"cuda, two lattices", &backend_cuda, 1, 1};
    }
#endif
    if (n == 1)
        printf("no GPU here: the CPU is compared with itself\n");
    if ((first_case == 0 && !porous_only) || shear_only)
        shear_thinning(devices, n);
    if ((first_case == 0 && !shear_only) || porous_only)
        porous_regions(devices, n);
    if (shear_only || porous_only)
        return checks_finish();
    agreement(devices, n);
    resume(devices, n);
    for (int k = 0; k < n; k++) {
        round_trip(&devices[k]);
        mixed(&devices[k]);
        if (first_case > 0)
            continue;
        conservation(&devices[k]);
        divergence(&devices[k]);
        too_large(&devices[k]);
    }
#ifdef PORTAFLOW_CUDA
    if (n > 1) {
        for (int kind = first_case; kind < last_case; kind++)
            in_place(kind, 7, steps_float);
        if (first_case <= CASE_WARM_SLAB) {
            in_place(CASE_WARM_LARGE, 11, 24);
            round_trip_of(&devices[1], CASE_WARM_LARGE);
        }
        if (last_case == CASE_ALL) {
            in_place(CASE_CORNER_LARGE, 11, steps_double);
            round_trip_of(&devices[1], CASE_CORNER_LARGE);
            refused(&devices[1]);
        }
        if (first_case == 0) {
            in_place(CASE_LARGE, 11, steps_float);
            half_precision(&devices[1]);
        }
    }
#endif
    return checks_finish();
}
