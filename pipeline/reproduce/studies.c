/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all studies. */
#include "pipeline/reproduce/study.h"

#define SHANG     "Shang et al. 2023"
#define WANG      "Wang et al. 2015"
#define GALLAGHER "Gallagher et al. 2022"
#define CYCLIC    "cyclic pointer addressing, IEEE Access 8, 2020"
#define RINALDI   "Rinaldi et al. 2012"

const study studies_table[] = {
    {"verify:poiseuille-pipe", "Straight pipe at angles, with and without openings",
     "exact solution (Hagen-Poiseuille)", 20, 1, study_poiseuille_pipe},
    {"verify:poiseuille-channel", "Flow between two plates", "exact solution", 20, 1, study_poiseuille_channel},
    {"verify:womersley", "Pulsatile pipe flow at alpha 2, 4, 8", "exact solution (Womersley 1955)", 15, 1,
     study_womersley},
    {"verify:cavity", "Lid-driven cube at Re 100 and 1000",
     RINALDI ", figures 6 and 7; finite elements (FreeFem++); Albensoeder and Kuhlmann 2005", 1440, 2, study_cavity},
    {"verify:heat", "Heat: annulus, tall slot, tube", "exact solutions (Batchelor 1954; Graetz 1885)", 3, -1,
     study_heat_exact},
    {"verify:heated-cavity", "Natural convection of air in a square and a cube",
     "de Vahl Davis 1983; Tric, Labrosse and Betrouni 2000", 30, -1, study_heated_cavity},
    {"verify:sphere", "Drag of a sphere at Re 21.1", GALLAGHER "; Clift, Grace and Weber 1978", 300, 4, study_sphere},
    {"verify:dean", "Friction of a curved pipe", "finite elements (FreeFem++)", 30, 1, study_dean},
    {"verify:stenosis", "75 % axisymmetric stenosis at Re 100 and 500",
     "finite elements (FreeFem++); Sherwin and Blackburn 2005 (stability); Young and Tsai 1973", 1440, 4,
     study_stenosis},
    {"verify:fda-nozzle", "FDA benchmark nozzle at Re 500",
     "PIV (Hariharan et al. 2011, Stewart et al. 2012); finite elements (FreeFem++)", 4320, 12, study_fda_nozzle},
    {"verify:unsteady-nozzle", "FDA benchmark nozzle at Re 2000, unsteady",
     "PIV (Hariharan et al. 2011, Stewart et al. 2012); finite elements (FreeFem++)", 30240, 15, study_unsteady_nozzle},
    {"verify:portal-tips", "Portal tree with a stent to a hepatic vein (TIPS)", "finite volumes (OpenFOAM)", 60, 2,
     study_portal_tips},
    {"verify:cohort", "60 random vessels", "the same on a lattice 1.5 times finer", 30240, 60, study_cohort},
    {"verify:inlet-profile", "Developed inlet profiles", "exact solution; Poisson problem", 5, 1, study_inlet_profile},
    {"verify:uncertainty", "Intervals of readouts",
     "Hagen-Poiseuille, its forms for an ellipse and a rectangle; finer lattices", 1440, 120, study_uncertainty},
    {"verify:image-uncertainty", "Pressure drop intervals from synthetic images", "the exact shape on finer lattices",
     1440, 5, study_image_uncertainty},
    {"shang2023:table1", "Pipe at four resolutions, both walls", SHANG ", table 1, figures 8b and 8c", 180, 3,
     study_shang_pipe},
    {"shang2023:figure2", "Boundary rule of a partially solid cell", SHANG ", figure 2 and equations 5 and 6", -1, -1,
     NULL, .unit_test = "test_vlbm"},
    {"shang2023:table2", "Speed in the pipe", SHANG ", table 2", 0, 0, study_speed},
    {"shang2023:table3", "Portal venous system, steady and pulsatile", SHANG ", table 3, figures 9 to 11", 180, 3,
     study_portal},
    {"shang2023:table4", "Speed in the portal venous system", SHANG ", table 4", 0, 0, study_speed},
    {"shang2023:table5", "Speed in the hepatic-portal system", SHANG ", table 5, figure 12", 0, 0, study_speed},
    {"shang2023:figure12", "Flow in the hepatic-portal system", SHANG ", figure 12 and the geometry of table 5", 4320,
     60, study_hepatic},
    {"shang2023:porous-liver", "The hepatic-portal system with a porous liver",
     SHANG ", announced, not published; Darcy's law", 1440, 20, study_porous_liver},
    {"shang2023:stages", "Gradient against permeability, porosity, lobules, stage",
     SHANG ", announced, not published; Debbaut et al. 2012; Jansen 1999", 10, 4, study_stages},
    {"wang2015:figure10", "Carotid bifurcation with a stenosis, pulsatile", WANG ", figures 8 to 13", 60, 3,
     study_carotid},
    {"wang2015:segmentation", "Carotid segmentation by a lattice Boltzmann level set",
     WANG ", section 3; the phantom's exact wall; ITK", 2, 2, study_segmentation},
    {"wang2015:table1", "Run times", WANG ", table 1", 0, 0, study_speed},
    {"gallagher2022:table2", "Speed of memory layouts", GALLAGHER ", table 2, figure 3", 0, 0, study_speed},
    {"rinaldi2012:table2", "Speed in the cubic cavity", RINALDI ", table 2", 0, 0, study_speed},
    {"cyclic2020:table5", "Speed of three ways of addressing", CYCLIC ", table 5", 0, 0, study_speed},
    {"cyclic2020:table6", "Memory of three ways of addressing", CYCLIC ", table 6", 0, 0, study_speed},
    {"cyclic2020:figure5", "Natural convection in the eye",
     CYCLIC ", figures 5 and 6; Canning, Greaney, Dewynne and Fitt 2002", 600, 10, study_eye},
};
const int studies_count = sizeof studies_table / sizeof *studies_table;

const study_alias aliases_table[] = {
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
