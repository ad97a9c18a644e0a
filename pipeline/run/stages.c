/* SPDX-License-Identifier: Apache-2.0 */
/* The only table of stages. */
#include "pipeline/run/stages.h"
#include <string.h>

const stage stages_table[STAGE_COUNT] = {
    {.name = "segment",
     .purpose = "image -> lumen",
     .in = NULL,
     .out = "segment",
     .needs = {NULL},
     .makes = {"segment/phi.nii.gz", "segment/lumen.nii.gz", "segment/lumen.stl", "segment/segment.json", NULL},
     .takes_device = true},
    {.name = "mesh",
     .purpose = "lumen -> lattice",
     .in = "segment",
     .out = "mesh",
     .needs = {"segment/phi.nii.gz", NULL},
     .makes = {"mesh/lattice.h5", "mesh/surface.vtp", "mesh/mesh.json", NULL}},
    {.name = "solve",
     .purpose = "lattice -> velocity, pressure, stress",
     .in = "mesh",
     .out = "solve",
     .needs = {"mesh/lattice.h5", NULL},
     .makes = {"solve/fields.vtkhdf", "solve/monitors.csv", "solve/solve.json", NULL},
     .checkpoint = "solve/checkpoint.h5",
     .takes_device = true,
     .takes_ranks = true},
    {.name = "post",
     .purpose = "fields -> readouts, pictures, report",
     .in = "",
     .out = "post",
     .needs = {"mesh/lattice.h5", "mesh/surface.vtp", "solve/fields.vtkhdf", "solve/solve.json", NULL},
     .makes = {"post/readouts.json", "post/wall.vtp", "post/profiles.csv", "post/report.html", "post/post.json", NULL}},
};

int stages_find(const char *name) {
    for (int k = 0; k < STAGE_COUNT; k++)
        if (strcmp(stages_table[k].name, name) == 0)
            return k;
    return -1;
}

bool stages_is_wanted(const case_file *c, int stage_index) {
    return stage_index != STAGE_SEGMENT || !c->mesh.has_shape;
}

bool stages_needs_file(const case_file *c, int stage_index, const char *file) {
    const stage *s = &stages_table[stage_index];
    int maker = stages_find_maker(file);
    if (maker >= 0 && !stages_is_wanted(c, maker))
        return false;
    for (int k = 0; s->needs[k]; k++)
        if (strcmp(s->needs[k], file) == 0)
            return true;
    return false;
}

int stages_find_maker(const char *file) {
    for (int k = 0; k < STAGE_COUNT; k++)
        for (int m = 0; stages_table[k].makes[m]; m++)
            if (strcmp(stages_table[k].makes[m], file) == 0)
                return k;
    return -1;
}
