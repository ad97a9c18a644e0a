/* Pulsatile flow in a long round tube: how its velocity is spread over the section. */
#ifndef PORTAFLOW_WOMERSLEY_H
#define PORTAFLOW_WOMERSLEY_H
#include <stdbool.h>
#include "common/waveform/waveform.h"

/* Mean of |u|^2 over the section for a mean of |u| = 1, of a flow that oscillates at one frequency: 4/3 (a parabola) at
 * alpha = 0, near 1 where alpha is large. alpha = radius sqrt(omega / nu), 0..; u of Womersley 1955, eq. 8:
 *   u = (1 - J0(l r / R) / J0(l)) / (1 - 2 J1(l) / (l J0(l))),   l = alpha i^(3/2) */
double womersley_momentum(double alpha);

/* Mean over the cycle of the momentum, over density and square of the area (m6/s2), that a parabola brings through an
 * opening beyond what the pulsatile profile would: sum over the harmonics k of (4/3 - womersley_momentum(alpha_k))
 * |Q_k|^2 / 2. radius_m and nu of the opening and the fluid; >= 0. */
double womersley_excess(const waveform *w, double radius_m, double nu_m2_s);

/* Wall shear stress of a mean velocity that oscillates with an amplitude of 1, times radius / viscosity: 4 (a parabola)
 * at alpha = 0, about alpha where that is large; l as above:
 *   |l G / (1 - 2 G / l)|,   G = J1(l) / J0(l) */
double womersley_wall(double alpha);

/* What a lattice gets wrong of a wall shear stress that oscillates in a layer of sqrt(2 nu / omega), so many cells
 * thick: distance from the exact one as a complex number, amplitude and phase, over the exact amplitude; at most 1.
 * Measured in pipes along the grid and at an angle, Womersley numbers 4 to 15, 12 to 32 cells across:
 *   two relaxation times  0.3 / layer^3      regularized  1 / (3 layer^2)      (table: solve/PULSATILE.md) */
double womersley_lattice(double layer_cells, bool regularized);

/* The pulsating part of a flow through a round tube on a lattice. */
typedef struct {
    double layer_m;    /* of the harmonic with the largest wall shear stress */
    double pulse;      /* wall shear stress that pulsates (root mean square) over the mean one */
    double wall, drop; /* errors of wall shear stress and of the pressure's slope, parts of what pulsates of them */
} womersley_layer;

/* radius_m, nu as in womersley_excess; of the harmonics, each with womersley_lattice, the root mean square. The wall's
 * part of the slope is 2 / radius of its stress, that of inertia rho omega U. pulse infinite where there is no mean. */
womersley_layer womersley_layer_of(const waveform *w, double radius_m, double nu_m2_s, double dx_m, bool regularized);
#endif
