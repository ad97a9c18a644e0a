/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the body that an image names: a word of a fixed list, or nothing. */
#include "common/dicom/body_part.h"
#include "common/base/status.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
/* after cmocka.h: it asserts */
#include "tests/unit/common/dicom_write.h"
#include "tests/unit/temp.h"

/* The part of the body, in a word of the list alone: what else was typed there may be a name. */
static void body_parts(void **state) {
    (void)state;
    static const struct {
        const char *said, *word;
        enum body_region region;
    } row[] = {{"ABDOMEN", "ABDOMEN", BODY_ABDOMEN},
               {"abdomen ", "ABDOMEN", BODY_ABDOMEN},
               {"CIRCLE_OF_WILLIS", "CIRCLEOFWILLIS", BODY_HEAD_NECK},
               {"Whole Body", "WHOLEBODY", BODY_UNKNOWN},
               {"SECRET^NAME", NULL, BODY_UNKNOWN},
               {"LIVER Miller", NULL, BODY_UNKNOWN},
               {NULL, NULL, BODY_UNKNOWN}};
    char path[400];
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        snprintf(path, sizeof path, "%s", temp_path("body.dcm"));
        make_slice_of(path, "1.2.7", row[k].said, 0, 5);
        const char *word = body_part_of_image(path, NULL);
        assert_true((word == NULL) == (row[k].word == NULL));
        if (word != NULL)
            assert_string_equal(word, row[k].word);
        assert_int_equal(body_part_region(word), row[k].region);
    }
    const char *folder = temp_path("bodies");
    char root[300];
    snprintf(root, sizeof root, "%s", folder);
    assert_int_equal(mkdir(root, 0700), 0);
    snprintf(path, sizeof path, "%s/a", root);
    make_slice_of(path, "1.2.7", "HEAD", 0, 5);
    snprintf(path, sizeof path, "%s/b", root);
    make_slice_of(path, "1.2.8", "LIVER", 0, 5);
    assert_string_equal(body_part_of_image(root, "1.2.8"), "LIVER");
    assert_string_equal(body_part_of_image(root, "1.2.7"), "HEAD");
    assert_null(body_part_of_image(root, "1.2.9"));
    assert_null(body_part_of_image(temp_path("none.dcm"), NULL));
    assert_null(body_part_of_image(temp_text("text.nii", "no image"), NULL));
    assert_string_equal(status_message(), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(body_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
