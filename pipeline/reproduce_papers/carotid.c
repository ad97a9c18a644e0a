/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce_papers/carotid.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>

enum { DISC = 600 }; /* number of points in a section */
const char *const carotid_place[CAROTID_PLACES] = {"common", "origin", "stenosis", "behind", "external"};

/* ---------------------------------------------------------------------------------------------- readouts of post */

/* Reads the number at `base`/`key` of readouts.json or post.json. */
static int number(const study_case *t, const char *file, const char *base, const char *key, double *value) {
    char path[160];
    snprintf(path, sizeof path, "%s/%s", base, key);
    return study_case_number(t, file, path, value);
}

static int read_instant(const study_case *t, int k, carotid_instant *a) {
    static const char *const file = "post/readouts.json";
    char base[64];
    double in, out[2];
    int rc = OK;
    snprintf(base, sizeof base, "instants/%d", k);
    TRY(number(t, file, base, "time_s", &a->time_s));
    TRY(number(t, file, base, "openings/CCA/flow_ml_s", &in));
    TRY(number(t, file, base, "openings/ICA/flow_ml_s", &out[0]));
    TRY(number(t, file, base, "openings/ECA/flow_ml_s", &out[1]));
    TRY(number(t, file, base, "flow_balance", &a->balance));
    TRY(number(t, file, base, "velocity/max_m_s", &a->highest_m_s));
    TRY(number(t, file, base, "pressure_drops/0/value_pa", &a->drop_pa[0]));
    TRY(number(t, file, base, "pressure_drops/1/value_pa", &a->drop_pa[1]));
    TRY(number(t, file, base, "wss/mean_pa", &a->wss_mean_pa));
    TRY(number(t, file, base, "wss/p99_pa", &a->wss_p99_pa));
    TRY(number(t, file, base, "wss/max_pa", &a->wss_max_pa));
    for (int d = 0; d < 3; d++) {
        char key[32];
        snprintf(key, sizeof key, "wss/max_at_lps_mm/%d", d);
        TRY(number(t, file, base, key, &a->where_mm[d]));
    }
    a->reynolds = 2 * in * 1e-6 / (M_PI * carotid_radius_mm * 1e-3) / carotid_viscosity_m2_s;
    a->share = out[0] / (out[0] + out[1]);
    for (int p = 0; p < CAROTID_PLACES; p++) {
        carotid_section *s = &a->in[p];
        snprintf(base, sizeof base, "instants/%d/sections/%s", k, carotid_place[p]);
        TRY(number(t, file, base, "mean_velocity_m_s", &s->mean_m_s));
        TRY(number(t, file, base, "velocity_max_m_s", &s->highest_m_s));
        TRY(number(t, file, base, "flow_ml_s", &s->flow_ml_s));
        TRY(number(t, file, base, "backflow_ml_s", &s->backflow_ml_s));
        TRY(number(t, file, base, "wss_mean_pa", &s->wss_mean_pa));
        TRY(number(t, file, base, "wss_max_pa", &s->wss_max_pa));
    }
cleanup:
    return rc;
}

static int read_plane(const study_case *t, int p, carotid_plane *to) {
    char base[64], key[32];
    double area, *n = to->normal, *e = to->across[0], *f = to->across[1], length = 0;
    int rc = OK;
    snprintf(base, sizeof base, "result/sections/%s", carotid_place[p]);
    for (int d = 0; d < 3; d++) {
        snprintf(key, sizeof key, "centroid_lps_mm/%d", d);
        TRY(number(t, "post/post.json", base, key, &to->centre_mm[d]));
        snprintf(key, sizeof key, "normal_lps/%d", d);
        TRY(number(t, "post/post.json", base, key, &n[d]));
    }
    snprintf(base, sizeof base, "sections/%s", carotid_place[p]);
    TRY(number(t, "post/readouts.json", base, "area_mm2", &area));
    to->radius_mm = sqrt(area / M_PI);
    for (int d = 0; d < 3; d++) {
        e[d] = (d == 0) - n[0] * n[d];
        length += e[d] * e[d];
    }
    for (int d = 0; d < 3; d++)
        e[d] /= sqrt(length);
    for (int d = 0; d < 3; d++)
        f[d] = n[(d + 1) % 3] * e[(d + 2) % 3] - n[(d + 2) % 3] * e[(d + 1) % 3];
cleanup:
    return rc;
}

/* ------------------------------------------------------------------------------------- profiles, by `post probe` */

/* Position of point k in its plane over the radius: DISC evenly distributed points, then CAROTID_LINE points on a
 * diameter. */
static void point_of(int k, double *x, double *y) {
    double r = sqrt((k + 0.5) / DISC), turn = 2.399963229728653 * k;
    *x = k < DISC ? r * cos(turn) : 2.0 * (k - DISC) / (CAROTID_LINE - 1) - 1;
    *y = k < DISC ? r * sin(turn) : 0;
}

static void look_at(const carotid_plane *s, const double (*velocity)[3], carotid_section *to) {
    double u[DISC + CAROTID_LINE], moment[2] = {0}, sum = 0, size = 0, square = 0, x, y;
    for (int k = 0; k < DISC + CAROTID_LINE; k++) {
        u[k] = velocity[k][0] * s->normal[0] + velocity[k][1] * s->normal[1] + velocity[k][2] * s->normal[2];
        u[k] = isfinite(u[k]) ? u[k] : 0; /* NaN: the point is on the wall, where the velocity is 0 */
        if (k >= DISC) {
            to->line[k - DISC] = u[k];
            continue;
        }
        point_of(k, &x, &y);
        moment[0] += u[k] * x;
        moment[1] += u[k] * y;
        sum += u[k];
        size += fabs(u[k]);
    }
    for (int k = 0; k < DISC; k++) {
        point_of(k, &x, &y);
        square += pow(u[k] - 2 * sum / DISC * (1 - x * x - y * y), 2);
    }
    to->skewness = hypot(moment[0], moment[1]) / size;
    to->off_parabola = sqrt(square / DISC) / fabs(sum / DISC);
}

static int probe_instant(const study_case *t, const carotid_plane s[CAROTID_PLACES], carotid_instant *a) {
    static double point[CAROTID_PLACES * (DISC + CAROTID_LINE)][3], velocity[CAROTID_PLACES * (DISC + CAROTID_LINE)][3];
    for (int p = 0; p < CAROTID_PLACES; p++)
        for (int k = 0; k < DISC + CAROTID_LINE; k++) {
            double x, y;
            point_of(k, &x, &y);
            for (int d = 0; d < 3; d++)
                point[p * (DISC + CAROTID_LINE) + k][d] =
                    s[p].centre_mm[d] + s[p].radius_mm * (x * s[p].across[0][d] + y * s[p].across[1][d]);
        }
    int stored = (int)lround(a->time_s / carotid_period_s * CAROTID_STORES) % CAROTID_STORES;
    int rc = study_case_probe_instant(t, stored, CAROTID_PLACES * (DISC + CAROTID_LINE), (const double(*)[3])point,
                                      velocity, NULL);
    for (int p = 0; p < CAROTID_PLACES && rc == OK; p++)
        look_at(&s[p], (const double(*)[3])velocity + p * (DISC + CAROTID_LINE), &a->in[p]);
    return rc;
}

int carotid_read(const study_case *t, carotid_plane plane[CAROTID_PLACES], carotid_instant instant[CAROTID_INSTANTS]) {
    int rc = OK;
    for (int p = 0; p < CAROTID_PLACES; p++)
        TRY(read_plane(t, p, &plane[p]));
    for (int k = 0; k < CAROTID_INSTANTS; k++) {
        TRY(read_instant(t, k, &instant[k]));
        TRY(probe_instant(t, plane, &instant[k]));
    }
cleanup:
    return rc;
}
