/* SPDX-License-Identifier: Apache-2.0 */
/* A run goes on from its fields with another time step: the same flow, in the new units, on every kind of link. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include "solve/core/state_fields.h"
#include "tests/backend/backend_case.h"
#include "tests/unit/near.h"

/* Fields to slots and back: what the backend says of them is what went in. viscosity: NULL, or of shear-thinning
 * blood. */
static void check_kinds(const int *kinds, size_t n_kind, const viscosity_table *viscosity) {
    for (size_t n = 0; n < n_kind; n++) {
        backend_case c = case_make(kinds[n], BACKEND_DOUBLE, false);
        const size_t cells = (size_t)c.d.n_cell;
        backend *b;
        state_fields f, g;
        c.settings.viscosity = viscosity;
        prescribed_value *given = case_prescribed(&c, 1);
        double *slots = malloc((size_t)c.d.directions * cells * sizeof *slots);
        double *kept = calloc((size_t)c.d.n_partial + 1, sizeof *kept);
        assert_int_equal(backend_cpu.create(&c.d, &c.settings, &b), OK);
        assert_int_equal(state_fields_create(&f, c.d.n_cell), OK);
        assert_int_equal(state_fields_create(&g, c.d.n_cell), OK);
        for (size_t k = 0; k < cells; k++) {
            f.density[k] = (float)(0.01 * sin((double)k));
            for (int a = 0; a < 3; a++)
                f.velocity[3 * k + a] = (float)(0.05 * cos(0.1 * (double)k + a));
            for (int a = 0; a < 6; a++)
                f.stress[6 * k + a] = (float)(1e-4 * sin(0.2 * (double)k + a));
            f.stress[6 * k + 2] = -f.stress[6 * k] - f.stress[6 * k + 1];
        }
        assert_int_equal(backend_cpu.step(b, 0, given), OK);
        backend_cpu.set_mass_correction(b, 1e-6);
        assert_int_equal(state_slots(&c.d, &c.settings, &f, given, 1e-6, slots, kept), OK);
        assert_int_equal(backend_cpu.write(b, slots, kept), OK);
        assert_int_equal(backend_cpu.moments(b, g.density, g.velocity, g.stress), OK);
        assert_true(case_difference(g.density, f.density, c.d.n_cell) < 1e-5);
        assert_true(case_difference(g.velocity, f.velocity, 3 * c.d.n_cell) < 1e-5);
        assert_true(case_difference(g.stress, f.stress, 6 * c.d.n_cell) < (viscosity ? 2e-3 : 1e-4));
        state_fields_free(&f);
        state_fields_free(&g);
        free(slots);
        free(kept);
        free(given);
        backend_cpu.destroy(b);
        case_free(&c);
    }
}

static void round_trip(void **state) {
    (void)state;
    static const int kinds[] = {CASE_TUBE, CASE_TUBE_VLBM, CASE_CAVITY, CASE_TUBE_OUT, CASE_CORNER_TUBE};
    check_kinds(kinds, sizeof kinds / sizeof *kinds, NULL);
}

static void shear_thinning_round_trip(void **state) {
    (void)state;
    static const int kinds[] = {CASE_TUBE, CASE_TUBE_OUT};
    const viscosity_law law = viscosity_law_of(VISCOSITY_CARREAU_YASUDA, VISCOSITY_ABRAHAM, 0);
    viscosity_table *table = malloc(sizeof *table);
    assert_non_null(table);
    viscosity_table_fill(&law, 1060, 1e-3, 2e-2, table);
    check_kinds(kinds, sizeof kinds / sizeof *kinds, table);
    free(table);
}

/* Half the step: half the velocity, a quarter of the pressure and of the stress. */
static void units(void **state) {
    (void)state;
    state_fields f;
    assert_int_equal(state_fields_create(&f, 1), OK);
    f.density[0] = 0.4f;
    for (int k = 0; k < 3; k++)
        f.velocity[k] = 0.2f;
    for (int k = 0; k < 6; k++)
        f.stress[k] = 0.08f;
    state_fields_retime(&f, 1, 0.5);
    assert_near(f.density[0], 0.1, 1e-7);
    assert_near(f.velocity[1], 0.1, 1e-7);
    assert_near(f.stress[5], 0.02, 1e-7);
    state_fields_free(&f);
}

/* Slots after 40 steps from rest. */
static double *slots_of(const backend_case *c, double rate, int at_once, int slow) {
    backend_settings s = c->settings;
    s.pressure_rate = rate;
    prescribed_value *given = case_prescribed(c, 40);
    double *slots = malloc(19 * (size_t)c->d.n_cell * sizeof *slots),
           *kept = calloc((size_t)c->d.n_partial + 1, sizeof *kept);
    backend *b;
    assert_int_equal(backend_cpu.create(&c->d, &s, &b), OK);
    backend_cpu.set_outlets(b, true);
    assert_int_equal(backend_cpu.step(b, at_once, given), OK);
    backend_cpu.set_outlets(b, false);
    assert_int_equal(backend_cpu.step(b, slow, given + (size_t)at_once * (size_t)domain_given(&c->d)), OK);
    assert_int_equal(backend_cpu.read(b, slots, kept), OK);
    backend_cpu.destroy(b);
    free(kept);
    free(given);
    return slots;
}

/* Pressure outlets follow at once for as long as they are told to, and as slowly as before afterwards; those of
 * pulsatile flow always do. */
static void outlets(void **state) {
    (void)state;
    backend_case c = case_make(CASE_TUBE, BACKEND_DOUBLE, true);
    const int64_t n = 19 * c.d.n_cell;
    double *quick = slots_of(&c, 0.999, 0, 40), *slow = slots_of(&c, 0.02, 0, 40), *once = slots_of(&c, 0.02, 40, 0),
           *both = slots_of(&c, 0.02, 20, 20), *always = slots_of(&c, 1, 0, 40), *pulsatile = slots_of(&c, 1, 40, 0);
    double apart[4] = {0};
    for (int64_t k = 0; k < n; k++) {
        apart[0] = fmax(apart[0], fabs(once[k] - quick[k]));
        apart[1] = fmax(apart[1], fabs(pulsatile[k] - always[k]));
        apart[2] = fmax(apart[2], fabs(slow[k] - quick[k]));
        apart[3] = fmax(apart[3], fmin(fabs(both[k] - quick[k]), fabs(both[k] - slow[k])));
    }
    assert_true(apart[0] == 0 && apart[1] == 0);
    assert_true(apart[2] > 1e-6 && apart[3] > 1e-8);
    free(quick);
    free(slow);
    free(once);
    free(both);
    free(always);
    free(pulsatile);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(shear_thinning_round_trip),
                                       cmocka_unit_test(units), cmocka_unit_test(outlets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
