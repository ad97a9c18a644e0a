/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths are in mm. The numbers in draw_* are ranges in radii of the vessel; they have no source. */
#include "data/phantom/random.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "data/phantom/vessel_curve.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TRIES = 5000, SIDES = 3, NODES = VESSEL_CURVE_MAX_NODES, BUMPS = 3, PIECES = 2 * SIDES + 1 };
/* in radii. SPACING: distance of two nodes; BEYOND: extension beyond an opening; STEP: segment length */
static const double SPACING = 0.3, BEYOND = 2, STEP = 0.5;
static const double KINEMATIC_M2_S = 3.5e-3 / 1060;

/* Local change of the radius: r0 (1 + height w), w = (1 + cos) / 2 over length_mm. The centreline moves by `aside`
 * times the change of the radius along `normal`. */
typedef struct {
    double at_mm, length_mm, height, aside, normal[3];
} bump;

/* A vessel between openings or junctions, with constant flow. */
typedef struct {
    int first, last; /* first and last node of the piece in its line */
    double flow;     /* flow through the piece, as a fraction of the total inflow */
} piece;

/* A line of nodes: the trunk, downstream, or a side branch, outwards from the trunk. */
typedef struct {
    int n, n_bump, n_piece;
    /* along: direction at each node; place: distance from the start of the line, mm */
    double point[NODES][3], along[NODES][3], radius[NODES], place[NODES];
    double drawn[NODES][4]; /* point and radius of each node, with the bumps */
    bump bump[BUMPS * (SIDES + 1)];
    piece piece[SIDES + 1];
    bool joins; /* for a side branch: true if it flows into the trunk */
    int root;   /* for a side branch: index of the trunk's node where it begins */
} line;

typedef struct {
    uint64_t state;
    int n_side;
    line trunk, side[SIDES];
    phantom_features features;
} drawing;

static double random_uniform(drawing *d, double low, double high) {
    uint64_t x = d->state += 0x9E3779B97F4A7C15u; /* random number by the generator splitmix64 */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return low + (high - low) * ((double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0);
}

static bool random_event(drawing *d, double share) {
    return random_uniform(d, 0, 1) < share;
}

static void scale_to(double v[3], double length) {
    const double now = sqrt(vec_dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] *= length / now;
}

static void random_direction(drawing *d, double v[3]) {
    const double z = random_uniform(d, -1, 1), angle = random_uniform(d, 0, 2 * M_PI), r = sqrt(1 - z * z);
    v[0] = r * cos(angle), v[1] = r * sin(angle), v[2] = z;
}

/* Draw a random unit vector perpendicular to `axis`. */
static void random_perpendicular(drawing *d, const double axis[3], double v[3]) {
    double length;
    do {
        random_direction(d, v);
        const double on = vec_dot(v, axis);
        for (int k = 0; k < 3; k++)
            v[k] -= on * axis[k];
        length = sqrt(vec_dot(v, v));
    } while (length < 0.1);
    scale_to(v, 1);
}

/* Extend the line by `length` radii in stretches of constant curvature (radius of curvature at least three radii).
 * The radius changes by the factor `taper`. away: the first stretch bends in the opposite direction; NULL: any
 * direction. */
static void extend_line(drawing *d, line *l, double length, double taper, const double *away) {
    const double radius = l->radius[l->n - 1], step = SPACING * radius;
    const int steps = (int)ceil(length / SPACING);
    double bend[3] = {0, 0, 0}, along[3];
    int left = 0;
    memcpy(along, l->along[l->n - 1], sizeof along);
    for (int j = 1; j <= steps && l->n < NODES; j++, l->n++) {
        if (left-- == 0) {
            const double curvature = random_event(d, 0.3) ? 0 : random_uniform(d, 0.03, 0.33) / radius;
            random_perpendicular(d, along, bend);
            if (away && j == 1)
                for (int k = 0; k < 3; k++)
                    bend[k] = -away[k];
            scale_to(bend, 1);
            for (int k = 0; k < 3; k++)
                bend[k] *= curvature;
            left = (int)random_uniform(d, 10, 25);
        }
        const int to = l->n;
        for (int k = 0; k < 3; k++) {
            const double turned = along[k] + step * bend[k];
            l->point[to][k] = l->point[to - 1][k] + step * (along[k] + turned) / 2;
            along[k] = turned;
        }
        scale_to(along, 1);
        /* remove the component of the bend along the line */
        const double on = vec_dot(bend, along), was = sqrt(vec_dot(bend, bend));
        for (int k = 0; k < 3; k++)
            bend[k] -= on * along[k];
        if (was > 0)
            scale_to(bend, was);
        memcpy(l->along[to], along, sizeof along);
        l->radius[to] = radius * (1 - (1 - taper) * j / steps);
        l->place[to] = l->place[to - 1] + step;
    }
}

static void start_line(line *l, const double point[3], const double along[3], double radius) {
    memcpy(l->point[0], point, sizeof l->point[0]);
    memcpy(l->along[0], along, sizeof l->along[0]);
    l->radius[0] = radius;
    l->n = 1;
}

/* Draw a side branch at the trunk's last node: 30 to 75 degrees to the trunk, with 55 to 85 % of the trunk's radius.
 * Returns the trunk's radius beyond the branch. */
static double draw_side(drawing *d, line *s) {
    line *t = &d->trunk;
    const int root = t->n - 1;
    const double angle = random_uniform(d, 30, 75) * M_PI / 180, radius = t->radius[root],
                 share = random_uniform(d, 0.55, 0.85);
    double off[3], along[3];
    s->joins = random_event(d, 0.4);
    s->root = root;
    random_perpendicular(d, t->along[root], off);
    for (int k = 0; k < 3; k++) /* branches are drawn outwards; for a joining branch this is upstream */
        along[k] = (s->joins ? -1 : 1) * cos(angle) * t->along[root][k] + sin(angle) * off[k];
    start_line(s, t->point[root], along, share * radius);
    extend_line(d, s, random_uniform(d, 8, 14), random_uniform(d, 0.85, 1), off);
    s->n_piece = 1;
    s->piece[0] = (piece){0, s->n - 1, 0};
    return radius * cbrt(s->joins ? 1 + share * share * share : 1 - share * share * share);
}

static void draw_lines(drawing *d) {
    const double zero[3] = {0, 0, 0}, radius = 1.5 * pow(8 / 1.5, random_uniform(d, 0, 1));
    line *t = &d->trunk;
    double along[3];
    random_direction(d, along);
    start_line(t, zero, along, radius);
    for (int j = 0; j <= d->n_side; j++) {
        const int first = t->n - 1;
        extend_line(d, t, random_uniform(d, 8, j == d->n_side ? 14 : 12), random_uniform(d, 0.85, 1), NULL);
        t->piece[t->n_piece++] = (piece){first, t->n - 1, 0};
        if (j < d->n_side)
            t->radius[t->n - 1] = draw_side(d, &d->side[j]);
    }
    for (int j = 0; j < d->n_side; j++) { /* make the step of the radius at a junction a linear change over two radii */
        const int root = d->side[j].root, reach = 4;
        const double before = t->radius[root - reach], behind = t->radius[root + reach];
        for (int k = -reach + 1; k < reach; k++)
            t->radius[root + k] = before + (behind - before) * (k + reach) / (2.0 * reach);
    }
}

/* ------------------------------------------------------------------------------------------- lesions */

/* Add a bump to a piece; false: the piece is too short. margin: smallest distance between the bump and the ends of the
 * piece, in radii. */
static bool add_bump(drawing *d, line *l, const piece *p, double height, double length, double margin) {
    const double radius = l->radius[(p->first + p->last) / 2], half = length * radius / 2;
    const double low = l->place[p->first] + half + margin * radius, high = l->place[p->last] - half - margin * radius;
    if (high < low || l->n_bump == (int)(sizeof l->bump / sizeof *l->bump))
        return false;
    const double wanted = random_uniform(d, low, high);
    int at = p->first;
    while (at < p->last && l->place[at] < wanted)
        at++;
    bump *b = &l->bump[l->n_bump++];
    *b = (bump){l->place[at], 2 * half, height, random_uniform(d, 0, 0.9), {0, 0, 0}};
    random_perpendicular(d, l->along[at], b->normal);
    return true;
}

/* Add a stenosis and, with probability 1/2, a dilatation behind it. downstream: 1 if blood flows in the order of the
 * nodes, -1 if it flows in the reverse order. */
static void add_stenosis(drawing *d, line *l, const piece *p, int downstream) {
    const double throat = random_uniform(d, sqrt(0.1), sqrt(0.6)), length = random_uniform(d, 3, 6);
    if (!add_bump(d, l, p, throat - 1, length, 1.6))
        return;
    d->features.stenosis_percent = fmax(d->features.stenosis_percent, 100 * (1 - throat * throat));
    d->features.n_stenosis++;
    if (!random_event(d, 0.5) || l->n_bump == (int)(sizeof l->bump / sizeof *l->bump))
        return;
    const bump *s = &l->bump[l->n_bump - 1];
    bump wide = *s;
    wide.height = random_uniform(d, 0.1, 0.35);
    wide.length_mm = random_uniform(d, 3.5, 6) * l->radius[(p->first + p->last) / 2];
    wide.at_mm += downstream * (s->length_mm + wide.length_mm) / 2;
    wide.aside = random_uniform(d, 0, 0.5);
    if (wide.at_mm - wide.length_mm / 2 > l->place[p->first] && wide.at_mm + wide.length_mm / 2 < l->place[p->last])
        l->bump[l->n_bump++] = wide;
}

static void draw_lesions(drawing *d) {
    const int stenoses = (random_event(d, 0.75) ? 1 : 0) + (random_event(d, 0.2) ? 1 : 0),
              aneurysms = random_event(d, 0.35) ? 1 : 0;
    for (int j = 0; j < stenoses + aneurysms; j++) {
        const bool on_trunk = random_event(d, 0.7);
        line *l = on_trunk ? &d->trunk : &d->side[(int)random_uniform(d, 0, d->n_side)];
        const piece *p = &l->piece[(int)random_uniform(d, 0, l->n_piece)];
        bool free = true;
        for (int k = 0; k < l->n_bump; k++)
            free = free && !(l->bump[k].at_mm >= l->place[p->first] && l->bump[k].at_mm <= l->place[p->last]);
        if (free && j < stenoses)
            add_stenosis(d, l, p, on_trunk || !l->joins ? 1 : -1);
        else if (free && add_bump(d, l, p, random_uniform(d, 0.4, 1), random_uniform(d, 3.5, 6), 1.6))
            d->features.n_aneurysm++;
    }
}

static void apply_bumps(line *l) {
    for (int j = 0; j < l->n; j++) {
        double *to = l->drawn[j];
        memcpy(to, l->point[j], sizeof l->point[j]);
        to[3] = l->radius[j];
        for (int k = 0; k < l->n_bump; k++) {
            const bump *b = &l->bump[k];
            const double x = (l->place[j] - b->at_mm) / b->length_mm;
            if (fabs(x) >= 0.5)
                continue;
            const double change = l->radius[j] * b->height * (1 + cos(2 * M_PI * x)) / 2;
            to[3] += change;
            for (int a = 0; a < 3; a++)
                to[a] += b->aside * fabs(change) * b->normal[a];
        }
    }
}

/* --------------------------------------------------------------------------------------------- flows */

static double cube_of(double x) {
    return x * x * x;
}

/* Smallest radius of a piece. */
static double smallest_radius(const line *l, const piece *p) {
    double r = INFINITY;
    for (int j = p->first; j <= p->last; j++)
        r = fmin(r, l->drawn[j][3]);
    return r;
}

/* Distribute the flow over inlets and outlets by the cube of their radii, and scale it until the largest Reynolds
 * number of the pieces, 4 Q / (pi d nu) at their smallest diameter, is the drawn value. */
static void draw_flows(drawing *d, double *whole_m3_s) {
    line *t = &d->trunk;
    double in = cube_of(t->radius[0]), out = cube_of(t->radius[t->n - 1]), worst = 0;
    for (int j = 0; j < d->n_side; j++)
        *(d->side[j].joins ? &in : &out) += cube_of(d->side[j].radius[d->side[j].n - 1]);
    double flow = cube_of(t->radius[0]) / in;
    for (int j = 0; j <= d->n_side; j++) {
        t->piece[j].flow = flow;
        worst = fmax(worst, flow / smallest_radius(t, &t->piece[j]));
        if (j == d->n_side)
            break;
        line *s = &d->side[j];
        s->piece[0].flow = cube_of(s->radius[s->n - 1]) / (s->joins ? in : out);
        flow += s->joins ? s->piece[0].flow : -s->piece[0].flow;
        worst = fmax(worst, s->piece[0].flow / smallest_radius(s, &s->piece[0]));
    }
    d->features.reynolds = 50 * pow(30, random_uniform(d, 0, 1));
    *whole_m3_s = d->features.reynolds * M_PI * KINEMATIC_M2_S * 2e-3 / (4 * worst);
}

/* ------------------------------------------------------------------------------------ conversion to a phantom */

static int add_line(phantom *p, const line *l, const char branch[][PHANTOM_NAME_MAX], const vessel_curve_end *from,
                    const vessel_curve_end *to, bool backwards) {
    vessel_curve_node node[NODES];
    int piece_of = 0;
    for (int j = 0; j < l->n; j++) {
        const double *at = l->drawn[backwards ? l->n - 1 - j : j];
        node[j] = (vessel_curve_node){{at[0], at[1], at[2]}, at[3], NULL};
        if (piece_of < l->n_piece && (backwards ? j == 0 : j == l->piece[piece_of].first))
            node[j].branch = branch[piece_of++];
    }
    return vessel_curve_add(p, l->n, node, STEP, BEYOND, from, to);
}

static int add_all(phantom *p, const drawing *d, double whole_m3_s) {
    char branch[SIDES + 1][PHANTOM_NAME_MAX], name[1][PHANTOM_NAME_MAX];
    int inlets = 1, outlets = 1, rc = OK;
    for (int j = 0; j <= d->n_side; j++)
        snprintf(branch[j], sizeof branch[j], "T%c", '1' + j);
    snprintf(branch[d->n_side], sizeof branch[0], "OUT");
    const vessel_curve_end in = {"IN", true, 60e3 * whole_m3_s * d->trunk.piece[0].flow}, out = {"OUT", false, 0};
    TRY(add_line(p, &d->trunk, (const char(*)[PHANTOM_NAME_MAX])branch, &in, &out, false));
    for (int j = 0; j < d->n_side; j++) {
        const line *s = &d->side[j];
        const vessel_curve_end end = {name[0], s->joins, s->joins ? 60e3 * whole_m3_s * s->piece[0].flow : 0};
        snprintf(name[0], sizeof name[0], "%s%c", s->joins ? "IN" : "OUT", '0' + (s->joins ? ++inlets : ++outlets));
        TRY(add_line(p, s, (const char(*)[PHANTOM_NAME_MAX])name, s->joins ? &end : NULL, s->joins ? NULL : &end,
                     s->joins));
    }
cleanup:
    return rc;
}

/* Path length through the vessels between two nodes. */
static double path_length(const drawing *d, const line *a, int i, const line *b, int j) {
    const line *t = &d->trunk;
    if (a == b)
        return fabs(a->place[i] - b->place[j]);
    const double up = a == t ? 0 : a->place[i], down = b == t ? 0 : b->place[j];
    return up + down + fabs(t->place[a == t ? i : a->root] - t->place[b == t ? j : b->root]);
}

/* True if two vessels touch: nodes are close in space, but far apart along the vessels. The straight extension beyond
 * an opening is part of the vessel. */
static bool lines_touch(const drawing *d, const line *a, const line *b) {
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++) {
            const double *x = a->drawn[i], *y = b->drawn[j], both = x[3] + y[3];
            const double apart[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
            const bool end_i = i == a->n - 1 || (a == &d->trunk && i == 0);
            const bool end_j = j == b->n - 1 || (b == &d->trunk && j == 0);
            const double room = both + 0.4 * fmin(x[3], y[3]) + (end_i ? 3 * x[3] : 0) + (end_j ? 3 * y[3] : 0);
            if (vec_dot(apart, apart) < room * room &&
                path_length(d, a, i, b, j) > (end_i || end_j ? 1.3 * room : 2.6 * both))
                return true;
        }
    return false;
}

static bool touches_itself(const drawing *d) {
    const line *all[SIDES + 1] = {&d->trunk};
    for (int j = 0; j < d->n_side; j++)
        all[j + 1] = &d->side[j];
    for (int a = 0; a <= d->n_side; a++)
        for (int b = a; b <= d->n_side; b++)
            if (lines_touch(d, all[a], all[b]))
                return true;
    return false;
}

int random_draw(phantom *p) {
    static _Thread_local drawing d;
    double whole_m3_s;
    d.state = p->seed;
    /* The number of branches is drawn once for all attempts. Vessels with few branches touch less often, so a new
     * number in each attempt would favour few branches. */
    const int n_side = 1 + (int)random_uniform(&d, 0, SIDES);
    for (int try = 0; try < TRIES; try++) {
        memset(&d, 0, sizeof d);
        d.state = p->seed * 0xD1342543DE82EF95u + (uint64_t)try;
        d.n_side = n_side;
        draw_lines(&d);
        draw_lesions(&d);
        apply_bumps(&d.trunk);
        for (int j = 0; j < d.n_side; j++)
            apply_bumps(&d.side[j]);
        if (d.trunk.n == NODES || touches_itself(&d))
            continue;
        draw_flows(&d, &whole_m3_s);
        d.features.n_junction = d.n_side;
        p->features = d.features;
        return add_all(p, &d, whole_m3_s);
    }
    return fail(ERR_INTERNAL, "no vessels without contact were found for seed %llu in %d attempts; give another --seed",
                (unsigned long long)p->seed, (int)TRIES);
}
