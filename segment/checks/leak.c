/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/checks/leak.h"
#include "common/base/status.h"
#include "segment/checks/checks_constants.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ON_EDGE, NO_EDGE, ON_FACE }; /* kinds of triangles; a triangle on side k of the image has the kind ON_FACE + k */

/* Returns the area of triangle t. middle: out, centroid; n: out, outward unit normal. */
static double triangle_geometry(const surface *s, int64_t t, double middle[3], double n[3]) {
    const double area = surface_triangle_mm2(s, t, n);
    const int32_t *corner = s->triangle + 3 * t;
    for (int a = 0; a < 3; a++)
        middle[a] =
            (s->point_mm[3 * corner[0] + a] + s->point_mm[3 * corner[1] + a] + s->point_mm[3 * corner[2] + a]) / 3;
    for (int a = 0; a < 3 && area > 0; a++)
        n[a] /= 2 * area;
    return area;
}

/* Side of the image on which a point lies (lumen_size.h); -1: the point lies on no side. */
static int side_of(const volume *image, const double p[3]) {
    double index[3];
    volume_to_index(image, p, index);
    for (int a = 0; a < 3; a++) {
        if (index[a] < -0.3)
            return 2 * a;
        if (index[a] > image->dims[a] - 0.7)
            return 2 * a + 1;
    }
    return -1;
}

bool leak_edge_at(const volume *image, const seeds_statistics *seeds, const double p_mm[3], const double n[3]) {
    double in[3], out[3];
    double reach = 1.5 * volume_thinnest_mm(image);
    for (int a = 0; a < 3; a++) {
        in[a] = p_mm[a] - reach * n[a];
        out[a] = p_mm[a] + reach * n[a];
    }
    const double across = (volume_sample(image, in) - volume_sample(image, out)) / (seeds->inside - seeds->outside);
    /* the second condition holds next to plaque or a stent outside the wall */
    return across > SUPPORT_CONTRAST || across < -BONE_CONTRASTS;
}

/* Measures the fraction of the wall that has an edge, and the fraction that lies on the faces of the image. kind
 * [n_triangle] out. Returns the face with the largest patch of wall. */
static int measure_wall(const volume *image, const seeds_statistics *seeds, const surface *wall, uint8_t *kind,
                        leak_signs *s) {
    double total = 0, supported = 0, face[6] = {0}, border = 0;
    int most = 0;
    for (int64_t t = 0; t < wall->n_triangle; t++) {
        double middle[3], n[3];
        double area = triangle_geometry(wall, t, middle, n);
        int side = side_of(image, middle);
        total += area;
        if (side >= 0) {
            face[side] += area;
            border += area;
            kind[t] = (uint8_t)(ON_FACE + side);
            continue;
        }
        kind[t] = leak_edge_at(image, seeds, middle, n) ? ON_EDGE : NO_EDGE;
        supported += kind[t] == ON_EDGE ? area : 0;
    }
    s->border_part = total > 0 ? border / total : 0;
    s->edge_support = total > border ? supported / (total - border) : 0;
    for (int k = 1; k < 6; k++)
        most = face[k] > face[most] ? k : most;
    s->patch_radius_mm = sqrt(face[most] / M_PI);
    return most;
}

/* Finds the centroid of the triangles of one kind. It is iterated over shrinking spheres, down to least_mm, so that it
 * lies where these triangles are densest. */
static void find_middle(const surface *wall, const uint8_t *kind, int wanted, double least_mm, double place[3]) {
    double radius = INFINITY;
    do {
        double sum[3] = {0}, total = 0, far = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (int64_t t = 0; t < wall->n_triangle; t++) {
                double middle[3], n[3], away = 0;
                if (kind[t] != wanted)
                    continue;
                double area = triangle_geometry(wall, t, middle, n);
                for (int a = 0; a < 3; a++)
                    away += (middle[a] - place[a]) * (middle[a] - place[a]);
                away = sqrt(away);
                /* in pass 0 `place` is NaN, so `away` is NaN and all triangles count */
                if (pass == 0 && !(away > radius)) {
                    total += area;
                    for (int a = 0; a < 3; a++)
                        sum[a] += area * middle[a];
                } else if (pass == 1) {
                    far = fmax(far, fmin(away, radius));
                }
            }
            for (int a = 0; a < 3 && pass == 0 && total > 0; a++)
                place[a] = sum[a] / total;
        }
        radius = 0.7 * far;
    } while (radius > least_mm);
}

static void measure_lumen_intensities(const volume *image, const seeds_statistics *seeds, const volume *phi,
                                      leak_signs *s, double middle[3]) {
    double contrast = fabs(seeds->inside - seeds->outside), total = 0, alien = 0, deep = phi->spacing_mm[0];
    double low = seeds->inside_range[0] - 0.75 * contrast, high = seeds->inside_range[1] + 2 * contrast;
    double sum[3] = {0};
    if (!seeds->bright) {
        low = seeds->inside_range[0] - 2 * contrast;
        high = seeds->inside_range[1] + 0.75 * contrast;
    }
    for (int k = 0; k < phi->dims[2]; k++)
        for (int j = 0; j < phi->dims[1]; j++)
            for (int i = 0; i < phi->dims[0]; i++) {
                double p[3];
                if ((double)phi->value[volume_index(phi, i, j, k)] > -deep)
                    continue;
                volume_to_lps(phi, (const double[3]){i, j, k}, p);
                double x = volume_sample(image, p);
                bool far = x < low || x > high;
                total++;
                alien += far;
                for (int a = 0; a < 3 && far; a++)
                    sum[a] += p[a];
            }
    s->alien_part = total > 0 ? alien / total : 0;
    for (int a = 0; a < 3 && alien > 0; a++)
        middle[a] = sum[a] / alien;
}

enum { NONE, VOLUME, WIDE, BORDER, NECK, EDGE, ALIEN };

/* Returns the first sign of a leak that exceeds its limit; NONE: no leak. */
static int first_sign(const leak_signs *s, const measure *m, double radius_mm) {
    if (m->volume_ml > s->max_volume_ml)
        return VOLUME;
    if (m->radius_mm[2] > LEAK_WIDEST * radius_mm)
        return WIDE;
    if (s->border_part > MAX_BORDER || s->patch_radius_mm > MAX_PATCH * radius_mm)
        return BORDER;
    if (s->neck.part > MAX_BEHIND)
        return NECK;
    if (s->edge_support < MIN_SUPPORT)
        return EDGE;
    return s->alien_part > MAX_ALIEN ? ALIEN : NONE;
}

static void write_reason(int sign, const leak_signs *s, const measure *m, const seeds_statistics *seeds, char *why) {
    static const char remedy[] =
        "put seeds in the middle of the vessel only, set segment.threshold or segment.edge, or crop the image";
    why[0] = 0;
    if (sign == VOLUME)
        snprintf(why, LEAK_TEXT,
                 "the lumen's volume is %.4g mL, above the limit of %.4g mL; %s, or raise segment.max_volume",
                 m->volume_ml, s->max_volume_ml, remedy);
    else if (sign == WIDE)
        snprintf(why, LEAK_TEXT,
                 "the lumen's radius is %.3g mm, more than 4 times the radius at the seeds (%.3g mm); %s, or put a "
                 "seed into the widest part",
                 m->radius_mm[2], seeds->radius_mm, remedy);
    else if (sign == BORDER)
        snprintf(why, LEAK_TEXT,
                 "%.0f %% of the lumen's wall lies on the border of the image (a patch of %.3g mm in radius, vessel at "
                 "the seeds %.3g mm); %s",
                 100 * s->border_part, s->patch_radius_mm, seeds->radius_mm, remedy);
    else if (sign == NECK)
        snprintf(why, LEAK_TEXT,
                 "%.0f %% of the lumen, up to %.3g mm in radius, has no seed and is reached only through a neck of "
                 "%.2g mm: another vessel that touches this one; %s, or put a seed into it if it belongs to the vessel",
                 100 * s->neck.part, s->neck.beyond_mm, s->neck.radius_mm, remedy);
    else if (sign == EDGE)
        snprintf(why, LEAK_TEXT,
                 "only %.0f %% of the lumen's wall follows an edge of the image, %.0f %% are required; %s",
                 100 * s->edge_support, 100 * MIN_SUPPORT, remedy);
    else if (sign == ALIEN)
        snprintf(why, LEAK_TEXT, "%.0f %% of the lumen has an intensity far from the seeds' %.4g to %.4g; %s",
                 100 * s->alien_part, seeds->inside_range[0], seeds->inside_range[1], remedy);
}

/* Sets s->place_mm, the place of the leak. Depending on the sign it is the unusual intensities, the neck, the border
 * patch, the wall without an edge, or the widest part. */
static void find_place(int sign, const surface *wall, const uint8_t *kind, int face, double close_mm, const measure *m,
                       const double alien_mm[3], leak_signs *s) {
    bool by_edge = sign == EDGE || sign == ALIEN;
    if (sign == ALIEN)
        memcpy(s->place_mm, alien_mm, sizeof s->place_mm);
    else if (sign != NONE && !by_edge && s->neck.part > PLACE_BEHIND)
        memcpy(s->place_mm, s->neck.place_mm, sizeof s->place_mm);
    else if (sign == BORDER)
        find_middle(wall, kind, ON_FACE + face, close_mm, s->place_mm);
    else if (sign != NONE && sign != WIDE && s->edge_support < DOUBTFUL_SUPPORT)
        find_middle(wall, kind, NO_EDGE, close_mm, s->place_mm);
    else if (sign != NONE)
        memcpy(s->place_mm, m->centre_mm, sizeof s->place_mm);
}

int leak_find(const volume *image, const seeds_statistics *seeds, int n, const double (*seed)[3], const volume *phi,
              const surface *wall, const measure *m, double max_volume_ml, leak_signs *signs, char why[LEAK_TEXT]) {
    int rc = OK;
    double alien_mm[3] = {NAN, NAN, NAN};
    uint8_t *kind = malloc((size_t)wall->n_triangle + 1);
    if (kind == NULL)
        return fail_memory("the wall", (double)wall->n_triangle);
    *signs = (leak_signs){.max_volume_ml = max_volume_ml, .place_mm = {NAN, NAN, NAN}};
    int face = measure_wall(image, seeds, wall, kind, signs);
    measure_lumen_intensities(image, seeds, phi, signs, alien_mm);
    TRY(neck_find(phi, n, seed, &signs->neck));
    TRY(parallel_vessel_find(phi, n, seed, seeds->narrow_mm, &signs->along));
    if (signs->along.part <= 0)
        TRY(parallel_vessel_find(phi, n, seed, seeds->radius_mm, &signs->along));
    TRY(roughness_find(image, phi, n, seed, BLOOD_RADII * seeds->radius_mm,
                       MIN_ROUGH * fabs(seeds->inside - seeds->outside), &signs->rough));
    int sign = first_sign(signs, m, seeds->radius_mm);
    write_reason(sign, signs, m, seeds, why);
    find_place(sign, wall, kind, face, PLACE_RADII * seeds->radius_mm, m, alien_mm, signs);
cleanup:
    free(kind);
    return rc;
}
