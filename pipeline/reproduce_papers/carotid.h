/* SPDX-License-Identifier: Apache-2.0 */
/* Computed values that wang2015:figure10 compares with the paper, at the instants of its case: readouts of post, and
 * velocity profiles. */
#ifndef PORTAFLOW_CAROTID_H
#define PORTAFLOW_CAROTID_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/study_case.h"

/* Instants and sections in the order of the case. */
enum {
    CAROTID_RISING_200,
    CAROTID_RISING_400,
    CAROTID_PEAK,
    CAROTID_FALLING_400,
    CAROTID_FALLING_200,
    CAROTID_DIASTOLE,
    CAROTID_INSTANTS
};
enum { CAROTID_COMMON, CAROTID_ORIGIN, CAROTID_STENOSIS, CAROTID_BEHIND, CAROTID_EXTERNAL, CAROTID_PLACES };
enum { CAROTID_LINE = 61, CAROTID_STORES = 58 };
extern const char *const carotid_place[CAROTID_PLACES];
static const double carotid_period_s = 0.9, carotid_radius_mm = 3.2, carotid_viscosity_m2_s = 3.3e-6;

/* Velocity profile of a section. u: streamwise velocity; x: distance from the middle, in radii; m: mean of u.
 *   skewness       |sum u x| / sum |u|             0: symmetric
 *   off_parabola   rms(u - 2 m (1 - x^2)) / |m|     0: Poiseuille flow */
typedef struct {
    /* values of the section that post computes */
    double mean_m_s, highest_m_s, flow_ml_s, backflow_ml_s, wss_mean_pa, wss_max_pa;
    double skewness, off_parabola;
    double line[CAROTID_LINE]; /* streamwise velocity along the section's diameter, m/s */
} carotid_section;

typedef struct {
    double time_s, reynolds, share, balance, highest_m_s, drop_pa[2], wss_mean_pa, wss_p99_pa, wss_max_pa, where_mm[3];
    carotid_section in[CAROTID_PLACES];
} carotid_instant;

typedef struct {
    /* across: two unit vectors in the plane; across[0] is as close as possible to the x axis */
    double centre_mm[3], normal[3], radius_mm, across[2][3];
} carotid_plane;

/* Reads a computed study_case. Errors: as study_case_number and study_case_probe_instant. */
MUST_CHECK int carotid_read(const study_case *t, carotid_plane plane[CAROTID_PLACES],
                            carotid_instant instant[CAROTID_INSTANTS]);
#endif
