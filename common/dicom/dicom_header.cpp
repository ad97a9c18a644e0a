/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of single-frame files and functional groups of enhanced multi-frame files. */
#include "common/dicom/dicom_header.h"
#include "common/base/status.h"
#include "common/dicom/dicom_tags.h"
#include "common/record/dicom_head.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <gdcmReader.h>
#include <gdcmSequenceOfItems.h>
#include <sys/stat.h>

using gdcm::DataSet;
using gdcm::Tag;

/* MAX_PACKING: upper limit of the pixel bytes per byte of a compressed file; deflate reaches 1032 */
enum { MAX_FRAMES = 20000, MAX_PACKING = 1100 };
static const Tag tag_pixels(0x7fe0, 0x0010);

/* Values that were found in a header, or in the functional groups of a frame. */
struct found {
    bool position = false, orientation = false, spacing = false;
};

static void read_plane_values(const DataSet &ds, dicom_plane *p, found *f) {
    double x[6];
    if (dicom_tags_numbers(ds, Tag(0x0020, 0x0032), 3, x)) {
        f->position = true;
        for (int i = 0; i < 3; i++)
            p->position_mm[i] = x[i];
    }
    if (dicom_tags_numbers(ds, Tag(0x0020, 0x0037), 6, x)) {
        f->orientation = true;
        for (int i = 0; i < 3; i++) {
            p->row[i] = x[i];
            p->column[i] = x[3 + i];
        }
    }
    if (dicom_tags_numbers(ds, Tag(0x0028, 0x0030), 2, x)) {
        f->spacing = true;
        p->spacing_mm[0] = x[1]; /* PixelSpacing holds the distance between rows, then the distance between columns */
        p->spacing_mm[1] = x[0];
    }
    if (dicom_tags_numbers(ds, Tag(0x0018, 0x0088), 1, x))
        p->between_mm = x[0];
    if (!dicom_tags_text(ds, Tag(0x0028, 0x1053)).empty()) {
        const bool number = dicom_tags_numbers(ds, Tag(0x0028, 0x1053), 1, x);
        p->slope = number && x[0] != 0 ? x[0] : NAN; /* dicom_stack_arrange refuses NaN */
    }
    if (!dicom_tags_text(ds, Tag(0x0028, 0x1052)).empty())
        p->intercept = dicom_tags_numbers(ds, Tag(0x0028, 0x1052), 1, x) ? x[0] : NAN;
}

/* Read the functional groups plane position, plane orientation, pixel measures and pixel value transformation. */
static void read_plane_groups(const DataSet &groups, dicom_plane *p, found *f) {
    for (const Tag &tag : {Tag(0x0020, 0x9113), Tag(0x0020, 0x9116), Tag(0x0028, 0x9110), Tag(0x0028, 0x9145)}) {
        gdcm::SmartPointer<gdcm::SequenceOfItems> hold;
        const DataSet *item = dicom_tags_item(groups, tag, 1, &hold);
        if (item != nullptr)
            read_plane_values(*item, p, f);
    }
}

static void add_frames(const DataSet &ds, const dicom_plane &base, int frames, std::vector<dicom_plane> *plane) {
    gdcm::SmartPointer<gdcm::SequenceOfItems> shared_hold;
    const auto groups = dicom_tags_sequence(ds, Tag(0x5200, 0x9230));
    const DataSet *shared = dicom_tags_item(ds, Tag(0x5200, 0x9229), 1, &shared_hold);
    for (int k = 0; k < frames; k++) {
        dicom_plane p = base;
        found f;
        p.frame = k;
        if (frames == 1)
            read_plane_values(ds, &p, &f);
        if (shared != nullptr)
            read_plane_groups(*shared, &p, &f);
        const DataSet *own = dicom_tags_item_of(groups, (size_t)k + 1);
        if (own != nullptr)
            read_plane_groups(*own, &p, &f);
        p.placed = f.position && f.orientation && f.spacing;
        plane->push_back(p);
    }
}

/* Read the series description, which a person typed. Words that may identify a patient are removed: numbers of five
 * digits or more ('.', '-', '/' between digits do not end a number: "3/12/1961"), and words with '^', the separator of
 * names. Characters other than printable ASCII become '?'. */
static void read_description(const DataSet &ds, char *out, size_t size) {
    std::string text = dicom_tags_text(ds, Tag(0x0008, 0x103e)), word, kept;
    for (size_t i = 0; i <= text.size(); i++) {
        const char c = i < text.size() ? text[i] : ' ';
        if (c != ' ') {
            word += c > ' ' && c < 127 ? c : '?';
            continue;
        }
        size_t digits = 0, most = 0;
        for (char d : word) {
            const bool within = digits > 0 && (d == '.' || d == '-' || d == '/');
            digits = d >= '0' && d <= '9' ? digits + 1 : within ? digits : 0;
            most = digits > most ? digits : most;
        }
        if (!word.empty() && most < 5 && word.find('^') == std::string::npos)
            kept += (kept.empty() ? "" : " ") + word;
        word.clear();
    }
    snprintf(out, size, "%s", kept.c_str());
}

/* True for CT or MR, classic or enhanced, by SOP class (PS3.4 B.5). */
static bool is_slice(const DataSet &ds) {
    const std::string uid = dicom_tags_text(ds, Tag(0x0008, 0x0016)), storage = "1.2.840.10008.5.1.4.1.1.";
    return uid == storage + "2" || uid == storage + "2.1" || uid == storage + "4" || uid == storage + "4.1";
}

/* Value of an element that holds a whole number; 0: missing or invalid. */
static int whole_number(const DataSet &ds, const Tag &tag) {
    double x = 0;
    return dicom_tags_numbers(ds, tag, 1, &x) && x >= 0 && x < 1e6 ? (int)x : 0;
}

/* Hash of the patient's identity, for comparison only; "": unknown. */
static void hash_patient(const DataSet &ds, char *out, size_t size) {
    std::string who = dicom_tags_text(ds, Tag(0x0010, 0x0020));
    if (who.empty())
        who = dicom_tags_text(ds, Tag(0x0010, 0x0010)) + dicom_tags_text(ds, Tag(0x0010, 0x0030));
    snprintf(out, size, "%s", "");
    if (!who.empty())
        snprintf(out, size, "%016zx", std::hash<std::string>{}(who));
}

static enum dicom_object object_of(const DataSet &ds) {
    const std::string sop_class = dicom_tags_text(ds, Tag(0x0008, 0x0016));
    return dicom_head_is_segmentation(sop_class.c_str())    ? DICOM_OBJECT_SEGMENTATION
           : dicom_head_is_structure_set(sop_class.c_str()) ? DICOM_OBJECT_STRUCTURE_SET
                                                            : DICOM_OBJECT_IMAGE;
}

/* Modality, such as CT or MR; "" when it is not a code word (PS3.5 6.2), as other text may identify the patient. */
static void read_modality(const DataSet &ds, char *out, size_t size) {
    const std::string text = dicom_tags_text(ds, Tag(0x0008, 0x0060));
    const bool word = text.size() < size && text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
    snprintf(out, size, "%s", word ? text.c_str() : "");
}

int dicom_header_read(const std::string &path, const char *name, int file_index, enum dicom_object *object,
                      std::string *uid, std::vector<dicom_plane> *plane) {
    gdcm::Reader reader;
    reader.SetFileName(path.c_str());
    if (!reader.ReadUpToTag(tag_pixels))
        return fail(ERR_INPUT, "'%s' is damaged or cut short: its DICOM header cannot be read; replace or remove it",
                    name);
    const DataSet &ds = reader.GetFile().GetDataSet();
    *uid = dicom_tags_text(ds, Tag(0x0020, 0x000e));
    *object = object_of(ds);
    dicom_plane base{};
    base.file = name;
    base.file_index = file_index;
    base.rows = dicom_tags_u16(ds, Tag(0x0028, 0x0010));
    base.columns = dicom_tags_u16(ds, Tag(0x0028, 0x0011));
    base.slope = 1;
    base.number = whole_number(ds, Tag(0x0020, 0x0013));
    base.announced = whole_number(ds, Tag(0x0020, 0x1002));
    if (!dicom_tags_numbers(ds, Tag(0x0018, 0x0088), 1, &base.between_mm))
        base.between_mm = 0;
    read_modality(ds, base.modality, sizeof base.modality);
    read_description(ds, base.about, sizeof base.about);
    hash_patient(ds, base.patient, sizeof base.patient);
    snprintf(base.study, sizeof base.study, "%s", dicom_tags_text(ds, Tag(0x0020, 0x000d)).c_str());
    snprintf(base.frame_of_reference, sizeof base.frame_of_reference, "%s",
             dicom_tags_text(ds, Tag(0x0020, 0x0052)).c_str());
    if (base.rows == 0 || base.columns == 0)
        return is_slice(ds)
                   ? fail(ERR_INPUT,
                          "'%s' is damaged or cut short: it is a slice without rows or columns; replace or remove it",
                          name)
                   : OK;
    const std::string type = dicom_tags_text(ds, Tag(0x0008, 0x0008));
    base.image_kind =
        type.find("LOCALIZER") != std::string::npos ? "localizer" : (type.rfind("DERIVED", 0) == 0 ? "derived" : "");
    if (type.find("MOSAIC") != std::string::npos)
        return fail(ERR_INPUT, "'%s' is a mosaic (many slices in one image); convert it to NIfTI first", name);
    double frames = 1;
    if (ds.FindDataElement(Tag(0x0028, 0x0008)) && !dicom_tags_numbers(ds, Tag(0x0028, 0x0008), 1, &frames))
        return fail(ERR_INPUT, "'%s' is damaged: its number of frames is not a number; replace or remove it", name);
    if (!(frames >= 1 && frames <= MAX_FRAMES))
        return fail(ERR_INPUT,
                    "'%s' is damaged: its header states %g frames (1 to %d are possible); replace or remove it", name,
                    frames, MAX_FRAMES);
    const int allocated = dicom_tags_u16(ds, Tag(0x0028, 0x0100)), stored = dicom_tags_u16(ds, Tag(0x0028, 0x0101));
    if (stored > allocated)
        return fail(ERR_INPUT, "'%s' is damaged: a pixel stores %d bits in %d allocated bits; replace or remove it",
                    name, stored, allocated);
    if (dicom_tags_u16(ds, Tag(0x0028, 0x0102)) != stored - 1) /* PS3.5 8.1.1 */
        return fail(
            ERR_INPUT,
            "'%s' is damaged: a pixel has %d stored bits, but its highest bit is number %d; replace or remove the file",
            name, stored, dicom_tags_u16(ds, Tag(0x0028, 0x0102)));
    struct stat info;
    double held = stat(path.c_str(), &info) == 0 ? (double)info.st_size : 0;
    double needed = frames * base.rows * base.columns * allocated / 8;
    const gdcm::TransferSyntax &syntax = reader.GetFile().GetHeader().GetDataSetTransferSyntax();
    bool packed = syntax.IsEncapsulated() || syntax == gdcm::TransferSyntax::DeflatedExplicitVRLittleEndian;
    if (needed > held * (packed ? MAX_PACKING : 1))
        return fail(
            ERR_INPUT,
            "'%s' is cut short or damaged: its pixels need %.0f bytes, the file has %.0f bytes; replace or remove it",
            name, needed, held);
    base.n_frame = (int)frames;
    add_frames(ds, base, base.n_frame, plane);
    return OK;
}
