/* SPDX-License-Identifier: Apache-2.0 */
#include "data/phantom/scan.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "data/phantom/tissue.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DARK_BLOOD = 40, VOXELS_MAX = 4e8;

static uint64_t hash_pair(uint64_t a, uint64_t b) {
    uint64_t x = a * 0x9E3779B97F4A7C15u + b; /* random number by the generator splitmix64 */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static double hash_unit(uint64_t a, uint64_t b) {
    return ((double)(hash_pair(a, b) >> 11) + 0.5) / 9007199254740992.0;
}

/* Compute the axes of the image, the columns of Rz(angle) Rx(angle / 2). */
static void grid_direction(double rotate_deg, double direction[9]) {
    const double a = rotate_deg * M_PI / 180, b = a / 2;
    const double d[9] = {cos(a), -sin(a) * cos(b), sin(a) * sin(b), sin(a), cos(a) * cos(b), -cos(a) * sin(b),
                         0,      sin(b),           cos(b)};
    memcpy(direction, d, sizeof d);
}

/* Find the extent of the lumen along a unit vector. */
static void lumen_extent(const phantom *p, const double axis[3], double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < p->shape.n_segment; i++) {
        const shape_segment *s = &p->segment[i];
        const double a = s->a[0] * axis[0] + s->a[1] * axis[1] + s->a[2] * axis[2];
        const double b = s->b[0] * axis[0] + s->b[1] * axis[1] + s->b[2] * axis[2];
        *low = fmin(*low, fmin(a - s->radius_a, b - s->radius_b));
        *high = fmax(*high, fmax(a + s->radius_a, b + s->radius_b));
    }
    for (int i = 0; i < p->shape.n_ellipsoid; i++) {
        double centre = 0, half = 0;
        for (int k = 0; k < 3; k++) {
            centre += axis[k] * p->ellipsoid[i].centre[k];
            half += axis[k] * axis[k] * p->ellipsoid[i].half[k] * p->ellipsoid[i].half[k];
        }
        *low = fmin(*low, centre - sqrt(half));
        *high = fmax(*high, centre + sqrt(half));
    }
}

static int settings_check(const scan_settings *s) {
    for (int k = 0; k < 3; k++)
        if (!(s->spacing_mm[k] > 0) || !isfinite(s->spacing_mm[k]))
            return fail(ERR_USAGE, "the voxel spacing is %g mm, but must be above 0; correct --spacing",
                        s->spacing_mm[k]);
    if (!(s->margin_mm >= 0) || !(s->blur >= 0) || !(s->bias >= 0) || !(s->snr >= 0) || !isfinite(s->rotate_deg))
        return fail(ERR_USAGE, "--margin, --blur, --bias or --snr is negative; give 0 or more");
    return OK;
}

int scan_grid(const phantom *p, const scan_settings *settings, volume *grid) {
    double direction[9], origin[3] = {0, 0, 0}, voxels = 1;
    int dims[3], rc = OK;
    memset(grid, 0, sizeof *grid);
    TRY(settings_check(settings));
    grid_direction(settings->rotate_deg, direction);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {direction[k], direction[3 + k], direction[6 + k]};
        double low, high;
        lumen_extent(p, axis, &low, &high);
        const double wide = (high - low + 2 * settings->margin_mm) / settings->spacing_mm[k];
        voxels *= fmax(1, ceil(wide));
        if (!(voxels <= VOXELS_MAX))
            return fail(ERR_USAGE,
                        "the image would have more than %g voxels; use a larger --spacing or a smaller --margin",
                        VOXELS_MAX);
        dims[k] = (int)fmax(1, ceil(wide));
        const double first = (low + high) / 2 - (dims[k] - 1) * settings->spacing_mm[k] / 2;
        for (int i = 0; i < 3; i++)
            origin[i] += first * axis[i];
    }
    TRY(volume_create(grid, dims, settings->spacing_mm, origin, direction));
cleanup:
    return rc;
}

double scan_bias(const scan_settings *settings, const double u[3]) {
    /* squared distance from the coil, and its largest value; `seed` places the coil inside the image */
    double square = 0, farthest = 0;
    for (int k = 0; k < 3; k++) {
        const double coil = 1.6 * hash_unit(settings->seed, (uint64_t)k) - 0.8;
        square += (u[k] - coil) * (u[k] - coil);
        farthest += (1 + fabs(coil)) * (1 + fabs(coil));
    }
    return exp(settings->bias * (1 - 2 * square / farthest));
}

/* Lumen fraction of a voxel near the wall: 3 x 3 x 3 parts, each cut by a plane at its distance from the wall. */
static double lumen_share(const shape *s, const volume *v, const double index[3]) {
    /* mean width of a third of a voxel */
    const double part = (v->spacing_mm[0] + v->spacing_mm[1] + v->spacing_mm[2]) / 9;
    double share = 0;
    for (int i = 0; i < 27; i++) {
        const int part_of[3] = {i % 3, i / 3 % 3, i / 9};
        double at[3], point[3];
        for (int k = 0; k < 3; k++)
            at[k] = index[k] + (part_of[k] - 1) / 3.0;
        volume_to_lps(v, at, point);
        share += fmin(1, fmax(0, 0.5 - shape_distance_mm(s, point) / part));
    }
    return share / 27;
}

/* Tissue signal of a voxel: mean over 2 x 2 x 2 parts, times the slow variation, plus the liver's texture. */
static double tissue_mean(const tissue_map *map, const volume *v, const double index[3]) {
    double sum = 0, point[3];
    for (int i = 0; i < 8; i++) {
        const double part[3] = {index[0] + ((i & 1) - 0.5) / 2, index[1] + ((i >> 1 & 1) - 0.5) / 2,
                                index[2] + ((i >> 2 & 1) - 0.5) / 2};
        volume_to_lps(v, part, point);
        sum += tissue_signal(map, point);
    }
    volume_to_lps(v, index, point);
    return sum / 8 * tissue_texture(map, point) + tissue_grain(map, point);
}

/* Compute the signal of one row of voxels before the point spread. If the wall is a distance d away from a voxel, the
 * following voxels within d are on the same side of the wall, so their distance is not computed. */
static void row_signal(const phantom *p, const tissue_map *map, double blood, volume *v, int j, int k) {
    const double *h = v->spacing_mm, reach = vec_length(h) / 2;
    double known = 0, share = 0; /* all voxels up to index `known` have the lumen fraction `share` (0 or 1) */
    for (int i = 0; i < v->dims[0]; i++) {
        const double at[3] = {i, j, k};
        if (i >= known) {
            double point[3];
            volume_to_lps(v, at, point);
            const double distance = shape_distance_mm(&p->shape, point), clear = fabs(distance) - reach;
            share = clear > 0 ? distance < 0 : lumen_share(&p->shape, v, at);
            known = clear > 0 ? i + clear / h[0] : i;
        }
        const double tissue = share < 1 ? tissue_mean(map, v, at) : 0;
        v->value[volume_index(v, i, j, k)] = (float)(share * blood + (1 - share) * tissue);
    }
}

/* Convolve with a Gaussian along one axis; border voxels are repeated. line: work, [longest row]. */
static void blur_axis(volume *v, int axis, double sigma, float *line) {
    enum { RADIUS_MAX = 64 };
    const int n = v->dims[axis], radius = (int)fmin(RADIUS_MAX, ceil(4 * sigma));
    const size_t stride = axis == 0 ? 1 : axis == 1 ? (size_t)v->dims[0] : (size_t)v->dims[0] * (size_t)v->dims[1];
    double weight[RADIUS_MAX + 1] = {0}, total = 0;
    for (int j = 0; j <= radius; j++) {
        weight[j] = exp(-j * j / (2 * sigma * sigma));
        total += (j ? 2 : 1) * weight[j];
    }
    const size_t rows = volume_size(v) / (size_t)n;
    for (size_t row = 0; row < rows; row++) {
        float *first = v->value + row % stride + row / stride * stride * (size_t)n;
        for (int i = 0; i < n; i++)
            line[i] = first[(size_t)i * stride];
        for (int i = 0; i < n; i++) {
            double sum = weight[0] * (double)line[i];
            for (int j = 1; j <= radius; j++)
                sum += weight[j] * ((double)line[i < j ? 0 : i - j] + (double)line[i + j < n ? i + j : n - 1]);
            first[(size_t)i * stride] = (float)(sum / total);
        }
    }
}

static int blur_image(volume *v, double width) {
    if (!(width > 0))
        return OK;
    size_t longest = 1;
    for (int k = 0; k < 3; k++)
        longest = (size_t)v->dims[k] > longest ? (size_t)v->dims[k] : longest;
    float *line = malloc(longest * sizeof *line);
    if (!line)
        return fail_memory("a row of an image", (double)longest * sizeof *line);
    for (int k = 0; k < 3; k++)
        blur_axis(v, k, width / sqrt(8 * log(2)), line);
    free(line);
    return OK;
}

/* Magnitude of the signal times the coil sensitivity, with Gaussian noise in both channels (Box and Muller). */
static double received_signal(const scan_settings *s, double signal, const double u[3], uint64_t voxel) {
    const double clean = signal * scan_bias(s, u);
    if (!s->scanner && !(s->snr > 0))
        return rint(clean);
    const uint64_t stream = hash_pair(s->seed, 1000);
    const double sigma = s->scanner ? s->scanner->noise : SCAN_BLOOD / s->snr;
    const double radius = sigma * sqrt(-2 * log(hash_unit(stream, 2 * voxel)));
    const double angle = 2 * M_PI * hash_unit(stream, 2 * voxel + 1);
    return rint(hypot(clean + radius * cos(angle), radius * sin(angle)));
}

/* Add Gaussian noise correlated within the slice, and round the values to integers. */
static int add_noise(const scan_settings *s, volume *image) {
    const double sigma = s->scanner->noise_fwhm / sqrt(8 * log(2));
    const uint64_t stream = hash_pair(s->seed, 1000);
    volume noise = {0};
    double square = 0;
    const size_t n = volume_size(image);
    int rc = volume_create_like(&noise, image);
    float *line = malloc((size_t)(image->dims[0] + image->dims[1]) * sizeof *line);
    if (rc == OK && !line)
        rc = fail_memory("a row of an image", (double)(image->dims[0] + image->dims[1]) * sizeof *line);
    for (size_t i = 0; rc == OK && i < n; i++)
        noise.value[i] =
            (float)(sqrt(-2 * log(hash_unit(stream, 2 * i))) * cos(2 * M_PI * hash_unit(stream, 2 * i + 1)));
    for (int k = 0; rc == OK && k < 2 && sigma > 0; k++)
        blur_axis(&noise, k, sigma, line);
    for (size_t i = 0; rc == OK && i < n; i++)
        square += (double)noise.value[i] * (double)noise.value[i];
    const double factor = square > 0 ? s->scanner->noise / sqrt(square / (double)n) : 0;
    for (size_t i = 0; rc == OK && i < n; i++)
        image->value[i] = rintf(image->value[i] + (float)factor * noise.value[i]);
    free(line);
    volume_free(&noise);
    return rc;
}

int scan_image(const phantom *p, const scan_settings *settings, volume *image) {
    tissue_map map;
    const double bright = settings->scanner ? settings->scanner->signal[TISSUE_VEIN] : SCAN_BLOOD;
    const double blood = settings->dark ? DARK_BLOOD : bright;
    if (settings->scanner)
        tissue_create_scanner(p, settings->scanner, settings->seed, settings->margin_mm, &map);
    else
        tissue_create(p, settings->margin_mm, &map);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < image->dims[2]; k++)
        for (int j = 0; j < image->dims[1]; j++)
            row_signal(p, &map, blood, image, j, k);
    const int rc = blur_image(image, settings->blur);
    if (rc != OK)
        return rc;
    if (settings->scanner && !settings->scanner->magnitude)
        return add_noise(settings, image);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < image->dims[2]; k++)
        for (int j = 0; j < image->dims[1]; j++)
            for (int i = 0; i < image->dims[0]; i++) {
                const int at[3] = {i, j, k};
                double u[3];
                for (int a = 0; a < 3; a++)
                    u[a] = image->dims[a] > 1 ? 2.0 * at[a] / (image->dims[a] - 1) - 1 : 0;
                const size_t voxel = volume_index(image, i, j, k);
                image->value[voxel] = (float)received_signal(settings, (double)image->value[voxel], u, voxel);
            }
    return OK;
}

void scan_phi(const phantom *p, volume *phi_mm) {
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < phi_mm->dims[2]; k++)
        for (int j = 0; j < phi_mm->dims[1]; j++)
            for (int i = 0; i < phi_mm->dims[0]; i++) {
                const double at[3] = {i, j, k};
                double point[3];
                volume_to_lps(phi_mm, at, point);
                phi_mm->value[volume_index(phi_mm, i, j, k)] = (float)shape_distance_mm(&p->shape, point);
            }
}

void scan_mask(const volume *phi_mm, volume *mask) {
    const size_t n = volume_size(phi_mm);
    for (size_t i = 0; i < n; i++)
        mask->value[i] = phi_mm->value[i] < 0 ? 1 : 0;
}
