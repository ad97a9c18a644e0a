/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of body_part.h: finds BodyPartExamined in the first file of a series that has it, in a separate
 * process. */
#include "common/base/status.h"
#include "common/dicom/body_part.h"
#include "common/dicom/dicom_files.h"
#include "common/dicom/dicom_tags.h"
#include "common/image/isolate.h"
#include "common/record/dicom_head.h"
#include "common/dicom/itk_dicom.h"
#include <string>
#include <sys/mman.h>

/* Memory shared with the reading process. */
struct body_question {
    const char *path, *series;
    const char *word; /* out: a word of the list in body_part.c; its address is the same in both processes */
};

static int find_body_part(body_question *q) {
    static const gdcm::Tag series(0x0020, 0x000e), part(0x0018, 0x0015);
    dicom_files d;
    const int rc = dicom_files_list(q->path, &d);
    for (size_t i = 0; rc == OK && i < d.path.size() && q->word == nullptr; i++) {
        gdcm::Reader reader;
        reader.SetFileName(d.path[i].c_str());
        if (!dicom_head_recognize(d.path[i].c_str()) || !reader.ReadUpToTag(series))
            continue;
        const gdcm::DataSet &ds = reader.GetFile().GetDataSet();
        if (q->series == nullptr || dicom_tags_text(ds, series) == q->series)
            q->word = body_part_word(dicom_tags_text(ds, part).c_str());
    }
    return rc;
}

static int read_isolated(void *argument, char note[ISOLATE_NOTE], volume *out) {
    body_question *q = (body_question *)argument;
    static const int dims[3] = {1, 1, 1};
    static const double unit[3] = {1, 1, 1}, origin[3] = {0, 0, 0};
    const int rc = dicom_files_guard(q->path, note, [&] { return find_body_part(q); });
    /* isolate_read needs a valid volume, so give it one voxel */
    return rc == OK ? volume_set_geometry(out, dims, unit, origin, nullptr) : rc;
}

const char *body_part_of_image(const char *path, const char *series) {
    volume none{};
    void *place = mmap(nullptr, sizeof(body_question), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return nullptr;
    body_question *q = (body_question *)place;
    *q = {path, series, nullptr};
    if (isolate_read(path, read_isolated, q, &none) != OK)
        status_clear(); /* the reader of the image reports the error */
    const char *word = q->word;
    munmap(place, sizeof(body_question));
    return word;
}
