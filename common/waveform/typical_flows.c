/* SPDX-License-Identifier: Apache-2.0 */
#include "common/waveform/typical_flows.h"
#include <math.h>
#include <stddef.h>

/* Sources, as mean +- standard deviation:
 *
 * Burkart et al. 1993 (11 volunteers, phase-contrast MRI), in mL/min/kg: celiac trunk 9.9 +- 3.2, superior mesenteric
 * artery 6.0 +- 1.8, superior mesenteric vein 5.7 +- 2.0, portal vein 13.7 +- 1.8. The splenic vein is the difference
 * of portal and mesenteric vein, with the relative error of the mesenteric vein.
 * PubMed 9356614 (174 persons, ultrasound): common carotid artery 415 +- 87 mL/min.
 * Zarrinkoob et al. 2015 (94, phase-contrast MRI): 717 +- 123 mL/min through both internal carotid (72 %) and both
 * vertebral arteries (28 %).
 * Cheng et al. 2003 (50 to 70 years, phase-contrast MRI): aorta above the celiac trunk 2.3 +- 0.4 L/min, below the
 * renal arteries 0.9 +- 0.3 L/min. */
static const typical_flow FLOW[] = {
    {"portal vein", "PV", 0.96, 26, "Burkart 1993"},
    {"superior mesenteric vein", "SMV", 0.40, 70, "Burkart 1993"},
    {"splenic vein", "SV", 0.56, 70, "Burkart 1993, difference"},
    {"celiac trunk", NULL, 0.69, 65, "Burkart 1993"},
    {"superior mesenteric artery", NULL, 0.42, 60, "Burkart 1993"},
    {"aorta above the celiac trunk", NULL, 2.3, 35, "Cheng 2003"},
    {"aorta below the renal arteries", NULL, 0.9, 67, "Cheng 2003"},
    {"common carotid artery", "CCA", 0.42, 42, "PubMed 9356614"},
    {"internal carotid artery", "ICA", 0.26, 34, "Zarrinkoob 2015"},
    {"vertebral artery", NULL, 0.10, 34, "Zarrinkoob 2015"},
};

const typical_flow *typical_flows(int *n) {
    *n = (int)(sizeof FLOW / sizeof *FLOW);
    return FLOW;
}

const typical_flow *typical_flows_find(double flow_m3_s, double half_width_m3_s) {
    static const double M3_S = 1e-3 / 60, same = 1e-6;
    for (size_t k = 0; k < sizeof FLOW / sizeof *FLOW; k++) {
        const double flow = FLOW[k].l_min * M3_S;
        if (fabs(flow_m3_s - flow) < same * flow && fabs(half_width_m3_s - 0.01 * FLOW[k].percent * flow) < same * flow)
            return &FLOW[k];
    }
    return NULL;
}
