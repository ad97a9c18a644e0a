/* SPDX-License-Identifier: Apache-2.0 */
/* LPS: x to the patient's left, y to the back, z to the head. */
#include "data/phantom/abdomen.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "data/phantom/kinds.h"
#include "data/phantom/vessel_curve.h"
#include <math.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* ---------------------------------------------------------------------------------------------- random numbers */

typedef struct {
    uint64_t state;
} random_state;

static double random_unit(random_state *c) {
    uint64_t x = c->state += 0x9E3779B97F4A7C15u; /* random number by the generator splitmix64 */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double random_between(random_state *c, double low, double high) {
    return low + (high - low) * random_unit(c);
}

/* ---------------------------------------------------------------------------------------------- the vein */

typedef struct {
    double scale[3], turn, tilt, wave[3][3], phase[3], radius, factor;
    random_state chance;
} variation;

static variation variation_draw(uint64_t seed, double scale) {
    variation v = {.chance = {seed * 0x632BE59BD9B4E019u + 17}, .factor = scale};
    for (int k = 0; k < 3; k++) {
        v.scale[k] = random_between(&v.chance, 0.9, 1.1);
        v.phase[k] = random_between(&v.chance, 0, 2 * M_PI);
        for (int m = 0; m < 3; m++)
            v.wave[k][m] = random_between(&v.chance, -1 / 25.0, 1 / 25.0);
    }
    v.turn = random_between(&v.chance, -0.17, 0.17);
    v.tilt = random_between(&v.chance, -0.14, 0.14);
    v.radius = random_between(&v.chance, 0.85, 1.15);
    return v;
}

/* Deform a point. The map is continuous, so vessels that meet still meet. */
static void variation_place(const variation *v, const double from[3], double to[3]) {
    double p[3];
    for (int k = 0; k < 3; k++) {
        double angle = v->phase[k];
        for (int m = 0; m < 3; m++)
            angle += v->wave[k][m] * from[m];
        p[k] = v->scale[k] * from[k] + 3 * sin(angle);
    }
    double x = cos(v->turn) * p[0] - sin(v->turn) * p[1], y = sin(v->turn) * p[0] + cos(v->turn) * p[1];
    to[0] = v->factor * (cos(v->tilt) * x - sin(v->tilt) * p[2]);
    to[1] = v->factor * y;
    to[2] = v->factor * (sin(v->tilt) * x + cos(v->tilt) * p[2]);
}

enum { NODES_MAX = 12 };

static void vary_nodes(variation *v, int n, const vessel_curve_node *node, vessel_curve_node *out) {
    for (int i = 0; i < n; i++) {
        out[i] = node[i];
        variation_place(v, node[i].point_mm, out[i].point_mm);
        out[i].radius_mm = v->factor * v->radius * node[i].radius_mm * random_between(&v->chance, 0.95, 1.05);
    }
}

int abdomen_patient(uint64_t seed, double scale, phantom *p) {
    const double step = 0.4, beyond = 2;
    vessel_curve_node node[NODES_MAX], oval[4];
    variation v;
    int rc = OK;
    if (!(scale > 0) || !isfinite(scale))
        return fail(ERR_USAGE, "the scale of a phantom is %g, but must be above 0; correct --scale", scale);
    memset(p, 0, sizeof *p);
    p->kind = PHANTOM_PORTAL;
    p->scale = scale;
    p->multiplier = 1;
    p->shape.kind = SHAPE_TREE;
    p->shape.segment = p->segment;
    p->shape.ellipsoid = p->ellipsoid;
    v = variation_draw(seed, scale);
    vary_nodes(&v, KINDS_TRUNK, kinds_portal_trunk, node);
    TRY(vessel_curve_add(p, KINDS_TRUNK, node, step, beyond, &kinds_portal_smv, &kinds_portal_rpv));
    memcpy(oval, node + 2, sizeof oval); /* add a second tube next to the trunk; both together have an oval
                                          * cross-section */
    for (int i = 1; i < 3; i++)
        oval[i].point_mm[1] += random_between(&v.chance, -0.5, 0.5) * oval[i].radius_mm;
    vary_nodes(&v, KINDS_SPLENIC, kinds_portal_splenic, node);
    TRY(vessel_curve_add(p, KINDS_SPLENIC, node, step, beyond, &kinds_portal_sv, NULL));
    vary_nodes(&v, KINDS_LEFT, kinds_portal_left, node);
    TRY(vessel_curve_add(p, KINDS_LEFT, node, step, beyond, NULL, &kinds_portal_lpv));
    TRY(vessel_curve_add(p, COUNT(oval), oval, step, beyond, NULL, NULL));
    p->n_branch--; /* the second tube is part of the trunk, not a separate branch */
    vessel_curve_bounds(p);
cleanup:
    return rc;
}

/* ---------------------------------------------------------------------------------------------- organs */

/* Level function of an organ: below 1 inside. */
static double organ_level(const abdomen_organ *o, const double p[3]) {
    double level = 0, square = 0;
    for (int k = 0; k < 3; k++)
        square += (p[k] - o->centre_mm[k]) * (p[k] - o->centre_mm[k]);
    if (square > o->reach_mm * o->reach_mm)
        return 2;
    for (int k = 0; k < 3; k++) {
        double u = 0;
        for (int m = 0; m < 3; m++)
            u += o->axis[3 * k + m] * (p[m] - o->centre_mm[m]);
        level += u * u / (o->half_mm[k] * o->half_mm[k]);
    }
    return level;
}

static void make_unit(double v[3]) {
    const double n = sqrt(vec_dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= n;
}

/* Make an orthonormal frame with d as third axis. */
static void frame_along(const double d[3], double axis[9]) {
    const double other[3] = {fabs(d[0]) < 0.7, fabs(d[0]) >= 0.7, 0};
    const double along = vec_dot(other, d);
    for (int k = 0; k < 3; k++) {
        axis[k] = other[k] - along * d[k];
        axis[6 + k] = d[k];
    }
    make_unit(axis);
    for (int k = 0; k < 3; k++)
        axis[3 + k] = d[(k + 1) % 3] * axis[(k + 2) % 3] - d[(k + 2) % 3] * axis[(k + 1) % 3];
}

static abdomen_organ *organ_add(abdomen *a, int tissue, const double centre[3], const double half[3]) {
    abdomen_organ *o = &a->organ[a->n_organ++];
    *o = (abdomen_organ){.axis = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .tissue = tissue};
    memcpy(o->centre_mm, centre, sizeof o->centre_mm);
    memcpy(o->half_mm, half, sizeof o->half_mm);
    o->reach_mm = fmax(half[0], fmax(half[1], half[2]));
    return o;
}

/* Move the organ so that the point of its surface with the outward normal -d is at `contact`. */
static void organ_attach(abdomen_organ *o, const double contact[3], const double d[3]) {
    double length = 0, local[3];
    for (int k = 0; k < 3; k++) {
        local[k] = vec_dot(o->axis + 3 * k, d);
        length += local[k] * local[k] * o->half_mm[k] * o->half_mm[k];
    }
    for (int m = 0; m < 3; m++) {
        o->centre_mm[m] = contact[m];
        for (int k = 0; k < 3; k++)
            o->centre_mm[m] += o->axis[3 * k + m] * o->half_mm[k] * o->half_mm[k] * local[k] / sqrt(length);
    }
}

/* True if the organ comes closer than 0.9 radii to the centreline of a vessel. */
static bool organ_overlaps_vessel(const abdomen_organ *o, const phantom *p) {
    for (int i = 0; i < p->shape.n_segment; i++) {
        const shape_segment *s = &p->segment[i];
        double axis[9], d[3];
        for (int k = 0; k < 3; k++)
            d[k] = s->b[k] - s->a[k];
        make_unit(d);
        frame_along(d, axis);
        for (int n = 0; n < 16; n++) {
            double q[3];
            for (int k = 0; k < 3; k++)
                q[k] = s->a[k] + 0.9 * s->radius_a * (cos(n * M_PI / 8) * axis[k] + sin(n * M_PI / 8) * axis[3 + k]);
            if (organ_level(o, q) < 1)
                return true;
        }
    }
    return false;
}

typedef struct {
    int tissue;
    const char *branch;
    double along, toward[3], half[3];
    bool parallel; /* true: the vessel runs along the third half axis */
} neighbour;

/* Place an organ against the wall of a branch. The organ is rotated around the vessel, then shrunk, until it touches
 * the vessel at this place only; the organ is omitted after 60 failed attempts. */
static void neighbour_add(abdomen *a, random_state *c, const phantom *p, const neighbour *n) {
    const phantom_branch *b = NULL;
    double axis[9], direction[3];
    for (int i = 0; i < p->n_branch; i++)
        b = strcmp(p->branch[i].name, n->branch) == 0 ? &p->branch[i] : b;
    if (b == NULL || a->n_organ == ABDOMEN_ORGANS)
        return;
    const double along = fmin(0.98, fmax(0.02, n->along + random_between(c, -0.08, 0.08)));
    const double gap = random_between(c, -0.3, 0.6), turn = random_between(c, -0.4, 0.4);
    const shape_segment *s = &p->segment[b->first + (int)(along * (b->count - 1))];
    for (int k = 0; k < 3; k++)
        direction[k] = s->b[k] - s->a[k];
    make_unit(direction);
    frame_along(direction, axis);
    const double start = atan2(vec_dot(n->toward, axis + 3), vec_dot(n->toward, axis)) + turn;
    double size = random_between(c, 0.85, 1.15) * p->scale;
    for (int attempt = 0; attempt < 60; attempt++) {
        const int away = attempt % 10 / 2 + attempt % 2;
        const double angle = start + (attempt % 2 ? 1 : -1) * 0.25 * away;
        double d[3], contact[3], half[3];
        size *= attempt % 10 == 9 ? 0.8 : 1;
        for (int k = 0; k < 3; k++) {
            d[k] = cos(angle) * axis[k] + sin(angle) * axis[3 + k];
            contact[k] = s->a[k] + (s->radius_a + gap) * d[k];
            half[k] = n->half[k] * size;
        }
        abdomen_organ *o = organ_add(a, n->tissue, contact, half);
        if (n->parallel)
            memcpy(o->axis, axis, sizeof axis);
        organ_attach(o, contact, d);
        if (!organ_overlaps_vessel(o, p))
            return;
        a->n_organ--;
    }
}

static void waves_draw(abdomen *a, random_state *c) {
    for (int w = 0; w < ABDOMEN_WAVES; w++) {
        double d[3], length = 2 * M_PI / random_between(c, 5, 16);
        d[2] = random_between(c, -1, 1);
        const double angle = random_between(c, 0, 2 * M_PI), r = sqrt(1 - d[2] * d[2]);
        d[0] = r * cos(angle);
        d[1] = r * sin(angle);
        for (int k = 0; k < 3; k++)
            a->wave[w][k] = length * d[k];
        a->wave[w][3] = random_between(c, 0, 2 * M_PI);
    }
}

void abdomen_create(const phantom *p, uint64_t seed, double margin_mm, abdomen *a) {
    static const neighbour around[] = {{TISSUE_FAT, "SMV", 0.3, {1, -0.4, 0}, {16, 13, 20}, false},
                                       {TISSUE_FAT, "SV", 0.7, {0, 0, -1}, {18, 14, 12}, false},
                                       {TISSUE_SPLEEN, "SV", 0.06, {0.3, 0.6, 0.8}, {26, 30, 36}, false},
                                       {TISSUE_KIDNEY, "SV", 0.35, {0, 1, -0.4}, {20, 19, 36}, false},
                                       {TISSUE_STOMACH, "SV", 0.55, {0, -1, 0.5}, {32, 18, 22}, false},
                                       {TISSUE_BOWEL, "SMV", 0.35, {-1, -0.3, 0}, {13, 14, 24}, false},
                                       {TISSUE_BOWEL, "SMV", 0.7, {0.3, -1, 0}, {16, 12, 13}, false},
                                       {TISSUE_BOWEL, "PV", 0.35, {-0.8, -0.6, 0}, {14, 12, 15}, false},
                                       {TISSUE_CAVA, "PV", 0.55, {-0.2, 1, 0}, {11, 9, 70}, false},
                                       {TISSUE_ARTERY, "SMV", 0.5, {1, 0.5, 0}, {3.6, 3.6, 40}, true},
                                       {TISSUE_ARTERY, "PV", 0.6, {0.6, -0.7, 0}, {2.6, 2.6, 22}, true},
                                       {TISSUE_CAVA, "RPV", 0.6, {0, 0.5, 1}, {4.5, 28, 4.5}, false},
                                       {TISSUE_CAVA, "LPV", 0.6, {-0.6, 0.3, 0.7}, {4, 20, 4}, false}};
    random_state c = {seed * 0x9FB21C651E98DF25u + 3};
    const double f = p->scale;
    memset(a, 0, sizeof *a);
    for (int k = 0; k < 2; k++) {
        a->centre_mm[k] = (p->low_mm[k] + p->high_mm[k]) / 2;
        a->half_mm[k] = 0.98 * ((p->high_mm[k] - p->low_mm[k]) / 2 + margin_mm);
    }
    waves_draw(a, &c);
    organ_add(a, TISSUE_LIVER, (const double[3]){-62 * f, -6 * f, 82 * f}, (const double[3]){62 * f, 48 * f, 46 * f});
    organ_add(a, TISSUE_PANCREAS, (const double[3]){24 * f, 2 * f, -4 * f}, (const double[3]){40 * f, 20 * f, 12 * f});
    organ_add(a, TISSUE_BONE, (const double[3]){8 * f, 58 * f, 0}, (const double[3]){18 * f, 14 * f, 1e4});
    organ_add(a, TISSUE_ARTERY, (const double[3]){20 * f, 36 * f, 0}, (const double[3]){8 * f, 8 * f, 1e4});
    for (int i = 0; i < COUNT(around); i++)
        neighbour_add(a, &c, p, &around[i]);
}

int abdomen_tissue(const abdomen *a, const double lps_mm[3]) {
    double level = 0;
    for (int k = 0; k < 2; k++) {
        const double u = (lps_mm[k] - a->centre_mm[k]) / a->half_mm[k];
        level += u * u * u * u;
    }
    if (level >= 1)
        return TISSUE_AIR;
    if (level > 0.75)
        return TISSUE_FAT;
    for (int i = a->n_organ - 1; i >= 0; i--)
        if (organ_level(&a->organ[i], lps_mm) < 1)
            return a->organ[i].tissue;
    return TISSUE_SOFT;
}

double abdomen_texture(const abdomen *a, const double lps_mm[3]) {
    double sum = 0;
    for (int w = 0; w < ABDOMEN_WAVES; w++)
        sum += cos(vec_dot(a->wave[w], lps_mm) + a->wave[w][3]);
    return sum * sqrt(2.0 / ABDOMEN_WAVES);
}
