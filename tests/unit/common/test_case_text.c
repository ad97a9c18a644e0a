/* SPDX-License-Identifier: Apache-2.0 */
/* case.yaml refused before its keys count: no YAML, no text, too large; and the files it names. */
#include "common/base/file.h"
#include "tests/unit/common/case_refuse.h"
#include "tests/unit/temp.h"

static void test_yaml(void **state) {
    (void)state;
    REFUSE("", "case.yaml: the file is empty");
    REFUSE("# nothing\n", "case.yaml: the file is empty");
    REFUSE("hello\n", "case.yaml:1:1: case: must be a block with the keys: name, space");
    REFUSE("- a\n", "case: must be a block");
    REFUSE("blood:\n\tdensity: 1060 kg/m3\n", "case.yaml:2:1: this is not YAML", );
    REFUSE("blood: {density: 1060 kg/m3\nmesh: 1\n", "this is not YAML");
    REFUSE("a: b: c\n", "case.yaml:1:5: this is not YAML: mapping values are not allowed in this context");
    REFUSE("blood: &b {density: 1060 kg/m3}\n", "case.yaml:1:8: anchors (&name) are not part of a case file");
    REFUSE("a: &a [x]\nb: *a\n", "anchors");
    REFUSE("b: *a\n", "case.yaml:1:4: aliases (*name) are not part");
    REFUSE("name: !!str 5\n", "tags (!name)");
    REFUSE("? [a, b]\n: c\n", "case.yaml:1:3: a key must be a single word");
    REFUSE("name: x\n---\nname: y\n", "case.yaml:2:1: a second document");
    REFUSE("x: [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]\n", "blocks and lists are nested too deeply here");
    refuse_bytes("name: a\0b\n", 10, 1, (const char *const[]){"this is not text: control characters are not allowed"});
    refuse_bytes("name: \xff\xfe\n", 9, 1, (const char *const[]){"case.yaml:1:7: this is not text"});
    refuse_bytes("\x7f"
                 "ELF\2\1\1\0\0\0",
                 10, 1, (const char *const[]){"this is not"});
}

/* More than a person can read is cut off with a count; more than a file can hold is not read; nothing takes long. */
static void test_large(void **state) {
    (void)state;
    case_file c;
    char *text = malloc(10000001), *end = text;
    for (int k = 0; k < 99; k++)
        end += sprintf(end, "key%d: 1\n", k);
    end += sprintf(end, "sections:\n");
    for (int k = 0; k < 200; k++)
        end += sprintf(end, "- {nme: a}\n");
    status_clear();
    assert_int_equal(case_read_text(text, (size_t)(end - text), "case.yaml", 0, &c), ERR_INPUT);
    assert_int_equal(count_lines(status_message()), 101);
    assert_non_null(strstr(status_message(), "\ncase.yaml: ... and "));
    end = text;
    for (int k = 0; k < 100000; k++)
        end += sprintf(end, "k%d: 1\n", k);
    status_clear();
    assert_int_equal(case_read_text(text, (size_t)(end - text), "case.yaml", 0, &c), ERR_INPUT);
    assert_non_null(strstr(status_message(), "this block has too many keys"));
    memset(text, '[', 900000);
    status_clear();
    assert_int_equal(case_read_text(text, 900000, "case.yaml", 0, &c), ERR_INPUT);
    assert_non_null(strstr(status_message(), "nested too deeply"));
    end = text + sprintf(text, "openings: [");
    for (int k = 0; k < 100000; k++)
        end += sprintf(end, "1,");
    status_clear();
    assert_int_equal(case_read_text(text, (size_t)(end - text), "case.yaml", 0, &c), ERR_INPUT);
    assert_non_null(strstr(status_message(), "this list has too many entries"));
    memset(text, 'x', 10000000);
    status_clear();
    assert_int_equal(case_read(temp_write("big.yaml", text, 10000000), 0, &c), ERR_INPUT);
    assert_non_null(strstr(status_message(), "the limit is 1.0 MB"));
    status_clear();
    free(text);
    assert_int_equal(case_read(temp_path("none.yaml"), 0, &c), ERR_INPUT);
    assert_non_null(strstr(status_message(), "none.yaml': No such file"));
    status_clear();
    assert_int_equal(case_read(temp_path("."), 0, &c), ERR_INPUT);
    status_clear();
}

/* With stage_files: what the case names must be there, and its waveforms must fit together. */
static void test_files(void **state) {
    (void)state;
    case_file c;
    assert_int_equal(file_create_folder(temp_path("folder")), OK);
    temp_text("w1.csv", "t_s,flow_ml_s\n0,1\n0.3,2\n0.6,1.5\n");
    temp_text("w2.csv", "t_s,flow_ml_s\n0,1\n0.3,2\n0.7,1.5\n");
    temp_text("w3.csv", "t_s,flow_ml_s\n0,1\n0.3,x\n");
    const char *path =
        temp_text("case.yaml", "image: {path: none.nii}\nsegment: {surface: {path: folder, frame: LPS}}\nopenings:\n"
                               "- {name: A, role: inlet, point: [1, 2, 3], flow: {waveform: w1.csv}}\n"
                               "- {name: B, role: inlet, point: [1, 2, 4], flow: {waveform: w2.csv}}\n"
                               "- {name: C, role: inlet, point: [1, 3, 4], flow: {waveform: w3.csv}}\n"
                               "- {name: D, role: inlet, point: [1, 4, 4], flow: {waveform: w4.csv}}\n"
                               "- {name: E, role: outlet, point: [1, 2, 9], pressure: 0 mmHg}\n"
                               "solve: {mode: pulsatile}\n");
    status_clear();
    assert_int_equal(case_read(path, 0, &c), OK); /* not asked for: not looked at */
    case_free(&c);
    assert_int_equal(case_read(path, CASE_FILES | CASE_KEEP, &c), ERR_INPUT); /* kept as far as it was read */
    assert_string_equal(c.image.path, "none.nii");
    assert_int_equal(c.image.line, 1);
    assert_int_equal(c.segment.surface_line, 2);
    assert_int_equal(c.n_opening, 5);
    case_free(&c);
    status_clear();
    assert_int_equal(case_read(path, 1, &c), ERR_INPUT);
    assert_null(c.image.path);
    const char *const words[] = {"case.yaml:1:15: path: cannot open 'none.nii': No such file",
                                 "case.yaml:2:27: path: 'folder' is a folder",
                                 "case.yaml:5:61: waveform: its period is 1.1 s, but another waveform has 0.9 s",
                                 "w3.csv:3: 'x' is not a number", "case.yaml:7:61: waveform: cannot open 'w4.csv'"};
    for (int k = 0; k < 5; k++)
        if (!strstr(status_message(), words[k]))
            fail_msg("%s\nhas no \"%s\"", status_message(), words[k]);
    assert_int_equal(count_lines(status_message()), 5);
    status_clear();
    path = temp_text("case.yaml", "segment: {labels: {path: folder}}\nopenings:\n"
                                  "- {name: A, role: inlet, point: [1, 2, 3], flow: {waveform: w1.csv}}\n"
                                  "- {name: E, role: outlet, point: [1, 2, 9], pressure: 0 mmHg}\n"
                                  "solve: {mode: pulsatile, period: 1 s}\n");
    assert_int_equal(case_read(path, 1, &c), ERR_INPUT);
    assert_non_null(strstr(status_message(), "its period is 0.9 s; solve.period (1 s) is not a multiple of it"));
    status_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_yaml), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
