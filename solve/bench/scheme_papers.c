/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of each table as printed in the papers, and the schemes to compare in them: the paper's and our own. */
#include "solve/bench/scheme_papers.h"
#include "solve/schemes/scheme.h"
#include <stdio.h>
#include <string.h>

#define SHANG     "dense,sparse,ours,ours-half"
#define WANG      "dense-two-kernels,dense,sparse,ours,ours-half"
#define GALLAGHER "dense,dense-csoa,dense-morton,dense-aos,ours"
#define RINALDI   "dense-shared,dense,dense-push,dense-aa,ours"
#define CYCLIC    "list-push,semidirect-push,cyclic-push,list,sparse,cyclic,list-aa,ours"

const scheme_paper scheme_papers[] = {
    {"shang2023:table2", "64x64x249", "shang-pipe", 249, SCHEME_PARTIAL, SHANG},
    {"shang2023:table2", "128x128x507", "shang-pipe", 507, SCHEME_PARTIAL, SHANG},
    {"shang2023:table2", "184x184x731", "shang-pipe", 731, SCHEME_PARTIAL, SHANG},
    {"shang2023:table4", "132x143x174", "shang-portal-1", 174, SCHEME_PARTIAL, SHANG},
    {"shang2023:table4", "184x200x242", "shang-portal-1", 242, SCHEME_PARTIAL, SHANG},
    {"shang2023:table4", "224x243x294", "shang-portal-1", 294, SCHEME_PARTIAL, SHANG},
    {"shang2023:table4", "184x145x184", "shang-portal-2", 184, SCHEME_PARTIAL, SHANG},
    {"shang2023:table4", "224x176x224", "shang-portal-2", 224, SCHEME_PARTIAL, SHANG},
    {"shang2023:table4", "264x208x263", "shang-portal-2", 264, SCHEME_PARTIAL, SHANG},
    {"shang2023:table4", "184x173x159", "shang-portal-3", 184, SCHEME_PARTIAL, SHANG},
    {"shang2023:table4", "224x210x193", "shang-portal-3", 224, SCHEME_PARTIAL, SHANG},
    {"shang2023:table4", "268x252x231", "shang-portal-3", 268, SCHEME_PARTIAL, SHANG},
    {"shang2023:table5", "586x532x442", "hepatic-portal", 586, SCHEME_PARTIAL, SHANG},
    {"wang2015:table1", "69x64x176", "carotid", 176, SCHEME_PARTIAL, WANG},
    {"wang2015:table1", "88x81x228", "carotid", 228, SCHEME_PARTIAL, WANG},
    {"wang2015:table1", "108x101x286", "carotid", 286, SCHEME_PARTIAL, WANG},
    {"gallagher2022:table2", "64x64x64", "sphere", 64, SCHEME_BOUNCE, GALLAGHER},
    {"gallagher2022:table2", "128x128x128", "sphere", 128, SCHEME_BOUNCE, GALLAGHER},
    {"gallagher2022:table2", "256x256x256", "sphere", 256, SCHEME_BOUNCE, GALLAGHER},
    {"rinaldi2012:table2", "32x32x32", "cavity", 32, SCHEME_BOUNCE, RINALDI},
    {"rinaldi2012:table2", "64x64x64", "cavity", 64, SCHEME_BOUNCE, RINALDI},
    {"rinaldi2012:table2", "96x96x96", "cavity", 96, SCHEME_BOUNCE, RINALDI},
    {"rinaldi2012:table2", "128x128x128", "cavity", 128, SCHEME_BOUNCE, RINALDI},
    {"rinaldi2012:table2", "144x144x144", "cavity", 144, SCHEME_BOUNCE, RINALDI},
    {"rinaldi2012:table2", "160x160x160", "cavity", 160, SCHEME_BOUNCE, RINALDI},
    {"cyclic2020:table5", "384x384x120" SCHEME_HEAT, "eye", 384, SCHEME_BOUNCE, CYCLIC},
    {"cyclic2020:table5", "384x384x120", "eye", 384, SCHEME_BOUNCE, CYCLIC ",ours-half"},
};
const int scheme_paper_count = sizeof scheme_papers / sizeof *scheme_papers;

const char *scheme_paper_names(void) {
    static char list[256];
    for (int k = 0; k < scheme_paper_count && !list[sizeof list - 64]; k++)
        if (k == 0 ||
            (strcmp(scheme_papers[k].paper, scheme_papers[k - 1].paper) != 0 && !strstr(list, scheme_papers[k].paper)))
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "", scheme_papers[k].paper);
    return list;
}
