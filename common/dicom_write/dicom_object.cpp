/* SPDX-License-Identifier: Apache-2.0 */
/* Implements dicom_object.h. */
#include "common/dicom_write/dicom_object.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/cli/version.h"
#include <cstdio>
#include <gdcmFileMetaInformation.h>
#include <gdcmSequenceOfItems.h>
#include <gdcmWriter.h>
#include <random>

using gdcm::DataSet;
using gdcm::Tag;
using gdcm::VR;

static const struct {
    const char *sop_class, *modality, *description, *number;
} kind_table[DICOM_KIND_COUNT] = {
    {"1.2.840.10008.5.1.4.1.1.7", "OT", "Portaflow pictures (research, not for clinical use)", "9701"},
    {"1.2.840.10008.5.1.4.1.1.104.1", "DOC", "Portaflow report (research, not for clinical use)", "9702"},
    {"1.2.840.10008.5.1.4.1.1.66.4", "SEG", "Portaflow lumen (research, not for clinical use)", "9703"},
};

std::string dicom_object_uid() {
    static std::random_device entropy;
    unsigned __int128 number = 0;
    for (int k = 0; k < 4; k++)
        number = number << 32 | entropy();
    number = (number & ~((unsigned __int128)0xf << 76)) | (unsigned __int128)4 << 76; /* version 4 */
    number = (number & ~((unsigned __int128)3 << 62)) | (unsigned __int128)2 << 62;   /* variant of RFC 4122 */
    std::string digits;
    for (; number > 0; number /= 10)
        digits.insert(digits.begin(), (char)('0' + (int)(number % 10)));
    return "2.25." + digits;
}

std::string dicom_object_decimal(int n, const double *value) {
    std::string all;
    for (int k = 0; k < n; k++) {
        char text[40];
        for (int digits = 14; digits > 0; digits--)
            if (snprintf(text, sizeof text, "%.*g", digits, value[k] + 0.0) <=
                16) /* maximum length of a DS, PS3.5 6.2 */
                break;
        all += (k > 0 ? "\\" : "") + std::string(text);
    }
    return all;
}

void dicom_object_bytes(DataSet &ds, const Tag &tag, VR::VRType type, const void *data, size_t size) {
    gdcm::DataElement element(tag);
    element.SetVR(type);
    element.SetByteValue((const char *)data, gdcm::VL((uint32_t)size));
    ds.Replace(element);
}

void dicom_object_text(DataSet &ds, const Tag &tag, VR::VRType type, const std::string &value) {
    std::string padded = value;
    if (padded.size() % 2 == 1)
        padded += type == VR::UI ? '\0' : ' ';
    dicom_object_bytes(ds, tag, type, padded.data(), padded.size());
}

void dicom_object_u16(DataSet &ds, const Tag &tag, unsigned value) {
    const unsigned char bytes[2] = {(unsigned char)(value & 255), (unsigned char)(value >> 8)};
    dicom_object_bytes(ds, tag, VR::US, bytes, sizeof bytes);
}

void dicom_object_sequence(DataSet &ds, const Tag &tag, const dicom_items &items) {
    gdcm::SmartPointer<gdcm::SequenceOfItems> sequence = new gdcm::SequenceOfItems;
    sequence->SetLengthToUndefined();
    for (const DataSet &nested : items) {
        gdcm::Item item;
        item.SetVLToUndefined();
        item.SetNestedDataSet(nested);
        sequence->AddItem(item);
    }
    gdcm::DataElement element(tag);
    element.SetVR(VR::SQ);
    element.SetValue(*sequence);
    element.SetVLToUndefined();
    ds.Replace(element);
}

DataSet dicom_object_code(const char *value, const char *scheme, const char *meaning) {
    DataSet ds;
    dicom_object_text(ds, Tag(0x0008, 0x0100), VR::SH, value);
    dicom_object_text(ds, Tag(0x0008, 0x0102), VR::SH, scheme);
    dicom_object_text(ds, Tag(0x0008, 0x0104), VR::LO, meaning);
    return ds;
}

static void put_equipment(DataSet &ds) {
    dicom_object_text(ds, Tag(0x0008, 0x0070), VR::LO, "Portaflow");
    dicom_object_text(ds, Tag(0x0008, 0x1090), VR::LO, "Portaflow");
    dicom_object_text(ds, Tag(0x0018, 0x1000), VR::LO, "none");
    dicom_object_text(ds, Tag(0x0018, 0x1020), VR::LO, PORTAFLOW_VERSION);
}

void dicom_object_start(const dicom_study *study, enum dicom_kind kind, int instance, DataSet &ds) {
    ds = study->head;
    dicom_object_text(ds, Tag(0x0008, 0x0016), VR::UI, kind_table[kind].sop_class);
    dicom_object_text(ds, Tag(0x0008, 0x0018), VR::UI, dicom_object_uid());
    for (const uint16_t element : {0x0021, 0x0023}) /* SeriesDate, ContentDate */
        dicom_object_text(ds, Tag(0x0008, element), VR::DA, study->date);
    for (const uint16_t element : {0x0031, 0x0033})
        dicom_object_text(ds, Tag(0x0008, element), VR::TM, study->time);
    dicom_object_text(ds, Tag(0x0008, 0x0060), VR::CS, kind_table[kind].modality);
    dicom_object_text(ds, Tag(0x0008, 0x103e), VR::LO, kind_table[kind].description);
    put_equipment(ds);
    if (study->anonymous) {
        dicom_object_text(ds, Tag(0x0012, 0x0062), VR::CS, "YES");
        dicom_object_text(ds, Tag(0x0012, 0x0063), VR::LO, "No element of the source image is kept");
    }
    dicom_object_text(ds, Tag(0x0020, 0x000e), VR::UI, study->series[kind]);
    dicom_object_text(ds, Tag(0x0020, 0x0011), VR::IS, kind_table[kind].number);
    dicom_object_text(ds, Tag(0x0020, 0x0013), VR::IS, std::to_string(instance));
}

int dicom_object_write(const DataSet &ds, const char *path) {
    char part[FILE_PATH_MAX];
    int rc = file_part_create(path, part);
    if (rc != OK)
        return rc;
    gdcm::Writer writer;
    writer.SetFileName(part);
    writer.GetFile().SetDataSet(ds);
    gdcm::FileMetaInformation &meta = writer.GetFile().GetHeader();
    meta.SetDataSetTransferSyntax(gdcm::TransferSyntax::ExplicitVRLittleEndian);
    writer.SetCheckFileMetaInformation(true);
    if (!writer.Write()) {
        file_discard(part);
        return fail(ERR_OUTPUT, "cannot write '%s': the disk is full, or GDCM refused the object", path);
    }
    return file_commit(part, path);
}
