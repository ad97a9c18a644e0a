/* SPDX-License-Identifier: Apache-2.0 */
/* checkpoint.h5 of a run of eight cells: what was written is read; cut, with a surplus or of something else it is
 * refused. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/base/file.h"
#include "solve/output/checkpoint.h"
#include "solve/output/stored_files.h"
#include "tests/unit/temp.h"

enum { CELLS = 8, OPENINGS = 2, CHANGES = 5, SAMPLES = 3 };
static float slots[19 * CELLS], taken[19 * CELLS];

static int give(backend *b, void *to, void *kept) {
    (void)b, (void)kept;
    memcpy(to, slots, sizeof slots);
    return OK;
}

static int take(backend *b, const void *from, const void *kept) {
    (void)b, (void)kept;
    memcpy(taken, from, sizeof taken);
    return OK;
}

static const domain d = {.n_cell = CELLS, .n_opening = OPENINGS};
static const backend_table table = {.read = give, .write = take};
static const boundary_values no_openings;
static const run_settings r = {.d = &d, .g = &no_openings, .table = &table};
static char path[512], folder[512];

static void fill(float *x, size_t n, float first) {
    for (size_t k = 0; k < n; k++)
        x[k] = first + (float)k;
}

static void fill_fields(state_fields *f, float first) {
    assert_int_equal(state_fields_create(f, CELLS), OK);
    fill(f->density, CELLS, first);
    fill(f->velocity, 3 * CELLS, first + 100);
    fill(f->stress, 6 * CELLS, first + 200);
}

static bool same(const float *a, const float *b, int n) {
    for (int k = 0; k < n; k++)
        if (a[k] != b[k])
            return false;
    return true;
}

static bool same_fields(const state_fields *a, const state_fields *b) {
    return same(a->density, b->density, CELLS) && same(a->velocity, b->velocity, 3 * CELLS) &&
           same(a->stress, b->stress, 6 * CELLS);
}

static const run_progress progress = {.step = 1234,
                                      .time_s = 0.5,
                                      .dt_s = 1e-4,
                                      .pace = 0.25,
                                      .retimes = 2,
                                      .diverged = true,
                                      .monitors = 17,
                                      .target = 0.1,
                                      .good_time_s = {0.4, 0.3},
                                      .good_pace = {0.25, 0.5},
                                      .averaging = true,
                                      .begin_s = 0.45,
                                      .field_gap = 2,
                                      .mass_correction = 1e-7};
static run_result result;

static int write_one(void **state) {
    char mark[STORED_FILES_MARK];
    (void)state;
    snprintf(path, sizeof path, "%s", temp_path("checkpoint.h5"));
    snprintf(folder, sizeof folder, "%s", temp_path("."));
    temp_text("monitors.csv", "step\n1\n");
    fill(slots, 19 * CELLS, 1);
    for (int k = 0; k < CHANGES; k++)
        assert_int_equal(fluctuation_change(&result.statistics, 0.1 / (k + 1)), OK);
    result.statistics.n_opening = OPENINGS;
    for (int k = 0; k < SAMPLES; k++)
        assert_int_equal(fluctuation_sample(&result.statistics, (double[]){k, -k}, (double[]){0.5 * k, 0.25 * k}), OK);
    fill_fields(&result.statistics.mean, 1);
    result.statistics.n_field = 7;
    fill_fields(&result.good[0], 1000);
    fill_fields(&result.good[1], 2000);
    assert_int_equal(stored_files_mark(folder, "", mark), OK);
    assert_int_equal(checkpoint_write(path, "key", mark, &r, BACKEND_FLOAT, &progress, &result), OK);
    return 0;
}

static int free_result(void **state) {
    (void)state;
    run_result_free(&result);
    return 0;
}

static int read_one(const char *key, run_progress *p, run_result *got) {
    char sum[STORED_FILES_SUM];
    status_clear();
    *got = (run_result){0};
    return checkpoint_read(path, key, folder, sum, &r, BACKEND_FLOAT, p, got);
}

static void what_was_written_is_read(void **state) {
    (void)state;
    run_progress p;
    run_result got;
    const fluctuation *a = &result.statistics, *b = &got.statistics;
    if (read_one("key", &p, &got) != OK)
        fail_msg("%s", status_message());
    assert_memory_equal(taken, slots, sizeof slots);
    assert_true(p.step == 1234 && p.time_s == 0.5 && p.dt_s == 1e-4 && p.pace == 0.25 && p.retimes == 2 && p.diverged);
    assert_true(p.monitors == 17 && p.target == 0.1 && p.good_time_s[1] == 0.3 && p.good_pace[1] == 0.5);
    assert_true(p.averaging && p.begin_s == 0.45 && p.field_gap == 2 && p.mass_correction == 1e-7 && !p.last_cycle &&
                !p.not_periodic);
    assert_true(b->n_change == CHANGES && b->n_sample == SAMPLES && b->n_field == 7 && b->n_opening == OPENINGS);
    assert_memory_equal(a->log_change, b->log_change, CHANGES * sizeof(float));
    assert_memory_equal(a->sample, b->sample, SAMPLES * 2 * OPENINGS * sizeof(double));
    assert_true(same_fields(&a->mean, &b->mean));
    assert_true(same_fields(&result.good[0], &got.good[0]) && same_fields(&result.good[1], &got.good[1]));
    assert_int_equal(fluctuation_change(&got.statistics, 1), OK); /* and it goes on */
    assert_int_equal(fluctuation_sample(&got.statistics, (double[]){1, 1}, (double[]){1, 1}), OK);
    run_result_free(&got);
}

static void refused(const char *key, const char *word) {
    run_progress p;
    run_result got;
    assert_int_equal(read_one(key, &p, &got), ERR_INPUT);
    assert_non_null(strstr(status_message(), word));
    assert_null(got.good[0].density);
    assert_null(p.cycle_velocity);
}

static void cut_and_longer(void **state) {
    (void)state;
    char *bytes = NULL, *longer;
    size_t n = 0;
    assert_int_equal(file_read(path, 1 << 24, &bytes, &n), OK);
    longer = calloc(n + 64, 1);
    assert_non_null(longer);
    memcpy(longer, bytes, n);
    for (size_t k = 1; k <= 20; k++) { /* ten over the whole length, ten near the end */
        const size_t at = k <= 10 ? n * k / 11 : n - (k - 10);
        temp_write("checkpoint.h5", bytes, at);
        refused("key", "checkpoint");
    }
    for (size_t more = 1; more <= 64; more *= 4) {
        temp_write("checkpoint.h5", longer, n + more);
        refused("key", "checkpoint");
    }
    temp_write("checkpoint.h5", bytes, n);
    free(bytes);
    free(longer);
}

static void of_something_else(void **state) {
    (void)state;
    refused("another", "written for another");
    temp_text("monitors.csv", "step\n2\n");
    refused("key", "monitors.csv");
    temp_text("monitors.csv", "step\n1\n");
    domain more = d;
    more.n_cell = CELLS + 1;
    run_settings other = r;
    run_progress p;
    run_result got = {0};
    char sum[STORED_FILES_SUM];
    other.d = &more;
    status_clear();
    assert_int_equal(checkpoint_read(path, "key", folder, sum, &other, BACKEND_FLOAT, &p, &got), ERR_INPUT);
    more.n_cell = CELLS;
    more.n_opening = OPENINGS + 1;
    status_clear();
    assert_int_equal(checkpoint_read(path, "key", folder, sum, &other, BACKEND_FLOAT, &p, &got), ERR_INPUT);
    assert_null(got.statistics.sample);
    status_clear();
}

/* The rows and the stored instants beside it: what came later is dropped, another file is refused. */
static void what_lies_beside_it(void **state) {
    (void)state;
    char beside[600], mark[STORED_FILES_MARK], sum[STORED_FILES_SUM] = "", again[STORED_FILES_SUM] = "";
    char *text = NULL;
    assert_int_equal(file_create_folder(temp_path("beside")), OK);
    snprintf(beside, sizeof beside, "%s", temp_path("beside"));
    temp_text("beside/monitors.csv", "a\n1\n");
    assert_int_equal(stored_files_add(temp_text("beside/fields_0000.vtkhdf", "first"), sum), OK);
    assert_int_equal(stored_files_add(temp_text("beside/fields_0001.vtkhdf", "second"), sum), OK);
    assert_int_equal(stored_files_mark(beside, sum, mark), OK);
    temp_text("beside/monitors.csv", "a\n1\n2\n");
    assert_int_equal(stored_files_resume(beside, mark, 2, again), OK);
    assert_string_equal(again, sum);
    assert_int_equal(file_read(temp_path("beside/monitors.csv"), 100, &text, NULL), OK);
    assert_string_equal(text, "a\n1\n");
    free(text);
    assert_int_equal(stored_files_resume(beside, mark, 1, again), ERR_INPUT);
    temp_text("beside/fields_0001.vtkhdf", "secondly");
    assert_int_equal(stored_files_resume(beside, mark, 2, again), ERR_INPUT);
    temp_text("beside/fields_0001.vtkhdf", "second");
    temp_text("beside/monitors.csv", "a\n3\n");
    assert_int_equal(stored_files_resume(beside, mark, 2, again), ERR_INPUT);
    assert_int_equal(stored_files_add(temp_path("beside/none"), sum), ERR_INPUT);
    status_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_written_is_read), cmocka_unit_test(cut_and_longer),
                                       cmocka_unit_test(of_something_else), cmocka_unit_test(what_lies_beside_it)};
    return cmocka_run_group_tests(tests, write_one, free_result);
}
