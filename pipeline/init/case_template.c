/* SPDX-License-Identifier: Apache-2.0 */
/* FILL-IN marks every value that only the user can supply; `pipeline check` reports each with its line. */
#include "pipeline/init/case_template.h"
#include "pipeline/inspect/inspect_image.h"
#include "common/base/vec.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/lattice/resolution.h"
#include "common/waveform/typical_flows.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Radius of a proposed cut: the larger of reach_radii times the radius of the vessel and reach_walls times the distance
 * from the end's centre to the farthest wall point. */
static const double reach_radii = 2, reach_walls = 1.3;

/* Writes the path as a quoted YAML string. */
static void write_path(FILE *f, const char *path) {
    fputc('"', f);
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            fputc('\\', f);
        fputc(*path, f);
    }
    fputc('"', f);
}

/* Writes size and extent of the image in RAS, to let the user recognize wrong points. */
static void write_geometry(FILE *f, const volume *v) {
    double low[3], high[3];
    if (v->dims[0] <= 0)
        return;
    inspect_image_box(v, 0, true, low, high);
    fprintf(f, "# %d x %d x %d voxels of %.3g x %.3g x %.3g mm; R %.1f to %.1f, A %.1f to %.1f, S %.1f to %.1f mm\n",
            v->dims[0], v->dims[1], v->dims[2], v->spacing_mm[0], v->spacing_mm[1], v->spacing_mm[2], low[0], high[0],
            low[1], high[1], low[2], high[2]);
}

static void write_image(FILE *f, const case_choice *c, const volume *v) {
    if (!c->image[0]) {
        fprintf(f, "# image: {path: images/portal.nii.gz}   # NIfTI, NRRD, MetaImage or a DICOM folder\n");
        return;
    }
    fprintf(f, "image: {path: ");
    write_path(f, c->image);
    if (c->series[0])
        fprintf(f, ", series: %s", c->series);
    fprintf(f, "}   # a DICOM folder with several series also needs series: UID\n");
    write_geometry(f, v);
}

/* Writes the chosen label values of a mask with several labels. */
static void write_values(FILE *f, const vessel_ends *ends) {
    int n = 0;
    if (ends->n_label < 2) {
        fprintf(f, "}   # if the mask has other labels too, add those of the vessel: values: [1]\n");
        return;
    }
    fprintf(f, ", values: [");
    for (int k = 0; k < ends->n_label; k++)
        if (ends->label[k].chosen)
            fprintf(f, "%s%d", n++ ? ", " : "", ends->label[k].value);
    fprintf(f, "%s]}   # the vessel; labels in the mask:\n", n > 0 ? "" : "FILL-IN");
    for (int k = 0; k < ends->n_label; k++)
        fprintf(f, "  #   %d%s%s: %.4g mL\n", ends->label[k].value, ends->label[k].name[0] ? " " : "",
                ends->label[k].name, ends->label[k].volume_ml);
}

/* Writes the points from 3D Slicer. seeds true: the points whose names mark seeds; false: all other points, as
 * openings. Returns the number of points written. */
static int write_points(FILE *f, const markups *m, bool seeds) {
    int n = 0;
    for (int k = 0; k < m->n; k++) {
        const double *p = m->point[k].ras_mm;
        if (markups_is_seed(m->point[k].name) != seeds)
            continue;
        if (seeds)
            fprintf(f, "%s[%.2f, %.2f, %.2f]", n ? ", " : "  # points from 3D Slicer:\n  # seeds: [", p[0], p[1], p[2]);
        else
            fprintf(f, "%s#  - {name: %s, role: outlet, point: [%.2f, %.2f, %.2f], normal: auto, pressure: 0 mmHg}\n",
                    n ? ""
                      : "# Points from 3D Slicer (RAS, mm); use those where blood enters (role: inlet) or leaves:\n",
                    m->point[k].name, p[0], p[1], p[2]);
        n++;
    }
    return n;
}

static void write_seeds(FILE *f, bool level_set, const case_choice *c) {
    const vessel_ends *ends = &c->ends;
    fprintf(f, "  %sseeds: [[FILL-IN, FILL-IN, FILL-IN]]   # level-set: points inside the vessels, mm\n",
            level_set ? "" : "# ");
    if (level_set && write_points(f, &c->points, true) > 0)
        fprintf(f, "]\n");
    for (int k = 0; level_set && k < ends->n_vessel; k++) {
        const found_vessel *v = &ends->vessel[k];
        fprintf(f, "  # possible vessel%s, %.0f mm long:\n  # seeds: [", v->edge ? " or edge of an organ or bone" : "",
                v->length_mm);
        for (int i = 0; i < v->n_seed; i++)
            fprintf(f, "%s[%.1f, %.1f, %.1f]", i ? ", " : "", v->seed[i][0], v->seed[i][1], v->seed[i][2]);
        fprintf(f, "]\n");
    }
}

static void write_segment(FILE *f, const case_choice *c, const patient_files *found) {
    const char *surface = found->n[FILES_SURFACE] ? found->name[FILES_SURFACE][0] : NULL;
    const char *method = c->mask[0] ? "labels" : c->surface[0] ? "surface" : "level-set";
    fprintf(f, "segment:\n  method: %s   # level-set (from the image), labels (a mask) or surface (STL, VTP, PLY)\n",
            method);
    write_seeds(f, strcmp(method, "level-set") == 0, c);
    fprintf(f, "  %slabels: {path: ", c->mask[0] ? "" : "# ");
    write_path(f, c->mask[0] ? c->mask : "images/mask.nii.gz");
    write_values(f, &c->ends);
    fprintf(f, "  %ssurface: {path: ", c->surface[0] ? "" : "# ");
    write_path(f, surface ? surface : "images/lumen.stl");
    fprintf(f, ", unit: %s", !c->surface[0] ? "mm" : c->unit_sure ? c->unit : "FILL-IN");
    if (c->surface[0] && c->frame)
        fprintf(f, "}   # frame named in the file: %s\n", c->frame);
    else
        fprintf(f, ", frame: %s}   # LPS (Slicer, ITK, SimVascular) or RAS (VMTK)%s\n",
                c->surface[0] ? "FILL-IN" : "LPS", c->surface[0] ? ", as in space above" : "");
}

static void write_end(FILE *f, const vessel_end *e, int number, bool sure) {
    const bool seen = vec_dot(e->normal, e->normal) > 0;
    fprintf(f, "#  - {name: ");
    if (e->name[0])
        fprintf(f, "%s", e->name);
    else
        fprintf(f, "end-%d", number);
    fprintf(f, ", role: outlet, point: [%.2f, %.2f, %.2f], normal: ", e->point[0], e->point[1], e->point[2]);
    if (seen)
        fprintf(f, "[%.3f, %.3f, %.3f], ", e->normal[0], e->normal[1], e->normal[2]);
    else
        fprintf(f, "FILL-IN, ");
    if (sure)
        fprintf(f, "radius: %.1f mm, ", fmax(reach_radii * e->radius_mm, reach_walls * e->reach_mm));
    fprintf(f, "pressure: 0 mmHg}   # ");
    if (sure)
        fprintf(f, "%.2f mm in radius, ", e->radius_mm);
    fprintf(f, "%s%s\n", e->at, seen ? "" : "; direction unknown, because the slices are thick");
}

/* Writes every end of a mask or a surface as an outlet, from which the user chooses. For an image it writes the ends of
 * the likeliest vessel only. These get no cut radius, because a vessel candidate in an image is narrower than the
 * lumen. */
static void write_ends(FILE *f, const case_choice *c) {
    const bool sure = c->mask[0] || c->surface[0];
    int number = 0;
    if (c->ends.n_vessel == 0)
        return;
    fprintf(f, "# Ends found%s; use those where blood enters (role: inlet) or leaves:\n",
            c->mask[0]      ? " in the mask"
            : c->surface[0] ? " in the surface"
                            : " on the likeliest vessel");
    if (c->surface[0] && !c->unit_sure)
        fprintf(f, "# (in %s; another unit moves them)\n", c->unit);
    for (int k = 0; k < (sure ? c->ends.n_vessel : 1); k++) {
        if (sure && c->ends.n_vessel > 1)
            fprintf(f, "# (piece %d of %d; each perfused piece needs its own inlet and outlet)\n", k + 1,
                    c->ends.n_vessel);
        for (int i = 0; i < c->ends.vessel[k].n_contact; i++) {
            const double *p = c->ends.vessel[k].contact[i];
            fprintf(f,
                    "# (two vessels seem joined near [%.1f, %.1f, %.1f] (RAS, mm), where the lumen is narrow: if they\n"
                    "# are two vessels, keep the ends of one only; if it is a narrowed branch, keep all)\n",
                    p[0], p[1], p[2]);
        }
        for (int i = 0; i < c->ends.vessel[k].n_end; i++)
            write_end(f, &c->ends.vessel[k].end[i], ++number, sure);
    }
}

/* Writes flows of healthy adults, for a case without a measured flow. */
static void write_typical(FILE *f) {
    int n;
    const typical_flow *flow = typical_flows(&n);
    fprintf(f, "# No flow measured? Flows of healthy adults at rest with their spread; not measured in your patient "
               "(sources: GUIDE.md, \"Without a measured flow\"):\n");
    for (int k = 0; k < n; k++)
        fprintf(f, "#   %-30s flow: %.2f L/min +- %d %%\n", flow[k].vessel, flow[k].l_min, flow[k].percent);
}

static void write_openings(FILE *f, const case_choice *c, const patient_files *found) {
    fprintf(f, "# Openings: planes that cut the vessel. Each name is unique; point is the middle of the cut, normal "
               "points out of the vessel.\n# inlet:  flow: 0.6 L/min | flow: {waveform: flow/x.csv} | velocity: {mean: "
               "15 cm/s} (Doppler, mean over the cycle)\n# outlet: pressure: 0 mmHg | developed: true | resistance: "
               "{value: 5 mmHg min/L, distal: 8 mmHg}\n");
    write_typical(f);
    fprintf(f, "openings:\n");
    fprintf(f, "  - {name: inflow, role: inlet, point: [FILL-IN, FILL-IN, FILL-IN], normal: auto, flow: ");
    if (found->n[FILES_WAVEFORM]) {
        fprintf(f, "{waveform: ");
        write_path(f, found->name[FILES_WAVEFORM][0]);
        fprintf(f, "}}\n");
    } else {
        fprintf(f, "FILL-IN L/min}\n");
    }
    fprintf(f,
            "  - {name: outflow, role: outlet, point: [FILL-IN, FILL-IN, FILL-IN], normal: auto, pressure: 0 mmHg}\n");
    write_points(f, &c->points, false);
    write_ends(f, c);
    fprintf(
        f,
        "# Two outlets or more, and no flow split measured? Equal pressures make the split depend on where the "
        "vessel is cut.\n# Remove the conditions of the outlets and assume Murray's law (flow share as radius to "
        "the power 3; 2: large arteries), or with labels of the liver's segments divide it by volume:\n"
        "# split: {murray: 3, uncertainty: 25 %%}\n"
        "# split: {labels: {path: segments.nii.gz}, territory: {RPV: [5, 6, 7, 8], LPV: [2, 3, 4]}, uncertainty: "
        "25 %%}\n"
        "# With a mean pressure at the outlets (arteries) they get resistances, with a capacitance (of all "
        "together) Windkessels:\n"
        "# split: {murray: 2, mean_pressure: 93 mmHg, distal: 5 mmHg, capacitance: 1 mL/mmHg, uncertainty: 25 %%}\n");
}

static void write_rest(FILE *f, bool pulsatile) {
    fprintf(f, "# Planes inside the vessel where flow, velocity and pressure are read:\n# sections:\n#   - {name: PV, "
               "point: [0, 0, 0], normal: auto}\nblood: {density: 1060 kg/m3, viscosity: 3.5 mPa s}");
    if (!pulsatile)
        fprintf(f, "   # model: unknown adds the difference to shear-thinning blood to the intervals");
    fprintf(f,
            "\nmesh: {}   # "
            "spacing chosen from the flow; or spacing: 0.4 mm, or cells_per_diameter: %d (cells per diameter at the "
            "minimum cross-section); quick preview: pipeline run DIR --fast\n",
            resolution_limits_of(!pulsatile).cells_fine);
    fprintf(f, "solve: {mode: %s}   # steady | pulsatile (then also cycles: 3)\n", pulsatile ? "pulsatile" : "steady");
    fprintf(f, "readouts:\n"
               "  - {pressure_drop: {from: inflow, to: outflow}}   # names of openings or sections\n"
               "  # - ppg: {portal: PV, liver: {model: resistance, value: 4.0 mmHg min/L}}\n");
}

int case_template_write(const case_choice *c, const volume *v, const patient_files *found, char **text) {
    size_t size = 0;
    *text = NULL;
    FILE *f = open_memstream(text, &size);
    if (!f)
        return fail_memory("a case", 4096);
    fprintf(f, "# A case for Portaflow. Replace every FILL-IN, then: pipeline check DIR, pipeline run DIR\n");
    fprintf(f, "name: ");
    write_path(f, c->name);
    fprintf(f, "   # from the folder; appears in the report: change it if it names the patient\n");
    if (c->surface[0] && !c->frame)
        fprintf(f, "space: FILL-IN   # frame of the surface, LPS or RAS; the points below are in that frame, mm\n");
    else
        fprintf(f, "space: RAS   # frame of the points below: RAS (Slicer's display), LPS or voxel\n");
    write_image(f, c, v);
    write_segment(f, c, found);
    write_openings(f, c, found);
    write_rest(f, found->n[FILES_WAVEFORM] > 0);
    return fclose(f) == 0 ? OK : fail_memory("a case", (double)size);
}
