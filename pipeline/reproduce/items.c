/* The one table of what can be reproduced. */
#include "pipeline/reproduce/item.h"

#define SHANG     "Shang et al. 2023 (GPU VLBM, portal hypertension)"
#define WANG      "Wang et al. 2015 (GPU VLBM, patient-specific)"
#define GALLAGHER "Gallagher et al. 2022 (Morton order, blood flow)"
#define CYCLIC    "cyclic pointer addressing, 2020"
#define RINALDI   "Rinaldi et al. 2012 (LBM on a GPU)"

const item items_table[] = {
    {"verify:poiseuille-pipe", "Flow through a straight pipe: velocity, pressure drop, wall shear stress, orders",
     "exact solution (Hagen-Poiseuille)", "20 min / 1 min", item_poiseuille_pipe},
    {"verify:poiseuille-channel", "Flow between two plates: velocity and wall shear stress", "exact solution",
     "20 min / 1 min", item_poiseuille_channel},
    {"verify:womersley", "Pulsatile flow through a pipe at alpha 2, 4, 8: amplitude and phase",
     "exact solution (Womersley 1955)", "15 min / 1 min", item_womersley},
    {"verify:cavity", "Lid-driven cubic cavity at Re 100 and 1000",
     RINALDI ", figures 6 and 7; finite elements (FreeFem++); Albensoeder and Kuhlmann 2005", "a day / 2 min",
     item_cavity},
    {"verify:heated-cavity", "Air between a warm and a cold wall, in a square and in a cube, Rayleigh 1e4 to 1e6",
     "de Vahl Davis 1983; Tric, Labrosse and Betrouni 2000", "30 min (0.5: 1 min) / -", item_heated_cavity},
    {"verify:sphere", "Drag of a sphere at Re 21.1", GALLAGHER "; Clift, Grace and Weber 1978", "5 hours / 4 min",
     item_sphere},
    {"verify:dean", "Friction of a curved pipe",
     "developed flow by finite elements (FreeFem++); White 1929, fit of measurements", "30 min / 1 min", item_dean},
    {"verify:stenosis", "75 % axisymmetric stenosis at Re 100 and 500",
     "steady axisymmetric solution by finite elements (FreeFem++); stability by Sherwin and Blackburn 2005; Young and "
     "Tsai 1973",
     "a day / 4 min", item_stenosis},
    {"verify:fda-nozzle", "The FDA's benchmark nozzle at Re 500 and 2000, along the grid and turned",
     "PIV (Hariharan et al. 2011, Stewart et al. 2012); steady axisymmetric solution by finite elements (FreeFem++)",
     "days (0.1: 1 min) / 20 min", item_fda_nozzle, true},
    {"verify:cohort",
     "60 random patients with nothing set: does every flow settle, and how far is it from a finer lattice",
     "the same on a lattice 1.4 times finer", "weeks (0.1: 4 min) / 2 hours", item_cohort, true},
    {"verify:inlet-profile", "Developed inlet profile of an ellipse and of a segmented lumen's cross-section",
     "exact solution; fine solution of the Poisson problem", "5 min / 1 min", item_inlet_profile},
    {"verify:uncertainty", "Intervals of readouts against the truth",
     "Hagen-Poiseuille, its forms for an ellipse and a rectangle; finer lattices", "day / 2 h", item_uncertainty},
    {"verify:image-uncertainty", "Intervals of pressure drops from synthetic images against the truth",
     "the exact shape on finer lattices", "day / 5 min", item_image_uncertainty},
    {"shang2023:table1", "Pipe at four resolutions, both walls", SHANG ", table 1, figures 8b and 8c",
     "3 hours / 3 min", item_shang_pipe},
    {"shang2023:figure2", "Link rule of a partly solid cell", SHANG ", figure 2 and equations 5 and 6",
     "unit test test_vlbm", NULL},
    {"shang2023:table2", "Speed in the pipe", SHANG ", table 2", "minutes / minutes, or kept", item_speed},
    {"shang2023:table3", "Portal venous system, steady and pulsatile", SHANG ", table 3, figures 9 to 11",
     "hours / 3 min", item_portal},
    {"shang2023:table4", "Speed in the portal venous system", SHANG ", table 4", "minutes / minutes, or kept",
     item_speed},
    {"shang2023:table5", "Hepatic-portal system", SHANG ", table 5, figure 12", "- / minutes, or kept", item_speed},
    {"shang2023:figure12", "Hepatic-portal system as a flow: portal vein, liver as a chamber, hepatic veins, cava",
     SHANG ", figure 12 and the geometry of table 5", "days / hour (0.5: 4 min)", item_hepatic},
    {"wang2015:figure10", "Carotid bifurcation with a stenosis, pulsatile", WANG ", figures 8 to 13", "hour / 3 min",
     item_carotid},
    {"wang2015:segmentation", "Segmentation of a carotid bifurcation by a lattice Boltzmann level set",
     WANG ", section 3; the phantom's exact wall; ITK", "2 min / 2 min", item_segmentation},
    {"wang2015:table1", "Run times", WANG ", table 1", "minutes / minutes, or kept", item_speed},
    {"gallagher2022:table2", "Speed of memory layouts", GALLAGHER ", table 2, figure 3", "- / minutes, or kept",
     item_speed},
    {"rinaldi2012:table2", "Speed in the cubic cavity", RINALDI ", table 2", "minutes / minutes, or kept", item_speed},
    {"cyclic2020:table5", "Speed of three ways of addressing", CYCLIC ", table 5", "- / minutes, or kept", item_speed},
    {"cyclic2020:table6", "Memory of three ways of addressing", CYCLIC ", table 6", "- / minutes, or kept", item_speed},
    {"cyclic2020:figure5", "Natural convection of the aqueous humor in the eye, standing and supine",
     CYCLIC ", figures 5 and 6; Canning, Greaney, Dewynne and Fitt 2002", "30 min (0.3: 1 min) / -", item_eye},
};
const int items_count = sizeof items_table / sizeof *items_table;

const item_alias aliases_table[] = {
    {"shang2023:figure8b", "shang2023:table1", "picture -figure8b"},
    {"shang2023:figure8c", "shang2023:table1", "picture -figure8c"},
    {"shang2023:figure9", "shang2023:table3", "pictures -figure9d and -settling, table -points"},
    {"shang2023:figure10", "shang2023:table3", "pictures -figure10-1 to -3"},
    {"shang2023:figure11", "shang2023:table3", "picture -figure11, table -pulsatile"},
    {"wang2015:figure8", "wang2015:figure10", "picture -figure8: Reynolds numbers over the cycle"},
    {"wang2015:figure9", "wang2015:figure10", "pictures -figure9 (sections at six instants), -figure9-along"},
    {"wang2015:figure11", "wang2015:figure10", "picture -figure9, row stenosis; table -sections"},
    {"wang2015:figure12", "wang2015:figure10", "picture -figure12: wall shear stress at six instants, front"},
    {"wang2015:figure13", "wang2015:figure10", "picture -figure13: wall shear stress at six instants, back"},
    {"gallagher2022:table1", "gallagher2022:table2", "table -speed (the paper's wall times are a picture)"},
    {"gallagher2022:figure3", "gallagher2022:table2", "picture -ratio, table -speed; the flow itself: verify:sphere"},
    {"gallagher2022:sphere", "verify:sphere", "table -drag"},
    {"cyclic2020:figure6", "cyclic2020:figure5", "pictures -standing-velocity, -standing-temperature"},
    {"rinaldi2012:figure6", "verify:cavity", "pictures -re100-ux, -re100-uy, -re1000-ux, -re1000-uy"},
    {"rinaldi2012:figure7", "verify:cavity", "pictures -re100-streamlines, -re1000-streamlines"},
};
const int aliases_count = sizeof aliases_table / sizeof *aliases_table;
