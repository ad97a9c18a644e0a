/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface/surface_distance.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/surface/surface_nearest.h"
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Upper limits. LISTED: estimated number of triangles near a bin. PACKETS: packets in the list of a bin. COUNTED:
 * packets near the cube of surface_distance_count_outside. A packet has four triangles. BINS: number of bins in the
 * cache of a thread, a hash table. */
enum { LISTED = 60, PACKETS = 24, BINS = 4096, COUNTED = 300 };

/* A cube of space, and the packets of all triangles that can be nearest to a point in it. */
typedef struct {
    /* number of packets of the bin. 0: bin unused; -1: only one point so far, no list yet; -2: too many packets for a
     * list */
    int32_t at[3], n;
    int32_t packet[PACKETS];
} bin;

/* Cache of one thread for one surface. */
typedef struct memory {
    struct memory *next;
    const void *owner; /* identifies the thread: address of a thread-local variable */
    unsigned number;
    int64_t guess; /* nearest triangle of the previous point; -1: none */
    bin bin[BINS];
} memory;

typedef struct {
    _Atomic(memory *) first;
} memories;

struct surface_distance {
    surface_facets f;
    double bin_mm;
    unsigned number; /* identifies surface and near_mm, so that caches of other surfaces are not used */
    memories *memories;
};

static const double least_bin = 0.25; /* smallest size of a bin, as a multiple of near_mm */
/* Distance from the wall up to which a bin gets a list, in bins; farther away a bin is rarely used twice */
static const double listed_within = 2;

static _Thread_local struct {
    unsigned number;
    memory *memory;
} recent;
static atomic_uint last_number;

int surface_distance_create(surface_distance **out, const surface *s, double near_mm) {
    int rc;
    surface_distance *d = calloc(1, sizeof *d);
    *out = NULL;
    if (!d)
        return fail_memory("the distance to a surface", sizeof *d);
    d->memories = calloc(1, sizeof *d->memories);
    if (!d->memories)
        GIVE_UP(fail_memory("the distance to a surface", sizeof *d->memories));
    TRY(surface_facets_create(&d->f, s));
    surface_distance_set_near(d, near_mm);
    *out = d;
    d = NULL;
cleanup:
    surface_distance_free(d);
    return rc;
}

void surface_distance_set_near(surface_distance *d, double near_mm) {
    d->bin_mm = fmin(near_mm, fmax(least_bin * near_mm, sqrt(d->f.triangle_mm2)));
    d->number = atomic_fetch_add(&last_number, 1) + 1;
}

void surface_distance_free(surface_distance *d) {
    if (!d)
        return;
    for (memory *m = d->memories ? atomic_load(&d->memories->first) : NULL; m;) {
        memory *next = m->next;
        free(m);
        m = next;
    }
    free(d->memories);
    surface_facets_free(&d->f);
    free(d);
}

/* Cache of this thread for d; NULL: no memory. */
static memory *memory_of(const surface_distance *d) {
    if (recent.number == d->number)
        return recent.memory;
    memory *m = atomic_load(&d->memories->first);
    while (m && m->owner != &recent)
        m = m->next;
    if (!m) {
        m = calloc(1, sizeof *m);
        if (!m)
            return NULL;
        m->owner = &recent;
        m->next = atomic_load(&d->memories->first);
        while (!atomic_compare_exchange_weak(&d->memories->first, &m->next, m))
            ;
    } else if (m->number != d->number)
        memset(m->bin, 0, sizeof m->bin);
    if (m->number != d->number)
        m->guess = -1;
    m->number = d->number;
    recent.number = d->number;
    recent.memory = m;
    return m;
}

/* Bin that contains p, and its coordinates; NULL: the coordinates are too large. */
static bin *bin_of(const surface_distance *d, memory *m, const double p[3], int32_t at[3]) {
    uint32_t hash = 0;
    for (int a = 0; a < 3; a++) {
        const double x = floor(p[a] / d->bin_mm);
        if (!(fabs(x) < INT32_MAX))
            return NULL;
        at[a] = (int32_t)x;
        hash = hash * 31 + (uint32_t)at[a];
    }
    return &m->bin[(hash ^ hash >> 12) % BINS];
}

static bool is_bin_at(const bin *b, const int32_t at[3]) {
    return b->n != 0 && b->at[0] == at[0] && b->at[1] == at[1] && b->at[2] == at[2];
}

/* Lists the packets of bin b. The nearest triangle to any point of the bin lies within `reach` of its centre: distance
 * of the centre + diagonal of the bin. There is no list if the triangles are much smaller than the bin, because it
 * would be too long. */
static void fill_bin(const surface_distance *d, const int32_t at[3], int64_t guess, bin *b) {
    surface_nearest best = surface_nearest_within(INFINITY);
    double middle[3];
    for (int a = 0; a < 3; a++)
        middle[a] = (at[a] + 0.5) * d->bin_mm;
    surface_nearest_try(&d->f, guess, middle, &best);
    surface_nearest_search(&d->f, middle, &best);
    const double reach = (sqrt(best.square) + 1.7320508075688772 * d->bin_mm) * (1 + 1e-9) + 1e-9 * d->bin_mm;
    b->n = -2;
    if (M_PI * (reach * reach - best.square) < LISTED * d->f.triangle_mm2) {
        const int n = surface_nearest_packets(&d->f, middle, reach, PACKETS, b->packet);
        b->n = n > 0 ? n : -2;
    }
}

/* Registers a point near the wall in its bin. From the second point on, the bin has a list of the triangles near it. */
static void register_point(const surface_distance *d, const int32_t at[3], bool known, int64_t guess, bin *b) {
    if (known && b->n == -1)
        fill_bin(d, at, guess, b);
    if (known)
        return;
    memcpy(b->at, at, sizeof b->at);
    b->n = -1;
}

/* Nearest point from the list of the bin that contains p. */
static surface_nearest find_listed(const surface_distance *d, memory *m, const bin *b, const double p[3]) {
    surface_nearest best = surface_nearest_within(INFINITY);
    if (m->guess >= 0) /* the triangle nearest to the previous point excludes most others */
        surface_nearest_try(&d->f, m->guess, p, &best);
    surface_nearest_packed(&d->f, b->n, b->packet, p, &best);
    m->guess = best.triangle;
    return best;
}

double surface_distance_cached_mm(const surface_distance *d, const double p[3]) {
    int32_t at[3];
    memory *m = memory_of(d);
    const bin *b = m ? bin_of(d, m, p, at) : NULL;
    if (!b || !is_bin_at(b, at) || b->n <= 0)
        return NAN;
    const surface_nearest best = find_listed(d, m, b, p);
    return surface_nearest_signed_mm(&d->f, &best, p);
}

static surface_nearest find_nearest(const surface_distance *d, const double p[3]) {
    surface_nearest best = surface_nearest_within(INFINITY);
    int32_t at[3];
    memory *m = memory_of(d);
    bin *b = m ? bin_of(d, m, p, at) : NULL;
    const bool known = b && is_bin_at(b, at);
    if (known && b->n > 0)
        return find_listed(d, m, b, p);
    if (m && m->guess >= 0) /* the triangle nearest to the previous point shortens the search */
        surface_nearest_try(&d->f, m->guess, p, &best);
    surface_nearest_search(&d->f, p, &best);
    if (m)
        m->guess = best.triangle;
    if (b && best.square < listed_within * listed_within * d->bin_mm * d->bin_mm)
        register_point(d, at, known, best.triangle, b);
    return best;
}

double surface_distance_mm(const surface_distance *d, const double p[3]) {
    const surface_nearest best = find_nearest(d, p);
    return surface_nearest_signed_mm(&d->f, &best, p);
}

double surface_distance_gradient_mm(const surface_distance *d, const double p[3], double gradient[3]) {
    const double tiny = 1e-6 * sqrt(d->f.triangle_mm2);
    const surface_nearest best = find_nearest(d, p);
    const double signed_mm = surface_nearest_signed_mm(&d->f, &best, p);
    if (fabs(signed_mm) > tiny) {
        vec_add(p, -1, best.point, gradient);
        vec_add((const double[3]){0}, 1 / signed_mm, gradient, gradient);
    } else
        surface_nearest_normal(&d->f, &best, gradient);
    return signed_mm;
}

/* ---------------------------------------------------------------------------------------- many points at once */

/* A cube with n_point^3 points at the centres of its parts, and the packets of all triangles that can be nearest to a
 * point. */
typedef struct {
    double middle[3], width;
    int n_point, n;
    const int32_t *packet;
} cube;

/* Upper bound of the distance from the centre of a cube to any of its n_point^3 points. */
static double cube_reach(const cube *c) {
    return 0.8660254037844387 * c->width * (1 - 1.0 / c->n_point) * (1 + 1e-9);
}

/* Number of points of a cube (4 x 4 x 4) outside the surface. triangle [n]: all triangles that can be nearest to one of
 * these points. A point on the same side of the planes of all these triangles is on this side of the surface, because
 * the vector from the nearest surface point to it makes an angle below 90 degrees with the triangle normals there. For
 * all other points the nearest triangle is searched. */
static int outside_of_planes(const surface_facets *f, const cube *c, int n, const int32_t *triangle) {
    enum { SIDE = 4, POINTS = SIDE * SIDE * SIDE };
    const double step = c->width / SIDE, tiny = 1e-7 * c->width;
    double least[POINTS], most[POINTS];
    int outside = 0;
    for (int k = 0; k < POINTS; k++) {
        least[k] = INFINITY;
        most[k] = -INFINITY;
    }
    for (int t = 0; t < n; t++) {
        const surface_facet *at = &f->facet[triangle[t]];
        double middle = 0;
        for (int a = 0; a < 3; a++)
            middle += (c->middle[a] - at->corner[0][a]) * at->normal[a];
        for (int k = 0; k < POINTS; k++) {
            const double x = (k & 3) - 1.5, y = (k >> 2 & 3) - 1.5, z = (k >> 4) - 1.5;
            const double height = middle + step * (x * at->normal[0] + y * at->normal[1] + z * at->normal[2]);
            least[k] = height < least[k] ? height : least[k];
            most[k] = height > most[k] ? height : most[k];
        }
    }
    for (int k = 0; k < POINTS; k++) {
        double p[3];
        if (least[k] > tiny || most[k] < -tiny) {
            outside += least[k] > tiny;
            continue;
        }
        surface_nearest best = surface_nearest_within(INFINITY);
        for (int a = 0; a < 3; a++)
            p[a] = c->middle[a] + step * ((k >> 2 * a & 3) - 1.5);
        surface_nearest_listed(f, n, triangle, p, &best);
        outside += surface_nearest_signed_mm(f, &best, p) >= 0;
    }
    return outside;
}

/* Number of points of a cube of any size that are outside the surface, by recursion over its octants. distance_mm:
 * distance of the centre. */
static int outside_of_cube(const surface_facets *f, const cube *c, double distance_mm) {
    const double reach = cube_reach(c), far = (fabs(distance_mm) + 2 * reach) * (1 + 1e-9);
    int outside = 0;
    if (fabs(distance_mm) > reach)
        return distance_mm > 0 ? c->n_point * c->n_point * c->n_point : 0;
    if (c->n_point == 4) {
        int32_t list[SURFACE_WIDE * COUNTED];
        const int n = surface_nearest_list(f, c->n, c->packet, c->middle, far, list);
        return outside_of_planes(f, c, n, list);
    }
    for (int k = 0; k < 8; k++) {
        cube part = {.width = c->width / 2, .n_point = c->n_point / 2, .n = c->n, .packet = c->packet};
        surface_nearest best = surface_nearest_within(INFINITY);
        for (int a = 0; a < 3; a++)
            part.middle[a] = c->middle[a] + ((k >> a & 1) ? 0.25 : -0.25) * c->width;
        surface_nearest_packed(f, part.n, part.packet, part.middle, &best);
        outside += outside_of_cube(f, &part, surface_nearest_signed_mm(f, &best, part.middle));
    }
    return outside;
}

int surface_distance_count_outside(const surface_distance *d, const double middle[3], double width_mm, int n,
                                   double distance_mm) {
    int32_t list[COUNTED];
    cube c = {.width = width_mm, .n_point = n, .packet = list};
    memcpy(c.middle, middle, sizeof c.middle);
    const double reach = cube_reach(&c);
    if (fabs(distance_mm) > reach)
        return distance_mm > 0 ? n * n * n : 0;
    c.n = surface_nearest_packets(&d->f, middle, (fabs(distance_mm) + 2 * reach) * (1 + 1e-9), COUNTED, list);
    return c.n > 0 ? outside_of_cube(&d->f, &c, distance_mm) : -1;
}
