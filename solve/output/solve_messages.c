/* SPDX-License-Identifier: Apache-2.0 */
/* See solve_messages.h. */
#include "solve/output/solve_messages.h"
#include "solve/boundary/pulse_error.h"
#include "common/case/case.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/lattice/resolution.h"
#include "solve/ranks/ranks.h"
#include "solve/boundary/womersley.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* VLBM_PERCENT: error of velocity and pressure drop in a pipe with wall vlbm and VLBM_CELLS cells per diameter. The
 * error is inversely proportional to the cells per diameter (data/verification/verify-poiseuille-pipe-orders.csv). */
static const double VLBM_PERCENT = 9, VLBM_CELLS = 32;
/* Smallest residuals that the precisions half and float can resolve */
static const double HALF_FLOOR = 5e-4, FLOAT_FLOOR = 1e-7;
/* Smallest backflow that is reported, as a fraction of the inflow */
static const double NOTICED = 1e-3;

/* Upper estimate of the velocity error in a pipe at 26.6 degrees to the grid (relative L2 norm), in percent:
 * SLANT_PERCENT Re / N^2, for cell Reynolds numbers above 8. Re: Reynolds number of the pipe; N: cells per diameter.
 * Measured errors are 0.5 to 1.06 times this value (data/verification/verify-poiseuille-pipe-reynolds.csv). */
static const double SLANT_PERCENT = 7;

/* COARSE: cell Reynolds number above which the lattice may make a flow at an angle to the grid unsteady.
 * UNKNOWN_ACROSS: cells per diameter that are assumed where they are unknown. */
static const double COARSE = 40, UNKNOWN_ACROSS = 24;

/* Range of tau in which the walls of a pipe change the pressure drop by less than 1 % */
static const double BGK_TAU[2] = {0.55, 1.2};
/* Smallest effects of pulsation that are reported, as fractions of the frictional pressure loss of the mean flow: of a
 * steady profile, and of the lattice (pulse_error_pa, which adds to the error of the resolution) */
static const double PULSE_NOTICED = 0.1, PULSE_ERROR_NOTICED = 0.05;
static const double PULSE_DEVELOPED = 4; /* Length of an extension that develops the profile, in diameters */
static const double HEAT_COARSE = 20;    /* Upper limit of the cell Peclet number */
/* Largest velocity x sqrt(K) / kinematic viscosity for Darcy's law: above it inertia adds to the drag
 * (Nield and Bejan, Convection in Porous Media). */
static const double POROUS_REYNOLDS = 1;
/* Closed cells are reported if they exceed this fraction of all cells */
static const double CLOSED_MANY = 0.005;
/* Factor on the spacing that the message about limited stresses suggests; a smaller factor if the limit of the cell
 * Reynolds number needs it */
static const double FINER = 0.7;
static const double SOUND_WARN = 3; /* Upper limit of errors by the speed of sound, in percent; above it a warning */
/* An opening counts if its wall shear stress pulsates by more than this fraction of the mean. The message becomes a
 * warning if the relative error of the pulsating wall shear stress also exceeds this fraction. */
static const double LAYER_NOTICED = 0.05;

/* Cell Reynolds number suggested to the user if a pulsatile flow does not become periodic (PULSATILE.md) */
static const double SETTLES = 12;

/* Reports the errors of 16-bit populations, measured by tests/backend/devices.sh and test_backend (PERFORMANCE.md). */
static void warn_half_precision(const case_file *c) {
    if (c->solve.precision != PRECISION_HALF)
        return;
    message_info(
        "solve.precision half: expect errors of about 0.3 %% in velocity and 1 %% in pressure drops and stress; "
        "without Anderson acceleration, which would amplify the rounding errors");
    if (c->solve.mode == MODE_STEADY && c->solve.tolerance < HALF_FLOOR)
        message_warn(
            "solve.tolerance %.0e is smaller than precision half can resolve (%.0e): the run may end too early or "
            "not at all; write solve: {precision: float} for results",
            c->solve.tolerance, HALF_FLOOR);
}

static void say_float(const case_file *c) {
    if (c->solve.precision == PRECISION_FLOAT && c->solve.mode == MODE_STEADY && c->solve.tolerance < FLOAT_FLOOR)
        message_warn(
            "solve.tolerance %.0e is smaller than precision float can resolve (%.0e): the run may not end before "
            "its step limit; use a larger solve.tolerance, or solve.precision: double",
            c->solve.tolerance, FLOAT_FLOOR);
}

bool solve_messages_supply(const case_file *c, const boundary_values *g) {
    double in = 0, out = 0;
    for (int k = 0; k < g->n; k++) {
        in += fmax(g->mean_m3_s[k], 0.0);
        out += fmax(-g->mean_m3_s[k], 0.0);
    }
    return case_warn_supply(c, "", 1e6 * in, 1e6 * out);
}

/* True if blood flows both ways within the cycle of opening k and no extension develops the profile again. */
static bool reverses(const lattice_opening *o, const boundary_values *g, int k) {
    const waveform *w = &g->wave[k];
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < w->n; i++) {
        low = fmin(low, w->flow_m3_s[i]);
        high = fmax(high, w->flow_m3_s[i]);
    }
    return low < 0 && high > 0 && !(g->from[k]->extension_mm >= PULSE_DEVELOPED * 2 * o->radius_mm);
}

/* Warns that reversed flow makes the mean pressure at the opening too low: by the larger of twice the excess
 * (womersley_excess) and 25 % of the friction (measured). */
static void warn_of_reversal(const lattice_opening *o, double womersley, double excess, double friction) {
    const double low_pa = fmax(2 * excess, 0.25 * friction);
    char percent[32] = "";
    if (friction > 0)
        snprintf(percent, sizeof percent, ", %.0f %%,", 100 * low_pa / friction);
    message_warn_serious("opening '%s': the flow reverses within the cycle, but the prescribed profile is that of "
                         "steady flow (Womersley number %.1f), so mean pressure drops from this opening may be %.2g "
                         "Pa%s too low. Give each opening with reverse flow an extension of 5 diameters (extension: "
                         "%.0f mm), and measure pressure drops between sections inside the vessel",
                         o->name, womersley, low_pa, percent, ceil(5 * 2 * o->radius_mm));
}

void solve_messages_pulse(const case_file *c, const lattice *l, const boundary_values *g) {
    const double nu = c->blood.viscosity_pa_s / c->blood.density_kg_m3;
    for (int k = 0; k < g->n && g->period_s > 0; k++) {
        const lattice_opening *o = &l->opening[k];
        if (g->condition[k].kind != DOMAIN_FLOW || g->wave[k].n == 0 || g->condition[k].profile == PROFILE_PLUG ||
            g->condition[k].pulse)
            continue;
        const double area = 1e-6 * o->area_mm2, friction = pulse_error_friction_pa(c, l, g);
        const double excess =
            c->blood.density_kg_m3 * womersley_excess(&g->wave[k], 1e-3 * o->radius_mm, nu) / (area * area);
        const double womersley = 1e-3 * o->radius_mm * sqrt(2 * M_PI / (g->wave[k].period_s * nu));
        if (excess > PULSE_NOTICED * friction && reverses(o, g, k))
            warn_of_reversal(o, womersley, excess, friction);
        else if (excess > PULSE_NOTICED * friction)
            message_warn("opening '%s': the prescribed profile is that of steady flow; a developed pulsatile profile "
                         "is flatter (Womersley number %.1f). The mean pressure at the opening is therefore about %.2g "
                         "Pa too low, or more with backflow; for comparison, the friction of the mean flow takes about "
                         "%.2g Pa. Compare mean pressures at sections inside the vessel",
                         o->name, womersley, excess, friction);
    }
}

static bool is_pulse_error_noticed(const case_file *c, const lattice *l, const boundary_values *g, int k,
                                   const pulse_lattice *on) {
    return pulse_error_pa(c, l, g, k, on) > PULSE_ERROR_NOTICED * pulse_error_friction_pa(c, l, g);
}

void solve_messages_pulse_error(const case_file *c, const lattice *l, const boundary_values *g, const scale *s) {
    const pulse_lattice on = {s->dx_m, s->sound_angle, s->regularized};
    for (int k = 0; k < g->n && g->period_s > 0; k++) {
        pulse_lattice finer = {s->dx_m, fmin(s->sound_angle, SCALE_SOUND_ANGLE), s->regularized};
        char remedy[64] = "";
        if (g->wave[k].n == 0 || !pulse_error_varies(&g->wave[k]) || !is_pulse_error_noticed(c, l, g, k, &on))
            continue;
        while (finer.spacing_m > 0.2 * s->dx_m && is_pulse_error_noticed(c, l, g, k, &finer))
            finer.spacing_m *= 0.97;
        if (finer.spacing_m > 0.2 * s->dx_m)
            snprintf(remedy, sizeof remedy, "; use a spacing of %.2g mm or less",
                     units_round_down(finer.spacing_m * 1e3));
        message_warn_serious(
            "opening '%s': the flow varies by more than its mean, so mean pressure drops may be "
            "wrong by up to %.2g Pa on this lattice; the friction of the mean flow takes about %.2g Pa%s",
            l->opening[k].name, pulse_error_pa(c, l, g, k, &on), pulse_error_friction_pa(c, l, g), remedy);
    }
}

/* Layer of the opening with the largest error of the wall shear stress. */
static womersley_layer worst_layer(const case_file *c, const lattice *l, const boundary_values *g, const scale *s,
                                   double dx_m) {
    const double nu = c->blood.viscosity_pa_s / c->blood.density_kg_m3;
    womersley_layer worst = {0};
    for (int k = 0; k < g->n && g->period_s > 0; k++) {
        if (g->condition[k].kind != DOMAIN_FLOW || g->wave[k].n == 0)
            continue;
        const womersley_layer found =
            womersley_layer_of(&g->wave[k], 1e-3 * l->opening[k].radius_mm, nu, dx_m, s->regularized);
        if (found.pulse > LAYER_NOTICED && found.wall > worst.wall)
            worst = found;
    }
    return worst;
}

void solve_messages_layer(const case_file *c, const lattice *l, const boundary_values *g, const scale *s) {
    const womersley_layer o = worst_layer(c, l, g, s, s->dx_m);
    double finer_m = s->dx_m;
    char remedy[64] = "";
    if (!(o.wall > 0) || c->solve.wall == WALL_VLBM)
        return;
    while (worst_layer(c, l, g, s, finer_m).wall > LAYER_NOTICED)
        finer_m *= 0.97;
    if (finer_m < s->dx_m)
        snprintf(remedy, sizeof remedy, "; use a spacing of %.2g mm or less", units_round_down(finer_m * 1e3));
    (finer_m < s->dx_m ? message_warn : message_info)(
        "the wall shear stress pulsates in a wall layer of %.2g mm, %.1f cells: at an instant its error is up to %.3g "
        "%% of its variation over the cycle, and the error of pressure drops up to %.2g %%%s",
        o.layer_m * 1e3, o.layer_m / s->dx_m, 100 * o.wall, 100 * o.drop, remedy);
}

/* Warns of one-cell gaps that were closed because buoyancy cannot be computed in them. */
static void warn_of_gaps(const case_file *c, const domain *d, const scale *s, const heat_gaps *gaps) {
    const double sign = c->space == SPACE_RAS ? -1 : 1; /* sign of x and y in the space of the case */
    if ((double)gaps->n > CLOSED_MANY * (double)d->n_cell)
        message_warn(
            "%lld cells in gaps of one cell width, the first at [%.1f, %.1f, %.1f] mm (%s), are treated as wall, "
            "because buoyancy cannot be computed there; use a spacing of %.2g mm or less to resolve the gaps",
            (long long)gaps->n, sign * gaps->place_mm[0], sign * gaps->place_mm[1], gaps->place_mm[2],
            c->space == SPACE_RAS ? "RAS" : "LPS", units_round_down(0.5 * s->dx_m * 1e3));
}

void solve_messages_heat(const case_file *c, const scale *s, const domain *d, const heat_boundary_values *h,
                         const heat_gaps *gaps) {
    if (!h->on)
        return;
    message_info("heat: temperature difference %.3g K, tau %.4f, Prandtl %.3g, Rayleigh %.3g (widest cross-section), "
                 "expected buoyancy velocity up to %.3g m/s",
                 h->difference_k, s->heat_tau, h->prandtl, h->rayleigh, h->velocity_m_s);
    const double peclet = s->velocity * 4 / (s->heat_tau - 0.5);
    if (peclet > HEAT_COARSE)
        message_warn("resolution: the cell Peclet number is %.0f (velocity times spacing over diffusivity, limit "
                     "%.0f): thermal boundary layers may be thinner than a cell; use a spacing of %.2g mm or less",
                     peclet, HEAT_COARSE, units_round_down(HEAT_COARSE / peclet * s->dx_m * 1e3));
    warn_of_gaps(c, d, s, gaps);
}

void solve_messages_backflow(const boundary_values *g, const run_result *r, double flow_scale_m3_s) {
    double in = 0;
    for (int k = 0; k < g->n; k++)
        in += fmax(r->flow[k], 0.0);
    /* a pulsatile flow of an opening may exceed the mean inflow; fmax skips NaN */
    for (int k = 0; k < g->n && g->period_s > 0; k++)
        in = fmax(in, fabs(g->largest_m3_s[k]) / flow_scale_m3_s);
    for (int k = 0; k < g->n; k++) {
        const bool outlet = g->from[k]->role == ROLE_OUTLET;
        if (g->condition[k].kind != DOMAIN_PRESSURE || !((outlet ? 1 : -1) * r->flow[k] > NOTICED * in))
            continue;
        message_warn_serious("%.3g mL/s %s the vessel through the %s '%s', because the pressure there is %s than "
                             "inside; compare the pressures of the openings",
                             1e6 * fabs(r->flow[k]) * flow_scale_m3_s, outlet ? "enter" : "leave",
                             outlet ? "outlet" : "inlet", g->from[k]->name, outlet ? "higher" : "lower");
    }
}

/* Reports the velocity error in vessels at an angle to the grid. The error comes from third derivatives of the velocity
 * and grows with the Reynolds number. */
static void warn_regularized(const scale *s, double narrowest) {
    const double percent = SLANT_PERCENT * s->reynolds / (narrowest * narrowest);
    message_info("velocities and frictional pressure losses may have errors of up to about %.2g %% in vessels at an "
                 "angle to the grid; half the spacing reduces this to a quarter (cell Reynolds number %.1f, above 8: "
                 "regularized collision)",
                 percent, s->cell_reynolds);
}

/* Error of the pulsating flow by the lattice speed of sound, percent (scale.h). */
static double sound_percent(double angle) {
    return 100 * (1 / cos(angle) - 1);
}

/* Appends advice for a case where the lattice causes the oscillation. Longer time steps damp oscillations more, but
 * raise the error due to the lattice speed of sound (scale.h). */
static void not_periodic_remedy(const scale *s, size_t size, char *text) {
    const double longer = fmin(SCALE_SOUND_MOST / s->sound_angle, 0.1 / s->velocity);
    const double finer = fmax(0.5, fmin(0.7, SETTLES / s->cell_reynolds));
    const int n =
        snprintf(text, size,
                 "the lattice may be the cause (cell Reynolds number %.0f, tau %.4f): use a spacing of %.2g mm or less",
                 s->cell_reynolds, s->tau, units_round_down(finer * s->dx_m * 1e3));
    if ((strcmp(s->limit, SCALE_SOUND) == 0 || strcmp(s->limit, SCALE_DAMPING) == 0) && longer >= 1.5)
        snprintf(text + n, size - (size_t)n,
                 ", or write solve: {time_step: %.2g s} (error of the pulsating flow then up to %.0f %%)",
                 units_round_down(longer * s->dt_s), sound_percent(longer * s->sound_angle));
}

/* Warns of time steps longer than the sound limit of scale.h. The error at an instant is up to twice sound_percent
 * (PULSATILE.md). */
static void warn_of_damping(const scale *s) {
    const double percent = sound_percent(s->sound_angle);
    void (*say)(const char *, ...) = percent > SOUND_WARN ? message_warn : message_info;
    say("flows and pressures at an instant have errors of about %.2g %% of their variation over the cycle, at most "
        "twice this; mean flows have no such error. Use a spacing of %.2g mm or less to avoid it. Reason: the time "
        "step is %.2g times the limit of accurate pressure waves, because shorter steps would add numerical "
        "friction on this coarse lattice (cell Reynolds number %.1f, limit %d)",
        percent, units_round_down(SCALE_UNSTEADY / s->cell_reynolds * s->dx_m * 1e3),
        s->sound_angle / SCALE_SOUND_ANGLE, s->cell_reynolds, SCALE_UNSTEADY);
}

void solve_messages_limited(const scale *s) {
    message_warn_about(
        "reynolds",
        "the flow diverged: stresses are limited from here on to keep the run stable; pressure drops may be too high, "
        "and flows between prescribed pressures too low (cell Reynolds number %.0f); use a spacing of %.2g mm or less",
        s->cell_reynolds,
        units_round_down(fmin(resolution_limits_of(s->cumulant).cell_reynolds / s->cell_reynolds, FINER) * s->dx_m *
                         1e3));
}

void solve_messages_too_coarse(const case_file *c, const run_settings *r, const run_result *result) {
    char off[CASE_FRICTION];
    const double found = run_cell_reynolds(r, result);
    message_warn_about(
        "reynolds",
        "TOO COARSE: the blood reaches %.3g m/s, a cell Reynolds number of %.0f (limit %.0f), where the vessel has "
        "%.1f cells per diameter: %s. The numbers of this run must not be used; use a spacing of %.2g mm or less",
        result->velocity_max * r->s->velocity_scale, found, resolution_limits_of(r->corners).cell_reynolds,
        r->fastest_across, case_write_friction(c, run_friction(r, result), off),
        units_round_down(r->s->dx_m * 1e3 * resolution_limits_of(r->corners).cell_reynolds / found));
}

void solve_messages_not_periodic(const scale *s, const run_progress *p) {
    char remedy[400] = "";
    if (s->regularized)
        not_periodic_remedy(s, sizeof remedy, remedy);
    message_warn_about("unsteady",
                       "the flow does not repeat from cycle to cycle, and more cycles do not help: the velocity of "
                       "cycle %d differs from the cycle before by %.2g %% "
                       "(one cycle earlier by %.2g %%); %s%s the flow itself may be unsteady (Reynolds number %.0f)",
                       p->cycle, 100 * p->cycle_change, 100 * p->cycle_change_before, remedy,
                       remedy[0] ? "; if this does not help," : "", s->reynolds);
}

/* Reports the place of the largest velocity. Returns the cells per diameter there, or at the smallest opening. */
static double report_fastest(const case_file *c, const lattice *l, const scale *s, const potential_flow_result *reach) {
    const potential_flow_section *at = &reach->fastest;
    char place[CASE_WHERE];
    /* spacing of l over the spacing of the run; above 1 in a dry run, where the lattice to compute is finer than l */
    const double finer = l->spacing_mm / (1e3 * s->dx_m);
    double narrowest = INFINITY;
    if (reach->known && at->velocity_m_s > 0) {
        message_info("fastest flow at %s: %.3g mm wide, %.1f cells per diameter, mean velocity %.3g m/s, Reynolds "
                     "%.0f, cell Reynolds %.3g",
                     case_write_point(c, at->place_mm, place), at->diameter_mm, at->cells_per_diameter * finer,
                     at->velocity_m_s, at->reynolds, s->cell_reynolds);
        return at->cells_per_diameter * finer;
    }
    for (int k = 0; k < l->n_opening; k++)
        if (l->opening[k].role != LATTICE_MOVING_WALL)
            narrowest = fmin(narrowest, 2e-3 * l->opening[k].radius_mm / s->dx_m);
    return narrowest;
}

void solve_messages_coarse(const case_file *c, const scale *s, double across) {
    char off[CASE_FRICTION];
    const double friction =
        resolution_friction(s->cumulant, s->cell_reynolds, isfinite(across) ? across : UNKNOWN_ACROSS);
    if (friction > RESOLUTION_FRICTION_USELESS)
        message_warn_about(
            "resolution",
            "resolution: the lattice is too coarse at the place of the largest velocity (cell Reynolds "
            "number %.0f, limit %.0f): %s; use a spacing of %.2g mm or less",
            s->cell_reynolds, resolution_limits_of(s->cumulant).cell_reynolds, case_write_friction(c, friction, off),
            units_round_down(s->dx_m * 1e3 * resolution_limits_of(s->cumulant).cell_reynolds / s->cell_reynolds));
}

void solve_messages_choice(const case_file *c, const lattice *l, const scale *s, int64_t n_cell, int64_t n_link,
                           const potential_flow_result *reach, double widest) {
    double narrowest = report_fastest(c, l, s, reach);
    const bool told = isfinite(narrowest); /* true if mesh has reported the openings and the minimum cross-section */
    if (!told)
        narrowest = widest;
    message_info("spacing %.3g mm, time step %.3g s (limited by %s), tau %.4f, Mach %.3f, Reynolds %.4g", s->dx_m * 1e3,
                 s->dt_s, s->limit, s->tau, s->mach, s->reynolds);
    if (case_is_shear_thinning(c)) {
        char blood[CASE_BLOOD_NAME];
        message_info("blood: %s; tau and the Reynolds number refer to the viscosity at the wall, %.3g mPa s",
                     case_write_blood(c, blood),
                     1e3 * c->blood.density_kg_m3 * s->viscosity * s->dx_m * s->dx_m / s->dt_s);
    }
    /* no warning in a steady grid sequence, whose intervals include the error of the regularized collision */
    if (s->regularized && (c->mesh.grid_levels < 2 || s->steps_per_period > 0))
        warn_regularized(s, narrowest);
    solve_messages_coarse(c, s, narrowest);
    if (case_sets_time_step(c) && s->regularized && s->velocity > 0 && s->velocity < SCALE_SHORT)
        message_warn_serious("the time step is short for this lattice: at a lattice velocity of %.2g (recommended: "
                             "0.05 or more) friction and pressure drops have errors of several %%; remove "
                             "solve.time_step, solve.tau and solve.max_lattice_velocity to use the default",
                             s->velocity);
    if (c->solve.collision == COLLISION_BGK && (s->tau > BGK_TAU[1] || s->tau < BGK_TAU[0]))
        message_warn(
            "solve.collision bgk: the wall position depends on tau, %.3g here; errors of pressure drops are several %% "
            "(a pipe with 12 cells per diameter: 11 %% at 0.51, -4 %% at 1.5, -8 %% at 1.9); write solve: {collision: "
            "trt}",
            s->tau);
    if (strcmp(s->limit, SCALE_DAMPING) == 0)
        warn_of_damping(s);
    if (s->steps_per_period > 0)
        message_info("period %.4g s in %d steps, Womersley %.3g", s->steps_per_period * s->dt_s, s->steps_per_period,
                     s->womersley);
    warn_half_precision(c);
    say_float(c);
    message_info("%lld active cells, %lld cut links, %.1f cells per diameter at the minimum cross-section",
                 (long long)n_cell, (long long)n_link, narrowest);
    if (c->solve.wall == WALL_VLBM)
        message_warn_serious(
            "solve.wall vlbm is first-order accurate: expect errors of about %.0f %% in flow, pressure drop "
            "and wall shear stress at %.0f cells per diameter (in a pipe: 20 %% at 16, 9 %% at 32, 4 "
            "%% at 64); solve.wall interpolated has errors below 1 %% from 16 cells per diameter on",
            VLBM_PERCENT * VLBM_CELLS / narrowest, narrowest);
    if (narrowest < RESOLUTION_CELLS_TOLERANCE * resolution_limits_of(s->cumulant).cells_required && !told &&
        !(c->solve.heat.on && l->n_opening == 0))
        message_warn_about(
            "resolution",
            "resolution: only %.1f cells per diameter at the minimum cross-section: errors of pressure drops are "
            "several %% (minimum %d, recommended %d or more); use a spacing of %.2g mm or less",
            narrowest, resolution_limits_of(s->cumulant).cells_required, resolution_limits_of(s->cumulant).cells_good,
            units_round_down(s->dx_m * 1e3 * narrowest / resolution_limits_of(s->cumulant).cells_good));
}

void solve_messages_averaging(const run_progress *p) {
    message_info("the residual, %.1e, has stopped falling after %.3g s: pressures and flows are averaged from here on",
                 p->change, p->time_s);
}

void solve_messages_still(double largest) {
    message_info(
        "the flow counts as steady: the velocity still fluctuates, but pressures and flows vary by %.2g %% or less",
        100 * largest);
}

void solve_messages_unsteady(const lattice *l, const scale *s, const run_result *r) {
    int from = 0, to = 0;
    for (int k = 1; k < l->n_opening; k++) {
        from = r->density[k] > r->density[from] ? k : from;
        to = r->density[k] < r->density[to] ? k : to;
    }
    const fluctuation_value d = fluctuation_of(&r->statistics, 2 * from + 1, 2 * to + 1);
    if (s->cell_reynolds > COARSE)
        message_warn_about(
            "unsteady",
            "the flow is unsteady, and the cell Reynolds number is %.0f (limit %.0f): a coarse lattice may "
            "be the cause; compare with a spacing of %.2g mm or less",
            s->cell_reynolds, COARSE, units_round_down(s->dx_m * 1e3 * 0.9 * COARSE / s->cell_reynolds));
    message_warn("the flow is unsteady: all values are means over %.3g s; the pressure difference %s - %s is %.4g Pa "
                 "and varies from %.4g to %.4g (standard deviation %.2g %%, standard error of the mean %.2g %%)",
                 r->unsteady_s, l->opening[from].name, l->opening[to].name, d.mean * s->pressure_scale,
                 d.low * s->pressure_scale, d.high * s->pressure_scale, 100 * d.deviation / fabs(d.mean),
                 100 * d.error / fabs(d.mean));
}

/* Index of the opening with the nearest centre; -1 without openings. */
static int nearest_opening(const lattice *l, const double p[3], double *distance_mm) {
    int nearest = -1;
    *distance_mm = INFINITY;
    for (int k = 0; k < l->n_opening; k++) {
        const double *o = l->opening[k].centre_mm;
        const double distance = sqrt(pow(p[0] - o[0], 2) + pow(p[1] - o[1], 2) + pow(p[2] - o[2], 2));
        if (distance < *distance_mm) {
            *distance_mm = distance;
            nearest = k;
        }
    }
    return nearest;
}

typedef struct {
    bool found;
    double mm[3];
} found_place;

static void join_place(void *all, const void *more, size_t bytes) {
    if (((const found_place *)more)->found)
        memcpy(all, more, bytes);
}

int solve_messages_diverged(const case_file *c, const lattice *l, const domain *d, double time_s,
                            const run_trouble *t) {
    double distance_mm;
    char near[160] = "";
    found_place at = {.found = false};
    for (int64_t k = 0; k < d->n_cell && !at.found; k++)
        if (domain_number(d, k) == t->cell) {
            at.found = true;
            lattice_centre_mm(l, d->stored[k], at.mm);
        }
    const int rc = ranks_join(&at, sizeof at, join_place);
    if (rc != OK)
        return rc;
    const double *p = at.mm;
    const int k = nearest_opening(l, p, &distance_mm);
    if (k >= 0)
        snprintf(near, sizeof near, ", %.1f mm from the centre of opening '%s'", distance_mm, l->opening[k].name);
    const double sign = c->space == SPACE_RAS ? -1 : 1; /* sign of x and y in the space of the case */
    return fail(ERR_NUMERIC,
                "the flow diverged before step %ld (%.4g s); %s [%.1f, %.1f, %.1f] mm (%s)%s. The lattice velocity was "
                "above 0.5 or not a number; use a smaller spacing, lower solve.max_lattice_velocity, or lower the flow",
                t->step, time_s, t->origin ? "the velocity was last highest at" : "first seen near", sign * p[0],
                sign * p[1], p[2], c->space == SPACE_RAS ? "RAS" : "LPS", near);
}

int solve_messages_porous(const case_file *c, const lattice *l, const fields *f) {
    const double viscosity_m2_s = c->blood.viscosity_pa_s / c->blood.density_kg_m3;
    int rc = OK;
    for (int k = 0; k < c->n_porous; k++) {
        const case_porous *p = &c->porous[k];
        double square = 0;
        for (int64_t i = 0; i < l->n_cell; i++) {
            const float *u = f->velocity_m_s + 3 * i;
            const double x = (double)u[0], y = (double)u[1], z = (double)u[2];
            if (l->region[i] == k + 1)
                square = fmax(square, x * x + y * y + z * z);
        }
        TRY(ranks_largest(&square));
        const double reynolds = sqrt(square * p->permeability_m2) / viscosity_m2_s;
        if (reynolds > POROUS_REYNOLDS)
            message_warn_serious("porous region '%s': the flow up to %.2g m/s is too fast for Darcy's law: velocity x "
                                 "square root of the permeability / kinematic viscosity is %.2g (limit %g), so the "
                                 "pressure drop across the region is too small; check the permeability and the flow",
                                 p->name, sqrt(square), reynolds, POROUS_REYNOLDS);
    }
cleanup:
    return rc;
}
