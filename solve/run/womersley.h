/* Pulsatile flow in a long round tube: how its velocity is spread over the section. */
#ifndef PORTAFLOW_WOMERSLEY_H
#define PORTAFLOW_WOMERSLEY_H
#include "common/case/waveform.h"

/* Mean of |u|^2 over the section for a mean of |u| = 1, of a flow that oscillates at one frequency: 4/3 (a parabola) at
 * alpha = 0, near 1 where alpha is large. alpha = radius sqrt(omega / nu), 0..; u of Womersley 1955, eq. 8:
 *   u = (1 - J0(l r / R) / J0(l)) / (1 - 2 J1(l) / (l J0(l))),   l = alpha i^(3/2) */
double womersley_momentum(double alpha);

/* Mean over the cycle of the momentum, over density and square of the area (m6/s2), that a parabola brings through an
 * opening beyond what the pulsatile profile would: sum over the harmonics k of (4/3 - womersley_momentum(alpha_k))
 * |Q_k|^2 / 2. radius_m and nu of the opening and the fluid; >= 0. */
double womersley_excess(const waveform *w, double radius_m, double nu_m2_s);
#endif
