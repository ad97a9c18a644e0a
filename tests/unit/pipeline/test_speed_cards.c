/* SPDX-License-Identifier: Apache-2.0 */
/* Several cards beside a paper's: shares, losses, what the link needs, and cards that nobody has measured. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce_papers/speed_cards.h"
#include "tests/unit/temp.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void table(const char *name, const char *text, study_table *t) {
    assert_int_equal(file_write(temp_path(name), text, strlen(text)), OK);
    assert_int_equal(study_table_read(temp_path(""), name, t), OK);
}

static void test_cards(void **state) {
    (void)state;
    static study_table published, measured;
    results r;
    char *md = NULL, *csv = NULL;
    table("published.csv", "# card: old, 900 GB/s\ncards,MLUPS\n2,2000\n4,3600\n", &published);
    table("measured.csv",
          "# card: new\n# link: 400 GB/s\n# limit: the weather.\nranks,cells,values,one_MLUPS,MLUPS\n"
          "1,30000000,0,30000,30000\n2,30000000,100000,30000,54000\n3,30000000,100000,25000,60000\n",
          &measured);
    results_create(&r, temp_path(""), "item", "A title", "a book");
    speed_cards_show(&published, &measured, &r);
    assert_int_equal(results_write(&r), OK);
    assert_int_equal(file_read(temp_path("item.md"), 100000, &md, NULL), OK);
    assert_int_equal(file_read(temp_path("item-cards.csv"), 100000, &csv, NULL), OK);
    assert_non_null(strstr(md, "4 rows: [item-cards.csv](item-cards.csv)\n"));
    assert_non_null(strstr(csv, "1,-,-,30000,100.0,-,1000,0,0.00,0.0\n"));
    assert_non_null(strstr(csv, "2,2000,100.0,54000,90.0,27.0,556,56,0.40,1.0\n"));
    assert_non_null(strstr(csv, "3,-,-,60000,80.0,-,500,100,0.40,1.0\n")); /* on another day */
    assert_non_null(strstr(csv, "4,3600,90.0,-,-,-,-,-,-,-\n"));
    assert_non_null(strstr(md, "What limits them: the weather."));
    assert_int_equal(r.n_checked, 1); /* of four cards there is nothing to judge */
    assert_int_equal(r.n_missed, 1);
    free(md);
    free(csv);
    results_free(&r);
    study_table_free(&published);
    study_table_free(&measured);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
