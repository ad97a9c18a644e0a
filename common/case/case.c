/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults of a case, freeing it, resolving its paths, converting and writing its points, and naming places in the
 * file. */
#include "common/case/case.h"
#include "common/base/file.h"
#include "common/case/case_tree.h"
#include "common/record/dicom_head.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void case_free_liver(case_liver_labels *labels, case_compartments *compartments) {
    free(labels->path);
    free(labels->value);
    if (compartments)
        free(compartments->end);
}

static void free_lists(case_file *c) {
    for (int k = 0; k < c->n_opening; k++) {
        free(c->opening[k].name);
        free(c->opening[k].waveform);
        free(c->opening[k].territory);
    }
    for (int k = 0; k < c->n_section; k++) {
        free(c->section[k].name);
        free(c->section[k].branch);
    }
    for (int k = 0; k < c->n_readout; k++) {
        free(c->readout[k].from);
        free(c->readout[k].to);
        free(c->readout[k].portal);
        free(c->readout[k].cava);
        case_free_liver(&c->readout[k].liver_labels, c->readout[k].compartments);
        free(c->readout[k].compartments);
    }
    for (int k = 0; k < c->n_wall; k++) {
        free(c->wall[k].name);
        free(c->wall[k].part);
        free(c->wall[k].surface_path);
    }
    for (int k = 0; k < c->n_treat; k++) {
        free(c->treat[k].from.branch);
        free(c->treat[k].to.branch);
        free(c->treat[k].via);
        free(c->treat[k].opening);
    }
    free(c->treat);
    for (int k = 0; k < c->n_porous; k++)
        free(c->porous[k].name);
    free(c->porous);
    free(c->wall);
    free(c->opening);
    free(c->section);
    free(c->readout);
    free(c->post.instant_s);
}

void case_set_defaults(case_file *c) {
    memset(c, 0, sizeof *c);
    c->space = SPACE_RAS;
    c->segment.method = -1; /* unknown until it is given or derived from the source */
    c->segment.vessel = VESSEL_AUTO;
    c->segment.smoothing_mm = NAN;
    c->segment.edge_low = c->segment.edge_high = NAN;
    c->segment.propagation = c->segment.curvature = c->segment.advection = NAN;
    c->segment.threshold_low = c->segment.threshold_high = NAN;
    c->segment.max_volume_ml = NAN;
    c->segment.surface_unit_mm = 1;
    c->segment.surface_space = -1;
    c->blood.density_kg_m3 = 1060;
    c->blood.viscosity_pa_s = 3.5e-3;
    c->blood.set = -1; /* unknown until it is given or follows from the model */
    c->blood.hematocrit = VISCOSITY_HEMATOCRIT;
    c->mesh.finest_spacing_mm = c->mesh.most_cells_per_diameter = c->mesh.before_spacing_mm = NAN;
    c->mesh.spacing_mm = c->mesh.cells_per_diameter = c->mesh.max_cells = c->mesh.wall_uncertainty_mm = NAN;
    c->image.crop_mm = NAN;
    for (int a = 0; a < 3; a++) {
        c->mesh.box_low_mm[a] = c->mesh.box_high_mm[a] = NAN;
        c->mesh.before_low_mm[a] = c->mesh.before_high_mm[a] = NAN;
        c->image.box_low[a] = c->image.box_high[a] = NAN;
    }
    c->split.mean_pressure_pa = c->split.distal_pa = c->split.capacitance_m3_pa = NAN;
    c->split.proximal_fraction = 0.09; /* assumed: published values of arteries are 5 % to 10 % */
    c->solve.tolerance = c->solve.accuracy = NAN;
    c->solve.max_lattice_velocity = NAN;
    c->solve.tau = c->solve.dt_s = c->solve.period_s = NAN;
    c->solve.cycles = 3;
    c->solve.stores = 20;
    c->solve.checkpoint_s = 60;
    c->post.nusselt_length_mm = NAN;
    c->solve.heat.diffusivity_m2_s = c->solve.heat.reference_c = NAN;
}

void case_free(case_file *c) {
    free_lists(c);
    for (int k = 0; k < c->set.n; k++)
        free((char *)c->set.word[k]);
    free(c->path);
    free(c->folder);
    free(c->name);
    free(c->image.path);
    free(c->image.series);
    free(c->segment.seed);
    free(c->segment.seed_line);
    free(c->segment.labels_path);
    free(c->segment.label_value);
    free(c->segment.surface_path);
    free(c->segment.before_path);
    free(c->split.labels_path);
    free((void *)c->mesh.shape.segment);
    free((void *)c->mesh.shape.ellipsoid);
    memset(c, 0, sizeof *c);
}

/* Convert in place from RAS to LPS, or from LPS to RAS (the same operation). */
static void flip_xy(double p[3]) {
    p[0] = 0 - p[0]; /* 0 - p keeps a zero positive; -p gives -0 */
    p[1] = 0 - p[1];
}

const char *case_write_place(const case_file *c, int line, char *text, size_t size) {
    return case_tree_place(c->path, &c->set, line, 0, text, size);
}

const char *case_write_place_without_folder(const case_file *c, int line, char *text, size_t size) {
    const size_t folder = (size_t)(file_name(c->path) - c->path);
    case_write_place(c, line, text, size);
    return strncmp(text, c->path, folder) == 0 ? text + folder : text;
}

char *case_before_phi(const case_file *c) {
    char *folder = c->segment.before_path ? case_resolve_path(c, c->segment.before_path) : NULL;
    char *phi = folder ? file_join(folder, "out/segment/phi.nii.gz") : NULL;
    free(folder);
    return phi;
}

char *case_resolve_path(const case_file *c, const char *path) {
    return file_join(c->folder && strcmp(c->folder, ".") != 0 ? c->folder : "", path);
}

const char *case_voxel_image(const case_file *c, const char **series) {
    *series = c->image.path ? c->image.series : DICOM_HEAD_LABELS;
    return c->image.path ? c->image.path : c->segment.labels_path;
}

void case_point_lps(const case_file *c, const double point[3], const volume *image, double lps_mm[3]) {
    if (c->space == SPACE_VOXEL && image) {
        volume_to_lps(image, point, lps_mm);
        return;
    }
    double p[3] = {point[0], point[1], point[2]};
    if (c->space == SPACE_RAS)
        flip_xy(p);
    memcpy(lps_mm, p, sizeof p);
}

void case_vector_lps(const case_file *c, const double vector[3], const volume *image, double lps[3]) {
    double v[3] = {vector[0], vector[1], vector[2]};
    if (c->space == SPACE_RAS)
        flip_xy(v);
    if (c->space == SPACE_VOXEL && image)
        for (int i = 0; i < 3; i++)
            v[i] = image->direction[3 * i] * vector[0] + image->direction[3 * i + 1] * vector[1] +
                   image->direction[3 * i + 2] * vector[2];
    memcpy(lps, v, sizeof v);
}

static double round_tenth(double mm) {
    return round(10 * mm) / 10 + 0.0; /* + 0.0 turns -0.0 into 0.0 */
}

const char *case_write_point(const case_file *c, const double lps_mm[3], char text[CASE_WHERE]) {
    const bool ras = c->space == SPACE_RAS;
    const double turn = ras ? -1 : 1;
    snprintf(text, CASE_WHERE, "%s %.1f, %.1f, %.1f mm", ras ? "RAS" : "LPS", round_tenth(turn * lps_mm[0]),
             round_tenth(turn * lps_mm[1]), round_tenth(lps_mm[2]));
    return text;
}
