/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of phantom.h. */
#include "data/phantom/phantom.h"
#include "common/base/status.h"
#include "data/phantom/kinds.h"
#include "data/phantom/vessel_curve.h"
#include "data/phantom/random.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct {
    const char *name;
    int (*draw)(phantom *p);
} table[PHANTOM_KINDS] = {
    [PHANTOM_PORTAL] = {"portal", kinds_portal},
    [PHANTOM_HEPATIC_PORTAL] = {"hepatic-portal", boxes_draw},
    [PHANTOM_TUBE] = {"tube", kinds_tube},
    [PHANTOM_CURVED] = {"curved", kinds_curved},
    [PHANTOM_STENOSIS] = {"stenosis", kinds_stenosis},
    [PHANTOM_CAROTID] = {"carotid", kinds_carotid},
    [PHANTOM_SHANG_PIPE] = {"shang-pipe", boxes_draw},
    [PHANTOM_SHANG_PORTAL_1] = {"shang-portal-1", boxes_draw},
    [PHANTOM_SHANG_PORTAL_2] = {"shang-portal-2", boxes_draw},
    [PHANTOM_SHANG_PORTAL_3] = {"shang-portal-3", boxes_draw},
    [PHANTOM_RANDOM] = {"random", random_draw},
};

static bool kind_is_known(int kind) {
    return kind >= 0 && kind < PHANTOM_KINDS;
}

const char *phantom_name(int kind) {
    return kind_is_known(kind) ? table[kind].name : NULL;
}

int phantom_find(const char *name) {
    for (int kind = 0; kind < PHANTOM_KINDS; kind++)
        if (strcmp(name, table[kind].name) == 0)
            return kind;
    return -1;
}

/* Makes the geometry of this kind in an empty phantom. multiplier: factor on the radii in a box of Shang et al. 2023;
 * other kinds ignore it. */
static int phantom_draw(int kind, uint64_t seed, double multiplier, phantom *p) {
    memset(p, 0, sizeof *p);
    p->seed = seed;
    p->kind = kind;
    p->scale = 1;
    p->multiplier = multiplier;
    p->shape.kind = SHAPE_TREE;
    p->shape.segment = p->segment;
    p->shape.ellipsoid = p->ellipsoid;
    boxes_set_dims(p);
    const int rc = table[kind].draw(p);
    if (rc == OK && p->dims[0] == 0)
        vessel_curve_bounds(p);
    return rc;
}

/* Find the multiplier of the vessel radii, 0.5 to 1.6, that gives the fluid fraction of Shang et al. 2023, by regula
 * falsi (Illinois). */
static int multiplier_solve(int kind, phantom *p) {
    enum { STEPS = 40 };
    const double samples = 60000, tolerance = 2e-4;
    double x[2] = {0.5, 1.6}, f[2];
    int rc = OK, kept = -1;
    for (int i = 0; i < 2; i++) {
        TRY(phantom_draw(kind, 0, x[i], p));
        f[i] = phantom_fluid_fraction(p, p->dims, samples) - p->fluid_fraction;
    }
    if (f[0] > 0 || f[1] < 0)
        return fail(
            ERR_INTERNAL,
            "phantom '%s' cannot be drawn: no radii of its vessels give its fluid fraction (error in the program; "
            "please report it)",
            table[kind].name);
    for (int step = 0; step < STEPS; step++) {
        const double next = (x[0] * f[1] - x[1] * f[0]) / (f[1] - f[0]);
        TRY(phantom_draw(kind, 0, next, p));
        const double value = phantom_fluid_fraction(p, p->dims, samples) - p->fluid_fraction;
        if (fabs(value) < tolerance * p->fluid_fraction || x[1] - x[0] < 1e-9)
            return OK;
        const int side = value > 0;
        x[side] = next;
        f[side] = value;
        if (kept == !side)
            f[!side] /= 2;
        kept = !side;
    }
    rc = fail(ERR_INTERNAL, "the radii of phantom '%s' were not found in %d steps (error in the program)",
              table[kind].name, (int)STEPS);
cleanup:
    return rc;
}

static void vector_scale(double v[3], double factor) {
    for (int k = 0; k < 3; k++)
        v[k] *= factor;
}

static void phantom_scale(phantom *p, double factor) {
    p->scale = factor;
    p->spacing_mm *= factor;
    vector_scale(p->low_mm, factor);
    vector_scale(p->high_mm, factor);
    for (int i = 0; i < p->shape.n_segment; i++) {
        vector_scale(p->segment[i].a, factor);
        vector_scale(p->segment[i].b, factor);
        p->segment[i].radius_a *= factor;
        p->segment[i].radius_b *= factor;
    }
    for (int i = 0; i < p->shape.n_ellipsoid; i++) {
        vector_scale(p->ellipsoid[i].centre, factor);
        vector_scale(p->ellipsoid[i].half, factor);
    }
    for (int i = 0; i < p->n_opening; i++) {
        vector_scale(p->opening[i].point_mm, factor);
        p->opening[i].radius_mm *= factor;
    }
    for (int i = 0; i < p->n_branch; i++) {
        vector_scale(p->branch[i].middle_mm, factor);
        p->branch[i].radius_mm *= factor;
    }
}

int phantom_make(int kind, double scale, phantom *p) {
    return phantom_make_seeded(kind, 1, scale, p);
}

int phantom_make_seeded(int kind, uint64_t seed, double scale, phantom *p) {
    int rc = OK;
    memset(p, 0, sizeof *p);
    if (!kind_is_known(kind))
        return fail(ERR_USAGE, "phantom kind %d is unknown; kinds are 0 to %d (error in the program)", kind,
                    (int)PHANTOM_KINDS - 1);
    if (!(scale > 0) || !isfinite(scale))
        return fail(ERR_USAGE, "the scale of a phantom is %g, but must be above 0; correct --scale", scale);
    TRY(phantom_draw(kind, seed, 1, p));
    if (p->dims[0] > 0)
        TRY(multiplier_solve(kind, p));
    phantom_scale(p, scale);
    for (int i = 0; kind == PHANTOM_RANDOM && i < p->n_opening; i++)
        p->opening[i].flow_l_min *= scale; /* a flow proportional to length keeps the Reynolds number */
cleanup:
    return rc;
}

/* Uniform number in 0..1 from three counters (splitmix64). */
static double hash_unit(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t x = (a * 0x9E3779B97F4A7C15u) ^ (b * 0xBF58476D1CE4E5B9u) ^ (c * 0x94D049BB133111EBu);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

static bool cell_has_fluid(const shape *s, const double centre[3], const double h[3]) {
    const double distance = shape_distance_mm(s, centre), widest = fmax(h[0], fmax(h[1], h[2]));
    /* Of the 8 x 8 x 8 subcell centres the nearest is sqrt(3) / 16 = 0.11 cell widths from the cell centre, the
     * farthest sqrt(3) 7/16 = 0.76. A ball of fluid of the first radius contains a subcell centre, a ball of tissue of
     * the second contains all of them. */
    if (distance < -0.11 * widest || distance > 0.76 * widest)
        return distance < 0;
    for (int corner = 0; corner < 8; corner++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = centre[k] + ((corner >> k & 1) ? 1 : -1) * h[k] * 7 / 16;
        if (shape_distance_mm(s, p) < 0)
            return true;
    }
    return false;
}

double phantom_fluid_fraction(const phantom *p, const int dims[3], double samples) {
    const double cells = (double)dims[0] * dims[1] * dims[2], thin = fmin(1, cbrt(samples / cells));
    int blocks[3];
    double h[3], hits = 0;
    for (int k = 0; k < 3; k++) {
        blocks[k] = (int)fmax(1, ceil(dims[k] * thin - 1e-9));
        h[k] = (p->high_mm[k] - p->low_mm[k]) / dims[k];
    }
    for (int z = 0; z < blocks[2]; z++)
        for (int y = 0; y < blocks[1]; y++)
            for (int x = 0; x < blocks[0]; x++) {
                const int at[3] = {x, y, z};
                double centre[3];
                for (int k = 0; k < 3; k++) {
                    const double low = (double)dims[k] * at[k] / blocks[k], wide = (double)dims[k] / blocks[k];
                    const uint64_t number = ((uint64_t)z * (uint64_t)blocks[1] + (uint64_t)y) * (uint64_t)blocks[0];
                    const double cell = floor(low + wide * hash_unit(number + (uint64_t)x, (uint64_t)k, 1));
                    centre[k] = p->low_mm[k] + h[k] * (fmin(cell, dims[k] - 1) + 0.5);
                }
                hits += cell_has_fluid(&p->shape, centre, h);
            }
    return hits / ((double)blocks[0] * blocks[1] * blocks[2]);
}

/* True if the point is in the straight extension beyond an opening. */
static bool beyond_opening(const phantom_opening *o, const double point[3]) {
    double along = 0, square = 0;
    for (int k = 0; k < 3; k++)
        along += (point[k] - o->point_mm[k]) * o->normal[k];
    for (int k = 0; k < 3; k++) {
        const double across = point[k] - o->point_mm[k] - along * o->normal[k];
        square += across * across;
    }
    return along > 0 && along < 3.5 * o->radius_mm && square < 1.69 * o->radius_mm * o->radius_mm;
}

/* Number of sample points of a block that are in the lumen, between the openings. */
static double block_count(const phantom *p, const int first[3], int edge, double step_mm) {
    double middle[3], count = 0;
    for (int k = 0; k < 3; k++)
        middle[k] = p->low_mm[k] + (first[k] + edge / 2.0) * step_mm;
    /* the block is outside, because no corner is farther than sqrt(3) / 2 edges from the middle of the block */
    if (shape_distance_mm(&p->shape, middle) > 0.9 * edge * step_mm)
        return 0;
    for (int i = 0; i < edge * edge * edge; i++) {
        const int at[3] = {first[0] + i % edge, first[1] + i / edge % edge, first[2] + i / (edge * edge)};
        double point[3];
        for (int k = 0; k < 3; k++) {
            const uint64_t cube = ((uint64_t)at[2] * 100003 + (uint64_t)at[1]) * 100003 + (uint64_t)at[0];
            point[k] = p->low_mm[k] + (at[k] + hash_unit(cube, (uint64_t)k, 2)) * step_mm;
        }
        bool inside = shape_distance_mm(&p->shape, point) < 0;
        for (int o = 0; inside && o < p->n_opening; o++)
            inside = !beyond_opening(&p->opening[o], point);
        count += inside;
    }
    return count;
}

double phantom_volume_mm3(const phantom *p, double step_mm) {
    enum { EDGE = 8 };
    int n[3];
    double count = 0;
    for (int k = 0; k < 3; k++)
        n[k] = (int)ceil((p->high_mm[k] - p->low_mm[k]) / step_mm / EDGE) + 1;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++)
                count += block_count(p, (const int[3]){x * EDGE, y * EDGE, z * EDGE}, EDGE, step_mm);
    return count * step_mm * step_mm * step_mm;
}
