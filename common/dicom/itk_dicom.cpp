/* SPDX-License-Identifier: Apache-2.0 */
/* Lists files, groups headers into series, chooses a series, reads its pixels plane by plane. */
#include "common/dicom/itk_dicom.h"
#include "common/dicom/dicom_damaged.h"
#include "common/dicom/dicom_header.h"
#include "common/dicom/dicom_files.h"
#include "common/dicom/dicom_segmentation.h"
#include "common/dicom/dicom_series.h"
#include "common/dicom/dicom_stack.h"
#include "common/dicom/dicom_unpack.h"
#include "common/image/isolate.h"
#include "common/record/dicom_head.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <vector>

/* Memory limit of the reading process: MEMORY_BASE bytes plus MEMORY_FACTOR bytes per byte of the largest file */
static const double MEMORY_BASE = 5e8, MEMORY_FACTOR = 60;

struct request {
    const char *path, *series;
    bool pixels;
    dicom_skipped_files *out;
    /* out [DICOM_STACK_WARNING]: warning about missing slices or overlapping segments; "": none */
    char *warning;
    dicom_series_list *list;      /* out: list of the series; NULL: an image is wanted instead */
    dicom_segment_list *segments; /* out: segments of a segmentation; NULL: an image is wanted instead */
};

struct series_group {
    std::string uid;                /* UID of the series; the first UID when several series were joined */
    std::vector<std::string> uids;  /* UIDs of all joined series */
    std::vector<dicom_plane> plane; /* plane.file_index is an index of `files` */
};

struct dicom_folder {
    dicom_files files;
    std::map<std::string, std::vector<dicom_plane>> by_uid;
    std::vector<series_group> groups;
    std::vector<dicom_damaged_file> damaged;
    std::vector<std::vector<dicom_plane>> segmentations; /* frames of each segmentation object */
    std::vector<std::string> structure_sets;             /* names of the files with structure sets */
};

/* Read the headers of all DICOM images of the folder; other files are skipped. Damaged files are recorded. */
static int read_headers(dicom_folder *d, char *note, dicom_skipped_files *skipped) {
    isolate_limit_memory(MEMORY_BASE + MEMORY_FACTOR * dicom_files_largest(d->files));
    const auto read = [&](size_t i) {
        std::vector<dicom_plane> plane;
        std::string uid;
        enum dicom_object object = DICOM_OBJECT_IMAGE;
        const int rc = dicom_header_read(d->files.path[i], d->files.name[i].c_str(), (int)i, &object, &uid, &plane);
        if (rc == OK && object == DICOM_OBJECT_STRUCTURE_SET) {
            d->structure_sets.push_back(d->files.name[i]);
        } else if (rc == OK && object == DICOM_OBJECT_SEGMENTATION && !plane.empty()) {
            d->segmentations.push_back(plane);
        } else if (rc == OK && !plane.empty()) {
            auto &all = d->by_uid[uid];
            all.insert(all.end(), plane.begin(), plane.end());
        }
        return rc;
    };
    return dicom_damaged_headers(d->files, note, skipped, read, &d->damaged);
}

/* Refuse a folder or file without images and segmentations. */
static int check_any(const dicom_folder &d, bool labels) {
    const bool none = d.by_uid.empty() && d.segmentations.empty();
    if (none && !d.damaged.empty())
        return fail(ERR_INPUT, "%s", d.damaged[0].why.c_str());
    if (!d.structure_sets.empty() && (none || (labels && d.segmentations.empty())))
        return fail(ERR_INPUT,
                    "'%s' is a DICOM structure set (RTSTRUCT): it holds contours, not voxels; export its structures as "
                    "labelmap, NIfTI or NRRD (3D Slicer with SlicerRT), and give that file",
                    d.structure_sets[0].c_str());
    return none ? fail(ERR_INPUT, "'%s' holds no DICOM image; give the folder of a DICOM series", d.files.root.c_str())
                : OK;
}

/* Refuse several segmentations. */
static int check_one_segmentation(const dicom_folder &d) {
    std::string names;
    for (size_t i = 0; i < d.segmentations.size() && i < 3; i++)
        names += std::string(i > 0 ? ", '" : "'") + d.segmentations[i][0].file + "'";
    if (d.segmentations.size() == 1)
        return OK;
    return fail(ERR_INPUT, "'%s' holds %zu segmentations (SEG): %s%s; give one of these files as path",
                d.files.root.c_str(), d.segmentations.size(), names.c_str(), d.segmentations.size() > 3 ? " .." : "");
}

/* Read the only segmentation, or its segments. */
static int read_segmentation(const request &r, const dicom_folder &d, char *note, volume *out) {
    int rc = OK;
    TRY(check_one_segmentation(d));
    {
        const auto &frame = d.segmentations[0];
        const std::string &path = d.files.path[(size_t)frame[0].file_index];
        snprintf(note, ISOLATE_NOTE, "%s", frame[0].file);
        TRY(r.segments != nullptr ? dicom_segmentation_list(path, frame[0].file, r.segments)
                                  : dicom_segmentation_read(path, frame, r.pixels, r.warning, out));
    }
cleanup:
    return rc;
}

/* Some anonymization tools give every slice its own series. Join single slices of equal geometry. */
static void make_groups(dicom_folder *d) {
    std::vector<series_group> single;
    for (auto &[uid, plane] : d->by_uid) {
        if (plane.size() > 1) {
            d->groups.push_back({uid, {uid}, plane});
            continue;
        }
        auto same = std::find_if(single.begin(), single.end(), [&p = plane[0]](const series_group &g) {
            return dicom_stack_same_geometry(&g.plane[0], &p);
        });
        if (same == single.end()) {
            single.push_back({uid, {uid}, plane});
        } else {
            same->uids.push_back(uid);
            same->plane.push_back(plane[0]);
        }
    }
    d->groups.insert(d->groups.end(), single.begin(), single.end());
}

/* Median slice distance along the normal; NaN: unknown. *one_place: all slices have one position. */
static double slice_distance_mm(const std::vector<dicom_plane> &plane, bool *one_place) {
    *one_place = false;
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
        return NAN;
    std::sort(step.begin(), step.end());
    *one_place = along.back() - along.front() < 1e-3;
    return step[step.size() / 2];
}

static int check_damaged(const dicom_folder &d, size_t chosen, dicom_skipped_files *skipped) {
    std::vector<dicom_members> all;
    for (const auto &g : d.groups) {
        all.push_back({g.uids, {}});
        for (const auto &p : g.plane)
            all.back().folders.insert(dicom_damaged_folder(d.files.path[(size_t)p.file_index]));
    }
    return dicom_damaged_check(d.damaged, all, all[chosen], skipped);
}

static dicom_series describe_series(const series_group &g) {
    dicom_series s{};
    char spacing[64] = "", apart[40] = "";
    const dicom_plane &p = g.plane[0];
    const bool secondary = p.image_kind != nullptr && p.image_kind[0] != 0;
    const double apart_mm = slice_distance_mm(g.plane, &s.one_place);
    s.slices = (int)g.plane.size();
    s.secondary = secondary;
    snprintf(s.uid, sizeof s.uid, "%s", g.uid.c_str());
    snprintf(s.about, sizeof s.about, "%s", p.about);
    if (p.placed)
        snprintf(spacing, sizeof spacing, ", %.3g x %.3g mm", p.spacing_mm[0], p.spacing_mm[1]);
    if (s.one_place)
        snprintf(apart, sizeof apart, ", all at one place");
    else if (!std::isnan(apart_mm))
        snprintf(apart, sizeof apart, ", %.3g mm apart", apart_mm);
    snprintf(s.line, sizeof s.line, "%s  %s%s%d slice%s of %d x %d%s%s%s%s%s%s%s", s.uid, p.modality,
             p.modality[0] != 0 ? ", " : "", s.slices, s.slices == 1 ? "" : "s", p.columns, p.rows, spacing, apart,
             p.about[0] != 0 ? ": " : "", p.about, secondary ? " (" : "", secondary ? p.image_kind : "",
             secondary ? ")" : "");
    return s;
}

static void list_series(const dicom_folder &d, dicom_series_list *list) {
    const size_t n = std::min<size_t>(d.groups.size(), DICOM_SERIES_MAX);
    list->n = (int)n;
    list->n_more = (int)(d.groups.size() - n);
    for (size_t i = 0; i < n; i++)
        list->series[i] = describe_series(d.groups[i]);
}

static std::string series_text(const dicom_folder &d) {
    std::string text;
    auto list = std::make_unique<dicom_series_list>();
    list_series(d, list.get());
    for (int i = 0; i < list->n; i++)
        text += std::string("\n  ") + list->series[i].line;
    if (list->n_more > 0)
        text += "\n  and " + std::to_string(list->n_more) + " more";
    if (!d.damaged.empty())
        text += "\n(" + std::to_string(d.damaged.size()) +
                " of its files cannot be read, the first: " + d.damaged[0].why + ")";
    return text;
}

static int choose_series(const dicom_folder &d, const char *series, size_t *chosen) {
    const char *root = d.files.root.c_str();
    for (*chosen = 0; series != nullptr && *chosen < d.groups.size(); ++*chosen) {
        const auto &uids = d.groups[*chosen].uids;
        if (std::find(uids.begin(), uids.end(), series) != uids.end())
            return OK;
    }
    for (const auto &f : d.damaged)
        if (series != nullptr && f.uid == series)
            return fail(ERR_INPUT, "%s", f.why.c_str());
    if (series != nullptr)
        return fail(ERR_INPUT, "'%s' holds no series '%s'; it holds:%s", root, series, series_text(d).c_str());
    if (d.groups.size() > 1)
        return fail(ERR_INPUT, "'%s' holds %zu series; name one as image: {series: UID}:%s", root, d.groups.size(),
                    series_text(d).c_str());
    *chosen = 0;
    return OK;
}

static int read_series(const request &r, char *note, volume *out) {
    int rc = OK;
    dicom_folder d;
    size_t chosen = 0; /* index of the chosen series in d.groups */
    const bool labels = r.series != nullptr && strcmp(r.series, DICOM_HEAD_LABELS) == 0;
    std::vector<dicom_plane> plane;
    volume geometry{};
    TRY(dicom_files_list(r.path, &d.files));
    TRY(read_headers(&d, note, r.out));
    TRY(check_any(d, labels));
    if (r.list == nullptr && !d.segmentations.empty() && (labels || d.by_uid.empty())) {
        rc = read_segmentation(r, d, note, out);
        goto cleanup;
    }
    if (r.segments != nullptr)
        goto cleanup;
    make_groups(&d);
    if (r.list != nullptr) {
        list_series(d, r.list);
        goto cleanup;
    }
    TRY(choose_series(d, labels ? nullptr : r.series, &chosen));
    TRY(check_damaged(d, chosen, r.out));
    plane = d.groups[chosen].plane;
    rc = dicom_stack_arrange(plane.data(), (int)plane.size(), &geometry);
    if (rc == ERR_INPUT && r.out->n_unknown > 0) { /* the damaged file of unknown series may be the missing slice of
                                                    * this series */
        const std::string why = status_message();
        status_clear();
        GIVE_UP(fail(rc, "%s; this unreadable file may belong to the series: %s", why.c_str(), r.out->first));
    }
    if (rc != OK)
        goto cleanup;
    if (!dicom_stack_check_missing(plane.data(), (int)plane.size(), r.warning))
        r.warning[0] = 0;
    if (r.pixels) {
        isolate_limit_memory(MEMORY_BASE + 16.0 * geometry.dims[0] * geometry.dims[1] * geometry.dims[2]);
        TRY(volume_create_like(out, &geometry));
        TRY(dicom_unpack(d.files, plane, note, out->value));
    } else {
        *out = geometry;
    }
cleanup:
    return rc;
}

/* ------------------------------------------------------------------------------- separate process */

static int read_isolated(void *argument, char note[ISOLATE_NOTE], volume *out) {
    const request *r = (const request *)argument;
    return dicom_files_guard(r->path, note, [&] { return read_series(*r, note, out); });
}

/* Memory shared with the reading process. */
struct shared_notes {
    dicom_skipped_files skipped;
    char warning[DICOM_STACK_WARNING];
};

int dicom_read(const char *path, const char *series, bool pixels, volume *out) {
    void *place = mmap(nullptr, sizeof(shared_notes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return fail_memory("reading an image", sizeof(shared_notes));
    shared_notes *notes = (shared_notes *)place;
    request r{path, series, pixels, &notes->skipped, notes->warning, nullptr, nullptr};
    const int rc = dicom_damaged_isolate(path, read_isolated, &r, r.out, out);
    if (rc == OK && notes->warning[0] != 0)
        message_warn("%s", notes->warning);
    munmap(place, sizeof(shared_notes));
    return rc;
}

int dicom_list_series(const char *path, dicom_series_list *list) {
    struct shared {
        dicom_skipped_files skipped;
        dicom_series_list list;
    };
    void *place = mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return fail_memory("reading an image", sizeof(shared));
    shared *s = (shared *)place;
    request r{path, nullptr, false, &s->skipped, nullptr, &s->list, nullptr};
    volume none{};
    const int rc = dicom_damaged_isolate(path, read_isolated, &r, r.out, &none);
    if (rc == OK)
        *list = s->list;
    munmap(place, sizeof(shared));
    return rc;
}

void dicom_read_segments(const char *path, dicom_segment_list *list) {
    struct shared {
        dicom_skipped_files skipped;
        dicom_segment_list list;
    };
    list->n = 0;
    void *place = mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return;
    shared *s = (shared *)place;
    request r{path, DICOM_HEAD_LABELS, false, &s->skipped, nullptr, nullptr, &s->list};
    volume none{};
    if (isolate_read(path, read_isolated, &r, &none) == OK)
        *list = s->list;
    status_clear();
    munmap(place, sizeof(shared));
}
