/* SPDX-License-Identifier: Apache-2.0 */
#include "common/dicom/dicom_tags.h"
#include <cstdlib>
#include <cstring>

using gdcm::DataSet;
using gdcm::Tag;

std::string dicom_tags_text(const DataSet &ds, const Tag &tag) {
    if (!ds.FindDataElement(tag))
        return "";
    const gdcm::ByteValue *bytes = ds.GetDataElement(tag).GetByteValue();
    if (bytes == nullptr || bytes->GetPointer() == nullptr)
        return "";
    std::string text(bytes->GetPointer(), bytes->GetLength());
    size_t end = text.find_last_not_of(std::string(" \0", 2));
    return end == std::string::npos ? "" : text.substr(0, end + 1);
}

bool dicom_tags_numbers(const DataSet &ds, const Tag &tag, int n, double *out) {
    std::string text = dicom_tags_text(ds, tag);
    const char *p = text.c_str();
    /* PS3.5 6.2 permits neither hexadecimal numbers nor decimal commas */
    if (text.find_first_not_of("0123456789+-.eE \\") != std::string::npos)
        return false;
    for (int i = 0; i < n; i++) {
        char *end;
        out[i] = strtod(p, &end);
        if (end == p)
            return false;
        while (*end == ' ')
            end++;
        if (*end != (i + 1 < n ? '\\' : 0))
            return false;
        p = end + 1;
    }
    return true;
}

int dicom_tags_u16(const DataSet &ds, const Tag &tag) {
    if (!ds.FindDataElement(tag))
        return 0;
    const gdcm::ByteValue *bytes = ds.GetDataElement(tag).GetByteValue();
    if (bytes == nullptr || bytes->GetLength() < 2)
        return 0;
    const unsigned char *b = (const unsigned char *)bytes->GetPointer();
    return b[0] | b[1] << 8; /* GDCM converts headers to little endian */
}

gdcm::SmartPointer<gdcm::SequenceOfItems> dicom_tags_sequence(const DataSet &ds, const Tag &tag) {
    if (!ds.FindDataElement(tag))
        return nullptr;
    return ds.GetDataElement(tag).GetValueAsSQ();
}

const DataSet *dicom_tags_item_of(const gdcm::SmartPointer<gdcm::SequenceOfItems> &items, size_t k) {
    return items && items->GetNumberOfItems() >= k ? &items->GetItem(k).GetNestedDataSet() : nullptr;
}

const DataSet *dicom_tags_item(const DataSet &ds, const Tag &tag, size_t k,
                               gdcm::SmartPointer<gdcm::SequenceOfItems> *hold) {
    *hold = dicom_tags_sequence(ds, tag);
    return dicom_tags_item_of(*hold, k);
}

double dicom_tags_value(const DataSet &ds, const Tag &tag, gdcm::VR::VRType type, int k) {
    if (!ds.FindDataElement(tag))
        return NAN;
    const gdcm::DataElement &element = ds.GetDataElement(tag);
    const gdcm::ByteValue *bytes = element.GetByteValue();
    if (bytes == nullptr || bytes->GetPointer() == nullptr)
        return NAN;
    const char *at = bytes->GetPointer();
    const size_t n = bytes->GetLength(), i = (size_t)k;
    const gdcm::VR said = element.GetVR(),
                   vr = said == gdcm::VR::INVALID || said == gdcm::VR::UN ? gdcm::VR(type) : said;
    if (vr & (gdcm::VR::DS | gdcm::VR::IS | gdcm::VR::LO | gdcm::VR::SH | gdcm::VR::CS)) {
        std::string text = dicom_tags_text(ds, tag);
        const char *p = text.c_str();
        for (int skip = 0; skip < k && p != nullptr; skip++)
            p = strchr(p, '\\') != nullptr ? strchr(p, '\\') + 1 : nullptr;
        char *end = nullptr;
        const double x = p != nullptr ? strtod(p, &end) : NAN;
        return p != nullptr && end != p ? x : NAN;
    }
    const auto take = [&](auto x) {
        if ((i + 1) * sizeof x > n)
            return (double)NAN;
        memcpy(&x, at + i * sizeof x, sizeof x);
        return (double)x;
    };
    if (vr == gdcm::VR::FD)
        return take(double{});
    if (vr == gdcm::VR::FL)
        return take(float{});
    if (vr == gdcm::VR::US)
        return take(uint16_t{});
    if (vr == gdcm::VR::SL)
        return take(int32_t{});
    return vr == gdcm::VR::SS ? take(int16_t{}) : (double)NAN;
}
