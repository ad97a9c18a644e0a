/* What a device must do; nothing above this table knows which device runs. Errors of all: ERR_RESOURCE (no memory, no
 * device, it failed, a rank is lost).
 *
 * One lattice, updated in place in two alternating sub-steps (A-A pattern, Bailey et al. 2009):
 *   even step: slot a of cell x holds f_a(x, t). Collide, write f_a'(x) to slot opposite(a) of x: no neighbour.
 *   odd step:  f_a(x) is in slot opposite(a) of x - e_a; collide, write f_a'(x) to slot a of x + e_a. After it slot a
 *              of x holds f_a(x, t) again.
 * A cut link uses the cell's own slot a in both (kernels/link.h). So after an even number of steps everything about a
 * cell is in its own slots, and that is when moments, monitors and checkpoints are taken: steps come in pairs.
 *
 * Populations are deviations f - w. The canonical form of a checkpoint is [19][n_cell] slots
 * + [n_partial] kept values. */
#ifndef PORTAFLOW_BACKEND_H
#define PORTAFLOW_BACKEND_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"
#include "solve/core/heat_links.h"
#include "solve/kernels/exact_sum.h"

enum { BACKEND_PLACES = 6 }; /* of kept states */

enum backend_precision { BACKEND_FLOAT, BACKEND_DOUBLE, BACKEND_HALF };

typedef struct {
    double omega_plus, omega_minus, force[3]; /* lattice units */
    int precision;                            /* of the stored populations */
    int threads;                              /* CPU */
    bool forced;                              /* force is not zero */
    bool regularized;                         /* collide_regularized in place of collide */
    double fourth;                            /* of collide_regularized, 0 to 1 */
    double stress_limit;                      /* of collide_regularized, 0: none */
    double pressure_rate;                     /* of pressure outlets (kernels/link.h), 0: 1 */
    const heat_settings *heat;                /* NULL: none; borrowed. With it: forced, not half, no partial cells */
} backend_settings;

/* Reduced over the cells at an even step. */
typedef struct {
    double change;       /* sqrt(sum |u - u_old|^2 / sum |u|^2) since the last call (1 the first time) */
    double velocity_max; /* |u|, lattice units */
    double mass;         /* sum (1 - P) rho of the deviations */
    double entered;   /* mass that came in, but for what flow openings that stand half-way give, since the last call */
    int64_t bad_cell; /* a cell with a value that is not finite or |u| > 0.5, -1: none */
    double *flow;     /* [n_opening] lattice units, positive into the fluid */
    double *density;  /* [n_opening] 3 p; where the flow is given, from the momentum through it (kernels/link.h) */
    double theta_change; /* with heat: as change, of the temperature */
    double heat;         /* sum of theta over the cells */
    double *heat_flux;   /* [n_side] heat a step into the fluid through each side; NULL: not wanted */
} backend_monitor;

/* What a monitor is made of: sums that several devices can join, whatever the order. */
typedef struct {
    exact_sum change, square, mass, entered; /* of backend_monitor; change, square: the sums under the root */
    double fastest;                          /* largest |u|^2 */
    int64_t bad_cell;                        /* the first one, -1: none */
} backend_sums;
typedef struct {
    exact_sum flow, density; /* density: with what the flow carries, times domain_opening.share */
} backend_opening_sums;
enum { BACKEND_OPENINGS = 256 }; /* at most: domain_link.opening is a byte */

void backend_sums_join(backend_sums *s, const backend_sums *more);
/* compared: there was a velocity to compare with. opening [d->n_opening]; flow and density of *m are the caller's. */
void backend_monitor_make(const domain *d, const backend_sums *s, const backend_opening_sums *opening, bool compared,
                          backend_monitor *m);

/* The temperature's part of it; sums [BACKEND_HEAT + n_side]: of backend_monitor.theta_change the sums under the root,
 * heat, then heat_flux. */
enum { BACKEND_HEAT = 3 };
void backend_sums_value(int n, const exact_sum *sums, double *value); /* [n] */
void backend_heat_make(const heat_settings *h, const double *sums, bool compared, backend_monitor *m);

typedef struct backend backend;

typedef struct {
    const char *name; /* "cpu", "cuda" */
    /* Bytes of device memory this domain needs, and how many there are. */
    void (*memory)(const domain *d, const backend_settings *s, double *needed, double *available);
    MUST_CHECK int (*create)(const domain *d, const backend_settings *s, backend **out); /* at rest */
    void (*destroy)(backend *b);
    const char *(*device)(const backend *b); /* "cpu, 2 threads, avx512" */
    /* n even; given [n][n_opening]: what each opening prescribes in each step (domain_link.weight). Those of the
     * last step stay for monitor and moments; n = 0 only sets them, from given [1][n_opening]. Asynchronous: the next
     * call of another function waits. */
    MUST_CHECK int (*step)(backend *b, int n, const prescribed_value *given);
    /* Gain of every wall link (kernels/link.h) from the next step on, and in monitor and moments; 0 at first. */
    void (*set_mass_correction)(backend *b, double mass_correction);
    /* From the next step on pressure outlets follow at once, or as pressure_rate says, as at first. */
    void (*set_outlets)(backend *b, bool at_once);
    MUST_CHECK int (*monitor)(backend *b, backend_monitor *m);
    /* The same before it is made one number, of a part of a lattice; opening [n_opening]. */
    MUST_CHECK int (*sums)(backend *b, backend_sums *s, backend_opening_sums *opening);
    /* Per cell, host arrays: density [n], velocity [n][3], stress [n][6], lattice units; any may be NULL. */
    MUST_CHECK int (*moments)(backend *b, float *density, float *velocity, float *stress);
    /* Velocity, then density, [n][4], of these n cells of the domain, ascending. */
    MUST_CHECK int (*sample)(backend *b, int64_t n, const int64_t *cell, float *value);
    /* With heat: theta [n] and its gradient [n][3] a cell, host arrays, any may be NULL. */
    MUST_CHECK int (*temperature)(backend *b, float *theta, float *gradient);
    /* Slots as stored, in the precision of the settings: [backend_slots][n_cell], then kept [n_partial]. */
    MUST_CHECK int (*read)(backend *b, void *slots, void *kept);
    MUST_CHECK int (*write)(backend *b, const void *slots, const void *kept);
    /* States that stay on the device, for run/anderson.h, after an even number of steps. keep copies the present one
     * into a place, 0 .. BACKEND_PLACES - 1, whose memory is taken when it is first used; mix makes the sum of
     * weight[k] times place k the present state, weight [BACKEND_PLACES], 0: not looked at. As after write, a monitor's
     * change and mass that entered begin anew. Errors: ERR_RESOURCE. */
    MUST_CHECK int (*keep)(backend *b, int place);
    MUST_CHECK int (*mix)(backend *b, const double *weight);
} backend_table;

extern const backend_table backend_cpu;
#ifdef PORTAFLOW_CUDA
extern const backend_table backend_cuda;      /* create fails with ERR_RESOURCE where there is no device or driver */
int backend_cuda_count(void);                 /* usable devices, 0 when there is no driver */
MUST_CHECK int backend_cuda_use(int number);  /* that device, modulo how many there are, for this thread */
MUST_CHECK int backend_cuda_wait(backend *b); /* until its steps are done */
void backend_cuda_slabs(int slabs); /* for tests and benches: 1 two lattices, more: one and some slack; 0: chosen */
#endif

/* Of pressure outlets that follow at once: below 1, which is the rule of pulsatile flow (kernels/link.h). */
#define BACKEND_AT_ONCE 0.999

static inline double backend_pressure_rate(const backend_settings *s, bool at_once) {
    const double rate = s->pressure_rate > 0 ? s->pressure_rate : 1;
    return at_once && rate < 1 ? BACKEND_AT_ONCE : rate;
}

/* collide_rates.most; in float, and 2^30 times larger for 16-bit populations, still a number. */
static inline double backend_most(const backend_settings *s) {
    return s->stress_limit > 0 ? s->stress_limit * s->stress_limit : 1e20;
}

/* Populations of a cell: those of the flow, then those of the temperature. */
static inline int backend_slots(const backend_settings *s) {
    return s->heat ? 26 : 19;
}

/* Bytes one stored population value takes: 4, 8 or 2. */
static inline int backend_value_bytes(int precision) {
    return precision == BACKEND_DOUBLE ? 8 : precision == BACKEND_HALF ? 2 : 4;
}
#endif
