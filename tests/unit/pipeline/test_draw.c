/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which drawn patients are computed: most cells first, and a patient without a size is refused. phantom
 * does not lie beside this program, so the patients that lie there are taken. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/base/file.h"
#include "pipeline/reproduce/draw.h"

static char work[] = "drawXXXXXX";

static void write_text(const char *text, const char *name, int seed) {
    char path[64];
    snprintf(path, sizeof path, "%s/patient-%02d/%s", work, seed, name);
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    assert_true(fputs(text, to) >= 0);
    assert_int_equal(fclose(to), 0);
}

static void patient(int seed, const char *truth) {
    char path[64];
    snprintf(path, sizeof path, "%s/patient-%02d/truth", work, seed);
    assert_int_equal(file_create_folder(path), OK);
    write_text("name: drawn\n", "case.yaml", seed);
    write_text(truth, "truth/truth.csv", seed);
}

static void largest_first(void **state) {
    (void)state;
    int seed[4];
    assert_non_null(mkdtemp(work));
    patient(1, "name,value,unit\nnarrowest_radius,2,mm\ndrawn_volume,8000,mm3\n");   /* 1000 */
    patient(2, "name,value,unit\ndrawn_volume,4000,mm3\nnarrowest_radius,0.5,mm\n"); /* 32,000 */
    patient(3, "name,value,unit\nnarrowest_radius,4,mm\ndrawn_volume,32000,mm3\n");  /* 500 */
    patient(4, "name,value,unit\nnarrowest_radius,1,mm\ndrawn_volume,9000,mm3\n");   /* 9000 */
    assert_int_equal(draw_by_size(work, 4, seed), OK);
    assert_int_equal(seed[0], 2);
    assert_int_equal(seed[1], 4);
    assert_int_equal(seed[2], 1);
    assert_int_equal(seed[3], 3);
    patient(3, "name,value,unit\nnarrowest_radius,4,mm\n");
    assert_int_equal(draw_by_size(work, 4, seed), ERR_INPUT);
    assert_non_null(strstr(status_message(), "drawn_volume"));
    for (int k = 1; k <= 4; k++) {
        char path[64];
        const char *const left[] = {"/truth/truth.csv", "/truth", "/case.yaml", ""};
        for (int j = 0; j < 4; j++) {
            snprintf(path, sizeof path, "%s/patient-%02d%s", work, k, left[j]);
            assert_int_equal(remove(path), 0);
        }
    }
    assert_int_equal(rmdir(work), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(largest_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
