/* SPDX-License-Identifier: Apache-2.0 */
/* List of the series in a DICOM folder, for choosing one. */
#ifndef PORTAFLOW_DICOM_SERIES_H
#define PORTAFLOW_DICOM_SERIES_H
#include "common/base/must_check.h"
#include "common/dicom/dicom_stack.h"
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { DICOM_SERIES_MAX = 20, DICOM_SERIES_LINE = 256 };

typedef struct {
    char uid[DICOM_UID];
    int slices;
    bool one_place;               /* true: all slices have the same position, so this is a time series */
    bool secondary;               /* true: derived images or a localizer */
    char about[40];               /* description, without text that may identify a patient or a date; "": none */
    char line[DICOM_SERIES_LINE]; /* line for the user: UID, slices, pixels, spacings, description */
} dicom_series;

typedef struct {
    int n, n_more; /* number of listed series, number of series that are not listed because of DICOM_SERIES_MAX */
    dicom_series series[DICOM_SERIES_MAX];
} dicom_series_list;

/* List the series of `path`: a folder, searched with its sub-folders, or a file. Errors: ERR_INPUT (no DICOM image),
 * ERR_RESOURCE. */
MUST_CHECK int dicom_list_series(const char *path, dicom_series_list *list);
#ifdef __cplusplus
}
#endif
#endif
