/* A run goes on from its fields with another time step: the same flow, in the new units, on every kind of link. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include "solve/run/state.h"
#include "tests/backend/backend_case.h"
#include "tests/unit/near.h"

/* Fields to slots and back: what the backend says of them is what went in. */
static void round_trip(void **state) {
    (void)state;
    static const int kinds[] = {CASE_TUBE, CASE_TUBE_VLBM, CASE_CAVITY, CASE_TUBE_OUT};
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        backend_case c = case_make(kinds[n], BACKEND_DOUBLE, false);
        const size_t cells = (size_t)c.d.n_cell;
        backend *b;
        state_fields f, g;
        double *value = case_values(&c, 1);
        double *slots = malloc(19 * cells * sizeof *slots), *kept = calloc((size_t)c.d.n_partial + 1, sizeof *kept);
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
        assert_int_equal(backend_cpu.step(b, 0, value), OK);
        backend_cpu.set_gain(b, 1e-6);
        state_slots(&c.d, &c.settings, &f, value, 1e-6, slots, kept);
        assert_int_equal(backend_cpu.write(b, slots, kept), OK);
        assert_int_equal(backend_cpu.moments(b, g.density, g.velocity, g.stress), OK);
        assert_true(case_difference(g.density, f.density, c.d.n_cell) < 1e-5);
        assert_true(case_difference(g.velocity, f.velocity, 3 * c.d.n_cell) < 1e-5);
        assert_true(case_difference(g.stress, f.stress, 6 * c.d.n_cell) < 1e-4);
        state_fields_free(&f);
        state_fields_free(&g);
        free(slots);
        free(kept);
        free(value);
        backend_cpu.destroy(b);
        case_free(&c);
    }
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
