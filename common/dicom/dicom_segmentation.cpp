/* SPDX-License-Identifier: Apache-2.0 */
#include "common/dicom/dicom_segmentation.h"
#include "common/base/status.h"
#include "common/dicom/dicom_tags.h"
#include "common/dicom/dicom_unpack.h"
#include "common/image/isolate.h"
#include "common/image/label_kind.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gdcmReader.h>
#include <numeric>
#include <set>

using gdcm::DataSet;
using gdcm::Tag;

/* A frame belongs to a slice if its distance from the slice is below this fraction of the slice distance */
static const double on_slice = 0.1;
/* Frames belong to one slice if their distance is below this fraction of a pixel */
static const double same_slice = 0.02;
enum { MAX_SLICES = 20000 };
/* Memory limit of the separate process that reads the file, without its voxels, bytes */
static const double memory_base = 5e8;

struct segmentation {
    gdcm::Reader reader;
    const char *name; /* name of the file, for messages */
    dicom_segment_list segments;
    std::vector<int> segment; /* [frame] index of the frame's segment */
    std::vector<int> slice;   /* [frame] slice of the volume that the frame belongs to */
};

static int read_file(const std::string &path, segmentation *s) {
    s->reader.SetFileName(path.c_str());
    return s->reader.Read() ? OK
                            : fail(ERR_INPUT, "'%s' is damaged or cut short: it cannot be read; replace it", s->name);
}

static const DataSet &data_set(const segmentation &s) {
    return s.reader.GetFile().GetDataSet();
}

static int read_segments(segmentation *s) {
    gdcm::SmartPointer<gdcm::SequenceOfItems> hold;
    dicom_segment_list *list = &s->segments;
    const DataSet *item;
    for (list->n = 0;
         (item = dicom_tags_item(data_set(*s), Tag(0x0062, 0x0002), (size_t)list->n + 1, &hold)) != nullptr;
         list->n++) {
        if (list->n == DICOM_SEGMENTS_MAX)
            return fail(ERR_INPUT, "'%s' has more than %d segments; export the vessel's segment alone", s->name,
                        DICOM_SEGMENTS_MAX);
        dicom_segment *to = &list->segment[list->n];
        to->number = dicom_tags_u16(*item, Tag(0x0062, 0x0004));
        snprintf(to->label, sizeof to->label, "%s", dicom_tags_text(*item, Tag(0x0062, 0x0005)).c_str());
        for (int k = 0; k < list->n; k++)
            if (list->segment[k].number == to->number)
                return fail(ERR_INPUT, "'%s' is damaged: two segments have the number %d; export it again", s->name,
                            to->number);
        if (to->number == 0)
            return fail(ERR_INPUT, "'%s' is damaged: a segment has no number; export it again", s->name);
    }
    return list->n > 0
               ? OK
               : fail(ERR_INPUT, "'%s' is damaged: it is a segmentation without segments; export it again", s->name);
}

/* Refuse segmentations whose voxels are not one bit each. */
static int check_type(const segmentation &s) {
    const DataSet &ds = data_set(s);
    const std::string type = dicom_tags_text(ds, Tag(0x0062, 0x0001));
    const int bits = dicom_tags_u16(ds, Tag(0x0028, 0x0100));
    if (type == "FRACTIONAL")
        return fail(ERR_INPUT,
                    "'%s' is a FRACTIONAL segmentation (SEG): its voxels are probabilities, not labels; export it as "
                    "BINARY segmentation, or as labelmap in NIfTI or NRRD",
                    s.name);
    if (type != "BINARY" || bits != 1)
        return fail(ERR_INPUT,
                    "'%s' is a segmentation (SEG) of type %s with %d bits per voxel; only BINARY with 1 bit is read: "
                    "export it as labelmap in NIfTI or NRRD",
                    s.name,
                    type == "LABELMAP" ? "LABELMAP"
                    : type == "BINARY" ? "BINARY"
                                       : "unknown",
                    bits);
    const gdcm::TransferSyntax &syntax = s.reader.GetFile().GetHeader().GetDataSetTransferSyntax();
    if (syntax.IsEncapsulated() || syntax == gdcm::TransferSyntax::ExplicitVRBigEndian)
        return fail(ERR_INPUT,
                    "'%s' is a segmentation (SEG) with compressed or big-endian voxels; export it uncompressed, or as "
                    "labelmap in NIfTI or NRRD",
                    s.name);
    return OK;
}

/* Number of the segment of a functional group (PS3.3 C.8.20.3.1); 0: none. */
static int referenced_segment(const DataSet *group) {
    gdcm::SmartPointer<gdcm::SequenceOfItems> hold;
    const DataSet *item = group != nullptr ? dicom_tags_item(*group, Tag(0x0062, 0x000a), 1, &hold) : nullptr;
    return item != nullptr ? dicom_tags_u16(*item, Tag(0x0062, 0x000b)) : 0;
}

static int find_segments(const std::vector<dicom_plane> &frame, segmentation *s) {
    gdcm::SmartPointer<gdcm::SequenceOfItems> shared_hold;
    const auto groups = dicom_tags_sequence(data_set(*s), Tag(0x5200, 0x9230));
    const int common = referenced_segment(dicom_tags_item(data_set(*s), Tag(0x5200, 0x9229), 1, &shared_hold));
    for (const auto &p : frame) {
        const DataSet *own = dicom_tags_item_of(groups, (size_t)p.frame + 1);
        const int number = referenced_segment(own) > 0 ? referenced_segment(own) : common;
        int k = 0;
        while (k < s->segments.n && s->segments.segment[k].number != number)
            k++;
        if (k == s->segments.n)
            return fail(ERR_INPUT,
                        "'%s' is damaged: frame %d belongs to segment %d, which it does not describe; export it again",
                        s->name, p.frame + 1, number);
        s->segment.push_back(k);
    }
    return OK;
}

/* True if every place[] is a whole number of steps from the first place. *step_mm is then fitted to the whole stack. */
static bool fits_step(const std::vector<double> &place, double *step_mm) {
    const double length = place.back() - place.front(), n = std::round(length / *step_mm);
    if (!(*step_mm > 0) || !(n >= 1 && n < MAX_SLICES))
        return false;
    *step_mm = length / n;
    return std::all_of(place.begin(), place.end(), [&](double x) {
        const double k = (x - place.front()) / *step_mm;
        return std::fabs(k - std::round(k)) <= on_slice;
    });
}

/* Finds the distance between slices: the stated distance if the frames fit it, otherwise the smallest distance of two
 * frames. */
static int find_step(const char *name, const std::vector<double> &place, double stated_mm, double *step_mm) {
    double least = place.back() - place.front();
    for (size_t i = 1; i < place.size(); i++)
        least = std::fmin(least, place[i] - place[i - 1]);
    *step_mm = std::fabs(stated_mm);
    if (*step_mm <= (1 + on_slice) * least && fits_step(place, step_mm))
        return OK;
    *step_mm = least;
    return fits_step(place, step_mm) ? OK
                                     : fail(ERR_INPUT,
                                            "'%s': its frames are unevenly spaced: their distances are not multiples "
                                            "of the smallest distance, %.3f mm, within the %.3f mm from the first "
                                            "frame to the last; export it as labelmap in NIfTI or NRRD",
                                            name, least, place.back() - place.front());
}

/* Sets the slice of each frame, and the geometry. For the checks, a slice without a frame gets an interpolated
 * plane. */
static int place_frames(const std::vector<dicom_plane> &frame, segmentation *s, volume *geometry) {
    std::vector<dicom_plane> stack;
    std::vector<double> along, place;
    double step_mm = 0;
    const double *u = frame[0].row, *v = frame[0].column;
    const double normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    for (const auto &p : frame) {
        if (!p.placed)
            /* called only because it sets the error message */
            return dicom_stack_arrange(std::vector<dicom_plane>{p, p}.data(), 2, geometry);
        along.push_back(std::inner_product(normal, normal + 3, p.position_mm, 0.0));
        if (!std::isfinite(along.back()))
            return fail(ERR_INPUT, "'%s' is damaged: the position of frame %d is not a number; export it again",
                        s->name, p.frame + 1);
    }
    place = along;
    std::sort(place.begin(), place.end());
    place.erase(std::unique(place.begin(), place.end(),
                            [&](double a, double b) { return b - a < same_slice * frame[0].spacing_mm[0]; }),
                place.end());
    if (place.size() < 2)
        return fail(
            ERR_INPUT,
            "'%s': all its segments are in one slice; a volume needs at least 3 slices: export the whole segmentation",
            s->name);
    const int rc = find_step(s->name, place, frame[0].between_mm, &step_mm);
    if (rc != OK)
        return rc;
    const int n = (int)std::lround((place.back() - place.front()) / step_mm) + 1;
    std::vector<int> of_slice((size_t)n, -1);
    for (size_t i = 0; i < frame.size(); i++) {
        s->slice.push_back((int)std::lround((along[i] - place.front()) / step_mm));
        of_slice[(size_t)s->slice[i]] = (int)i;
    }
    for (int k = 0, last = 0; k < n; k++) {
        last = of_slice[(size_t)k] >= 0 ? k : last;
        dicom_plane p = frame[(size_t)of_slice[(size_t)last]];
        for (int a = 0; a < 3; a++)
            p.position_mm[a] += (k - last) * step_mm * normal[a];
        stack.push_back(p);
    }
    /* the first frame of each slice forms the stack; all other frames must have its geometry */
    for (const auto &p : frame)
        if (!dicom_stack_same_geometry(&p, &frame[0]))
            return fail(ERR_INPUT,
                        "'%s': its frames 1 and %d differ in orientation, spacing or size; export it as labelmap in "
                        "NIfTI or NRRD",
                        s->name, p.frame + 1);
    for (size_t i = 0; i < frame.size(); i++) {
        const double *p = frame[i].position_mm, *q = stack[(size_t)s->slice[i]].position_mm;
        if (std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) > on_slice * step_mm)
            return fail(ERR_INPUT,
                        "'%s': its frames of one slice have different positions (frame %d); export it as labelmap in "
                        "NIfTI or NRRD",
                        s->name, frame[i].frame + 1);
    }
    return dicom_stack_arrange(stack.data(), n, geometry);
}

/* Priority of a segment: where segments overlap, the voxel belongs to the segment of higher priority. Vessels come
 * before all other segments. */
static int segment_rank(const segmentation &s, int k) {
    const bool vessel = label_kind_from_name(s.segments.segment[k].label) != LABEL_OTHER;
    return k + (vessel ? DICOM_SEGMENTS_MAX : 0);
}

static int refuse_overlap(const segmentation &s, int a, int b) {
    const dicom_segment *one = &s.segments.segment[std::min(a, b)], *other = &s.segments.segment[std::max(a, b)];
    return fail(ERR_INPUT,
                "'%s': segments %d and %d overlap, and the file does not declare this (SegmentsOverlap), so their "
                "common voxels have no label; export the vessel's segment alone",
                s.name, one->number, other->number);
}

/* Writes which segment loses the largest part of its voxels, set [segment], to others; owner: segment of each voxel. */
static void tell_overlap(const segmentation &s, const std::vector<size_t> &set, const std::vector<short> &owner,
                         char warning[DICOM_STACK_WARNING]) {
    std::vector<size_t> kept(set.size(), 0);
    size_t most = 0;
    for (const short k : owner)
        if (k >= 0)
            kept[(size_t)k]++;
    const auto lost_part = [&](size_t k) { return set[k] > 0 ? (double)(set[k] - kept[k]) / (double)set[k] : 0; };
    for (size_t k = 1; k < set.size(); k++)
        most = lost_part(k) > lost_part(most) ? k : most;
    snprintf(warning, DICOM_STACK_WARNING,
             "segments overlap: segment %d loses %zu of its %zu voxels, the largest part; vessels (by name) have "
             "priority, then later segments",
             s.segments.segment[most].number, set[most] - kept[most], set[most]);
}

/* Set the label of each voxel whose bit is 1. Bits are in order of voxels, the lowest bit of a byte first (PS3.5
 * 8.1.1), and frames follow each other without padding. */
static int unpack_bits(const segmentation &s, const unsigned char *byte, char warning[DICOM_STACK_WARNING],
                       volume *out) {
    const size_t per_frame = (size_t)out->dims[0] * (size_t)out->dims[1];
    const bool declared = dicom_tags_text(data_set(s), Tag(0x0062, 0x0013)) == "YES";
    std::vector<short> owner(volume_size(out), -1);   /* [voxel] index of the voxel's segment */
    std::vector<size_t> set((size_t)s.segments.n, 0); /* [segment] number of its voxels */
    bool overlap = false;
    for (size_t f = 0; f < s.segment.size(); f++)
        for (size_t i = 0; i < per_frame; i++) {
            const size_t bit = f * per_frame + i, at = (size_t)s.slice[f] * per_frame + i;
            if ((byte[bit / 8] >> bit % 8 & 1) == 0)
                continue;
            const int before = owner[at], now = s.segment[f];
            if (before >= 0 && before != now && !declared)
                return refuse_overlap(s, before, now);
            overlap = overlap || (before >= 0 && before != now);
            set[(size_t)now]++;
            if (before < 0 || segment_rank(s, now) > segment_rank(s, before))
                owner[at] = (short)now;
        }
    for (size_t i = 0; i < owner.size(); i++)
        out->value[i] = owner[i] < 0 ? 0 : (float)s.segments.segment[owner[i]].number;
    if (overlap)
        tell_overlap(s, set, owner, warning);
    return OK;
}

static int read_pixels(const std::string &path, const segmentation &s, char warning[DICOM_STACK_WARNING], volume *out) {
    const DataSet &ds = data_set(s);
    const Tag pixels(0x7fe0, 0x0010);
    const gdcm::ByteValue *bytes = ds.FindDataElement(pixels) ? ds.GetDataElement(pixels).GetByteValue() : nullptr;
    const double bits = (double)s.segment.size() * out->dims[0] * out->dims[1], needed = std::ceil(bits / 8);
    const double held = bytes != nullptr ? (double)bytes->GetLength() : 0;
    if (held < needed || held > needed + 1)
        return fail(
            ERR_INPUT,
            "'%s' is cut short or damaged: its voxels need %.0f bytes, the file has %.0f bytes; export it again",
            s.name, needed, held);
    const int rc =
        dicom_unpack_check_whole(path, s.name, s.reader.GetFile().GetHeader().GetDataSetTransferSyntax(), needed);
    return rc != OK ? rc : unpack_bits(s, (const unsigned char *)bytes->GetPointer(), warning, out);
}

static int check_repeated(const segmentation &s) {
    std::set<std::pair<int, int>> seen;
    for (size_t f = 0; f < s.segment.size(); f++)
        if (!seen.insert({s.segment[f], s.slice[f]}).second)
            return fail(ERR_INPUT,
                        "'%s': frame %zu repeats segment %d in its slice; give a segmentation of a single time point",
                        s.name, f + 1, s.segments.segment[s.segment[f]].number);
    return OK;
}

int dicom_segmentation_read(const std::string &path, const std::vector<dicom_plane> &frame, bool pixels,
                            char warning[DICOM_STACK_WARNING], volume *out) {
    segmentation s{};
    volume geometry{};
    int rc = OK;
    warning[0] = 0;
    if (frame.empty())
        return fail(ERR_INPUT, "'%s' is damaged: it is a segmentation without frames; export it again", path.c_str());
    s.name = frame[0].file;
    TRY(read_file(path, &s));
    TRY(check_type(s));
    TRY(read_segments(&s));
    TRY(find_segments(frame, &s));
    TRY(place_frames(frame, &s, &geometry));
    TRY(check_repeated(s));
    if (pixels) {
        isolate_limit_memory(memory_base + 20.0 * geometry.dims[0] * geometry.dims[1] * geometry.dims[2]);
        TRY(volume_create_like(out, &geometry));
        TRY(read_pixels(path, s, warning, out));
    } else {
        *out = geometry;
    }
cleanup:
    return rc;
}

int dicom_segmentation_list(const std::string &path, const char *name, dicom_segment_list *list) {
    segmentation s{};
    int rc = OK;
    s.name = name;
    TRY(read_file(path, &s));
    TRY(read_segments(&s));
    *list = s.segments;
cleanup:
    return rc;
}
