/* See case.h: case_flow_m3_s. */
#include "common/case/case.h"
#include "common/base/status.h"
#include "common/case/waveform.h"
#include <math.h>
#include <stdlib.h>

static int waveform_flow(const case_file *c, const char *name, double *flow) {
    waveform w = {0};
    char *path = case_resolve(c, name);
    const int rc = path ? waveform_read(path, &w) : fail_memory("a path", 1);
    if (rc == OK)
        *flow = c->solve.mode == MODE_PULSATILE ? waveform_peak_m3_s(&w) : waveform_mean_m3_s(&w);
    waveform_free(&w);
    free(path);
    return rc;
}

int case_flow_m3_s(const case_file *c, int k, const lattice_opening *cut, double *flow) {
    const case_opening *o = &c->opening[k];
    const double sign = o->role == ROLE_OUTLET ? -1 : 1, area_m2 = 1e-6 * cut->area_mm2;
    int rc = OK;
    *flow = NAN;
    switch (o->condition) {
    case CONDITION_FLOW:
        *flow = sign * o->value;
        break;
    case CONDITION_WAVEFORM:
        rc = waveform_flow(c, o->waveform, flow);
        *flow *= sign;
        break;
    case CONDITION_VELOCITY_MEAN:
        *flow = sign * o->value * area_m2;
        break;
    case CONDITION_VELOCITY_PEAK:
        *flow = sign * o->value * area_m2 /
                (o->profile == PROFILE_PLUG        ? 1
                 : o->profile == PROFILE_PARABOLIC ? 2
                                                   : lattice_profile_peak(cut));
        break;
    case CONDITION_VECTOR:
        *flow = 0;
        break;
    default:
        break;
    }
    return rc;
}
