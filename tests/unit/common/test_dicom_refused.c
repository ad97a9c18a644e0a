/* SPDX-License-Identifier: Apache-2.0 */
/* DICOM files made here whose header or pixels are wrong: each refused with the word that names the cause. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include "common/image_file/itk_image.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
/* after cmocka.h: it asserts */
#include "tests/unit/common/dicom_write.h"
#include "tests/unit/temp.h"

/* One slice of a series; what is NULL or 0 is as it should be. */
typedef struct {
    const char *type, *frames, *spacing, *slope, *photometric;
    int samples, bits, fewer, stored, high;
} oddity;

static void write_odd(const char *path, int k, const oddity *o) {
    static buffer b;
    uint16_t pixel[4 * WIDE * HIGH] = {0}; /* up to 64 bits each */
    char position[64], instance[64];
    const int samples = o->samples ? o->samples : 1, bits = o->bits ? o->bits : 16;
    snprintf(position, sizeof position, "0\\0\\%g", 2.5 * k);
    snprintf(instance, sizeof instance, "1.2.3.%d", k + 1);
    put_start(&b, "1.2.840.10008.5.1.4.1.1.4", instance);
    put_text(&b, 8, 8, "CS", o->type ? o->type : "ORIGINAL\\PRIMARY");
    put_text(&b, 0x20, 0x0e, "UI", "1.2.3");
    put_text(&b, 0x20, 0x32, "DS", position);
    put_text(&b, 0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0");
    put_u16(&b, 0x28, 2, samples);
    put_text(&b, 0x28, 4, "CS", o->photometric ? o->photometric : "MONOCHROME2");
    if (samples > 1)
        put_u16(&b, 0x28, 6, 0);
    if (o->frames)
        put_text(&b, 0x28, 8, "IS", o->frames);
    put_u16(&b, 0x28, 0x10, HIGH);
    put_u16(&b, 0x28, 0x11, WIDE);
    put_text(&b, 0x28, 0x30, "DS", o->spacing ? o->spacing : "0.5\\0.75");
    put_u16(&b, 0x28, 0x100, bits);
    put_u16(&b, 0x28, 0x101, o->stored ? o->stored : bits);
    put_u16(&b, 0x28, 0x102, o->high ? o->high : (o->stored ? o->stored : bits) - 1);
    put_u16(&b, 0x28, 0x103, 0);
    if (o->slope)
        put_text(&b, 0x28, 0x1053, "DS", o->slope);
    put_element(&b, 0x7fe0, 0x10, "OW", pixel,
                (size_t)WIDE * HIGH * (size_t)samples * (size_t)bits / 8 - (size_t)o->fewer);
    write_file(path, &b);
}

/* Three slices, the second one odd. */
static void refuse(const char *name, const oddity *o, const char *word) {
    static const oddity none;
    char file[620], folder[600];
    volume v;
    snprintf(folder, sizeof folder, "%s", temp_path(name));
    assert_int_equal(mkdir(folder, 0777), 0);
    for (int k = 0; k < 3; k++) {
        snprintf(file, sizeof file, "%s/%d.dcm", folder, k);
        write_odd(file, k, k == 1 ? o : &none);
    }
    status_clear();
    const int rc = image_read(folder, NULL, &v);
    if (rc != (word ? ERR_INPUT : OK) || (word && strstr(status_message(), word) == NULL))
        print_message("%s: %d '%s' (expected '%s')\n", name, rc, status_message(), word ? word : "");
    assert_int_equal(rc, word ? ERR_INPUT : OK);
    if (word)
        assert_non_null(strstr(status_message(), word));
    else
        volume_free(&v);
    status_clear();
}

static void headers(void **state) {
    (void)state;
    refuse("fine", &(oddity){.slope = "2"}, NULL);
    refuse("mosaic", &(oddity){.type = "ORIGINAL\\PRIMARY\\M\\ND\\MOSAIC"}, "mosaic");
    refuse("words", &(oddity){.frames = "many"}, "number of frames");
    refuse("none", &(oddity){.frames = "0"}, "0 frames");
    refuse("all", &(oddity){.frames = "90000"}, "90000 frames");
    refuse("wide", &(oddity){.spacing = "0.5\\2000"}, "pixel spacing");
    refuse("minus", &(oddity){.spacing = "-0.5\\0.75"}, "pixel spacing");
    refuse("comma", &(oddity){.spacing = "0,5\\0,75"}, "pixel spacing");
    refuse("slope", &(oddity){.slope = "1,5"}, "RescaleSlope");
    refuse("flat", &(oddity){.slope = "0"}, "RescaleSlope");
    refuse("more", &(oddity){.stored = 17}, "17 bits in 16");
    refuse("high", &(oddity){.stored = 12, .high = 8}, "highest bit is number 8");
    refuse("hex", &(oddity){.slope = "0x2"}, "RescaleSlope");
    refuse("scales", &(oddity){.slope = "1e6"}, "mixed slices");
    refuse("turned", &(oddity){.slope = "-1"}, "mixed slices");
}

static void pixels(void **state) {
    (void)state;
    refuse("colour", &(oddity){.samples = 3, .photometric = "RGB"}, "colour");
    refuse("palette", &(oddity){.photometric = "PALETTE COLOR"}, "");
    refuse("cut", &(oddity){.fewer = 8}, "");
    refuse("bit", &(oddity){.bits = 1}, "");
    refuse("bytes", &(oddity){.bits = 8}, NULL); /* another type in one series: the values are what counts */
    refuse("long", &(oddity){.bits = 64}, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(headers, NULL, NULL),
                                       cmocka_unit_test_setup_teardown(pixels, NULL, NULL)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
