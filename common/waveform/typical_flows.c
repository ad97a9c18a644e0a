/* See typical_flows.h. */
#include "common/waveform/typical_flows.h"
#include <stddef.h>

/* Burkart et al. 1993: celiac trunk 9.9 +- 3.2, superior mesenteric artery 6.0 +- 1.8 and vein 5.7 +- 2.0, portal vein
 * 13.7 +- 1.8 mL/min/kg (11 volunteers, phase-contrast MRI); the splenic vein is the difference of the two, its spread
 * taken for that of the mesenteric one. PubMed 9356614: common carotid artery 415 +- 87 mL/min (174, ultrasound).
 * Zarrinkoob et al. 2015: both internal carotid (72 %) and both vertebral arteries (28 %) 717 +- 123 mL/min (94,
 * phase-contrast MRI). Cheng et al. 2003: aorta above the celiac trunk 2.3 +- 0.4, below the renal arteries 0.9 +- 0.3
 * L/min (50 to 70 years, phase-contrast MRI). */
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
