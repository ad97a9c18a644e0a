// See itk_dicom.h: find the files, sort their headers into series, choose one, read its pixels plane by plane.
#include "common/image/itk_dicom.h"
#include "common/image/dicom_header.h"
#include "common/image/dicom_pixels.h"
#include "common/image/dicom_stack.h"
#include "common/image/isolate.h"
#include "common/base/status.h"
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gdcmImageReader.h>
#include <gdcmTrace.h>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

enum { MAX_FILES = 50000, MAX_LISTED = 20 };
static const double MEMORY_BASE = 5e8, MEMORY_FACTOR = 60; /* bytes; bytes per byte of the largest file */

struct request {
    const char *path, *series;
    bool pixels;
};

struct series_group {
    std::string uid;                /* the first in order when several were joined */
    std::vector<std::string> uids;  /* all of them */
    std::vector<dicom_plane> plane; /* file_index into `files` */
};

struct dicom_folder {
    std::string root;
    std::vector<std::string> files; /* paths */
    std::vector<std::string> names; /* relative to root, for sentences */
    std::map<std::string, std::vector<dicom_plane>> by_uid;
    std::vector<series_group> groups;
};

static void hush() {
    gdcm::Trace::DebugOff();
    gdcm::Trace::WarningOff();
    gdcm::Trace::ErrorOff();
}

bool dicom_recognize(const char *path) {
    char mark[132] = {0};
    std::ifstream in(path, std::ios::binary);
    return in.read(mark, sizeof mark) && memcmp(mark + 128, "DICM", 4) == 0;
}

static bool named_dicom(const std::string &name) {
    std::string end = fs::path(name).extension().string();
    std::transform(end.begin(), end.end(), end.begin(), ::tolower);
    return end == ".dcm" || end == ".dicom" || end == ".ima";
}

static int list_files(const char *path, dicom_folder *d) {
    d->root = path;
    if (!fs::is_directory(path)) {
        d->files.emplace_back(path);
        d->names.emplace_back(path);
        return OK;
    }
    auto skip = fs::directory_options::skip_permission_denied;
    for (const auto &entry : fs::recursive_directory_iterator(path, skip)) {
        if (!entry.is_regular_file() || entry.path().filename() == "DICOMDIR")
            continue;
        d->files.push_back(entry.path().string());
        if (d->files.size() > MAX_FILES)
            return fail(ERR_INPUT, "'%s' holds more than %d files; give the folder of one study", path, MAX_FILES);
    }
    std::sort(d->files.begin(), d->files.end());
    for (const auto &file : d->files)
        d->names.push_back(fs::path(file).lexically_relative(path).string());
    return OK;
}

/* Planes of every DICOM image in the folder; other files are passed over. */
static int read_headers(dicom_folder *d, char *note) {
    double largest = 0;
    for (const auto &file : d->files)
        largest = std::max(largest, (double)fs::file_size(file));
    isolate_limit_memory(MEMORY_BASE + MEMORY_FACTOR * largest);
    for (size_t i = 0; i < d->files.size(); i++) {
        bool marked = dicom_recognize(d->files[i].c_str());
        if (!marked && !named_dicom(d->names[i]))
            continue;
        std::vector<dicom_plane> plane;
        std::string uid;
        snprintf(note, ISOLATE_NOTE, "%s", d->names[i].c_str());
        int rc = marked ? dicom_header_read(d->files[i], d->names[i].c_str(), (int)i, &uid, &plane)
                        : fail(ERR_INPUT, "'%s' is damaged or not DICOM (no DICM mark); replace or remove it",
                               d->names[i].c_str());
        if (rc != OK)
            return rc;
        auto &all = d->by_uid[uid];
        all.insert(all.end(), plane.begin(), plane.end());
        if (plane.empty() && all.empty())
            d->by_uid.erase(uid);
    }
    if (d->by_uid.empty())
        return fail(ERR_INPUT, "'%s' holds no DICOM image", d->root.c_str());
    return OK;
}

/* Some anonymisers give every slice a series of its own: single slices that are alike belong together. */
static void make_groups(dicom_folder *d) {
    std::vector<series_group> single;
    for (auto &[uid, plane] : d->by_uid) {
        if (plane.size() > 1) {
            d->groups.push_back({uid, {uid}, plane});
            continue;
        }
        auto same = std::find_if(single.begin(), single.end(),
                                 [&p = plane[0]](const series_group &g) { return dicom_stack_alike(&g.plane[0], &p); });
        if (same == single.end()) {
            single.push_back({uid, {uid}, plane});
        } else {
            same->uids.push_back(uid);
            same->plane.push_back(plane[0]);
        }
    }
    d->groups.insert(d->groups.end(), single.begin(), single.end());
}

/* ", 3 mm apart": the usual distance of the slices, "" where it is not known. */
static std::string slice_distance(const std::vector<dicom_plane> &plane) {
    std::vector<double> along, step;
    const dicom_plane &p = plane[0];
    const double normal[3] = {p.row[1] * p.column[2] - p.row[2] * p.column[1],
                              p.row[2] * p.column[0] - p.row[0] * p.column[2],
                              p.row[0] * p.column[1] - p.row[1] * p.column[0]};
    for (const auto &one : plane)
        if (one.placed)
            along.push_back(one.position_mm[0] * normal[0] + one.position_mm[1] * normal[1] +
                            one.position_mm[2] * normal[2]);
    std::sort(along.begin(), along.end());
    for (size_t i = 1; i < along.size(); i++)
        step.push_back(along[i] - along[i - 1]);
    if (step.empty())
        return "";
    std::sort(step.begin(), step.end());
    char text[40];
    snprintf(text, sizeof text, ", %.3g mm apart", step[step.size() / 2]);
    return text;
}

static std::string listed(const dicom_folder &d) {
    std::string text;
    size_t n = std::min<size_t>(d.groups.size(), MAX_LISTED);
    for (size_t i = 0; i < n; i++) {
        const auto &g = d.groups[i];
        char spacing[64] = "";
        const dicom_plane &p = g.plane[0];
        if (p.placed)
            snprintf(spacing, sizeof spacing, ", %.3g x %.3g mm", p.spacing_mm[0], p.spacing_mm[1]);
        text += "\n  " + g.uid + "  " + std::to_string(g.plane.size()) + (g.plane.size() == 1 ? " slice" : " slices") +
                " of " + std::to_string(p.columns) + " x " + std::to_string(p.rows) + spacing +
                slice_distance(g.plane) + (p.about[0] != 0 ? std::string(": ") + p.about : "");
    }
    if (d.groups.size() > n)
        text += "\n  and " + std::to_string(d.groups.size() - n) + " more";
    return text;
}

static int choose(const dicom_folder &d, const char *series, const series_group **chosen) {
    const char *root = d.root.c_str();
    for (const auto &g : d.groups)
        if (series != nullptr && std::find(g.uids.begin(), g.uids.end(), series) != g.uids.end()) {
            *chosen = &g;
            return OK;
        }
    if (series != nullptr)
        return fail(ERR_INPUT, "'%s' holds no series '%s'; it holds:%s", root, series, listed(d).c_str());
    if (d.groups.size() > 1)
        return fail(ERR_INPUT, "'%s' holds %zu series; name one as image: {series: UID}:%s", root, d.groups.size(),
                    listed(d).c_str());
    *chosen = &d.groups[0];
    return OK;
}

/* ------------------------------------------------------------------------------------------------- pixels */

template <class stored>
static void convert(const char *raw, const gdcm::PixelFormat &format, const dicom_plane &p, float *to) {
    size_t n = (size_t)p.columns * (size_t)p.rows;
    int bits = format.GetBitsStored(), allocated = (int)(8 * sizeof(stored));
    int drop = std::is_integral<stored>::value && bits > 0 && bits < allocated ? allocated - bits : 0;
    for (size_t i = 0; i < n; i++) {
        stored x;
        memcpy(&x, raw + i * sizeof x, sizeof x);
        if constexpr (std::is_integral<stored>::value) { /* bits above BitsStored are not part of the value */
            using wide = std::make_unsigned_t<stored>;
            x = (stored)((stored)(wide)((wide)x << drop) >> drop);
        }
        to[i] = (float)((double)x * p.slope + p.intercept);
    }
}

static int convert_plane(const char *raw, const gdcm::PixelFormat &format, const dicom_plane &p, float *to) {
    switch (format.GetScalarType()) {
    case gdcm::PixelFormat::UINT8:
        convert<uint8_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::INT8:
        convert<int8_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::UINT12:
    case gdcm::PixelFormat::UINT16:
        convert<uint16_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::INT12:
    case gdcm::PixelFormat::INT16:
        convert<int16_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::UINT32:
        convert<uint32_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::INT32:
        convert<int32_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::FLOAT32:
        convert<float>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::FLOAT64:
        convert<double>(raw, format, p, to);
        return OK;
    default:
        return fail(ERR_INPUT, "'%s': its pixels are of a type this program does not read", p.file);
    }
}

static int check_whole(const std::string &path, const char *name, const gdcm::TransferSyntax &syntax, double needed) {
    if (syntax == gdcm::TransferSyntax::DeflatedExplicitVRLittleEndian)
        return OK; /* a cut deflate stream does not unpack */
    std::ifstream in(path, std::ios::binary);
    std::vector<unsigned char> bytes(fs::file_size(path));
    if (!in.read((char *)bytes.data(), (std::streamsize)bytes.size()))
        return fail(ERR_INPUT, "cannot read '%s'", name);
    bool big_endian = syntax == gdcm::TransferSyntax::ExplicitVRBigEndian;
    if (!dicom_pixels_whole(bytes.data(), bytes.size(), big_endian, syntax.IsEncapsulated(), needed))
        return fail(
            ERR_INPUT,
            "'%s' is cut short, or holds more than its header announces: its pixels are not as many as they should be",
            name);
    return OK;
}

/* Unpacked pixels of one file. Sizes are compared before anything is allocated. */
static int load_pixels(const std::string &path, const dicom_plane &p, std::vector<char> *raw,
                       gdcm::PixelFormat *format) {
    gdcm::ImageReader reader;
    reader.SetFileName(path.c_str());
    if (!reader.Read())
        return fail(ERR_INPUT, "'%s' is damaged or cut short, or packed in a way this program cannot unpack", p.file);
    const gdcm::Image &image = reader.GetImage();
    *format = image.GetPixelFormat();
    const unsigned *dims = image.GetDimensions();
    int frames = image.GetNumberOfDimensions() > 2 ? (int)dims[2] : 1;
    if (dims[0] != (unsigned)p.columns || dims[1] != (unsigned)p.rows || frames != p.n_frame)
        return fail(ERR_INPUT, "'%s' is damaged: its header and its pixels differ in size", p.file);
    if (format->GetSamplesPerPixel() != 1 ||
        image.GetPhotometricInterpretation() == gdcm::PhotometricInterpretation::PALETTE_COLOR)
        return fail(ERR_INPUT, "'%s' is a colour image; give the grey-scale series", p.file);
    double bytes = (double)p.columns * p.rows * frames * format->GetPixelSize();
    if (image.GetBufferLength() != (unsigned long)bytes)
        return fail(ERR_INPUT, "'%s' is damaged: %.0f bytes of pixels expected, %lu found", p.file, bytes,
                    (unsigned long)image.GetBufferLength());
    int rc = check_whole(path, p.file, reader.GetFile().GetHeader().GetDataSetTransferSyntax(), bytes);
    if (rc != OK)
        return rc;
    raw->resize((size_t)bytes);
    if (!image.GetBuffer(raw->data()))
        return fail(ERR_INPUT, "'%s' is damaged or cut short: its pixels do not unpack", p.file);
    return OK;
}

static int read_planes(const dicom_folder &d, const std::vector<dicom_plane> &plane, char *note, volume *out) {
    size_t per_plane = (size_t)out->dims[0] * (size_t)out->dims[1];
    std::vector<size_t> order(plane.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return plane[a].file_index < plane[b].file_index; });
    std::vector<char> raw;
    gdcm::PixelFormat format;
    int loaded = -1;
    for (size_t i : order) {
        const dicom_plane &p = plane[i];
        if (p.file_index != loaded) {
            snprintf(note, ISOLATE_NOTE, "%s", p.file);
            int rc = load_pixels(d.files[(size_t)p.file_index], p, &raw, &format);
            if (rc != OK)
                return rc;
            loaded = p.file_index;
        }
        const char *from = raw.data() + (size_t)p.frame * per_plane * format.GetPixelSize();
        int rc = convert_plane(from, format, p, out->value + i * per_plane);
        if (rc != OK)
            return rc;
    }
    return OK;
}

static int read_series(const request &r, char *note, volume *out) {
    int rc = OK;
    dicom_folder d;
    const series_group *chosen = nullptr;
    std::vector<dicom_plane> plane;
    volume geometry{};
    TRY(list_files(r.path, &d));
    TRY(read_headers(&d, note));
    make_groups(&d);
    TRY(choose(d, r.series, &chosen));
    plane = chosen->plane;
    TRY(dicom_stack_arrange(plane.data(), (int)plane.size(), &geometry));
    if (r.pixels) {
        isolate_limit_memory(MEMORY_BASE + 16.0 * geometry.dims[0] * geometry.dims[1] * geometry.dims[2]);
        TRY(volume_create_like(out, &geometry));
        TRY(read_planes(d, plane, note, out));
    } else {
        *out = geometry;
    }
cleanup:
    return rc;
}

/* ------------------------------------------------------------------------------- in a process of its own */

static int work(void *argument, char note[ISOLATE_NOTE], volume *out) {
    const request *r = (const request *)argument;
    try {
        hush();
        return read_series(*r, note, out);
    } catch (const std::bad_alloc &) {
        return fail(ERR_INPUT, "'%s': its DICOM file '%s' asks for more memory than an intact file of its size",
                    r->path, note);
    } catch (...) {
        return fail(ERR_INPUT, "'%s': its DICOM file '%s' is damaged", r->path, note);
    }
}

int dicom_read(const char *path, const char *series, bool pixels, volume *out) {
    request r{path, series, pixels};
    return isolate_read(path, work, &r, out);
}
