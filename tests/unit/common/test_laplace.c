/* SPDX-License-Identifier: Apache-2.0 */
/* laplace_solve against exact solutions: a chain between a source and a ground, beside cells that nothing connects. */
#include "common/base/status.h"
#include "common/lattice/laplace.h"
#include "common/lattice/laplace_levels.h"
#include "tests/unit/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { CHAIN = 300, ALONE = 20000, CELLS = CHAIN + ALONE };

/* Every connection 1, the last cell of the chain and every cell alone (but the first of them) grounded by 2. */
static void make_chain(laplace *a, int32_t (*at)[3]) {
    int64_t n = 0;
    assert_int_equal(laplace_create(a, CELLS, 2 * (CHAIN - 1)), OK);
    for (int i = 0; i < CELLS; i++) {
        at[i][0] = i;
        at[i][1] = i < CHAIN ? 0 : 4;
        at[i][2] = 0;
        for (int side = -1; side < 2 && i < CHAIN; side += 2)
            if (i + side >= 0 && i + side < CHAIN) {
                a->other[n] = i + side;
                a->g[n++] = 1;
            }
        a->first[i + 1] = n;
        a->ground[i] = i == CHAIN - 1 || i > CHAIN ? 2 : 0;
    }
    laplace_diagonal(a);
}

static void chain_beside_cells_alone(void **state) {
    (void)state;
    static int32_t at[CELLS][3];
    static double b[CELLS], x[CELLS];
    laplace a;
    laplace_report report;
    make_chain(&a, at);
    for (int i = 0; i < CELLS; i++)
        b[i] = i == 0 ? 1 : (i >= CHAIN ? 3 : 0);
    assert_int_equal(laplace_solve(&a, &at[0][0], b, x, 1e-10, 100, &report), OK);
    assert_true(report.steps < 100);
    for (int i = 0; i < CHAIN; i++)
        assert_near(x[i], CHAIN - 1 - i + 0.5, 1e-6);
    assert_near(x[CHAIN], 0, 0); /* nothing holds it */
    for (int i = CHAIN + 1; i < CELLS; i++)
        assert_near(x[i], 1.5, 1e-6);
    laplace_free(&a);
}

/* A cell alone has no coarse one: the cells of the levels add up to few more than those of the chain. */
static void coarse_levels_hold_what_is_connected(void **state) {
    (void)state;
    static int32_t at[CELLS][3];
    laplace a;
    laplace_levels m;
    int64_t coarse = 0;
    make_chain(&a, at);
    assert_int_equal(laplace_levels_create(&m, &a, &at[0][0]), OK);
    for (int k = 1; k < m.n; k++)
        coarse += m.level[k].a.n;
    assert_true(m.n > 5 && coarse < CHAIN + 20);
    laplace_levels_free(&m);
    laplace_free(&a);
}

enum { SIDE = 32, CUBE = SIDE * SIDE * SIDE }; /* a power of two: halved, it has the same blocks from both ends */

/* A cube of cells, x first; the conductances differ from face to face, the first layer in z is grounded. */
static void make_cube(laplace *a) {
    static const int step[6] = {-SIDE * SIDE, -SIDE, -1, 1, SIDE, SIDE * SIDE};
    int64_t n = 0;
    assert_int_equal(laplace_create(a, CUBE, 6 * CUBE), OK);
    for (int i = 0; i < CUBE; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
        for (int k = 0; k < 6; k++) {
            const int axis = k < 3 ? 2 - k : k - 3, to = at[axis] + (k < 3 ? -1 : 1);
            if (to < 0 || to >= SIDE)
                continue;
            const int low = step[k] < 0 ? i + step[k] : i;
            a->other[n] = i + step[k];
            a->g[n++] = 1 + (float)(low % 7 + 3 * axis) / 10;
        }
        a->first[i + 1] = n;
        a->ground[i] = at[2] == 0;
    }
    laplace_diagonal(a);
}

/* Cells that come by rising z are joined slab by slab; turned upside down they have the same blocks, but no slabs. */
static void slabs_give_the_same_bits(void **state) {
    (void)state;
    static int32_t at[2][CUBE][3];
    static double b[CUBE], x[2][CUBE];
    laplace a;
    laplace_report report;
    make_cube(&a);
    for (int i = 0; i < CUBE; i++) {
        at[0][i][0] = at[1][i][0] = i % SIDE;
        at[0][i][1] = at[1][i][1] = i / SIDE % SIDE;
        at[0][i][2] = i / (SIDE * SIDE);
        at[1][i][2] = SIDE - 1 - at[0][i][2];
        b[i] = at[0][i][2] == SIDE - 1 ? 1 : 0;
    }
    for (int k = 0; k < 2; k++) {
        assert_int_equal(laplace_solve(&a, &at[k][0][0], b, x[k], 1e-6, 100, &report), OK);
        assert_true(report.steps > 3 && report.steps < 30);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    laplace_free(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(chain_beside_cells_alone),
                                       cmocka_unit_test(coarse_levels_hold_what_is_connected),
                                       cmocka_unit_test(slabs_give_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
