/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/cross_section_normal.h"
#include "common/base/vec.h"
#include "segment/ends/ends_constants.h"
#include <math.h>
#include <string.h>

/* opening angles of the cones of directions, in radians; each round refines the best direction within the next cone */
static const double cone[] = {0.2, 0.07, 0.025};
enum { DIRECTIONS = 128, RAYS = 24, STEPS = 60, AROUND = 8, CONES = sizeof cone / sizeof *cone };

static double phi_at(const volume *phi, const double p[3]) {
    return volume_contains(phi, p) ? volume_sample(phi, p) : INFINITY;
}

/* Move `at` from `near` along the gradient of phi to the local maximum of depth, so the plane stays inside at a blunt
 * end. Returns the radius there; 0: no vessel near. */
static double move_to_axis(const volume *phi, const double near[3], double at[3]) {
    const double h = volume_thinnest_mm(phi);
    double depth;
    memcpy(at, near, 3 * sizeof *at);
    for (int a = 0; a < 3; a++) { /* a place outside phi's box starts on the border of the box */
        double index[3];
        volume_to_index(phi, at, index);
        for (int b = 0; b < 3; b++)
            index[b] = fmin(phi->dims[b] - 1, fmax(0, index[b]));
        volume_to_lps(phi, index, at);
    }
    depth = phi_at(phi, at);
    for (int step = 0; step < 4 * STEPS; step++) {
        double g[3], to[3];
        for (int a = 0; a < 3; a++) {
            double up[3] = {at[0], at[1], at[2]}, down[3] = {at[0], at[1], at[2]};
            up[a] += h, down[a] -= h;
            g[a] = fmin(phi_at(phi, up), 1e3) - fmin(phi_at(phi, down), 1e3);
        }
        if (!vec_normalize(g))
            break;
        vec_add(at, -fmax(0.25 * h, fmin(0.9 * depth, 5)), g, to);
        const double deeper = phi_at(phi, to);
        if (!(deeper < depth - 0.02 * h))
            break;
        memcpy(at, to, sizeof to);
        depth = deeper;
    }
    return depth < 0 && vec_distance(at, near) < MOST_APART_MM - depth ? -depth : 0;
}

/* Area of the cross-section through `at`, up to the length of the rays. */
static double section_area(const volume *phi, const double at[3], const double n[3], double radius) {
    double u[3] = {fabs(n[0]) < 0.7, 0, 0}, v[3], sum = 0;
    const double least = 0.1 * radius;
    u[1] = u[0] > 0 ? 0 : 1;
    vec_add(u, -vec_dot(u, n), n, u);
    vec_normalize(u);
    vec_cross(n, u, v);
    for (int k = 0; k < RAYS; k++) {
        const double angle = 2 * M_PI * k / RAYS, c = cos(angle), s = sin(angle);
        double t = 0, before = radius;
        for (int step = 0; step < STEPS && t < RAY_RADII * radius; step++) {
            const double p[3] = {at[0] + t * (c * u[0] + s * v[0]), at[1] + t * (c * u[1] + s * v[1]),
                                 at[2] + t * (c * u[2] + s * v[2])};
            const double inside = -phi_at(phi, p);
            if (!(inside > 0)) {
                /* interpolate the wall crossing within the last step */
                t -= isfinite(inside) ? least * -inside / (before - inside) : 0;
                break;
            }
            before = inside;
            t += fmax(least, inside);
        }
        sum += t * t * M_PI / RAYS;
    }
    return sum;
}

bool cross_section_normal(const volume *phi, const double near[3], double normal[3]) {
    double at[3], best[3] = {0, 0, 1}, least = INFINITY;
    const double radius = move_to_axis(phi, near, at), golden = M_PI * (3 - sqrt(5));
    if (!(radius > 0))
        return false;
    for (int k = 0; k < DIRECTIONS; k++) { /* directions spread evenly over half a sphere (Fibonacci lattice) */
        const double z = (k + 0.5) / DIRECTIONS, r = sqrt(1 - z * z);
        const double n[3] = {r * cos(golden * k), r * sin(golden * k), z}, mm2 = section_area(phi, at, n, radius);
        if (mm2 < least) {
            least = mm2;
            memcpy(best, n, sizeof best);
        }
    }
    for (int c = 0; c < CONES; c++) {
        double u[3] = {fabs(best[0]) < 0.7, fabs(best[0]) >= 0.7, 0}, v[3], middle[3] = {best[0], best[1], best[2]};
        vec_add(u, -vec_dot(u, middle), middle, u);
        vec_normalize(u);
        vec_cross(middle, u, v);
        for (int k = 0; k < AROUND; k++) {
            const double angle = 2 * M_PI * k / AROUND;
            double n[3];
            for (int a = 0; a < 3; a++)
                n[a] = middle[a] + cone[c] * (cos(angle) * u[a] + sin(angle) * v[a]);
            vec_normalize(n);
            const double mm2 = section_area(phi, at, n, radius);
            if (mm2 < least) {
                least = mm2;
                memcpy(best, n, sizeof best);
            }
        }
    }
    memcpy(normal, best, sizeof best);
    return true;
}
