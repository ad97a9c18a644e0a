/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the DICOM objects that dicom_export.h describes. C++ (GDCM). */
#ifndef PORTAFLOW_DICOM_OBJECT_H
#define PORTAFLOW_DICOM_OBJECT_H
#include "common/base/must_check.h"
#include "common/dicom_write/dicom_export.h"
#include <gdcmDataSet.h>
#include <string>
#include <vector>

/* One image of the source series. */
struct dicom_source {
    std::string sop_class, instance;
    double position_mm[3]; /* ImagePositionPatient; NaN: unknown, as in a file of several frames */
};

enum dicom_kind { DICOM_KIND_CAPTURE, DICOM_KIND_PDF, DICOM_KIND_SEGMENTATION, DICOM_KIND_COUNT };

struct dicom_study {
    gdcm::DataSet head; /* patient and study, as in the image */
    bool anonymous, has_patient;
    std::string frame_of_reference, source_series;
    std::vector<dicom_source> source;
    std::string series[DICOM_KIND_COUNT]; /* new SeriesInstanceUID of each kind */
    std::string date, time;               /* date and time of this export */
};

typedef std::vector<gdcm::DataSet> dicom_items;

std::string dicom_object_uid();                               /* new UID, "2.25." and a random UUID (PS3.5 B.2) */
std::string dicom_object_decimal(int n, const double *value); /* numbers of type DS, joined by backslashes */
void dicom_object_text(gdcm::DataSet &ds, const gdcm::Tag &tag, gdcm::VR::VRType type, const std::string &value);
void dicom_object_u16(gdcm::DataSet &ds, const gdcm::Tag &tag, unsigned value);
void dicom_object_bytes(gdcm::DataSet &ds, const gdcm::Tag &tag, gdcm::VR::VRType type, const void *data, size_t size);
void dicom_object_sequence(gdcm::DataSet &ds, const gdcm::Tag &tag, const dicom_items &items);
/* An item with a code: CodeValue, CodingSchemeDesignator, CodeMeaning. */
gdcm::DataSet dicom_object_code(const char *value, const char *scheme, const char *meaning);
/* Elements of every object: SOP, patient, study, series and equipment. */
void dicom_object_start(const dicom_study *study, enum dicom_kind kind, int instance, gdcm::DataSet &ds);
MUST_CHECK int dicom_object_write(const gdcm::DataSet &ds, const char *path);
#endif
