/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of dicom_export.h: a mask as segmentation (PS3.3 A.51, C.8.20). */
#include "common/base/guard.h"
#include "common/dicom_write/dicom_object.h"
#include <cmath>

using gdcm::DataSet;
using gdcm::Tag;
using gdcm::VR;

/* a source image is in the plane of a frame if their positions differ by less than this fraction of the spacing */
static const double same_place = 0.05;

static DataSet referenced_image(const dicom_source &s) {
    DataSet ds;
    dicom_object_text(ds, Tag(0x0008, 0x1150), VR::UI, s.sop_class);
    dicom_object_text(ds, Tag(0x0008, 0x1155), VR::UI, s.instance);
    return ds;
}

static void put_segment(const char *label, DataSet &ds) {
    DataSet segment;
    const char property[] = "Anatomical Structure";
    dicom_object_sequence(segment, Tag(0x0062, 0x0003), {dicom_object_code("123037004", "SCT", property)});
    dicom_object_u16(segment, Tag(0x0062, 0x0004), 1);
    dicom_object_text(segment, Tag(0x0062, 0x0005), VR::LO, label);
    dicom_object_text(segment, Tag(0x0062, 0x0008), VR::CS, "SEMIAUTOMATIC");
    dicom_object_text(segment, Tag(0x0062, 0x0009), VR::LO, "Portaflow level set");
    dicom_object_sequence(segment, Tag(0x0062, 0x000f), {dicom_object_code("59820001", "SCT", "Blood vessel")});
    dicom_object_sequence(ds, Tag(0x0062, 0x0002), {segment});
}

/* Frames are indexed by segment and position. */
static void put_dimensions(DataSet &ds) {
    const std::string uid = dicom_object_uid();
    DataSet organization, index[2];
    dicom_object_text(organization, Tag(0x0020, 0x9164), VR::UI, uid);
    dicom_object_sequence(ds, Tag(0x0020, 0x9221), {organization});
    static const unsigned char pointer[2][2][4] = {{{0x62, 0, 0x0b, 0}, {0x62, 0, 0x0a, 0}},
                                                   {{0x20, 0, 0x32, 0}, {0x20, 0, 0x13, 0x91}}};
    for (int k = 0; k < 2; k++) {
        dicom_object_text(index[k], Tag(0x0020, 0x9164), VR::UI, uid);
        dicom_object_bytes(index[k], Tag(0x0020, 0x9165), VR::AT, pointer[k][0], 4);
        dicom_object_bytes(index[k], Tag(0x0020, 0x9167), VR::AT, pointer[k][1], 4);
    }
    dicom_object_sequence(ds, Tag(0x0020, 0x9222), {index[0], index[1]});
}

static void put_shared_groups(const volume *v, DataSet &ds) {
    DataSet shared, measures, plane;
    const double spacing[2] = {v->spacing_mm[1], v->spacing_mm[0]}; /* distance between rows, distance between columns,
                                                                     * mm */
    const double axes[6] = {v->direction[0], v->direction[3], v->direction[6],
                            v->direction[1], v->direction[4], v->direction[7]};
    dicom_object_text(measures, Tag(0x0018, 0x0050), VR::DS, dicom_object_decimal(1, &v->spacing_mm[2]));
    dicom_object_text(measures, Tag(0x0018, 0x0088), VR::DS, dicom_object_decimal(1, &v->spacing_mm[2]));
    dicom_object_text(measures, Tag(0x0028, 0x0030), VR::DS, dicom_object_decimal(2, spacing));
    dicom_object_text(plane, Tag(0x0020, 0x0037), VR::DS, dicom_object_decimal(6, axes));
    dicom_object_sequence(shared, Tag(0x0020, 0x9116), {plane});
    dicom_object_sequence(shared, Tag(0x0028, 0x9110), {measures});
    dicom_object_sequence(ds, Tag(0x5200, 0x9229), {shared});
}

static const dicom_source *source_at(const dicom_study *study, const volume *v, const double position[3]) {
    for (const auto &s : study->source)
        if (std::hypot(s.position_mm[0] - position[0], s.position_mm[1] - position[1], s.position_mm[2] - position[2]) <
            same_place * v->spacing_mm[2])
            return &s;
    return nullptr;
}

static DataSet frame_group(const dicom_study *study, const volume *v, int k) {
    DataSet group, content, plane, segment;
    const double index[3] = {0, 0, (double)k};
    double position[3];
    volume_to_lps(v, index, position);
    const uint32_t place[2] = {1, (uint32_t)k + 1};
    dicom_object_bytes(content, Tag(0x0020, 0x9157), VR::UL, place, sizeof place);
    dicom_object_text(plane, Tag(0x0020, 0x0032), VR::DS, dicom_object_decimal(3, position));
    dicom_object_u16(segment, Tag(0x0062, 0x000b), 1);
    dicom_object_sequence(group, Tag(0x0020, 0x9111), {content});
    dicom_object_sequence(group, Tag(0x0020, 0x9113), {plane});
    dicom_object_sequence(group, Tag(0x0062, 0x000a), {segment});
    if (const dicom_source *s = source_at(study, v, position)) {
        DataSet derivation, image = referenced_image(*s);
        dicom_object_sequence(image, Tag(0x0040, 0xa170),
                              {dicom_object_code("121322", "DCM", "Source image for image processing operation")});
        dicom_object_sequence(derivation, Tag(0x0008, 0x2112), {image});
        dicom_object_sequence(derivation, Tag(0x0008, 0x9215), {dicom_object_code("113076", "DCM", "Segmentation")});
        dicom_object_sequence(group, Tag(0x0008, 0x9124), {derivation});
    }
    return group;
}

static void put_source(const dicom_study *study, DataSet &ds) {
    if (study->source.empty())
        return;
    DataSet series;
    dicom_items images;
    for (const auto &s : study->source)
        images.push_back(referenced_image(s));
    dicom_object_sequence(series, Tag(0x0008, 0x114a), images);
    dicom_object_text(series, Tag(0x0020, 0x000e), VR::UI, study->source_series);
    dicom_object_sequence(ds, Tag(0x0008, 0x1115), {series});
}

static void put_pixels(const volume *v, DataSet &ds) {
    const size_t n = volume_size(v);
    std::vector<unsigned char> bits(((n + 7) / 8 + 1) / 2 * 2);
    for (size_t i = 0; i < n; i++)
        if (v->value[i] > 0.5f)
            bits[i / 8] |= (unsigned char)(1 << i % 8);
    dicom_object_u16(ds, Tag(0x0028, 0x0002), 1);
    dicom_object_text(ds, Tag(0x0028, 0x0004), VR::CS, "MONOCHROME2");
    dicom_object_text(ds, Tag(0x0028, 0x0008), VR::IS, std::to_string(v->dims[2]));
    dicom_object_u16(ds, Tag(0x0028, 0x0010), (unsigned)v->dims[1]);
    dicom_object_u16(ds, Tag(0x0028, 0x0011), (unsigned)v->dims[0]);
    dicom_object_u16(ds, Tag(0x0028, 0x0100), 1);
    dicom_object_u16(ds, Tag(0x0028, 0x0101), 1);
    dicom_object_u16(ds, Tag(0x0028, 0x0102), 0);
    dicom_object_u16(ds, Tag(0x0028, 0x0103), 0);
    dicom_object_text(ds, Tag(0x0028, 0x2110), VR::CS, "00"); /* LossyImageCompression */
    dicom_object_bytes(ds, Tag(0x7fe0, 0x0010), VR::OB, bits.data(), bits.size());
}

int dicom_write_segmentation(dicom_study *study, const char *path, const char *label, const volume *mask) {
    if (mask->dims[0] > 65535 || mask->dims[1] > 65535)
        return fail(ERR_INPUT, "the image has %d x %d pixels; DICOM allows 65535 per side; crop the image",
                    mask->dims[0], mask->dims[1]);
    return guard_call("writing a DICOM segmentation", (double)volume_size(mask) / 8, [&]() -> int {
        DataSet ds;
        dicom_items groups;
        dicom_object_start(study, DICOM_KIND_SEGMENTATION, 1, ds);
        dicom_object_text(ds, Tag(0x0008, 0x0008), VR::CS, "DERIVED\\PRIMARY");
        dicom_object_text(ds, Tag(0x0020, 0x0052), VR::UI, study->frame_of_reference);
        dicom_object_text(ds, Tag(0x0020, 0x1040), VR::LO, "");
        dicom_object_text(ds, Tag(0x0020, 0x4000), VR::LT, "RESEARCH, NOT FOR CLINICAL USE");
        dicom_object_text(ds, Tag(0x0062, 0x0001), VR::CS, "BINARY");
        dicom_object_text(ds, Tag(0x0070, 0x0080), VR::CS, "LUMEN");
        dicom_object_text(ds, Tag(0x0070, 0x0081), VR::LO, "Vessel lumen (research, not for clinical use)");
        dicom_object_text(ds, Tag(0x0070, 0x0084), VR::PN, "");
        put_segment(label, ds);
        put_dimensions(ds);
        put_source(study, ds);
        put_shared_groups(mask, ds);
        for (int k = 0; k < mask->dims[2]; k++)
            groups.push_back(frame_group(study, mask, k));
        dicom_object_sequence(ds, Tag(0x5200, 0x9230), groups);
        put_pixels(mask, ds);
        return dicom_object_write(ds, path);
    });
}
