/* SPDX-License-Identifier: Apache-2.0 */
/* <stage>.json: checksums, what is written, and when an output is still up to date. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *sum(const char *path) {
    static char hex[4][17];
    static int turn;
    turn = (turn + 1) % 4;
    assert_int_equal(provenance_checksum(path, hex[turn]), OK);
    assert_int_equal(strlen(hex[turn]), 16);
    return hex[turn];
}

static void test_checksum(void **state) {
    (void)state;
    char hex[17];
    assert_string_equal(sum(temp_text("empty", "")),
                        "2d06800538d394c2"); /* XXH3-64 of nothing, from its specification */
    assert_string_not_equal(sum(temp_text("a", "abc")), sum(temp_text("b", "abd")));
    char mark[132] = "", both[264] = "";
    memcpy(mark + 128, "DICM", 4);
    memcpy(both, mark, sizeof mark);
    memcpy(both + sizeof mark, mark, sizeof mark);
    temp_write("a", both, sizeof both);
    assert_int_equal(file_create_folder(temp_path("dicom/inner")), OK);
    temp_write("dicom/1", mark, sizeof mark);
    temp_write("dicom/2", mark, sizeof mark);
    temp_text("dicom/case.yaml", "name: a\n");
    assert_string_equal(sum(temp_path("dicom")), sum(temp_path("a"))); /* contents in name order, not names */
    temp_write("dicom/inner/x", mark, sizeof mark);
    assert_string_not_equal(sum(temp_path("dicom")), sum(temp_path("a")));
    static const char *const headers[][2] = {{"m.mhd", "NDims = 3\nElementDataFile = m.raw\n"},
                                             {"m.nhdr", "NRRD0004\nData File: m.raw\r\n\n"},
                                             {"m.img", "not a header"}};
    for (int k = 0; k < 3; k++) { /* the voxels are in a second file */
        const char *second = k == 2 ? "m.hdr" : "m.raw", *path = temp_text(headers[k][0], headers[k][1]);
        temp_text(second, "1");
        const char *one = sum(path);
        temp_text(second, "2");
        assert_string_not_equal(one, sum(path));
    }
    char large[200001];
    memset(large, 'x', sizeof large);
    const char *first = sum(temp_write("large", large, sizeof large));
    large[150000] = 'y';
    assert_string_not_equal(first, sum(temp_write("large", large, sizeof large)));
    assert_int_equal(symlink(".", temp_path("dicom/loop")), 0); /* does not go round */
    sum(temp_path("dicom"));
    status_clear();
    assert_int_equal(provenance_checksum(temp_path("none"), hex), ERR_INPUT);
    status_clear();
}

static void test_numbers(void **state) {
    (void)state;
    cJSON *o = cJSON_CreateObject();
    const double three[3] = {1, NAN, 1.0 / 3};
    json_add_number(o, "third", 1.0 / 3);
    json_add_number(o, "nothing", NAN);
    json_add_number(o, "large", 1e300 * 1e10);
    json_add_number(o, "tiny", -1.23456789012e-12);
    json_add_numbers(o, "three", 3, three);
    assert_int_equal(json_write(temp_path("n.json"), o), OK);
    cJSON_Delete(o);
    char *text;
    assert_int_equal(file_read(temp_path("n.json"), 10000, &text, NULL), OK);
    assert_non_null(strstr(text, "0.333333333,"));
    assert_non_null(strstr(text, "\"nothing\":\tnull"));
    assert_non_null(strstr(text, "\"large\":\tnull"));
    assert_non_null(strstr(text, "-1.23456789e-12"));
    assert_non_null(strstr(text, "[1, null, 0.333333333]"));
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);
    assert_int_equal(json_read(temp_path("n.json"), &o), OK);
    assert_true(json_get_number(o, "third") == 0.333333333);
    assert_true(isnan(json_get_number(o, "nothing")) && isnan(json_get_number(o, "absent")));
    cJSON_Delete(o);
}

static void refuse(const char *path, const char *words) {
    cJSON *o;
    status_clear();
    assert_int_equal(json_read(path, &o), ERR_INPUT);
    assert_null(o);
    assert_non_null(strstr(status_message(), words));
    status_clear();
}

static void test_json_refused(void **state) {
    (void)state;
    refuse(temp_path("none.json"), "No such file");
    refuse(temp_text("bad.json", "{\n\"a\": 1,\n\"b\" 2}\n"), "bad.json:3: this is not valid JSON");
    refuse(temp_text("bad.json", "{\"a\": 1} x"), "bad.json:1:");
    refuse(temp_text("bad.json", ""), "not valid JSON");
    char deep[5000];
    memset(deep, '[', sizeof deep);
    refuse(temp_write("deep.json", deep, sizeof deep), "not valid JSON");
}

/* Every byte of a sealed file counts, and it may not lose or gain one. */
static void test_seal(void **state) {
    (void)state;
    cJSON *o = cJSON_Parse("{\"pressure_pa\": 1.76, \"converged\": false}"), *read = NULL;
    char path[600], *text;
    size_t size;
    snprintf(path, sizeof path, "%s", temp_path("sealed.json"));
    assert_int_equal(json_write_sealed(path, o), OK);
    cJSON_Delete(o);
    assert_int_equal(json_read_sealed(path, &read), OK);
    assert_true(json_get_number(read, "pressure_pa") == 1.76);
    cJSON_Delete(read);
    assert_int_equal(file_read(path, 10000, &text, &size), OK);
    for (size_t k = 0; k < size; k++) {
        text[k] ^= 1;
        temp_write("bit.json", text, size);
        text[k] ^= 1;
        assert_int_equal(json_read_sealed(temp_path("bit.json"), &read), ERR_INPUT);
        assert_null(read);
        temp_write("bit.json", text, k);
        status_clear();
        assert_int_equal(json_read_sealed(temp_path("bit.json"), &read), ERR_INPUT);
        status_clear();
    }
    text[size] = ' '; /* where the NUL of file_read was */
    temp_write("bit.json", text, size + 1);
    assert_int_equal(json_read_sealed(temp_path("bit.json"), &read), ERR_INPUT);
    assert_non_null(strstr(status_message(), "was changed after it was written"));
    status_clear();
    assert_int_equal(json_read_sealed(temp_path("none.json"), &read), ERR_INPUT);
    status_clear();
    free(text);
}

/* One stage in a folder like a patient's. */
static void write_stage(const char *version_of_case) {
    char case_path[600], out[600];
    assert_int_equal(file_create_folder(temp_path("p/out/mesh")), OK);
    snprintf(case_path, sizeof case_path, "%s", temp_text("p/case.yaml", "name: x\n"));
    snprintf(out, sizeof out, "--out=%s", temp_path("p/out/mesh"));
    temp_text("p/phi", "phi");
    temp_text("p/out/mesh/lattice.h5", "lattice");
    char *argv[] = {"/some/where/bin/mesh", "--case", case_path, out, "/etc/hostname", "--threads", "4"};
    cJSON *o = provenance_start("mesh", 7, argv, version_of_case);
    assert_non_null(o);
    message_clear();
    message_warn("a warning");
    assert_int_equal(provenance_add_input(o, "segment/phi", temp_path("p/phi")), OK);
    assert_int_equal(provenance_add_output(o, temp_path("p"), temp_path("p/out/mesh/lattice.h5")), OK);
    cJSON *result = cJSON_AddObjectToObject(o, "result");
    json_add_number(result, "cells", 12);
    assert_int_equal(provenance_write(o, temp_path("p/out/mesh/mesh.json")), OK);
    cJSON_Delete(o);
    message_clear();
}

static void test_written(void **state) {
    (void)state;
    char *text;
    write_stage("0123456789abcdef");
    assert_int_equal(file_read(temp_path("p/out/mesh/mesh.json"), 100000, &text, NULL), OK);
    assert_null(strstr(text, temp_root)); /* no path of this machine */
    assert_null(strstr(text, "/some"));
    assert_null(strstr(text, "/etc"));
    assert_non_null(
        strstr(text, "[\"mesh\", \"--case\", \"case.yaml\", \"--out=out/mesh\", \"hostname\", \"--threads\", \"4\"]"));
    assert_non_null(strstr(text, "\"warnings\":\t[\"a warning\"]"));
    assert_non_null(strstr(text, "\"version\":\t\"0.1.0\""));
    free(text);
    cJSON *o;
    assert_int_equal(json_read(temp_path("p/out/mesh/mesh.json"), &o), OK);
    assert_true(json_get_number(o, "seconds") >= 0 && json_get_number(o, "seconds") < 100);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(o, "case_xxh3")), "0123456789abcdef");
    cJSON_Delete(o);
}

static void current(const char *digest, int n, const char *label, enum provenance_change kind, const char *words) {
    char reason[256], json[600], folder[600], phi[600];
    snprintf(json, sizeof json, "%s", temp_path("p/out/mesh/mesh.json"));
    snprintf(folder, sizeof folder, "%s", temp_path("p"));
    snprintf(phi, sizeof phi, "%s", temp_path("p/phi"));
    const char *const labels[] = {label}, *const paths[] = {phi};
    status_clear();
    assert_int_equal(provenance_find_change(json, folder, digest, n, labels, paths, NULL, reason), kind);
    assert_string_equal(status_message(), "");
    if (!strstr(reason, words))
        fail_msg("the reason \"%s\" has no \"%s\"", reason, words);
    assert_int_equal(kind == PROVENANCE_CURRENT, reason[0] == '\0');
}

static void test_current(void **state) {
    (void)state;
    const char *digest = "0123456789abcdef";
    write_stage(digest);
    current(digest, 1, "segment/phi", PROVENANCE_CURRENT, "");
    current("another", 1, "segment/phi", PROVENANCE_CASE, "part of the case has changed");
    current(digest, 1, "segment/other", PROVENANCE_INPUTS, "was not an input before");
    current(digest, 0, "", PROVENANCE_INPUTS, "other inputs");
    temp_text("p/phi", "ph!");
    current(digest, 1, "segment/phi", PROVENANCE_INPUT_CHANGED, "'segment/phi' has changed");
    remove(temp_path("p/phi"));
    current(digest, 1, "segment/phi", PROVENANCE_INPUTS, "'segment/phi' is missing");
    temp_text("p/phi", "phi");
    current(digest, 1, "segment/phi", PROVENANCE_CURRENT, "");
    temp_text("p/out/mesh/lattice.h5", "lattice!");
    current(digest, 1, "segment/phi", PROVENANCE_OUTPUT, "output 'out/mesh/lattice.h5' has changed");
    remove(temp_path("p/out/mesh/lattice.h5"));
    current(digest, 1, "segment/phi", PROVENANCE_OUTPUT, "output 'out/mesh/lattice.h5' is missing");
    cJSON *old = cJSON_Parse("{\"program\": {\"version\": \"0.0.9\"}}");
    assert_int_equal(json_write_sealed(temp_path("p/out/mesh/mesh.json"), old), OK);
    cJSON_Delete(old);
    current(digest, 1, "segment/phi", PROVENANCE_VERSION, "version '0.0.9'");
    temp_text("p/out/mesh/mesh.json", "{]");
    current(digest, 1, "segment/phi", PROVENANCE_RECORD, "was changed after it was written");
    temp_text("p/out/mesh/mesh.json", "{\"program\": {\"version\": \"0.1.0\"}}");
    current(digest, 1, "segment/phi", PROVENANCE_RECORD, "was changed after it was written");
    remove(temp_path("p/out/mesh/mesh.json"));
    current(digest, 1, "segment/phi", PROVENANCE_NOT_MADE, "not computed yet");
}

/* A folder outside the patient's may bear a name: only the last part of such a path is written. */
static void test_labels(void **state) {
    (void)state;
    const char *const pair[][2] = {{"images/a.nii", "images/a.nii"},
                                   {"images/../a.nii", "images/../a.nii"},
                                   {"./a/./b//../..//c.nii", "./a/./b//../..//c.nii"},
                                   {"..nii", "..nii"},
                                   {"/home/doe/a.nii", "a.nii"},
                                   {"../doe/a.nii", "a.nii"},
                                   {"images/../../doe/a.nii", "a.nii"},
                                   {"./../doe/a.nii", "a.nii"}};
    for (size_t k = 0; k < sizeof pair / sizeof pair[0]; k++)
        assert_string_equal(provenance_safe_label(pair[k][0]), pair[k][1]);
}

/* Every stage names its files in the same way: from the folder of the case, and no folder above or beside it. */
static void test_names(void **state) {
    (void)state;
    assert_int_equal(file_create_folder(temp_path("doe/case/out/solve")), OK);
    temp_text("doe/case/out/solve/fields", "f");
    temp_text("doe/other", "o");
    const char *const pair[][2] = {{"doe/case/out/solve/fields", "out/solve/fields"},
                                   {"doe/case/out/../out/solve/fields", "out/solve/fields"},
                                   {"doe/case/out/solve/none", "none"},
                                   {"doe/other", "other"}};
    for (size_t k = 0; k < sizeof pair / sizeof pair[0]; k++) {
        char *name = provenance_relative_name(temp_path("doe/case"), temp_path(pair[k][0]));
        assert_string_equal(name, pair[k][1]);
        free(name);
    }
}

/* Behind a link, such as an out/ on another disk, a file keeps its place in the folder. */
static void test_names_behind_link(void **state) {
    (void)state;
    char cwd[FILE_PATH_MAX];
    assert_non_null(getcwd(cwd, sizeof cwd));
    assert_int_equal(file_create_folder(temp_path("disk/mesh")), OK);
    assert_int_equal(file_create_folder(temp_path("linked")), OK);
    temp_text("disk/mesh/lattice", "l");
    assert_int_equal(symlink("../disk", temp_path("linked/out")), 0);
    char *name = provenance_relative_name(temp_path("linked"), temp_path("linked/out/mesh/lattice"));
    assert_string_equal(name, "out/mesh/lattice");
    free(name);
    assert_int_equal(chdir(temp_path("linked")), 0);
    name = provenance_relative_name(".", "out/mesh/lattice");
    assert_string_equal(name, "out/mesh/lattice");
    free(name);
    assert_int_equal(chdir(cwd), 0);
}

/* An output is what its stage recorded, or refused with a sentence. */
static void test_output_is_checked(void **state) {
    (void)state;
    const char *path = temp_text("values.csv", "1,2,3\n");
    char *words[] = {"post",     "--case=case.yaml", "--set=image.path=doe.nii",   "--set",
                     "name=Doe", "--set=name=Doe",   "--set=segment.before=../doe"};
    cJSON *o = provenance_start("post", 7, words, NULL);
    cJSON *record = NULL;
    assert_non_null(o);
    assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(o, "command"), 2)->valuestring, "--set=image.path=...");
    assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(o, "command"), 4)->valuestring, "name=...");
    assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(o, "command"), 5)->valuestring, "--set=name=...");
    assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(o, "command"), 6)->valuestring,
                        "--set=segment.before=...");
    status_clear();
    assert_int_equal(provenance_check_output(path, "post", NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "is missing: it records the checksum"));
    assert_int_equal(provenance_add_output(o, temp_path(""), path), OK);
    assert_int_equal(provenance_write(o, temp_path("post.json")), OK);
    cJSON_Delete(o);
    status_clear();
    assert_int_equal(provenance_check_output(path, "post", &record), OK);
    assert_string_equal(cJSON_GetObjectItem(record, "stage")->valuestring, "post");
    cJSON_Delete(record);
    temp_text("values.csv", "1,2,4\n");
    assert_int_equal(provenance_check_output(path, "post", NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "is not the file that post wrote"));
    status_clear();
}

static void test_cannot_write(void **state) {
    (void)state;
    cJSON *o = provenance_start("mesh", 0, NULL, NULL);
    status_clear();
    assert_int_equal(provenance_write(o, temp_path("none/mesh.json")), ERR_OUTPUT);
    status_clear();
    assert_int_equal(provenance_add_input(o, "x", temp_path("none")), ERR_INPUT);
    status_clear();
    cJSON_Delete(o);
}

/* A value that found no memory is left out by cJSON without a word: the file is then not written. */
static void test_no_memory(void **state) {
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* it needs far more room than is left */
#endif
    int how = 0;
    const pid_t child = fork();
    if (child == 0) {
        const size_t size = (size_t)64 << 20;
        char *long_text = malloc(size);
        cJSON *o = cJSON_CreateObject();
        if (!long_text || !o || !cJSON_AddStringToObject(o, "stage", "mesh"))
            _exit(100);
        memset(long_text, 'a', size);
        long_text[size - 1] = '\0';
        const struct rlimit limit = {size, RLIM_INFINITY};
        if (setrlimit(RLIMIT_AS, &limit) != 0 || cJSON_AddStringToObject(o, "text", long_text))
            _exit(101);
        const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
        (void)!setrlimit(RLIMIT_AS, &none);
        _exit(json_write_sealed(temp_path("short.json"), o));
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), ERR_RESOURCE);
    assert_false(file_exists(temp_path("short.json")));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_checksum),
                                       cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_seal),
                                       cmocka_unit_test(test_json_refused),
                                       cmocka_unit_test(test_written),
                                       cmocka_unit_test(test_current),
                                       cmocka_unit_test(test_cannot_write),
                                       cmocka_unit_test(test_labels),
                                       cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_no_memory),
                                       cmocka_unit_test(test_names_behind_link),
                                       cmocka_unit_test(test_output_is_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
