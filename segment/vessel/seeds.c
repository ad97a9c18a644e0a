/* See seeds.h. */
#include "segment/vessel/seeds.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/vessel/seed_noise.h"
#include "segment/vessel/tube_middle.h"
#include "segment/voxel/grid.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 200, SAMPLES = 120, MIN_WALLS = RAYS / 5, MOVES = 2 };
static const double step_voxels = 0.5;        /* of the thinnest axis */
static const double lowest_wall = 2;          /* times the noise */
static const double presmooth_voxels = 0.7;   /* the rays run in a slightly smoothed image */
static const double sure_wall = 4;            /* times what is left of the noise there */
static const double smoother[] = {1, 1.4, 2}; /* voxels, where the noise hides walls there, too */
static const double hidden_noises = 3;        /* all that lies round a seed is hardly more than noise */

static const double usual_variance = 0.3 - 1.0 / 12;  /* voxels^2: a point spread of about half a voxel */
static const double noisy_ratio = 3, clear_ratio = 6; /* contrast to the next tissue over noise */

/* One ray that met the wall. */
typedef struct {
    double radius_mm, outside, slope; /* slope: |dI/dt| per mm */
} wall_hit;

typedef struct {
    const volume *image;         /* smoothed */
    double h;                    /* sample distance, mm */
    double sigma;                /* it was smoothed by, voxels */
    double noise, inside, least; /* of this seed; least: change of intensity that counts */
} ray_context;

static double quantile(double *x, int n, double q) {
    qsort(x, (size_t)n, sizeof *x, order_double);
    return x[(int)(q * (n - 1) + 0.5)];
}

/* Evenly spread directions (Fibonacci lattice). */
static void direction_of(int k, double d[3]) {
    double z = 1 - (2.0 * k + 1) / RAYS, r = sqrt(1 - z * z), a = k * M_PI * (3 - sqrt(5));
    d[0] = r * cos(a);
    d[1] = r * sin(a);
    d[2] = z;
}

/* Intensities along a ray; the number of samples within the image. */
static int follow(const ray_context *c, const double seed[3], const double d[3], double *value) {
    for (int s = 0; s < SAMPLES; s++) {
        double p[3] = {seed[0] + s * c->h * d[0], seed[1] + s * c->h * d[1], seed[2] + s * c->h * d[2]};
        if (!volume_contains(c->image, p))
            return s;
        value[s] = volume_sample(c->image, p);
    }
    return SAMPLES;
}

/* Wall along a ray: where the intensity has left the seed's for good, the steepest place nearby.
 * sign: +1 when it falls there, -1 when it rises, 0: none found. */
static int find_wall(const ray_context *c, const double *value, int n, wall_hit *hit) {
    int first = -1, best = -1;
    for (int s = 1; s + 3 < n && first < 0; s++) {
        double a = c->inside - value[s], b = c->inside - value[s + 1], d = c->inside - value[s + 2];
        if (fabs(a) > c->least && a * b > 0 && a * d > 0 && fabs(b) > c->least && fabs(d) > c->least)
            first = s;
    }
    if (first < 0)
        return 0;
    int sign = c->inside > value[first] ? 1 : -1;
    double steepest = 0, far = value[first];
    for (int s = first > 4 ? first - 4 : 1; s < first + 6 && s + 1 < n; s++) {
        double slope = sign * (value[s - 1] - value[s + 1]) / (2 * c->h);
        if (slope > steepest) {
            steepest = slope;
            best = s;
        }
    }
    if (best < 0)
        return 0;
    for (int s = best; s < best + 6 && s < n; s++)
        far = sign > 0 ? fmin(far, value[s]) : fmax(far, value[s]);
    *hit = (wall_hit){best * c->h, far, steepest};
    return sign;
}

typedef struct {
    int n_fall, n_rise;
    wall_hit fall[RAYS], rise[RAYS];
} seed_walls;

static double mean_at(const volume *v, const double p[3], double h) {
    double sum = 0;
    for (int n = 0; n < 27; n++) {
        const int x = n % 3 - 1, y = n / 3 % 3 - 1, z = n / 9 - 1;
        double q[3] = {p[0] + x * h, p[1] + y * h, p[2] + z * h};
        sum += volume_sample(v, q);
    }
    return sum / 27;
}

/* Mean within a ball of that radius, at least a voxel: half of the vessel, so that noise of neighbouring voxels that is
 * alike does not tell. */
static double mean_within(const volume *v, const double seed[3], double radius_mm, double h) {
    double sum = 0;
    int n = 0;
    const int reach = (int)fmin(8, ceil(radius_mm / h));
    const double step = radius_mm / reach;
    for (int k = -reach; k <= reach; k++)
        for (int j = -reach; j <= reach; j++)
            for (int i = -reach; i <= reach; i++) {
                const double p[3] = {seed[0] + i * step, seed[1] + j * step, seed[2] + k * step};
                if (i * i + j * j + k * k > reach * reach || !volume_contains(v, p))
                    continue;
                sum += volume_sample(v, p);
                n++;
            }
    return n > 0 ? sum / n : volume_sample(v, seed);
}

/* Spread of intensities round the seed: a wall is a change of a good part of it. */
static double spread_at(const volume *v, const double seed[3], double h, double *work) {
    int n = 0;
    for (int k = 0; k < RAYS; k++)
        for (int s = 4; s < 40; s += 4) {
            double d[3];
            direction_of(k, d);
            double p[3] = {seed[0] + s * h * d[0], seed[1] + s * h * d[1], seed[2] + s * h * d[2]};
            if (volume_contains(v, p))
                work[n++] = volume_sample(v, p);
        }
    return n > 10 ? quantile(work, n, 0.9) - quantile(work, n, 0.1) : 0;
}

static void walls_of(const ray_context *c, const double seed[3], seed_walls *w) {
    double value[SAMPLES];
    w->n_fall = w->n_rise = 0;
    for (int k = 0; k < RAYS; k++) {
        double d[3];
        wall_hit hit;
        direction_of(k, d);
        int sign = find_wall(c, value, follow(c, seed, d, value), &hit);
        if (sign > 0)
            w->fall[w->n_fall++] = hit;
        else if (sign < 0)
            w->rise[w->n_rise++] = hit;
    }
}

/* Everything of one seed: median of its walls. */
typedef struct {
    double inside, outside, next, noise, kernel, radius_mm;
    bool bright;
    int n_slope;
    double slope[RAYS];
} seed_study;

int seeds_within(const volume *image, int k, const double seed[3]) {
    double index[3];
    volume_to_index(image, seed, index);
    if (volume_contains(image, seed))
        return OK;
    return fail(ERR_INPUT,
                "seed %d lies outside the image (voxel %.1f, %.1f, %.1f of %d x %d x %d); check space:", k + 1,
                index[0], index[1], index[2], image->dims[0], image->dims[1], image->dims[2]);
}

/* Walls round the seed, how far and what lies beyond them; n_slope below MIN_WALLS: too few, the rest stays. */
static void look_round(const ray_context *c, const double seed[3], int vessel, double *work, seed_study *out) {
    seed_walls w;
    walls_of(c, seed, &w);
    out->bright = vessel >= 0 ? vessel == 1 : w.n_fall >= w.n_rise;
    const wall_hit *hit = out->bright ? w.fall : w.rise;
    out->n_slope = out->bright ? w.n_fall : w.n_rise;
    out->inside = c->inside;
    if (out->n_slope < MIN_WALLS)
        return;
    for (int i = 0; i < out->n_slope; i++) {
        work[i] = hit[i].radius_mm;
        out->slope[i] = hit[i].slope;
    }
    out->radius_mm = quantile(work, out->n_slope, 0.25); /* most rays cross the vessel at an angle */
    for (int i = 0; i < out->n_slope; i++)
        work[i] = hit[i].outside;
    out->outside = quantile(work, out->n_slope, 0.5);
    out->next = quantile(work, out->n_slope, out->bright ? 0.75 : 0.25);
}

/* Walls that are no higher than the noise: looked for once more by the mean of all that they enclose. */
static void look_again(const volume *raw, ray_context c, const double seed[3], int vessel, double *work,
                       seed_study *s) {
    double index[3], least = fmin(raw->spacing_mm[0], fmin(raw->spacing_mm[1], raw->spacing_mm[2]));
    seed_study again = *s;
    volume_to_index(raw, seed, index);
    const double left = seed_noise_smooth(raw, index, s->noise, c.sigma);
    const double lowest = fmin(lowest_wall * s->noise, sure_wall * left);
    if (fabs(s->inside - s->outside) >= lowest)
        return;
    c.least = fmax(c.least, lowest);
    c.inside = mean_within(c.image, seed, fmax(0.7 * least, s->radius_mm), least);
    look_round(&c, seed, vessel, work, &again);
    if (again.n_slope < MIN_WALLS)
        return;
    *s = again;
    s->noise = seed_noise(raw, index, s->radius_mm / least, work, &s->kernel);
}

/* What counts as a wall: more than the noise, or, where that is half of all that the rays meet, more than what is left
 * of it in the smoothed image, in which they run. */
static double least_change(const volume *raw, const double index[3], const ray_context *c, double spread) {
    const double usual = fmax(2.5 * c->noise, 0.25 * spread);
    if (usual <= 0.5 * spread)
        return usual;
    return fmin(usual, fmax(0.5 * spread, sure_wall * seed_noise_smooth(raw, index, c->noise, c->sigma)));
}

/* Where more than half of all that the rays meet may be noise they run in a smoother image, of the seed's
 * surroundings alone, in which it is not; `own` is that image. */
static int quieten(const volume *raw, const double index[3], const double seed[3], double *work, ray_context *c,
                   double *spread, volume *own) {
    grid_box box;
    int rc = OK;
    for (int a = 0; a < 3; a++) {
        const double reach = SAMPLES * c->h / raw->spacing_mm[a];
        box.low[a] = (int)fmax(0, floor(index[a] - reach));
        box.high[a] = (int)fmin(raw->dims[a] - 1, ceil(index[a] + reach));
    }
    for (size_t n = 0; n < sizeof smoother / sizeof *smoother; n++) {
        if (2.5 * c->noise <= 0.5 * *spread ||
            sure_wall * seed_noise_smooth(raw, index, c->noise, c->sigma) <= 0.5 * *spread)
            break;
        c->sigma = smoother[n];
        volume_free(own);
        TRY(grid_crop(raw, &box, NAN, own));
        TRY(grid_smooth(own, (const double[3]){c->sigma, c->sigma, c->sigma}));
        c->image = own;
        *spread = spread_at(own, seed, c->h, work);
    }
cleanup:
    return rc;
}

static int study_seed(const volume *raw, const volume *smooth, int k, const double seed[3], int vessel, double *work,
                      seed_study *out) {
    double index[3], least = fmin(raw->spacing_mm[0], fmin(raw->spacing_mm[1], raw->spacing_mm[2]));
    volume own = {0};
    int rc = OK;
    TRY(seeds_within(raw, k, seed));
    volume_to_index(raw, seed, index);
    ray_context c = {.image = smooth, .h = step_voxels * least, .sigma = presmooth_voxels};
    double spread = spread_at(smooth, seed, c.h, work);
    c.noise = seed_noise_first(raw, index, spread, work);
    TRY(quieten(raw, index, seed, work, &c, &spread, &own));
    c.inside = mean_at(c.image, seed, 0.7 * least);
    c.least = least_change(raw, index, &c, spread);
    look_round(&c, seed, vessel, work, out);
    if (out->n_slope >= MIN_WALLS) { /* then by the mean of half of the vessel */
        c.inside = mean_within(c.image, seed, fmax(0.7 * least, 0.5 * out->radius_mm), least);
        look_round(&c, seed, vessel, work, out);
    }
    if (out->n_slope < MIN_WALLS)
        GIVE_UP(fail(ERR_INPUT,
                     "seed %d: no vessel wall around it (intensity %g, noise %.3g; only in %d of %d directions does it "
                     "change by %.3g or more within %.0f mm); move it into the middle of a vessel%s",
                     k + 1, c.inside, c.noise, out->n_slope, RAYS, c.least, SAMPLES * c.h,
                     spread < hidden_noises * c.noise ? ", or give a mask: the noise may hide its wall" : ""));
    out->noise = seed_noise(raw, index, out->radius_mm / least, work, &out->kernel);
    look_again(raw, c, seed, vessel, work, out);
    message_debug("seed %d: inside %g, outside %g, noise %.3g (alike within %.2g voxels), radius %.2f mm, %s", k + 1,
                  out->inside, out->outside, out->noise, out->kernel, out->radius_mm, out->bright ? "bright" : "dark");
cleanup:
    volume_free(&own);
    return rc;
}

/* A seed near the wall is studied once more from the middle of its vessel, twice where its first intensities misled. */
static void study_from_middle(const volume *raw, const volume *smooth, int k, int vessel, double *work, seed_study *s,
                              double at[3]) {
    const double from[3] = {at[0], at[1], at[2]};
    for (int round = 0; round < MOVES; round++) {
        double to[3], radius;
        seed_study again;
        if (!tube_middle(smooth, s->inside, s->next, at, to, &radius))
            break;
        if (study_seed(raw, smooth, k, to, vessel, work, &again) != OK || again.bright != s->bright) {
            status_clear();
            break;
        }
        *s = again;
        memcpy(at, to, sizeof to);
    }
    if (vec_distance(from, at) > 0)
        message_debug("seed %d: near the wall; moved by %.2f mm to [%.2f, %.2f, %.2f] (LPS), the middle of the vessel",
                      k + 1, vec_distance(from, at), at[0], at[1], at[2]);
}

/* Median over the seeds; of an even number the brighter of the two in the middle, in a dark vessel the darker one, so
 * that an image and its negative have the same vessel. */
static double middle_of(double *x, int n, bool bright) {
    qsort(x, (size_t)n, sizeof *x, order_double);
    return x[bright ? n / 2 : (n - 1) / 2];
}

/* Join the seeds. work [n * RAYS]. */
static int join(const seed_study *s, int n, double *work, seeds_statistics *out) {
    int n_slope = 0;
    *out = (seeds_statistics){.bright = s[0].bright, .narrow_mm = INFINITY};
    for (int k = 0; k < n; k++) {
        if (s[k].bright != s[0].bright)
            return fail(ERR_INPUT,
                        "seed 1 lies in a %s vessel and seed %d in a %s one; segment them separately or set vessel: "
                        "bright or dark",
                        s[0].bright ? "bright" : "dark", k + 1, s[k].bright ? "bright" : "dark");
        double middle = 0.5 * (s[k].inside + s[k].outside);
        bool nearer = out->bright ? middle < out->middle : middle > out->middle;
        out->middle = k == 0 || nearer ? middle : out->middle;
        out->radius_mm = fmax(out->radius_mm, s[k].radius_mm);
        out->narrow_mm = fmin(out->narrow_mm, s[k].radius_mm);
        memcpy(work + n_slope, s[k].slope, (size_t)s[k].n_slope * sizeof *work);
        n_slope += s[k].n_slope;
    }
    out->edge[0] = quantile(work, n_slope, 0.1);
    out->edge[1] = quantile(work, n_slope, 0.25);
    out->edge[2] = quantile(work, n_slope, 0.5);
    for (int k = 0; k < n; k++)
        work[k] = s[k].inside;
    out->inside = middle_of(work, n, out->bright);
    out->inside_range[0] = work[0];
    out->inside_range[1] = work[n - 1];
    for (int k = 0; k < n; k++)
        work[k] = s[k].outside;
    out->outside = middle_of(work, n, out->bright);
    for (int k = 0; k < n; k++)
        work[k] = s[k].next;
    out->next = middle_of(work, n, out->bright);
    for (int k = 0; k < n; k++)
        work[k] = s[k].noise;
    out->noise = quantile(work, n, 0.5);
    for (int k = 0; k < n; k++)
        work[k] = s[k].kernel;
    out->kernel = quantile(work, n, 0.5);
    return OK;
}

double seeds_point_variance(const seeds_statistics *s) {
    const double ratio = s->noise > 0 ? fabs(s->inside - s->next) / s->noise : INFINITY;
    const double part = fmin(1, fmax(0, (clear_ratio - ratio) / (clear_ratio - noisy_ratio)));
    return usual_variance + part * fmax(0, s->kernel * s->kernel - usual_variance);
}

int seeds_study(const volume *image, int n, const double (*seed)[3], int vessel, double (*middle)[3],
                seeds_statistics *out) {
    int rc = OK;
    volume smooth = {0};
    const double sigma[3] = {presmooth_voxels, presmooth_voxels, presmooth_voxels};
    seed_study *s = calloc((size_t)n, sizeof *s);
    double *work = malloc(((size_t)n * RAYS + 2000) * sizeof *work);
    if (s == NULL || work == NULL) {
        rc = fail_memory("the seeds", n * (double)sizeof *s);
        goto cleanup;
    }
    TRY(volume_copy(&smooth, image));
    TRY(grid_smooth(&smooth, sigma));
    for (int k = 0; k < n; k++) {
        TRY(study_seed(image, &smooth, k, seed[k], vessel, work, &s[k]));
        if (middle == NULL)
            continue;
        memcpy(middle[k], seed[k], sizeof middle[k]);
        study_from_middle(image, &smooth, k, vessel, work, &s[k], middle[k]);
    }
    TRY(join(s, n, work, out));
cleanup:
    free(s);
    free(work);
    volume_free(&smooth);
    return rc;
}
