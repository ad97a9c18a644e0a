/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of dicom_cine.h: reads the headers of all frames, then the pixels of the chosen frames. */
#include "common/base/status.h"
#include "common/dicom/dicom_cine.h"
#include "common/dicom/dicom_damaged.h"
#include "common/dicom/dicom_files.h"
#include "common/dicom/dicom_header.h"
#include "common/dicom/dicom_tags.h"
#include "common/dicom/dicom_unpack.h"
#include "common/image/isolate.h"
#include "common/dicom/itk_dicom.h"
#include <cstring>
#include <map>
#include <set>
#include <sys/mman.h>

using gdcm::DataSet;
using gdcm::Tag;
using gdcm::VR;

enum { MAX_TIMES = 2000 };
/* Memory limit of the reading process: MEMORY_BASE bytes plus MEMORY_FACTOR bytes per byte of the largest file */
static const double MEMORY_BASE = 5e8, MEMORY_FACTOR = 60;
/* The encoding is in-plane if the cosine between encoded velocity and slice normal is below this value */
static const double IN_PLANE = 0.7;

/* What the reading process returns in shared memory, in addition to the voxels. */
struct shared_answer {
    dicom_skipped_files skipped;
    dicom_cine cine;
    bool has_times, has_phase, has_magnitude;
    double time_s[MAX_TIMES];
};

struct request {
    const char *path, *series;
    enum dicom_want want;
    shared_answer *answer;
};

/* True when `part` is the third or a later part of an image type such as "ORIGINAL\PRIMARY\P\ND". */
static bool has_part(const std::string &type, const char *part) {
    std::string all = "\\" + type + "\\";
    size_t from = all.find('\\', 1); /* skip the first two parts, ORIGINAL and PRIMARY */
    from = from == std::string::npos ? from : all.find('\\', from + 1);
    return from != std::string::npos && all.find("\\" + std::string(part) + "\\", from) != std::string::npos;
}

static enum dicom_kind frame_kind(const std::string &type, const std::string &component) {
    if (component == "PHASE" || component == "MAGNITUDE")
        return component == "PHASE" ? DICOM_PHASE : DICOM_MAGNITUDE;
    for (const char *part : {"P", "PHASE", "PHASE MAP", "VELOCITY", "VELOCITY MAP"})
        if (has_part(type, part))
            return DICOM_PHASE;
    for (const char *part : {"M", "MAG", "MAGNITUDE", "M_FFE", "M_PCA"})
        if (has_part(type, part))
            return DICOM_MAGNITUDE;
    return DICOM_UNMARKED;
}

static double velocity_unit(const std::string &text) {
    return text == "cm/s" ? 0.01 : text == "mm/s" ? 0.001 : text == "m/s" ? 1 : NAN;
}

/* Value of a phase of 180 degrees in a unit of angles; NaN: no such unit. */
static double angle_half_turn(const std::string &text) {
    return text == "mrad" ? 1000 * M_PI : text == "rad" ? M_PI : text == "deg" || text == "degrees" ? 180 : NAN;
}

/* Parse names such as "v150in", "fl2d1_v150in" or "v120_through": the number is the venc in cm/s; a direction of the
 * patient after it (ap, rl, fh ..) means in-plane. */
static void parse_venc_name(const std::string &text, dicom_frame *f) {
    for (size_t i = 0; i + 1 < text.size(); i++) {
        if (text[i] != 'v' || (i > 0 && text[i - 1] != '_' && text[i - 1] != '*') ||
            !isdigit((unsigned char)text[i + 1]))
            continue;
        char *end;
        f->venc_cm_s = strtod(text.c_str() + i + 1, &end);
        while (*end == '_')
            end++;
        for (const char *way : {"ap", "pa", "rl", "lr", "fh", "hf"})
            f->in_plane = f->in_plane || strncmp(end, way, 2) == 0;
        return;
    }
}

/* Read venc, unit and kind from private elements of the manufacturers and from sequence names. */
static void read_private(const DataSet &ds, dicom_frame *f) {
    const std::string maker = dicom_tags_text(ds, Tag(0x0008, 0x0070));
    if (dicom_tags_text(ds, Tag(0x0051, 0x0010)).rfind("SIEMENS", 0) == 0)
        parse_venc_name(dicom_tags_text(ds, Tag(0x0051, 0x1014)), f);
    if (!std::isfinite(f->venc_cm_s) && (maker.rfind("SIEMENS", 0) == 0 || maker.rfind("Siemens", 0) == 0))
        parse_venc_name(dicom_tags_text(ds, Tag(0x0018, 0x0024)), f);
    if (dicom_tags_text(ds, Tag(0x2001, 0x0010)).rfind("Philips", 0) == 0)
        for (int k = 0; k < 3; k++) {
            const double v = std::fabs(dicom_tags_value(ds, Tag(0x2001, 0x101a), VR::FL, k));
            f->venc_cm_s = v > 0 && !(f->venc_cm_s > v) ? v : f->venc_cm_s;
        }
    if (dicom_tags_text(ds, Tag(0x0019, 0x0010)) == "GEMS_ACQU_01" &&
        dicom_tags_value(ds, Tag(0x0019, 0x10cc), VR::SS) > 0) {
        f->venc_cm_s = 0.1 * dicom_tags_value(ds, Tag(0x0019, 0x10cc), VR::SS);
        f->unit_m_s = 0.001;
        /* a negative smallest value (SmallestImagePixelValue) shows a velocity image: only velocities can be
         * negative */
        const double smallest = dicom_tags_value(ds, Tag(0x0028, 0x0106), VR::SS);
        if (f->kind == DICOM_UNMARKED && std::isfinite(smallest))
            f->kind = smallest < 0 ? DICOM_PHASE : DICOM_MAGNITUDE;
    }
}

/* Read time, RR interval, unit, image type and kind from the top level of a file or from a functional group. */
static void read_common_elements(const DataSet &ds, dicom_frame *f) {
    double x = dicom_tags_value(ds, Tag(0x0018, 0x1060), VR::DS); /* (0018,1060) trigger time */
    f->time_ms = std::isfinite(x) ? x : f->time_ms;
    x = dicom_tags_value(ds, Tag(0x0020, 0x9153), VR::FD); /* (0020,9153) nominal cardiac trigger delay time */
    f->time_ms = std::isfinite(x) ? x : f->time_ms;
    /* (0018,1062) nominal interval, (0020,9070) nominal RR interval time */
    for (const Tag &tag : {Tag(0x0018, 0x1062), Tag(0x0020, 0x9070)}) {
        x = dicom_tags_value(ds, tag, tag.GetGroup() == 0x18 ? VR::IS : VR::FD);
        f->rr_ms = x > 0 ? x : f->rr_ms;
    }
    const std::string rescaled = dicom_tags_text(ds, Tag(0x0028, 0x1054));
    const double unit = velocity_unit(rescaled), half_turn = angle_half_turn(rescaled);
    f->unit_m_s = std::isfinite(unit) ? unit : f->unit_m_s;
    f->half_turn = std::isfinite(half_turn) ? half_turn : f->half_turn;
    /* (0008,9007) frame type; without it the image type is used */
    std::string type = dicom_tags_text(ds, Tag(0x0008, 0x9007));
    type = type.empty() ? dicom_tags_text(ds, Tag(0x0008, 0x0008)) : type;
    const std::string component = dicom_tags_text(ds, Tag(0x0008, 0x9208));
    if (!type.empty() || !component.empty()) {
        const enum dicom_kind kind = frame_kind(type, component);
        f->kind = kind != DICOM_UNMARKED ? kind : f->kind;
        snprintf(f->type, sizeof f->type, "%s", type.c_str());
    }
}

/* Read the velocity encoding: the limits in cm/s, and whether the direction is in the plane of the slice. */
static void read_velocity_encoding(const DataSet &ds, dicom_frame *f) {
    const double low = dicom_tags_value(ds, Tag(0x0018, 0x9091), VR::FD),
                 high = dicom_tags_value(ds, Tag(0x0018, 0x9217), VR::FD);
    const double *a = f->plane.row, *b = f->plane.column;
    const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    double along = 0, square = 0;
    f->venc_cm_s =
        std::fmax(std::fabs(low), std::fabs(high)) > 0 ? std::fmax(std::fabs(low), std::fabs(high)) : f->venc_cm_s;
    for (int k = 0; k < 3; k++) {
        const double d = dicom_tags_value(ds, Tag(0x0018, 0x9090), VR::FD, k);
        along += d * normal[k];
        square += d * d;
    }
    f->in_plane = square > 0 && std::fabs(along) < IN_PLANE * std::sqrt(square);
}

/* Reads the real world values; in a unit of velocity or angle they replace slope and intercept. */
static void read_real_world_map(const DataSet &ds, dicom_frame *f) {
    gdcm::SmartPointer<gdcm::SequenceOfItems> hold, code_hold;
    const DataSet *map = dicom_tags_item(ds, Tag(0x0040, 0x9096), 1, &hold);
    const DataSet *code = map != nullptr ? dicom_tags_item(*map, Tag(0x0040, 0x08ea), 1, &code_hold) : nullptr;
    if (code == nullptr)
        return;
    const std::string name = dicom_tags_text(*code, Tag(0x0008, 0x0100));
    const double unit = velocity_unit(name), half_turn = angle_half_turn(name);
    const double slope = dicom_tags_value(*map, Tag(0x0040, 0x9225), VR::FD),
                 intercept = dicom_tags_value(*map, Tag(0x0040, 0x9224), VR::FD);
    if ((std::isfinite(unit) || std::isfinite(half_turn)) && std::isfinite(intercept) && std::fabs(slope) > 0) {
        f->unit_m_s = unit;
        f->half_turn = half_turn;
        f->plane.slope = slope;
        f->plane.intercept = intercept;
    }
}

/* Read the macros of a functional group: MR image frame type, cardiac synchronization, velocity encoding, pixel value
 * transformation and real world values. */
static void read_functional_group(const DataSet &group, dicom_frame *f) {
    for (const Tag &tag : {Tag(0x0018, 0x9226), Tag(0x0018, 0x9118), Tag(0x0018, 0x9197), Tag(0x0028, 0x9145)}) {
        gdcm::SmartPointer<gdcm::SequenceOfItems> hold;
        const DataSet *item = dicom_tags_item(group, tag, 1, &hold);
        if (item != nullptr)
            read_common_elements(*item, f);
        if (item != nullptr && tag == Tag(0x0018, 0x9197))
            read_velocity_encoding(*item, f);
    }
    read_real_world_map(group, f);
}

/* Range of the rescaled values that a pixel can have. */
static void compute_value_range(const DataSet &ds, dicom_frame *f) {
    const int bits = dicom_tags_u16(ds, Tag(0x0028, 0x0101)), is_signed = dicom_tags_u16(ds, Tag(0x0028, 0x0103));
    const double steps = std::ldexp(1.0, bits > 0 && bits <= 32 ? bits : 16);
    const double low = is_signed ? -steps / 2 : 0, high = is_signed ? steps / 2 - 1 : steps - 1;
    f->lowest = std::fmin(low * f->plane.slope, high * f->plane.slope) + f->plane.intercept;
    f->highest = std::fmax(low * f->plane.slope, high * f->plane.slope) + f->plane.intercept;
}

static int read_file_frames(const std::string &path, const char *name, int index, std::vector<dicom_frame> *frame) {
    std::vector<dicom_plane> plane;
    std::string uid;
    enum dicom_object object = DICOM_OBJECT_IMAGE;
    int rc = dicom_header_read(path, name, index, &object, &uid, &plane);
    if (rc != OK || plane.empty() || object != DICOM_OBJECT_IMAGE)
        return rc;
    gdcm::Reader reader;
    reader.SetFileName(path.c_str());
    if (!reader.ReadUpToTag(Tag(0x7fe0, 0x0010)))
        return fail(ERR_INPUT, "'%s' is damaged or cut short: its DICOM header cannot be read; replace or remove it",
                    name);
    const DataSet &ds = reader.GetFile().GetDataSet();
    gdcm::SmartPointer<gdcm::SequenceOfItems> shared_hold, own_hold;
    const DataSet *common = dicom_tags_item(ds, Tag(0x5200, 0x9229), 1, &shared_hold);
    const double number = dicom_tags_value(ds, Tag(0x0020, 0x0013), VR::IS);
    for (const dicom_plane &p : plane) {
        dicom_frame f{};
        f.plane = p;
        f.time_ms = f.rr_ms = f.venc_cm_s = f.unit_m_s = f.half_turn = NAN;
        f.order = p.n_frame > 1 ? p.frame : std::isfinite(number) && std::fabs(number) < 1e9 ? (int)number : index;
        snprintf(f.series, sizeof f.series, "%s", uid.c_str());
        read_common_elements(ds, &f);
        read_private(ds, &f);
        read_functional_group(ds, &f); /* also a classic file may have these sequences */
        if (common != nullptr)
            read_functional_group(*common, &f);
        const DataSet *own = dicom_tags_item(ds, Tag(0x5200, 0x9230), (size_t)p.frame + 1, &own_hold);
        if (own != nullptr)
            read_functional_group(*own, &f);
        compute_value_range(ds, &f);
        frame->push_back(f);
    }
    return OK;
}

/* Read the frames of all DICOM images of the folder; damaged files are recorded. */
static int read_frames(const dicom_files &d, char *note, dicom_skipped_files *skipped, std::vector<dicom_frame> *frame,
                       std::vector<dicom_damaged_file> *damaged) {
    isolate_limit_memory(MEMORY_BASE + MEMORY_FACTOR * dicom_files_largest(d));
    const auto read = [&](size_t i) { return read_file_frames(d.path[i], d.name[i].c_str(), (int)i, frame); };
    const int rc = dicom_damaged_headers(d, note, skipped, read, damaged);
    if (rc != OK)
        return rc;
    if (frame->empty() && !damaged->empty())
        return fail(ERR_INPUT, "%s", (*damaged)[0].why.c_str());
    return frame->empty()
               ? fail(ERR_INPUT, "'%s' holds no DICOM image; give the folder of a DICOM series", d.root.c_str())
               : OK;
}

/* The series of all frames with the folders of their files, by UID. */
static std::map<std::string, dicom_members> collect_members(const dicom_files &d,
                                                            const std::vector<dicom_frame> &frame) {
    std::map<std::string, dicom_members> all;
    for (const auto &f : frame) {
        dicom_members &m = all[f.series];
        m.uids = {f.series};
        m.folders.insert(dicom_damaged_folder(d.path[(size_t)f.plane.file_index]));
    }
    return all;
}

/* Refuse the chosen series when a damaged file belongs to them. `by_uid`: all series as read. joined: every image had
 * its own series, and dicom_cine_arrange joined them. */
static int check_damaged(const std::vector<dicom_damaged_file> &damaged,
                         const std::map<std::string, dicom_members> &by_uid, const std::set<std::string> &chosen,
                         bool joined, dicom_skipped_files *skipped) {
    std::vector<dicom_members> all;
    dicom_members taken;
    for (const auto &[uid, m] : by_uid) {
        all.push_back(m);
        if (!joined && chosen.count(uid) == 0)
            continue;
        taken.uids.push_back(uid);
        taken.folders.insert(m.folders.begin(), m.folders.end());
    }
    if (joined)
        all = {taken};
    return dicom_damaged_check(damaged, all, taken, skipped);
}

/* Read phase and then magnitude images into one volume. */
static int read_cine(const request &r, char *note, volume *out) {
    dicom_files d;
    std::vector<dicom_frame> frame;
    std::vector<dicom_plane> plane;
    std::vector<dicom_damaged_file> damaged;
    std::map<std::string, dicom_members> by_uid;
    std::set<std::string> chosen;
    dicom_cine c{};
    int rc = OK, first[2] = {-1, -1};
    TRY(dicom_files_list(r.path, &d));
    TRY(read_frames(d, note, &r.answer->skipped, &frame, &damaged));
    by_uid = collect_members(d, frame);
    for (const auto &f : damaged)
        if (r.series != nullptr && f.uid == r.series && by_uid.count(f.uid) == 0)
            GIVE_UP(fail(ERR_INPUT, "%s", f.why.c_str()));
    TRY(dicom_cine_arrange(r.path, (int)frame.size(), frame.data(), r.want, r.series, &c, first));
    for (int start : first)
        if (start >= 0)
            chosen.insert(frame[(size_t)start].series);
    TRY(check_damaged(damaged, by_uid, chosen, by_uid.size() > 1 && collect_members(d, frame).size() == 1,
                      &r.answer->skipped));
    if (c.nt > MAX_TIMES)
        GIVE_UP(
            fail(ERR_INPUT,
                 "'%s' has %d images of one slice over the cycle; the limit is %d; give the files of one measurement",
                 r.path, c.nt, MAX_TIMES));
    for (int start : first)
        for (int t = 0; start >= 0 && t < c.nt; t++)
            plane.push_back(frame[(size_t)start + (size_t)t].plane);
    {
        volume both = c.phase;
        both.dims[2] = (int)plane.size();
        isolate_limit_memory(MEMORY_BASE + 16.0 * both.dims[0] * both.dims[1] * both.dims[2]);
        TRY(volume_create_like(out, &both));
    }
    TRY(dicom_unpack(d, plane, note, out->value));
    r.answer->has_phase = first[0] >= 0;
    r.answer->has_magnitude = first[1] >= 0;
    r.answer->has_times = c.time_s != nullptr;
    for (int t = 0; t < c.nt && c.time_s != nullptr; t++)
        r.answer->time_s[t] = c.time_s[t];
    r.answer->cine = c;
cleanup:
    return rc;
}

static int read_isolated(void *argument, char note[ISOLATE_NOTE], volume *out) {
    const request *r = (const request *)argument;
    return dicom_files_guard(r->path, note, [&] { return read_cine(*r, note, out); });
}

/* Split the volume that the reading process returned into phase images (first) and magnitude images. */
static int split_volume(const shared_answer *a, const volume *both, dicom_cine *c) {
    const size_t n = (size_t)both->dims[0] * (size_t)both->dims[1] * (size_t)a->cine.nt;
    volume geometry = a->cine.phase;
    int rc = OK;
    *c = a->cine;
    c->time_s = nullptr;
    c->phase = c->magnitude = geometry;
    if (a->has_times) {
        c->time_s = (double *)malloc((size_t)c->nt * sizeof *c->time_s);
        if (c->time_s == nullptr)
            return fail_memory("the times", 8.0 * c->nt);
        memcpy(c->time_s, a->time_s, (size_t)c->nt * sizeof *c->time_s);
    }
    if (a->has_phase) {
        TRY(volume_create_like(&c->phase, &geometry));
        memcpy(c->phase.value, both->value, n * sizeof(float));
    }
    if (a->has_magnitude) {
        TRY(volume_create_like(&c->magnitude, &geometry));
        memcpy(c->magnitude.value, both->value + (a->has_phase ? n : 0), n * sizeof(float));
    }
cleanup:
    return rc;
}

int dicom_cine_read(const char *path, const char *series, enum dicom_want want, dicom_cine *c) {
    volume both{};
    *c = dicom_cine{};
    void *place = mmap(nullptr, sizeof(shared_answer), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return fail_memory("reading an image", sizeof(shared_answer));
    request r{path, series, want, (shared_answer *)place};
    int rc = dicom_damaged_isolate(path, read_isolated, &r, &r.answer->skipped, &both);
    if (rc == OK)
        rc = split_volume(r.answer, &both, c);
    if (rc != OK)
        dicom_cine_free(c);
    volume_free(&both);
    munmap(place, sizeof(shared_answer));
    return rc;
}
