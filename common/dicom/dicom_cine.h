/* Phase-contrast MRI of one slice over the cycle, from DICOM: which frames are the phase, which the magnitude, in which
 * order, what their values mean. Classic single-frame series and enhanced multi-frame files; both images may lie in one
 * folder. Tags: DICOM PS3.3 C.8.3.1 (classic MR), C.8.13.5 (enhanced MR: frame type, velocity encoding, cardiac
 * synchronization), C.7.6.16.2.11 (real world values); venc of classic files is in private elements of the makers:
 * Siemens in (0051,1014) or the sequence's name, Philips in (2001,101A), GE in (0019,10CC). */
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
    char series[68]; /* its UID */
    char type[80];   /* the image's type, by which magnitudes of several kinds differ */
    enum dicom_kind kind;
    bool in_plane;          /* the velocity that was measured lies in the slice */
    double time_ms;         /* after the trigger; NaN: not said */
    double rr_ms;           /* length of the cycle, NaN */
    double venc_cm_s;       /* NaN */
    double unit_m_s;        /* the velocity of a value of 1, NaN */
    double lowest, highest; /* values that its pixels can hold, rescaled */
    int order;              /* number of the instance or frame */
} dicom_frame;

typedef struct {
    int nt;
    double *time_s;  /* [nt] from 0, owned; NULL: the files do not say it */
    double period_s; /* RR interval, or as many steps as images; NaN: not said */
    bool rr;         /* the files say the RR interval */
    double venc_m_s; /* NaN: not said */
    double unit_m_s; /* NaN: not said */
    double lowest, highest;
    volume phase;     /* dims[2] = nt; geometry of the slice; value NULL: none was asked for */
    volume magnitude; /* value NULL: there is none that belongs to the phase */
} dicom_cine;

enum dicom_want { DICOM_WANT_BOTH, DICOM_WANT_PHASE, DICOM_WANT_MAGNITUDE };

/* Chooses from frame[n] (which is sorted by series, kind and time) the phase images of one slice and the magnitudes of
 * the same slice and number. `want` phase or magnitude: frames without a mark count as it. `series`: the one to take
 * the phases of, NULL: the only one.
 *   first[0], first[1]  indices of the first phase and of the first magnitude (-1: none), c->nt of each in a row
 * Errors: ERR_INPUT (no phase, several, in-plane velocities, a time twice, venc that differs), ERR_RESOURCE. */
MUST_CHECK int dicom_cine_arrange(const char *name, int n, dicom_frame *frame, enum dicom_want want, const char *series,
                                  dicom_cine *c, int first[2]);

/* A folder or a file. Errors: as dicom_cine_arrange and dicom_read. */
MUST_CHECK int dicom_cine_read(const char *path, const char *series, enum dicom_want want, dicom_cine *c);
void dicom_cine_free(dicom_cine *c); /* safe on a zeroed struct */
#ifdef __cplusplus
}
#endif
#endif
