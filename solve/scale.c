#include "scale.h"
#include "common/status.h"
#include <math.h>

static const double TAU_LOW = 0.505, TAU_HIGH = 1.0, MAGIC = 3.0 / 16.0, DENSITY_LIMIT = 0.1, VELOCITY_HIGH = 0.3;

static void derive(const scale_request *r, scale *s) {
    const double ratio = s->dx_m / s->dt_s, nu = r->viscosity_pa_s / r->density_kg_m3;
    s->viscosity = nu * s->dt_s / (s->dx_m * s->dx_m);
    s->tau = 0.5 + 3.0 * s->viscosity;
    s->omega_plus = 1.0 / s->tau;
    s->omega_minus = r->bgk ? s->omega_plus : 1.0 / (0.5 + MAGIC / (s->tau - 0.5));
    s->velocity = r->velocity_m_s / ratio;
    s->mach = s->velocity * sqrt(3.0);
    s->reynolds = r->diameter_velocity_m_s * r->diameter_m / nu;
    s->womersley = r->period_s > 0 ? 0.5 * r->diameter_m * sqrt(2.0 * M_PI / r->period_s / nu) : 0.0;
    s->velocity_scale = ratio;
    s->stress_scale = r->density_kg_m3 * ratio * ratio;
    s->pressure_scale = s->stress_scale / 3.0;
    s->flow_scale = s->dx_m * s->dx_m * ratio;
}

/* Largest dt and its reason. */
static double dt_limit(const scale_request *r, const char **limit) {
    const double nu = r->viscosity_pa_s / r->density_kg_m3, dx = r->dx_m;
    double dt = (TAU_HIGH - 0.5) / 3.0 * dx * dx / nu;
    *limit = "relaxation time";
    if (r->velocity_m_s > 0 && r->velocity_limit * dx / r->velocity_m_s < dt) {
        dt = r->velocity_limit * dx / r->velocity_m_s;
        *limit = "velocity";
    }
    if (r->period_s > 0 && r->pressure_pa > 0) {
        const double pressure = dx * sqrt(DENSITY_LIMIT * r->density_kg_m3 / (3.0 * r->pressure_pa));
        if (pressure < dt) {
            dt = pressure;
            *limit = "pressure";
        }
    }
    return dt;
}

int scale_choose(const scale_request *r, scale *s) {
    const double nu = r->viscosity_pa_s / r->density_kg_m3, dx = r->dx_m;
    *s = (scale){.dx_m = dx, .limit = "case"};
    if (isfinite(r->dt_s))
        s->dt_s = r->dt_s;
    else if (isfinite(r->tau))
        s->dt_s = (r->tau - 0.5) / 3.0 * dx * dx / nu;
    else
        s->dt_s = dt_limit(r, &s->limit);
    if (r->period_s > 0) {
        const double half = ceil(0.5 * r->period_s / s->dt_s - 1e-9);
        if (half > 5e8)
            return fail(ERR_INPUT, "one period of %g s needs %.3g steps of %.3g s; make the spacing coarser",
                        r->period_s, 2 * half, s->dt_s);
        s->steps_per_period = 2 * (int)half;
        s->dt_s = r->period_s / s->steps_per_period;
    }
    derive(r, s);
    if (s->tau < TAU_LOW)
        return fail(ERR_INPUT,
                    "relaxation time tau %.4f is below %.3f at spacing %.3g mm and velocity %.3g m/s; "
                    "make the spacing %.2g mm or finer, lower the flow, or raise solve.max_velocity (now %.2g)",
                    s->tau, TAU_LOW, dx * 1e3, r->velocity_m_s,
                    1e3 * 3.0 * nu * r->velocity_limit / ((TAU_LOW - 0.5) * fmax(r->velocity_m_s, 1e-12)),
                    r->velocity_limit);
    if (s->tau > 2.0 || s->velocity > VELOCITY_HIGH)
        return fail(ERR_INPUT,
                    "the time step %.3g s gives tau %.3f (at most 2) and a lattice velocity of %.3f (at most %.1f)"
                    "; leave out solve.dt and solve.tau to have them chosen",
                    s->dt_s, s->tau, s->velocity, VELOCITY_HIGH);
    return OK;
}
