/* SPDX-License-Identifier: Apache-2.0 */
/* Phase-contrast MRI of one slice over the cardiac cycle, from DICOM: selects phase and magnitude frames, orders them
 * in time, finds the unit of their values. Reads classic single-frame series and enhanced multi-frame files. Phase and
 * magnitude may be in one folder.
 *
 * Tags: DICOM PS3.3 C.8.3.1 (classic MR), C.8.13.5 (enhanced MR: frame type, velocity encoding, cardiac
 * synchronization), C.7.6.16.2.11 (real world values). The venc of classic files is in private elements: Siemens
 * in (0051,1014) or the sequence name, Philips in (2001,101A), GE in (0019,10CC). */
#ifndef PORTAFLOW_DICOM_CINE_H
#define PORTAFLOW_DICOM_CINE_H
#include "common/base/must_check.h"
#include "common/dicom/dicom_stack.h"
#include "common/image/volume.h"
#ifdef __cplusplus
extern "C" {
#endif

enum dicom_kind { DICOM_UNMARKED, DICOM_PHASE, DICOM_MAGNITUDE };
typedef struct {
    dicom_plane plane;
    char series[68]; /* UID of the series */
    char type[80];   /* image type, which separates kinds of magnitude images */
    enum dicom_kind kind;
    bool in_plane;          /* the encoded velocity is in the plane of the slice, not across it */
    double time_ms;         /* time of the frame after the trigger; NaN: unknown */
    double rr_ms;           /* length of the cycle (RR interval); NaN: unknown */
    double venc_cm_s;       /* limit of the velocity encoding; NaN: unknown */
    double unit_m_s;        /* velocity of a pixel with value 1; NaN: unknown */
    double half_turn;       /* pixel value of a phase of 180 degrees, in images of rad, mrad or degrees; NaN: unknown */
    double lowest, highest; /* range of values that a pixel can hold, after rescaling */
    int order;              /* position of the frame in the series: InstanceNumber or frame number */
} dicom_frame;

typedef struct {
    int nt;
    double *time_s; /* [nt] times of the frames from 0, owned; NULL: unknown */
    /* length of the cycle: RR interval, or nt times the mean time step; NaN: unknown */
    double period_s;
    bool rr;                                     /* true: period_s is an RR interval from the files */
    double venc_m_s;                             /* limit of the velocity encoding; NaN: unknown */
    double unit_m_s, half_turn, lowest, highest; /* as in dicom_frame */
    /* phase images: geometry of the slice, dims[2] = nt; value NULL: not requested */
    volume phase;
    volume magnitude; /* magnitude images; value NULL: none match the phase images */
} dicom_cine;

enum dicom_want { DICOM_WANT_BOTH, DICOM_WANT_PHASE, DICOM_WANT_MAGNITUDE };

/* Choose from frame[n] the phase images of one slice, and the same number of magnitude images of this slice. Sorts
 * frame[] by kind, series and time. With `want` phase or magnitude, unmarked frames count as this kind. `series`: UID
 * of the phase series; NULL: there must be only one.
 *   first[0], first[1]  indices of the first phase and magnitude frame (-1: none); c->nt - 1 more frames follow
 * Errors: ERR_INPUT (no phase, several series, in-plane velocity, repeated time, differing venc), ERR_RESOURCE. */
MUST_CHECK int dicom_cine_arrange(const char *name, int n, dicom_frame *frame, enum dicom_want want, const char *series,
                                  dicom_cine *c, int first[2]);

/* Read a folder or a file. Errors: as dicom_cine_arrange and dicom_read. */
MUST_CHECK int dicom_cine_read(const char *path, const char *series, enum dicom_want want, dicom_cine *c);
void dicom_cine_free(dicom_cine *c); /* safe on a zeroed struct */
#ifdef __cplusplus
}
#endif
#endif
