/* SPDX-License-Identifier: Apache-2.0 */
/* solve.heat and walls in case.yaml: what arrives, what is refused, and the digests. */
#include "common/case/case.h"
#include "common/base/status.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static case_file c;

/* Reads a case with solve.heat (NULL: without) and walls. sentence: part of the problem; NULL: the case is right. */
static void heat_problem(const char *heat, const char *walls, const char *sentence) {
    char text[2048];
    snprintf(text, sizeof text,
             "mesh: {spacing: 1 mm, shape: {type: box, low: [0, 0, 0], high: [9, 9, 9]}, box: {low: [0, 0, 0], high: "
             "[9, 9, 9]}}\n%s%s%swalls:\n%s",
             heat ? "solve: {heat: {" : "", heat ? heat : "", heat ? "}}\n" : "", walls);
    status_clear();
    const int rc = case_read_text(text, strlen(text), "case.yaml", 0, &c);
    if (rc == OK && sentence)
        fail_msg("taken: %s", text);
    if (sentence && !strstr(status_message(), sentence))
        fail_msg("'%s' is not in: %s", sentence, status_message());
    if (!sentence && rc != OK)
        fail_msg("%s", status_message());
    status_clear();
}

#define WARM  "- {name: warm, part: x-low, temperature: 31 degC}\n"
#define COLD  "- {name: cold, part: x-high, temperature: 29 degC}\n"
#define SIDES "- {name: sides, insulated: true}\n"
#define FALL  "diffusivity: 1.5e-7 m2/s, expansion: 0.0003 1/K, gravity: [1, 2, -9.81]"

static void test_heat(void **state) {
    (void)state;
    heat_problem(FALL ", reference: 30 degC", WARM COLD SIDES, NULL);
    assert_true(c.solve.heat.on && c.n_wall == 3);
    assert_true(fabs(c.solve.heat.diffusivity_m2_s - 1.5e-7) < 1e-15);
    assert_true(fabs(c.solve.heat.expansion_1_k - 3e-4) < 1e-12);
    assert_true(fabs(c.solve.heat.reference_c - 30) < 1e-12);
    const double gravity[3] = {-1, -2, -9.81};
    for (int k = 0; k < 3; k++)
        assert_near(c.solve.heat.gravity_m_s2[k], gravity[k], 1e-12);
    assert_true(c.wall[0].part_number == 1 && c.wall[1].part_number == 0); /* RAS: x turns */
    assert_true(c.wall[0].temperature_c == 31 && c.wall[2].insulated && case_wall_is_rest(&c.wall[2]));
    case_free(&c);
    heat_problem("diffusivity: 0.15 mm2/s", WARM COLD SIDES, NULL);
    assert_true(fabs(c.solve.heat.diffusivity_m2_s - 1.5e-7) < 1e-15);
    case_free(&c);
    heat_problem("diffusivity: 0 m2/s", WARM COLD SIDES, "above 0 m2/s");
    heat_problem("expansion: 0.0003 1/K, gravity: [0, 0, -9]", WARM COLD SIDES, "has no diffusivity");
    heat_problem("diffusivity: 1e-7 m2/s, expansion: 0.0003 1/K", WARM COLD SIDES,
                 "has no effect without gravity: add gravity");
    heat_problem("diffusivity: 1e-7 m2/s, expansion: 0.0003 1/K, gravity: [0, 0, 0]", WARM COLD SIDES, "is zero");
    heat_problem("diffusivity: 1e-7 m2/s, gravity: [0, 0, -9]", WARM COLD SIDES,
                 "has no effect without expansion: add expansion");
    heat_problem(FALL, WARM "- {name: cold, part: x-high}\n" SIDES, "the wall 'cold' needs a temperature");
    heat_problem(FALL, WARM "- {name: cold, temperature: 3 degC, insulated: true}\n", "not both");
    heat_problem(FALL, WARM WARM SIDES, "'warm' is also the name of another wall");
    heat_problem(FALL, WARM SIDES "- {name: more, insulated: true}\n",
                 "only one wall, the rest of the surface, may be without part, surface and label");
    heat_problem(FALL, "- {name: warm, part: top, temperature: 3 degC}\n" SIDES, "not a part of this shape (x-low");
    heat_problem(FALL, "- {name: warm, label: 3, temperature: 3 degC}\n" SIDES,
                 "the label marks voxels next to the lumen");
    heat_problem(FALL, SIDES, "no wall and no opening has a temperature");
    heat_problem(FALL, "- {name: warm, temperature: 3 K}\n", "degC");
    heat_problem(NULL, WARM, "temperature has no effect without solve.heat; add solve.heat or remove the temperature");
    heat_problem(NULL, SIDES, "insulated has no effect without solve.heat; add solve.heat or remove insulated");
}

/* Neither walls nor temperatures change the digest of a case that has none, and each changes that of one that has. */
static void test_heat_digest(void **state) {
    (void)state;
    char mesh[2][17], solve[2][17];
    const char *const walls[2] = {WARM COLD SIDES, "- {name: warm, part: x-low, temperature: 32 degC}\n" COLD SIDES};
    for (int k = 0; k < 2; k++) {
        heat_problem(FALL, walls[k], NULL);
        case_digest(&c, "mesh", mesh[k]);
        case_digest(&c, "solve", solve[k]);
        case_free(&c);
    }
    assert_string_equal(mesh[0], mesh[1]);
    assert_string_not_equal(solve[0], solve[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heat), cmocka_unit_test(test_heat_digest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
