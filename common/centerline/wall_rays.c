/* SPDX-License-Identifier: Apache-2.0 */
/* See wall_rays.h. */
#include "common/centerline/wall_rays.h"
#include "common/base/order.h"
#include "common/base/vec.h"
#include <math.h>
#include <string.h>

enum {
    SPHERE_RAYS = 64,
    SPHERE_STEPS = 80,
    SECANT_STEPS = 5,
    FOOT_STEPS = 2,
    CENTRE_ROUNDS = 3,
    NEWTON_STEPS = 10,
    HALVINGS = 6,
    BISECTIONS = 24,
    LEAN_RAYS = 5
};

/* the soft minimum of the wall distances has the exponent SOFTNESS / radius; own choice */
static const double SOFTNESS = 20;
static const double RAY_RADII = 4;   /* length of the rays that find a centre, in radii */
static const double MOST_MOVE = 0.5; /* largest move of a centre in one iteration, in radii */
static const double NEAR_WALL = 1.6; /* the nearest wall point is not searched beyond this multiple of the shortest
                                      * ray, which saves time */
static const double OPEN_RATIO = 2;  /* a ray that is longer than this multiple of the median ray leads into another
                                      * vessel */
static const double FLATTEST =
    0.02; /* the centre does not move in a direction whose curvature of the soft minimum is below this fraction of
           * the largest curvature */

/* Finds the base voxel and the fraction along each axis. Returns the distance of the point from the grid, mm; 0 inside
 * the grid. */
static double locate_in_grid(const volume *phi, const double at[3], int base[3], double part[3]) {
    double beyond = 0;
    for (int a = 0; a < 3; a++) {
        const double x = at[a] / phi->spacing_mm[a], last = phi->dims[a] - 1, y = fmin(fmax(x, 0), last);
        beyond += (x - y) * phi->spacing_mm[a] * ((x - y) * phi->spacing_mm[a]);
        base[a] = y >= last && last > 0 ? (int)last - 1 : (int)y;
        part[a] = y - base[a];
    }
    return beyond > 0 ? sqrt(beyond) : 0;
}

double wall_rays_phi(const volume *phi, const double at[3]) {
    int b[3];
    double f[3], sum = 0;
    const double beyond = locate_in_grid(phi, at, b, f);
    for (int corner = 0; corner < 8; corner++) {
        int i[3];
        double w = 1;
        for (int a = 0; a < 3; a++) {
            const int up = corner >> a & 1;
            i[a] = b[a] + up < phi->dims[a] ? b[a] + up : b[a];
            w *= up ? f[a] : 1 - f[a];
        }
        sum += w * (double)phi->value[volume_index(phi, i[0], i[1], i[2])];
    }
    return beyond > 0 ? fmax(sum, beyond - 0.5 * volume_thinnest_mm(phi)) : sum;
}

static double phi_cubic(const volume *phi, const double at[3]) {
    int b[3], index[3][4];
    double f[3], w[3][4], sum = 0;
    const double beyond = locate_in_grid(phi, at, b, f);
    for (int a = 0; a < 3; a++) {
        const double t = f[a], t2 = t * t, t3 = t2 * t;
        w[a][0] = 0.5 * (-t + 2 * t2 - t3);
        w[a][1] = 0.5 * (2 - 5 * t2 + 3 * t3);
        w[a][2] = 0.5 * (t + 4 * t2 - 3 * t3);
        w[a][3] = 0.5 * (-t2 + t3);
        for (int k = 0; k < 4; k++) {
            const int i = b[a] - 1 + k;
            index[a][k] = i < 0 ? 0 : i < phi->dims[a] ? i : phi->dims[a] - 1;
        }
    }
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++) {
            const float *row = phi->value + volume_index(phi, 0, index[1][j], index[2][k]);
            double line = 0;
            for (int i = 0; i < 4; i++)
                line += w[0][i] * (double)row[index[0][i]];
            sum += w[1][j] * w[2][k] * line;
        }
    return beyond > 0 ? fmax(sum, beyond - 0.5 * volume_thinnest_mm(phi)) : sum;
}

/* Finds the zero of phi between t (inside) and t + step (outside), by false position with halving (Illinois method). */
static double find_zero(const volume *phi, const double at[3], const double d[3], double t0, double f0, double t1,
                        double f1) {
    for (int k = 0; k < SECANT_STEPS; k++) {
        double p[3];
        const double t = t0 + (t1 - t0) * f0 / (f0 - f1);
        vec_add(at, t, d, p);
        const double f = phi_cubic(phi, p);
        if (f < 0) {
            t0 = t;
            f0 = f;
            f1 *= 0.5;
        } else {
            t1 = t;
            f1 = f;
            f0 *= 0.5;
        }
        if (fabs(f) < 1e-5 * (fabs(f0) + fabs(f1)) || t1 - t0 < 1e-9)
            return t;
    }
    return t0 + (t1 - t0) * f0 / (f0 - f1);
}

/* Finds the first zero of phi between t0 (inside) and t1 (outside) by bisection, because phi may jump, as at the border
 * of the grid. */
static double bisect_zero(const volume *phi, const double at[3], const double d[3], double t0, double t1) {
    for (int k = 0; k < BISECTIONS; k++) {
        double p[3];
        const double t = 0.5 * (t0 + t1);
        vec_add(at, t, d, p);
        if (phi_cubic(phi, p) < 0)
            t0 = t;
        else
            t1 = t;
    }
    return 0.5 * (t0 + t1);
}

double wall_rays_cast(const volume *phi, const double at[3], const double d[3], double reach_mm) {
    const double h = volume_thinnest_mm(phi);
    double t = 0, inside_at = 0, inside = NAN, p[3];
    for (int k = 0; k < SPHERE_STEPS && t < reach_mm; k++) { /* steps as long as the distance to the wall, up to two
                                                              * voxels from the wall */
        vec_add(at, t, d, p);
        const double f = wall_rays_phi(phi, p);
        if (f > -1.5 * h)
            break;
        inside_at = t;
        t -= 0.95 * f;
    }
    for (t = fmax(0, t - 0.25 * h); t < reach_mm;) {
        vec_add(at, t, d, p);
        const double f = phi_cubic(phi, p);
        if (f >= 0 && (t <= 0 || t <= inside_at))
            return t;
        if (f >= 0)
            return fmin(reach_mm, isfinite(inside) && t - inside_at < h ? find_zero(phi, at, d, inside_at, inside, t, f)
                                                                        : bisect_zero(phi, at, d, inside_at, t));
        inside_at = t;
        inside = f;
        t += -f > 3 * h ? -0.9 * f : 0.5 * h; /* behind a bump of the wall, the step is again proportional to the
                                               * distance */
    }
    return reach_mm;
}

static void wall_gradient(const volume *phi, const double at[3], double g[3]) {
    const double h = 0.5 * volume_thinnest_mm(phi);
    for (int a = 0; a < 3; a++) {
        double p[3], q[3];
        memcpy(p, at, sizeof p);
        memcpy(q, at, sizeof q);
        p[a] += h;
        q[a] -= h;
        g[a] = phi_cubic(phi, p) - phi_cubic(phi, q);
    }
}

/* Finds the wall point nearest to the origin of the rays, starting from the wall at distance t along d. Each next ray
 * has the direction of the wall's normal. */
static double nearest_wall(const volume *phi, const double at[3], const double d[3], double t) {
    double along[3];
    memcpy(along, d, sizeof along);
    for (int k = 0; k < FOOT_STEPS; k++) {
        double wall[3], normal[3];
        vec_add(at, t, along, wall);
        wall_gradient(phi, wall, normal);
        if (!vec_normalize(normal) || vec_dot(normal, along) < 0.3)
            return t;
        const double way = wall_rays_cast(phi, at, normal, t * NEAR_WALL);
        if (!(way < t))
            return t;
        t = way;
        memcpy(along, normal, sizeof along);
    }
    return t;
}

static void round_directions(const double along[3], double d[WALL_RAYS_ROUND][3]) {
    double axis[3][3];
    vec_axes(along, axis);
    for (int k = 0; k < WALL_RAYS_ROUND; k++) {
        const double angle = 2 * M_PI * k / WALL_RAYS_ROUND;
        for (int a = 0; a < 3; a++)
            d[k][a] = cos(angle) * axis[0][a] + sin(angle) * axis[1][a];
    }
}

/* Directions that divide a sphere into equal areas (Fibonacci lattice). */
static void sphere_directions(double d[SPHERE_RAYS][3]) {
    for (int k = 0; k < SPHERE_RAYS; k++) {
        const double z = 1 - (2 * k + 1.0) / SPHERE_RAYS, r = sqrt(1 - z * z), angle = k * M_PI * (3 - sqrt(5));
        d[k][0] = r * cos(angle);
        d[k][1] = r * sin(angle);
        d[k][2] = z;
    }
}

static double smallest_of(int n, const double *x) {
    double least = INFINITY;
    for (int k = 0; k < n; k++)
        least = fmin(least, x[k]);
    return least;
}

/* Soft minimum over all rays of the distance to the wall after a small move of the centre: t - d . move for each
 * ray. */
static double soft_value(int n, const double (*d)[3], const double *t, const double move[3], double sharp) {
    double least = INFINITY, sum = 0;
    for (int k = 0; k < n; k++)
        least = fmin(least, t[k] - vec_dot(d[k], move));
    for (int k = 0; k < n; k++)
        sum += exp(-sharp * (t[k] - vec_dot(d[k], move) - least));
    return least - log(sum) / sharp;
}

/* Gradient and negative Hessian (xx yy zz xy xz yz) of soft_value with respect to the move. */
static void soft_minimum(int n, const double (*d)[3], const double *t, const double move[3], double sharp,
                         double slope[3], double bend[6]) {
    double least = INFINITY, sum = 0, mean[3] = {0}, square[6] = {0};
    for (int k = 0; k < n; k++)
        least = fmin(least, t[k] - vec_dot(d[k], move));
    for (int k = 0; k < n; k++) {
        const double w = exp(-sharp * (t[k] - vec_dot(d[k], move) - least));
        sum += w;
        for (int a = 0; a < 3; a++) {
            mean[a] += w * d[k][a];
            square[a] += w * d[k][a] * d[k][a];
        }
        square[3] += w * d[k][0] * d[k][1];
        square[4] += w * d[k][0] * d[k][2];
        square[5] += w * d[k][1] * d[k][2];
    }
    for (int a = 0; a < 3; a++) {
        mean[a] /= sum;
        slope[a] = -mean[a];
    }
    for (int a = 0; a < 3; a++)
        bend[a] = sharp * (square[a] / sum - mean[a] * mean[a]);
    bend[3] = sharp * (square[3] / sum - mean[0] * mean[1]);
    bend[4] = sharp * (square[4] / sum - mean[0] * mean[2]);
    bend[5] = sharp * (square[5] / sum - mean[1] * mean[2]);
}

/* Finds the move of up to most_mm that maximizes soft_value, by Newton's method. A step that does not increase
 * soft_value is halved. */
static void maximize_soft_minimum(int n, const double (*d)[3], const double *t, double most_mm, double move[3]) {
    const double sharp = SOFTNESS / smallest_of(n, t);
    memset(move, 0, 3 * sizeof *move);
    double value = soft_value(n, d, t, move, sharp);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        double slope[3], bend[6], eigen[3], v[3][3], step[3] = {0}, to[3], there = -INFINITY, part = 1;
        soft_minimum(n, d, t, move, sharp, slope, bend);
        vec_eigen(bend, eigen, v);
        for (int e = 0; e < 3; e++)
            if (eigen[e] > FLATTEST * eigen[2])
                vec_add(step, vec_dot(slope, v[e]) / eigen[e], v[e], step);
        part = fmin(1, 0.5 * most_mm / fmax(vec_length(step), 1e-12));
        for (int half = 0; half < HALVINGS && !(there > value); half++, part *= 0.5) {
            vec_add(move, part, step, to);
            there = vec_length(to) <= most_mm ? soft_value(n, d, t, to, sharp) : -INFINITY;
        }
        if (!(there > value))
            return;
        const bool done = there - value < 1e-6 * fabs(value);
        memcpy(move, to, sizeof to);
        value = there;
        if (done)
            return;
    }
}

/* Moves `at` by `move`, or by a fraction of `move` if the full move leads out of the lumen. */
static void move_inside(const volume *phi, const double move[3], double at[3]) {
    for (double part = 1; part > 0.1; part *= 0.5) {
        double p[3];
        vec_add(at, part, move, p);
        if (wall_rays_phi(phi, p) < 0) {
            memcpy(at, p, sizeof p);
            return;
        }
    }
}

double wall_rays_centre(const volume *phi, const double along[3], double at[3]) {
    double d[WALL_RAYS_ROUND][3], t[WALL_RAYS_ROUND], radius = volume_thinnest_mm(phi);
    round_directions(along, d);
    for (int round = 0; round <= CENTRE_ROUNDS; round++) {
        const double depth = fmax(-wall_rays_phi(phi, at), 0.5 * volume_thinnest_mm(phi));
        double move[3];
        for (int k = 0; k < WALL_RAYS_ROUND; k++)
            t[k] = fmax(wall_rays_cast(phi, at, d[k], RAY_RADII * (depth + volume_thinnest_mm(phi))),
                        1e-3 * volume_thinnest_mm(phi));
        radius = smallest_of(WALL_RAYS_ROUND, t);
        if (round == CENTRE_ROUNDS)
            break;
        maximize_soft_minimum(WALL_RAYS_ROUND, (const double(*)[3])d, t, MOST_MOVE * (depth + volume_thinnest_mm(phi)),
                              move);
        move_inside(phi, move, at);
        if (vec_length(move) < 1e-3 * radius)
            break;
    }
    return radius;
}

double wall_rays_ball_centre(const volume *phi, double reach_mm, double at[3]) {
    double d[SPHERE_RAYS][3], t[SPHERE_RAYS], start[3], radius = volume_thinnest_mm(phi);
    sphere_directions(d);
    memcpy(start, at, sizeof start);
    for (int round = 0; round <= CENTRE_ROUNDS; round++) {
        const double depth = fmax(-wall_rays_phi(phi, at), 0.5 * volume_thinnest_mm(phi));
        double move[3], p[3];
        for (int k = 0; k < SPHERE_RAYS; k++)
            t[k] = fmax(wall_rays_cast(phi, at, d[k], RAY_RADII * (depth + volume_thinnest_mm(phi))),
                        1e-3 * volume_thinnest_mm(phi));
        radius = smallest_of(SPHERE_RAYS, t);
        if (round == CENTRE_ROUNDS)
            break;
        maximize_soft_minimum(SPHERE_RAYS, (const double(*)[3])d, t, MOST_MOVE * (depth + volume_thinnest_mm(phi)),
                              move);
        vec_add(at, 1, move, p);
        if (vec_distance(p, start) > reach_mm)
            break;
        move_inside(phi, move, at);
    }
    return radius;
}

static double nearest_of(const volume *phi, const double at[3], int n, const double (*d)[3], double reach_mm) {
    double t[SPHERE_RAYS], least = INFINITY;
    for (int k = 0; k < n; k++) {
        t[k] = wall_rays_cast(phi, at, d[k], reach_mm);
        least = fmin(least, t[k]);
    }
    const double limit = NEAR_WALL * least;
    for (int k = 0; k < n; k++)
        if (t[k] < limit && t[k] < reach_mm)
            least = fmin(least, nearest_wall(phi, at, d[k], t[k]));
    return least;
}

static double ray_reach(const volume *phi, const double at[3]) {
    return RAY_RADII * (fmax(-wall_rays_phi(phi, at), 0) + volume_thinnest_mm(phi));
}

double wall_rays_ball(const volume *phi, const double at[3]) {
    double d[SPHERE_RAYS][3];
    sphere_directions(d);
    return nearest_of(phi, at, SPHERE_RAYS, (const double(*)[3])d, ray_reach(phi, at));
}

double wall_rays_tube_radius(const volume *phi, const double along[3], const double at[3]) {
    double d[WALL_RAYS_ROUND][3];
    round_directions(along, d);
    return nearest_of(phi, at, WALL_RAYS_ROUND, (const double(*)[3])d, ray_reach(phi, at));
}

/* Cosine between `along` and the normal of the wall at distance t in the direction d. */
static double wall_lean(const volume *phi, const double along[3], const double at[3], const double d[3], double t) {
    double wall[3], normal[3];
    vec_add(at, t, d, wall);
    wall_gradient(phi, wall, normal);
    return vec_normalize(normal) ? vec_dot(normal, along) : 0;
}

/* The lean of largest size, as a mean over LEAN_RAYS neighbouring rays. */
static double largest_lean(const double lean[WALL_RAYS_ROUND]) {
    double largest = 0;
    for (int k = 0; k < WALL_RAYS_ROUND; k++) {
        double sum = 0;
        for (int i = 0; i < LEAN_RAYS; i++)
            sum += lean[(k + i) % WALL_RAYS_ROUND];
        largest = fabs(sum) / LEAN_RAYS > fabs(largest) ? sum / LEAN_RAYS : largest;
    }
    return largest;
}

void wall_rays_section(const volume *phi, const double along[3], const double at[3], double reach_mm, wall_section *s) {
    double d[WALL_RAYS_ROUND][3], t[WALL_RAYS_ROUND], lean[WALL_RAYS_ROUND], square = 0;
    round_directions(along, d);
    *s = (wall_section){.least_mm = INFINITY};
    for (int k = 0; k < WALL_RAYS_ROUND; k++) {
        t[k] = wall_rays_cast(phi, at, d[k], reach_mm);
        s->open = s->open || t[k] >= reach_mm;
        square += t[k] * t[k];
        lean[k] = wall_lean(phi, along, at, d[k], t[k]);
    }
    for (int k = 0; k < WALL_RAYS_ROUND / 2; k++) {
        const double width = t[k] + t[k + WALL_RAYS_ROUND / 2];
        s->least_mm = fmin(s->least_mm, width);
        s->largest_mm = fmax(s->largest_mm, width);
    }
    s->lean = largest_lean(lean);
    for (int k = 0; k < WALL_RAYS_ROUND; k++) {
        double p[3], q[3];
        vec_add((const double[3]){0, 0, 0}, t[k], d[k], p);
        vec_add((const double[3]){0, 0, 0}, t[(k + 1) % WALL_RAYS_ROUND], d[(k + 1) % WALL_RAYS_ROUND], q);
        s->perimeter_mm += vec_distance(p, q);
    }
    qsort(t, WALL_RAYS_ROUND, sizeof *t, order_double);
    s->open = s->open || t[WALL_RAYS_ROUND - 1] > OPEN_RATIO * t[WALL_RAYS_ROUND / 2];
    s->area_mm2 = M_PI * square / WALL_RAYS_ROUND; /* 1/2 of the integral of t^2 over the angle */
}
