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
    char series[68]; /* series UID */
    char type[80];   /* image type; separates several kinds of magnitude images */
    enum dicom_kind kind;
    bool in_plane;          /* the encoded velocity is in the plane of the slice */
    double time_ms;         /* time after the trigger; NaN: unknown */
    double rr_ms;           /* length of the cycle; NaN: unknown */
    double venc_cm_s;       /* velocity encoding limit; NaN: unknown */
    double unit_m_s;        /* velocity of the value 1; NaN: unknown */
    double half_turn;       /* value of a phase of 180 degrees, for images in rad, mrad or degrees; NaN: unknown */
    double lowest, highest; /* range of the rescaled values that a pixel can hold */
    int order;              /* InstanceNumber or frame number */
} dicom_frame;

typedef struct {
    int nt;
    double *time_s;                              /* [nt] from 0, owned; NULL: unknown */
    double period_s;                             /* RR interval, or nt times the mean time step; NaN: unknown */
    bool rr;                                     /* period_s is an RR interval of the files */
    double venc_m_s;                             /* NaN: unknown */
    double unit_m_s, half_turn, lowest, highest; /* as in dicom_frame */
    volume phase;                                /* dims[2] = nt; geometry of the slice; value NULL: not requested */
    volume magnitude;                            /* value NULL: no magnitude images match the phase */
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
