/* SPDX-License-Identifier: Apache-2.0 */
/* DICOM files made by hand: elements in explicit VR little endian (DICOM PS3.5 7.1). Included after
 * cmocka.h: it asserts. */
#ifndef PORTAFLOW_TESTS_DICOM_WRITE_H
#define PORTAFLOW_TESTS_DICOM_WRITE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    unsigned char data[40000];
    size_t n;
} buffer;

static void put(buffer *b, const void *data, size_t n) {
    assert_true(b->n + n <= sizeof b->data);
    memcpy(b->data + b->n, data, n);
    b->n += n;
}

static void put_element(buffer *b, unsigned group, unsigned element, const char *vr, const void *data, size_t n) {
    const unsigned char head[6] = {(unsigned char)group,          (unsigned char)(group >> 8), (unsigned char)element,
                                   (unsigned char)(element >> 8), (unsigned char)vr[0],        (unsigned char)vr[1]};
    uint32_t long_length = (uint32_t)(n + n % 2);
    uint16_t short_length = (uint16_t)long_length, zero = 0;
    bool is_long = strcmp(vr, "OW") == 0 || strcmp(vr, "OB") == 0 || strcmp(vr, "SQ") == 0;
    put(b, head, 6);
    if (is_long) {
        put(b, &zero, 2);
        put(b, &long_length, 4);
    } else {
        put(b, &short_length, 2);
    }
    put(b, data, n);
    if (n % 2)
        put(b, strcmp(vr, "UI") == 0 || strcmp(vr, "OB") == 0 ? "\0" : " ", 1);
}
static void put_text(buffer *b, unsigned group, unsigned element, const char *vr, const char *text) {
    put_element(b, group, element, vr, text, strlen(text));
}
static void put_u16(buffer *b, unsigned group, unsigned element, int value) {
    uint16_t x = (uint16_t)value;
    put_element(b, group, element, "US", &x, 2);
}
static void put_item(buffer *b, const buffer *content) {
    const unsigned char head[4] = {0xfe, 0xff, 0x00, 0xe0};
    uint32_t n = (uint32_t)content->n;
    put(b, head, 4);
    put(b, &n, 4);
    put(b, content->data, content->n);
}
/* Sequence of one item with one or two text elements. */
static inline void put_group(buffer *b, unsigned group, unsigned element, unsigned tag_group, const unsigned tag[2],
                             const char *const text[2]) {
    static buffer inner, item;
    inner.n = item.n = 0;
    for (int i = 0; i < 2 && text[i] != NULL; i++)
        put_text(&inner, tag_group, tag[i], "DS", text[i]);
    put_item(&item, &inner);
    put_element(b, group, element, "SQ", item.data, item.n);
}

/* An empty file up to its class and instance. */
static void put_start(buffer *b, const char *class_uid, const char *instance) {
    static buffer meta;
    static const unsigned char version[2] = {0, 1}, mark[4] = {'D', 'I', 'C', 'M'};
    unsigned char preamble[132] = {0};
    b->n = meta.n = 0;
    put_element(&meta, 2, 1, "OB", version, 2);
    put_text(&meta, 2, 2, "UI", class_uid);
    put_text(&meta, 2, 3, "UI", instance);
    put_text(&meta, 2, 0x10, "UI", "1.2.840.10008.1.2.1");
    memcpy(preamble + 128, mark, sizeof mark);
    put(b, preamble, sizeof preamble);
    const uint32_t meta_length = (uint32_t)meta.n;
    put_element(b, 2, 0, "UL", &meta_length, 4);
    put(b, meta.data, meta.n);
    put_text(b, 8, 0x16, "UI", class_uid);
    put_text(b, 8, 0x18, "UI", instance);
}

/* The pixels' description, up to the spacing and how they are stored: 12 bits, or 16 with a sign. frames, spacing: NULL
 * where it is not said here. */
static inline void put_shape(buffer *b, int wide, int high, const char *frames, const char *spacing, bool is_signed) {
    put_u16(b, 0x28, 2, 1);
    put_text(b, 0x28, 4, "CS", "MONOCHROME2");
    if (frames != NULL)
        put_text(b, 0x28, 8, "IS", frames);
    put_u16(b, 0x28, 0x10, high);
    put_u16(b, 0x28, 0x11, wide);
    if (spacing != NULL)
        put_text(b, 0x28, 0x30, "DS", spacing);
    put_u16(b, 0x28, 0x100, 16);
    put_u16(b, 0x28, 0x101, is_signed ? 16 : 12);
    put_u16(b, 0x28, 0x102, is_signed ? 15 : 11);
    put_u16(b, 0x28, 0x103, is_signed);
}

static inline void write_file(const char *path, const buffer *b) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(b->data, 1, b->n, f), b->n);
    fclose(f);
}

/* One image of a classic MR series; type, about (of the series) and body (part) may be NULL. */
typedef struct {
    const char *instance, *type, *about, *series, *position, *orientation, *spacing;
    int wide, high;
    const uint16_t *pixel; /* [high][wide] */
    const char *body;
} dicom_slice;

static inline void write_slice(const char *path, const dicom_slice *s) {
    static buffer b;
    put_start(&b, "1.2.840.10008.5.1.4.1.1.4", s->instance);
    if (s->type != NULL)
        put_text(&b, 8, 8, "CS", s->type);
    put_text(&b, 8, 0x60, "CS", "MR");
    if (s->about != NULL)
        put_text(&b, 8, 0x103e, "LO", s->about);
    put_text(&b, 0x10, 0x10, "PN", "SECRET^NAME");
    if (s->body != NULL)
        put_text(&b, 0x18, 0x15, "CS", s->body);
    put_text(&b, 0x20, 0x0d, "UI", "1.2.3.4");
    put_text(&b, 0x20, 0x0e, "UI", s->series);
    put_text(&b, 0x20, 0x32, "DS", s->position);
    put_text(&b, 0x20, 0x37, "DS", s->orientation);
    put_shape(&b, s->wide, s->high, NULL, s->spacing, false);
    put_element(&b, 0x7fe0, 0x10, "OW", s->pixel, (size_t)s->wide * (size_t)s->high * sizeof *s->pixel);
    write_file(path, &b);
}

enum { WIDE = 6, HIGH = 4 };
/* Slice k of a series, 2.5 mm apart along z; value = base + k. body: NULL or a part of the body. */
static inline void make_slice_of(const char *path, const char *series, const char *body, int k, int base) {
    uint16_t pixel[WIDE * HIGH];
    char instance[80], position[64];
    snprintf(instance, sizeof instance, "%s.%d", series, k + 1);
    snprintf(position, sizeof position, "-7\\11\\%g", 2.5 * k);
    for (int i = 0; i < WIDE * HIGH; i++)
        pixel[i] = (uint16_t)(base + k);
    write_slice(path, &(dicom_slice){.instance = instance,
                                     .body = body,
                                     .series = series,
                                     .position = position,
                                     .orientation = "1\\0\\0\\0\\1\\0",
                                     .spacing = "0.5\\0.75",
                                     .wide = WIDE,
                                     .high = HIGH,
                                     .pixel = pixel});
}
static inline void make_slice(const char *path, const char *series, int k, int base) {
    make_slice_of(path, series, NULL, k, base);
}
#endif
