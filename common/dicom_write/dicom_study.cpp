/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of dicom_export.h: patient and study of the image. */
#include "common/base/guard.h"
#include "common/base/file.h"
#include "common/dicom/dicom_files.h"
#include "common/dicom/dicom_tags.h"
#include "common/dicom_write/dicom_object.h"
#include "common/record/dicom_head.h"
#include <cmath>
#include <ctime>

using gdcm::DataSet;
using gdcm::Tag;
using gdcm::VR;

/* Elements that file an object in its study (PS3.3 C.7.1, C.7.2). All elements but the last must exist; their values
 * may be empty. */
static const struct {
    uint16_t group, element;
    VR::VRType type;
} study_element[] = {{0x0010, 0x0010, VR::PN}, {0x0010, 0x0020, VR::LO}, {0x0010, 0x0030, VR::DA},
                     {0x0010, 0x0040, VR::CS}, {0x0008, 0x0020, VR::DA}, {0x0008, 0x0030, VR::TM},
                     {0x0008, 0x0050, VR::SH}, {0x0008, 0x0090, VR::PN}, {0x0020, 0x0010, VR::SH}};
enum { STUDY_UID = 0x000d, FRAME_UID = 0x0052 };

static std::string clock_text(const char *format) {
    char text[32];
    const time_t now = time(nullptr);
    struct tm local;
    localtime_r(&now, &local);
    strftime(text, sizeof text, format, &local);
    return text;
}

static void start_study(bool anonymous, dicom_study *s) {
    s->anonymous = anonymous;
    s->has_patient = false;
    for (auto &e : study_element)
        dicom_object_text(s->head, Tag(e.group, e.element), e.type, "");
    dicom_object_text(s->head, Tag(0x0020, STUDY_UID), VR::UI, dicom_object_uid());
    s->frame_of_reference = dicom_object_uid();
    for (auto &uid : s->series)
        uid = dicom_object_uid();
    s->date = clock_text("%Y%m%d");
    s->time = clock_text("%H%M%S");
}

static void copy_head(const DataSet &from, dicom_study *s) {
    for (auto &e : study_element)
        dicom_object_text(s->head, Tag(e.group, e.element), e.type, dicom_tags_text(from, Tag(e.group, e.element)));
    const std::string letters = dicom_tags_text(from, Tag(0x0008, 0x0005)), /* SpecificCharacterSet */
        study = dicom_tags_text(from, Tag(0x0020, STUDY_UID)), frame = dicom_tags_text(from, Tag(0x0020, FRAME_UID));
    if (!letters.empty())
        dicom_object_text(s->head, Tag(0x0008, 0x0005), VR::CS, letters);
    if (!study.empty())
        dicom_object_text(s->head, Tag(0x0020, STUDY_UID), VR::UI, study);
    if (!frame.empty())
        s->frame_of_reference = frame;
    s->has_patient = true;
}

static int add_file(const std::string &path, dicom_study *s) {
    gdcm::Reader reader;
    reader.SetFileName(path.c_str());
    if (!reader.ReadUpToTag(Tag(0x7fe0, 0x0010)))
        return fail(ERR_INPUT, "a DICOM file of the image is damaged: its header cannot be read; run 'pipeline check'");
    const DataSet &ds = reader.GetFile().GetDataSet();
    dicom_source one;
    one.sop_class = dicom_tags_text(ds, Tag(0x0008, 0x0016));
    one.instance = dicom_tags_text(ds, Tag(0x0008, 0x0018));
    if (!dicom_tags_numbers(ds, Tag(0x0020, 0x0032), 3, one.position_mm))
        one.position_mm[0] = one.position_mm[1] = one.position_mm[2] = NAN;
    if (!s->has_patient)
        copy_head(ds, s);
    if (!one.sop_class.empty() && !one.instance.empty())
        s->source.push_back(one);
    return OK;
}

static int read_source(const char *path, const char *series, dicom_study *s) {
    dicom_files files;
    int rc = dicom_files_list(path, &files);
    for (size_t k = 0; rc == OK && k < files.path.size(); k++) {
        dicom_head head;
        if (!dicom_head_read(files.path[k].c_str(), &head) || !head.image || !head.series[0] ||
            dicom_head_is_segmentation(head.sop_class))
            continue;
        if (s->source_series.empty() && (!series || series == std::string(head.series)))
            s->source_series = head.series;
        if (s->source_series == head.series)
            rc = add_file(files.path[k], s);
    }
    return rc;
}

int dicom_study_open(const char *path, const char *series, bool anonymous, dicom_study **study) {
    *study = nullptr;
    return guard_call("reading the study of the image", 0, [&]() -> int {
        dicom_study *s = new dicom_study;
        start_study(anonymous, s);
        *study = s;
        if (!path || anonymous || (!file_is_folder(path) && !dicom_head_recognize(path)))
            return OK;
        dicom_files_hush();
        const int rc = read_source(path, series, s);
        if (rc != OK) {
            dicom_study_close(s);
            *study = nullptr;
        }
        return rc;
    });
}

void dicom_study_close(dicom_study *study) {
    delete study;
}

bool dicom_study_has_patient(const dicom_study *study) {
    return study->has_patient;
}
