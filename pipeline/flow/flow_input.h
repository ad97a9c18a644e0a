/* SPDX-License-Identifier: Apache-2.0 */
/* Input of `pipeline flow`: phase, magnitude and region of one slice over the cycle, from NIfTI or DICOM. */
#ifndef PORTAFLOW_FLOW_INPUT_H
#define PORTAFLOW_FLOW_INPUT_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *phase, *magnitude, *roi, *out, *venc, *period, *range, *series;
} flow_options;

typedef struct {
    volume phase, magnitude, roi; /* images with one slice per instant (dims[2]); value NULL: not given */
    uint8_t *mask;                /* [ny][nx] 1: the pixel is in the vessel, owned. NULL: no region was given */
    int nt;
    double venc_m_s, period_s, range[2]; /* range: phase values that mean -venc and +venc */
    double *time_s;                      /* [nt] times of the instants, from 0, owned */
} flow_input;

/* Reads the images and the region, and finds range and cycle. Errors: ERR_USAGE (a bad option, unknown venc),
 * ERR_INPUT (files of different slices, unknown cycle, unknown range of phases), ERR_RESOURCE. */
MUST_CHECK int flow_input_read(const flow_options *o, flow_input *in);
void flow_input_free(flow_input *in); /* safe on a zeroed struct */
#endif
