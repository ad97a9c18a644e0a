/* SPDX-License-Identifier: Apache-2.0 */
/* Interface of a device; code above this table does not know which device runs. Errors of all functions: ERR_RESOURCE
 * (no memory, no device, device failed, a rank was lost).
 *
 * One lattice, updated in place in two alternating sub-steps (A-A pattern, Bailey et al. 2009):
 *   even step: slot a of cell x holds f_a(x, t). Collide; write f_a'(x) to slot opposite(a) of x. No neighbour access.
 *   odd step:  f_a(x) is in slot opposite(a) of x - e_a. Collide; write f_a'(x) to slot a of x + e_a. Afterwards
 *              slot a of x holds f_a(x, t) again.
 * A cut link uses slot a of its own cell in both sub-steps (kernels/link.h). After an even number of steps all values
 * of a cell are in its own slots. Moments, monitors and checkpoints need all values there, so steps come in pairs.
 * Populations are stored as deviations f - w. A checkpoint holds slots [backend_slots][n_cell] and kept [n_partial]:
 * theta times the outgoing population of each partially solid link (domain_partial).
 * With an advection_rate a monitor also updates the advection correction, which the following steps use. It is 0 after
 * create and write. The opening sums of a monitor still use the correction of the steps before. */
#ifndef PORTAFLOW_BACKEND_H
#define PORTAFLOW_BACKEND_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"
#include "solve/core/heat_links.h"
#include "solve/core/porous_media.h"
#include "solve/core/viscosity_table.h"
#include "solve/kernels/exact_sum.h"

enum { BACKEND_PLACES = 6 }; /* number of places in which a state can be stored (backend_table.keep, combine) */

enum backend_precision { BACKEND_FLOAT, BACKEND_DOUBLE, BACKEND_HALF };

typedef struct {
    double omega_plus, omega_minus, force[3]; /* relaxation rates and acceleration, lattice units */
    int precision;                            /* enum backend_precision of the stored populations */
    int threads;                              /* CPU only */
    bool forced;                              /* true: the collision adds a force, either `force` or buoyancy (heat) */
    bool regularized;                         /* use collide_regularized instead of collide */
    /* use cumulant_collide on D3Q27; needs DOMAIN_WALL_QUADRATIC, no heat, and precision float or double */
    bool cumulant;
    /* with cumulant: fraction by which a monitor moves the advection correction to its value (kernels/advection.h), 0
     * to 1; 0: no correction */
    double advection_rate;
    double fourth; /* collide_rates.fourth: factor of the fourth moments, 0 to 1 */
    /* collide_regularized: upper limit of the norm |S| of the stress S (kernels/collide.h); 0: no limit */
    double stress_limit;
    /* fraction by which a pressure outlet follows its prescribed value per step, 0 to 1 (solve/BOUNDARY_LINKS.md, eq.
     * 10); 0 means 1 */
    double pressure_rate;
    /* borrowed; NULL: no heat. Heat needs `forced` true, precision float or double, and a domain without partial
     * links */
    const heat_settings *heat;
    /* borrowed; NULL: constant viscosity. With shear-thinning blood each cell has its own omega_plus, and with two
     * relaxation times its own omega_minus. Shear-thinning blood needs precision float or double and no heat. Its
     * domain has neither partial links nor on-site openings. */
    const viscosity_table *viscosity;
    /* borrowed; NULL: no drag. Porous regions need domain.region, precision float or double, and neither heat nor
     * shear-thinning blood. Their domain is no part of a lattice and has neither partial links nor on-site openings. */
    const porous_media *porous;
} backend_settings;

/* Values reduced over all cells after an even step. */
typedef struct {
    double change;          /* relative change of the velocity u since the last call, sqrt(sum |u - u_old|^2 / sum
                          * |u|^2); NaN at the first call */
    double velocity_max;    /* largest |u|, lattice units */
    double velocity_square; /* sum over the cells of |u|^2, lattice units */
    double mass;         /* sum over the cells of (1 - P) (rho - 1); P: solid fraction, rho: density, lattice units */
    double entered;      /* mass that entered since the last call. Mass through half-way flow openings is not
                          * counted. */
    int64_t bad_cell;    /* index of a cell with a non-finite value or |u| > 0.5; -1: no such cell */
    double *flow;        /* [n_opening] flow through each opening, positive into the fluid, lattice units */
    double *density;     /* [n_opening] density deviation at each opening, 3 p. At flow openings p follows from the
                      * momentum flux (solve/BOUNDARY_LINKS.md, eq. 12). */
    double theta_change; /* with heat: relative change of the temperature theta, as `change`; 1 at the first call */
    double heat;         /* sum of theta over the cells */
    double *heat_flux;   /* [n_side] heat per step that enters through each side (heat_settings.side); NULL: not
                          * requested */
} backend_monitor;

/* Sums of a monitor. The sums of several devices can be added in any order. */
typedef struct {
    /* change and square: squares of the numerator and of the denominator of backend_monitor.change. mass and entered:
     * as in backend_monitor. */
    exact_sum change, square, mass, entered;
    double fastest;   /* largest |u|^2, lattice units */
    int64_t bad_cell; /* index of the first cell with a non-finite value or |u| > 0.5; -1: no such cell */
} backend_sums;
typedef struct {
    exact_sum flow, density; /* flow: as backend_monitor.flow. density: as backend_monitor.density, but without the
                              * term `carried Q^2` of eq. 12 and multiplied by domain_opening.share. */
} backend_opening_sums;
enum { BACKEND_OPENINGS = 256 }; /* limit of the number of openings, because domain_link.opening is a byte */
enum { BACKEND_GIVEN = BACKEND_OPENINGS * (1 + OPENING_PULSES) }; /* limit of domain_given */

void backend_sums_join(backend_sums *s, const backend_sums *more);
/* Fills *m from the sums over all devices. compared: true if every device had a velocity of an earlier call to compare
 * with; otherwise m->change is NaN. opening [d->n_opening]. The caller owns the arrays m->flow and m->density. */
void backend_monitor_make(const domain *d, const backend_sums *s, const backend_opening_sums *opening, bool compared,
                          backend_monitor *m);

/* Sums of the heat part of a monitor, [BACKEND_HEAT + n_side]: the squares of the numerator and of the denominator of
 * theta_change, the heat, then heat_flux of each side. */
enum { BACKEND_HEAT = 3 };
void backend_sums_value(int n, const exact_sum *sums, double *value); /* converts [n] sums to values */
void backend_heat_make(const heat_settings *h, const double *sums, bool compared, backend_monitor *m);

typedef struct backend backend;

typedef struct {
    const char *name; /* "cpu" or "cuda" */
    /* Sets *needed to the bytes of device memory that this domain needs, and *available to the free bytes. */
    void (*memory)(const domain *d, const backend_settings *s, double *needed, double *available);
    /* Creates a backend whose fluid is at rest. */
    MUST_CHECK int (*create)(const domain *d, const backend_settings *s, backend **out);
    void (*destroy)(backend *b);
    const char *(*device)(const backend *b); /* description, such as "cpu, 2 threads, avx512" */
    /* Advances n steps, n even. given [n][domain_given]: prescribed values of each step. monitor and moments use the
     * values of the last step. n = 0 only sets the prescribed values of one step. The call returns before the steps
     * have run; the next call of another function waits for them. */
    MUST_CHECK int (*step)(backend *b, int n, const prescribed_value *given);
    /* Sets the mass correction: the density that every wall link adds in each step (part of D in
     * solve/BOUNDARY_LINKS.md, eq. 1). It is 0 at first. It holds from the next step on, and also for the next monitor
     * and moments. */
    void (*set_mass_correction)(backend *b, double mass_correction);
    /* Selects the rate of pressure outlets (solve/BOUNDARY_LINKS.md, eq. 10) from the next step on. at_once true: rate
     * BACKEND_AT_ONCE; false: pressure_rate (the default). */
    void (*set_outlets)(backend *b, bool at_once);
    MUST_CHECK int (*monitor)(backend *b, backend_monitor *m);
    /* Computes the sums of a monitor over the cells of this domain, without its halo. opening [n_opening]. */
    MUST_CHECK int (*sums)(backend *b, backend_sums *s, backend_opening_sums *opening);
    /* Reads the moments of all cells into host arrays, lattice units: density [n_cell], velocity [n_cell][3], stress
     * [n_cell][6]; any may be NULL. */
    MUST_CHECK int (*moments)(backend *b, float *density, float *velocity, float *stress);
    /* Reads velocity and density of n cells into value [n][4]. The indices cell [n] ascend. */
    MUST_CHECK int (*sample)(backend *b, int64_t n, const int64_t *cell, float *value);
    /* With heat: reads theta [n_cell] and its gradient [n_cell][3] into host arrays; either may be NULL. */
    MUST_CHECK int (*temperature)(backend *b, float *theta, float *gradient);
    /* Copy the stored slots [backend_slots][n_cell] and kept values [n_partial] to or from host memory, in the
     * precision of the settings. */
    MUST_CHECK int (*read)(backend *b, void *slots, void *kept);
    MUST_CHECK int (*write)(backend *b, const void *slots, const void *kept);
    /* Stored states on the device for run/anderson.h, after an even number of steps. keep: copies the present state to
     * place 0 .. BACKEND_PLACES - 1; a place is allocated at its first use. combine: replaces the present state by the
     * sum of weight[k] times the state in place k; weight [BACKEND_PLACES], 0: place not used. After combine, as after
     * write, the next monitor counts `change` and `entered` anew. Errors: ERR_RESOURCE. */
    MUST_CHECK int (*keep)(backend *b, int place);
    MUST_CHECK int (*combine)(backend *b, const double *weight);
} backend_table;

extern const backend_table backend_cpu;
#ifdef PORTAFLOW_CUDA
extern const backend_table backend_cuda; /* create fails with ERR_RESOURCE without a device or driver */
int backend_cuda_count(void);            /* number of usable devices, 0 without a driver */
/* selects device number `number` modulo the number of devices, for this thread */
MUST_CHECK int backend_cuda_use(int number);
MUST_CHECK int backend_cuda_wait(backend *b); /* waits until all steps have run */
/* For tests and benchmarks: sets the number of slabs, the ranges of groups that one launch computes
 * (cuda/cuda_backend.h). 1: no slabs, the memory holds the populations twice; 0: automatic. */
void backend_cuda_slabs(int slabs);
#endif

/* Value of pressure_rate for outlets that take their prescribed pressure within a few steps, in steady flow. It is
 * below 1, because rate 1 selects the rule of pulsatile flow, where the term o of solve/BOUNDARY_LINKS.md, eq. 11, is
 * 0. */
#define BACKEND_AT_ONCE 0.999

static inline double backend_pressure_rate(const backend_settings *s, bool at_once) {
    const double rate = s->pressure_rate > 0 ? s->pressure_rate : 1;
    return at_once && rate < 1 ? BACKEND_AT_ONCE : rate;
}

/* Value of collide_rates.most: the square of the stress limit. Without a limit it is 1e20, because kernels multiply it
 * by 2^30 for 16-bit populations and the product must be finite as float. */
static inline double backend_most(const backend_settings *s) {
    return s->stress_limit > 0 ? s->stress_limit * s->stress_limit : 1e20;
}

/* Number of slots per cell: one per population of the flow and of the temperature. */
static inline int backend_slots(const backend_settings *s) {
    return s->cumulant ? LATTICE_D3Q27 : s->heat ? 26 : 19;
}

/* Bytes of a stored population: 2, 4 or 8. */
static inline int backend_value_bytes(int precision) {
    return precision == BACKEND_DOUBLE ? 8 : precision == BACKEND_HALF ? 2 : 4;
}
#endif
