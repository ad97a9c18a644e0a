/* SPDX-License-Identifier: Apache-2.0 */
/* Developed velocity u over a cross-section for a viscosity law mu(g), from the developed velocity w of constant
 * viscosity (lap w = -1, w = 0 on the wall).
 *
 * u is taken as a function of w. Forces on the region within a contour of w balance: the mean shear stress on the
 * contour is the pressure gradient times area over perimeter of the region. The shear stress counts as uniform along
 * the contour, and the regions shrink as rho^m (rho: shear stress over its mean t at the wall):
 *
 *   w = w_max (1 - rho^2)                 area within the contour = A rho^m,  m = 2 (w_max / w_mean - 1)            (1)
 *   u(rho) = (m A / P) int_rho^1 g(t r) dr                                                                         (2)
 *   u_mean = (m A / P) int_0^1 g(t r) r^m dr                                                                       (3)
 *
 * A, P: area and perimeter of the cross-section. g(s): shear rate at the shear stress s. (3) gives t. Exact in a circle
 * (m = 2) and between plates (m = 1). Elsewhere the shear stress varies along a contour. With the set cho-kensey at a
 * pressure gradient of 30 Pa/m, the root mean square error is 1.2 % of u_mean in an ellipse of 4 to 3, 3.7 % in an
 * ellipse of 2 to 1, 1.9 % in a square. The error of w is 8 to 9 %.
 * Test: tests/unit/common/test_shear_profile.c */
#ifndef PORTAFLOW_SHEAR_PROFILE_H
#define PORTAFLOW_SHEAR_PROFILE_H
#include "common/blood/viscosity_law.h"

enum { SHEAR_PROFILE_POINTS = 400 };
/* Lower limit of shear_section.peak. Below it hardly any wall bounds the section, and the velocity is uniform. */
#define SHEAR_PROFILE_PEAK 1.1

/* A cross-section. peak: w_max / w_mean of constant viscosity (2 in a circle). */
typedef struct {
    double area_m2, perimeter_m, peak;
} shear_section;

typedef struct {
    double peak;           /* shear_section.peak of the cross-section: w_max / w_mean */
    double mean_m_s;       /* u_mean of eq. (3) */
    double wall_stress_pa; /* t: mean shear stress on the wall */
    /* place: values of rho of eq. (1), ascending to 1; velocity: u / u_mean at these rho */
    double place[SHEAR_PROFILE_POINTS + 1], velocity[SHEAR_PROFILE_POINTS + 1];
} shear_profile;

/* Computes the profile with the mean velocity mean_m_s > 0. */
void shear_profile_of_mean(const viscosity_law *l, const shear_section *s, double mean_m_s, shear_profile *p);
/* Computes the profile with the highest velocity peak_m_s > 0. */
void shear_profile_of_peak(const viscosity_law *l, const shear_section *s, double peak_m_s, shear_profile *p);
/* Returns u / u_mean at the points of the cross-section where w / w_mean equals `newtonian`. A negative w, in the
 * mirror image behind the wall, gives a negative u. */
double shear_profile_value(const shear_profile *p, double newtonian);
#endif
