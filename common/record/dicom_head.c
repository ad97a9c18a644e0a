/* SPDX-License-Identifier: Apache-2.0 */
/* Format: DICOM PS3.5 section 7, PS3.10 section 7.1. */
#include "common/record/dicom_head.h"
#include "common/base/file.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 1 << 18, PREAMBLE = 128, DEPTH_MAX = 16 };
static const size_t CUT = SIZE_MAX; /* position that stands for: the element ends beyond the bytes that were read */
static const uint32_t undefined_length = 0xffffffff;
static const uint32_t item = 0xfffee000, item_end = 0xfffee00d, sequence_end = 0xfffee0dd;
/* beginning of all known UIDs; class of a DICOMDIR */
static const char known_uid[] = "1.2.840.10008.", directory_class[] = "1.2.840.10008.1.3.10";
static const char big_endian[] = "1.2.840.10008.1.2.2", deflated[] = "1.2.840.10008.1.2.1.99";

typedef struct {
    const unsigned char *byte;
    size_t n;
    bool big, explicit_vr;
} data_set;

typedef struct {
    uint32_t tag, length;
    size_t at; /* position of the value */
    bool unknown_vr;
} element;

static uint32_t take16(const data_set *d, size_t at) {
    const unsigned char *b = d->byte + at;
    return d->big ? (uint32_t)b[0] << 8 | b[1] : (uint32_t)b[1] << 8 | b[0];
}

static uint32_t take32(const data_set *d, size_t at) {
    const uint32_t first = take16(d, at), second = take16(d, at + 2);
    return d->big ? first << 16 | second : second << 16 | first;
}

static bool is_vr(const unsigned char *b) {
    return b[0] >= 'A' && b[0] <= 'Z' && b[1] >= 'A' && b[1] <= 'Z';
}

static bool take_element(const data_set *d, size_t at, element *e) {
    static const char long_forms[] = "OB OD OF OL OV OW SQ SV UC UN UR UT UV ";
    if (d->n < 8 || at > d->n - 8)
        return false;
    e->tag = take16(d, at) << 16 | take16(d, at + 2);
    e->unknown_vr = false;
    e->at = at + 8;
    if (!d->explicit_vr || e->tag >> 16 == item >> 16) {
        e->length = take32(d, at + 4);
        return true;
    }
    const char form[4] = {(char)d->byte[at + 4], (char)d->byte[at + 5], ' ', 0};
    e->unknown_vr = strcmp(form, "UN ") == 0;
    if (!is_vr(d->byte + at + 4))
        return false;
    if (strstr(long_forms, form) == NULL) {
        e->length = take16(d, at + 6);
        return true;
    }
    e->at = at + 12;
    if (e->at > d->n)
        return false;
    e->length = take32(d, at + 8);
    return true;
}

static size_t skip_value(const data_set *d, const element *e, int depth);

/* Position after the elements or items up to the delimiter `end`; CUT: the delimiter is beyond the bytes read. */
static size_t skip_until(const data_set *d, size_t at, uint32_t end, int depth) {
    element e;
    while (at != CUT && take_element(d, at, &e)) {
        if (e.tag == end)
            return e.at;
        at = skip_value(d, &e, depth + 1);
    }
    return CUT;
}

static size_t skip_value(const data_set *d, const element *e, int depth) {
    data_set inner = *d;
    if (e->length != undefined_length)
        return e->length <= d->n - e->at ? e->at + e->length : CUT;
    inner.explicit_vr = d->explicit_vr && !e->unknown_vr; /* PS3.5 6.2.2: a sequence with VR UN has implicit VR */
    return depth < DEPTH_MAX ? skip_until(&inner, e->at, e->tag == item ? item_end : sequence_end, depth) : CUT;
}

static void take_uid(const data_set *d, const element *e, char uid[DICOM_HEAD_UID]) {
    size_t n = 0;
    while (n < e->length && n < DICOM_HEAD_UID - 1 && e->at + n < d->n && strchr("0123456789.", d->byte[e->at + n]) &&
           d->byte[e->at + n] != 0)
        n++;
    memcpy(uid, d->byte + e->at, n);
    uid[n] = 0;
}

/* Begins the data set. The elements of group 2 before it are explicit and little endian; the encoding of the data set
 * follows from its first element. */
static bool begin_data_set(data_set *d, size_t at, const char *syntax) {
    if (strcmp(syntax, deflated) == 0 || at + 6 > d->n)
        return false;
    d->big = strcmp(syntax, big_endian) == 0;
    d->explicit_vr = is_vr(d->byte + at + 4);
    return true;
}

/* Reads the elements from `at` up to the size of the image. Returns true if a known UID was found. */
static bool read_elements(data_set *d, size_t at, dicom_head *head) {
    char syntax[DICOM_HEAD_UID] = "";
    bool meta = true, rows = false;
    element e = {0};
    while (at != CUT) {
        if (at == d->n && d->n < HEAD) /* true only at the end of the file, not at the end of its first HEAD bytes */
            head->image = rows;
        if (meta && (at + 2 > d->n || d->byte[at] != 2 || d->byte[at + 1] != 0)) {
            meta = false;
            if (!begin_data_set(d, at, syntax))
                break;
        }
        if (!take_element(d, at, &e))
            break;
        if (e.tag > 0x00280010) {
            head->image = rows;
            break;
        }
        if (e.tag == 0x00020002 || e.tag == 0x00080016)
            take_uid(d, &e, head->sop_class);
        else if (e.tag == 0x00020010)
            take_uid(d, &e, syntax);
        else if (e.tag == 0x0020000e)
            take_uid(d, &e, head->series);
        rows = rows || e.tag == 0x00280010;
        at = skip_value(d, &e, 0);
    }
    return strncmp(syntax, known_uid, strlen(known_uid)) == 0 ||
           strncmp(head->sop_class, known_uid, strlen(known_uid)) == 0;
}

/* Reads up to `most` bytes of a regular file; returns their number. */
static size_t read_start(const char *path, size_t most, unsigned char *byte) {
    FILE *f = file_is_regular(path) ? fopen(path, "rbe") : NULL;
    const size_t n = f != NULL ? fread(byte, 1, most, f) : 0;
    if (f != NULL)
        fclose(f);
    return n;
}

static bool has_mark(const unsigned char *byte, size_t n) {
    return n >= PREAMBLE + 4 && memcmp(byte + PREAMBLE, "DICM", 4) == 0;
}

/* True when the file starts with an element of group 2 or 8. */
static bool starts_with_element(const unsigned char *byte, size_t n) {
    return n >= PREAMBLE + 4 && (byte[0] == 2 || byte[0] == 8) && byte[1] == 0 && byte[3] == 0;
}

bool dicom_head_read(const char *path, dicom_head *head) {
    unsigned char start[PREAMBLE + 4] = {0}, *byte = NULL;
    const size_t n = read_start(path, sizeof start, start);
    const bool mark = has_mark(start, n);
    *head = (dicom_head){.image = true};
    if ((!mark && !starts_with_element(start, n)) || (byte = malloc(HEAD)) == NULL)
        return mark;
    data_set d = {.byte = byte, .n = read_start(path, HEAD, byte), .explicit_vr = true};
    const bool known = read_elements(&d, mark ? PREAMBLE + 4 : 0, head);
    free(byte);
    head->image = head->image && strcmp(head->sop_class, directory_class) != 0;
    return mark || known;
}

bool dicom_head_recognize(const char *path) {
    unsigned char start[PREAMBLE + 4] = {0};
    dicom_head head;
    const size_t n = read_start(path, sizeof start, start);
    return has_mark(start, n) || (starts_with_element(start, n) && dicom_head_read(path, &head));
}

bool dicom_head_is_segmentation(const char *sop_class) {
    return strcmp(sop_class, "1.2.840.10008.5.1.4.1.1.66.4") == 0 ||
           strcmp(sop_class, "1.2.840.10008.5.1.4.1.1.66.7") == 0; /* SOP class of a Label Map Segmentation */
}

bool dicom_head_is_structure_set(const char *sop_class) {
    return strcmp(sop_class, "1.2.840.10008.5.1.4.1.1.481.3") == 0;
}
