/* SPDX-License-Identifier: Apache-2.0 */
/* What is packed in pieces unpacks to the same bytes, as one member, whatever the number of threads. */
#include "common/base/status.h"
#include "common/image_file/gzip_write.h"
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "tests/unit/temp.h"

enum { MOST = 20 << 20 };

/* Runs of zeros and noise that does not pack. */
static void take(const void *from, size_t at, size_t n, unsigned char *out) {
    const uint64_t *seed = from;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = (at + i + *seed) * 0x9E3779B97F4A7C15u;
        x ^= x >> 29;
        out[i] = (at + i) >> 16 & 1 ? (unsigned char)(x >> 7) : 0;
    }
}

static size_t read_all(const char *path, unsigned char *out, size_t most) {
    FILE *f = fopen(path, "rbe");
    assert_non_null(f);
    const size_t n = fread(out, 1, most, f);
    fclose(f);
    return n;
}

/* One member alone, its checksum compared, nothing behind it. */
static void unpacks(const unsigned char *packed, size_t n, const unsigned char *bytes, size_t size,
                    unsigned char *out) {
    z_stream z = {.next_in = (unsigned char *)packed, .avail_in = (uInt)n, .next_out = out, .avail_out = MOST + 1};
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    assert_int_equal(z.total_out, size);
    assert_memory_equal(out, bytes, size);
    inflateEnd(&z);
}

static void round_trip(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 351, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, MOST - 5};
    unsigned char *bytes = malloc(MOST + 1), *out = malloc(MOST + 1), *packed = malloc(2 * MOST),
                  *again = malloc(2 * MOST);
    char path[300];
    const uint64_t seed = 3;
    assert_true(bytes && out && packed && again);
    snprintf(path, sizeof path, "%s", temp_path("pieces.gz"));
    take(&seed, 0, MOST, bytes);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        omp_set_num_threads(3);
        assert_int_equal(gzip_write(path, path, sizes[k], take, &seed), OK);
        const size_t n = read_all(path, packed, 2 * MOST);
        unpacks(packed, n, bytes, sizes[k], out);
        omp_set_num_threads(1);
        assert_int_equal(gzip_write(path, path, sizes[k], take, &seed), OK);
        assert_int_equal(read_all(path, again, 2 * MOST), n);
        assert_memory_equal(packed, again, n);
    }
    free(bytes);
    free(out);
    free(packed);
    free(again);
}

static void refused(void **state) {
    (void)state;
    const uint64_t seed = 3;
    assert_int_equal(gzip_write("/nowhere/x.gz", "x.gz", 10, take, &seed), ERR_OUTPUT);
    assert_string_equal(status_message(), "cannot write 'x.gz': No such file or directory");
    status_clear();
    assert_int_equal(gzip_write("/dev/full", "full.gz", MOST, take, &seed), ERR_OUTPUT);
    assert_string_equal(status_message(), "cannot write 'full.gz': No space left on device");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
