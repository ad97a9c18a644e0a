/* SPDX-License-Identifier: Apache-2.0 */
#include "common/dicom/dicom_stack.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 600 };
static const double position_limit_mm = 1e5; /* Upper limit of a coordinate, mm, as for all images (affine.c) */
/* Two unit vectors count as equal if they differ by less than this (0.06 degrees) */
static const double same_direction = 1e-3;
/* Two slices are duplicates if their distance is below this fraction of the slice distance */
static const double same_place = 0.02;
/* There is a gap if the distance of two slices exceeds this multiple of the slice distance */
static const double missing_gap = 1.5;
/* Slices count as evenly spaced up to this deviation, as a fraction of the slice distance */
static const double uneven_limit = 0.1;
/* Largest angle between the direction of the stack and row x column */
static const double tilt_limit_deg = 0.5;
/* A slice distance is accepted from closer_limit to farther_limit times SpacingBetweenSlices */
static const double farther_limit = 1.5, closer_limit = 0.19;
static const double slope_ratio_limit = 100; /* Largest ratio of two values of RescaleSlope in a stack */
static const double drift_limit_pixel = 0.5; /* Largest sideways shift of the slices over the whole stack */

/* "'IM-1.dcm'" or "frame 3 of 'IM-1.dcm'" for messages. */
static const char *plane_name(const dicom_plane *p, char text[NAME]) {
    if (p->n_frame > 1)
        snprintf(text, NAME, "frame %d of '%s'", p->frame + 1, p->file);
    else
        snprintf(text, NAME, "'%s'", p->file);
    return text;
}

static bool vectors_equal(const double a[3], const double b[3], double tolerance) {
    return fabs(a[0] - b[0]) < tolerance && fabs(a[1] - b[1]) < tolerance && fabs(a[2] - b[2]) < tolerance;
}

bool dicom_stack_same_geometry(const dicom_plane *a, const dicom_plane *b) {
    return a->placed && b->placed && a->columns == b->columns && a->rows == b->rows &&
           vectors_equal(a->row, b->row, same_direction) && vectors_equal(a->column, b->column, same_direction) &&
           fabs(a->spacing_mm[0] - b->spacing_mm[0]) < 1e-3 * a->spacing_mm[0] &&
           fabs(a->spacing_mm[1] - b->spacing_mm[1]) < 1e-3 * a->spacing_mm[1];
}

/* True when slices are further apart than the header states (every second slice missing), or much closer (positions in
 * another unit). Moderately closer slices are accepted: some scanners interpolate slices and state the distance of the
 * acquired slices. */
static bool distance_doubtful(const dicom_plane *plane, int n, double *step_mm) {
    const double said = fabs(plane[0].between_mm);
    *step_mm = vec_distance(plane[0].position_mm, plane[n - 1].position_mm) / (n - 1);
    return said > 0 && (*step_mm > farther_limit * said || *step_mm < closer_limit * said);
}

bool dicom_stack_check_missing(const dicom_plane *plane, int n, char text[DICOM_STACK_WARNING]) {
    double step_mm;
    int first = plane[0].number, last = plane[0].number, announced = 0;
    for (int i = 0; i < n; i++) {
        if (plane[i].n_frame > 1)
            return false;
        first = plane[i].number < first ? plane[i].number : first;
        last = plane[i].number > last ? plane[i].number : last;
        announced = plane[i].announced > announced ? plane[i].announced : announced;
    }
    /* numbers normally start at 1; in a part of a multi-phase series they start above n, the number of slices */
    const bool numbered = first > 0 && last > first;
    if (numbered && (last - first >= n || (first > 1 && first <= n)))
        snprintf(text, DICOM_STACK_WARNING, "the DICOM series has %d slices, numbered %d to %d: were files lost?", n,
                 first, last);
    else if (announced > n)
        snprintf(text, DICOM_STACK_WARNING,
                 "the DICOM series has %d slices, its headers announce %d images: were files lost?", n, announced);
    else if (distance_doubtful(plane, n, &step_mm))
        snprintf(
            text, DICOM_STACK_WARNING,
            "the DICOM slices are %.3g mm apart, their headers state %.3g mm: were files lost? are positions in mm?",
            step_mm, fabs(plane[0].between_mm));
    else
        return false;
    return true;
}

static int check_plane(const dicom_plane *p) {
    char name[NAME];
    if (!p->placed)
        return fail(ERR_INPUT,
                    "%s has no position, orientation or pixel spacing, so its place in the stack is unknown; remove it "
                    "from the folder",
                    plane_name(p, name));
    for (int i = 0; i < 3; i++)
        if (!isfinite(p->position_mm[i]) || !isfinite(p->row[i]) || !isfinite(p->column[i]))
            return fail(ERR_INPUT,
                        "%s: its position or orientation is not a finite number; replace or remove this slice",
                        plane_name(p, name));
    for (int i = 0; i < 3; i++)
        if (fabs(p->position_mm[i]) > position_limit_mm)
            return fail(ERR_INPUT,
                        "%s: its position is damaged (%g mm, the limit is %g mm); replace or remove this slice",
                        plane_name(p, name), p->position_mm[i], position_limit_mm);
    if (!isfinite(p->slope) || !isfinite(p->intercept))
        return fail(
            ERR_INPUT,
            "%s: RescaleSlope or RescaleIntercept is not a number, or the slope is 0; replace or remove this slice",
            plane_name(p, name));
    if (fabs(vec_dot(p->row, p->row) - 1) > 0.01 || fabs(vec_dot(p->column, p->column) - 1) > 0.01 ||
        fabs(vec_dot(p->row, p->column)) > 0.01)
        return fail(ERR_INPUT,
                    "%s: its orientation is not two unit vectors at a right angle; replace or remove this slice",
                    plane_name(p, name));
    if (!(p->spacing_mm[0] > 0 && p->spacing_mm[1] > 0 && p->spacing_mm[0] < 1e3 && p->spacing_mm[1] < 1e3))
        return fail(ERR_INPUT, "%s: its pixel spacing %g x %g mm is outside 0 to 1000 mm; replace or remove this slice",
                    plane_name(p, name), p->spacing_mm[0], p->spacing_mm[1]);
    return OK;
}

static int check_mixed(const dicom_plane *plane, int n) {
    char a[NAME], b[NAME];
    for (int i = 1; i < n; i++) {
        const dicom_plane *p = &plane[0], *q = &plane[i];
        if (p->columns != q->columns || p->rows != q->rows)
            return fail(ERR_INPUT, "mixed slices: %s is %d x %d pixels, %s is %d x %d; give one series of one size",
                        plane_name(p, a), p->columns, p->rows, plane_name(q, b), q->columns, q->rows);
        if (!vectors_equal(p->row, q->row, same_direction) || !vectors_equal(p->column, q->column, same_direction))
            return fail(ERR_INPUT,
                        "mixed slices: %s and %s are oriented differently; give one series of one "
                        "orientation",
                        plane_name(p, a), plane_name(q, b));
        if (!(q->slope / p->slope < slope_ratio_limit && p->slope / q->slope < slope_ratio_limit &&
              p->slope / q->slope > 0))
            return fail(ERR_INPUT, "mixed slices: %s has RescaleSlope %g, %s has %g; give one series of one scan",
                        plane_name(p, a), p->slope, plane_name(q, b), q->slope);
        if (!dicom_stack_same_geometry(p, q))
            return fail(ERR_INPUT,
                        "mixed slices: %s has pixels of %g x %g mm, %s has %g x %g mm; give one series of one size",
                        plane_name(p, a), p->spacing_mm[0], p->spacing_mm[1], plane_name(q, b), q->spacing_mm[0],
                        q->spacing_mm[1]);
    }
    return OK;
}

static const char *study_uid(const dicom_plane *p) {
    return p->study;
}

static const char *patient_hash(const dicom_plane *p) {
    return p->patient;
}

static const char *reference_uid(const dicom_plane *p) {
    return p->frame_of_reference;
}

/* Refuse slices with two different UIDs. Accepts a stack where every slice has its own UID, since an anonymization tool
 * wrote these UIDs. */
static int check_same_uid(const dicom_plane *plane, int n, const char *(*uid)(const dicom_plane *), const char *what) {
    char a[NAME], b[NAME];
    const int look[3] = {0, n / 2, n - 1};
    int other = 0;
    bool shared = false;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            shared = shared || (i != look[k] && *uid(&plane[i]) && strcmp(uid(&plane[i]), uid(&plane[look[k]])) == 0);
    while (other < n && (!*uid(&plane[other]) || !*uid(&plane[0]) || strcmp(uid(&plane[other]), uid(&plane[0])) == 0))
        other++;
    if (!shared || other == n)
        return OK;
    return fail(ERR_INPUT, "mixed slices: %s and %s are of different %s", plane_name(&plane[0], a),
                plane_name(&plane[other], b), what);
}

typedef struct {
    double along;
    dicom_plane plane;
} placed_plane;

static int compare_placed(const void *a, const void *b) {
    const placed_plane *p = a, *q = b;
    int order = order_double(&p->along, &q->along);
    if (order == 0)
        order = strcmp(p->plane.file, q->plane.file);
    return order != 0 ? order : p->plane.frame - q->plane.frame;
}

/* Sort planes by their position along the normal; along[n] receives these positions. */
static int sort_planes(dicom_plane *plane, int n, const double normal[3], double *along) {
    placed_plane *sorted = malloc((size_t)n * sizeof *sorted);
    if (sorted == NULL)
        return fail_memory("the slices", (double)n * sizeof *sorted);
    for (int i = 0; i < n; i++)
        sorted[i] = (placed_plane){vec_dot(normal, plane[i].position_mm), plane[i]};
    qsort(sorted, (size_t)n, sizeof *sorted, compare_placed);
    for (int i = 0; i < n; i++) {
        plane[i] = sorted[i].plane;
        along[i] = sorted[i].along;
    }
    free(sorted);
    return OK;
}

/* Refuse duplicates, gaps and uneven distances. *step: mean distance. gap[n]: work space. */
static int check_steps(const dicom_plane *plane, int n, const double *along, double *gap, double *step) {
    char a[NAME], b[NAME];
    int n_real = 0;
    for (int i = 1; i < n; i++)
        if (along[i] - along[i - 1] > 1e-3)
            gap[n_real++] = along[i] - along[i - 1];
    qsort(gap, (size_t)n_real, sizeof *gap, order_double);
    double usual = n_real > 0 ? gap[(n_real - 1) / 2] : 0;
    for (int i = 1; i < n; i++)
        if (along[i] - along[i - 1] <= fmax(1e-3, same_place * usual))
            return fail(ERR_INPUT,
                        "duplicate slices: %s and %s have the same position (copies, echoes or time steps); give one "
                        "file per position",
                        plane_name(&plane[i - 1], a), plane_name(&plane[i], b));
    for (int i = 1; i < n; i++)
        if (along[i] - along[i - 1] > missing_gap * usual)
            return fail(ERR_INPUT,
                        "missing slices: %s and %s are %.3f mm apart, the others %.3f mm; add the missing files",
                        plane_name(&plane[i - 1], a), plane_name(&plane[i], b), along[i] - along[i - 1], usual);
    *step = (along[n - 1] - along[0]) / (n - 1);
    for (int i = 1; i < n; i++)
        if (fabs(along[i] - along[0] - i * *step) > uneven_limit * *step)
            return fail(ERR_INPUT,
                        "uneven slices: %s is %.3f mm away from its position in a stack of %d slices spaced %.3f mm; "
                        "export the series again",
                        plane_name(&plane[i], a), fabs(along[i] - along[0] - i * *step), n, *step);
    return OK;
}

/* Refuse a stack whose slice positions do not advance along the normal. */
static int check_tilt(const dicom_plane *plane, int n, const double normal[3], double step) {
    char name[NAME];
    double pixel = fmin(plane[0].spacing_mm[0], plane[0].spacing_mm[1]);
    for (int i = 1; i < n; i++) {
        double d[3], side = 0, along;
        for (int k = 0; k < 3; k++)
            d[k] = plane[i].position_mm[k] - plane[0].position_mm[k];
        along = vec_dot(d, normal);
        for (int k = 0; k < 3; k++)
            side += (d[k] - along * normal[k]) * (d[k] - along * normal[k]);
        side = sqrt(side);
        double tilt = atan2(side, i * step) * 180 / M_PI;
        if ((tilt > tilt_limit_deg && side > 0.02 * pixel) || side > drift_limit_pixel * pixel)
            return fail(ERR_INPUT,
                        "tilted stack: %s is shifted sideways by %.2f mm (%.1f degrees); resample the series "
                        "to right angles first",
                        plane_name(&plane[i], name), side, tilt);
    }
    return OK;
}

static int arrange_planes(dicom_plane *plane, int n, double *along, double *gap, volume *geometry) {
    int rc = OK;
    double normal[3], step = 0, a[3][4];
    TRY(check_mixed(plane, n));
    TRY(check_same_uid(plane, n, patient_hash,
                       "patients (by PatientID, else by name and birth date, not shown here) although they have one "
                       "series: keep the files of one patient in the folder"));
    TRY(check_same_uid(plane, n, study_uid, "studies (StudyInstanceUID): give one series of one study"));
    TRY(check_same_uid(plane, n, reference_uid,
                       "frames of reference (FrameOfReferenceUID), so their positions cannot be compared: give one "
                       "series of one scan"));
    vec_cross(plane[0].row, plane[0].column, normal);
    TRY(sort_planes(plane, n, normal, along));
    TRY(check_steps(plane, n, along, gap, &step));
    TRY(check_tilt(plane, n, normal, step));
    const dicom_plane *first = &plane[0];
    for (int i = 0; i < 3; i++) {
        a[i][0] = first->row[i];
        a[i][1] = first->column[i];
        a[i][2] = normal[i];
        a[i][3] = first->position_mm[i];
    }
    const int dims[3] = {first->columns, first->rows, n};
    const double spacing[3] = {first->spacing_mm[0], first->spacing_mm[1], step};
    const double direction[9] = {a[0][0], a[0][1], a[0][2], a[1][0], a[1][1], a[1][2], a[2][0], a[2][1], a[2][2]};
    TRY(volume_set_geometry(geometry, dims, spacing, first->position_mm, direction));
cleanup:
    return rc;
}

int dicom_stack_arrange(dicom_plane *plane, int n, volume *geometry) {
    char name[NAME];
    int rc = OK;
    for (int i = 0; i < n && rc == OK; i++)
        rc = check_plane(&plane[i]);
    if (rc != OK)
        return rc;
    if (n < 2)
        return fail(ERR_INPUT, "one slice only (%s): a volume needs at least 2; give the whole series",
                    n == 1 ? plane_name(plane, name) : "none");
    double *work = malloc(2 * (size_t)n * sizeof *work);
    if (work == NULL)
        return fail_memory("the slices", 2.0 * n * sizeof *work);
    rc = arrange_planes(plane, n, work, work + n, geometry);
    free(work);
    return rc;
}
