/* SPDX-License-Identifier: Apache-2.0 */
#include "common/dicom/dicom_unpack.h"
#include "common/base/status.h"
#include "common/dicom/dicom_pixels.h"
#include "common/image/isolate.h"
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gdcmImageReader.h>

namespace fs = std::filesystem;

template <class stored>
static void convert_values(const char *raw, const gdcm::PixelFormat &format, const dicom_plane &p, float *to) {
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
        convert_values<uint8_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::INT8:
        convert_values<int8_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::UINT12:
    case gdcm::PixelFormat::UINT16:
        convert_values<uint16_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::INT12:
    case gdcm::PixelFormat::INT16:
        convert_values<int16_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::UINT32:
        convert_values<uint32_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::INT32:
        convert_values<int32_t>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::FLOAT32:
        convert_values<float>(raw, format, p, to);
        return OK;
    case gdcm::PixelFormat::FLOAT64:
        convert_values<double>(raw, format, p, to);
        return OK;
    default:
        return fail(ERR_INPUT, "'%s': its pixel type is not supported; convert the series to NIfTI or NRRD", p.file);
    }
}

int dicom_unpack_check_whole(const std::string &path, const char *name, const gdcm::TransferSyntax &syntax,
                             double needed) {
    if (syntax == gdcm::TransferSyntax::DeflatedExplicitVRLittleEndian)
        return OK; /* an incomplete deflate stream fails to unpack */
    std::ifstream in(path, std::ios::binary);
    std::vector<unsigned char> bytes(fs::file_size(path));
    const bool read = (bool)in.read((char *)bytes.data(), (std::streamsize)bytes.size());
    bool big_endian = syntax == gdcm::TransferSyntax::ExplicitVRBigEndian;
    if (!read || !dicom_pixels_complete(bytes.data(), bytes.size(), big_endian, syntax.IsEncapsulated(), needed))
        return fail(
            ERR_INPUT,
            "'%s' is cut short or has extra bytes: its number of pixels differs from its header; replace or remove it",
            name);
    return OK;
}

/* Decode the pixels of one file. Sizes are checked before memory is allocated. */
static int load_pixels(const std::string &path, const dicom_plane &p, std::vector<char> *raw,
                       gdcm::PixelFormat *format) {
    gdcm::ImageReader reader;
    reader.SetFileName(path.c_str());
    if (!reader.Read())
        return fail(ERR_INPUT,
                    "'%s' is damaged, cut short, or compressed in an unsupported way; convert the series to NIfTI",
                    p.file);
    const gdcm::Image &image = reader.GetImage();
    *format = image.GetPixelFormat();
    const unsigned *dims = image.GetDimensions();
    int frames = image.GetNumberOfDimensions() > 2 ? (int)dims[2] : 1;
    if (format->GetSamplesPerPixel() != 1 ||
        image.GetPhotometricInterpretation() == gdcm::PhotometricInterpretation::PALETTE_COLOR)
        return fail(ERR_INPUT, "'%s' is a colour image; give the grey-scale series", p.file);
    double bytes = (double)p.columns * p.rows * frames * format->GetPixelSize();
    if (dims[0] != (unsigned)p.columns || dims[1] != (unsigned)p.rows || frames != p.n_frame ||
        image.GetBufferLength() != (unsigned long)bytes)
        return fail(ERR_INPUT, "'%s' is damaged: its header and its pixels differ in size; replace or remove it",
                    p.file);
    int rc = dicom_unpack_check_whole(path, p.file, reader.GetFile().GetHeader().GetDataSetTransferSyntax(), bytes);
    if (rc != OK)
        return rc;
    raw->resize((size_t)bytes);
    if (!image.GetBuffer(raw->data()))
        return fail(ERR_INPUT, "'%s' is damaged or cut short: its pixels cannot be decompressed; replace or remove it",
                    p.file);
    return OK;
}

int dicom_unpack(const dicom_files &d, const std::vector<dicom_plane> &plane, char *note, float *value) {
    size_t per_plane = (size_t)plane[0].columns * (size_t)plane[0].rows;
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
            int rc = load_pixels(d.path[(size_t)p.file_index], p, &raw, &format);
            if (rc != OK)
                return rc;
            loaded = p.file_index;
        }
        const char *from = raw.data() + (size_t)p.frame * per_plane * format.GetPixelSize();
        int rc = convert_plane(from, format, p, value + i * per_plane);
        if (rc != OK)
            return rc;
    }
    return OK;
}
