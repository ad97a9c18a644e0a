/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/tube/tube_walls.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/half_height.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 64, TERMS = 5, ITERATIONS = 6 };
/* Length of the rays in radii, in the first round and in later rounds */
static const double first_reach = 2.6, reach_radii = 2;
/* Quantile of the rays' lengths where the fit starts; rays that enter a neighbour are longer */
static const double start_quantile = 0.4;
/* The tissue is read between these distances beyond the wall, in edge widths */
static const double shell[2] = {1.2, 3};
static const double widest_shell = 0.25; /* Upper limit of shell_mm in radii, unless the smallest voxel is wider */
/* Another tissue differs from the vessel's intensity by at least this fraction of the contrast */
static const double as_bright = 0.35;
/* nearest_part: quantile of the intensities beyond the wall that gives the tissue. window_mm: half-length of vessel
 * over which the intensities at a node are measured. */
static const double nearest_part = 0.75, window_mm = 10;
static const double most_shift = 0.35; /* Upper limit of the move of a centre in a round, in radii */
/* Tissue that is brighter than the vessel by more than this fraction of the contrast is another tissue */
static const double too_bright = 0.7;
/* Material is plaque, a stent or bone if the intensity rises by far_brighter contrasts above the vessel within
 * bright_reach voxels */
static const double far_brighter = 1.5, bright_reach = 2;
/* Upper limit of the change of intensity in a round, as a fraction of the contrast, because only slow changes are
 * followed */
static const double most_change = 0.1;
static const double most_away = 0.8; /* Upper limit of the distance from a centre to the path, in radii */
static const double least_seen = 0.3;

typedef struct {
    /* distance of the wall along each ray, mm; INFINITY: no wall within reach; 0: the ray starts outside */
    double wall[TUBE_RAYS];
    double shell[TUBE_RAYS];                       /* intensity beyond the wall; NAN: no wall */
    float profile[TUBE_RAYS][HALF_HEIGHT_SAMPLES]; /* profile across the wall (half_height.h) */
    double core;                                   /* mean intensity around the centre of the node */
} rays;

/* Mean of the image along the vessel at a point (x, y) of the cross-section. */
static double value_at(const volume *v, const tube_node *t, double x, double y) {
    double sum = 0;
    for (int s = -2; s <= 2; s++) {
        double p[3];
        for (int a = 0; a < 3; a++)
            p[a] = t->at_mm[a] + x * t->across[0][a] + y * t->across[1][a] + 0.25 * s * t->radius_mm * t->direction[a];
        sum += volume_sample(v, p);
    }
    return sum / 5;
}

/* Resample the intensities f [n] of a ray as a profile whose middle is the wall. Sample k of f is k * step away from
 * the centre. step, wall (distance of the wall from the centre), voxel: mm. */
static void resample_profile(const double *f, int n, double step, double wall, double voxel, float *profile) {
    for (int k = 0; k < HALF_HEIGHT_SAMPLES; k++) {
        const double at = (wall + (k - HALF_HEIGHT_SIDE) * HALF_HEIGHT_STEP * voxel) / step;
        const double x = fmin(n - 1.001, fmax(0, at));
        const int low = (int)x;
        profile[k] = (float)(f[low] + (x - low) * (f[low + 1] - f[low]));
    }
}

/* Squared length or variance along the unit direction d: sum of the values per image axis, weighted by the squared
 * components of d. */
static double along_squared(const volume *v, const double per_axis[3], const double d[3]) {
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        double along = 0;
        for (int k = 0; k < 3; k++)
            along += v->direction[3 * k + a] * d[k];
        sum += along * along * per_axis[a];
    }
    return sum;
}

static void ray_direction(const tube_node *t, int r, double d[3]) {
    for (int a = 0; a < 3; a++)
        d[a] = cos(2 * M_PI * r / TUBE_RAYS) * t->across[0][a] + sin(2 * M_PI * r / TUBE_RAYS) * t->across[1][a];
}

/* Width of the blurred wall along ray r, mm: geometric mean of the voxel width along the ray and of the smallest voxel
 * width. The voxel width along the ray holds if the ray crosses the wall at a right angle; the smallest voxel width is
 * nearer to the truth if the wall is oblique to thick slices. At most `widest_shell` radii, at least the smallest voxel
 * width. */
static double shell_mm(const volume *v, const tube_node *t, int r) {
    const double thin = volume_thinnest_mm(v), *h = v->spacing_mm;
    double d[3];
    ray_direction(t, r, d);
    const double across = sqrt(along_squared(v, (const double[3]){h[0] * h[0], h[1] * h[1], h[2] * h[2]}, d));
    return fmin(sqrt(across * thin), fmax(thin, widest_shell * t->radius_mm));
}

static void cast_rays(const volume *v, const tube_node *t, double contrast, double reach_mm, rays *out) {
    const double step = fmax(reach_mm / (SAMPLES - 1), 0.3 * volume_thinnest_mm(v));
    const double middle = 0.5 * (t->inside + t->outside), most = t->inside + too_bright * contrast;
    const int n = (int)fmin(SAMPLES, reach_mm / step + 1);
    out->core = 0;
    for (int r = 0; r < TUBE_RAYS; r++) {
        double f[SAMPLES], x = cos(2 * M_PI * r / TUBE_RAYS), y = sin(2 * M_PI * r / TUBE_RAYS), sum = 0;
        int count = 0, wall = -1;
        for (int s = 0; s < n; s++)
            f[s] = value_at(v, t, s * step * x, s * step * y);
        for (int s = 0; s + 1 < n && wall < 0; s++)
            wall = (f[s] < middle && f[s + 1] < middle) || (s > 0 && f[s] > most && f[s + 1] > most) ? s : wall;
        // n is above 0: NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
        out->core += (f[0] + f[(int)fmin(n - 1, 0.4 * t->radius_mm / step)]) / (2 * TUBE_RAYS);
        out->wall[r] = wall < 0 ? INFINITY : 0;
        out->shell[r] = NAN;
        if (wall <= 0)
            continue;
        /* The ray ends in plaque, a stent or bone, which is brighter than the vessel. The wall is at the half height of
         * the rise; without a rise there is no wall. */
        if (f[wall] > most) {
            const double met = half_height_rising(f, wall, n, (int)ceil(bright_reach * volume_thinnest_mm(v) / step),
                                                  t->inside, t->inside + far_brighter * contrast);
            out->wall[r] = isnan(met) ? INFINITY : step * met;
            for (int s = 0; s < HALF_HEIGHT_SAMPLES; s++)
                out->profile[r][s] = (float)t->inside; /* a constant profile, in which no half height is found */
            continue;
        }
        out->wall[r] = step * (wall - (middle - f[wall]) / fmax(f[wall - 1] - f[wall], 1e-9));
        const double width = shell_mm(v, t, r);
        const double from = shell[0] * width + out->wall[r], to = shell[1] * width + out->wall[r];
        for (int s = (int)(from / step); s < n && s * step <= to; s++, count++)
            sum += f[s];
        out->shell[r] = count > 0 ? sum / count : NAN;
        resample_profile(f, n, step, out->wall[r], volume_thinnest_mm(v), out->profile[r]);
    }
}

/* ---------------------------------------------------------------------------------------------- walls */

/* Mean profile of the neighbouring rays with similar wall distances. */
static void mean_profile(const rays *all, int n, int node, int ray, double near_mm, double f[HALF_HEIGHT_SAMPLES]) {
    int count = 0;
    memset(f, 0, HALF_HEIGHT_SAMPLES * sizeof *f);
    for (int i = node > 2 ? node - 2 : 0; i <= node + 2 && i < n; i++)
        for (int k = -1; k <= 1; k++) {
            const int r = (ray + k + TUBE_RAYS) % TUBE_RAYS;
            if (!(fabs(all[i].wall[r] - all[node].wall[ray]) <= near_mm) || all[i].wall[r] <= 0)
                continue;
            for (int s = 0; s < HALF_HEIGHT_SAMPLES; s++)
                f[s] += (double)all[i].profile[r][s];
            count++;
        }
    for (int s = 0; s < HALF_HEIGHT_SAMPLES; s++)
        f[s] /= count;
}

/* Set `move` to the offset of each wall of a node from the middle intensity to the local half height, mm. */
static void walls_beyond(const volume *v, const tube_guess *g, const rays *all, int n, int i, const tube_node *t,
                         double move[TUBE_RAYS]) {
    const double voxel = volume_thinnest_mm(v);
    for (int r = 0; r < TUBE_RAYS; r++) {
        double f[HALF_HEIGHT_SAMPLES], d[3], part;
        move[r] = 0;
        if (!isfinite(all[i].wall[r]) || all[i].wall[r] <= 0)
            continue;
        ray_direction(t, r, d);
        mean_profile(all, n, i, r, voxel, f);
        const double x = half_height(f, t->inside, t->outside, sqrt(along_squared(v, g->blur_mm2, d)) / voxel, &part);
        if (!isnan(x))
            move[r] = half_height_trust(part) * voxel * x;
    }
}

static int settle_walls(const volume *v, const tube_guess *g, const tube_node *node, int n, rays *all) {
    double(*move)[TUBE_RAYS] = malloc((size_t)n * sizeof *move);
    if (move == NULL)
        return fail_memory("the walls of a tube", n * (double)sizeof *move);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++)
        walls_beyond(v, g, all, n, i, &node[i], move[i]);
    for (int i = 0; i < n; i++)
        for (int r = 0; r < TUBE_RAYS; r++)
            all[i].wall[r] += move[i][r];
    free(move);
    return OK;
}

/* ---------------------------------------------------------------------------------------------- intensities */

/* Intensity of the tissue beyond the wall at a ray of a node: mean over the neighbouring rays and nodes with an
 * intensity below `bound`. The caller takes a quantile of these means, which noise biases less than a quantile of
 * single intensities. NAN: the intensity at this ray is not below `bound`. */
static double tissue_at(const rays *all, int n, int node, int ray, double bound) {
    double sum = 0;
    int count = 0;
    if (!(all[node].shell[ray] < bound))
        return NAN;
    for (int i = node - 2; i <= node + 2; i++)
        for (int r = ray - 1; r <= ray + 1; r++) {
            const double x = i >= 0 && i < n ? all[i].shell[(r + TUBE_RAYS) % TUBE_RAYS] : NAN;
            sum += x < bound ? x : 0;
            count += x < bound;
        }
    return sum / count;
}

/* Sets t->inside to the median of the core intensities within the window, but raises it by at most most_change
 * contrasts, and keeps it if the median is near the tissue. Sets t->outside to the upper quartile of the intensities
 * beyond the wall (shells) that are not as bright as the vessel. With given intensities (g->fixed) both are kept. work
 * [n * TUBE_RAYS]: scratch memory. */
static void measure_intensities(const tube_guess *g, const rays *all, int n_all, int from, int to, double *work,
                                tube_node *t) {
    int n = 0;
    for (int i = from; i < to; i++)
        work[n++] = all[i].core;
    const double inside = order_median(work, n);
    if (g->fixed)
        return;
    if (inside - g->outside > 0.4 * g->contrast)
        t->inside = fmin(inside, t->inside + most_change * g->contrast);
    const double bound = t->inside - as_bright * g->contrast;
    n = 0;
    for (int i = from; i < to; i++)
        for (int r = 0; r < TUBE_RAYS; r++)
            if (all[i].shell[r] < bound)
                work[n++] = tissue_at(all, n_all, i, r, bound);
    qsort(work, (size_t)n, sizeof *work, order_double);
    if (n >= TUBE_RAYS)
        t->outside = work[(int)(nearest_part * (n - 1))];
}

/* ---------------------------------------------------------------------------------------------- curve */

static void curve_terms(int ray, double out[TERMS]) {
    const double angle = 2 * M_PI * ray / TUBE_RAYS;
    const double value[TERMS] = {1, cos(angle), sin(angle), cos(2 * angle), sin(2 * angle)};
    memcpy(out, value, sizeof value);
}

/* Solve m x = b by elimination; m is positive definite. */
static void solve_curve(double m[TERMS][TERMS], double b[TERMS], double x[TERMS]) {
    for (int i = 0; i < TERMS; i++)
        for (int j = i + 1; j < TERMS; j++) {
            const double factor = m[j][i] / m[i][i];
            for (int k = i; k < TERMS; k++)
                m[j][k] -= factor * m[i][k];
            b[j] -= factor * b[i];
        }
    for (int i = TERMS - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int k = i + 1; k < TERMS; k++)
            x[i] -= m[i][k] * x[k];
        x[i] /= m[i][i];
    }
}

static double curve_at(const double x[TERMS], int ray) {
    double basis[TERMS], sum = 0;
    curve_terms(ray, basis);
    for (int k = 0; k < TERMS; k++)
        sum += x[k] * basis[k];
    return sum;
}

/* Fit the curve x to the walls of the nodes `from` .. `to` - 1 by Tukey's biweight, starting from a circle at a
 * quantile of their distances. Returns the fraction of agreeing rays. */
static double fit_curve(const rays *all, int from, int to, double *work, double x[TERMS]) {
    int n = 0;
    double seen = 0;
    for (int i = from; i < to; i++)
        for (int r = 0; r < TUBE_RAYS; r++)
            work[n++] = all[i].wall[r];
    qsort(work, (size_t)n, sizeof *work, order_double);
    memset(x, 0, TERMS * sizeof *x);
    x[0] = work[(int)(start_quantile * (n - 1))];
    if (!isfinite(x[0]) || x[0] <= 0)
        return 0;
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        const double width = fmax(0.6 - 0.08 * iteration, 0.3) * x[0];
        double m[TERMS][TERMS] = {{0}}, b[TERMS] = {0}, next[TERMS];
        for (int k = 1; k < TERMS; k++)
            m[k][k] = 0.03 * n; /* damping: harmonics stay small where few walls are seen */
        seen = 0;
        for (int i = from; i < to; i++)
            for (int r = 0; r < TUBE_RAYS; r++) {
                const double off = (all[i].wall[r] - curve_at(x, r)) / width;
                double basis[TERMS];
                if (!(fabs(off) < 1) || all[i].wall[r] <= 0)
                    continue;
                const double w = (1 - off * off) * (1 - off * off);
                curve_terms(r, basis);
                seen += w > 0.3;
                for (int j = 0; j < TERMS; j++) {
                    b[j] += w * basis[j] * all[i].wall[r];
                    for (int k = 0; k < TERMS; k++)
                        m[j][k] += w * basis[j] * basis[k];
                }
            }
        if (seen < least_seen * n)
            return seen / n;
        solve_curve(m, b, next);
        memcpy(x, next, sizeof next);
    }
    return seen / n;
}

/* ---------------------------------------------------------------------------------------------- along the piece */

/* Interpolate the curves of nodes with too few visible walls between the other nodes. */
static void fill_unseen(tube_node *node, int n, double (*x)[TERMS]) {
    for (int i = 0; i < n; i++) {
        int before = i, after = i;
        if (node[i].seen >= least_seen)
            continue;
        while (before >= 0 && node[before].seen < least_seen)
            before--;
        while (after < n && node[after].seen < least_seen)
            after++;
        if (before < 0 && after >= n)
            memset(x[i], 0, sizeof x[i]);
        const double t = after - before > 0 ? (double)(i - before) / (after - before) : 0;
        x[i][0] = before < 0 ? (after >= n ? node[i].radius_mm : x[after][0])
                             : (after >= n ? x[before][0] : (1 - t) * x[before][0] + t * x[after][0]);
        for (int k = 1; k < TERMS; k++)
            x[i][k] = 0;
    }
}

/* Limits each radius to 0.7 to 1.25 times the median over +- reach nodes: a shorter bulge is not part of the vessel. */
static void bound_radii(int n, int reach, double *work, double (*x)[TERMS], tube_node *node) {
    for (int i = 0; i < n; i++) {
        int count = 0;
        for (int k = i - reach; k <= i + reach; k++)
            if (k >= 0 && k < n)
                work[count++] = x[k][0];
        const double median = order_median(work, count);
        node[i].radius_mm = fmin(1.25 * median, fmax(0.7 * median, x[i][0]));
    }
}

static void apply_curve(const double x[TERMS], tube_node *t) {
    for (int r = 0; r < TUBE_RAYS; r++) {
        const double wall = t->radius_mm + curve_at(x, r) - x[0];
        t->wall_mm[r] = fmin(1.6 * t->radius_mm, fmax(0.5 * t->radius_mm, wall));
    }
}

/* Move the nodes to the centre of their curves, smoothly along the piece. */
static void recentre_nodes(tube_node *node, int n, double (*x)[TERMS], int reach) {
    for (int i = 0; i < n; i++) { /* limits the first harmonics, which move the centre */
        const double most = most_shift * node[i].radius_mm, length = hypot(x[i][1], x[i][2]);
        for (int k = 1; k < 3; k++)
            x[i][k] *= length > most ? most / length : 1;
    }
    for (int i = 0; i < n; i++) {
        double sum[2] = {0}, weight = 0;
        for (int k = i - reach; k <= i + reach; k++) {
            if (k < 0 || k >= n)
                continue;
            const double w = 1 - abs(k - i) / (reach + 1.0);
            weight += w;
            sum[0] += w * x[k][1];
            sum[1] += w * x[k][2];
        }
        double away = 0;
        for (int a = 0; a < 3; a++) {
            node[i].at_mm[a] += (sum[0] * node[i].across[0][a] + sum[1] * node[i].across[1][a]) / weight;
            away += (node[i].at_mm[a] - node[i].path_mm[a]) * (node[i].at_mm[a] - node[i].path_mm[a]);
        }
        away = sqrt(away);
        for (int a = 0; a < 3 && away > most_away * node[i].radius_mm; a++)
            node[i].at_mm[a] =
                node[i].path_mm[a] + most_away * node[i].radius_mm / away * (node[i].at_mm[a] - node[i].path_mm[a]);
    }
}

/* Measure the intensities and fit the curves of all nodes from their rays; work: n * TUBE_RAYS numbers per thread. */
static void fit_nodes(const tube_guess *g, const rays *all, int near, int wide, int n, double *work, tube_node *node,
                      double (*x)[TERMS]) {
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < n; i++) {
        double *own = work + (size_t)omp_get_thread_num() * (size_t)n * TUBE_RAYS;
        measure_intensities(g, all, n, i > wide ? i - wide : 0, i + wide + 1 < n ? i + wide + 1 : n, own, &node[i]);
        node[i].seen = fit_curve(all, i > near ? i - near : 0, i + near + 1 < n ? i + near + 1 : n, own, x[i]);
    }
}

int tube_walls_fit(const volume *image, const tube_guess *g, bool first, bool last, tube_node *node, int n) {
    const double step = n > 1 ? vec_distance(node[0].at_mm, node[1].at_mm) : 1;
    const int near = (int)fmax(1, 0.6 * g->radius_mm / step), wide = (int)fmax(2, window_mm / step);
    rays *all = malloc((size_t)n * sizeof *all);
    double *work = malloc((size_t)omp_get_max_threads() * (size_t)n * TUBE_RAYS * sizeof *work),
           (*x)[TERMS] = malloc((size_t)n * sizeof *x);
    int rc = OK;
    if (all == NULL || work == NULL || x == NULL) {
        rc = fail_memory("the walls of a tube", n * (double)sizeof *all);
        goto cleanup;
    }
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++)
        cast_rays(image, &node[i], g->contrast, first ? first_reach * g->radius_mm : reach_radii * node[i].radius_mm,
                  &all[i]);
    if (!g->fixed && g->blur_mm2[0] > 0)
        TRY(settle_walls(image, g, node, n, all));
    fit_nodes(g, all, near, wide, n, work, node, x);
    fill_unseen(node, n, x);
    bound_radii(n, 3 * near, work, x, node);
    for (int i = 0; i < n; i++)
        apply_curve(x[i], &node[i]);
    if (!last)
        recentre_nodes(node, n, x, near);
cleanup:
    free(all);
    free(work);
    free(x);
    return rc;
}
