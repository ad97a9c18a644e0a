/* See init_text.h. What only the user can say is marked FILL-IN, which `pipeline check` complains about by line. */
#include "pipeline/init/init_text.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A path as YAML takes it whatever is in it. */
static void write_path(FILE *f, const char *path) {
    fputc('"', f);
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            fputc('\\', f);
        fputc(*path, f);
    }
    fputc('"', f);
}

/* Size and place of the image in RAS, so that wrong points can be recognized. */
static void write_geometry(FILE *f, const volume *v) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    if (v->dims[0] <= 0)
        return;
    for (int corner = 0; corner < 8; corner++) {
        double index[3], lps[3];
        for (int a = 0; a < 3; a++)
            index[a] = (corner >> a) & 1 ? v->dims[a] - 1 : 0;
        volume_to_lps(v, index, lps);
        for (int a = 0; a < 3; a++) {
            double ras = (a < 2 ? -lps[a] : lps[a]) + 0.0; /* no -0 */
            low[a] = fmin(low[a], ras);
            high[a] = fmax(high[a], ras);
        }
    }
    fprintf(f, "# %d x %d x %d voxels of %.3g x %.3g x %.3g mm; R %.1f to %.1f, A %.1f to %.1f, S %.1f to %.1f mm\n",
            v->dims[0], v->dims[1], v->dims[2], v->spacing_mm[0], v->spacing_mm[1], v->spacing_mm[2], low[0], high[0],
            low[1], high[1], low[2], high[2]);
}

static void write_image(FILE *f, const char *image, const volume *v) {
    if (!*image) {
        fprintf(f, "# image: {path: images/portal.nii.gz}   # NIfTI, NRRD, MetaImage or a DICOM folder\n");
        return;
    }
    fprintf(f, "image: {path: ");
    write_path(f, image);
    fprintf(f, "}   # a DICOM folder with several series also needs series: UID\n");
    write_geometry(f, v);
}

static void write_segment(FILE *f, const char *image, const find_list *found) {
    const char *mask = found->n[FIND_MASK] ? found->name[FIND_MASK][0] : NULL;
    const char *surface = found->n[FIND_SURFACE] ? found->name[FIND_SURFACE][0] : NULL;
    const char *method = mask ? "labels" : surface && !*image ? "surface" : "level-set";
    bool level_set = strcmp(method, "level-set") == 0, by_surface = strcmp(method, "surface") == 0;
    fprintf(f, "segment:\n  method: %s   # level-set (from the image), labels (a mask) or surface (STL, VTP, PLY)\n",
            method);
    fprintf(f, "  %sseeds: [[FILL-IN, FILL-IN, FILL-IN]]   # level-set: points inside the vessels, mm\n",
            level_set ? "" : "# ");
    fprintf(f, "  %slabels: {path: ", mask ? "" : "# ");
    write_path(f, mask ? mask : "images/mask.nii.gz");
    fprintf(f,
            "}   # values: [1] when the mask holds more than the vessel\n  %ssurface: {path: ", by_surface ? "" : "# ");
    write_path(f, surface ? surface : "images/lumen.stl");
    fprintf(f, ", unit: mm, frame: %s}   # frame: LPS (ITK, Slicer) or RAS (VMTK)\n", by_surface ? "FILL-IN" : "LPS");
}

static void write_openings(FILE *f, const find_list *found) {
    fprintf(
        f, "# Where the vessel is cut: each name once; point lies in the middle of the cut, normal out of the vessel.\n"
           "# inlet:  flow: 0.6 L/min | flow: {waveform: flow/x.csv} | velocity: {peak: 0.1 m/s}\n"
           "# outlet: pressure: 0 mmHg | developed: true\n"
           "openings:\n");
    fprintf(f, "  - {name: inflow, role: inlet, point: [FILL-IN, FILL-IN, FILL-IN], normal: auto, flow: ");
    if (found->n[FIND_WAVEFORM]) {
        fprintf(f, "{waveform: ");
        write_path(f, found->name[FIND_WAVEFORM][0]);
        fprintf(f, "}}\n");
    } else {
        fprintf(f, "FILL-IN L/min}\n");
    }
    fprintf(f,
            "  - {name: outflow, role: outlet, point: [FILL-IN, FILL-IN, FILL-IN], normal: auto, pressure: 0 mmHg}\n");
}

static void write_rest(FILE *f, bool pulsatile) {
    fprintf(f,
            "# Planes inside the vessel where flow, velocity and pressure are read:\n"
            "# sections:\n"
            "#   - {name: PV, point: [0, 0, 0], normal: auto}\n"
            "blood: {density: 1060 kg/m3, viscosity: 3.5 mPa s}\n"
            "mesh: {}   # as fine as the flow asks for; or spacing: 0.4 mm, or cells_across: 24 (narrowest place)\n");
    fprintf(f, "solve: {mode: %s}   # steady | pulsatile (then also cycles: 3)\n", pulsatile ? "pulsatile" : "steady");
    fprintf(f, "readouts:\n"
               "  - {pressure_drop: {from: inflow, to: outflow}}   # names of openings or sections\n"
               "  # - ppg: {portal: PV, liver: {model: resistance, value: 4.0 mmHg min/L}}\n");
}

int init_text(const char *image, const volume *v, const find_list *found, char **text) {
    size_t size = 0;
    *text = NULL;
    FILE *f = open_memstream(text, &size);
    if (!f)
        return fail_memory("a case", 4096);
    fprintf(f, "# A case for Portaflow. Replace every FILL-IN, then: pipeline check DIR, pipeline run DIR\n");
    fprintf(f, "name: case   # appears in the report; not the name of a patient\n");
    fprintf(f, "space: RAS   # of the points below: RAS (Slicer's display), LPS or voxel\n");
    write_image(f, image, v);
    write_segment(f, image, found);
    write_openings(f, found);
    write_rest(f, found->n[FIND_WAVEFORM] > 0);
    return fclose(f) == 0 ? OK : fail_memory("a case", (double)size);
}
