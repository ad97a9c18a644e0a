/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce_papers/eye_behind.h"
#include "common/base/status.h"
#include <math.h>

/* Same values as in case.yaml of this study: gap between iris and lens; back side of the iris; radius of the lens;
 * depth of the posterior chamber next to the lens. first_mm: smallest radius of a ring of points; step_mm: distance
 * between two rings. */
const double eye_behind_gap_mm = 0.15;
static const double iris_mm = 0.4, lens_mm = 10, depth_mm = 0.8, first_mm = 2, step_mm = 0.5;

enum { DEPTHS = 5, WAVES = 16 };

static double depth_at(double radius_mm) {
    return fmin(depth_mm, eye_behind_gap_mm + lens_mm - sqrt(lens_mm * lens_mm - radius_mm * radius_mm));
}

static void find_waves(eye_behind *b) {
    double best = 0, sum = 0;
    b->waves_mm_s = b->mean_mm_s = 0;
    for (int i = 0; i < EYE_RADII; i++) {
        double mean = 0;
        for (int k = 0; k < EYE_RING; k++)
            mean += b->radial_mm_s[i][k] / EYE_RING;
        b->mean_mm_s = fmax(b->mean_mm_s, fabs(mean));
        for (int k = 0; k < EYE_RING; k++)
            b->waves_mm_s = fmax(b->waves_mm_s, fabs(b->radial_mm_s[i][k] - mean));
    }
    b->wave = 0;
    for (int m = 1; m <= WAVES; m++) {
        const double *v = b->radial_mm_s[EYE_SHOWN];
        double c = 0, s = 0;
        for (int k = 0; k < EYE_RING; k++) {
            c += v[k] * cos(2 * M_PI * m * k / EYE_RING);
            s += v[k] * sin(2 * M_PI * m * k / EYE_RING);
        }
        sum += c * c + s * s;
        if (c * c + s * s > best) {
            best = c * c + s * s;
            b->wave = m;
        }
    }
    b->wave_share = sum > 0 ? best / sum : 0;
}

int eye_behind_probe(const study_case *t, eye_behind *b) {
    static double point[EYE_RADII * EYE_RING * DEPTHS][3], velocity[EYE_RADII * EYE_RING * DEPTHS][3];
    enum { N = EYE_RADII * EYE_RING * DEPTHS };
    for (int n = 0; n < N; n++) {
        const int k = n / DEPTHS % EYE_RING, i = n / DEPTHS / EYE_RING;
        const double r = first_mm + i * step_mm, angle = 2 * M_PI * k / EYE_RING;
        b->radius_mm[i] = r;
        b->angle_deg[k] = 360.0 * k / EYE_RING;
        point[n][0] = r * sin(angle);
        point[n][1] = iris_mm + depth_at(r) * (n % DEPTHS + 0.5) / DEPTHS;
        point[n][2] = r * cos(angle);
    }
    const int rc = study_case_probe(t, N, (const double(*)[3])point, velocity, NULL);
    b->fastest_mm_s = 0;
    for (int i = 0; i < EYE_RADII; i++)
        for (int k = 0; k < EYE_RING; k++) {
            double sum = 0;
            for (int j = 0; j < DEPTHS; j++) {
                const int n = (i * EYE_RING + k) * DEPTHS + j;
                const double *u = velocity[n], *p = point[n];
                if (!isfinite(u[0])) /* no velocity: the gap has no cell */
                    continue;
                sum += 1e3 * (u[0] * p[0] + u[2] * p[2]) / b->radius_mm[i] / DEPTHS;
                b->fastest_mm_s = fmax(b->fastest_mm_s, 1e3 * hypot(hypot(u[0], u[1]), u[2]));
            }
            b->radial_mm_s[i][k] = sum;
        }
    find_waves(b);
    return rc;
}
