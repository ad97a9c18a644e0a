/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case.h: case_warn_plausible, case_warn_supply, case_warn_liver. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/base/vec.h"
#include "common/case/case.h"
#include "common/waveform/typical_flows.h"
#include "common/waveform/waveform.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* Plausible values of a case, with a margin on both sides of the known values. Viscosity: 3 to 5 mPa s in blood, 1.2 in
 * plasma. Density: 1025 (plasma) to 1100 kg/m3. Pressure: from a few mmHg below 0 (veins) to 250. Heart: 4 to 25 L/min,
 * 40 to 200 beats per minute. Jet of a stenosis: 5 m/s (Ku 1997). No vessel that is visible in an image has less than
 * 0.1 mL/min or 0.1 mm/s. */
static const double VISCOSITY_PA_S[2] = {1e-3, 15e-3}, DENSITY_KG_M3[2] = {990, 1150}, PRESSURE_MMHG[2] = {-30, 300};
static const double FLOW_L_MIN[2] = {1e-4, 30}, VELOCITY_M_S[2] = {1e-4, 6}, PERIOD_S[2] = {0.2, 3};
/* Haematocrit, from severe anaemia to polycythaemia */
static const double HEMATOCRIT_PERCENT[2] = {25, 60};
/* Upper limit of a plausible tolerance; above it a flow that still changes may count as steady. In a stenosed tube (Re
 * 263) the pressure drop has an error of 0.2 % with 1e-4 and 1.3 % with 1e-3. */
static const double TOLERANCE = 1e-4;
/* Plausible ranges. Liver: a normal gradient is <= 5 mmHg at 1 L/min, in cirrhosis up to 30 mmHg at half of this flow.
 * Extension: some diameters. Wall uncertainty: about a voxel. */
static const double LIVER_MMHG_MIN_L[2] = {0.5, 100}, EXTENSION_MM[2] = {0, 200}, WALL_MM[2] = {0, 3};
/* Usual pressures of the outlets of one vessel tree differ by a few mmHg. A flow with a wrong unit differs from the
 * usual flow by a factor of 16 (mL/s for L/min) or more; no disease changes a flow by this factor. */
static const double OUTLETS_MMHG = 10, WRONG_UNIT = 10;
/* Smallest plausible distance between the openings that are farthest apart, mm */
static const double EXTENT_MM = 3;
/* A backward mean flow below this fraction of the largest flow counts as rounding */
static const double BACKWARDS = 1e-3;
/* Overshoot of the curve above the rows, as a fraction of the range of the rows, above which a warning is reported */
static const double SWING = 0.25;
/* Time step between two rows, in median time steps, above which a warning is reported */
static const double GAP = 5;
/* Ratio of the step from the last row to the first row to the largest other step, above which a warning is reported */
static const double JUMP = 2;

typedef struct {
    const case_file *c;
    int n;
    double period_s; /* period of the waveform that was checked before this one; 0: none */
} warnings;

static void warn_unusual(warnings *t, int line, const char *what, double value, const char *unit,
                         const double usual[2]) {
    char place[300];
    message_warn_about(
        "unit", "%s: %s of %.4g %s is unusual for blood in a vessel (usual: %g to %g %s); check its unit",
        case_write_place_without_folder(t->c, line, place, sizeof place), what, value, unit, usual[0], usual[1], unit);
    t->n++;
}

static void check_range(warnings *t, int line, const char *what, double value, const char *unit,
                        const double usual[2]) {
    if (value < usual[0] || value > usual[1])
        warn_unusual(t, line, what, value, unit, usual);
}

/* True if the flow jumps at the end of the cycle: the step from the last flow to the first flow of the next cycle is
 * far larger than all other steps. A file that lacks its last rows has such a jump. */
static bool has_jump(const waveform *w) {
    double largest = 0;
    for (int k = 1; k < w->n; k++)
        largest = fmax(largest, fabs(w->flow_m3_s[k] - w->flow_m3_s[k - 1]));
    return fabs(w->flow_m3_s[0] - w->flow_m3_s[w->n - 1]) > JUMP * largest;
}

/* Prints heart rate and flows of a waveform, from which a user can notice missing rows. */
static void print_waveform(const char *what, const waveform *w, bool steady) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < w->n; k++) {
        low = fmin(low, 1e6 * w->flow_m3_s[k]);
        high = fmax(high, 1e6 * w->flow_m3_s[k]);
    }
    message_info("%s: a waveform of %d instants, period %.4g s (%.3g a minute), %.3g to %.3g mL/s, mean %.3g mL/s%s",
                 what, w->n, w->period_s, 60 / w->period_s, low, high, 1e6 * waveform_mean_m3_s(w),
                 steady ? ": steady flow with this mean" : "");
}

/* Warns if the spline overshoots the rows of the waveform by more than SWING of their range, as it may between rows
 * that are far apart. The mean flow of such a spline may be wrong, even in sign. */
static void check_swing(warnings *t, const case_opening *o, const char *what, const waveform *w) {
    double low = INFINITY, high = -INFINITY, least = INFINITY, most = -INFINITY;
    char place[300];
    for (int k = 0; k < w->n; k++) {
        const double from = w->time_s[k], to = k + 1 < w->n ? w->time_s[k + 1] : w->period_s;
        low = fmin(low, w->flow_m3_s[k]);
        high = fmax(high, w->flow_m3_s[k]);
        for (int i = 0; i < 32; i++) {
            const double flow = waveform_flow_m3_s(w, from + (to - from) * i / 32);
            least = fmin(least, flow);
            most = fmax(most, flow);
        }
    }
    if (fmax(most - high, low - least) <= SWING * (high - low) + 1e-9 * fmax(fabs(high), fabs(low)))
        return;
    message_warn_serious("%s: %s: the curve through the rows of the waveform goes from %.3g to %.3g mL/s, but the rows "
                         "only from %.3g to %.3g mL/s: the rows are too far apart; give more rows",
                         case_write_place_without_folder(t->c, o->line, place, sizeof place), what, 1e6 * least,
                         1e6 * most, 1e6 * low, 1e6 * high);
    t->n++;
}

/* Warns if rows are missing in the middle, where the spline only interpolates. */
static void check_gap(warnings *t, const case_opening *o, const char *what, const waveform *w) {
    char place[300];
    int widest = 1, shorter = 0;
    for (int k = 1; k < w->n; k++)
        if (w->time_s[k] - w->time_s[k - 1] > w->time_s[widest] - w->time_s[widest - 1])
            widest = k;
    const double from = w->time_s[widest - 1], to = w->time_s[widest];
    for (int k = 1; k < w->n; k++)
        shorter += GAP * (w->time_s[k] - w->time_s[k - 1]) < to - from;
    if (2 * shorter <= w->n - 1)
        return;
    message_warn_serious("%s: %s: its waveform has no row from %.4g to %.4g s, more than %g times the usual time step; "
                         "are rows missing?",
                         case_write_place_without_folder(t->c, o->line, place, sizeof place), what, from, to, GAP);
    t->n++;
}

/* Warns if waveforms have different periods. Steady flow only: for pulsatile flow case_files.c refuses them. */
static void check_same_period(warnings *t, const case_opening *o, const char *what, double period_s) {
    char place[300];
    const double before_s = t->period_s;
    t->period_s = period_s;
    if (t->c->solve.mode != MODE_STEADY || !(before_s > 0) || fabs(period_s - before_s) <= 1e-6 * before_s)
        return;
    message_warn_serious(
        "%s: %s: its waveform has a period of %.4g s, the previous waveform %.4g s; are rows missing in one of them?",
        case_write_place_without_folder(t->c, o->line, place, sizeof place), what, period_s, before_s);
    t->n++;
}

/* Warns if the mean flow of a waveform is negative, as when the scanner's sign convention differs from the case's. (A
 * constant flow cannot be negative.) */
static void check_sign(warnings *t, const case_opening *o, const char *what, const waveform *w) {
    const double mean = waveform_mean_m3_s(w);
    const bool inlet = o->role == ROLE_INLET;
    char place[300];
    if (!(mean < -BACKWARDS * waveform_peak_m3_s(w)))
        return;
    message_warn_serious("%s: %s: the mean of its waveform is %.3g mL/s: blood %s the vessel at an %s (usual: 0 mL/s "
                         "or more); is the sign or the role wrong?",
                         case_write_place_without_folder(t->c, o->line, place, sizeof place), what, 1e6 * mean,
                         inlet ? "leaves" : "enters", inlet ? "inlet" : "outlet");
    t->n++;
}

/* Warns if the measurement of a waveform is in doubt: by its own statement, or by an interval that contains 0. */
static void check_measurement(warnings *t, const case_opening *o, const char *what, const waveform *w) {
    const double mean = waveform_mean_m3_s(w), error = w->mean_error_m3_s;
    char place[300];
    case_write_place_without_folder(t->c, o->line, place, sizeof place);
    if (w->unreliable)
        message_warn_serious("%s: %s: the file of its waveform states that the flow is unreliable (line '# "
                             "unreliable:'); all results depend on it; repeat the measurement",
                             place, what);
    else if (error > 0 && error >= fabs(mean))
        message_warn_serious("%s: %s: the 95 %% interval of its mean flow, %.3g +- %.2g mL/s, contains 0: even the "
                             "direction of the flow is unknown; repeat the measurement",
                             place, what, 1e6 * mean, 1e6 * error);
    else
        return;
    t->n++;
}

/* Warns if the mean flow that a waveform states is not the mean of its rows. */
static void check_mean(warnings *t, const case_opening *o, const char *what, const waveform *w) {
    char place[300];
    if (!w->wrong_mean)
        return;
    message_warn_serious(
        "%s: %s: the mean of its waveform is %.4g mL/s, but a comment in the file states %.4g mL/s, so "
        "the stated interval is ignored; create the file again with: pipeline flow",
        case_write_place_without_folder(t->c, o->line, place, sizeof place), what, 1e6 * waveform_mean_m3_s(w),
        1e6 * w->stated_mean_m3_s);
    t->n++;
}

static void check_waveform(warnings *t, const case_opening *o, const char *what) {
    waveform w;
    char name[160];
    if (case_open_waveform(t->c, o, &w) == OK) {
        print_waveform(what, &w, t->c->solve.mode == MODE_STEADY);
        check_same_period(t, o, what, w.period_s);
        const int n_warned = t->n;
        check_swing(t, o, what, &w);
        if (t->n == n_warned) /* after a warning about the swing the mean may be wrong, so its sign is not checked */
            check_sign(t, o, what, &w);
        check_measurement(t, o, what, &w);
        check_mean(t, o, what, &w);
        check_gap(t, o, what, &w);
        snprintf(name, sizeof name, "%s: the period", what);
        check_range(t, o->line, name, w.period_s, "s", PERIOD_S);
        snprintf(name, sizeof name, "%s: a largest flow", what);
        check_range(t, o->line, name, waveform_peak_m3_s(&w) * 6e4, "L/min", FLOW_L_MIN);
        if (has_jump(&w)) {
            char place[300];
            message_warn_serious("%s: %s: its waveform jumps from %.3g to %.3g mL/s at the start of the next cycle, "
                                 "the largest jump of the curve; are its last rows missing?",
                                 case_write_place_without_folder(t->c, o->line, place, sizeof place), what,
                                 1e6 * w.flow_m3_s[w.n - 1], 1e6 * w.flow_m3_s[0]);
            t->n++;
        }
    }
    status_clear();
    waveform_free(&w);
}

/* Checks signs, measurement and stated means of all waveforms; also if fluid and size are not a vessel's. */
static void check_signs(warnings *t) {
    for (int k = 0; k < t->c->n_opening; k++) {
        const case_opening *o = &t->c->opening[k];
        waveform w = {0};
        char what[128];
        snprintf(what, sizeof what, "opening '%s'", o->name);
        if (o->condition == CONDITION_WAVEFORM && case_open_waveform(t->c, o, &w) == OK) {
            check_sign(t, o, what, &w);
            check_measurement(t, o, what, &w);
            check_mean(t, o, what, &w);
        }
        status_clear();
        waveform_free(&w);
    }
}

static void check_vessel_flow(warnings *t, const case_opening *o) {
    char place[300];
    const double l_min = o->value * 6e4;
    int n;
    const typical_flow *healthy = typical_flows(&n);
    for (int k = 0; k < n; k++) {
        if (!healthy[k].opening || strcasecmp(o->name, healthy[k].opening) != 0 ||
            (l_min <= WRONG_UNIT * healthy[k].l_min && WRONG_UNIT * l_min >= healthy[k].l_min))
            continue;
        message_warn_about("unit",
                           "%s: opening '%s': a flow of %.3g L/min (%.3g mL/s) is unusual for this vessel (usual in "
                           "healthy adults: about %.2g L/min); check its unit",
                           case_write_place_without_folder(t->c, o->line, place, sizeof place), o->name, l_min,
                           l_min / 0.06, healthy[k].l_min);
        t->n++;
    }
}

static void check_opening(warnings *t, const case_opening *o) {
    char what[128], name[160];
    snprintf(what, sizeof what, "opening '%s'", o->name);
    snprintf(name, sizeof name, "%s: an extension", what);
    check_range(t, o->line, name, o->extension_mm, "mm", EXTENSION_MM);
    if (o->condition == CONDITION_WAVEFORM) {
        check_waveform(t, o, what);
        return;
    }
    const bool pressure = o->condition == CONDITION_PRESSURE, given = o->condition == CONDITION_FLOW;
    snprintf(name, sizeof name, "%s: a %s", what, pressure ? "pressure" : given ? "flow" : "velocity");
    if (pressure)
        check_range(t, o->line, name, o->value / UNITS_PA_PER_MMHG, "mmHg", PRESSURE_MMHG);
    else if (o->value == 0) /* a flow or velocity of 0 means a closed opening */
        return;
    else if (given && o->value * 6e4 >= FLOW_L_MIN[0] && o->value * 6e4 <= FLOW_L_MIN[1])
        check_vessel_flow(t, o);
    else if (given)
        warn_unusual(t, o->line, name, o->value * 6e4, "L/min", FLOW_L_MIN);
    else if (o->condition == CONDITION_VELOCITY_MEAN || o->condition == CONDITION_VELOCITY_PEAK)
        check_range(t, o->line, name, o->value, "m/s", VELOCITY_M_S);
}

/* Warns of resistances at which the inflow gives an unusual pressure. All outlets are in parallel; the vessel's own
 * resistance is ignored. */
static void check_models(warnings *t) {
    const case_file *c = t->c;
    double inflow = 0, conductance = 0, driven = 0;
    int line = 0;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        if (case_opening_is_model(o) && o->role == ROLE_OUTLET && o->value > 0) {
            conductance += 1 / o->value;
            driven += o->distal_pa / o->value;
            line = line > 0 ? line : o->line;
        } else if (o->condition == CONDITION_FLOW)
            inflow += o->role == ROLE_INLET ? o->value : -o->value;
        else
            return; /* the flow through the outlets is not known */
    }
    if (conductance > 0)
        check_range(t, line, "the pressure at the outlets, from their resistances and the flow",
                    (inflow + driven) / conductance / UNITS_PA_PER_MMHG, "mmHg", PRESSURE_MMHG);
}

/* Warns of a large tolerance, because a flow that still changes would count as steady. */
static void check_tolerance(warnings *t) {
    char place[300];
    if (t->c->solve.mode != MODE_STEADY || !(t->c->solve.tolerance > TOLERANCE))
        return;
    message_warn_serious("%s: solve: with a tolerance of %g a flow that is still changing counts as steady (usual: "
                         "1e-6 to 1e-4); its results may have errors of several %%; use a "
                         "smaller solve.tolerance",
                         case_write_place_without_folder(t->c, 0, place, sizeof place), t->c->solve.tolerance);
    t->n++;
}

/* Anatomy: the first vessel of a row ends further left (LPS x) or lower (LPS z) than the second. */
static const struct {
    const char *first, *second;
    int axis, sign;
    const char *word;
} anatomy[] = {{"SMV", "PV", 2, -1, "below"},   {"SMV", "RPV", 2, -1, "below"}, {"SMV", "LPV", 2, -1, "below"},
               {"SV", "PV", 0, 1, "left of"},   {"SV", "RPV", 0, 1, "left of"}, {"SV", "SMV", 0, 1, "left of"},
               {"LPV", "RPV", 0, 1, "left of"}, {"CCA", "ICA", 2, -1, "below"}, {"CCA", "ECA", 2, -1, "below"}};
/* Upper limit of a distance in the wrong direction, in mm; above it names are swapped or the frame is wrong */
static const double MIRRORED_MM = 10;

static const case_opening *opening_named(const case_file *c, const char *name) {
    for (int k = 0; k < c->n_opening; k++)
        if (strcasecmp(c->opening[k].name, name) == 0)
            return &c->opening[k];
    return NULL;
}

static void check_outlets(warnings *t) {
    const case_opening *low = NULL, *high = NULL;
    char place[300];
    bool any = false;
    for (int k = 0; k < t->c->n_opening; k++)
        any = any || t->c->opening[k].role == ROLE_OUTLET;
    if (!any && t->c->n_opening > 0) {
        message_warn_serious(
            "%s: no opening is an outlet (usual: one or more): blood will leave through an inlet; correct "
            "the roles",
            case_write_place_without_folder(t->c, t->c->opening[0].line, place, sizeof place));
        t->n++;
    }
    for (int k = 0; k < t->c->n_opening; k++) {
        const case_opening *o = &t->c->opening[k];
        if (o->role != ROLE_OUTLET || o->condition != CONDITION_PRESSURE)
            continue;
        low = !low || o->value < low->value ? o : low;
        high = !high || o->value > high->value ? o : high;
    }
    if (!low || !high)
        return;
    const double apart = (high->value - low->value) / UNITS_PA_PER_MMHG;
    if (!(apart > OUTLETS_MMHG))
        return;
    message_warn_about(
        "unit",
        "%s: the pressures of the outlets '%s' and '%s' are %.3g mmHg apart, which drives blood from one "
        "to the other (usual: 0 to %g mmHg); check their unit",
        case_write_place_without_folder(t->c, high->line, place, sizeof place), high->name, low->name, apart,
        OUTLETS_MMHG);
    t->n++;
}

/* Warns if all openings are within EXTENT_MM, because the ends of a vessel are several mm apart: detects coordinates in
 * m or in another space. */
static void check_extent(warnings *t) {
    char place[300];
    double most_mm = 0;
    for (int k = 1; k < t->c->n_opening; k++)
        most_mm = fmax(most_mm, vec_distance(t->c->opening[0].point, t->c->opening[k].point));
    if (t->c->n_opening < 2 || t->c->space == SPACE_VOXEL || most_mm >= EXTENT_MM)
        return;
    message_warn_serious(
        "%s: all openings are within %.2g mm of '%s' (usual: %g mm or more); are their coordinates in mm?",
        case_write_place_without_folder(t->c, t->c->opening[0].line, place, sizeof place), most_mm,
        t->c->opening[0].name, EXTENT_MM);
    t->n++;
}

/* Warns if names contradict anatomy. Swapped names exchange the flows of two vessels, and no other check detects
 * this. */
static void check_names(warnings *t) {
    for (size_t i = 0; i < sizeof anatomy / sizeof *anatomy; i++) {
        const case_opening *a = opening_named(t->c, anatomy[i].first), *b = opening_named(t->c, anatomy[i].second);
        double at[2][3];
        char place[300];
        if (a == NULL || b == NULL || t->c->space == SPACE_VOXEL)
            continue;
        case_point_lps(t->c, a->point, NULL, at[0]);
        case_point_lps(t->c, b->point, NULL, at[1]);
        const double off = anatomy[i].sign * (at[1][anatomy[i].axis] - at[0][anatomy[i].axis]);
        if (!(off > MIRRORED_MM))
            continue;
        message_warn_serious("%s: opening '%s' should be %s '%s' but is %.0f mm on the other side; check that the "
                             "names are not swapped, and check 'space'",
                             case_write_place_without_folder(t->c, a->line, place, sizeof place), a->name,
                             anatomy[i].word, b->name, off);
        t->n++;
    }
}

static void check_liver(warnings *t, const case_readout *o) {
    if (o->kind == READOUT_PPG && isfinite(o->liver_resistance))
        check_range(t, o->line, "ppg: a resistance of the liver", o->liver_resistance / UNITS_PA_S_M3_PER_MMHG_MIN_L,
                    "mmHg min/L", LIVER_MMHG_MIN_L);
}

static void check_livers(warnings *t) {
    for (int k = 0; k < t->c->n_readout; k++)
        check_liver(t, &t->c->readout[k]);
}

void case_warn_liver(const case_file *c, const case_readout *o) {
    check_liver(&(warnings){.c = c}, o);
}

int case_warn_plausible(const case_file *c) {
    warnings t = {.c = c};
    const double mpa_s[2] = {1e3 * VISCOSITY_PA_S[0], 1e3 * VISCOSITY_PA_S[1]};
    check_tolerance(&t);
    /* shapes and heated chambers may have other fluids and sizes, so only tolerance, liver and waveforms are checked */
    if (c->mesh.has_shape || c->solve.heat.on) {
        check_signs(&t);
        check_livers(&t);
        return t.n;
    }
    check_range(&t, 0, "blood: a viscosity", 1e3 * c->blood.viscosity_pa_s, "mPa s", mpa_s);
    if (c->blood.model == VISCOSITY_QUEMADA)
        check_range(&t, 0, "blood: a hematocrit", 100 * c->blood.hematocrit, "%", HEMATOCRIT_PERCENT);
    check_range(&t, 0, "blood: a density", c->blood.density_kg_m3, "kg/m3", DENSITY_KG_M3);
    if (isfinite(c->mesh.wall_uncertainty_mm))
        check_range(&t, 0, "mesh: a wall_uncertainty", c->mesh.wall_uncertainty_mm, "mm", WALL_MM);
    for (int k = 0; k < c->n_opening; k++)
        check_opening(&t, &c->opening[k]);
    check_models(&t);
    if (c->split.law != SPLIT_NONE && isfinite(c->split.mean_pressure_pa)) {
        check_range(&t, c->split.line, "split: a mean_pressure", units_pa_to_mmhg(c->split.mean_pressure_pa), "mmHg",
                    PRESSURE_MMHG);
        check_range(&t, c->split.line, "split: a distal pressure", units_pa_to_mmhg(c->split.distal_pa), "mmHg",
                    PRESSURE_MMHG);
    }
    check_livers(&t);
    check_outlets(&t);
    check_extent(&t);
    check_names(&t);
    return t.n;
}

static const double SUPPLY_NOTICED = 1e-3; /* Smallest excess of the outflow that is reported, as a fraction of the
                                            * inflow */

bool case_warn_supply(const case_file *c, const char *place, double in_ml_s, double out_ml_s) {
    const char *first = NULL;
    /* true if an outlet has a prescribed flow; otherwise the excess comes from an inlet whose waveform flows out on
     * average */
    bool outlet_gives = false;
    int n_free = 0;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        outlet_gives |=
            o->role == ROLE_OUTLET && (o->condition == CONDITION_FLOW || o->condition == CONDITION_WAVEFORM);
        if (!case_opening_is_free(o) && o->condition != CONDITION_SPLIT)
            continue;
        if (o->role == ROLE_INLET)
            return false; /* an inlet without a given flow may supply the difference */
        first = first ? first : o->name;
        n_free++;
    }
    if (!first || !(out_ml_s > (1 + SUPPLY_NOTICED) * in_ml_s))
        return false;
    const char *others = n_free > 1 ? " or another outlet with a pressure" : "";
    if (outlet_gives) /* if only an inlet flows out, case_warn_plausible has already warned */
        message_warn_serious("%sthe prescribed outflows take %.4g mL/s, the inlets bring %.4g mL/s: the difference "
                             "enters the vessel through '%s'%s, where blood should leave; correct the flows",
                             place, out_ml_s, in_ml_s, first, others);
    return true;
}
