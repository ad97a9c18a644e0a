// See itk_dicom.h: find the files, sort their headers into series, choose one, read its pixels plane by plane.
#include "common/image/itk_dicom.h"
#include "common/image/dicom_header.h"
#include "common/image/dicom_files.h"
#include "common/image/dicom_stack.h"
#include "common/image/dicom_unpack.h"
#include "common/image/isolate.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace fs = std::filesystem;

enum { MAX_LISTED = 20, CRASHES = 256 };
static const double MEMORY_BASE = 5e8, MEMORY_FACTOR = 60; /* bytes; bytes per byte of the largest file */

/* Shared with the reading process. */
struct left_out {
    int busy;                    /* out: the file whose header it reads, -1: it is past them */
    int n_crash, crash[CRASHES]; /* in: files whose headers ended it before */
    int n, n_unknown;            /* out: files that cannot be read: not of the series taken; of those, perhaps of it */
    char first[ISOLATE_NOTE];
    char lost[DICOM_STACK_LOST]; /* out: "" or a question about the series taken */
};

struct request {
    const char *path, *series;
    bool pixels;
    left_out *out;
};

/* A file that is DICOM by its mark or its name, but cannot be read. */
struct damaged_file {
    std::string uid; /* its series, "" where that cannot be read either */
    std::string folder, why;
};

struct series_group {
    std::string uid;                /* the first in order when several were joined */
    std::vector<std::string> uids;  /* all of them */
    std::vector<dicom_plane> plane; /* file_index into `files` */
};

struct dicom_folder {
    dicom_files files;
    std::map<std::string, std::vector<dicom_plane>> by_uid;
    std::vector<series_group> groups;
    std::vector<damaged_file> damaged;
};

static std::string folder_of(const std::string &path) {
    return fs::path(path).parent_path().string();
}

/* The planes of one file and the series it belongs to, the latter also where the rest cannot be read. */
static int read_header(const dicom_folder &d, size_t i, bool crashes, char *note, std::string *uid,
                       std::vector<dicom_plane> *plane) {
    const std::string &file = d.files.path[i];
    const char *name = d.files.name[i].c_str();
    snprintf(note, ISOLATE_NOTE, "%s", name);
    int rc = OK;
    if (crashes)
        rc = fail(ERR_INPUT, "'%s' is damaged or cut short: its reader stopped; replace or remove it", name);
    else if (!dicom_recognize(file.c_str()))
        rc = fail(ERR_INPUT, "'%s' is damaged or not DICOM (no DICM mark); replace or remove it", name);
    else
        rc = dicom_files_guard(d.files.root.c_str(), note,
                               [&] { return dicom_header_read(file, name, (int)i, uid, plane); });
    if (rc == ERR_INPUT)
        *uid = dicom_files_series(file);
    return rc;
}

/* Planes of every DICOM image in the folder; other files are passed over. Damaged ones are noted: a series that they
 * are not of can be read without them. */
static int read_headers(dicom_folder *d, char *note, left_out *left) {
    double largest = 0;
    for (const auto &file : d->files.path)
        largest = std::max(largest, (double)fs::file_size(file));
    isolate_limit_memory(MEMORY_BASE + MEMORY_FACTOR * largest);
    for (size_t i = 0; i < d->files.path.size(); i++) {
        if (!dicom_recognize(d->files.path[i].c_str()) && !dicom_files_named(d->files.name[i]))
            continue;
        std::vector<dicom_plane> plane;
        std::string uid;
        left->busy = (int)i;
        const bool crashes = std::find(left->crash, left->crash + left->n_crash, (int)i) != left->crash + left->n_crash;
        const int rc = read_header(*d, i, crashes, note, &uid, &plane);
        if (rc == ERR_INPUT) {
            d->damaged.push_back({uid, folder_of(d->files.path[i]), status_message()});
            status_clear();
            continue;
        }
        if (rc != OK)
            return rc;
        auto &all = d->by_uid[uid];
        all.insert(all.end(), plane.begin(), plane.end());
        if (plane.empty() && all.empty())
            d->by_uid.erase(uid);
    }
    left->busy = -1;
    if (d->by_uid.empty() && !d->damaged.empty())
        return fail(ERR_INPUT, "%s", d->damaged[0].why.c_str());
    if (d->by_uid.empty())
        return fail(ERR_INPUT, "'%s' holds no DICOM image", d->files.root.c_str());
    return OK;
}

/* Some anonymisers give every slice a series of its own: single slices that are alike belong together. */
static void make_groups(dicom_folder *d) {
    std::vector<series_group> single;
    for (auto &[uid, plane] : d->by_uid) {
        if (plane.size() > 1) {
            d->groups.push_back({uid, {uid}, plane});
            continue;
        }
        auto same = std::find_if(single.begin(), single.end(),
                                 [&p = plane[0]](const series_group &g) { return dicom_stack_alike(&g.plane[0], &p); });
        if (same == single.end()) {
            single.push_back({uid, {uid}, plane});
        } else {
            same->uids.push_back(uid);
            same->plane.push_back(plane[0]);
        }
    }
    d->groups.insert(d->groups.end(), single.begin(), single.end());
}

/* ", 3 mm apart": the usual distance of the slices, "" where it is not known. */
static std::string slice_distance(const std::vector<dicom_plane> &plane) {
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
        return "";
    std::sort(step.begin(), step.end());
    char text[40];
    snprintf(text, sizeof text, ", %.3g mm apart", step[step.size() / 2]);
    return text;
}

/* Where a damaged file belongs. Without a series of its own that is known: to the only one of its folder. */
enum belonging { OF_SERIES, OF_ANOTHER, UNKNOWN };

static enum belonging belongs(const dicom_folder &d, const damaged_file &f, const series_group &g) {
    const auto holds = [&](const series_group &one) {
        return std::find(one.uids.begin(), one.uids.end(), f.uid) != one.uids.end();
    };
    const auto beside = [&](const series_group &one) {
        return std::any_of(one.plane.begin(), one.plane.end(), [&](const dicom_plane &p) {
            return folder_of(d.files.path[(size_t)p.file_index]) == f.folder;
        });
    };
    if (holds(g))
        return OF_SERIES;
    if (!f.uid.empty() && (g.uids.size() == 1 || std::any_of(d.groups.begin(), d.groups.end(), holds)))
        return OF_ANOTHER; /* joined of single slices: this may be one more of them */
    if (!beside(g))
        return std::any_of(d.groups.begin(), d.groups.end(), beside) ? OF_ANOTHER : UNKNOWN;
    return std::count_if(d.groups.begin(), d.groups.end(), beside) == 1 ? OF_SERIES : UNKNOWN;
}

/* A series that lacks a damaged file is refused by that one's sentence. Those that may be of another are noted. */
static int check_damaged(const dicom_folder &d, const series_group &chosen, left_out *out) {
    int own = 0;
    const damaged_file *first = nullptr;
    for (const auto &f : d.damaged) {
        const enum belonging b = belongs(d, f, chosen);
        if (b == OF_SERIES) {
            first = own++ == 0 ? &f : first;
            continue;
        }
        if (out->n++ == 0 || (b == UNKNOWN && out->n_unknown == 0))
            snprintf(out->first, sizeof out->first, "%s", f.why.c_str());
        out->n_unknown += b == UNKNOWN;
    }
    if (own == 0)
        return OK;
    return own > 1 ? fail(ERR_INPUT, "%s (and %d more files of this series)", first->why.c_str(), own - 1)
                   : fail(ERR_INPUT, "%s", first->why.c_str());
}

static std::string listed(const dicom_folder &d) {
    std::string text;
    size_t n = std::min<size_t>(d.groups.size(), MAX_LISTED);
    for (size_t i = 0; i < n; i++) {
        const auto &g = d.groups[i];
        char spacing[64] = "";
        const dicom_plane &p = g.plane[0];
        if (p.placed)
            snprintf(spacing, sizeof spacing, ", %.3g x %.3g mm", p.spacing_mm[0], p.spacing_mm[1]);
        text += "\n  " + g.uid + "  " + std::to_string(g.plane.size()) + (g.plane.size() == 1 ? " slice" : " slices") +
                " of " + std::to_string(p.columns) + " x " + std::to_string(p.rows) + spacing +
                slice_distance(g.plane) + (p.about[0] != 0 ? std::string(": ") + p.about : "") +
                (p.made != nullptr && p.made[0] != 0 ? std::string(" (") + p.made + ")" : "");
    }
    if (d.groups.size() > n)
        text += "\n  and " + std::to_string(d.groups.size() - n) + " more";
    if (!d.damaged.empty())
        text += "\n(" + std::to_string(d.damaged.size()) +
                " of its files cannot be read, the first: " + d.damaged[0].why + ")";
    return text;
}

static int choose(const dicom_folder &d, const char *series, size_t *chosen) {
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
        return fail(ERR_INPUT, "'%s' holds no series '%s'; it holds:%s", root, series, listed(d).c_str());
    if (d.groups.size() > 1)
        return fail(ERR_INPUT, "'%s' holds %zu series; name one as image: {series: UID}:%s", root, d.groups.size(),
                    listed(d).c_str());
    *chosen = 0;
    return OK;
}

static int read_series(const request &r, char *note, volume *out) {
    int rc = OK;
    dicom_folder d;
    size_t chosen = 0; /* group */
    std::vector<dicom_plane> plane;
    volume geometry{};
    TRY(dicom_files_list(r.path, &d.files));
    TRY(read_headers(&d, note, r.out));
    make_groups(&d);
    TRY(choose(d, r.series, &chosen));
    TRY(check_damaged(d, d.groups[chosen], r.out));
    plane = d.groups[chosen].plane;
    rc = dicom_stack_arrange(plane.data(), (int)plane.size(), &geometry);
    if (rc == ERR_INPUT && r.out->n_unknown > 0) { /* the file that is missed, perhaps */
        const std::string why = status_message();
        status_clear();
        GIVE_UP(fail(rc, "%s; beside it %s", why.c_str(), r.out->first));
    }
    if (rc != OK)
        goto cleanup;
    if (!dicom_stack_lost(plane.data(), (int)plane.size(), r.out->lost))
        r.out->lost[0] = 0;
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

/* ------------------------------------------------------------------------------- in a process of its own */

static int work(void *argument, char note[ISOLATE_NOTE], volume *out) {
    const request *r = (const request *)argument;
    return dicom_files_guard(r->path, note, [&] { return read_series(*r, note, out); });
}

int dicom_read(const char *path, const char *series, bool pixels, volume *out) {
    void *place = mmap(nullptr, sizeof(left_out), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return fail_memory("reading an image", sizeof(left_out));
    left_out *left = (left_out *)place;
    request r{path, series, pixels, left};
    int rc = OK;
    for (left->n_crash = 0;; left->n_crash++) { /* again without the file that ended the process */
        left->busy = -1;
        left->n = left->n_unknown = 0;
        rc = isolate_read(path, work, &r, out);
        if (rc != ERR_INPUT || left->busy < 0 || left->n_crash == CRASHES)
            break;
        left->crash[left->n_crash] = left->busy;
        status_clear();
    }
    if (rc == OK && left->n > 0) {
        message_info("%s", left->first); /* names of files may hold one of a patient's: not into what is recorded */
        message_warn("%d file%s of the DICOM folder cannot be read and %s left out%s", left->n, left->n > 1 ? "s" : "",
                     left->n > 1 ? "are" : "is",
                     left->n_unknown > 0 ? ": if one is of the series taken, a slice at its end is missing; replace or "
                                           "remove it"
                                         : "; none of the series taken");
    }
    if (rc == OK && left->lost[0] != 0)
        message_warn("%s", left->lost);
    munmap(place, sizeof(left_out));
    return rc;
}
