/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of dicom_export.h: pictures and PDF. */
#include "common/base/guard.h"
#include "common/dicom_write/dicom_object.h"
#include <cstring>

using gdcm::DataSet;
using gdcm::Tag;
using gdcm::VR;

static const char research[] = "RESEARCH, NOT FOR CLINICAL USE";

int dicom_write_capture(dicom_study *study, const char *path, int instance, const char *title, int width, int height,
                        const unsigned char *rgb) {
    if (width > 65535 || height > 65535 || width < 1 || height < 1)
        return fail(
            ERR_INPUT,
            "the picture '%s' has %d x %d pixels, and DICOM allows 1 to 65535 per side; export without pictures, "
            "or report this error in the program",
            title, width, height);
    return guard_call("writing a DICOM picture", 0, [&]() -> int {
        DataSet ds;
        dicom_object_start(study, DICOM_KIND_CAPTURE, instance, ds);
        dicom_object_text(ds, Tag(0x0008, 0x0008), VR::CS, "DERIVED\\SECONDARY");
        dicom_object_text(ds, Tag(0x0008, 0x0064), VR::CS, "WSD");
        dicom_object_text(ds, Tag(0x0008, 0x2111), VR::ST, std::string("Portaflow: ") + title);
        dicom_object_text(ds, Tag(0x0020, 0x0020), VR::CS, ""); /* PatientOrientation: unknown for a drawing */
        dicom_object_text(ds, Tag(0x0020, 0x0060), VR::CS, ""); /* Laterality */
        dicom_object_text(ds, Tag(0x0020, 0x4000), VR::LT, research);
        dicom_object_u16(ds, Tag(0x0028, 0x0002), 3);
        dicom_object_text(ds, Tag(0x0028, 0x0004), VR::CS, "RGB");
        dicom_object_u16(ds, Tag(0x0028, 0x0006), 0);
        dicom_object_u16(ds, Tag(0x0028, 0x0010), (unsigned)height);
        dicom_object_u16(ds, Tag(0x0028, 0x0011), (unsigned)width);
        dicom_object_u16(ds, Tag(0x0028, 0x0100), 8);
        dicom_object_u16(ds, Tag(0x0028, 0x0101), 8);
        dicom_object_u16(ds, Tag(0x0028, 0x0102), 7);
        dicom_object_u16(ds, Tag(0x0028, 0x0103), 0);
        dicom_object_text(ds, Tag(0x0028, 0x0301), VR::CS, "NO"); /* BurnedInAnnotation: no text names the patient */
        std::vector<unsigned char> pixels(rgb, rgb + (size_t)width * (size_t)height * 3);
        pixels.resize(pixels.size() + pixels.size() % 2);
        dicom_object_bytes(ds, Tag(0x7fe0, 0x0010), VR::OB, pixels.data(), pixels.size());
        return dicom_object_write(ds, path);
    });
}

int dicom_write_pdf(dicom_study *study, const char *path, const char *title, const void *pdf, size_t size,
                    bool may_name_patient) {
    return guard_call("writing a DICOM document", 0, [&]() -> int {
        DataSet ds;
        dicom_object_start(study, DICOM_KIND_PDF, 1, ds);
        dicom_object_text(ds, Tag(0x0008, 0x002a), VR::DT, ""); /* AcquisitionDateTime */
        dicom_object_text(ds, Tag(0x0008, 0x0064), VR::CS, "WSD");
        dicom_object_text(ds, Tag(0x0028, 0x0301), VR::CS, may_name_patient ? "YES" : "NO"); /* BurnedInAnnotation */
        dicom_object_sequence(ds, Tag(0x0040, 0xa043), {});
        dicom_object_text(ds, Tag(0x0042, 0x0010), VR::ST, std::string(title) + " (" + research + ")");
        dicom_object_text(ds, Tag(0x0042, 0x0012), VR::LO, "application/pdf");
        std::vector<unsigned char> bytes((const unsigned char *)pdf, (const unsigned char *)pdf + size);
        bytes.resize(size + size % 2);
        dicom_object_bytes(ds, Tag(0x0042, 0x0011), VR::OB, bytes.data(), bytes.size());
        return dicom_object_write(ds, path);
    });
}
