/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/setup/setup_ranks.h"
#include "solve/setup/setup_step.h"
#include "solve/output/checkpoint.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/blood/section_reynolds.h"
#include "common/lattice/lattice_coarsen.h"
#include "common/record/json.h"
#include "solve/boundary/pulse_error.h"
#include "solve/boundary/pulse_inlets.h"
#include "solve/boundary/shear_inlets.h"
#include "solve/ranks/ranks.h"
#include "solve/output/solve_messages.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fraction by which a pressure outlet of a steady flow approaches its prescribed pressure per step, times the number of
 * steps in which sound crosses the box. Sound can leave through a slow outlet; reflected sound keeps jets from settling
 * (OPENINGS.md). */
static const double OUTLET_RATE = 8;
/* STRESS_LIMIT: upper limit of the viscous stress in the collision, divided by the expected lattice velocity. It keeps
 * a steady run bounded above cell Reynolds number STRESS_REYNOLDS, or after a divergence. It adds friction, so other
 * runs have no limit. STRESS_ROOM: smallest ratio of the limit to the wall stress of a developed flow. */
static const double STRESS_LIMIT = 0.12, STRESS_REYNOLDS = 100, STRESS_ROOM = 2;

/* Diagonal of the box. */
double setup_length_cells(const lattice *l) {
    double square = 0;
    for (int a = 0; a < 3; a++)
        square += (double)l->dims[a] * l->dims[a];
    return sqrt(square);
}

static int widest_cells(const lattice *l, double *cells) {
    float deepest = 0;
#pragma omp parallel for schedule(static) reduction(min : deepest)
    for (int64_t c = 0; c < l->n_cell; c++)
        deepest = fminf(deepest, l->distance_mm[c]);
    *cells = fmax(-deepest / l->spacing_mm, 1.0);
    return ranks_largest(cells);
}

/* Chooses diameter and mean velocity for the Reynolds number: at the fastest cross-section, else at the smallest
 * opening. */
static void choose_section(const solve_vessel *v, solve_march *m, double radius_m) {
    const lattice *l = &v->lattice;
    scale_request *q = &m->request;
    int narrowest = -1;
    for (int k = 0; k < l->n_opening; k++)
        if (l->opening[k].role != LATTICE_MOVING_WALL &&
            (narrowest < 0 || l->opening[k].radius_mm < l->opening[narrowest].radius_mm))
            narrowest = k;
    q->diameter_m = narrowest >= 0 ? 2e-3 * l->opening[narrowest].radius_mm : 2 * radius_m;
    q->diameter_velocity_m_s = narrowest >= 0 && v->openings.condition[narrowest].kind == DOMAIN_FLOW
                                   ? fabs(v->openings.largest_m3_s[narrowest]) / (1e-6 * l->opening[narrowest].area_mm2)
                                   : 0.5 * q->velocity_m_s;
    const potential_flow_section *fastest = &v->reach.fastest;
    if (!v->reach.known || !(fastest->velocity_m_s > 0))
        return;
    q->velocity_m_s = fmax(q->velocity_m_s, 2 * fastest->velocity_m_s);
    q->diameter_m = 1e-3 * fastest->diameter_mm;
    q->diameter_velocity_m_s = fastest->velocity_m_s;
}

/* Shear-thinning blood: time step, tau and Reynolds number use the viscosity at the wall of the cross-section of
 * choose_section. If no opening prescribes a flow, the velocities of the request are valid for the nominal viscosity;
 * they are scaled so that the wall shear stress stays the same. */
static void choose_viscosity(const case_file *c, const boundary_values *g, scale_request *q) {
    const viscosity_law law = case_viscosity_law(c);
    bool given = false;
    if (!case_is_shear_thinning(c))
        return;
    for (int k = 0; k < g->n; k++)
        given = given || g->condition[k].kind == DOMAIN_FLOW;
    if (!given && q->diameter_velocity_m_s > 0) {
        const double rate = 8 * q->diameter_velocity_m_s / q->diameter_m;
        const double factor = viscosity_law_rate_1_s(&law, q->viscosity_pa_s * rate) / rate;
        q->velocity_m_s *= factor;
        q->diameter_velocity_m_s *= factor;
    }
    q->viscosity_pa_s = viscosity_law_wall_pa_s(&law, q->diameter_velocity_m_s, q->diameter_m);
}

static int make_look(solve_vessel *v) {
    lattice_coarsening c = {.factor = lattice_coarsen_factor(v->lattice.n_cell, SETUP_PREVIEW_CELLS)};
    int rc = OK;
    if (v->preview) /* with several ranks, setup_ranks_read has set the preview, a coarser lattice */
        return OK;
    v->preview = &v->lattice;
    if (c.factor == 1)
        return OK;
    TRY(lattice_coarsen_add(&c, &v->lattice, 0));
    TRY(lattice_coarsen_end(&c, &v->coarse));
    v->preview = &v->coarse;
cleanup:
    lattice_coarsen_free(&c);
    return rc;
}

/* Finds the place of the largest velocity by potential flow, with its cells per diameter on the lattice of the run. */
static int find_reach(const solve_inputs *in, solve_vessel *v) {
    const case_file *c = &in->c;
    const double finer = v->preview->spacing_mm / v->lattice.spacing_mm;
    const viscosity_law law = case_viscosity_law(c);
    const int n = v->lattice.n_opening;
    double *given = malloc(((size_t)n + 1) * sizeof *given);
    if (!given)
        return fail_memory("the flows", 8.0 * n);
    memcpy(given, v->openings.largest_m3_s, (size_t)n * sizeof *given);
    case_estimate_flows(c, n, v->lattice.opening, given);
    const potential_flow_input flow = {
        .tolerance = 1e-3, .nu_m2_s = c->blood.viscosity_pa_s / c->blood.density_kg_m3, .flow_m3_s = given};
    const int rc = potential_flow(v->preview, &flow, &v->reach);
    section_reynolds_at_wall(&law, c->blood.viscosity_pa_s, &v->reach.fastest);
    v->reach.fastest.cells_per_diameter *= finer;
    free(given);
    return rc;
}

int setup_require_driven(const case_file *c) {
    return case_is_driven(c) ? OK
                             : fail(ERR_INPUT,
                                    "nothing drives the flow: every flow, velocity, pressure difference and "
                                    "force in the case is 0%s; give one opening a flow",
                                    c->solve.mode == MODE_STEADY ? " (mean of the waveform, in mode steady)" : "");
}

int setup_wall(const case_file *c) {
    return c->solve.wall == WALL_VLBM ? DOMAIN_WALL_VLBM
           : case_uses_cumulants(c)   ? DOMAIN_WALL_QUADRATIC
                                      : DOMAIN_WALL_INTERPOLATED;
}

/* Sets the developed profiles of shear-thinning blood and of pulsatile flow. In these, shear-thinning blood has the
 * viscosity at the wall in the mean flow of the opening. Errors: as pulse_inlets_set. */
static int set_profiles(const case_file *c, solve_vessel *v) {
    const viscosity_law law = case_viscosity_law(c);
    double nu_m2_s[BACKEND_OPENINGS];
    if (case_is_shear_thinning(c))
        shear_inlets_set(&law, &v->openings, &v->lattice);
    for (int k = 0; k < v->openings.n; k++) {
        const lattice_opening *o = &v->lattice.opening[k];
        const double mean_m_s = fabs(v->openings.mean_m3_s[k]) / (1e-6 * o->area_mm2);
        const bool thins = case_is_shear_thinning(c) && mean_m_s > 0;
        nu_m2_s[k] = (thins ? viscosity_law_wall_pa_s(&law, mean_m_s, 2e-3 * o->radius_mm) : c->blood.viscosity_pa_s) /
                     c->blood.density_kg_m3;
    }
    return c->solve.mode == MODE_PULSATILE ? pulse_inlets_set(&v->lattice, v->share.mark, nu_m2_s, &v->openings) : OK;
}

int setup_scale(solve_job *j) {
    const case_file *c = &j->in.c;
    const lattice *l = &j->vessel.lattice;
    int rc;
    TRY(setup_require_driven(c));
    TRY(case_take_split(&j->in.c, l->n_opening, l->opening));
    TRY(widest_cells(l, &j->vessel.radius_cells));
    const double radius_m = 1e-3 * j->vessel.radius_cells * l->spacing_mm;
    TRY(boundary_values_create(c, l, radius_m, &j->vessel.openings));
    TRY(set_profiles(c, &j->vessel));
    TRY(heat_boundary_values_create(c, l, radius_m, &j->vessel.heat));
    j->vessel.openings.fastest_m_s = fmax(j->vessel.openings.fastest_m_s, j->vessel.heat.velocity_m_s);
    if (c->solve.mode == MODE_PULSATILE && !(j->vessel.openings.period_s > 0))
        GIVE_UP(fail(ERR_INPUT, "solve.mode pulsatile needs a waveform at one opening, or solve.period; give one of "
                                "them, or write solve: {mode: steady}"));
    TRY(make_look(&j->vessel));
    TRY(find_reach(&j->in, &j->vessel));
    j->march.request = (scale_request){.dx_m = 1e-3 * (j->in.asked_mm > 0 ? j->in.asked_mm : l->spacing_mm),
                                       .density_kg_m3 = c->blood.density_kg_m3,
                                       .viscosity_pa_s = c->blood.viscosity_pa_s,
                                       .velocity_m_s = j->vessel.openings.fastest_m_s,
                                       .period_s = j->vessel.openings.period_s,
                                       .beat_s = j->vessel.openings.beat_s,
                                       .velocity_limit = c->solve.max_lattice_velocity,
                                       .tau = c->solve.tau,
                                       .dt_s = c->solve.dt_s,
                                       .bgk = c->solve.collision == COLLISION_BGK,
                                       .cumulant = case_uses_cumulants(c),
                                       .shear_thinning = case_is_shear_thinning(c),
                                       .diffusivity_m2_s = j->vessel.heat.on ? c->solve.heat.diffusivity_m2_s : 0,
                                       .finest_part = j->in.grid->finest_part,
                                       .coarsest_part = j->in.grid->coarsest_part};
    const cJSON *first = j->in.sequence ? j->in.sequence->run[0].result : NULL;
    if (first && !j->in.sequence->run[0].mean && !j->march.request.bgk) {
        j->march.request.collision = !cJSON_IsTrue(json_find(first, "regularized"))     ? SCALE_PLAIN
                                     : json_get_number(first, "third_moments_kept") > 0 ? SCALE_THIRD
                                                                                        : SCALE_REGULARIZED;
        j->march.request.fourth = json_get_number(first, "fourth_moments");
    }
    choose_section(&j->vessel, &j->march, radius_m);
    choose_viscosity(c, &j->vessel.openings, &j->march.request);
    j->march.request.length_m = 1e-3 * l->spacing_mm * setup_length_cells(l);
    TRY(pulse_error_check_cumulants(c));
    j->march.request.sound_most = pulse_error_sound_angle(c, l, &j->vessel.openings);
    TRY(scale_choose(&j->march.request, &j->march.scale));
    TRY(scale_check_cumulants(&j->march.request, &j->march.scale));
    j->vessel.openings.from_mean = j->vessel.openings.period_s > 0 && j->in.sequence && j->in.grid->start >= 0 &&
                                   j->in.sequence->run[j->in.grid->start].result;
    if (case_sets_time_step(c))
        TRY(scale_check_given(&j->march.scale));
    const double tau_most = scale_tau_most(&j->march.request);
    if (case_is_shear_thinning(c) && j->march.scale.tau > tau_most * (1 + 1e-9))
        rc = fail(
            ERR_INPUT,
            "shear-thinning blood (blood.model) needs a relaxation time tau up to %.3g at the wall, and %s gives %.3g; "
            "remove solve.tau and solve.time_step, which then follow from the flow",
            tau_most, isfinite(c->solve.tau) ? "solve.tau" : "solve.time_step", j->march.scale.tau);
cleanup:
    return rc;
}

/* Limits the number of threads, so that each has enough cells between two barriers. */
static int threads_worth(int threads, int64_t cells) {
    const int64_t worth = cells / 16384 + 1;
    return worth < threads ? (int)worth : threads;
}

/* Stress limit of the collision. It must exceed the wall stress of a developed flow, which is 2 sqrt(2) / 3 times the
 * velocity over the cells per diameter. */
static double stress_limit(const solve_march *m) {
    const double across = m->request.diameter_m / m->scale.dx_m;
    return fmax(STRESS_LIMIT, STRESS_ROOM * 2 * sqrt(2) / 3 / across) * m->scale.velocity;
}

/* Part of the difference to the prescribed density that a pressure outlet removes in each step, 0 to 1
 * (solve/BOUNDARY_LINKS.md, eq. 10). With half precision the rate is BACKEND_AT_ONCE,
 * because rounding would lose the small changes of slow outlets. */
static double outlet_rate(const solve_inputs *in, const solve_vessel *v, const solve_march *m) {
    const double slow = OUTLET_RATE / (sqrt(3.0) * setup_length_cells(&v->lattice));
    if (m->scale.steps_per_period > 0)
        return 1;
    return in->c.solve.precision == BACKEND_HALF ? BACKEND_AT_ONCE : fmin(1, slow);
}

int setup_monitor_every(const solve_inputs *in, const solve_vessel *v, const solve_march *m) {
    const int given = in->c.solve.monitor_every, period = m->scale.steps_per_period;
    const int every = given > 0    ? (given + 1) / 2 * 2
                      : period > 0 ? 2 * (period / 200 + 1)
                                   : run_monitor_every(v->radius_cells, m->scale.viscosity);
    const int often = 2 * (period / 100 + 1); /* means over the cycle are computed from monitors */
    if (period > 0)
        return every < often ? every : often;
    /* The network of openings follows the flows of the monitors at least once in a passage of sound (20 steps or more).
     * Behind large resistances a small error of these flows is a large error of the pressure drop. */
    if (v->openings.network.n > 0 && !(given > 0))
        return 2 * (int)fmax(10, fmin(every / 2, floor(0.5 * sqrt(3.0) * setup_length_cells(&v->lattice))));
    return every;
}

/* backend_settings.advection_rate; the correction is for steady flow only. */
static double correction_rate(const solve_march *m, int monitor_every) {
    const bool corrected = m->scale.cumulant && m->scale.steps_per_period == 0;
    return corrected ? run_advection_rate(monitor_every, m->scale.viscosity) : 0;
}

/* Sets the outlet rate, stress limit and threads of the backend. */
static void choose_rates(const solve_inputs *in, solve_vessel *v, solve_march *m) {
    m->settings = (backend_settings){
        .omega_plus = m->scale.omega_plus,
        .omega_minus = m->scale.omega_minus,
        .precision = in->c.solve.precision,
        .regularized = m->scale.regularized,
        .cumulant = m->scale.cumulant,
        .advection_rate = correction_rate(m, setup_monitor_every(in, v, m)),
        .fourth = m->scale.fourth,
        .stress_limit = m->has_diverged || (m->scale.cell_reynolds > STRESS_REYNOLDS && m->scale.steps_per_period == 0)
                            ? stress_limit(m)
                            : 0,
        .pressure_rate = outlet_rate(in, v, m),
        .threads = threads_worth(in->options->threads, v->lattice.n_cell)};
    for (int a = 0; a < 3; a++) {
        m->settings.force[a] = in->c.solve.force_m_s2[a] * m->scale.dt_s * m->scale.dt_s / m->scale.dx_m;
        m->settings.forced |= m->settings.force[a] != 0;
    }
    heat_boundary_values_scale(&in->c, &m->scale, v->radius_cells, &v->heat);
    if (case_is_shear_thinning(&in->c)) {
        const viscosity_law law = case_viscosity_law(&in->c);
        viscosity_table_fill(&law, in->c.blood.density_kg_m3, m->scale.dx_m, m->scale.dt_s, &m->viscosity);
        m->settings.viscosity = &m->viscosity;
    }
    m->porous = (porous_media){{0}};
    for (int k = 0; k < in->c.n_porous; k++)
        m->porous.drag[k + 1] =
            v->porous_factor[k] * m->scale.viscosity * m->scale.dx_m * m->scale.dx_m / in->c.porous[k].permeability_m2;
    m->settings.porous = in->c.n_porous > 0 ? &m->porous : NULL;
    m->settings.heat = v->heat.on ? &v->heat.h : NULL;
    m->settings.forced |= v->heat.on;
}

/* Permeabilities in units of spacing^2. Pressure needs many steps to cross a porous cell: below POROUS_SLOW a run may
 * end before the drop has its value, below POROUS_LEAST it does. */
static const double POROUS_SLOW = 1e-3, POROUS_LEAST = 1e-4;
/* Below this permeability (spacing^2) some plugs between free flow diverge with cumulants: at a cell Reynolds number of
 * 9 from 0.001, of 36 from 0.002, of 54 from 0.008. Two relaxation times settle there. */
static const double POROUS_CUMULANT = 0.02;

/* Largest spacing of the finest lattice, mm, at which the permeability of region k is at least `limit` spacing^2 on the
 * lattice of this run. Rounded down to two digits. */
static double porous_spacing_mm(const solve_inputs *in, int k, double limit) {
    const double mm =
        1e3 * sqrt(in->c.porous[k].permeability_m2 / limit) * (in->grid->finest_part > 0 ? in->grid->finest_part : 1);
    const double digit = pow(10, floor(log10(mm)) - 1);
    return digit * floor(mm / digit * (1 + 1e-9));
}

/* Prepares the walls of the porous regions. Errors: ERR_INPUT if the lattice has no cell in a porous region of the
 * case, or if a permeability is below POROUS_LEAST. */
static int prepare_porous(const solve_inputs *in, solve_vessel *v) {
    const case_file *c = &in->c;
    const domain *d = &v->domain;
    double cells[POROUS_REGIONS] = {0};
    int64_t active[POROUS_REGIONS + 1] = {0}; /* number of active cells of each region */
    porous_volumes volumes = porous_volumes_of(&v->lattice);
    int rc = OK;
    for (int64_t k = 0; d->region && k < d->n_cell; k++)
        if (d->region[k] <= POROUS_REGIONS)
            active[d->region[k]]++;
    for (int k = 1; k <= c->n_porous; k++) {
        TRY(ranks_total(&active[k]));
        TRY(ranks_total(&volumes.cells[k]));
        TRY(ranks_total(&volumes.subcells[k]));
    }
    for (int k = 0; k < c->n_porous; k++)
        if (active[k + 1] == 0)
            GIVE_UP(
                fail(ERR_INPUT,
                     "porous region '%s' has no cell with flow (cells of %.3g mm): no cell of it is connected to an "
                     "opening; correct its place in the key porous, or use a smaller mesh.spacing",
                     c->porous[k].name, v->lattice.spacing_mm));
    /* a dry run may read a coarser lattice than the run would have */
    const double spacing_mm = in->asked_mm > 0 ? in->asked_mm : v->lattice.spacing_mm;
    for (int k = 0; k < c->n_porous; k++) {
        cells[k] = c->porous[k].permeability_m2 / pow(1e-3 * v->lattice.spacing_mm, 2);
        const double part = c->porous[k].permeability_m2 / pow(1e-3 * spacing_mm, 2);
        if (part < POROUS_LEAST)
            GIVE_UP(
                fail(ERR_INPUT,
                     "porous region '%s': its permeability of %.3g m2 is %.2g times the square of the spacing of %.3g "
                     "mm (limit %g times); use mesh.spacing %.2g mm or finer",
                     c->porous[k].name, c->porous[k].permeability_m2, part, spacing_mm, POROUS_LEAST,
                     porous_spacing_mm(in, k, POROUS_LEAST)));
        if (part < POROUS_SLOW)
            message_warn_serious("porous region '%s': its permeability of %.3g m2 is %.2g times the square of the "
                                 "spacing of %.3g mm; below %g times, the pressure drop across it may be wrong; use "
                                 "mesh.spacing %.2g mm or finer",
                                 c->porous[k].name, c->porous[k].permeability_m2, part, spacing_mm, POROUS_SLOW,
                                 porous_spacing_mm(in, k, POROUS_SLOW));
        if (case_uses_cumulants(c) && part < POROUS_CUMULANT)
            message_warn(
                "porous region '%s': its permeability of %.3g m2 is %.2g times the square of the spacing of %.3g mm; "
                "below %g times, the flow may diverge with cumulants; write solve: {collision: trt}",
                c->porous[k].name, c->porous[k].permeability_m2, part, spacing_mm, POROUS_CUMULANT);
    }
    if (c->n_porous > 0)
        porous_walls(volumes, c->n_porous, cells, &v->domain, v->porous_factor);
cleanup:
    return rc;
}

int setup_domain(solve_job *j, double *needed, double *available) {
    int64_t links;
    int rc;
    choose_rates(&j->in, &j->vessel, &j->march);
    for (int k = 0; k < j->vessel.openings.n; k++) {
        j->vessel.openings.condition[k].slip = j->in.c.solve.wall == WALL_VLBM ? 0 : scale_slip(&j->march.scale);
        j->vessel.openings.condition[k].heat = j->vessel.heat.on;
    }
    if (j->vessel.heat.velocity_m_s > 0)
        TRY(heat_gaps_close(&j->vessel.lattice, &j->vessel.heat.h, &j->vessel.gaps));
    if (ranks_count() > 1)
        TRY(setup_ranks_domain(&j->in, &j->vessel));
    else
        TRY(domain_create(&j->vessel.lattice, setup_wall(&j->in.c), j->vessel.openings.condition, &j->vessel.domain));
    TRY(prepare_porous(&j->in, &j->vessel));
    choose_rates(&j->in, &j->vessel, &j->march); /* the drag depends on the walls */
    links = j->vessel.domain.n_link;
    TRY(ranks_total(&links));
    if (j->in.c.solve.wall == WALL_INTERPOLATED && !j->vessel.heat.on)
        boundary_values_set_back(&j->vessel.openings, &j->vessel.lattice, &j->vessel.domain,
                                 j->march.request.viscosity_pa_s);
    solve_messages_choice(&j->in.c, &j->vessel.lattice, &j->march.scale, domain_cells(&j->vessel.domain), links,
                          &j->vessel.reach, 2.0 * j->vessel.radius_cells);
    solve_messages_heat(&j->in.c, &j->march.scale, &j->vessel.domain, &j->vessel.heat, &j->vessel.gaps);
    j->out.supply_told = solve_messages_supply(&j->in.c, &j->vessel.openings);
    if (j->vessel.openings.rest >= 0)
        message_info("opening '%s': %.4g mL/s flow in, which balances the prescribed flows of the other openings; the "
                     "profile is developed, and the pressure is the prescribed one",
                     j->vessel.openings.from[j->vessel.openings.rest]->name,
                     1e6 * j->vessel.openings.mean_m3_s[j->vessel.openings.rest]);
    solve_messages_pulse(&j->in.c, &j->vessel.lattice, &j->vessel.openings);
    solve_messages_pulse_error(&j->in.c, &j->vessel.lattice, &j->vessel.openings, &j->march.scale);
    solve_messages_layer(&j->in.c, &j->vessel.lattice, &j->vessel.openings, &j->march.scale);
    TRY(device_choose(j->in.options->device, &j->march.run.table));
    TRY(ranks_device(j->in.options->device, &j->march.run.table));
    j->march.run.table->memory(&j->vessel.domain, &j->march.settings, needed, available);
cleanup:
    return rc;
}

int setup_backend(solve_job *j) {
    double needed = 0, available = 0;
    int rc;
    TRY(setup_domain(j, &needed, &available));
    TRY(j->march.run.table->create(&j->vessel.domain, &j->march.settings, &j->march.run.b));
    needed /= (double)j->vessel.domain.n_cell;
    message_info("device: %s; %.0f MB, %.0f bytes per cell", j->march.run.table->device(j->march.run.b),
                 1e-6 * needed * (double)domain_cells(&j->vessel.domain), needed);
cleanup:
    return rc;
}

void setup_instants(const solve_march *m, solve_results *out) {
    for (int k = 0; k < m->run.stores && m->scale.steps_per_period > 0; k++)
        out->store_time_s[k] = 2 * lround(0.5 * (double)k * m->scale.steps_per_period / m->run.stores) * m->scale.dt_s;
}

/* True when the program has chosen the time step and may change it during the run. */
bool setup_chooses_step(const solve_inputs *in, const solve_vessel *v) {
    for (int k = 0; k < v->openings.n; k++)
        if (v->openings.condition[k].kind == DOMAIN_MOVING_WALL)
            return false;
    return !case_sets_time_step(&in->c);
}

int setup_change_step(solve_job *j, double dt_s) {
    scale_request q = j->march.request;
    int rc;
    q.dt_s = dt_s;
    TRY(scale_choose(&q, &j->march.scale));
    if (j->march.run.b)
        j->march.run.table->destroy(j->march.run.b);
    j->march.run.b = NULL;
    setup_instants(&j->march, &j->out);
    choose_rates(&j->in, &j->vessel, &j->march);
    TRY(j->march.run.table->create(&j->vessel.domain, &j->march.settings, &j->march.run.b));
cleanup:
    return rc;
}

int setup_resume_step(solve_job *j, const run_progress *from) {
    void *slots = NULL, *kept = NULL;
    int rc;
    TRY(checkpoint_buffers(&j->vessel.domain, backend_slots(&j->march.settings), j->in.c.solve.precision, &slots,
                           &kept));
    TRY(j->march.run.table->read(j->march.run.b, slots, kept));
    j->march.has_diverged = from->diverged;
    if (from->diverged)
        solve_messages_limited(&j->march.scale);
    TRY(setup_change_step(j, from->dt_s));
    TRY(j->march.run.table->write(j->march.run.b, slots, kept));
cleanup:
    free(slots);
    free(kept);
    return rc;
}

int setup_write_state(const solve_vessel *v, const solve_march *m, const state_fields *f, double ramp_s, double time_s,
                      double mass_correction) {
    prescribed_value given[BACKEND_GIVEN] = {0};
    void *slots = NULL, *kept = NULL;
    int rc;
    TRY(ranks_agree(checkpoint_buffers(&v->domain, backend_slots(&m->settings), m->settings.precision, &slots, &kept)));
    boundary_values_at(&v->openings, &m->scale, ramp_s, time_s, given);
    TRY(state_slots(&v->domain, &m->settings, f, given, mass_correction, slots, kept));
    TRY(m->run.table->write(m->run.b, slots, kept));
cleanup:
    free(slots);
    free(kept);
    return rc;
}

int setup_sound_steps(const lattice *l) {
    return (int)(4 * sqrt(3.0) * setup_length_cells(l));
}

bool setup_on_gpu(const solve_march *m) {
    return strcmp(m->run.table->name, "cuda") == 0;
}
