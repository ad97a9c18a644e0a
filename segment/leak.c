/* See leak.h. */
#include "segment/leak.h"
#include "common/status.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double least_support = 0.6, most_border = 0.35, most_alien = 0.35;
static const double widest = 4, widest_patch = 3.5; /* times the radius at the seeds */
static const double support_contrast = 0.25;        /* of the seeds' */

/* Triangle t: area, middle and outward unit normal. */
static double triangle(const surface *s, int64_t t, double middle[3], double n[3]) {
    const double *p[3];
    double u[3], v[3], norm = 0;
    for (int k = 0; k < 3; k++)
        p[k] = s->point_mm + 3 * s->triangle[3 * t + k];
    for (int a = 0; a < 3; a++) {
        u[a] = p[1][a] - p[0][a];
        v[a] = p[2][a] - p[0][a];
        middle[a] = (p[0][a] + p[1][a] + p[2][a]) / 3;
    }
    for (int a = 0; a < 3; a++) {
        n[a] = u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3];
        norm += n[a] * n[a];
    }
    norm = sqrt(norm);
    for (int a = 0; a < 3 && norm > 0; a++)
        n[a] /= norm;
    return norm / 2;
}

/* Side of the image a point lies on (measure.h), -1: none. */
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

/* Area by what lies across the wall, and on the faces of the image. */
static void study_wall(const volume *image, const seeds_statistics *seeds, const surface *wall, leak_signs *s) {
    double total = 0, supported = 0, face[6] = {0}, border = 0;
    double contrast = seeds->inside - seeds->outside;
    double reach = 1.5 * fmin(image->spacing_mm[0], fmin(image->spacing_mm[1], image->spacing_mm[2]));
    for (int64_t t = 0; t < wall->n_triangle; t++) {
        double middle[3], n[3], in[3], out[3];
        double area = triangle(wall, t, middle, n);
        int side = side_of(image, middle);
        total += area;
        if (side >= 0) {
            face[side] += area;
            border += area;
            continue;
        }
        for (int a = 0; a < 3; a++) {
            in[a] = middle[a] - reach * n[a];
            out[a] = middle[a] + reach * n[a];
        }
        double across = (volume_sample(image, in) - volume_sample(image, out)) / contrast;
        supported += across > support_contrast ? area : 0;
    }
    s->border_part = total > 0 ? border / total : 0;
    s->edge_support = total > border ? supported / (total - border) : 0;
    double most = 0;
    for (int k = 0; k < 6; k++)
        most = fmax(most, face[k]);
    s->patch_radius_mm = sqrt(most / acos(-1));
}

static void study_lumen(const volume *image, const seeds_statistics *seeds, const volume *phi, leak_signs *s) {
    double contrast = fabs(seeds->inside - seeds->outside), total = 0, alien = 0, deep = phi->spacing_mm[0];
    double low = seeds->inside_range[0] - 0.75 * contrast, high = seeds->inside_range[1] + 2 * contrast;
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
                total++;
                alien += x < low || x > high;
            }
    s->alien_part = total > 0 ? alien / total : 0;
}

int leak_find(const volume *image, const seeds_statistics *seeds, const volume *phi, const surface *wall,
              const measure *m, double max_volume_ml, leak_signs *signs, char why[LEAK_TEXT]) {
    static const char remedy[] =
        "put seeds in the middle of the vessel only, or set threshold:, edge: or crop the image";
    double radius = seeds->radius_mm;
    *signs = (leak_signs){.max_volume_ml = max_volume_ml};
    study_wall(image, seeds, wall, signs);
    study_lumen(image, seeds, phi, signs);
    why[0] = 0;
    if (m->volume_ml > signs->max_volume_ml)
        snprintf(why, LEAK_TEXT, "its volume is %.4g mL, more than %.4g mL; %s, or raise max_volume:", m->volume_ml,
                 signs->max_volume_ml, remedy);
    else if (m->radius_mm[2] > widest * radius)
        snprintf(why, LEAK_TEXT,
                 "it is %.3g mm wide in radius, %.3g mm at the seeds; %s, or put a seed into the widest place",
                 m->radius_mm[2], radius, remedy);
    else if (signs->border_part > most_border || signs->patch_radius_mm > widest_patch * radius)
        snprintf(why, LEAK_TEXT,
                 "%.0f %% of its wall lie on the border of the image (a patch of %.3g mm in radius, %.3g mm at "
                 "the seeds); %s",
                 100 * signs->border_part, signs->patch_radius_mm, radius, remedy);
    else if (signs->edge_support < least_support)
        snprintf(why, LEAK_TEXT,
                 "only %.0f %% of its wall follow an edge of the image, at least %.0f %% are needed; %s",
                 100 * signs->edge_support, 100 * least_support, remedy);
    else if (signs->alien_part > most_alien)
        snprintf(why, LEAK_TEXT, "%.0f %% of it have an intensity far from the seeds' %.4g to %.4g; %s",
                 100 * signs->alien_part, seeds->inside_range[0], seeds->inside_range[1], remedy);
    return OK;
}
