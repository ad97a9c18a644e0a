/* SPDX-License-Identifier: Apache-2.0 */
/* More values than 2^31 on a GPU: a long tube whose start repeats every PERIOD planes must repeat itself bit by bit,
 * and one period must be what the CPU makes of a short tube. Velocities and the slots of a checkpoint.
 *
 *   test_large CELLS float|half [two]      by hand on a GPU: host memory of about 190 B a cell
 *
 * 1.5e8 cells in float: 2.9e9 values, more than 2^31; 2.4e8: more than 2^32; in two lattices (two)
 * with 64-bit places. */
#include "solve/core/half.h"
#include "common/base/clock.h"
#include "tests/backend/backend_case.h"
#include "tests/unit/solve/solve_flow.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD = 64, STEPS = 16, MARGIN = 32, SHORT = 3 * PERIOD }; /* planes; what the ends do stays within MARGIN */

static uint32_t mixed(uint32_t a, uint32_t b) {
    uint32_t h = a * 2654435761u ^ (b + 0x9e3779b9u) * 2246822519u;
    h = (h ^ h >> 15) * 2654435761u;
    return h ^ h >> 13;
}

/* One plane of the tube. */
typedef struct {
    int size;         /* of the box */
    int64_t n, links; /* links of a plane within the tube */
    int32_t *x, *y;   /* [n] */
    uint32_t *out;    /* [n] bit a: the neighbour in direction a lies outside */
} disc;

static bool disc_inside(const disc *d, int x, int y) {
    const double r = 0.5 * d->size - 1, dx = x - 0.5 * (d->size - 1), dy = y - 0.5 * (d->size - 1);
    return dx * dx + dy * dy < r * r;
}

static disc disc_make(int size) {
    disc d = {.size = size};
    const size_t most = (size_t)size * (size_t)size;
    d.x = malloc(most * sizeof *d.x);
    d.y = malloc(most * sizeof *d.y);
    d.out = calloc(most, sizeof *d.out);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            if (!disc_inside(&d, x, y))
                continue;
            for (int a = 1; a < 19; a++)
                d.out[d.n] |= (uint32_t)!disc_inside(&d, x + lattice_e[a][0], y + lattice_e[a][1]) << a;
            d.links += __builtin_popcount(d.out[d.n]);
            d.x[d.n] = x;
            d.y[d.n++] = y;
        }
    return d;
}

static void disc_free(disc *d) {
    free(d->x);
    free(d->y);
    free(d->out);
}

/* Directions out of the tube of cell k of plane z. */
static uint32_t cut_at(const disc *d, int64_t k, int64_t z, int64_t length) {
    uint32_t out = d->out[k];
    for (int a = 1; a < 19; a++)
        out |= (uint32_t)((z == 0 && lattice_e[a][2] < 0) || (z == length - 1 && lattice_e[a][2] > 0)) << a;
    return out;
}

static domain tube_make(const disc *d, int64_t length) {
    lattice l;
    domain made;
    int64_t cell = 0, link = 0;
    case_must(lattice_create(&l, d->n * length, d->links * length + 10 * d->n, 0));
    l.spacing_mm = 1;
    memcpy(l.dims, (int[3]){d->size, d->size, (int)length}, sizeof l.dims);
    for (int64_t z = 0; z < length; z++)
        for (int64_t k = 0; k < d->n; k++, cell++) {
            l.cell[3 * cell] = d->x[k];
            l.cell[3 * cell + 1] = d->y[k];
            l.cell[3 * cell + 2] = (int32_t)z;
            l.distance_mm[cell] = -1;
            const uint32_t out = z > 0 && z < length - 1 ? d->out[k] : cut_at(d, k, z, length);
            for (int a = 1; out && a < 19; a++) {
                if (!(out >> a & 1))
                    continue;
                l.link_cell[link] = (int32_t)cell;
                l.link_dir[link] = (uint8_t)a;
                l.link_q[link++] = (float)(mixed((uint32_t)k, (uint32_t)a) % 999 + 1) / 1000.0f;
            }
        }
    l.n_link = link;
    case_must(domain_create(&l, DOMAIN_WALL_INTERPOLATED, NULL, &made));
    lattice_free(&l);
    return made;
}

/* Populations that repeat every PERIOD planes. */
static void *slots_make(const disc *d, int64_t length, int precision) {
    const size_t bytes = (size_t)backend_value_bytes(precision), plane = (size_t)d->n * bytes;
    char *slots = malloc(19 * plane * (size_t)length), *period = malloc(plane * PERIOD);
    if (!slots || !period)
        abort();
    for (int a = 0; a < 19; a++) {
#pragma omp parallel for
        for (int64_t k = 0; k < d->n * PERIOD; k++) {
            const float v = 1e-3f * ((float)(mixed((uint32_t)k, 100u + (uint32_t)a) >> 8) / 8388608.0f - 1.0f);
            if (bytes == 4)
                ((float *)period)[k] = v;
            else
                ((uint16_t *)period)[k] = half_from_float(v * HALF_UNIT);
        }
        for (int64_t z = 0; z < length; z++)
            memcpy(slots + ((size_t)a * (size_t)length + (size_t)z) * plane, period + (size_t)(z % PERIOD) * plane,
                   plane);
    }
    free(period);
    return slots;
}

/* Velocity after STEPS steps of a tube; slots: as a checkpoint has them, NULL: not wanted. */
static float *tube_run(const disc *d, int64_t length, int precision, const backend_table *table, void **slots_out) {
    domain tube = tube_make(d, length);
    backend_settings s = flow_settings(0.6, false, precision, 1e-6);
    void *slots = slots_make(d, length, precision), *kept = calloc(1, 8);
    float *velocity = malloc(3 * sizeof(float) * (size_t)tube.n_cell);
    backend_monitor m = {0};
    backend *b;
    s.threads = 8;
    case_must(table->create(&tube, &s, &b));
    case_must(table->write(b, slots, kept));
    case_must(table->step(b, STEPS, NULL));
    case_must(table->moments(b, NULL, velocity, NULL));
    if (slots_out)
        case_must(table->read(b, slots, kept));
    const double start = clock_s();
    case_must(table->step(b, 64, NULL));
    case_must(table->monitor(b, &m));
    printf("%s, %lld cells: 64 steps and a monitor, %.0f MLUPS; bad cell %lld\n", table->device(b),
           (long long)tube.n_cell, 64e-6 * (double)tube.n_cell / (clock_s() - start), (long long)m.bad_cell);
    table->destroy(b);
    domain_free(&tube);
    free(kept);
    if (slots_out)
        *slots_out = slots;
    else
        free(slots);
    return velocity;
}

/* Planes MARGIN + PERIOD .. length - MARGIN against those one period before; returns the bytes that differ. */
static int64_t repeats(const char *values, size_t plane, int64_t length) {
    int64_t differ = 0;
#pragma omp parallel for reduction(+ : differ)
    for (int64_t z = MARGIN + PERIOD; z < length - MARGIN; z++)
        for (size_t k = 0; k < plane; k++)
            differ += values[(size_t)z * plane + k] != values[(size_t)(z - PERIOD) * plane + k];
    return differ;
}

static double largest(const float *a, const float *b, int64_t n) {
    double most = 0;
    for (int64_t k = 0; k < n; k++)
        most = fmax(most, isfinite(a[k]) ? fabs((double)a[k] - (b ? (double)b[k] : 0)) : INFINITY);
    return most;
}

int main(int argc, char **argv) {
    const bool half = argc >= 3 && strcmp(argv[2], "half") == 0, two = argc == 4 && strcmp(argv[3], "two") == 0;
    const int precision = half ? BACKEND_HALF : BACKEND_FLOAT;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 3 || argc != (two ? 4 : 3) || (!half && strcmp(argv[2], "float") != 0)) {
        fprintf(stderr, "test_large CELLS float|half [two]\n");
        return 2;
    }
#ifdef PORTAFLOW_CUDA
    const double cells = atof(argv[1]);
    disc d = disc_make(cells < 2e7 ? 41 : 401);
    const int64_t length = (int64_t)(cells / (double)d.n);
    const size_t from = 3 * (size_t)d.n * (MARGIN + PERIOD / 2); /* in the middle of the short tube */
    const int64_t period = 3 * d.n * PERIOD;
    const size_t plane = (size_t)d.n * (size_t)backend_value_bytes(precision);
    char *slots = NULL;
    if (backend_cuda_count() == 0 || length < SHORT) {
        printf("no GPU here, or too few cells\n");
        return 1;
    }
    float *reference = tube_run(&d, SHORT, precision, half ? &backend_cuda : &backend_cpu, NULL);
    backend_cuda_slabs(two ? 1 : 0);
    float *velocity = tube_run(&d, length, precision, &backend_cuda, (void **)&slots);
    const double off = largest(velocity + from, reference + from, period),
                 scale = largest(reference + from, NULL, period);
    int64_t differ = repeats((const char *)velocity, 12 * (size_t)d.n, length), slots_differ = 0;
    for (int a = 0; a < 19; a++)
        slots_differ += repeats(slots + (size_t)a * (size_t)length * plane, plane, length);
    printf(
        "%lld planes of %lld cells, %.3g values; against a short tube %.2g of the velocity; repeats but for %lld bytes "
        "of velocities and %lld of slots\n",
        (long long)length, (long long)d.n, 19.0 * (double)d.n * (double)length, off / scale, (long long)differ,
        (long long)slots_differ);
    free(reference);
    free(velocity);
    free(slots);
    disc_free(&d);
    return off > (half ? 1e-2 : 1e-4) * scale || differ || slots_differ;
#else
    printf("built without CUDA\n");
    return 1;
#endif
}
