/* SPDX-License-Identifier: Apache-2.0 */
/* Pulsatile flow in a long round tube (Womersley 1955). */
#ifndef PORTAFLOW_WOMERSLEY_H
#define PORTAFLOW_WOMERSLEY_H
#include <stdbool.h>
#include "common/waveform/waveform.h"

enum { WOMERSLEY_HARMONICS = 20 };

/* Mean of |u|^2 over the cross-section, for a flow that oscillates at one frequency with mean velocity amplitude 1. 4/3
 * (parabola) at alpha = 0, towards 1 for large alpha. alpha = radius R sqrt(omega / nu) >= 0, r: distance from the
 * axis. Womersley 1955, eq. 8:
 *   u = (1 - J0(l r / R) / J0(l)) / (1 - 2 J1(l) / (l J0(l))),   l = alpha i^(3/2) */
double womersley_momentum(double alpha);

/* Momentum flux of a parabolic inflow minus momentum flux of the developed pulsatile profile, mean over the cycle: sum
 * over harmonics k of (4/3 - womersley_momentum(alpha_k)) |Q_k|^2 / 2 >= 0, in m6/s2 (momentum flux times area over
 * density). Q_k: amplitude of the flow. radius_m: radius of the opening; nu_m2_s: kinematic viscosity. */
double womersley_excess(const waveform *w, double radius_m, double nu_m2_s);

/* Amplitude of the wall shear stress times radius / viscosity, for an oscillating mean velocity of amplitude 1. It is 4
 * (parabola) at alpha = 0, and about alpha for large alpha. l as in womersley_momentum:
 *   |l G / (1 - 2 G / l)|,   G = J1(l) / J0(l) */
double womersley_wall(double alpha);

/* Relative error of an oscillating wall shear stress on the lattice, as a complex number (amplitude and phase), up to
 * 1. layer_cells: thickness sqrt(2 nu / omega) in cells. Fit to pipes, Womersley numbers 4 to 15, 12 to 32 cells per
 * diameter (solve/PULSATILE.md):
 *   two relaxation times: 0.3 / layer^3      regularized: 1 / (3 layer^2) */
double womersley_lattice(double layer_cells, bool regularized);

/* Harmonics k = 1 .. of a flow, at index k - 1. */
typedef struct {
    double square[WOMERSLEY_HARMONICS];   /* |Q_k|^2 / 2, m6/s2 */
    double momentum[WOMERSLEY_HARMONICS]; /* M_k: womersley_momentum */
    double layer_m[WOMERSLEY_HARMONICS];  /* thickness sqrt(2 nu / omega_k) */
} womersley_series;

womersley_series womersley_series_of(const waveform *w, double radius_m, double nu_m2_s);

/* Growth of the mean momentum flux from the inlet on, by two errors of the lattice; >= 0, in m6/s2 (momentum flux times
 * area over density):
 *   sum over harmonics k of |Q_k|^2 / 2 (2 M_k (1 / cos(k angle) - 1) + 0.7 womersley_lattice)
 * First term: the speed of sound of the lattice makes the pulsation grow (scale.h); M_k: womersley_momentum; k angle is
 * limited to 1.2. Second term: the pulsating profile of the lattice has more momentum than the exact one. angle: omega
 * L / c_s. dx_m: spacing; 0: without the second term. regularized: as in womersley_lattice. Upper bound in pipes of 12
 * to 22 cells per diameter, Womersley numbers 4 to 8 (solve/PULSATILE.md). */
double womersley_growth(const womersley_series *s, double dx_m, bool regularized, double angle);

/* Errors of a pulsatile flow in a round tube on a lattice. */
typedef struct {
    double layer_m;    /* layer thickness of the harmonic with the largest wall shear stress */
    double pulse;      /* root mean square of the pulsating wall shear stress, relative to the mean wall shear stress */
    double wall, drop; /* relative errors of the pulsating wall shear stress and pressure gradient */
} womersley_layer;

/* Estimates the errors in womersley_layer: root mean square over the harmonics of w, each with womersley_lattice. The
 * pressure gradient is 2 / radius times the wall stress plus the inertia rho omega U. pulse is infinite for a mean flow
 * of 0. radius_m: radius of the opening; nu_m2_s: kinematic viscosity; dx_m: spacing. */
womersley_layer womersley_layer_of(const waveform *w, double radius_m, double nu_m2_s, double dx_m, bool regularized);
#endif
