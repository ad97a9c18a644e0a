/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the reader of a file, checks it before ITK reads it, writes images. */
#include "common/image_file/itk_image.h"
#include "common/image/affine.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/image/isolate.h"
#include "common/record/dicom_head.h"
#include "common/dicom/itk_dicom.h"
#include "common/image_file/meta_image.h"
#include "common/image_file/nifti_file.h"
#include "common/image_file/nrrd_image.h"
#include "common/image_file/nrrd_layers.h"
#include "common/base/status.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <itkImage.h>
#include <itkImageFileReader.h>
#include <itkImageFileWriter.h>
#include <itkImportImageFilter.h>
#include <itkMetaImageIO.h>
#include <itkNrrdImageIO.h>
#include <itkVectorImage.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

/* ASPECT_LIMIT: upper limit of longest over shortest voxel side; USUAL_MM: range of voxel sides without a warning */
static const double ASPECT_LIMIT = 50, USUAL_MM[2] = {0.05, 20};

using image_f = itk::Image<float, 3>;
using image_u8 = itk::Image<unsigned char, 3>;

/* Suppress messages of ITK; errors are reported by this program. */
struct suppress_output {
    std::streambuf *out = std::cout.rdbuf(nullptr), *err = std::cerr.rdbuf(nullptr);
    suppress_output() { itk::Object::SetGlobalWarningDisplay(false); }
    suppress_output(const suppress_output &) = delete;
    suppress_output &operator=(const suppress_output &) = delete;
    ~suppress_output() {
        std::cout.rdbuf(out);
        std::cerr.rdbuf(err);
        std::cout.clear();
        std::cerr.clear();
    }
};

static bool starts_with(const char *path, const char *mark) {
    char start[8] = {0};
    std::ifstream in(path, std::ios::binary);
    in.read(start, (std::streamsize)strlen(mark));
    return strncmp(start, mark, strlen(mark)) == 0;
}

static bool ends_with(const std::string &text, const char *end) {
    size_t n = strlen(end);
    return text.size() >= n && text.compare(text.size() - n, n, end) == 0;
}

static int check_file(const char *path, bool *folder) {
    struct stat info;
    if (stat(path, &info) != 0)
        return fail(ERR_INPUT, "cannot open '%s': %s", path, strerror(errno));
    *folder = S_ISDIR(info.st_mode);
    if (!*folder && !S_ISREG(info.st_mode))
        return fail(ERR_INPUT, "'%s' is neither a file nor a folder; check the path", path);
    if (!*folder && info.st_size == 0)
        return fail(ERR_INPUT, "'%s' is empty (0 bytes); export or copy it again", path);
    if (access(path, R_OK) != 0)
        return fail(ERR_INPUT, "cannot open '%s': %s", path, strerror(errno));
    return OK;
}

/* Refuse an image that needs more than 80 % of the machine's memory. Layers need memory for the file values, for
 * floats, and for the label image. */
static int check_memory(const char *path, const int dims[3], int layers) {
    const double per_voxel = layers > 1 ? 5.0 * layers + 4 : 4.0, bytes = per_voxel * dims[0] * dims[1] * dims[2];
    double installed = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (installed > 0 && bytes > 0.8 * installed && layers > 1)
        return fail(ERR_RESOURCE,
                    "'%s': %d layers of %d x %d x %d voxels need %.1f GB, this machine has %.1f GB; export the "
                    "vessel's segment as a labelmap",
                    path, layers, dims[0], dims[1], dims[2], bytes * 1e-9, installed * 1e-9);
    if (installed > 0 && bytes > 0.8 * installed)
        return fail(ERR_RESOURCE, "'%s': %d x %d x %d voxels need %.1f GB, this machine has %.1f GB; crop the image",
                    path, dims[0], dims[1], dims[2], bytes * 1e-9, installed * 1e-9);
    return OK;
}

static int header_geometry(const char *path, itk::ImageIOBase *io, double unit_mm, int layers, volume *out) {
    unsigned n = io->GetNumberOfDimensions();
    if (n < 3)
        return fail(ERR_INPUT, "'%s' has %u dimensions; give a 3D volume", path, n);
    for (unsigned i = 3; i < n; i++)
        if (io->GetDimensions(i) > 1)
            return fail(ERR_INPUT, "'%s' has %u dimensions (%zu volumes along axis %u); give one 3D volume", path, n,
                        (size_t)io->GetDimensions(i), i + 1);
    if (io->GetNumberOfComponents() != (unsigned)std::max(1, layers))
        return fail(ERR_INPUT, "'%s' has %u values per voxel (colour, vector or complex); give one number per voxel",
                    path, io->GetNumberOfComponents());
    double a[3][4];
    for (unsigned j = 0; j < 3; j++) {
        if (io->GetDimensions(j) < 1 || io->GetDimensions(j) > 1000000)
            return fail(ERR_INPUT, "'%s': the header is damaged (size %zu along axis %u); export it again", path,
                        (size_t)io->GetDimensions(j), j + 1);
        out->dims[j] = (int)io->GetDimensions(j);
        for (unsigned i = 0; i < 3; i++)
            a[i][j] = io->GetDirection(j)[i] * io->GetSpacing(j) * unit_mm;
        a[j][3] = io->GetOrigin(j) * unit_mm;
    }
    int rc = affine_split(path, a, out->spacing_mm, out->origin_mm, out->direction);
    return rc == OK ? check_memory(path, out->dims, layers) : rc;
}

struct request {
    const char *path;
    bool nrrd, pixels;
    double unit_mm; /* length unit of the file, in mm */
    int layers;     /* number of layers of a 3D Slicer segmentation; 0: none */
};

static int read_itk(const request &r, volume *out) {
    itk::ImageIOBase::Pointer io;
    if (r.nrrd)
        io = itk::NrrdImageIO::New().GetPointer();
    else
        io = itk::MetaImageIO::New().GetPointer();
    io->SetFileName(r.path);
    io->ReadImageInformation();
    volume geometry{};
    int rc = header_geometry(r.path, io, r.unit_mm, r.layers, &geometry);
    if (rc != OK || !r.pixels) {
        *out = geometry;
        return rc;
    }
    if (r.layers > 1) {
        auto layers = itk::ImageFileReader<itk::VectorImage<float, 3>>::New();
        layers->SetImageIO(io);
        layers->SetFileName(r.path);
        layers->Update();
        *out = geometry;
        return nrrd_layers_join(r.path, r.layers, layers->GetOutput()->GetBufferPointer(), out);
    }
    auto reader = itk::ImageFileReader<image_f>::New();
    reader->SetImageIO(io);
    reader->SetFileName(r.path);
    reader->Update();
    rc = volume_create_like(out, &geometry);
    if (rc == OK)
        memcpy(out->value, reader->GetOutput()->GetBufferPointer(), volume_size(out) * sizeof(float));
    return rc;
}

static int read_isolated(void *argument, char *, volume *out) {
    const request *r = (const request *)argument;
    try {
        itk::Object::SetGlobalWarningDisplay(false);
        return read_itk(*r, out);
    } catch (const std::bad_alloc &) {
        return fail_memory("an image", 0);
    } catch (const itk::MemoryAllocationError &) {
        return fail_memory("an image", 0);
    } catch (...) {
        return fail(ERR_INPUT, "'%s' is damaged or cut short: its header or voxels cannot be read; export it again",
                    r->path);
    }
}

/* Refuse voxels with a large aspect ratio; warn of unusual sizes. */
static int check_voxels(const char *path, const volume *v) {
    const double *s = v->spacing_mm;
    const double least = std::min(s[0], std::min(s[1], s[2])), most = std::max(s[0], std::max(s[1], s[2]));
    if (most > ASPECT_LIMIT * least)
        return fail(ERR_INPUT,
                    "'%s': its voxels are %.4g x %.4g x %.4g mm, %.0f times as long as wide (limit %.0f); check the "
                    "spacing in its header",
                    path, s[0], s[1], s[2], most / least, ASPECT_LIMIT);
    if (least < USUAL_MM[0] || most > USUAL_MM[1]) {
        message_info("'%s':", path); /* a separate message, because the path must not enter the recorded warning */
        message_warn("voxels of %.4g x %.4g x %.4g mm are unusual for an image of vessels (%g to %g mm); check the "
                     "length unit of the image",
                     s[0], s[1], s[2], USUAL_MM[0], USUAL_MM[1]);
    }
    return OK;
}

static int check_finite(const char *path, const volume *v) {
    size_t bad = 0, n = volume_size(v);
    for (size_t i = 0; i < n; i++)
        bad += !std::isfinite(v->value[i]);
    if (bad == 0)
        return OK;
    return fail(ERR_INPUT, "'%s': %zu of %zu voxels are not finite numbers (NaN or infinity); replace them first", path,
                bad, n);
}

static int read_any(const char *path, const char *series, bool pixels, volume *out) {
    bool folder = false;
    int rc = check_file(path, &folder);
    if (rc != OK)
        return rc;
    if (folder)
        return dicom_read(path, series, pixels, out);
    if (nifti_file_recognize(path))
        return nifti_file_read(path, pixels, out);
    if (starts_with(path, "NRRD")) {
        request r{path, true, pixels, 1, 0};
        rc = nrrd_image_check(path, &r.unit_mm, &r.layers);
        return rc == OK ? isolate_read(path, read_isolated, &r, out) : rc;
    }
    if (file_ends_with(path, ".mha") || file_ends_with(path, ".mhd")) {
        request r{path, false, pixels, 1, 0};
        rc = meta_image_check(path, &r.unit_mm);
        return rc == OK ? isolate_read(path, read_isolated, &r, out) : rc;
    }
    if (dicom_head_recognize(path))
        return dicom_read(path, series, pixels, out);
    return fail(ERR_INPUT,
                "'%s' is not an image in a supported format (NIfTI, NRRD, MetaImage, DICOM), or its header is damaged; "
                "convert it to NIfTI",
                path);
}

/* Gives NaN voxels a value half a range of values below the others. */
static float replace_nan(volume *v) {
    const size_t n = volume_size(v);
    float low = INFINITY, high = -INFINITY;
    size_t padded = 0;
    for (size_t i = 0; i < n; i++)
        if (std::isnan(v->value[i]))
            padded++;
        else {
            low = std::min(low, v->value[i]);
            high = std::max(high, v->value[i]);
        }
    if (padded == 0 || !std::isfinite(low) || !std::isfinite(high))
        return NAN;
    const float padding = std::min(low - (high > low ? high / 2 - low / 2 : 1), std::nextafter(low, -INFINITY));
    for (size_t i = 0; i < n; i++)
        if (std::isnan(v->value[i]))
            v->value[i] = padding;
    return padding;
}

/* padding: see image_read_padded; NULL: NaN is refused. */
static int read_and_check(const char *path, const char *series, volume *out, float *padding) {
    memset(out, 0, sizeof *out);
    int rc = read_any(path, series, true, out);
    if (rc == OK && padding)
        *padding = replace_nan(out);
    if (rc == OK)
        rc = check_finite(path, out);
    if (rc == OK)
        rc = check_voxels(path, out);
    if (rc != OK)
        volume_free(out);
    return rc;
}

int image_read(const char *path, const char *series, volume *out) {
    return read_and_check(path, series, out, NULL);
}

int image_read_padded(const char *path, const char *series, volume *out, float *padding) {
    return read_and_check(path, series, out, padding);
}

int image_read_geometry(const char *path, const char *series, volume *out) {
    memset(out, 0, sizeof *out);
    return read_any(path, series, false, out);
}

/* ------------------------------------------------------------------------------------------------- writing */

template <class image> static typename image::Pointer to_itk(const volume *v, bool round) {
    auto out = image::New();
    typename image::SizeType size;
    typename image::SpacingType spacing;
    typename image::PointType origin;
    typename image::DirectionType direction;
    for (unsigned i = 0; i < 3; i++) {
        size[i] = (itk::SizeValueType)v->dims[i];
        spacing[i] = v->spacing_mm[i];
        origin[i] = v->origin_mm[i];
        for (unsigned j = 0; j < 3; j++)
            direction(i, j) = v->direction[3 * i + j];
    }
    out->SetRegions(size);
    out->SetSpacing(spacing);
    out->SetOrigin(origin);
    out->SetDirection(direction);
    out->Allocate();
    auto *to = out->GetBufferPointer();
    size_t n = volume_size(v);
    for (size_t i = 0; i < n; i++) {
        float x = v->value[i];
        if (round)
            x = x > 0 ? (x < 255 ? x + 0.5F : 255) : 0;
        to[i] = (typename image::PixelType)x;
    }
    return out;
}

template <class image>
static void write_itk(const std::string &path, itk::ImageIOBase *io, const volume *v, bool round) {
    auto writer = itk::ImageFileWriter<image>::New();
    writer->SetImageIO(io);
    writer->SetFileName(path);
    writer->SetInput(to_itk<image>(v, round));
    writer->UseCompressionOn();
    writer->Update();
}

static int write_part(const std::string &part, const std::string &path, const volume *v, enum image_type type) {
    if (ends_with(path, ".nii") || ends_with(path, ".nii.gz"))
        return nifti_file_write(part.c_str(), path.c_str(), v, type == IMAGE_UINT8);
    itk::ImageIOBase::Pointer io;
    if (ends_with(path, ".nrrd"))
        io = itk::NrrdImageIO::New().GetPointer();
    else if (ends_with(path, ".mha"))
        io = itk::MetaImageIO::New().GetPointer();
    else
        return fail(ERR_OUTPUT, "cannot write '%s': the ending must be .nii, .nii.gz, .nrrd or .mha", path.c_str());
    suppress_output hush;
    if (type == IMAGE_UINT8)
        write_itk<image_u8>(part, io, v, true);
    else
        write_itk<image_f>(part, io, v, false);
    return OK;
}

int image_write(const char *path, const volume *v, enum image_type type) {
    int rc = OK;
    char part[FILE_PATH_MAX] = "";
    try {
        std::string name = path;
        size_t slash = name.find_last_of('/'), start = slash == std::string::npos ? 0 : slash + 1;
        size_t dot = name.find('.', start);
        std::string ending =
            dot == std::string::npos ? "" : name.substr(name.rfind(ends_with(name, ".nii.gz") ? ".nii" : "."));
        /* create the file first, because ITK gives no reason for a failure and leaks memory */
        rc = file_part_create_as(path, ending.c_str(), part);
        if (rc == OK)
            rc = write_part(part, name, v, type);
        if (rc == OK)
            rc = file_commit(part, path);
    } catch (const std::bad_alloc &) {
        rc = fail_memory("writing an image", 4.0 * (double)volume_size(v));
    } catch (const itk::MemoryAllocationError &) {
        rc = fail_memory("writing an image", 4.0 * (double)volume_size(v));
    } catch (...) {
        rc = fail(ERR_OUTPUT, "cannot write '%s': check that the folder exists, is writable, and the disk is not full",
                  path);
    }
    if (rc != OK)
        file_discard(part);
    return rc;
}
